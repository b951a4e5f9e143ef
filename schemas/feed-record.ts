/**
 * The records of feeds: one record is one sportsbook's statement about one event (or about itself) at one time. This
 * is the logical schema of the `feed.*` topics and of push ingest; every adapter under `pipeline/feeds/` turns a
 * sportsbook's payload into exactly these records.
 *
 * Sport, league and team names may be the sportsbook's own spelling: the pipeline resolves them. Market and selection
 * types are ours (`schemas/reference/markets.ts`), because only the adapter knows the meaning of a sportsbook's
 * market.
 *
 * Units: times are epoch ms (UTC), prices decimal odds, lines points, money US dollars, fractions 0..1. A field that
 * the sportsbook does not state is null, never a guess; attributes of a price (`attributes.ts`) may be left out
 * instead.
 */

import type { StatedAttributes } from './attributes.ts'
import type { Audience } from './source.ts'
import type { Traced } from './trace.ts'

/** The game a statement is about, as the sportsbook names it. */
export interface FeedEvent {
  /** The sportsbook's own id of the game; null when its payload has none. */
  readonly externalId: string | null
  readonly sport: string
  readonly league: string
  readonly homeTeam: string
  readonly awayTeam: string
  readonly startsAt: number
  readonly isLive: boolean
  /**
   * Whether `isLive` only says that the announced start has passed, because the source does not
   * report play. Absent or null: it does.
   */
  readonly isByClock?: boolean | null
}

/** One outcome of a market, with its price. */
export interface FeedSelection extends StatedAttributes<'selection'> {
  /** The label to show: team, player or Over/Under; null lets the board name it from the type. */
  readonly selection: string | null
  /** `home`, `away`, `draw`, `over`, `under`, `yes`, `no`, … (interface supplement 5.3). */
  readonly selectionType: string
  /** Signed, from this selection's own side (home -1.5 / away +1.5); null inherits the market's. */
  readonly line: number | null
  /** Decimal, finite and > 1. Null only when `removed`, or when suspended without a price. */
  readonly price: number | null
  /** Whether the sportsbook has withdrawn it (delta mode only). */
  readonly removed: boolean
  /** Whether it is shown without taking bets: the row stays, marked inactive, its price frozen. */
  readonly suspended: boolean
  /** When the sportsbook itself says the price last changed. */
  readonly changedAt: number | null
}

/** One question at one line, with its selections. */
export interface FeedMarket extends StatedAttributes<'market'> {
  readonly marketType: string
  /** The line when all selections share it (totals); null when none, or when they carry their own. */
  readonly line: number | null
  readonly playerName: string | null
  readonly statCategory: string | null
  readonly suspended: boolean
  readonly selections: readonly FeedSelection[]
}

/** A record of a sportsbook's prices that may come from another source than the sportsbook. */
export interface PassedOn {
  /**
   * The source that passes the prices on; absent or null if they are the sportsbook's own, or
   * pushed.
   */
  readonly via?: string | null
}

/**
 * Prices of one event at one sportsbook. `snapshot`: all prices it offers on the event now; those no longer named are
 * withdrawn. `delta`: only the named prices change.
 */
export interface OddsRecord extends Traced, PassedOn {
  readonly type: 'odds'
  readonly sportsbook: string
  readonly mode: 'snapshot' | 'delta'
  readonly observedAt: number
  readonly event: FeedEvent
  readonly markets: readonly FeedMarket[]
}

export const eventStatuses = ['upcoming', 'live', 'final', 'postponed', 'cancelled'] as const
export type EventStatus = (typeof eventStatuses)[number]

/** The kinds of outcomes of a futures market: teams, players, Over and Under, or Yes and No. */
export const futureTypes = ['TEAM', 'PLAYER', 'OVER_UNDER', 'YES_NO'] as const
export type FutureType = (typeof futureTypes)[number]

