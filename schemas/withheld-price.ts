/**
 * One row of the table of withheld prices: that the phantom guard holds a price to be of another question
 * than those of the others on its line. The price stays on the board; it is none of the best, and no
 * opportunity is made of it. The table is empty most of the time.
 */

/**
 * Why a price is withheld; `docs/opportunities.md` says what each means. The guard finds the first four; the last is
 * of a sportsbook that the operator names a reference, and is in no row of the table.
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
  /** When the line was last touched as that was found (epoch ms). */
  readonly since: number
}
