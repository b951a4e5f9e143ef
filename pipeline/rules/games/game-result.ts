/**
 * How a game ended, by the reports of its sportsbooks and score feeds. Nothing is guessed:
 *
 * - **Final score**: only a score reported with the end of the game. If reports differ: the score
 *   that more than half of them have, and at least two; else none.
 * - **Score at the end of a period**: one that was reported in the break after it, or that was the
 *   same in the period and in a later one. An unknown or missing period does not show that one
 *   ended.
 * - **Score of regulation time**: the final score of a game that ended in regulation time, else the score at the end
 *   of it. In hockey and lacrosse a level game may go into overtime and end before the next report,
 *   so its last score is not taken for that of regulation time. A soccer game shorter than 140
 *   minutes had no extra time, unless a report says otherwise: it is of extra time or a shootout,
 *   or has another score at the end of regulation time.
 * - **A game that ended before its last regular period** is no full game, and bets on it follow
 *   each sportsbook's own rules. A baseball game that was over within 110 minutes may be such a
 *   game, unless a report names its last inning: then its score only settles the moneyline.
 */

import type {
  GameResult,
  PeriodScore,
  ReportedResult,
  Score,
} from '../../../schemas/game-result.ts'
import type { GameReport } from '../../../schemas/game-state.ts'
import { liveExpiryMs } from '../odds/freshness.ts'
import { fullTime, rankOf } from './game-periods.ts'

/** A sportsbook's report of a game at one time, in the frame of the event's rows. */
export interface TimedReport
  extends Pick<GameReport, 'observedAt' | 'homeScore' | 'awayScore' | 'period'> {
  /** The last period, if the text of the end names it. */
  readonly endedIn?: string
}

/** The lowest rank of overtime, extra time and shootouts. Innings are numbered on instead. */
const overtimeRank = 10_000

interface SportPeriods {
  /** The lowest rank of the last period of regulation time. */
  readonly last: number
  /**
   * The breaks that end regulation time. A sport that is reported in two ways (quarters, halves)
   * has one for each.
   */
  readonly ends: readonly string[]
  /** The lowest rank of overtime, extra time, shootouts and extra innings. */
  readonly overtime: number
  /** Parts of the game: the break that ends each, and the break before it. */
  readonly parts: readonly (readonly [period: string, from: string | null, to: string])[]
}

const halves = [['1st_half', null, 'HT']] as const
const inQuarters: SportPeriods = {
  last: 400,
  ends: ['END Q4', 'END 2H'],
  overtime: overtimeRank,
  parts: [
    ...halves,
    ['1st_quarter', null, 'END Q1'],
    ['2nd_quarter', 'END Q1', 'HT'],
    ['3rd_quarter', 'HT', 'END Q3'],
  ],
}
const inHalves: SportPeriods = {
  last: 300,
  ends: ['END 2H'],
  overtime: overtimeRank,
  parts: halves,
}
const inThirds: SportPeriods = {
  last: 300,
  ends: ['END P3'],
  overtime: overtimeRank,
  parts: [
    ['1st_period', null, 'END P1'],
    ['2nd_period', 'END P1', 'END P2'],
  ],
}
const inInnings: SportPeriods = {
  last: 900,
  ends: ['E9'],
  overtime: 1_000,
  parts: [
    ['1st_inning', null, 'E1'],
    ['1st_3_innings', null, 'E3'],
    ['1st_5_innings', null, 'E5'],
    ['1st_7_innings', null, 'E7'],
  ],
}

/** Sports whose score is the points of a game; in others it counts sets, rounds or innings, and players retire. */
const periodsOfSports: Readonly<Record<string, SportPeriods>> = {
  basketball: inQuarters,
  football: inQuarters,
  australian_rules: inQuarters,
  lacrosse: inQuarters,
  hockey: inThirds,
  soccer: inHalves,
  rugby: inHalves,
  rugby_league: inHalves,
  handball: inHalves,
  baseball: inInnings,
}

/**
 * Sports whose overtime ends with the first score: with the break before, it may take less than
 * `liveExpiryMs`.
 */
const suddenDeath: ReadonlySet<string> = new Set(['hockey', 'lacrosse'])

/** The sports whose scores settle bets on the result. */
export const sportsScoredByPoints: ReadonlySet<string> = new Set(Object.keys(periodsOfSports))

/** Returns whether the score of a game settles bets on its result. */
export const isScoredByPoints = (sport: string) => sportsScoredByPoints.has(sport)

/** The shortest soccer game with extra time: 120 minutes of play and 20 of breaks. */
const shortestExtraTimeMs = 140 * 60_000

/** The shortest baseball game of nine innings; a game that rain ends is shorter. */
const shortestNineInningsMs = 110 * 60_000

// ---- the reports of one sportsbook

/** Returns an empty result of a sportsbook. */
export const nothingReported = (sportsbook: string): ReportedResult => ({
  sportsbook,
  observedAt: 0,
  final: null,
  overAt: null,
  endedIn: null,
  periods: [],
})