/** A market on a season or a tournament, not on a single game, as the sportsbook names it. */
export interface FeedFuture {
  /** The sportsbook's own id of the market; null when its payload has none. */
  readonly externalId: string | null
  readonly sport: string
  readonly league: string
  /** The question in the sportsbook's words; it may include season and league. */
  readonly name: string
  readonly futureType: FutureType
  /**
   * The team or player that an Over/Under or Yes/No is about; null if the name is complete without
   * it.
   */
  readonly subject: string | null
  /** "2026-27" or "2027", as stated; null for not stated. */
  readonly season: string | null
  /** When it is decided (epoch ms); null for not stated. */
  readonly settlesAt: number | null
}

/** One outcome of a futures market, with its price. */
export interface FeedFutureSelection {
  /** The team or player; `Over`, `Under`, `Yes` or `No`. */
  readonly selection: string
  /** The line of an Over or Under; else null. */
  readonly line: number | null
  /** Decimal, finite and > 1. Null only when `removed`, or when suspended without a price. */
  readonly price: number | null
  readonly removed: boolean
  readonly suspended: boolean
  readonly changedAt: number | null
  readonly externalId: string | null
  readonly deepLink: string | null
}

/**
 * Prices of one futures market at one sportsbook; `mode` as in `OddsRecord`, for this market alone.
 */
export interface FuturesRecord extends Traced, PassedOn {
  readonly type: 'futures'
  readonly sportsbook: string
  readonly mode: 'snapshot' | 'delta'
  readonly observedAt: number
  readonly future: FeedFuture
  readonly prices: readonly FeedFutureSelection[]
}

/** A sportsbook's statement of a game's status. */
export interface EventStatusRecord extends Traced {
  readonly type: 'event_status'
  readonly sportsbook: string
  readonly observedAt: number
  readonly event: FeedEvent
  readonly status: EventStatus
}

/** A feed went down or came back: a failed fetch and an empty snapshot are different facts. */
export interface BookStatusRecord extends Traced {
  readonly type: 'book_status'
  readonly sportsbook: string
  readonly observedAt: number
  readonly status: 'up' | 'down'
  /** Who may see its prices; absent or null leaves that unchanged. */
  readonly audience?: Audience | null
}

/** The clock, as a record: the time is `observedAt` now, and no live feed will report an earlier one. */
export interface TickRecord {
  readonly type: 'tick'
  readonly observedAt: number
  /** Whether it is the time of a recording, which is then the time of the service. Default: false. */
  readonly isRecorded?: boolean
}

/** Score, period and situation of a game in play; fields as in interface 2.4, snake_case. */
export interface GameStateRecord extends Traced {
  readonly type: 'game_state'
  readonly sportsbook: string
  readonly observedAt: number
  readonly event: FeedEvent
  readonly state: Readonly<Record<string, string | number | boolean | null>>
}

/** Shares of one two-way market, 0..1, first side then second. */
export interface SplitShares {
  readonly handle: readonly [number, number] | null
  readonly bets: readonly [number, number] | null
}

/** Public betting splits of one event at one sportsbook. Sides: away/home and over/under. */
export interface SplitsRecord extends Traced {
  readonly type: 'splits'
  readonly sportsbook: string
  readonly observedAt: number
  readonly event: FeedEvent
  readonly moneyline: (SplitShares & { awayPrice: number | null; homePrice: number | null }) | null
  readonly spread: (SplitShares & { awayLine: number | null; homeLine: number | null }) | null
  readonly total: (SplitShares & { line: number | null }) | null
}

/** Records of the topic `feed.odds`, which the board reads. */
export type BoardRecord =
  | OddsRecord
  | FuturesRecord
  | EventStatusRecord
  | BookStatusRecord
  | TickRecord

/** All types of records from feeds. */
export type FeedRecord =
  | OddsRecord
  | FuturesRecord
  | EventStatusRecord
  | BookStatusRecord
  | GameStateRecord
  | SplitsRecord
