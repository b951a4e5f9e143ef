/** Fair prices of a question by the chain of its game, as the service measures, but for the consensus. */

import { highestHold } from '../../../../pipeline/rules/odds/arbitrage.ts'
import {
  type Anchor,
  type Chain,
  isBlend,
  leastParts,
} from '../../../../pipeline/rules/odds/chains.ts'
import type { OutcomeSet } from '../../../../pipeline/rules/odds/outcome-sets.ts'
import { fairOf, holdOf } from './market-kinds.ts'

export interface Fair {
  /** No-vig probabilities by outcome, in the question's order. One outside the set has none. */
  readonly chances: readonly (number | null)[]
  /** The sportsbooks they are made of: one, or those of a blend. */
  readonly sportsbooks: readonly string[]
}

/** Returns the price of an outcome at a sportsbook, if it may measure others. */
type OfferedBy = (sportsbook: string) => (outcome: string) => number | undefined

/** @returns null where no anchor has all outcomes */
export function fairBy(
  chain: Chain,
  outcomes: OutcomeSet | null,
  answers: readonly string[],
  offeredBy: OfferedBy,
): Fair | null {
  for (const anchor of chain) {
    const fair = fairAt(anchor, outcomes, answers, offeredBy)
    if (fair) return fair
  }
  return null
}

function fairAt(
  anchor: Anchor,
  outcomes: OutcomeSet | null,
  answers: readonly string[],
  offeredBy: OfferedBy,
): Fair | null {
  if (!isBlend(anchor)) {
    const chances = fairOf(outcomes, answers, offeredBy(anchor))
    return chances && { chances, sportsbooks: [anchor] }
  }
  const parts = anchor.flatMap(({ sportsbook, weight }) => {
    const priceOf = offeredBy(sportsbook)
    const chances = fairOf(outcomes, answers, priceOf)
    const hold = holdOf(outcomes, priceOf)
    return chances && hold !== null && hold <= highestHold ? [{ sportsbook, weight, chances }] : []
  })
  if (parts.length < leastParts) return null
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (at: number) =>
    parts.reduce((sum, { weight, chances }) => sum + (weight / total) * (chances[at] ?? 0), 0)
  return {
    chances: answers.map((_, at) => (parts[0]!.chances[at] === null ? null : mean(at))),
    sportsbooks: parts.map(({ sportsbook }) => sportsbook),
  }
}
