/**
 * A middle: two bets at different lines. If the result falls between the lines, both win; if it is
 * a line, one wins and the other is refunded. This file has its cost, profits and warnings;
 * results.ts has the chances of the results between. Other files pair the prices.
 *
 * Both kinds have the same form, an interval of results (two-lines.ts). A total: over `low` and
 * under `high`. A margin is the home side's: home at line a wins above -a, away at line b wins
 * below b, so `low` is -a and `high` is b.
 *
 * Fractions of the total stake throughout (0.32 is 32 per 100 staked); percent exists in JSON only. Source: interface
 * supplement 5.8.
 */
import { arbitrageProfit, impliedTotal, stakeShares } from './arbitrage.ts'
import { type JointOutcome, returned } from './two-lines.ts'

/** Results between two lines (inclusive) that settle both bets alike, and their chance. */
export interface MiddleOutcome extends JointOutcome {
  readonly probability: number
}

/** The possible results, grouped by how they settle the bets, ascending. */
export interface MiddleOutcomes {
  /** Results that do not make exactly one bet win. */
  readonly between: readonly MiddleOutcome[]
  /** Results at which one bet wins and the other loses. */
  readonly outside: readonly JointOutcome[]
}

export interface MiddleFigures {
  /** The parts of the stake on the two bets, summing to 1. */
  readonly shares: readonly [number, number]
  /**
   * Profit if exactly one bet wins, which is the same for both because of the shares; negative is a
   * loss. If the lines are at least half a point apart, no result is worse: if a bet is refunded in
   * whole or half, the other wins.
   */
  readonly worst: number
  /** Profit if both win; if no result does that, the profit of the result that pays the most. */
  readonly best: number
  /** Mean profit over all results, including refunds. */
  readonly expectedValue: number
  /** The probability of `best` at which it offsets `worst`; below 0 if `worst` is a profit. */
  readonly breakEven: number
  /** Sum of the two implied probabilities; 1 is fair. */
  readonly impliedTotal: number
}

/**
 * Returns the figures of a middle whose stakes are shared for an equal return.
 * @param price1 decimal odds of the bet on more, finite and > 1
 * @param price2 the same of the bet on less
 * @param between the results at which both bets win, or one is refunded in whole or half; at all
 * others the profit is `worst`
 * @param trust the factor for their chances, see `trustInModel`
 */
export function middleFigures(
  price1: number,
  price2: number,
  between: readonly MiddleOutcome[],
  trust: number,
): MiddleFigures {
  const prices = [price1, price2] as const
  const total = impliedTotal(prices)
  const [share1 = 0, share2 = 0] = stakeShares(prices)
  // Either bet alone returns 1 / total of the stake, both together twice that.
  const worst = arbitrageProfit(total)
  let best = worst
  let gain = 0
  for (const outcome of between) {
    const profit = profitAt(outcome, share1, price1, price2)
    if (profit > best) best = profit
    gain += outcome.probability * (profit - worst)
  }
  return {
    shares: [share1, share2],
    worst,
    best,
    expectedValue: worst + trust * gain,
    breakEven: -worst / (best - worst),
    impliedTotal: total,
  }
}

/**
 * Returns the profit of two bets that are settled in this way. @param share1 the share of the bet
 * on more
 */
export const profitAt = (
  { over, under }: JointOutcome,
  share1: number,
  price1: number,
  price2: number,
) => share1 * returned(price1, over) + (1 - share1) * returned(price2, under) - 1

/**
 * Returns how much of a middle's chances to believe, given the prices. A no-vig price is the chance
 * of a bet if it is not refunded. Since at least one of the two bets wins or is refunded, the
 * prices imply the chance that both win. For alternate lines, far from even, that is better than a
 * model that only knows the lines, so the model may not exceed it. If both prices are near even,
 * the two sportsbooks disagree about the line itself. Then the sum implies nothing, and the model
 * is used unchanged.
 * @param fair1 no-vig probability of the bet on more at its own sportsbook
 * @param fair2 the same of the bet on less
 * @returns 0 to 1, a factor for all chances between the lines
 */
