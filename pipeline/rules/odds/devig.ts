/**
 * Devig: the probabilities of a market's outcomes without the sportsbook's margin. Five published
 * methods; the power method is the default.
 *
 * In every method, outcomes keep their order, a lower price has the higher probability, and the result does not
 * depend on the order in which the outcomes come. The caller decides whether the market is complete, fresh and narrow
 * enough for a reference.
 *
 * Below, r = 1 / price is a raw implied probability, B the sum of all r (the booksum), n the number of outcomes and p
 * the wanted probability.
 */

import type { DevigMethod } from '../../../schemas/fair-measure.ts'

export interface Devigged {
  /** No-vig probabilities, each in (0, 1), in the order of the prices, summing to 1 within 1e-11. */
  readonly probabilities: readonly number[]
  /** The power's exponent k, Shin's z or the odds ratio; null for a method without one. */
  readonly parameter: number | null
  /** Booksum - 1, a fraction; below 0 if bets on every outcome together would win. */
  readonly overround: number
}

/**
 * Returns the excess of a market's implied probabilities: booksum - 1, a fraction (0.048 for two outcomes at 1.909).
 * @param prices decimal odds, one per outcome, each finite and > 1
 */
export const overround = (prices: ArrayLike<number>) => booksumOf(prices) - 1

function booksumOf(prices: ArrayLike<number>): number {
  let booksum = 0
  for (let at = 0; at < prices.length; at++) booksum += 1 / (prices[at] as number)
  return booksum
}

/**
 * Returns the no-vig probabilities of one market at one sportsbook.
 *
 * | method | p | for a booksum below 1 |
 * |---|---|---|
 * | `power` | r^k | the same, k < 1 |
 * | `multiplicative` | r / B | the same |
 * | `additive` | r - (B - 1) / n | the same |
 * | `shin` | see `devigByShin` | `multiplicative`, with z = 0 |
 * | `odds_ratio` | r / (r + c (1 - r)) | the same, c < 1 |
 *
 * @param prices decimal odds of every outcome, two or more, in any order
 * @returns null for fewer than two prices, for a price that is not finite or not above 1, and if
 *   the method puts an outcome outside (0, 1): `additive` does so with long shots, the others only
 *   if a probability is closer to 0 or 1 than a double can express
 *
 * Sources: Clarke, Kovalchik and Ingram (2017), "Adjusting bookmaker's odds to allow for
 * overround", doi 10.11648/j.ajss.20170506.12 (power, multiplicative, additive); Shin as named
 * there; Cheung (2015), "Fixed-odds betting and traditional odds" (odds ratio).
 */
export function devig(prices: ArrayLike<number>, method: DevigMethod = 'power'): Devigged | null {
  const outcomeCount = prices.length
  if (outcomeCount < 2) return null
  for (let at = 0; at < outcomeCount; at++) {
    const price = prices[at] as number
    if (!(price > 1 && price < Number.POSITIVE_INFINITY)) return null
  }
  const devigged = formulas[method](prices)
  const { probabilities } = devigged
  for (let at = 0; at < outcomeCount; at++) {
    const probability = probabilities[at] as number
    if (!(probability > 0 && probability < 1)) return null
  }
  return devigged
}

/** The formula of each method. It takes two or more valid prices, and may return a number outside (0, 1). */
const formulas: Record<DevigMethod, (prices: ArrayLike<number>) => Devigged> = {
  power: devigByPower,
  multiplicative: devigByMultiplying,
  additive: devigByAdding,
  shin: devigByShin,
  odds_ratio: devigByOddsRatio,
}

/**
 * p = r^k. With a = ln(price), r^k = exp(-k a), so the sum falls from n at k = 0 to 0 and is
 * convex. There is always exactly one root, and Newton's steps from its left reach it without
 * passing it. A step from its right lands on its left; only with an absurdly low booksum does it
 * land below 0, too far away.
 *
 * This runs for every change of a reference price, so there is only one array: it holds the
 * logarithms until the probabilities replace them.
 */
function devigByPower(prices: ArrayLike<number>): Devigged {
  const outcomeCount = prices.length
  const numbers = new Array<number>(outcomeCount)
  let booksum = 0
  let slope = 0
  for (let at = 0; at < outcomeCount; at++) {
    const price = prices[at] as number
    const logarithm = Math.log(price)
    numbers[at] = logarithm
    booksum += 1 / price
    slope += logarithm / price
  }
  let exponent = 1
  let excess = booksum - 1
  let stepsLeft = newtonSteps
  for (;;) {
    const step = excess / slope
    exponent += step
    if (Math.abs(step) <= closeStep * exponent) break
    if (!(exponent > 0) || stepsLeft-- === 0) {
      exponent = findParameter(prices, (price, k) => price ** -k)
      break
    }
    excess = -1
    slope = 0
    for (let at = 0; at < outcomeCount; at++) {
      const logarithm = numbers[at] as number
      const probability = Math.exp(-exponent * logarithm)
      excess += probability
      slope += logarithm * probability
    }
  }
  for (let at = 0; at < outcomeCount; at++) {
    numbers[at] = Math.exp(-exponent * (numbers[at] as number))
  }
  return { probabilities: numbers, parameter: exponent, overround: booksum - 1 }
}

