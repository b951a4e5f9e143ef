/** A filter of the prices on a board, in our ids; an absent field filters nothing. */

import type { EventRow } from '../../../schemas/event.ts'
import { liveBit, stalePregameBit } from '../board/row-table.ts'

/** The flags that filter by one bit of a row's state: true for rows that have it, false for the others. */
export const flagBits = { live: liveBit, stalePregame: stalePregameBit } as const

type Flags = { readonly [Flag in keyof typeof flagBits]?: boolean | undefined }

export interface OddsFilter extends Flags {
  /** The allowed sportsbooks; undefined for all in the view. */
  readonly sportsbooks?: readonly string[] | undefined
  readonly sports?: readonly string[] | undefined
  readonly leagues?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
  readonly eventIds?: readonly string[] | undefined
  /** The bounds of the American price, as shown, both inclusive. */
  readonly minAmerican?: number | undefined
  readonly maxAmerican?: number | undefined
  /** True for the main line of each question, false for the others. */
  readonly mainLine?: boolean | undefined
  /** The set of sportsbooks that `mainLine` refers to, by index in `mainLineSets`; absent for all sportsbooks. */
  readonly lineSet?: number | undefined
  /** True for each sportsbook's own main line, false for the others. */
  readonly ownMainLine?: boolean | undefined
  /**
   * For deleted rows: returns whether a type, which may have no rows any more, is one of
   * `marketTypes`.
   */
  readonly isMarketNamed?: ((marketType: string) => boolean) | undefined
  /** Any other test of events; it must always return the same for the same row. */
  readonly isEventNamed?: ((event: EventRow) => boolean) | undefined
}

/**
 * Returns whether the filter uses only these fields: caches and scans for some fields cannot apply
 * others.
 */
export const usesOnly = (filter: OddsFilter, members: ReadonlySet<keyof OddsFilter>): boolean =>
  Object.entries(filter).every(
    ([name, value]) => value === undefined || members.has(name as keyof OddsFilter),
  )

/** Fields that depend on which rows exist, not on their prices. */
export const followsOffers: ReadonlySet<keyof OddsFilter> = new Set([
  'sportsbooks',
  'sports',
  'leagues',
  'marketTypes',
  'isMarketNamed',
  'eventIds',
  'isEventNamed',
  'live',
  // `lineSet` by itself filters nothing.
  'lineSet',
])
