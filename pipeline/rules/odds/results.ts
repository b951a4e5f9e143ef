/**
 * The chances of the whole results of a market, for middles: the chance that the result falls between two lines or on
 * one of them, and the part of it on the margins a sport most often ends with.
 *
 * Every model is centred where the two lines meet, which is the sportsbooks' average expectation; a game under way is
 * treated as one about to start. Margins and totals of full games are measured by closing line where seasons with
 * closes are available (`measured-results.json`); the other models are parametric. Where no honest model exists the
 * result is null, and no middle is listed: sets, maps, frames and legs (the length of the match is not in the row),
 * rounds (they end early and their lines lie inside a round), runs of a side in cricket (the format decides), season
 * wins, statistics of players that nobody measured (`player-results.json`), and any market or sport that is not in the
 * tables below.
 *
 * Results that cannot be (`possible-results.ts`) are in none of them: a full game that goes on until one side leads has
 * no margin of 0.
 *
 * Source: interface supplement 5.8; additions to it are marked "ours".
 */

import { memoise } from '../../../schemas/memoise.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import { measuredResults } from '../../../schemas/reference/measured-results.ts'
import { findPlayerResults } from '../../../schemas/reference/player-results.ts'
import type { MiddleOutcome, MiddleOutcomes } from './middles.ts'
import { type CanBe, type GameOf, neverLevel, possibleResults } from './possible-results.ts'
import { type MiddleKind, middleKind } from './questions.ts'
import {
  difference,
  geometric,
  measured,
  normal,
  pointMargin,
  poisson,
  type Results,
  scattered,
  smallCount,
} from './result-curves.ts'
import { isWonByOne, type JointOutcome, jointOutcomes, widestGap } from './two-lines.ts'

export interface MiddleOutlook extends MiddleOutcomes {
  /** The whole results at which both bets win, ascending. */
  readonly numbers: readonly number[]
  /** The probability of one of them, 0 to 1. */
  readonly probability: number
  /** The key numbers among them, without sign, ascending. */
  readonly keyNumbers: readonly number[]
  /** The part of `probability` that falls on key numbers. */
  readonly keyNumberProbability: number
  /** The whole results at which a stake is refunded, whole or half, ascending. */
  readonly pushNumbers: readonly number[]
  readonly pushProbability: number
}

/** A query for one middle; `low` and `high` as in middles.ts. */
export interface MiddleQuestion extends GameOf {
  readonly marketType: string
  readonly low: number
  readonly high: number
}

/**
 * Returns the results between two lines of a market. Computed millions of times for the same few lines, so the
 * outlooks are cached; they are frozen.
 * @returns null where there is no model
 */
export function middleOutlook({
  marketType,
  sport,
  league,
  low,
  high,
}: MiddleQuestion): MiddleOutlook | null {
  const model = modelsOf(sport)(marketType)
  return model?.outlook(possibleResults(marketType, { sport, league }), low, high) ?? null
}

/** Returns the chance of each whole result when a line is expected; null where there is no model. */
export const resultChances = (marketType: string, sport: string, expected: number) =>
  modelsOf(sport)(marketType)?.results(expected) ?? null

function outlook(
  { results, keys }: Model,
  canBe: CanBe,
  low: number,
  high: number,
): MiddleOutlook | null {
  const probabilityOf = results((low + high) / 2)
  if (!probabilityOf) return null
  const numbers: number[] = []
  const pushNumbers: number[] = []
  const onKey: number[] = []
  const between: MiddleOutcome[] = []
  let won = 0
  let pushed = 0
  let wonOnKey = 0
  const outcomes = jointOutcomes(low, high, canBe)
  const outside: JointOutcome[] = []
  for (const outcome of outcomes) {
    if (isWonByOne(outcome)) {
      outside.push(outcome)
      continue
    }
    const { from, to, over, under } = outcome
    // What a curve gives to totals below zero is of the least that can be.
    let probability = outcome === outcomes[0] ? chanceBelow(from, probabilityOf) : 0
    const isWon = over === 1 && under === 1
    for (let result = from; result <= to; result++) {
      if (!canBe(result)) continue
      const chance = probabilityOf(result)
      probability += chance
      if (!isWon) pushNumbers.push(result)
      else {
        numbers.push(result)
        if (keys.includes(Math.abs(result))) {
          onKey.push(result)
          wonOnKey += chance
        }
      }
    }
    if (isWon) won += probability
    else pushed += probability
    between.push({ ...outcome, probability: Math.min(probability, 1) })
  }
  return Object.freeze({
    numbers: Object.freeze(numbers),
    probability: Math.min(won, 1),
    keyNumbers: Object.freeze(among(keys, onKey)),
    keyNumberProbability: Math.min(wonOnKey, won, 1),
    pushNumbers: Object.freeze(pushNumbers),
    pushProbability: Math.min(pushed, 1),
    between: Object.freeze(between),
    outside: Object.freeze(outside),
  })
}