/**
 * The most Newton steps. Usual markets take three or four. If more are needed, a price is close to
 * 1, and the interval is halved instead.
 */
const newtonSteps = 12

/**
 * Newton squares the error: after a step this small (relative to k), the error is about 1e-12 k,
 * and the sum of a hundred outcomes is exact to 1e-11.
 */
const closeStep = 1e-6

/** Devigs by p = r / B: every outcome bears the margin in proportion. */
function devigByMultiplying(prices: ArrayLike<number>): Devigged {
  const booksum = booksumOf(prices)
  const probabilities = new Array<number>(prices.length)
  for (let at = 0; at < prices.length; at++) {
    probabilities[at] = 1 / (prices[at] as number) / booksum
  }
  return { probabilities, parameter: null, overround: booksum - 1 }
}

/**
 * Devigs by p = r - (B - 1) / n: every outcome bears the same share, which may be more than a long
 * shot has.
 */
function devigByAdding(prices: ArrayLike<number>): Devigged {
  const margin = overround(prices)
  const share = margin / prices.length
  const probabilities = new Array<number>(prices.length)
  for (let at = 0; at < prices.length; at++) {
    probabilities[at] = 1 / (prices[at] as number) - share
  }
  return { probabilities, parameter: null, overround: margin }
}

/**
 * Shin's model: a share z of the money, in [0, 1), knows the result, and the sportsbook prices
 * against it: p = (sqrt(z² + 4 (1 - z) r² / B) - z) / (2 (1 - z)). The sum falls from the root of B
 * at z = 0 to below 1 at z = 1, so there is exactly one z. With two outcomes it equals the additive
 * method.
 *
 * Without a margin, z is 0 and p = r. If the booksum is below 1, z would be negative, which has no
 * meaning: then z is 0 and the outcomes are scaled as by `multiplicative`.
 *
 * Sources: Shin (1992), doi 10.2307/2234526, and (1993), doi 10.2307/2234240; Jullien and Salanié
 * (1994), doi 10.2307/2235458, for z; Štrumbelj (2014), doi 10.1016/j.ijforecast.2014.02.008, for
 * its use on betting odds.
 */
function devigByShin(prices: ArrayLike<number>): Devigged {
  const booksum = booksumOf(prices)
  if (booksum <= 1) return { ...devigByMultiplying(prices), parameter: 0 }
  // p solves (1 - z) p² + z p = r² / B; in this form, no digits of a long shot are lost.
  const probability = (price: number, z: number) => {
    const square = 1 / (price * price * booksum)
    return (2 * square) / (z + Math.sqrt(z * z + 4 * (1 - z) * square))
  }
  const z = findParameter(prices, probability)
  return { ...probabilitiesAt(prices, probability, z), overround: booksum - 1 }
}

/**
 * The odds r / (1 - r) are c times those of p, c the same for every outcome:
 * p = r / (r + c (1 - r)), which is 1 / (1 + c (price - 1)).
 */
function devigByOddsRatio(prices: ArrayLike<number>): Devigged {
  const probability = (price: number, ratio: number) => 1 / (1 + ratio * (price - 1))
  const ratio = findParameter(prices, probability)
  return { ...probabilitiesAt(prices, probability, ratio), overround: overround(prices) }
}

/** Returns the probability of a price under a method's parameter; it falls as the parameter rises. */
type Formula = (price: number, parameter: number) => number

/**
 * Finds the parameter > 0 at which the probabilities sum to 1, by halving, to the last digits of a double.
 * @param formula its probabilities must sum to more than 1 near 0, and to less than 1 far from it
 */
function findParameter(prices: ArrayLike<number>, formula: Formula): number {
  const isLow = (parameter: number) => {
    let sum = 0
    for (let at = 0; at < prices.length; at++) sum += formula(prices[at] as number, parameter)
    return sum >= 1
  }
  let low = 1
  let high = 1
  if (isLow(1)) {
    while (isLow(high)) {
      low = high
      high *= 2
    }
  } else {
    while (low > 0 && !isLow(low)) {
      high = low
      low /= 2
    }
  }
  for (;;) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) return middle
    if (isLow(middle)) low = middle
    else high = middle
  }
}

function probabilitiesAt(prices: ArrayLike<number>, formula: Formula, parameter: number) {
  const probabilities = new Array<number>(prices.length)
  for (let at = 0; at < prices.length; at++) {
    probabilities[at] = formula(prices[at] as number, parameter)
  }
  return { probabilities, parameter }
}
