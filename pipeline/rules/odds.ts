/**
 * Conversions between ways of writing a price. Inside, a price is decimal odds; American odds and
 * implied probability exist at the edges only.
 */

/**
 * Decimal odds of American odds: 1 + A/100 for A > 0, else 1 + 100/|A|.
 * @param american |A| >= 100
 * @throws RangeError outside that range
 */
export function americanToDecimal(american: number): number {
  if (!Number.isFinite(american) || Math.abs(american) < 100) {
    throw new RangeError(`American odds must be at least 100 in size, got ${american}`)
  }
  return american > 0 ? 1 + american / 100 : 1 + 100 / -american
}

/**
 * American odds of decimal odds, rounded to the nearest integer; 2.0 is +100.
 * @param price decimal odds, finite and > 1
 */
export function decimalToAmerican(price: number): number {
  const american = price >= 2 ? Math.round((price - 1) * 100) : -Math.round(100 / (price - 1))
  return american === -100 ? 100 : american
}

/** Whether a number can be decimal odds: finite and above 1. */
export const isPrice = (price: number) => Number.isFinite(price) && price > 1