/** Returns the chance of all results below one. */
function chanceBelow(result: number, probabilityOf: (result: number) => number): number {
  let sum = 0
  for (let below = 1; below <= widestGap; below++) sum += probabilityOf(result - below)
  return sum
}

// Key numbers

const keyMargins: Readonly<Record<string, readonly number[]>> = {
  football: [3, 7, 10, 14],
  hockey: [1],
  baseball: [1],
  soccer: [1],
}

const none: readonly number[] = Object.freeze([])

/**
 * Returns the margins among `numbers` that games of the sport most often end with, without sign, ascending; none for
 * totals.
 */
export const keyNumbers = (sport: string, kind: MiddleKind, numbers: readonly number[]) =>
  kind === 'margin' ? among(keysOf(sport), numbers) : []

const keysOf = (sport: string) => (Object.hasOwn(keyMargins, sport) && keyMargins[sport]) || none

const among = (keys: readonly number[], numbers: readonly number[]) =>
  keys.filter((key) => numbers.includes(key) || numbers.includes(-key))

// The model of each market

interface Model {
  readonly results: Results
  readonly keys: readonly number[]
  /** Whether it gives a level game no chance, whatever the league. */
  readonly isNeverLevel: boolean
}

/** The most sports remembered, a bound because sports come from outside. */
const sportsAtOnce = 64

/** Only listed market types have a model. */
const modelsOf = memoise(
  (sport: string) =>
    memoise((marketType: string) => {
      const market = findMarket(marketType)
      const model = market ? findModel(market, sport) : null
      return model && { results: model.results, outlook: outlooksOf(model) }
    }),
  sportsAtOnce,
)

/** The most outlooks remembered per market type and sport, a bound because lines come from outside too. */
const answersAtOnce = 4_096

/** Returns the outlooks of a model by the results that can be: for few rules, each of which has its own cache. */
function outlooksOf(model: Model) {
  const byRule = new Map<CanBe, ReturnType<typeof rememberOutlooks>>()
  return (possible: CanBe, low: number, high: number): MiddleOutlook | null => {
    const canBe = model.isNeverLevel ? neverLevel : possible
    let remembered = byRule.get(canBe)
    if (!remembered) {
      remembered = rememberOutlooks(model, canBe)
      byRule.set(canBe, remembered)
    }
    return remembered(low, high)
  }
}

/** Caches `outlook` of a model by both lines; when the cache is full it starts over. */
function rememberOutlooks(model: Model, canBe: CanBe) {
  const known = new Map<number, Map<number, MiddleOutlook | null>>()
  let count = 0
  return (low: number, high: number): MiddleOutlook | null => {
    const before = known.get(low)?.get(high)
    if (before !== undefined) return before
    if (count++ >= answersAtOnce) {
      known.clear()
      count = 1
    }
    const found = outlook(model, canBe, low, high)
    const byHigh = known.get(low)
    if (byHigh) byHigh.set(high, found)
    else known.set(low, new Map([[high, found]]))
    return found
  }
}

interface SportModel {
  /** Standard deviation of the points of both sides, where points come in bunches. */
  readonly totalDeviation?: number
  /** Standard deviation of the margin about the expected one. */
  readonly marginDeviation?: number
  /** For counted goals, the variance of the margin, which is the sum of two Poisson means. */
  readonly goals?: number
  /** The part of the games that are level after normal time and stay so, 0 to 1; absent for none. */
  readonly level?: number
}

/**
 * The model of a full game of each sport. The sums of goals are the usual total of a game, except in baseball, where
 * runs come together and the margin varies about twice as much. With them an even game ends with a margin of 1 as
 * often as published (hockey 47 %, baseball 30 %, soccer 38 %).
 */
