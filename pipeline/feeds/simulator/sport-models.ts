/**
 * How the games of a sport go: the spread of margins and totals, how long they last, how scores
 * come about, and what one step of a line is. Figures are rounded long-run averages; they only
 * have to make a plausible board.
 */

import type { matchPlays } from './match-play.ts'

/**
 * How scores come: `goals` one by one, `touchdowns` in sevens and threes, `baskets` in ones to threes,
 * `tries` in sevens, fives and threes, `kicks` in sixes and ones; those of match-play.ts until the match is
 * won; `drift`: no score is told, the advantage itself wanders.
 */
export type Play =
  | 'goals'
  | 'touchdowns'
  | 'baskets'
  | 'tries'
  | 'kicks'
  | 'drift'
  | keyof typeof matchPlays

export interface SportModel {
  readonly play: Play
  readonly total: number
  readonly totalSd: number
  readonly marginSd: number
  /** Spread of the expected margin over the pairings of a league. */
  readonly strengthSd: number
  readonly homeAdvantage: number
  readonly durationMs: number
  readonly hasDraw: boolean
  /** Smallest step of a spread, and the distance between two of its rungs; null: no spread. */
  readonly spreadStep: number | null
  /** Lines are ±1.5, ±2.5, … around the side expected to win, and do not follow the margin. */
  readonly spreadFixed: boolean
  /** What no margin and no total of a spread's and a total's lines goes beyond; null: nothing known. */
  readonly mostMargin: number | null
  readonly leastTotal: number
  readonly mostTotal: number | null
  /** Distance between two rungs of a total; null: no total. */
  readonly totalStep: number | null
  readonly hasTeamTotals: boolean
  /** Share of the margin and the total that falls in the first half; null: no such market. */
  readonly firstHalf: number | null
  /** A score stops betting for a while. */
  readonly suspendsOnScore: boolean
  readonly periods: readonly [name: string, count: number]
  /** Half-time, as shares of the duration. */
  readonly interval: readonly [from: number, to: number] | null
}

const minutes = 60_000

const base: SportModel = {
  play: 'tries',
  total: 50,
  totalSd: 12,
  marginSd: 12,
  strengthSd: 6,
  homeAdvantage: 2,
  durationMs: 110 * minutes,
  hasDraw: false,
  spreadStep: 0.5,
  spreadFixed: false,
  mostMargin: null,
  leastTotal: 0,
  mostTotal: null,
  totalStep: 1,
  hasTeamTotals: true,
  firstHalf: 0.49,
  suspendsOnScore: false,
  periods: ['half', 2],
  interval: [0.44, 0.56],
}

const contest: SportModel = {
  ...base,
  play: 'drift',
  homeAdvantage: 0,
  hasTeamTotals: false,
  firstHalf: null,
  interval: null,
}

