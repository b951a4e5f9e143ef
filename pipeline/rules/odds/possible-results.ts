/**
 * Which whole results of a market with lines are possible: a game that goes on until one side leads
 * never ends level, and a number of goals, points or sets is never below zero. An impossible result
 * is neither the best nor the worst result of two bets, and is not listed.
 *
 * The format of a match (sets to win) is not in a row, so results that only the format excludes
 * count as possible.
 */

import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { middleKind } from './questions.ts'

export interface GameOf {
  readonly sport: string
  /** Empty if unknown: then the rules of the sport's usual leagues apply. */
  readonly league: string
}

/** Returns whether a whole number can be the result; equal rules are the same function. */
export type CanBe = (result: number) => boolean

export const anyResult: CanBe = () => true
export const neverLevel: CanBe = (result) => result !== 0
const neverBelowZero: CanBe = (result) => result >= 0

/** Returns which results of a market are possible, as home margins or totals. */
export function possibleResults(marketType: string, game: GameOf): CanBe {
  const market = findMarket(marketType)
  const kind = market ? middleKind(market.id) : null
  if (!market || kind === null) return anyResult
  if (kind === 'margin') return mayEndLevel(market, game) ? anyResult : neverLevel
  // A player's yards and a fantasy score can be below zero.
  return market.counts === 'statistic' ? anyResult : neverBelowZero
}

/** Returns whether the game, or the part of it, can end without a winner. */
export function mayEndLevel({ base, period, counts, answers }: Market, of: GameOf): boolean {
  if (period !== 'game') return !/_(set|map|frame|leg)$/.test(period)
  if (base === 'set_handicap') return false
  if (answers === 'handicap' && counts !== 'score') return true
  if (withTies.has(of.league)) return true
  return withDraws.has(of.sport) && !withoutTies.has(of.league)
}

/**
 * Sports whose games may end level, except in the leagues of `withoutTies`. In other sports
 * somebody wins each game. In golf a match-up of two players ties at equal strokes, and in
 * motorsports one of two drivers ties if both retire: bets on either are refunded. Darts is left
 * out: only league matches can be drawn, and they have the draw as a third outcome.
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
