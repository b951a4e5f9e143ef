/**
 * Two bets on one result at two lines: over `low` and under `high`. A margin is the home side's:
 * home at line a is over -a, away at line b is under b. This file says how each result settles the
 * bets, and how to share a stake so that the worst result pays the most.
 *
 * All figures are fractions of the stake.
 */

import { arbitrageProfit } from './arbitrage.ts'
import type { CanBe } from './possible-results.ts'

/** The widest gap of two lines; a wider one is a feed's error and gives no results. */
export const widestGap = 200

/**
 * The settlement of a bet: 1 won, 0 refunded, -1 lost; for a quarter line, which is two half bets at the lines 0.25
 * below and above it, also 0.5 and -0.5.
 */
export type Settled = -1 | -0.5 | 0 | 0.5 | 1

/** Settles a bet on more than `line`; a bet on less has the opposite sign. */
export function settled(line: number, result: number): Settled {
  const gap = result - line
  return (
    Math.abs(line % 0.5) === 0.25
      ? (Math.sign(gap + 0.25) + Math.sign(gap - 0.25)) / 2
      : Math.sign(gap)
  ) as Settled
}

/** Returns the return of a stake of 1. */
export const returned = (price: number, bet: Settled) => (bet > 0 ? 1 + bet * (price - 1) : 1 + bet)

/**
 * Adjacent results that settle both bets alike. Both ends are possible; a result between them may
 * not be, such as 0.
 */
export interface JointOutcome {
  /** The lowest result; -Infinity if there is no lower limit. */
  readonly from: number
  /** The highest result; Infinity if there is no upper limit. */
  readonly to: number
  /** The settlement of the bet on more. */
  readonly over: Settled
  /** The settlement of the bet on less. */
  readonly under: Settled
}

/**
 * Returns whether one bet wins and the other loses, which is so at all results outside the lines.
 */
export const isWonByOne = ({ over, under }: JointOutcome) => over * under === -1

/**
 * Returns how two bets are settled by every possible result, ascending.
 * @param canBe from `possibleResults`
 * @returns empty if the lines are further apart than any two of one question
 */
export function jointOutcomes(low: number, high: number, canBe: CanBe): readonly JointOutcome[] {
  if (!(Math.abs(high - low) <= widestGap)) return []
  // All results outside these are alike. Two on each side, because the nearer one may be
  // impossible.
  const first = Math.ceil(Math.min(low, high) - 0.25) - 2
  const last = Math.floor(Math.max(low, high) + 0.25) + 2
  const outcomes: { from: number; to: number; over: Settled; under: Settled }[] = []
  for (let result = first; result <= last; result++) {
    if (!canBe(result)) continue
    const over = settled(low, result)
    const under = (0 - settled(high, result)) as Settled
    const before = outcomes.at(-1)
    if (before && before.over === over && before.under === under) before.to = result
    else outcomes.push({ from: result, to: result, over, under })
  }
  const [below] = outcomes
  const above = outcomes.at(-1)
  // If the lines of a total are near zero, there is no result below them.
  if (below && isWonByOne(below) && below.over < 0) below.from = Number.NEGATIVE_INFINITY
  if (above) above.to = Number.POSITIVE_INFINITY
  return outcomes
}

/** The shares of a stake on two bets, and the least profit that they give. */
export interface SafestStakes {
  /** The shares of the bets on more and on less, summing to 1. */
  readonly shares: readonly [over: number, under: number]
  /** Profit at the worst result; negative is a loss. */
  readonly worst: number
}

/**
 * Returns the shares whose worst result pays the most: exact. The profit of a result is linear in
 * the share. So the best worst case is at an end, or where the profits of two results are equal.
 * @param priceOver decimal odds, finite and > 1
 * @param priceUnder the same of the bet on less
 */
export function safestStakes(
  outcomes: readonly JointOutcome[],
  priceOver: number,
  priceUnder: number,
): SafestStakes {
  // With this share, either bet alone returns the same. If the lines are at least half a point
  // apart, no result is worse than that.
  let share = priceUnder / (priceOver + priceUnder)
  const alone = arbitrageProfit(1 / priceOver + 1 / priceUnder)
  let worst = worstAt(outcomes, priceOver, priceUnder, share)
  const [below] = outcomes
  if (!below || (isWonByOne(below) && worst >= alone - rounding)) {
    return { shares: [share, 1 - share], worst: alone }
  }
  for (let i = 0; i < outcomes.length; i++) {
    for (let j = i + 1; j < outcomes.length; j++) {
      const crossing = equalShare(outcomes[i]!, outcomes[j]!, priceOver, priceUnder)
      if (!(crossing >= 0 && crossing <= 1)) continue
      const profit = worstAt(outcomes, priceOver, priceUnder, crossing)
      if (profit <= worst + rounding) continue
      worst = profit
      share = crossing
    }
  }
  return { shares: [share, 1 - share], worst }
}

/** The least difference that counts. */
const rounding = 1e-12

/** Returns the least profit of all outcomes when this share is on the bet on more. */
function worstAt(
  outcomes: readonly JointOutcome[],
  priceOver: number,
  priceUnder: number,
  share: number,
): number {
  let worst = Number.POSITIVE_INFINITY
  for (const { over, under } of outcomes) {
    const profit = share * returned(priceOver, over) + (1 - share) * returned(priceUnder, under) - 1
    if (profit < worst) worst = profit
  }
  return worst
}

/** Returns the share at which two outcomes pay alike; not finite if all shares do, or none does. */
function equalShare(a: JointOutcome, b: JointOutcome, priceOver: number, priceUnder: number) {
  const slopeOf = ({ over, under }: JointOutcome) =>
    returned(priceOver, over) - returned(priceUnder, under)
  return (returned(priceUnder, b.under) - returned(priceUnder, a.under)) / (slopeOf(a) - slopeOf(b))
}
