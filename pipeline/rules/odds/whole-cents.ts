/**
 * The precision of an amount of money: to the cent if all stakes are in whole cents, else to eight
 * decimals (bitcoin, units of a bankroll).
 */

/**
 * Returns whether an amount > 0 is a whole number of cents, within the error of binary fractions.
 */
export function isInCents(amount: number): boolean {
  const count = Math.round(amount * 100)
  return count > 0 && Math.abs(amount * 100 - count) < 1e-6
}
