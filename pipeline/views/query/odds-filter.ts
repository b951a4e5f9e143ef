/** What can be asked of the prices on a board, in our ids; a member absent asks nothing. */

import type { EventRow } from '../../../schemas/event.ts'
import { liveBit, stalePregameBit } from '../board/row-table.ts'

/** Filters by one bit of what a row says: true for rows that have it, false for the others. */
export const flagBits = { live: liveBit, stalePregame: stalePregameBit } as const

type Flags = { readonly [Flag in keyof typeof flagBits]?: boolean | undefined }

export interface OddsFilter extends Flags {
  /** Sportsbooks allowed; undefined for all in the view. */
  readonly sportsbooks?: readonly string[] | undefined
  readonly sports?: readonly string[] | undefined
  readonly leagues?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
  readonly eventIds?: readonly string[] | undefined
  /** Bounds of the American price, as shown, both inclusive. */
  readonly minAmerican?: number | undefined
  readonly maxAmerican?: number | undefined
  /** True for the main line of each question, false for the others. */
  readonly mainLine?: boolean | undefined
  /** Whose main lines these are, by place in `mainLineSets`; those of all sportsbooks where it is absent. */
  readonly lineSet?: number | undefined
  /** The same of each sportsbook's own main line. */
  readonly ownMainLine?: boolean | undefined
  /** For what has gone: whether a type that perhaps no row carries any more is one of `marketTypes`. */
  readonly isMarketNamed?: ((marketType: string) => boolean) | undefined
  /** What else is asked of events: the same of the same row, always. */
  readonly isEventNamed?: ((event: EventRow) => boolean) | undefined
}

/** Whether the filter asks nothing but these: what is kept or scanned by some members knows no others. */
export const asksOnly = (filter: OddsFilter, members: ReadonlySet<keyof OddsFilter>): boolean =>
  Object.entries(filter).every(
    ([name, value]) => value === undefined || members.has(name as keyof OddsFilter),
  )

/** Members by which what is asked for follows from which rows there are, not from their prices. */
export const followsOffers: ReadonlySet<keyof OddsFilter> = new Set([
  'sportsbooks',
  'sports',
  'leagues',
  'marketTypes',
  'isMarketNamed',
  'eventIds',
  'isEventNamed',
  'live',
  // Alone it asks nothing.
  'lineSet',
])
