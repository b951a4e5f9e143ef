/**
 * The value of a price against a no-vig probability. Fractions throughout: 0.04 is 4 %. Probabilities are in (0, 1)
 * and prices finite and > 1, as `devig` and the feeds return them.
 */

import { leastGain } from './odds.ts'

/**
 * Returns the expected value of a stake of 1 that is not refunded: its average win, in
 * [-1, price - 1). On a whole line, the average over all stakes is nearer to 0, by the part that is
 * refunded.
 * @param fair no-vig probability of the outcome, given that the stake is not refunded
 * @param price decimal odds offered on it
 */
export const expectedValue = (fair: number, price: number) => fair * price - 1

/** A higher expected value is due to a wrong price, and is left out. */
export const highestValue = 0.25

/** A higher expected value is rarely real, and gets a warning. */
export const suspiciousValue = 0.1

/** Returns whether an expected value is above zero as shown, and small enough to be real. */
export const isValue = (ev: number) => ev >= leastGain && ev <= highestValue

/**
 * Returns the part of a bankroll that makes it grow fastest, in [0, 1): EV divided by the net odds,
 * or 0 if the price has no value.
 * @param fair no-vig probability of the outcome
 * @param price decimal odds offered on it
 * Source: Kelly (1956), doi 10.1002/j.1538-7305.1956.tb03809.x
 */
export const kellyFraction = (fair: number, price: number) =>
  Math.max(0, expectedValue(fair, price) / (price - 1))

/** Returns the decimal odds without margin: those at which a bet on this probability has an EV of 0. */
export const fairPrice = (probability: number) => 1 / probability
