/**
 * How the legs of an opportunity can be settled other than by one of them winning alone: a whole line that is hit, half
 * bets of a quarter line, a tie that refunds both. A bet that is voided, as where a game is not played, is left out.
 */

import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { rangeOf } from './opportunity-figures.ts'
import { type GameOf, mayEndLevel, possibleResults } from './possible-results.ts'
import { isWonByOne, jointOutcomes, type Settled } from './two-lines.ts'

/** The settlement of each leg, in their order. */
export type LegOutcome = readonly Settled[]

export interface BackedLegs extends GameOf {
  readonly marketType: string
  /** The line of each leg, by its own side. */
  readonly lines: readonly (number | null)[]
}

/** @returns none where one leg wins and the others lose, whatever the result */
export function otherOutcomes(of: BackedLegs): readonly LegOutcome[] {
  const market = findMarket(of.marketType)
  if (!market || of.lines.length !== 2) return []
  const range = rangeOf(of)
  if (!range) return isTieRefunded(market, of) ? [[0, 0]] : []
  return jointOutcomes(range.low, range.high, possibleResults(of.marketType, of))
    .filter((outcome) => !isWonByOne(outcome))
    .map(({ over, under }) => [over, under])
}

/** Two outcomes without a draw: the winner of a game or a part of it, and bets that a draw returns by their name. */
function isTieRefunded(market: Market, of: BackedLegs): boolean {
  if (market.base === 'draw_no_bet' || market.base === 'head_to_head') return true
  return market.answers === 'winner' && of.sport !== 'soccer' && mayEndLevel(market, of)
}
