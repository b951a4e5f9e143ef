/** The formats of a file of bets: those that a request states, and those that its cells show. */

import type { PriceFormat } from '../../../schemas/price-format.ts'
import type { DateOrder } from './local-time.ts'

/** Formats stated with the file; null for those to be recognised. */
export interface TableOptions {
  readonly decimal: 'point' | 'comma' | null
  readonly dateOrder: DateOrder | null
  readonly timeZone: string | null
  readonly oddsFormat: PriceFormat | null
  /** Sportsbook for files without such a column. */
  readonly sportsbook: string | null
  readonly league: string | null
  /** Whether unknown columns are ignored. */
  readonly ignoresOthers: boolean
}

/** The stated formats, with those that the cells show. */
export interface Shown extends TableOptions {
  /** As `orders` of `TimeOptions`. */
  readonly orders: readonly DateOrder[]
  readonly hasAmerican: boolean
  /** Whether the decimal mark is stated, or shown by odds, and not only by other columns or by the separator. */
  readonly isMarkOfOdds: boolean
  /** Whether some odds are certainly not decimal. */
  readonly hasOther: boolean
  /** Whether the column of profits has a loss: one of winnings alone has none. */
  readonly hasLosses: boolean
  /** Whether results are letters: W, L. */
  readonly hasLetters: boolean
  /** Positions of the columns of free bets that have amounts, so that a 1 is one too. */
  readonly freeAmounts: ReadonlySet<number>
  /** As in `FileNotes`. */
  readonly currency: string | null
}

/** Longest cell that is parsed: longer than any text of a bet, and short enough for expressions that look back. */
export const longestCell = 500

export const isTooLong = (cell: string) => cell.length > longestCell

/** Returns a text with plain minus signs. */
export const plainOf = (text: string) => text.replaceAll(/[−–]/g, '-')

/** Names of currencies in the cell of an amount: signs, and letters at its ends, which may be those of a code. */
export const currencySign = /[$€£¥]/g
export const currencyName = new RegExp(`${currencySign.source}|^[A-Z]{3}|[A-Z]{3}$`, 'g')
