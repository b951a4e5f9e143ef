/**
 * A middle: two bets at different lines that both win when the result falls between the lines, or of
 * which one wins and the other is refunded when the result is a line. Here is what it costs and pays
 * and what to say of it. How likely the results between are is in results.ts; which prices are paired
 * is decided elsewhere.
 *
 * Both kinds have one form, an interval of results, see two-lines.ts. A total: over `low` and under
 * `high`. A margin, counted as the home side's: home at line a wins above -a, away at line b wins
 * below b, so `low` is -a and `high` is b.
 *
 * Fractions of the total stake throughout (0.32 is 32 per 100 staked); percent exists in JSON only.
 * Source: interface supplement 5.8.
 */
import { arbitrageProfit, impliedTotal, stakeShares } from './arbitrage.ts'
import { type JointOutcome, returned } from './two-lines.ts'

/** Results between two lines, their ends included, that settle both bets alike, and their chance. */
export interface MiddleOutcome extends JointOutcome {
  readonly probability: number
}

export interface MiddleFigures {
  /** The parts of the stake on the two bets, summing to 1. */
  readonly shares: readonly [number, number]
  /**
   * Profit when exactly one bet wins, which the shares make the same for both; negative is a loss.
   * Nothing is worse when the lines are half a point or more apart: where a bet is refunded, whole
   * or half, the other wins, and the refund comes on top.
   */
  readonly worst: number
  /** Profit when both win; where no result does that, at the result that pays the most. */
  readonly best: number
  /** Mean profit over all results, refunds among them. */
  readonly expectedValue: number
  /** The probability of the best at which it makes up for the worst; below 0 when that is a profit. */
  readonly breakEven: number
  /** Sum of the two implied probabilities; 1 is fair. */
  readonly impliedTotal: number
}

/**
 * What a middle pays when its stakes are shared for an equal return.
 * @param price1 decimal odds of the bet on more, finite and > 1
 * @param price2 the same of the bet on less
 * @param between the results at which not just one bet wins; at all others the profit is the worst
 * @param trust the part of their chances that is believed, see `trustInModel`
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

/** The profit of two bets where a result settles them so. @param share1 on the bet on more */
export const profitAt = (
  { over, under }: JointOutcome,
  share1: number,
  price1: number,
  price2: number,
) => share1 * returned(price1, over) + (1 - share1) * returned(price2, under) - 1

/**
 * How much of a middle's chances is believed, given the prices. No-vig prices say how likely each bet
 * wins where it is not refunded; of two bets of which one at least wins or is refunded, that says how
 * likely both win. Where the lines are alternates, priced far from even, the prices know that better
 * than a model that sees the lines alone, and it may not claim more. Where both are near even, two
 * sportsbooks disagree about the line itself; there the sum says nothing and the model stands.
 * @param fair1 no-vig probability of the bet on more at its own sportsbook
 * @param fair2 the same of the bet on less
 * @returns 0 to 1, by which all chances between the lines are multiplied
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
 * The sum of both no-vig probabilities above 1 that these chances ask for. A bet wins with the
 * probability fair x (1 - refunded), and both of these less 1 is how much more is won than one bet.
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
 * Whether the chances are well above what the two prices imply together: either the sportsbooks
 * disagree about the line, and there is something in it, or the model is wrong about the game.
 */
export const exceedsPrices = (
  between: readonly MiddleOutcome[],
  trust: number,
  fair1: number,
  fair2: number,
) => trust * claimOf(between, fair1, fair2) > Math.max(0, fair1 + fair2 - 1) + 0.05

/** A main line's sides lie in this range. */
const isNearEven = (probability: number) => probability >= 0.45 && probability <= 0.55

/**
 * All ways in which the two bets can go, ascending by result, their chances summing to 1. What is not
 * between the lines is divided between below and above as the prices say how often each bet loses.
 */
export function allOutcomes(
  between: readonly MiddleOutcome[],
  trust: number,
  [fair1, fair2]: readonly [number, number],
): MiddleOutcome[] {
  const believed = between.map((of) => ({ ...of, probability: trust * of.probability }))
  const outside = believed.reduce((left, { probability }) => left - probability, 1)
  const below = (outside * (1 - fair1)) / (2 - fair1 - fair2)
  return [
    {
      from: Number.NEGATIVE_INFINITY,
      to: between[0]!.from - 1,
      over: -1,
      under: 1,
      probability: below,
    },
    ...believed,
    {
      from: between.at(-1)!.to + 1,
      to: Number.POSITIVE_INFINITY,
      over: 1,
      under: -1,
      probability: outside - below,
    },
  ]
}

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

/** The warnings of a middle, in the order of the interface. */
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
