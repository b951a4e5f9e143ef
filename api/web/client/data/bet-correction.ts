/** What the reader corrects of a stored bet. */

import type { BetResult } from '../../wire.ts'

/** A bet as it should have been stored. */
export interface Corrected {
  /** Decimal odds. */
  readonly price: number
  readonly stake: number
  readonly isFree: boolean
  readonly sportsbook: string
  /** When it was placed (epoch ms). */
  readonly at: number
}

/** Corrected fields, in the words of the API. Absent ones stay. */
export type Correction = Partial<
  Pick<BetResult, 'odds_decimal' | 'stake' | 'free_bet' | 'sportsbook' | 'placed_at'>
>

/**
 * Returns only what the reader has changed: the rest may have been corrected elsewhere meanwhile.
 * @param before the bet as it was when the reader began
 */
export const correctionOf = (
  before: Required<Correction>,
  { price, stake, isFree, sportsbook, at }: Corrected,
): Correction => ({
  ...(price !== before.odds_decimal && { odds_decimal: price }),
  ...(stake !== before.stake && { stake }),
  ...(isFree !== before.free_bet && { free_bet: isFree }),
  ...(sportsbook !== before.sportsbook && { sportsbook }),
  ...(at !== Date.parse(before.placed_at) && { placed_at: new Date(at).toISOString() }),
})