const sportModels: Readonly<Record<string, SportModel>> = {
  basketball: { totalDeviation: 18, marginDeviation: 12.5 },
  // Full games are measured; the deviations, ours for the margin, serve halves and quarters.
  football: { totalDeviation: 13.5, marginDeviation: 13.5 },
  hockey: { goals: 6 },
  baseball: { goals: 15.5 },
  soccer: { goals: 2.7, level: 1 },
  // All below are ours, in round figures.
  lacrosse: { goals: 22 },
  rugby: { totalDeviation: 13, marginDeviation: 14, level: 1 },
  // Ten minutes of golden point leave about one level game in seven level.
  rugby_league: { totalDeviation: 13, marginDeviation: 15, level: 0.15 },
  australian_rules: { totalDeviation: 28, marginDeviation: 36, level: 1 },
}

/** The part of a game in a period; ours. Scoring is taken as even over the game. */
const periodShares: Readonly<Record<string, number>> = {
  game: 1,
  '1st_half': 1 / 2,
  '2nd_half': 1 / 2,
  '1st_quarter': 1 / 4,
  '2nd_quarter': 1 / 4,
  '3rd_quarter': 1 / 4,
  '4th_quarter': 1 / 4,
  '1st_period': 1 / 3,
  '2nd_period': 1 / 3,
  '3rd_period': 1 / 3,
  '1st_10_minutes': 1 / 9,
  '1st_inning': 1 / 9,
  '1st_3_innings': 3 / 9,
  '1st_5_innings': 5 / 9,
  '1st_7_innings': 7 / 9,
}

function findModel(market: Market, sport: string): Model | null {
  const kind = middleKind(market.id)
  switch (kind && market.counts) {
    case 'score':
      return scoreModel(market, kind === 'margin', sport)
    // Corners, cards, shots, aces: rare and about independent, whatever the period.
    case 'occurrences':
      return kind === 'total' ? plain(poisson) : occurrenceMargin(market)
    case 'statistic': {
      const results = statisticCurve(market.statistic, sport)
      return results && plain(results)
    }
    // Games of a tennis match: a set has too few for the curve, and in other sports games are something else.
    case 'games':
      return market.sports.includes(sport) ? plain(smallCount) : null
    default:
      return null
  }
}

const plain = (results: Results): Model => ({ results, keys: none, isNeverLevel: false })

function statisticCurve(statistic: string, sport: string): Results | null {
  const known = findPlayerResults(statistic, sport)
  if (!known) return smallCount
  if (known.curve === 'geometric') return geometric
  return known.variance === undefined ? null : scattered(known.variance)
}

function occurrenceMargin({ usualCount, period }: Market): Model | null {
  const share = periodShares[period]
  return share && usualCount !== null ? plain(difference(usualCount * share, 1)) : null
}

function scoreModel({ period, answers }: Market, isMargin: boolean, sport: string): Model | null {
  const game = Object.hasOwn(sportModels, sport) ? sportModels[sport] : undefined
  const share = periodShares[period]
  if (!game || !share) return null
  const isFull = period === 'game'
  const { totalDeviation = 0, marginDeviation = 0, goals } = game
  if (isMargin) {
    const known = isFull ? measuredOf('margin', sport) : null
    const results = known ?? marginCurve(game, share)
    if (!results) return null
    const isNeverLevel = isFull && !known && !game.level
    return { results, keys: isFull ? keysOf(sport) : none, isNeverLevel }
  }
  const isTeams = answers === 'team_over_under'
  const known = isFull && !isTeams && measuredOf('total', sport)
  if (known) return plain(known)
  if (goals) return plain(poisson)
  // var(H + A) + var(H - A) = 2 var(H) + 2 var(A), and the sides vary alike.
  const deviation = isTeams ? Math.hypot(totalDeviation, marginDeviation) / 2 : totalDeviation
  return plain(normal(deviation * Math.sqrt(share)))
}

/** @param share the part of a game; any but the full one may end level */
function marginCurve({ goals, marginDeviation, level = 0 }: SportModel, share: number) {
  const kept = share === 1 ? level : 1
  if (goals) return difference(goals * share, kept)
  return marginDeviation ? pointMargin(marginDeviation * Math.sqrt(share), kept) : null
}

function measuredOf(counts: 'margin' | 'total', sport: string): Results | null {
  const found = measuredResults.find((row) => row.sport === sport && row.counts === counts)
  return found ? measured(found) : null
}
