/**
 * How the games of a sport go: the spread of margins and totals, their length, how scores come about, and the step of
 * a line. The figures of `data/sport-models.json` are rounded long-run averages; they only have to make a plausible
 * board.
 */

import {
  count,
  figure,
  flag,
  listOf,
  oneOf,
  orNull,
  readDataFile,
  recordOf,
  row,
  type TypeOf,
  text,
} from '../../../schemas/data-file.ts'
import rows from './data/sport-models.json' with { type: 'json' }

const model = row({
  /**
   * How scores are made: `goals` one by one, `touchdowns` in sevens and threes, `baskets` in ones
   * to threes, `tries` in sevens, fives and threes, `kicks` in sixes and ones; `sets`, `parts` and
   * `overs`, as in match-play.ts, until the match is won; `drift`: there is no score, the advantage
   * itself wanders.
   */
  play: oneOf([
    'goals',
    'touchdowns',
    'baskets',
    'tries',
    'kicks',
    'sets',
    'parts',
    'overs',
    'drift',
  ]),
  total: figure,
  totalSd: figure,
  marginSd: figure,
  /** Standard deviation of the expected margin over the pairings of a league. */
  strengthSd: figure,
  homeAdvantage: figure,
  durationMinutes: count,
  hasDraw: flag,
  /** Smallest step of a spread, and the distance between two of its rungs; null: no spread. */
  spreadStep: orNull(figure),
  /** Lines are ±1.5, ±2.5, … around the side expected to win, and do not follow the margin. */
  spreadFixed: flag,
  /** The largest margin and total for the lines of a spread and a total; null: unknown. */
  mostMargin: orNull(figure),
  leastTotal: figure,
  mostTotal: orNull(figure),
  /** Distance between two rungs of a total; null: no total. */
  totalStep: orNull(figure),
  hasTeamTotals: flag,
  /** The first half's share of the margin and the total; null: no such market. */
  firstHalf: orNull(figure),
  /** Whether a score stops betting for a while. */
  suspendsOnScore: flag,
  periods: row({ name: text, count }),
  /** Half-time, as shares of the duration. */
  interval: orNull(row({ from: figure, to: figure })),
})

const prop = row({
  statCategory: text,
  /** The range of the players' means. */
  low: figure,
  high: figure,
  /** Standard deviation as a share of the mean; null: that of a slightly wide Poisson. */
  spread: orNull(figure),
})

export type SportModel = TypeOf<typeof model>
export type PropModel = TypeOf<typeof prop>

const file = 'pipeline/feeds/simulator/data/sport-models.json'

/** A sport only states its differences from another; the merged result is checked. */
const whole = Object.entries(rows.sports).map(([sport, { like, ...own }]) => [
  sport,
  { ...rows.usual[like as keyof typeof rows.usual], ...own },
])

export const sportModels = readDataFile(file, recordOf(model), Object.fromEntries(whole))

/** The statistics of players; each of a team's listed players gets two, in turn. */
export const propModels = readDataFile(file, recordOf(listOf(prop)), rows.playerProps)