/**
 * Returns the known result of a sportsbook after another report.
 * @param last its report before; null for none
 * @returns `known` itself if the report adds nothing
 */
export function afterReport(
  known: ReportedResult,
  sport: string,
  last: TimedReport | null,
  now: TimedReport,
): ReportedResult {
  const score = scoreOf(now)
  if (!score) return known
  const rank = rankOf(sport, now.period)
  const isOver = rank === fullTime.rank
  const isGapless = last !== null && now.observedAt - last.observedAt <= liveExpiryMs
  // If a score was taken back, the ends of periods before it are doubtful. If a period is played
  // again, it had not ended.
  let periods = known.periods.filter(
    ({ period, home, away }) =>
      home <= score.home &&
      away <= score.away &&
      (rankOf(sport, period) ?? 0) <= (rank ?? Number.POSITIVE_INFINITY),
  )
  if (periods.length === known.periods.length) periods = known.periods as PeriodScore[]
  const ended = isBreak(now.period)
    ? now.period!
    : isGapless && rank !== null && isSame(scoreOf(last), score)
      ? breakPassed(sport, last.period, rank)
      : null
  if (ended !== null) periods = withPeriod(periods, { period: ended, ...score })
  const final = isOver ? score : null
  const endedIn = isOver
    ? (now.endedIn ?? lastPeriod(known, sport, isGapless ? last : null, score))
    : overtimeAfter(known, sport, now.period)
  const isKnown =
    periods === known.periods && isSame(final, known.final) && endedIn === known.endedIn
  return isKnown
    ? known
    : {
        sportsbook: known.sportsbook,
        observedAt: now.observedAt,
        final,
        overAt: isOver ? overSince(known, sport, now.observedAt, score) : null,
        endedIn,
        periods,
      }
}

/** Returns when a game ended; a correction of its score does not move that. */
function overSince(known: ReportedResult, sport: string, now: number, score: Score): number {
  const isCorrected = known.final !== null
  // The level score may have been that of regulation time, and this one that of extra time.
  const isPlayedOn = sport === 'soccer' && isDecided(known.final, score)
  return isCorrected && !isPlayedOn ? overTime(known) : now
}

/** Returns when a sportsbook reported the end of a game (epoch ms). */
const overTime = ({ overAt, observedAt }: ReportedResult) => overAt ?? observedAt

/** Returns whether a level score has become a decided one. */
const isDecided = (before: Score | null, now: Score) =>
  before !== null && before.home === before.away && now.home !== now.away

/**
 * Returns the last period of a game that is over, if the report of its end does not name it; null
 * if it is unknown. A level game may have been decided in overtime that nobody reported: because
 * the end of regulation time was reported as the end of the game, or because overtime ends with the
 * first score and fell between two reports.
 * @param last the report just before; null for none, or after a gap
 */
function lastPeriod(
  known: ReportedResult,
  sport: string,
  last: TimedReport | null,
  score: Score,
): string | null {
  const isCorrected = known.final !== null
  const period = known.endedIn ?? (isCorrected ? null : (last?.period ?? null))
  const rank = rankOf(sport, period)
  const of = periodsOfSports[sport]
  if (!of || rank === null || isEarly(sport, of, period) || rank >= of.overtime || isBreak(period))
    return period
  const before = isCorrected ? known.final : last && suddenDeath.has(sport) ? scoreOf(last) : null
  return isDecided(before, score) ? null : period
}

/** Returns the overtime that a running game is in; null for none. A report without a period changes nothing. */
function overtimeAfter(known: ReportedResult, sport: string, period: string | null): string | null {
  const rank = rankOf(sport, period)
  if (rank === null) return known.final === null ? known.endedIn : null
  return rank >= overtimeOf(sport) ? period : null
}

const overtimeOf = (sport: string) => periodsOfSports[sport]?.overtime ?? overtimeRank

const scoreOf = ({ homeScore, awayScore }: TimedReport): Score | null =>
  homeScore === null || awayScore === null ? null : { home: homeScore, away: awayScore }

const isSame = (a: Score | null, b: Score | null) => a?.home === b?.home && a?.away === b?.away

/** Matches our spelling of breaks: `HT`, `END Q1`, `E5`. */
const isBreak = (period: string | null) => period !== null && /^(HT|END .+|E\d+)$/.test(period)

/** Returns the break after a period of play if the game is beyond it at a rank; else null. */
function breakPassed(sport: string, period: string | null, rank: number): string | null {
  const after = breakAfter(period)
  const rankOfBreak = rankOf(sport, after)
  return rankOfBreak !== null && rankOfBreak < rank ? after : null
}

/** Returns the break after a period of play; null if no market needs it. */
function breakAfter(period: string | null): string | null {
  if (period === 'Q2' || period === '1H') return 'HT'
  const inning = /^[TMB](\d+)$/.exec(period ?? '')
  if (inning) return `E${inning[1]}`
  return period !== null && /^(Q\d|2H|P\d)$/.test(period) ? `END ${period}` : null
}

