/** How kinds are explained that take one price of every answer: arbitrage and low hold. */

import { arbitrageProfit, impliedTotal, stakeShares } from '../../pipeline/rules/odds/arbitrage.ts'
import type { Priced } from '../../pipeline/views/opportunities/priced.ts'
import type { MarketToDevig } from './kind.ts'

export function resultOfPrices({ nets }: Priced) {
  const total = impliedTotal(nets)
  return { total, profit: arbitrageProfit(total), hold: total - 1, shares: stakeShares(nets) }
}

/** Their prices together are one market. */
export const combinedMarket = ({ legs }: Priced): readonly MarketToDevig[] => [
  { sportsbook: null, quotes: legs, answer: -1, price: null },
]

/**
 * What a leg has to pay for the implied probabilities of all legs to sum to `most`; null where no
 * price does.
 */
export function leastNetWithin({ nets }: Priced, leg: number, most: number): number | null {
  const others = impliedTotal(nets.filter((_, i) => i !== leg))
  return others < most ? 1 / (most - others) : null
}
