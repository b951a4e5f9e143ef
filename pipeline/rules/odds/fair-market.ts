/**
 * The fair market that an opportunity is measured against: one sportsbook's without its margin, or
 * a blend or the consensus of several. Their prices are in one list, sportsbook by sportsbook, each
 * with every outcome in the same order.
 */

import { type FairMeasure, methodOf, weightsOf } from '../../../schemas/fair-measure.ts'
import { type Devigged, devig } from './devig.ts'
import { medianOf } from './median-market.ts'
import { isValue } from './value.ts'

/** Probabilities that sum to 1, and the overround of the prices. */
export type FairMarket = Pick<Devigged, 'probabilities' | 'overround'>

/**
 * The least value for +EV by the consensus. Of 13,277 football matches at the close
 * (`test/oracle/consensus.nightly.test.ts`), prices with a value of 0 to 2 % by the median of three
 * or more others were worth -0.7 % on average by Pinnacle's close; those of 2 to 5 % were worth 1.1
 * %.
 */
export const leastConsensusValue = 0.02

/** See `isValue`. */
export const isConsensusValue = (ev: number) => ev >= leastConsensusValue && isValue(ev)

/**
 * @param prices decimal odds, of every outcome at the first sportsbook, then the next
 * @param sources the number of sportsbooks, 1 or more
 * @returns null if a sportsbook's prices make no market, see `devig`
 */
export function fairMarket(
  prices: readonly number[],
  sources: number,
  measure: FairMeasure | null,
): FairMarket | null {
  const method = methodOf(measure)
  if (sources === 1) return devig(prices, method)
  const outcomes = prices.length / sources
  const markets: FairMarket[] = []
  for (let from = 0; from < prices.length; from += outcomes) {
    const market = devig(prices.slice(from, from + outcomes), method)
    if (!market) return null
    markets.push(market)
  }
  const weights = weightsOf(measure)
  return weights.length > 0 ? blendOf(markets, weights) : consensusOf(markets)
}

/**
 * Returns the weighted means of probabilities and overrounds. Means of probabilities already sum to
 * 1, no sportsbook moves one by more than its weight, and a price's value is the weighted mean of
 * its values at each sportsbook. A mean of log-odds has none of these properties, and one wrong
 * longshot would decide it (Genest and Zidek (1986), "Combining probability distributions", doi
 * 10.1214/ss/1177013825, sections 2 and 3).
 * @param markets one or more, of the same outcomes
 * @param weights of each, above 0
 */
export function blendOf(markets: readonly FairMarket[], weights: readonly number[]): FairMarket {
  const outcomes = markets[0]!.probabilities.length
  const probabilities = new Array<number>(outcomes).fill(0)
  let overround = 0
  let total = 0
  for (const weight of weights) total += weight
  for (let at = 0; at < markets.length; at++) {
    const market = markets[at]!
    const share = weights[at]! / total
    overround += share * market.overround
    for (let outcome = 0; outcome < outcomes; outcome++) {
      probabilities[outcome]! += share * market.probabilities[outcome]!
    }
  }
  return { probabilities, overround }
}

/**
 * Returns the median of the probabilities, see `medianOf`, and the average overround.
 * @param markets one or more, of the same outcomes
 */
export function consensusOf(markets: readonly FairMarket[]): FairMarket {
  const probabilities = medianOf(markets.map((market) => market.probabilities))
  const overround = markets.reduce((total, market) => total + market.overround, 0) / markets.length
  return { probabilities, overround }
}