function withPeriod(periods: readonly PeriodScore[], of: PeriodScore): PeriodScore[] {
  const before = periods.find(({ period }) => period === of.period)
  if (before && isSame(before, of)) return periods as PeriodScore[]
  return [...periods.filter((one) => one !== before), of]
}

// ---- the reports of all sportsbooks together

/**
 * The reason why there is no final score: nobody reported one, reports differ, or it was no full
 * game.
 */
export type NoResult = 'no_final_score' | 'scores_differ' | 'game_shortened'

/**
 * @param reports of sportsbooks that the reader may see
 * @param marketType the market to be settled
 */
export function gameResultOf(
  sport: string,
  startsAt: number,
  reports: readonly ReportedResult[],
  marketType: string,
): GameResult | NoResult {
  const ended = reports.filter(({ final }) => final !== null)
  if (ended.length === 0) return 'no_final_score'
  const agreed = ended.filter(({ final }) => isSame(final, mostReported(ended)))
  if (agreed.length < ended.length && (agreed.length < 2 || agreed.length * 2 <= ended.length)) {
    return 'scores_differ'
  }
  const of = periodsOfSports[sport]
  if (of && agreed.some(({ endedIn }) => isEarly(sport, of, endedIn))) return 'game_shortened'
  const isFull = marketType === 'moneyline' || of !== inInnings || toldLastInning(reports)
  const overAt = Math.min(...agreed.map(overTime))
  if (!isFull && overAt - startsAt < shortestNineInningsMs) return 'game_shortened'
  const final = agreed[0]!.final!
  const result = { final, regulation: null, periods: new Map<string, Score>() }
  if (!of) return result
  const at = (period: string) =>
    onlyScore(agreed.map(({ periods }) => periods.find((one) => one.period === period) ?? null))
  const undisputed = reports.filter((report) => report.final === null || agreed.includes(report))
  const regulation = regulationOf(sport, of, startsAt, undisputed)
  const periods = result.periods
  const put = (period: string, from: Score | null, to: Score | null) => {
    if (from && to) periods.set(period, { home: to.home - from.home, away: to.away - from.away })
  }
  for (const [period, from, to] of of.parts) put(period, from === null ? nil : at(from), at(to))
  if (of === inQuarters) put('4th_quarter', at('END Q3'), regulation)
  if (of === inThirds) put('3rd_period', at('END P2'), regulation)
  // If there was overtime, sportsbooks differ in whether the second half includes it.
  const isOvertime = sport !== 'soccer' && !isSame(regulation, final)
  if (of === inHalves || (of === inQuarters && !isOvertime)) put('2nd_half', at('HT'), regulation)
  return { final, regulation, periods }
}

/** Returns whether a period is before the last of regulation time. The second half is as early as the third quarter. */
function isEarly(sport: string, { last, ends }: SportPeriods, period: string | null): boolean {
  const rank = rankOf(sport, period)
  return (
    rank !== null && rank < last && !ends.some((end) => end === period || end === `END ${period}`)
  )
}

/**
 * Returns whether a report names the inning in which a game ended, or the end of the last regular
 * inning.
 */
const toldLastInning = (reports: readonly ReportedResult[]) =>
  reports.some(
    ({ final, endedIn, periods }) =>
      (final !== null && rankOf('baseball', endedIn) !== null) ||
      periods.some(({ period }) => inInnings.ends.includes(period)),
  )

const nil: Score = { home: 0, away: 0 }

/** @param reports the reports with the final score; empty if there are none */
function regulationOf(
  sport: string,
  { ends, overtime }: SportPeriods,
  startsAt: number,
  reports: readonly ReportedResult[],
): Score | null {
  const hadOvertime = reports.some(({ endedIn }) => (rankOf(sport, endedIn) ?? 0) >= overtime)
  return onlyScore(
    reports.map((report) => {
      const { final, endedIn, periods } = report
      const atEnd = onlyScore(periods.filter(({ period }) => ends.includes(period)))
      if (hadOvertime) return atEnd
      const isKnown = rankOf(sport, endedIn) !== null
      // The game was in play until the end, so the break reported before it was a mistake.
      if (isKnown && !isBreak(endedIn)) return final
      const isSoon = sport === 'soccer' && overTime(report) - startsAt < shortestExtraTimeMs
      return atEnd ?? (!isKnown && isSoon ? final : null)
    }),
  )
}

function mostReported(reports: readonly ReportedResult[]): Score | null {
  let most: Score | null = null
  let count = 0
  for (const { final } of reports) {
    const alike = reports.filter((other) => isSame(other.final, final)).length
    if (alike > count) {
      most = final
      count = alike
    }
  }
  return most
}

/** Returns the only stated score; null if there are none or several. */
function onlyScore(scores: readonly (Score | null)[]): Score | null {
  const stated = scores.filter((score) => score !== null)
  const first = stated[0]
  if (!first || !stated.every((score) => isSame(score, first))) return null
  return { home: first.home, away: first.away }
}
