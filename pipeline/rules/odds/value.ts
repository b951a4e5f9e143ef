/**
 * What a price is worth against a no-vig probability. Fractions throughout: 0.04 is 4 %.
 * Probabilities are in (0, 1) and prices finite and > 1, as `devig` and the feeds leave them.
 */

import { leastGain } from './odds.ts'

/**
 * Expected value of a stake of 1: its average win, in [-1, price - 1).
 * @param fair no-vig probability of the outcome
 * @param price decimal odds offered on it
 */
export const expectedValue = (fair: number, price: number) => fair * price - 1

/** A higher expected value than this is a wrong price, and is left out. */
export const highestValue = 0.25

/** One above this is rarely real, and earns a warning. */
export const suspiciousValue = 0.1

/** Whether an expected value is more than nothing, and small enough to believe. */
export const isValue = (ev: number) => ev >= leastGain && ev <= highestValue

/**
 * The part of a bankroll that makes it grow fastest, in [0, 1): EV over the net odds, and 0 where
 * the price has no value.
 * @param fair no-vig probability of the outcome
 * @param price decimal odds offered on it
 * Source: Kelly (1956), doi 10.1002/j.1538-7305.1956.tb03809.x
 */
export const kellyFraction = (fair: number, price: number) =>
  Math.max(0, expectedValue(fair, price) / (price - 1))

/** The decimal odds without margin: those at which a bet on this probability has an EV of 0. */
export const fairPrice = (probability: number) => 1 / probability
