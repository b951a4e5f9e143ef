/**
 * How likely each whole result of a market is, for middles: the chance that the result falls
 * between two lines, and the part of it that lies on the margins a sport most often ends with.
 *
 * Every model is centred where the two lines meet, so it says what the sportsbooks expect on
 * average; nothing is learnt from scores, and a game under way is treated as one about to start.
 * Where no honest model exists the answer is null, and no middle is listed: sets, maps, frames and
 * legs (the length of the match is not in the row), rounds (they end early and their lines stand
 * inside a round), runs in cricket (the format decides), season wins, and any market or sport that
 * is not in the tables below.
 *
 * Source: interface supplement 5.8; what goes beyond it is marked "ours".
 */

import { memoise } from '../../schemas/memoise.ts'
import { findMarket, type Market } from '../../schemas/reference/markets.ts'
import { middleNumbers } from './middles.ts'
import { type MiddleKind, middleKind } from './questions.ts'

export interface MiddleOutlook {
  /** The whole results at which both bets win, ascending. */
  readonly numbers: readonly number[]
  /** That one of them comes, 0 to 1. */
  readonly probability: number
  /** The key numbers among them, without sign, ascending. */
  readonly keyNumbers: readonly number[]
  /** The part of `probability` that falls on key numbers. */
  readonly keyNumberProbability: number
}

/** A question about one middle; `low` and `high` as in middles.ts. */
export interface MiddleQuestion {
  readonly marketType: string
  readonly sport: string
  readonly low: number
  readonly high: number
}

/**
 * What lies between two lines of a market. Asked for millions of times with the same few lines, so
 * the answers are remembered; they are frozen.
 * @returns null where there is no model
 */
export const middleOutlook = ({
  marketType,
  sport,
  low,
  high,
}: MiddleQuestion): MiddleOutlook | null => modelsOf(sport)(marketType)?.(low, high) ?? null

/** The chance that both bets of a middle win; null where there is no model. */
export const middleProbability = (question: MiddleQuestion) =>
  middleOutlook(question)?.probability ?? null

function outlook({ results, keys }: Model, low: number, high: number): MiddleOutlook | null {
  const probabilityOf = results((low + high) / 2)
  if (!probabilityOf) return null
  const numbers = middleNumbers(low, high)
  const sum = (some: readonly number[]) =>
    Math.min(
      some.reduce((total, result) => total + probabilityOf(result), 0),
      1,
    )
  const onKey = numbers.filter((result) => keys.includes(Math.abs(result)))
  return Object.freeze({
    numbers: Object.freeze(numbers),
    probability: sum(numbers),
    keyNumbers: Object.freeze(among(keys, onKey)),
    keyNumberProbability: sum(onKey),
  })
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
 * The margins among `numbers` that games of the sport most often end with, without sign,
 * ascending; none for totals.
 */
export const keyNumbers = (sport: string, kind: MiddleKind, numbers: readonly number[]) =>
  kind === 'margin' ? among(keysOf(sport), numbers) : []

const keysOf = (sport: string) => (Object.hasOwn(keyMargins, sport) && keyMargins[sport]) || none

const among = (keys: readonly number[], numbers: readonly number[]) =>
  keys.filter((key) => numbers.includes(key) || numbers.includes(-key))

// Which model a market has

/** The chance of each whole result when this midpoint is expected; null where it cannot be. */
type Results = (midpoint: number) => ((result: number) => number) | null

interface Model {
  readonly results: Results
  readonly keys: readonly number[]
}

/** Sports come from outside, so there is a bound to how many are remembered. */
const sportsAtOnce = 64

/** Only listed market types have a model. */
const modelsOf = memoise(
  (sport: string) =>
    memoise((marketType: string) => {
      const market = findMarket(marketType)
      const model = market ? findModel(market, sport) : null
      return model && rememberOutlooks(model)
    }),
  sportsAtOnce,
)

/** Of one market type in one sport; lines come from outside too. */
const answersAtOnce = 4_096

/** `outlook` of a model, remembered by both lines; when the memory is full it starts over. */
function rememberOutlooks(model: Model) {
  const known = new Map<number, Map<number, MiddleOutlook | null>>()
  let count = 0
  return (low: number, high: number): MiddleOutlook | null => {
    const before = known.get(low)?.get(high)
    if (before !== undefined) return before
    if (count++ >= answersAtOnce) {
      known.clear()
      count = 1
    }
    const found = outlook(model, low, high)
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
  /** Where goals are counted: the variance of the margin, which is the sum of two Poisson means. */
  readonly goals?: number
  /** Whether a full game can end level. */
  readonly isLevelPossible?: boolean
}

/**
 * A full game of each sport.
 * The sums of goals are the usual total of a game, except in baseball, where runs come together
 * and the margin varies about twice as much. With them an even game ends with a margin of 1 as
 * often as published (hockey 47 %, baseball 30 %, soccer 38 %).
 */
const sportModels: Readonly<Record<string, SportModel>> = {
  basketball: { totalDeviation: 18, marginDeviation: 12.5 },
  // The margin of a full game has a table; the deviation is ours and serves halves and quarters.
  football: { totalDeviation: 13.5, marginDeviation: 13.5 },
  hockey: { goals: 6 },
  baseball: { goals: 15.5 },
  soccer: { goals: 2.7, isLevelPossible: true },
  // Ours, round figures, all below.
  lacrosse: { goals: 22 },
  rugby: { totalDeviation: 13, marginDeviation: 14 },
  rugby_league: { totalDeviation: 13, marginDeviation: 15 },
  australian_rules: { totalDeviation: 28, marginDeviation: 36 },
}

/** The part of a game that a period is; ours. Scoring is taken as even over the game. */
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
    case 'statistic':
      return plain(statistic)
    // Of a tennis match: a set has too few for the curve, and other sports call other things games.
    case 'games':
      return market.sports.includes(sport) ? plain(statistic) : null
    default:
      return null
  }
}

