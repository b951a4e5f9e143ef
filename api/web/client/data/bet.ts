/** How a bet can end, and what became of a file of bets, in the words of the API. */

export const outcomes = [
  'won',
  'half_won',
  'refunded',
  'half_lost',
  'lost',
  'dead_heat',
  'cashed_out',
] as const
export type Outcome = (typeof outcomes)[number]

/** The bets of a file that were stored, and the lines that were refused. */
export interface TakenFile {
  /** Bets stored now or before. */
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: readonly { readonly line: number; readonly message: string }[]
  readonly rejected_count: number
  readonly ignored_columns: readonly string[]
}
