/** How kinds are explained that take one price of every answer: arbitrage and low hold. */

import { arbitrageProfit, impliedTotal, stakeShares } from '../../pipeline/rules/arbitrage.ts'
import type { MarketToDevig, Priced } from './kind.ts'

const pricesOf = ({ legs }: Priced) => legs.map(({ price }) => price)

export function resultOfPrices(item: Priced) {
  const prices = pricesOf(item)
  const total = impliedTotal(prices)
  return { total, profit: arbitrageProfit(total), hold: total - 1, shares: stakeShares(prices) }
}

/** Their prices together are one market. */
export const combinedMarket = ({ legs }: Priced): readonly MarketToDevig[] => [
  { sportsbook: null, quotes: legs, answer: -1, price: null },
]

/**
 * The price of a leg at which the implied probabilities of all legs sum to `most`; null where there is
 * no such price.
 */
export function leastPriceWithin(item: Priced, leg: number, most: number): number | null {
  const others = impliedTotal(pricesOf(item).filter((_, i) => i !== leg))
  return others < most ? 1 / (most - others) : null
}