const plain = (results: Results): Model => ({ results, keys: none })

function occurrenceMargin({ usualCount, period }: Market): Model | null {
  const share = periodShares[period]
  return share && usualCount !== null ? plain(difference(usualCount * share, true)) : null
}

function scoreModel({ period, answers }: Market, isMargin: boolean, sport: string): Model | null {
  const game = Object.hasOwn(sportModels, sport) ? sportModels[sport] : undefined
  const share = periodShares[period]
  if (!game || !share) return null
  const isFull = period === 'game'
  const { totalDeviation = 0, marginDeviation = 0, goals, isLevelPossible = !isFull } = game
  if (isMargin) {
    const keys = isFull ? keysOf(sport) : none
    if (isFull && sport === 'football') return { results: footballMargin, keys }
    if (goals) return { results: difference(goals * share, isLevelPossible), keys }
    return marginDeviation ? { results: normal(marginDeviation * Math.sqrt(share)), keys } : null
  }
  if (goals) return plain(poisson)
  // var(H + A) + var(H - A) = 2 var(H) + 2 var(A), and the sides vary alike.
  const isTeams = answers === 'team_over_under'
  const deviation = isTeams ? Math.hypot(totalDeviation, marginDeviation) / 2 : totalDeviation
  return plain(normal(deviation * Math.sqrt(share)))
}

// The models

/** A player's statistic varies a little more than a Poisson count of the same mean. */
const statistic: Results = (midpoint) =>
  midpoint > 0 ? normal(Math.sqrt(1.2 * midpoint))(midpoint) : null

/** A normal curve about the midpoint, cut halfway between whole results. */
function normal(deviation: number): Results {
  return (midpoint) => {
    const below = (value: number) => standardNormalBelow((value - midpoint) / deviation)
    return (result) => below(result + 0.5) - below(result - 0.5)
  }
}

/** A count whose mean is the midpoint. */
const poisson: Results = (midpoint) =>
  midpoint > 0 ? (result) => poissonProbability(result, midpoint) : null

/** The weaker side of a difference keeps at least this part of the sum. */
const weakestShare = 0.1

