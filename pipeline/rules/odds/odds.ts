/**
 * Conversions between ways of writing a price. Internally, a price is decimal odds; American odds and implied
 * probability exist only at the edges.
 */

import { shownAmerican } from '../../../schemas/american-odds.ts'

/**
 * Returns the decimal odds of American odds: 1 + A/100 for A > 0, else 1 + 100/|A|.
 * @param american |A| >= 100
 * @throws RangeError outside that range
 */
export function americanToDecimal(american: number): number {
  if (!Number.isFinite(american) || Math.abs(american) < 100) {
    throw new RangeError(`American odds must be at least 100 in size, got ${american}`)
  }
  // Divided last, because 1 + 103 / 100 is not the same double as 2.03, the number that decimal
  // odds are read as.
  return american > 0 ? (100 + american) / 100 : 1 + 100 / -american
}

/**
 * Returns the American odds of decimal odds, rounded to the nearest integer; 2.0 is +100.
 * @param price decimal odds, finite and > 1
 */
export function decimalToAmerican(price: number): number {
  if (price >= americanFinite) return Number.MAX_SAFE_INTEGER
  return shownAmerican(price >= 2 ? Math.round((price - 1) * 100) : -Math.round(100 / (price - 1)))
}

/** From this price up, the American odds would not be an exact integer. */
const americanFinite = 2 ** 46

/**
 * Returns decimal odds as shown: with three decimals; below `fineBelow` with six, and never above
 * the price.
 */
export const shownPrice = (price: number) => {
  if (price >= americanFinite) return price
  if (price >= fineBelow) return Math.round(price * 1e3) / 1e3
  const millionths = Math.round(price * 1e6)
  const shown = (millionths / 1e6 > price ? millionths - 1 : millionths) / 1e6
  return Math.max(priceBounds.lowest, shown)
}

/** Below this price, three decimals would change the profit by more than a twentieth. */
const fineBelow = 1.01

/**
 * Returns an implied probability as shown: with four decimals; with six if four would round to 0 or
 * 1.
 */
export const shownProbability = (price: number) => {
  const shown = Math.round(1e4 / price) / 1e4
  if (shown > 0 && shown < 1) return shown
  return Math.min(1 - 1e-6, Math.round(1e6 / price) / 1e6)
}

/**
 * The least gain (a fraction) that is shown as more than zero: figures are percent with two
 * decimals. A gain that is shown as 0.00 is no opportunity.
 */
export const leastGain = 0.5e-4

/** The bounds of decimal odds, both inclusive; a number beyond them is an error of the feed. */
export const priceBounds = { lowest: 1.000001, highest: 1_000_000 } as const

/** Returns whether a number can be decimal odds. */
export const isPrice = (price: number) =>
  price >= priceBounds.lowest && price <= priceBounds.highest
