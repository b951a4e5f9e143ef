/**
 * The rows that the client of a stream holds: odds, opportunities and games in play. Applies messages to them, and
 * compares the odds with the service's number and checksum.
 */

import { eventPrefixes } from '../generated/families.ts'
import type { StreamFilters } from '../generated/stream-filters.ts'
import { createOddsBook, type OddsItem, type SentRow } from './odds-book.ts'

export type Family = keyof typeof eventPrefixes
export const families = Object.keys(eventPrefixes) as readonly Family[]
export type Channel = 'odds' | 'gamestate' | Family

/** The last state of a game in play. Some sports have more fields. */
export interface GameState {
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly home_team: string
  readonly away_team: string
  readonly home_score: number
  readonly away_score: number
  readonly is_live: boolean
  readonly primary_book: string
  readonly book_count: number
  readonly game_period?: string
  readonly game_clock?: string
  readonly possession?: 'home' | 'away'
  /** Whether the score is old. */
  readonly stale?: boolean
  /** Whether all scores of the sport are old. */
  readonly aggregator_stale?: boolean
  readonly [member: string]: unknown
}

/** Counts of applied messages. Faults of the service come last. */
export interface RowCounts {
  /** Rows merged, excluding snapshots. */
  updates: number
  removals: number
  detected: number
  expired: number
  /** Partial rows with unknown ids. */
  strays: number
}

/** The fields of messages with rows. */
export interface RowsBody extends Partial<Record<Family, readonly Item[]>> {
  readonly odds?: readonly SentRow[]
  readonly expired?: readonly string[]
  readonly events?: readonly GameState[]
  readonly ids?: readonly string[]
  readonly chunk?: number
  readonly offset?: number
}

interface Item {
  readonly id: string
}

export interface HeldRows {
  readonly odds: ReadonlyMap<string, OddsItem>
  readonly opportunities: Readonly<Record<Family, ReadonlyMap<string, object>>>
  readonly games: ReadonlyMap<string, GameState>
  /**
   * Applies a message. Messages without rows change nothing.
   * @param channels those subscribed to. With several, events of all families arrive
   * @returns why the rows cannot be trusted; null if they can
   */
  apply(name: string, body: RowsBody, channels: readonly Channel[]): string | null
  /** Compares the odds with the service's. @returns the difference; null without one */
  difference(rows: number, checksum: string): string | null
  /** Begins a connection, whose snapshot is merged into the odds. */
  begin(): void
  /**
   * Removes rows outside the channels and filters now in force, because the service does not send their removal. The
   * next snapshot replaces the odds.
   */
  narrow(channels: ReadonlySet<string>, filters: StreamFilters): void
  /** Drops all rows. */
  forget(): void
}

/**
 * @param odds held from the start
 * @param onRepeat called for an opportunity detected twice, or expired without having been detected
 */
