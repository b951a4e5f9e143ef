/** An event on the board, with its sportsbooks and its markets. */

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
  /** True when it has not been seen for so long that its rows should be withdrawn: they are shown as inactive. */
  isStale: boolean
}

/** The rows of one market of an event. */
export interface EventBlock extends Block {
  readonly event: ViewEvent
  /** The levels at which its rows count. */
  readonly levels: readonly Level[]
  /** The newest change to a row of its market in its league. */
  readonly changed: Changed
  /** The number of times a row came, went, became active, live or withheld, or ceased to be. */
  offerChanges: number
  /** The stamp when one of its rows last came, went or changed; sightings do not count. */
  pricedAt: number
}

export interface ViewEvent extends Ordered, StampedEvent {
  row: EventRow
  startsAt: number
  readonly offers: Map<string, ViewOffer>
  /** The blocks in page order: main markets first. */
  readonly blocks: EventBlock[]
  rowCount: number
  liveRowCount: number
  /** The sum over its blocks. */
  offerChanges: number
  /** The number of times a market came or went. */
  marketChanges: number
  /** The number of times rows came or went, or a sportsbook's id of the event changed: lists of events show both. */
  listingChanges: number
  /** The newest stamp of its blocks. */
  pricedAt: number
  /** Whether its own row is gone; the event stays while it has prices. */
  isForgotten: boolean
  /** The texts about it in its rows. */
  texts: EventTexts
}
