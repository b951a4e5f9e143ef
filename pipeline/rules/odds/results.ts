/**
 * The chances of the whole results of a market, for middles: the chance of a result between two
 * lines or on one of them, and how much of it is on the sport's most frequent margins.
 *
 * Every model is centred in the middle of the two lines, which is the sportsbooks' average
 * expectation; a game in play is treated as one about to start. Margins and totals of full games
 * are measured by closing line if there are seasons with closes (`measured-results.json`); the
 * other models are parametric. If there is no honest model, the result is null, and no middle is
 * listed. There is none for sets, maps, frames and legs (the length of the match is not in the
 * row); for rounds (they end early, and their lines are inside a round); for a side's runs in
 * cricket (the format decides); for season wins; for unmeasured statistics of players
 * (`player-results.json`); and for all markets and sports that are not in the tables below.
 *
 * Impossible results (`possible-results.ts`) are left out: a full game that goes on until one side
 * leads has no margin of 0.
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
  /** The part of `probability` that is on key numbers. */
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
 * Returns the results between two lines of a market. It is called millions of times for the same
 * few lines, so the outlooks are cached and frozen.
 * @returns null if there is no model
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

/** Returns the chance of each whole result for an expected line; null if there is no model. */
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
    // The chance that a curve gives to totals below zero is added to the lowest possible total.
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
 * Returns those of `numbers` that are the sport's most frequent margins, without sign, ascending;
 * none for totals.
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
  /** Whether it gives a level game no chance in any league. */
  readonly isNeverLevel: boolean
}

/** The most sports that are cached; limited because sports come from outside. */
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

/**
 * The most outlooks that are cached per market type and sport; limited because lines come from
 * outside too.
 */
const answersAtOnce = 4_096

/**
 * Returns the outlooks of a model by the rule of possible results: there are few rules, and each
 * has its own cache.
 */
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
  /** Standard deviation of both sides' points, if several points are scored at once. */
  readonly totalDeviation?: number
  /** Standard deviation of the margin around the expected one. */
  readonly marginDeviation?: number
  /** For counted goals, the variance of the margin, which is the sum of two Poisson means. */
  readonly goals?: number
  /** The part (0 to 1) of the games level after normal time that stay level; absent for none. */
  readonly level?: number
}

/**
 * The model of a full game of each sport. `goals` is the usual total of a game; in baseball, where
 * several runs are scored at once, the margin varies about twice as much. With these values, an
 * even game ends with a margin of 1 as often as published (hockey 47 %, baseball 30 %, soccer 38
 * %).
 */
const sportModels: Readonly<Record<string, SportModel>> = {
  basketball: { totalDeviation: 18, marginDeviation: 12.5 },
  // Full games are measured; the deviations (that of the margin is ours) are for halves and
  // quarters.
  football: { totalDeviation: 13.5, marginDeviation: 13.5 },
  hockey: { goals: 6 },
  baseball: { goals: 15.5 },
  soccer: { goals: 2.7, level: 1 },
  // All below are ours, in round figures.
  lacrosse: { goals: 22 },
  rugby: { totalDeviation: 13, marginDeviation: 14, level: 1 },
  // After ten minutes of golden point, about one level game in seven is still level.
  rugby_league: { totalDeviation: 13, marginDeviation: 15, level: 0.15 },
  australian_rules: { totalDeviation: 28, marginDeviation: 36, level: 1 },
}

/** The part of the game's score in a period, assuming even scoring over the game; ours. */
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
    // Corners, cards, shots, aces: rare and about independent in every period.
    case 'occurrences':
      return kind === 'total' ? plain(poisson) : occurrenceMargin(market)
    case 'statistic': {
      const results = statisticCurve(market.statistic, sport)
      return results && plain(results)
    }
    // Only for games of a tennis match: a set has too few for the curve, and other sports mean
    // something else by games.
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

/** @param share the part of a game; every part except the full game may end level */
function marginCurve({ goals, marginDeviation, level = 0 }: SportModel, share: number) {
  const kept = share === 1 ? level : 1
  if (goals) return difference(goals * share, kept)
  return marginDeviation ? pointMargin(marginDeviation * Math.sqrt(share), kept) : null
}

function measuredOf(counts: 'margin' | 'total', sport: string): Results | null {
  const found = measuredResults.find((row) => row.sport === sport && row.counts === counts)
  return found ? measured(found) : null
}