export function createHeldRows(
  counts: RowCounts,
  odds: Iterable<OddsItem>,
  onRepeat: (fault: string) => void,
): HeldRows {
  const book = createOddsBook()
  const opportunities = Object.fromEntries(
    families.map((family) => [family, new Map<string, object>()]),
  ) as Record<Family, Map<string, object>>
  const games = new Map<string, GameState>()
  /** Whether the next snapshot replaces the odds. */
  let isRestarted = false
  for (const row of odds) book.merge(row)

  function apply(name: string, body: RowsBody, channels: readonly Channel[]): string | null {
    const [prefix = '', happened] = name.split(':')
    const family = familyOf[prefix]
    if (family && (happened === 'detected' || happened === 'expired')) {
      if (!channels.includes(family)) return null
      if (happened === 'detected') detect(family, body as unknown as readonly Item[])
      else expire(family, body.expired ?? [])
      return null
    }
    switch (name) {
      case 'snapshot':
        return takeSnapshot(body, channels)
      case 'odds:update': {
        const rows = rowsOf(body)
        counts.updates += rows.length
        return merge(rows)
      }
      case 'odds:removed':
        for (const id of body.ids ?? []) book.remove(id)
        counts.removals += body.ids?.length ?? 0
        return null
      case 'gamestate:snapshot':
        // The first part of a snapshot replaces the earlier games.
        if ((body.offset ?? 0) === 0) games.clear()
        takeGames(body, channels)
        return null
      case 'gamestate:update':
        takeGames(body, channels)
        return null
      case 'gamestate:removed':
        for (const id of body.ids ?? []) games.delete(id)
        return null
      default:
        return null
    }
  }

  function takeGames({ events }: RowsBody, channels: readonly Channel[]) {
    if (!channels.includes('gamestate')) return
    for (const game of events ?? []) games.set(game.event_id, game)
  }

  function merge(rows: readonly SentRow[]): string | null {
    for (const row of rows) {
      if (book.merge(row)) continue
      counts.strays++
      return `part of a row that is not held: ${JSON.stringify(row)}`
    }
    return null
  }

  function takeSnapshot(body: RowsBody, channels: readonly Channel[]): string | null {
    for (const family of families) {
      const items = channels.includes(family) ? body[family] : undefined
      if (!items) continue
      // The first part of a snapshot replaces the earlier opportunities.
      if ((body.chunk ?? 1) === 1 && (body.offset ?? 0) === 0) opportunities[family].clear()
      for (const item of items) opportunities[family].set(item.id, item)
    }
    const rows = rowsOf(body)
    if (rows.length === 0) return null
    if (isRestarted) book.clear()
    isRestarted = false
    return merge(rows)
  }

  function detect(family: Family, items: readonly Item[]) {
    for (const item of items) {
      if (opportunities[family].has(item.id)) onRepeat(`${family} ${item.id} detected again`)
      opportunities[family].set(item.id, item)
    }
    counts.detected += items.length
  }

  function expire(family: Family, ids: readonly string[]) {
    for (const id of ids) {
      if (!opportunities[family].delete(id)) onRepeat(`${family} ${id} expired while not there`)
    }
    counts.expired += ids.length
  }

  return {
    odds: book.rows,
    opportunities,
    games,
    apply,
    difference(rows, checksum) {
      const own = book.checksum()
      if (rows === book.rows.size && checksum === own) return null
      return `${book.rows.size} rows with ${own} instead of ${rows} with ${checksum}`
    },
    begin() {
      isRestarted = false
    },
    narrow(channels, filters) {
      isRestarted = true
      for (const family of families) if (!channels.has(family)) opportunities[family].clear()
      if (!channels.has('gamestate')) games.clear()
      book.prune((row) => channels.has('odds') && isAllowed(row, filters))
    },
    forget() {
      book.clear()
      for (const family of families) opportunities[family].clear()
      games.clear()
    },
  }
}

const familyOf: Readonly<Record<string, Family>> = Object.fromEntries(
  families.map((family) => [eventPrefixes[family], family]),
)

const rowsOf = ({ odds }: RowsBody) => odds ?? []

/** Returns whether the filters by ids and bounds allow a row. Only the service can judge the other filters. */
function isAllowed(row: OddsItem, filters: StreamFilters): boolean {
  const { sport, league, sportsbook = [], add_sportsbook = [], market, event, live } = filters
  const { min_odds = Number.NEGATIVE_INFINITY, max_odds = Number.POSITIVE_INFINITY } = filters
  const allows = (named: readonly string[] | undefined, value: string) =>
    !named || named.length === 0 || named.includes(value)
  return (
    allows(sport, row.sport) &&
    allows(league, row.league) &&
    allows(sportsbook.length > 0 ? [...sportsbook, ...add_sportsbook] : [], row.sportsbook) &&
    allows(market, row.market_type) &&
    allows(event, row.event_id) &&
    (live === undefined || row.is_live === live) &&
    row.odds_american >= min_odds &&
    row.odds_american <= max_odds
  )
}
