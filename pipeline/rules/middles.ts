/**
 * A middle: two bets at different lines that both win when the result falls between the lines.
 * Here is what it costs and pays and what to say of it. How likely the results between are is in
 * results.ts; which prices are paired is decided elsewhere.
 *
 * Both kinds have one form, an open interval of results. A total: over `low` and under `high`. A
 * margin, counted as the home side's: home at line a wins above -a, away at line b wins below b,
 * so `low` is -a and `high` is b.
 *
 * Fractions of the total stake throughout (0.32 is 32 per 100 staked); percent exists in JSON only.
 * Source: interface supplement 5.8.
 */
import { arbitrageProfit, impliedTotal, stakeShares } from './arbitrage.ts'

/** Lines further apart than this are a slip of a feed; nothing is between them. */
export const widestMiddle = 200

/**
 * The whole results at which both bets win in full, ascending.
 * A result equal to a line is a push and not among them. A quarter line is two half bets, at the
 * lines 0.25 below and above it, so both of these have to win: over 2.75 wins in full from 4 on.
 * @param low the bet on more wins above it
 * @param high the bet on less wins below it
 */
export function middleNumbers(low: number, high: number): number[] {
  if (!(high - low <= widestMiddle)) return []
  const numbers: number[] = []
  const from = Math.floor(isQuarter(low) ? low + 0.25 : low) + 1
  const to = isQuarter(high) ? high - 0.25 : high
  for (let result = from; result < to; result++) numbers.push(result)
  return numbers
}

/** Whether a line ends in .25 or .75. */
const isQuarter = (line: number) => Math.abs(line % 0.5) === 0.25

export interface MiddleFigures {
  /** The parts of the stake on the two bets, summing to 1. */
  readonly shares: readonly [number, number]
  /**
   * Profit when exactly one bet wins, which the shares make the same for both; negative is a loss.
   * Nothing is worse when the lines are half a point or more apart: where a bet is refunded, whole
   * or half, the other wins, and the refund comes on top.
   */
  readonly worst: number
  /** Profit when both win. */
  readonly best: number
  /** Mean profit, every result outside the middle counted as the worst. */
  readonly expectedValue: number
  /** The probability at which `expectedValue` is 0; below 0 when the worst is already a profit. */
  readonly breakEven: number
  /** Sum of the two implied probabilities; 1 is fair. */
  readonly impliedTotal: number
}

/**
 * What a middle pays when its stakes are shared for an equal return.
 * @param price1 decimal odds, finite and > 1
 * @param price2 the same of the other bet
 * @param probability that both bets win, 0 to 1
 */
export function middleFigures(price1: number, price2: number, probability: number): MiddleFigures {
  const prices = [price1, price2] as const
  const total = impliedTotal(prices)
  const [share1 = 0, share2 = 0] = stakeShares(prices)
  // Either bet alone returns 1 / total of the stake, both together twice that.
  const worst = arbitrageProfit(total)
  const best = 2 / total - 1
  return {
    shares: [share1, share2],
    worst,
    best,
    expectedValue: probability * best + (1 - probability) * worst,
    breakEven: -worst / (best - worst),
    impliedTotal: total,
  }
}

/**
 * How likely a middle is, given the model's word and the prices. Of two bets of which one at least
 * wins, both win with the probability p1 + p2 - 1: where the lines are alternates, priced far from
 * even, the prices know that better than a model that sees the lines alone, and it may not claim more.
 * Where both are near even, two sportsbooks disagree about the line itself; there the sum says
 * nothing and the model stands.
 * @param model the probability by the model of results
 * @param fair1 no-vig probability of one side at its own sportsbook
 * @param fair2 the same of the other
 */
export function believedProbability(model: number, fair1: number, fair2: number): number {
  if (isNearEven(fair1) && isNearEven(fair2)) return model
  return Math.min(model, Math.max(0, fair1 + fair2 - 1))
}

/**
 * Whether a probability is well above what the two prices imply together: either the sportsbooks
 * disagree about the line, and there is something in it, or the model is wrong about the game.
 */
export const exceedsPrices = (probability: number, fair1: number, fair2: number) =>
  probability > Math.max(0, fair1 + fair2 - 1) + 0.05

/** A main line's sides lie in this range. */
const isNearEven = (probability: number) => probability >= 0.45 && probability <= 0.55

/** A middle as its score and its warnings see it. */
export interface MiddleTraits {
  readonly probability: number
  readonly expectedValue: number
  /** Points from line to line. */
  readonly size: number
  /** Age of the older side; null when no age is known. */
  readonly oldestAgeMs: number | null
}

/**
 * One number to rank middles by: 40 for a probability of 25 % and more, 30 for an expected value
 * from -5 % to 15 %, 15 for a gap of five points and more, 15 for fresh prices.
 * @returns 0 to 100, not rounded
 */
export function qualityScore({
  probability,
  expectedValue,
  size,
  oldestAgeMs,
}: MiddleTraits): number {
  return (
    40 * within01(probability / 0.25) +
    30 * within01((expectedValue + 0.05) / 0.2) +
    15 * within01(size / 5) +
    15 * freshness(oldestAgeMs)
  )
}

const within01 = (value: number) => Math.min(Math.max(value, 0), 1)

/** 1 up to 5 s, falling in a straight line to 0 at 60 s. An unknown age is not fresh. */
const freshness = (ageMs: number | null) =>
  ageMs === null ? 0 : within01((60_000 - ageMs) / 55_000)

/** Above these a middle is called out. */
export const highProbability = 0.15
export const largeGap = 3
export const staleMiddleMs = 30_000

export type MiddleWarning =
  | 'HIGH_PROBABILITY'
  | 'LARGE_GAP'
  | 'STALE_ODDS'
  | 'LIVE_GAME'
  | 'GUARANTEED_PROFIT'

/** What to tell whoever sees a middle, in the order of the interface. */
export function middleWarnings(about: {
  readonly probability: number
  readonly size: number
  readonly oldestAgeMs: number | null
  readonly isLive: boolean
  readonly worst: number
}): MiddleWarning[] {
  const warnings: MiddleWarning[] = []
  if (about.probability > highProbability) warnings.push('HIGH_PROBABILITY')
  if (about.size > largeGap) warnings.push('LARGE_GAP')
  if (about.oldestAgeMs !== null && about.oldestAgeMs > staleMiddleMs) warnings.push('STALE_ODDS')
  if (about.isLive) warnings.push('LIVE_GAME')
  if (isGuaranteed(about.worst)) warnings.push('GUARANTEED_PROFIT')
  return warnings
}

/** Whether a middle loses nothing even when only one bet wins. */
export const isGuaranteed = (worst: number) => worst >= 0
