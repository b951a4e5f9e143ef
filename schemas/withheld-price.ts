/**
 * One row of the table of withheld prices. A guard holds the price to be wrong: by the phantom guard
 * or the outcome guard it is of another question than the other prices on its line; by the ladder
 * guard the sign of its line is reversed. The price stays on the board, but is never a best price
 * and never in an opportunity.
 * The table is empty most of the time.
 */

/**
 * Why the guards withhold a price, in rows of the table and in closes; `docs/opportunities.md`
 * explains each.
 */
export const guardReasons = [
  'far_from_consensus',
  'market_mismatch',
  'books_disagree',
  'swapped',
] as const

export type GuardReason = (typeof guardReasons)[number]

/** Why a shown close is withheld: `unknown` for a reason of a newer pipeline that this version does not know. */
export const withheldCloseReasons = [...guardReasons, 'unknown'] as const

export type WithheldCloseReason = (typeof withheldCloseReasons)[number]

/** Why a shown price is withheld: `reference` if the operator has named its sportsbook a reference. */
export const withheldReasons = [...guardReasons, 'reference', 'unknown'] as const

export type WithheldReason = (typeof withheldReasons)[number]

/** Returns a guard's reason as this version shows it; `archive/shown-prices.ts` says the same in SQL. */
export const shownReason = (reason: GuardReason): WithheldCloseReason =>
  guardReasons.includes(reason) ? reason : 'unknown'

export interface WithheldPrice {
  /** The odds id of the price. */
  readonly id: number
  readonly sportsbook: string
  readonly league: string
  readonly reason: GuardReason
  /** The time of the change after which a guard first gave this reason (epoch ms). */
  readonly since: number
}