/**
 * The margin of two independent counts (Skellam): their means differ by the midpoint and sum to
 * `sum`, unless a very large midpoint asks for more. A game that cannot end level goes on until
 * one side leads, nearly always by 1, so the chance of 0 is given to 1 and -1 in equal parts.
 */
function difference(sum: number, isLevelPossible: boolean): Results {
  return (midpoint) => {
    const ahead = Math.abs(midpoint)
    const weaker = Math.max((sum - ahead) / 2, weakestShare * sum)
    const stronger = weaker + ahead
    const margin = (result: number) =>
      skellamProbability(midpoint < 0 ? -result : result, stronger, weaker)
    if (isLevelPossible) return margin
    return (result) => {
      if (result === 0) return 0
      return Math.abs(result) === 1 ? margin(result) + margin(0) / 2 : margin(result)
    }
  }
}

/**
 * American football games by margin of the winner, in percent. A level result is ours: 10 of 2,956
 * NFL games from 2011 to 2021.
 */
const percentByMargin: Readonly<Record<number, number>> = {
  0: 0.3,
  1: 4,
  2: 4,
  3: 15,
  4: 4.6,
  5: 3.4,
  6: 5.5,
  7: 9.2,
  8: 3.7,
  9: 2,
  10: 5.7,
  11: 2.4,
  12: 1.8,
  13: 2.2,
  14: 5,
  17: 3.5,
}

/** Every other margin has 1.5 %, until at 34 what is left of the whole is less. */
const otherMargin = 1.5
const longestMargin = 34
const footballMargins: readonly number[] = (() => {
  const percents: number[] = []
  let left = 100
  for (let margin = 0; margin <= longestMargin; margin++) {
    const percent = margin === longestMargin ? left : (percentByMargin[margin] ?? otherMargin)
    percents.push(percent / 100)
    left -= percent
  }
  return percents
})()

/**
 * The table knows no sign. All of a margin goes to the side that the midpoint favours, as the
 * published figures have it (-2.5 and +7.5 sum the table from 3 to 7), and half to each side of an
 * even game. A middle reaches as far to both sides of its midpoint, so one that spans 0 counts
 * every margin in it once.
 */
const footballMargin: Results = (midpoint) => (result) => {
  const whole = footballMargins[Math.abs(result)] ?? 0
  if (result === 0) return whole
  if (midpoint === 0) return whole / 2
  return result > 0 === midpoint > 0 ? whole : 0
}

// The curves

/** Chance that a standard normal value is below x, to about 1e-15 (Marsaglia 2004). */
function standardNormalBelow(x: number): number {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0
  let term = x
  let sum = x
  for (let i = 3; sum + term !== sum; i += 2) {
    term *= (x * x) / i
    sum += term
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
}

function poissonProbability(count: number, mean: number): number {
  return count < 0 ? 0 : Math.exp(count * Math.log(mean) - mean - logFactorial(count))
}

/** log n!, summed for small n, else by Stirling's series, which is then exact to 1e-12. */
function logFactorial(n: number): number {
  if (n >= logFactorials.length) {
    const series = 1 / (12 * n) - 1 / (360 * n ** 3)
    return (n + 0.5) * Math.log(n) - n + Math.log(2 * Math.PI) / 2 + series
  }
  return logFactorials[n] as number
}

const logFactorials: readonly number[] = (() => {
  const logs = [0]
  for (let n = 1; n < 256; n++) logs.push((logs[n - 1] as number) + Math.log(n))
  return logs
})()

/** Chance that a count of mean `mean1` exceeds another of mean `mean2` by exactly `by`. */
function skellamProbability(by: number, mean1: number, mean2: number): number {
  // Beyond this the second count does not come, so neither does the pair.
  const farthest = mean2 + 12 * Math.sqrt(mean2) + 20
  let sum = 0
  for (let second = Math.max(0, -by); second <= farthest; second++) {
    sum += poissonProbability(second + by, mean1) * poissonProbability(second, mean2)
  }
  return sum
}
