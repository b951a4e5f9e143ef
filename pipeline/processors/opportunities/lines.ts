/**
 * The lines of a market of an event, each with its prices at every sportsbook. `price-lines.ts` keeps them.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { Visibility } from '../../../schemas/opportunity.ts'
import type { Fee } from '../../../schemas/reference/fees.ts'
import { isOpen } from '../../rules/games/event-end.ts'
import type { MarketShape } from '../../rules/odds/market-shape.ts'
import type { EventChain } from './event-chains.ts'

export interface PricedEvent {
  readonly id: string
  /** Null until the event is known. */
  row: EventRow | null
  /** The chain for its +EV; the usual one until the event is known. */
  chain: EventChain
  hasStarted: boolean
  readonly offers: Map<string, PricedOffer>
  /** Ladders by market type: one per player, in play and pregame. */
  readonly ladders: Map<string, Ladder[]>
}

/** One sportsbook on one event. */
export interface PricedOffer {
  readonly sportsbook: string
  /** See `visibilityOf` and `ownerVisibility`. */
  visibility: Visibility
  /** See `firstSetOf`. */
  firstSet: number
  /** See `EventChain`. */
  place: number
  sharpness: number
  /** Whether it only measures others: nobody can bet at its prices. */
  readonly isReference: boolean
  /** Its fee on a bet; null for none, or if fees are not subtracted. */
  readonly fee: Fee | null
  lastSeenAt: number
  isLive: boolean
  /** Whether its prices may be bet on: it was seen recently, and its source is up. */
  isUsable: boolean
  /** The first of its quotes, or -1. */
  head: number
}

/** The lines of one market of an event, for one player, live or not. */
export interface Ladder {
  readonly event: PricedEvent
  readonly marketType: string
  readonly playerName: string | null
  readonly isLive: boolean
  /** See `in-play-handicaps.ts`. */
  readonly isComparable: boolean
  readonly shape: MarketShape
  /** The groups by outcome, if the market has no closed set of outcomes; else null. */
  readonly groups: Map<string, number> | null
  /** The lines, ascending; equal lines are ordered by group. */
  readonly lines: Line[]
}

/** One complete set of outcomes, at every sportsbook. */
export interface Line {
  readonly ladder: Ladder
  /** The index of its set of outcomes in its market. */
  readonly group: number
  /** The line, home's for handicaps. */
  readonly line: number | null
  /** Sportsbooks by slot; a slot is kept when its prices go. */
  readonly offers: PricedOffer[]
  /** By slot and column: decimal odds, 0 where no bet is taken. */
  prices: Float64Array
  /** The same after the sportsbook's fee; `prices` itself if fees are not subtracted. */
  nets: Float64Array
  /** By slot and column: odds ids, 0 where there is no price. */
  ids: Float64Array
  /** The number of its prices, including inactive and contested ones. */
  quoted: number
  isDirty: boolean
  /** When it was last touched (epoch ms). */
  touchedAt: number
}

/**
 * Which prices are judged together: those that may be bet on, or all, however long ago they were
 * seen.
 */
export type Judged = 'usable' | 'all'

/** Returns whether the prices of a sportsbook are judged. Those of references never are. */
export const isJudged = ({ isReference, isUsable }: PricedOffer, judged: Judged) =>
  !isReference && (isUsable || judged === 'all')

/** Returns whether a line is one outcome of a market without a closed set: it makes no opportunity and no main line. */
export const isOpenLine = ({ ladder }: Line) => ladder.groups !== null

/** Returns whether prices of this ladder may be bet on at all: before the start, or in play. */
export const isTrading = ({ event, isLive }: Ladder) =>
  event.row !== null && isOpen(event.row.status) && (isLive || !event.hasStarted)

/** Returns whether prices of this ladder may be best, measure others and make opportunities. */
export const isCompared = (ladder: Ladder) => ladder.isComparable && isTrading(ladder)
