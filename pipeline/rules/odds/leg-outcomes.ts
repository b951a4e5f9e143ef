/**
 * How the legs of an opportunity can be settled other than by one of them winning alone: a whole line that is hit, half
 * bets of a quarter line, a tie that refunds both. A bet that is voided, as where a game is not played, is left out.
 */

import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { rangeOf } from './opportunity-figures.ts'
import { jointOutcomes, type Settled } from './two-lines.ts'

/** The settlement of each leg, in their order. */
export type LegOutcome = readonly Settled[]

export interface BackedLegs {
  readonly marketType: string
  readonly sport: string
  readonly league: string
  /** The line of each leg, by its own side. */
  readonly lines: readonly (number | null)[]
}

/** @returns none where one leg wins and the others lose, whatever the result */
export function otherOutcomes(of: BackedLegs): readonly LegOutcome[] {
  const market = findMarket(of.marketType)
  if (!market || of.lines.length !== 2) return []
  const range = rangeOf(of)
  if (!range) return isTieRefunded(market, of) ? [[0, 0]] : []
  const isNeverLevel = market.answers === 'handicap' && !mayEndLevel(market, of)
  return (
    jointOutcomes(range.low, range.high)
      // In the first and the last, one leg wins alone.
      .slice(1, -1)
      .filter(({ from, to }) => !(isNeverLevel && from === 0 && to === 0))
      .map(({ over, under }) => [over, under])
  )
}

/** Two outcomes without a draw: the winner of a game or a part of it, and bets that a draw returns by their name. */
function isTieRefunded(market: Market, of: BackedLegs): boolean {
  if (market.base === 'draw_no_bet' || market.base === 'head_to_head') return true
  return market.answers === 'winner' && of.sport !== 'soccer' && mayEndLevel(market, of)
}

function mayEndLevel({ period, counts, answers }: Market, { sport, league }: BackedLegs): boolean {
  if (answers === 'handicap' && counts !== 'score') return true
  if (/_(set|map|frame|leg)$/.test(period)) return false
  if (period !== 'game' || withTies.has(league)) return true
  return withDraws.has(sport) && !withoutTies.has(league)
}

/**
 * Sports whose games may end level, except in the leagues of `withoutTies`. In others somebody wins each game. In golf
 * a match-up of two players ties at equal strokes, and in motorsports one of two drivers does where both retire: the bets
 * on either are refunded. Darts is left out: only matches of leagues can be drawn, and those are quoted with the draw as
 * a third outcome.
 */
const withDraws: ReadonlySet<string> = new Set([
  'football',
  'soccer',
  'mma',
  'boxing',
  'cricket',
  'rugby',
  'rugby_league',
  'australian_rules',
  'handball',
  'golf',
  'motorsports',
])
/** Leagues of other sports whose games may end level. */
const withTies: ReadonlySet<string> = new Set([
  'japan_-_npb',
  'korea_-_kbo',
  'taiwan_-_cpbl',
  'mlb_preseason',
  'ncaa_hockey',
])
const withoutTies: ReadonlySet<string> = new Set(['ncaaf', 'ncaaf_-_fcs', 'ufl'])
