/**
 * How exact an amount of money is: to the cent where all stakes are whole cents, else to eight places, as for bitcoin
 * or units of a bankroll.
 */

/** Returns whether an amount > 0 is a whole number of cents, but for the dust of binary fractions. */
export function isInCents(amount: number): boolean {
  const count = Math.round(amount * 100)
  return count > 0 && Math.abs(amount * 100 - count) < 1e-6
}