export function trustInModel(
  between: readonly MiddleOutcome[],
  fair1: number,
  fair2: number,
): number {
  if (isNearEven(fair1) && isNearEven(fair2)) return 1
  const claimed = claimOf(between, fair1, fair2)
  const priced = Math.max(0, fair1 + fair2 - 1)
  return claimed <= priced ? 1 : priced / claimed
}

/**
 * Returns by how much the two no-vig probabilities would exceed 1 under these chances. A bet wins
 * with the probability fair x (1 - refunded); the sum of both minus 1 is the excess over one won
 * bet.
 */
function claimOf(between: readonly MiddleOutcome[], fair1: number, fair2: number): number {
  let claimed = 0
  for (const { over, under, probability } of between) {
    const won = Math.max(0, over) + Math.max(0, under) - 1
    claimed += probability * (won + fair1 * (1 - Math.abs(over)) + fair2 * (1 - Math.abs(under)))
  }
  return claimed
}

/**
 * Returns whether the chances are well above those that the two prices imply. Either the
 * sportsbooks disagree about the line and the middle is good, or the model is wrong about the game.
 */
export const exceedsPrices = (
  between: readonly MiddleOutcome[],
  trust: number,
  fair1: number,
  fair2: number,
) => trust * claimOf(between, fair1, fair2) > Math.max(0, fair1 + fair2 - 1) + 0.05

/** Returns whether a probability is in the range of a main line's sides. */
const isNearEven = (probability: number) => probability >= 0.45 && probability <= 0.55

/**
 * Returns how the two bets are settled by all results, ascending, with chances that sum to 1. The
 * chance outside the lines is divided between below and above by the chance of each bet to lose,
 * according to the prices.
 */
export function allOutcomes(
  { between, outside }: MiddleOutcomes,
  trust: number,
  [fair1, fair2]: readonly [number, number],
): MiddleOutcome[] {
  const believed = between.map((of) => ({ ...of, probability: trust * of.probability }))
  const rest = believed.reduce((left, { probability }) => left - probability, 1)
  const lossOf = ({ over }: JointOutcome) => 1 - (over < 0 ? fair1 : fair2)
  const losses = outside.reduce((sum, of) => sum + lossOf(of), 0)
  return [
    ...believed,
    ...outside.map((of) => ({ ...of, probability: (rest * lossOf(of)) / losses })),
  ].sort((a, b) => a.from - b.from)
}

/** The traits of a middle that its score and its warnings use. */
export interface MiddleTraits {
  readonly probability: number
  readonly expectedValue: number
  /** Points from one line to the other. */
  readonly size: number
  /** Age of the older side; null if no age is known. */
  readonly oldestAgeMs: number | null
}

/**
 * Returns a score for the ranking of middles: up to 40 for the probability (full at 25 %), 30 for
 * the expected value (from -5 % to 15 %), 15 for the gap (full at five points), 15 for fresh
 * prices.
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

/** Returns 1 up to 5 s, falling in a straight line to 0 at 60 s. An unknown age is not fresh. */
const freshness = (ageMs: number | null) =>
  ageMs === null ? 0 : within01((60_000 - ageMs) / 55_000)

/** The values above which a middle gets a warning. */
const highProbability = 0.15
const largeGap = 3
const staleMiddleMs = 30_000

export type MiddleWarning =
  | 'HIGH_PROBABILITY'
  | 'LARGE_GAP'
  | 'STALE_ODDS'
  | 'LIVE_GAME'
  | 'GUARANTEED_PROFIT'

/** Returns the warnings of a middle, in the order of the interface. */
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

/**
 * Returns whether a middle loses nothing even if only one bet wins. A loss of less than half a
 * hundredth of a percent is shown as 0 and does not count.
 */
export const isGuaranteed = (worst: number) => Math.round(100 * worst * 100) >= 0
