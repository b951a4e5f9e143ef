/**
 * How the legs of an opportunity can be settled, other than by exactly one of them winning: a whole
 * line is hit, a quarter line settles half bets, a tie refunds both. Voided bets, such as of a game
 * that is not played, are left out.
 */

import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { rangeOf } from './opportunity-figures.ts'
import { type GameOf, mayEndLevel, possibleResults } from './possible-results.ts'
import { isWonByOne, jointOutcomes, type Settled } from './two-lines.ts'

/** The settlement of each leg, in their order. */
export type LegOutcome = readonly Settled[]

export interface BackedLegs extends GameOf {
  readonly marketType: string
  /** The line of each leg, signed from its own side. */
  readonly lines: readonly (number | null)[]
}

/** @returns an empty list if, for every result, one leg wins and the others lose */
export function otherOutcomes(of: BackedLegs): readonly LegOutcome[] {
  const market = findMarket(of.marketType)
  if (!market || of.lines.length !== 2) return []
  const range = rangeOf(of)
  if (!range) return isTieRefunded(market, of) ? [[0, 0]] : []
  return jointOutcomes(range.low, range.high, possibleResults(of.marketType, of))
    .filter((outcome) => !isWonByOne(outcome))
    .map(({ over, under }) => [over, under])
}

/**
 * Returns whether a tie refunds both legs: a two-way winner of a game or a part of it, or a bet
 * such as draw no bet.
 */
function isTieRefunded(market: Market, of: BackedLegs): boolean {
  if (market.base === 'draw_no_bet' || market.base === 'head_to_head') return true
  return market.answers === 'winner' && of.sport !== 'soccer' && mayEndLevel(market, of)
}
