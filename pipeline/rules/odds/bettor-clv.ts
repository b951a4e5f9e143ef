/**
 * A bettor's own closing line value: the value of a price by the sharp book's no-vig close.
 *
 *     value of a bet = no-vig probability at the close x decimal odds at entry - 1
 *
 * It is the average profit of a stake of 1, if the close is right. Values are fractions.
 */

import { clusteredMean } from './closing-line-value.ts'

/** @param noVigClose probability, 0 to 1; @param price decimal odds at which the bet was made */
export const bettorClv = (noVigClose: number, price: number) => noVigClose * price - 1

/** A bet with its value. */
export interface ValuedBet {
  readonly eventId: string
  readonly stake: number
  readonly clv: number
}

/** A mean with its 95 % confidence interval; the interval is null if unknown. */
export interface MeanRange {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
}

/**
 * Returns the profit of settled bets divided by their stakes; `clv` of each is the profit of a
 * stake of 1. Unless there are both wins and losses, there is no interval: wins alone do not show
 * how often bets are lost.
 * @returns null for no bets
 */
export function meanYield(bets: readonly ValuedBet[]): MeanRange | null {
  const found = meanClv(bets, ({ stake }) => stake)
  const hasBoth = bets.some(({ clv }) => clv > 0) && bets.some(({ clv }) => clv < 0)
  return found && !hasBoth ? { mean: found.mean, low: null, high: null } : found
}

/**
 * Returns the mean value of bets, each weighted. Bets on one event win and lose together, so the
 * interval is over events: `clusteredMean`, with weights instead of counts.
 * @returns null for no bets, or only bets without weight
 */
export function meanClv(
  bets: readonly ValuedBet[],
  weightOf: (bet: ValuedBet) => number,
): MeanRange | null {
  const byEvent = new Map<string, { weight: number; sum: number }>()
  for (const bet of bets) {
    const weight = weightOf(bet)
    const before = byEvent.get(bet.eventId) ?? { weight: 0, sum: 0 }
    before.weight += weight
    before.sum += weight * bet.clv
    byEvent.set(bet.eventId, before)
  }
  const sums = { samples: 0, total: 0, squares: 0, products: 0, sizes: 0 }
  for (const { weight, sum } of byEvent.values()) {
    sums.samples += weight
    sums.total += sum
    sums.squares += sum * sum
    sums.products += sum * weight
    sums.sizes += weight * weight
  }
  const found = clusteredMean({ events: byEvent.size, ...sums })
  if (!found) return null
  const { mean, margin } = found
  return margin === null
    ? { mean, low: null, high: null }
    : { mean, low: mean - margin, high: mean + margin }
}