export const sportModels: Readonly<Record<string, SportModel>> = {
  basketball: {
    ...base,
    play: 'baskets',
    interval: [0.46, 0.54],
    total: 226,
    totalSd: 18,
    marginSd: 12,
    durationMs: 140 * minutes,
    periods: ['quarter', 4],
  },
  football: {
    ...base,
    play: 'touchdowns',
    interval: [0.47, 0.54],
    total: 45,
    totalSd: 13.5,
    marginSd: 13.2,
    strengthSd: 5,
    durationMs: 190 * minutes,
    suspendsOnScore: true,
    periods: ['quarter', 4],
  },
  hockey: {
    ...base,
    play: 'goals',
    interval: null,
    total: 6.1,
    totalSd: 2.4,
    marginSd: 2.5,
    strengthSd: 0.7,
    homeAdvantage: 0.25,
    durationMs: 150 * minutes,
    spreadFixed: true,
    totalStep: 0.5,
    firstHalf: null,
    suspendsOnScore: true,
    periods: ['period', 3],
  },
  baseball: {
    ...base,
    play: 'goals',
    interval: null,
    total: 8.7,
    totalSd: 4.4,
    marginSd: 4.2,
    strengthSd: 0.9,
    homeAdvantage: 0.2,
    durationMs: 180 * minutes,
    spreadFixed: true,
    totalStep: 0.5,
    firstHalf: null,
    periods: ['inning', 9],
  },
  soccer: {
    ...base,
    play: 'goals',
    interval: [0.42, 0.55],
    total: 2.7,
    totalSd: 1.6,
    marginSd: 1.65,
    strengthSd: 0.75,
    homeAdvantage: 0.3,
    durationMs: 112 * minutes,
    hasDraw: true,
    spreadStep: 1,
    totalStep: 1,
    firstHalf: 0.45,
    suspendsOnScore: true,
    periods: ['half', 2],
  },
  tennis: {
    ...contest,
    play: 'sets',
    total: 24,
    totalSd: 5.5,
    marginSd: 1.9,
    strengthSd: 1.2,
    spreadFixed: true,
    mostMargin: 2,
    leastTotal: 12,
    mostTotal: 39,
    totalStep: 1,
    periods: ['set', 3],
  },
  mma: {
    ...contest,
    total: 2.4,
    totalSd: 1.1,
    strengthSd: 7,
    durationMs: 25 * minutes,
    spreadStep: null,
    mostTotal: 3,
    periods: ['round', 3],
  },
  boxing: {
    ...contest,
    total: 8.4,
    totalSd: 2.8,
    strengthSd: 8,
    durationMs: 40 * minutes,
    spreadStep: null,
    mostTotal: 10,
    periods: ['round', 10],
  },
  golf: {
    ...contest,
    strengthSd: 3,
    durationMs: 270 * minutes,
    spreadStep: null,
    totalStep: null,
    periods: ['round', 1],
  },
  cricket: {
    ...base,
    play: 'overs',
    interval: null,
    total: 326,
    totalSd: 38,
    marginSd: 30,
    strengthSd: 12,
    homeAdvantage: 3,
    durationMs: 200 * minutes,
    spreadStep: null,
    hasTeamTotals: false,
    firstHalf: null,
    periods: ['innings', 2],
  },
  rugby: { ...base, total: 47, totalSd: 13, marginSd: 13.5, strengthSd: 6, homeAdvantage: 4 },
  rugby_league: { ...base, total: 42, totalSd: 12, marginSd: 14, strengthSd: 6, homeAdvantage: 3 },
  australian_rules: {
    ...base,
    play: 'kicks',
    total: 165,
    totalSd: 26,
    marginSd: 34,
    strengthSd: 15,
    homeAdvantage: 6,
    durationMs: 150 * minutes,
    periods: ['quarter', 4],
  },
  darts: {
    ...contest,
    play: 'parts',
    total: 16.3,
    totalSd: 2.1,
    marginSd: 3.9,
    strengthSd: 1.6,
    durationMs: 50 * minutes,
    spreadFixed: true,
    mostMargin: 10,
    leastTotal: 10,
    mostTotal: 19,
    periods: ['leg', 19],
  },
  snooker: {
    ...contest,
    play: 'parts',
    total: 14.5,
    totalSd: 1.9,
    marginSd: 3.7,
    strengthSd: 1.8,
    durationMs: 180 * minutes,
    spreadFixed: true,
    mostMargin: 9,
    leastTotal: 9,
    mostTotal: 17,
    periods: ['frame', 17],
  },
  table_tennis: {
    ...contest,
    total: 74.5,
    totalSd: 11,
    marginSd: 8,
    strengthSd: 4,
    durationMs: 35 * minutes,
    periods: ['set', 5],
  },
  esports: {
    ...contest,
    play: 'parts',
    total: 2.45,
    totalSd: 0.9,
    marginSd: 1.6,
    strengthSd: 0.8,
    durationMs: 120 * minutes,
    spreadFixed: true,
    mostMargin: 2,
    leastTotal: 2,
    mostTotal: 3,
    periods: ['map', 3],
  },
}

export interface PropModel {
  readonly marketType: string
  readonly statCategory: string
  /** Range of the players' means. */
  readonly low: number
  readonly high: number
  /** Standard deviation as a share of the mean; null: that of a slightly wide Poisson. */
  readonly spread: number | null
}

const count = (statCategory: string, low: number, high: number): PropModel => ({
  marketType: `player_${statCategory}`,
  statCategory,
  low,
  high,
  spread: null,
})

const yards = (statCategory: string, low: number, high: number): PropModel => ({
  ...count(statCategory, low, high),
  spread: 0.38,
})

/** Two statistics for each of a team's listed players, in turn. */
export const propModels: Readonly<Record<string, readonly PropModel[]>> = {
  basketball: [
    count('points', 11, 29),
    count('rebounds', 3.5, 11),
    count('assists', 2.5, 9),
    count('threes', 1.4, 4),
  ],
  football: [
    yards('passing_yards', 190, 285),
    yards('rushing_yards', 38, 90),
    count('receptions', 3, 7.5),
    yards('receiving_yards', 35, 85),
  ],
  baseball: [
    count('strikeouts', 4, 8.5),
    count('hits', 0.8, 1.6),
    count('total_bases', 1.2, 2.6),
    count('hits_runs_rbis', 1.6, 2.8),
  ],
  hockey: [count('shots_on_goal', 1.8, 4.2), count('points', 0.5, 1.4), count('saves', 23, 31)],
  soccer: [count('shots', 1, 3.6), count('shots_on_target', 0.6, 1.8)],
}
