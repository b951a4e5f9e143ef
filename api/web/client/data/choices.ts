/** What the reader chose of how the pages look: in the account's profile, in this browser, or by default. */

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
 * The choices in force: with a key of the reader's own the profile counts before what this browser keeps, with the
 * shared key of the sandbox after it.
 *
 * @param profile null until it has been read
 */
export function choicesOf(kept: KeptChoices, profile: Profile | null, hasOwnKey: boolean): Choices {
  if (profile === null) return { ...firstChoices, ...kept }
  const ofProfile = {
    ...(profile.price_format && { format: profile.price_format }),
    books: booksIn(profile),
  }
  const choices = hasOwnKey
    ? { ...firstChoices, ...kept, ...ofProfile }
    : { ...firstChoices, ...ofProfile, ...kept }
  return { ...choices, isOnlyMine: choices.isOnlyMine && choices.books.length > 0 }
}
