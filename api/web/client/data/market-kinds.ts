/**
 * Tells which outcomes make a question complete, and what its line means. The rules are the service's own, by the
 * `answers` of `/markets`.
 */

import { devig } from '../../../../pipeline/rules/odds/devig.ts'
import {
  isAhead,
  type OutcomeSet,
  outcomeSets,
  teamOf,
} from '../../../../pipeline/rules/odds/outcome-sets.ts'
import type { Market } from '../../wire.ts'
import type { Question } from './price-store.ts'

/** Markets by id. */
export type MarketKinds = ReadonlyMap<string, Pick<Market, 'answers' | 'numerical_id'>>

export interface QuestionKind {
  /** The outcomes of which exactly one comes true; null if no such set is known. */
  readonly outcomes: OutcomeSet | null
  /** Whether the visitors' line is the home side's with the other sign. */
  readonly isHandicap: boolean
}

/** @param sport of the event; undefined while it is unknown */
export function kindOf(
  { market, team }: Pick<Question, 'market' | 'team'>,
  kinds: MarketKinds,
  sport: string | undefined,
): QuestionKind {
  const { answers = 'open', numerical_id: listed = null } = kinds.get(market) ?? {}
  const sets = listed === null || sport === undefined ? null : outcomeSets(answers, sport)
  return {
    outcomes: sets?.find(([first = '']) => teamOf(first) === team) ?? null,
    isHandicap: isAhead.has(answers),
  }
}

/**
 * Returns the sum of 1/price over the outcomes, minus one.
 * @param priceOf returns undefined for an outcome without a price that can be bet on
 * @returns null without a set of outcomes, or if one of them has no price
 */
export function holdOf(
  outcomes: OutcomeSet | null,
  priceOf: (answer: string) => number | undefined,
): number | null {
  if (!outcomes) return null
  let hold = -1
  for (const outcome of outcomes) {
    const price = priceOf(outcome)
    if (price === undefined) return null
    hold += 1 / price
  }
  return hold
}

/**
 * Returns no-vig probabilities in the order of `answers`, each null for an answer outside the outcomes.
 * @returns null without a set of outcomes, or if one of them has no price
 */
export function fairOf(
  outcomes: OutcomeSet | null,
  answers: readonly string[],
  priceOf: (answer: string) => number | undefined,
): readonly (number | null)[] | null {
  if (!outcomes) return null
  const prices = outcomes.map((outcome) => priceOf(outcome) ?? 0)
  const probabilities = devig(prices)?.probabilities
  return probabilities
    ? answers.map((answer) => probabilities[outcomes.indexOf(answer)] ?? null)
    : null
}
