/** The reader's choices of how the pages look: in the profile, else in this browser, else by default. */

import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { Profile } from '../../wire.ts'
import type { Zone } from '../format/time.ts'
import type { Figure } from './columns.ts'
import { booksIn } from './profile.ts'

export interface Choices {
  readonly format: PriceFormat
  readonly zone: Zone
  /** Null: follow the system. */
  readonly scheme: 'dark' | 'light' | null
  readonly isRailOpen: boolean
  /** Columns of the board besides the prices. */
  readonly figures: readonly Figure[]
  /** Whether the rows of the board are lower than usual. */
  readonly isCompact: boolean
  /** The sportsbooks that charts draw. Empty for the default. */
  readonly chartBooks: readonly string[]
  /** The reader's own sportsbooks, in order of preference. Empty if none are chosen. */
  readonly books: readonly string[]
  /** Whether only the reader's own sportsbooks are shown and counted. */
  readonly isOnlyMine: boolean
  /** Whether leagues hidden by the profile are shown. */
  readonly isHiddenShown: boolean
}

const firstChoices: Choices = {
  format: 'american',
  zone: 'local',
  scheme: null,
  isRailOpen: false,
  figures: ['best', 'hold', 'fair'],
  isCompact: false,
  chartBooks: [],
  books: [],
  isOnlyMine: false,
  isHiddenShown: false,
}

/** The choices stored in this browser. */
export type KeptChoices = Partial<Choices>

/**
 * The choices in force: what the profile states counts before what this browser keeps.
 *
 * @param profile null until it has been read
 */
export function choicesOf(kept: KeptChoices, profile: Profile | null): Choices {
  if (profile === null) return { ...firstChoices, ...kept }
  const books = booksIn(profile)
  return {
    ...firstChoices,
    ...kept,
    ...(profile.price_format && { format: profile.price_format }),
    books,
    isOnlyMine: kept.isOnlyMine === true && books.length > 0,
  }
}
