/** An event as the board has it, with its sportsbooks and its markets. */

import type { EventRow } from '../../../schemas/event.ts'
import type { Block, Sighted } from './block.ts'
import type { Level } from './book-counts.ts'
import type { EventTexts } from './row-text.ts'
import type { Ordered } from './sorted-events.ts'
import type { Changed, StampedEvent } from './stamps.ts'

/** One sportsbook on one event, with the list of its rows. */
export interface ViewOffer extends Sighted {
  readonly event: ViewEvent
  readonly sportsbook: string
  externalId: string | null
  /** It has not been seen for so long that its rows would be withdrawn: they are shown as inactive. */
  isStale: boolean
}

/** The rows of one market of an event. */
export interface EventBlock extends Block {
  readonly event: ViewEvent
  /** The levels its rows count at. */
  readonly levels: readonly Level[]
  /** The newest change to a row of its market in its league. */
  readonly changed: Changed
  /** How often rows came, went, or changed in whether bets are taken or they are live. */
  offerChanges: number
  /** The stamp of the newest time a row of it came, went or changed; sightings do not count. */
  pricedAt: number
}

export interface ViewEvent extends Ordered, StampedEvent {
  row: EventRow
  startsAt: number
  readonly offers: Map<string, ViewOffer>
  /** In page order: main markets first. */
  readonly blocks: EventBlock[]
  rowCount: number
  liveRowCount: number
  /** The same of its blocks together. */
  offerChanges: number
  /** How often a market came or went. */
  marketChanges: number
  /** How often rows came or went, or a sportsbook came to call it otherwise: what lists of events say of it. */
  listingChanges: number
  /** The newest of those of its blocks. */
  pricedAt: number
  /** Its own row is gone; it stays while it has prices. */
  isForgotten: boolean
  /** What its rows say of it. */
  texts: EventTexts
}
