/** The reader's choices of how the pages look: in the profile, else in this browser, else by default. */

import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { Zone } from '../format/time.ts'
import type { Figure } from './columns.ts'
import { booksIn, type Profile } from './profile.ts'

export interface Choices {
  readonly format: PriceFormat
  readonly zone: Zone
  /** Null: as the system. */
  readonly scheme: 'dark' | 'light' | null
  readonly isRailOpen: boolean
  /** Figures of the board beside the prices. */
  readonly figures: readonly Figure[]
  /** The reader's own sportsbooks, the first first. Empty: none chosen. */
  readonly books: readonly string[]
  /** Shows and counts the reader's own sportsbooks alone. */
  readonly isOnlyMine: boolean
  /** Shows the leagues that the profile hides. */
  readonly isHiddenShown: boolean
}

const firstChoices: Choices = {
  format: 'american',
  zone: 'local',
  scheme: null,
  isRailOpen: false,
  figures: ['best', 'hold', 'fair'],
  books: [],
  isOnlyMine: false,
  isHiddenShown: false,
}

/** What was chosen in this browser. */
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
