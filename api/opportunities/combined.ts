/** Explanation of kinds that take one price of each outcome: arbitrage and low hold. */

import { arbitrageProfit, impliedTotal, stakeShares } from '../../pipeline/rules/odds/arbitrage.ts'
import type { Priced } from '../../pipeline/views/opportunities/priced.ts'
import type { MarketToDevig } from './kind.ts'

export function resultOfPrices({ nets }: Priced) {
  const total = impliedTotal(nets)
  return { total, profit: arbitrageProfit(total), hold: total - 1, shares: stakeShares(nets) }
}

/** Returns the legs' prices as one market. */
export const combinedMarket = ({ legs }: Priced): readonly MarketToDevig[] => [
  { sportsbook: null, quotes: legs, outcome: -1, price: null },
]

/** Returns the least net price of a leg at which all implied probabilities sum to `most`; null if no price does. */
export function leastNetWithin({ nets }: Priced, leg: number, most: number): number | null {
  const others = impliedTotal(nets.filter((_, i) => i !== leg))
  return others < most ? 1 / (most - others) : null
}
