/**
 * Prices of one market taken together: their booksum, how to share a stake so that every outcome
 * pays alike, and the warnings of an arbitrage. There are two or more outcomes; low hold uses the
 * same sums. Other files choose the best prices and check that no outcome is missing.
 *
 * Fractions throughout (a profit of 0.0963 is 9.63 %); only `shownShares` returns percent. Source: interface
 * supplement 5.7 and 5.9.
 */
import { isPossiblyStale, isVeryStale } from './confidence.ts'
import { leastGain } from './odds.ts'

/** A higher profit is due to a wrong price or a wrong match, and is left out. */
export const highestArbitrageProfit = 0.1

/**
 * The highest hold of prices taken together. A low hold or a middle above it is not listed, nor is
 * +EV against a reference market above it. Otherwise any two distant lines of a ladder would make a
 * middle.
 */
export const highestHold = 0.1

/** A higher profit in play is suspicious. */
const suspiciousLiveProfit = 0.05

/** An implied total below this earns a warning. */
const lowImpliedTotal = 0.95

/**
 * Returns the sum of the implied probabilities; 1 is fair, and below 1 the prices are an arbitrage.
 * @param prices decimal odds, one per outcome, each finite and > 1
 */
export function impliedTotal(prices: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < prices.length; i++) total += 1 / (prices[i] as number)
  return total
}

/** Returns the sportsbooks' share, as a fraction: implied total - 1. Negative for an arbitrage. */
export const hold = (prices: ArrayLike<number>) => impliedTotal(prices) - 1

/**
 * Returns the profit per unit staked, whatever the result; negative if the prices are no arbitrage.
 */
export const arbitrageProfit = (total: number) => 1 / total - 1

/** Returns whether a profit is above zero, and small enough to be real. */
export const isSureProfit = (profit: number) =>
  profit >= leastGain && profit <= highestArbitrageProfit

/**
 * Returns the part of a stake for each outcome so that all return the same. These are also the
 * no-vig probabilities by plain normalisation, which low hold shows.
 * @param prices decimal odds, one per outcome, each finite and > 1
 * @returns fractions in the order of `prices`, summing to 1
 */
export function stakeShares(prices: ArrayLike<number>): number[] {
  const total = impliedTotal(prices)
  const shares: number[] = []
  for (let i = 0; i < prices.length; i++) shares.push(1 / (prices[i] as number) / total)
  return shares
}

/**
 * Returns shares as they are shown: percent with two places that sum to exactly 100.00, each less than 0.01 from its
 * share. The hundredths that rounding down leaves go to the largest remainders; if equal, to the
 * first.
 * @param shares fractions from 0 to 1, summing to 1
 * @throws RangeError if they are not
 */
export function shownShares(shares: readonly number[]): number[] {
  const hundredths = shares.map((share) => Math.floor(share * whole))
  const left = hundredths.reduce((rest, each) => rest - each, whole)
  if (!(left >= 0 && left <= shares.length && shares.every((share) => share >= 0))) {
    throw new RangeError(`shares of one stake must sum to 1, got ${shares.join(' + ')}`)
  }
  const remainder = (at: number) => (shares[at] as number) * whole - (hundredths[at] as number)
  const byRemainder = shares.map((_, at) => at).sort((a, b) => remainder(b) - remainder(a))
  for (const at of byRemainder.slice(0, left)) hundredths[at] = (hundredths[at] as number) + 1
  return hundredths.map((each) => each / 100)
}

/** The whole stake, in hundredths of a percent. */
const whole = 10_000

export type ArbitrageWarning =
  | 'LIVE_GAME'
  | 'LIVE_HIGH_PROFIT_SUSPICIOUS'
  | 'LOW_IMPLIED_TOTAL'
  | 'POTENTIALLY_STALE_ODDS'
  | 'VERY_STALE_ODDS'

/**
 * Returns the warnings of an arbitrage, in the order of the interface.
 * @param about `oldestAgeMs` is the age of the oldest leg; null when no age is known
 */
export function arbitrageWarnings(about: {
  readonly isLive: boolean
  readonly profit: number
  readonly total: number
  readonly oldestAgeMs: number | null
}): ArbitrageWarning[] {
  const { isLive, profit, total, oldestAgeMs } = about
  const warnings: ArbitrageWarning[] = []
  if (isLive) warnings.push('LIVE_GAME')
  if (isLive && profit > suspiciousLiveProfit) warnings.push('LIVE_HIGH_PROFIT_SUSPICIOUS')
  if (total < lowImpliedTotal) warnings.push('LOW_IMPLIED_TOTAL')
  if (oldestAgeMs !== null) {
    if (isPossiblyStale(oldestAgeMs, isLive)) warnings.push('POTENTIALLY_STALE_ODDS')
    if (isVeryStale(oldestAgeMs, isLive)) warnings.push('VERY_STALE_ODDS')
  }
  return warnings
}
