/** Fair prices of a question by the chain of its game, as the service measures. */

import { highestHold } from '../../../../pipeline/rules/odds/arbitrage.ts'
import {
  type Anchor,
  type Chain,
  isBlend,
  leastParts,
} from '../../../../pipeline/rules/odds/chains.ts'
import { leastOthers, medianOf } from '../../../../pipeline/rules/odds/median-market.ts'
import type { OutcomeSet } from '../../../../pipeline/rules/odds/outcome-sets.ts'
import { consensus } from '../../../../pipeline/rules/odds/sharp-books.ts'
import { fairOf, holdOf } from './market-kinds.ts'
import { isMeasure, isOffer, type Price } from './price-store.ts'

export interface Fair {
  /** No-vig probabilities by outcome, in the question's order. One outside the set has none. */
  readonly chances: readonly (number | null)[]
  /** The sportsbooks they are made of: one, those of a blend, or all of the consensus. */
  readonly sportsbooks: readonly string[]
  /** Whether they are the consensus, for lack of a sharp book. */
  readonly isConsensus: boolean
}

/** The prices of a question. */
export interface Prices {
  readonly outcomes: OutcomeSet | null
  /** The outcomes in the order in which they are shown. */
  readonly answers: readonly string[]
  readonly sportsbooks: readonly string[]
  /** Returns a price, recent or not. */
  at(sportsbook: string, outcome: string): Price | undefined
  /** Returns whether a price is recent and its sportsbook up. */
  counts(price: Price): boolean
}

/** @returns null where no anchor has all outcomes */
export function fairBy(chain: Chain, prices: Prices): Fair | null {
  for (const anchor of chain) {
    const fair = anchor === consensus ? consensusOf(prices) : fairAt(anchor, prices)
    if (fair) return fair
  }
  return null
}

/** Returns the prices of a sportsbook that count and that `allows` takes. */
export const offeredBy =
  ({ at, counts }: Prices, sportsbook: string, allows: (price: Price) => boolean) =>
  (outcome: string) => {
    const price = at(sportsbook, outcome)
    return price && allows(price) && counts(price) ? price.price : undefined
  }

/** Returns the market of one of several sportsbooks; null where its margin is no sportsbook's. */
function partOf(prices: Prices, sportsbook: string, allows: (price: Price) => boolean) {
  const { outcomes, answers } = prices
  const priceOf = offeredBy(prices, sportsbook, allows)
  const hold = holdOf(outcomes, priceOf)
  if (hold === null || hold > highestHold) return null
  const chances = fairOf(outcomes, answers, priceOf)
  return chances && { sportsbook, chances }
}

/**
 * Returns the consensus of all sportsbooks that offer every outcome, at least three. The service measures each price by
 * the *others*, so a price that leads the market is worth a little more there.
 */
function consensusOf(prices: Prices): Fair | null {
  const parts = prices.sportsbooks.flatMap(
    (sportsbook) => partOf(prices, sportsbook, isOffer) ?? [],
  )
  if (parts.length < leastOthers) return null
  const medians = medianOf(parts.map(({ chances }) => chances.map((chance) => chance ?? 0)))
  return {
    chances: medians.map((median, at) => (parts[0]!.chances[at] === null ? null : median)),
    sportsbooks: parts.map(({ sportsbook }) => sportsbook),
    isConsensus: true,
  }
}

function fairAt(anchor: Anchor, prices: Prices): Fair | null {
  const { outcomes, answers } = prices
  if (!isBlend(anchor)) {
    const chances = fairOf(outcomes, answers, offeredBy(prices, anchor, isMeasure))
    return chances && { chances, sportsbooks: [anchor], isConsensus: false }
  }
  const parts = anchor.flatMap(({ sportsbook, weight }) => {
    const part = partOf(prices, sportsbook, isMeasure)
    return part ? [{ ...part, weight }] : []
  })
  if (parts.length < leastParts) return null
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (at: number) =>
    parts.reduce((sum, { weight, chances }) => sum + (weight / total) * (chances[at] ?? 0), 0)
  return {
    chances: answers.map((_, at) => (parts[0]!.chances[at] === null ? null : mean(at))),
    sportsbooks: parts.map(({ sportsbook }) => sportsbook),
    isConsensus: false,
  }
}
