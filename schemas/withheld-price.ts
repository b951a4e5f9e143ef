/**
 * One row of the table of withheld prices: a price that the phantom guard, or the outcome guard, takes to be of another
 * question than the others on its line, or the ladder guard to have its sign turned. The price stays on the board, but is never a best price and never in an opportunity. The table
 * is empty most of the time.
 */

/**
 * Why a price is withheld; `docs/opportunities.md` explains each. The guards find the first four; the last is for a
 * sportsbook that the operator names a reference, and is in no row of the table.
 */
export const withheldReasons = [
  'far_from_consensus',
  'market_mismatch',
  'books_disagree',
  'swapped',
  'reference',
] as const

export type WithheldReason = (typeof withheldReasons)[number]

export interface WithheldPrice {
  /** The odds id of the price. */
  readonly id: number
  readonly sportsbook: string
  readonly league: string
  readonly reason: WithheldReason
  /** When the line was last touched before it was found (epoch ms). */
  readonly since: number
}
