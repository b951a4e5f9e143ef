/** What to stake on each leg so that all pay alike, rounded as a bettor would round. */

export interface Staked {
  readonly stakes: readonly number[]
  readonly total: number
  /** What is left after the stakes when each leg wins. */
  readonly profits: readonly number[]
  /** The least of them. */
  readonly worst: number
}

/**
 * @param prices decimal odds, each above 1
 * @param total what is staked in all, before rounding
 * @param step stakes are rounded to multiples of it
 */
export function splitStake(prices: readonly number[], total: number, step: number): Staked {
  const booksum = prices.reduce((sum, price) => sum + 1 / price, 0)
  const stakes = prices.map((price) => rounded(total / price / booksum, step))
  const staked = tidy(stakes.reduce((sum, stake) => sum + stake, 0))
  const profits = stakes.map((stake, i) => tidy(stake * prices[i]! - staked))
  return { stakes, total: staked, profits, worst: Math.min(...profits) }
}

/**
 * Kelly's share of the bankroll: (p × price - 1) / (price - 1), never below 0.
 * @param fair no-vig probability of the bet
 * @param part of full Kelly, as in 0.25
 */
export function kellyStake(fair: number, price: number, bankroll: number, part: number): number {
  return Math.max(0, ((fair * price - 1) / (price - 1)) * bankroll * part)
}

const rounded = (value: number, step: number) => tidy(Math.round(value / step) * step)

/** Without the dust of binary fractions. */
const tidy = (value: number) => Math.round(value * 100) / 100
