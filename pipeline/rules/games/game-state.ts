/**
 * The merged reports of several sportsbooks on a game in play. Only this file has the rules (interface 2.4);
 * `processors/game-states.ts` applies them.
 *
 * - **Reports that count**: those at most 30 s older than the newest. A single report that
 *   contradicts a score of two others does not count (`withoutContradicted`).
 * - **Period**: the most advanced one that two sportsbooks have reached; if only one states a
 *   period, that one. The state shown before does not matter here, so a single wrong sportsbook
 *   does not block later reports.
 * - **Score**: among the sportsbooks that have reached the period, the highest total that two show;
 *   if no two agree, the highest that two have reached. Scores rise, so a higher score has passed
 *   it. A single sportsbook is believed. If two state the period or a later one, a sportsbook
 *   without a period only supports a score that one of them shows.
 * - **The score before** stays against a lower one within its period (`holdsAgainst`). So an
 *   outlier does not take it back, and two late sportsbooks do not correct two that have moved on.
 *   It only stays if two sportsbooks had shown it, so the order of first reports never matters.
 * - **Clock**: the most advanced of the period, by the direction of the sport. A clock more than a minute ahead of
 *   all others is wrong.
 * - **Situation**: each group of fields comes from the first sportsbook, in a fixed order, that has
 *   any of its fields.
 *
 * The result of reports of the same time does not depend on their order: `the score before` is from
 * before that time.
 */

import type {
  Backing,
  GameReport,
  GameState,
  ShownScore,
  Situation,
} from '../../../schemas/game-state.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { countsUp, fullTime, rankOf, readClock, readPeriod } from './game-periods.ts'

// ---- one report

type Scalar = string | number | boolean | null

type Form = 'count' | 'number' | 'flag' | 'side' | 'text'

interface Member {
  readonly form: Form
  /** The group of fields that are taken together from one sportsbook. */
  readonly group: string
  /** The sports that have it; absent for all. */
  readonly sports?: readonly string[]
}

/** Returns a pair of counts, one for each side. */
const pair = (name: string, ...sports: string[]): [string, Member][] =>
  ['home', 'away'].map((side) => [`${name}_${side}`, { form: 'count', group: name, sports }])

const single = (name: string, form: Form, ...sports: string[]): [string, Member] => [
  name,
  { form, group: name, ...(sports.length > 0 && { sports }) },
]

const atBat = (name: string, form: Form): [string, Member] => [
  name,
  { form, group: 'at_bat', sports: ['baseball'] },
]

const situationMembers: ReadonlyMap<string, Member> = new Map([
  single('possession', 'side'),
  single('server', 'side', 'tennis'),
  single('last_play', 'text'),
  single('is_timeout', 'flag'),
  ...pair('fouls', 'basketball', 'soccer'),
  ...pair('corners', 'soccer'),
  ...pair('yellow_cards', 'soccer'),
  ...pair('red_cards', 'soccer'),
  single('power_play', 'side', 'hockey'),
  ...pair('sets', 'tennis'),
  ...pair('hits', 'baseball'),
  single('home_pitcher', 'text', 'baseball'),
  single('away_pitcher', 'text', 'baseball'),
  atBat('outs', 'count'),
  atBat('balls', 'count'),
  atBat('strikes', 'count'),
  atBat('runner_first', 'flag'),
  atBat('runner_second', 'flag'),
  atBat('runner_third', 'flag'),
  ...pair('wickets', 'cricket'),
  single('overs', 'number', 'cricket'),
  single('batting_team', 'side', 'cricket'),
])

const countMax = 100_000
const textMax = 300

const isForm: Readonly<Record<Form, (value: Scalar) => boolean>> = {
  count: isCount,
  number: (value) => typeof value === 'number' && value >= 0 && value <= countMax,
  flag: (value) => typeof value === 'boolean',
  side: (value) => value === 'home' || value === 'away',
  text: (value) => typeof value === 'string' && value !== '' && value.length <= textMax,
}

function isCount(value: Scalar): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= countMax
}

/** Other names of our fields, in sportsbooks and pushes. */
const otherNames: Readonly<Record<string, string>> = { period: 'game_period', clock: 'game_clock' }

export interface ReadReport extends Omit<GameReport, 'sportsbook' | 'observedAt'> {
  /**
   * The last period of a game that is over, if the text of its end names it; not part of the row.
   */
  readonly endedIn?: string
}

/**
 * Reads a statement into our fields, in the frame of the statement.
 * @param leaveOut called for a field that the sport does not have, or that has an invalid value
 * @param league decides which periods the game has; absent for those of its sport
 * @returns null for a game that has not begun
 */
export function readReport(
  sport: string,
  state: Readonly<Record<string, Scalar>>,
  leaveOut: (member: string) => void,
  league?: string,
): ReadReport | null {
  let home: number | null = null
  let away: number | null = null
  let period: string | null = null
  let endedIn: string | undefined
  let clock: string | null = null
  const situation: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(state)) {
    if (value === null) continue
    const member = otherNames[name] ?? name
    if (member === 'home_score' && isCount(value)) home = value
    else if (member === 'away_score' && isCount(value)) away = value
    else if (member === 'game_period' && typeof value === 'string') {
      const read = readPeriod(sport, value, league)
      if (read === 'before') return null
      // The sport has such a period, but the league does not: a quarter in a game of halves.
      if (read === null && rankOf(sport, value) !== null) leaveOut(name)
      else period = (read?.text ?? value.trim().slice(0, textMax)) || null
      endedIn = read?.endedIn
    } else if (member === 'game_clock' && typeof value === 'string') {
      clock = readClock(value)?.text ?? null
      if (clock === null) leaveOut(name)
    } else {
      const known = situationMembers.get(member)
      const isOfSport = known && (!known.sports || known.sports.includes(sport))
      if (isOfSport && isForm[known.form](value)) situation[member] = value
      else leaveOut(name)
    }
  }
  if (sport === 'tennis') nameServer(situation)
  // The score of only one side is no score.
  const isScored = home !== null && away !== null
  return {
    homeScore: isScored ? home : null,
    awayScore: isScored ? away : null,
    period,
    ...(endedIn !== undefined && { endedIn }),
    clock,
    situation,
  }
}

/** Returns whether the report is of a game that is not over yet. */
export const isRunning = (sport: string, { period }: Pick<GameReport, 'period'>) =>
  rankOf(sport, period) !== fullTime.rank

/** Sets the possession in tennis: the server has it. */
function nameServer(situation: Record<string, string | number | boolean>) {
  const server = situation.server ?? situation.possession
  if (server === undefined) return
  situation.server = server
  situation.possession = server
}

// ---- sides

/** Returns the same with its sides swapped: scores, and every field that belongs to a side. */
export function flipSides<
  Of extends { homeScore: number | null; awayScore: number | null; situation: Situation },
>(of: Of): Of {
  return {
    ...of,
    homeScore: of.awayScore,
    awayScore: of.homeScore,
    situation: flipSituation(of.situation),
  }
}

function flipSituation(situation: Situation): Situation {
  return Object.fromEntries(
    Object.entries(situation).map(([name, value]) => [
      otherSideOf(name),
      situationMembers.get(name)?.form === 'side' ? (value === 'home' ? 'away' : 'home') : value,
    ]),
  )
}

const otherSideOf = (name: string) =>
  name.replace(/(^|_)(home|away)(?=_|$)/, (_, before, side) =>
    side === 'home' ? `${before}away` : `${before}home`,
  )

// ---- all reports

/** The age, from the newest report, beyond which a report does not count. */
const lateMs = 30_000
/** A sportsbook's report up to this age is preferred as the source of the score. */
const recentMs = 10_000
/** A clock more than this ahead of all others is wrong (s). */
const clockLeadSeconds = 60

/** Sportsbooks whose situation is preferred, in this order; others follow by name. */
const priority: readonly string[] = [
  'bet365',
  'draftkings',
  'fanduel',
  'pinnacle',
  'betmgm',
  'caesars',
  'betrivers',
]

function comparePriority(a: GameReport, b: GameReport): number {
  const place = ({ sportsbook }: GameReport) => {
    const at = priority.indexOf(sportsbook)
    return at < 0 ? priority.length : at
  }
  return place(a) - place(b) || compareTexts(a.sportsbook, b.sportsbook)
}

type Scored = GameReport & { readonly homeScore: number; readonly awayScore: number }
type Score = Pick<Scored, 'homeScore' | 'awayScore'>
type BackedScore = Score & Pick<ShownScore, 'backing'>

const scoreIn = ({ homeScore, awayScore }: Score): Score => ({ homeScore, awayScore })

const isScored = (report: GameReport): report is Scored => report.homeScore !== null
const isSame = (a: Score, b: Score) => a.homeScore === b.homeScore && a.awayScore === b.awayScore
/**
 * Returns whether `at` has reached a score: scores rise, so a report with at least as much on both sides has passed
 * it.
 */
const hasReached = (at: Score, score: Score) =>
  at.homeScore >= score.homeScore && at.awayScore >= score.awayScore
const totalOf = ({ homeScore, awayScore }: Score) => homeScore + awayScore

/**
 * @param shown the state before the last report; null for none
 * @returns null while no sportsbook has reported a score
 */
export function mergeReports(
  sport: string,
  reports: readonly GameReport[],
  shown: GameState | null,
): Omit<GameState, 'fromLevel'> | null {
  const observedAt = Math.max(...reports.map((report) => report.observedAt))
  const counted = reports
    .filter((report) => observedAt - report.observedAt <= lateMs)
    .sort(comparePriority)
  const before = shown?.observedAt === observedAt ? shown.before : shown
  const { periodRank, inPeriod, scored, placed } =
    withoutContradicted(sport, counted) ?? decidingOf(sport, counted)
  if (scored.length === 0) return null
  const ofPeriod =
    before && rankOf(sport, before.period) === periodRank && !(placed > 1 && isUnplaced(before))
      ? before
      : null
  const score = scoreOf(scored, ofPeriod)
  const { homeScore, awayScore } = score
  const backing = placed === 1 && score !== ofPeriod ? unplaced(score.backing) : score.backing
  const primary = primaryOf(scored, { homeScore, awayScore }, observedAt)
  const atPeriod = inPeriod.filter(({ period }) => rankOf(sport, period) === periodRank)
  return {
    observedAt,
    homeScore,
    awayScore,
    backing,
    period: atPeriod.find(({ period }) => period !== null)?.period ?? ofPeriod?.period ?? null,
    clock: clockOf(sport, atPeriod),
    primaryBook: primary.sportsbook,
    primaryAt: primary.observedAt,
    bookCount: counted.length,
    situation: situationOf(inPeriod),
    before: before && {
      homeScore: before.homeScore,
      awayScore: before.awayScore,
      period: before.period,
      backing: before.backing,
    },
  }
}

/** The reports that decide the state, and those whose scores count. */
interface Deciding {
  readonly periodRank: number | null
  readonly inPeriod: readonly GameReport[]
  readonly scored: readonly Scored[]
  /** How many of them state a period. */
  readonly placed: number
}

function decidingOf(sport: string, counted: readonly GameReport[]): Deciding {
  const periodRank = rankReached(sport, counted.filter(isScored))
  const inPeriod = counted.filter(({ period }) => {
    const rank = rankOf(sport, period)
    return rank === null || periodRank === null || rank >= periodRank
  })
  return { periodRank, inPeriod, ...scoredIn(sport, inPeriod) }
}

/**
 * Returns the reports without a single one that contradicts a score of two others, if that score
 * decides without it. Scores rise: in a later period that report would have reached the score, and
 * in an earlier one it would not have passed it.
 */
function withoutContradicted(sport: string, counted: readonly GameReport[]): Deciding | undefined {
  const scored = counted.filter(isScored)
  const [first] = scored
  if (!first || scored.every((report) => isSame(report, first))) return undefined
  const ranks = scored.map(({ period }) => rankOf(sport, period))
  const isAlone = (score: Score) => countOf(scored, (other) => isSame(other, score)) === 1
  for (const [i, agreed] of scored.entries()) {
    const rank = ranks[i]
    if (rank == null || isAlone(agreed)) continue
    const [wrong, ...others] = scored.filter((other, j) => {
      const its = ranks[j] ?? rank
      return its > rank ? !hasReached(other, agreed) : its < rank && !hasReached(agreed, other)
    })
    if (!wrong || others.length > 0 || !isAlone(wrong)) continue
    const deciding = decidingOf(
      sport,
      counted.filter((report) => report !== wrong),
    )
    if (countOf(deciding.scored, (report) => isSame(report, agreed)) > 1) return deciding
  }
  return undefined
}

/**
 * Returns the rank of the most advanced period that two have reached; if only one states a period,
 * that one.
 */
function rankReached(sport: string, scored: readonly Scored[]) {
  const ranks = scored
    .map(({ period }) => rankOf(sport, period))
    .filter((rank) => rank !== null)
    .sort((a, b) => b - a)
  return ranks[1] ?? ranks[0] ?? null
}

/**
 * Returns the reports whose scores count, and how many of them state a period. A report without a
 * period may be of any: if two others state one, it only counts with a score that one of them
 * shows.
 * @param inPeriod the reports, without those of an earlier period
 */
function scoredIn(sport: string, inPeriod: readonly GameReport[]) {
  const scored = inPeriod.filter(isScored)
  const inPlace = scored.filter(({ period }) => rankOf(sport, period) !== null)
  const placed = inPlace.length
  if (placed < 2) return { scored, placed }
  return { scored: scored.filter((of) => inPlace.some((other) => isSame(of, other))), placed }
}

const isUnplaced = ({ backing }: ShownScore) => backing.endsWith('_unplaced')

const unplaced = (backing: Backing): Backing =>
  backing === 'reached' || backing === 'agreed' ? `${backing}_unplaced` : backing

/** Returns whether two sportsbooks showed the score. */
const isAgreedOn = ({ backing }: ShownScore) => backing.startsWith('agreed')

/** @param before the score shown in the same period; null for none */
function scoreOf(scored: readonly Scored[], before: ShownScore | null): BackedScore {
  const [only] = scored
  if (scored.length === 1 && only) return { ...scoreIn(only), backing: 'one' }
  const agreed = highest(scored, (score) => countOf(scored, (report) => isSame(report, score)) > 1)
  const reached =
    agreed ??
    highest(scored, (score) => countOf(scored, (report) => hasReached(report, score)) > 1) ??
    null
  if (before && holdsAgainst(before, reached, { scored, isAgreed: agreed !== undefined }))
    return before
  // The scores contradict each other and there is none before: take the first sportsbook of the
  // order.
  if (!reached) return { ...scoreIn(only!), backing: 'one' }
  // A score reached from one that two showed is as firm as that one.
  const isFirm =
    agreed !== undefined || (before !== null && isAgreedOn(before) && hasReached(reached, before))
  return { ...scoreIn(reached), backing: isFirm ? 'agreed' : 'reached' }
}

/**
 * Returns whether the score before is kept against a lower one.
 * @param reached the score that two have reached; null for none
 */
function holdsAgainst(
  before: ShownScore,
  reached: Score | null,
  { scored, isAgreed }: { readonly scored: readonly Scored[]; readonly isAgreed: boolean },
): boolean {
  if (before.backing === 'one' || (reached && hasReached(reached, before))) return false
  const holding = countOf(scored, (report) => hasReached(report, before))
  const isLess = !reached || totalOf(reached) < totalOf(before)
  if (holding > 1) return isLess && (!isAgreed || isAgreedOn(before))
  return holding === 1 && !isAgreed
}

function highest(scored: readonly Scored[], isBacked: (score: Scored) => boolean) {
  let found: Scored | undefined
  for (const score of scored) {
    if ((!found || totalOf(score) > totalOf(found)) && isBacked(score)) found = score
  }
  return found
}

const countOf = (scored: readonly Scored[], test: (report: Scored) => boolean) =>
  scored.reduce((count, report) => (test(report) ? count + 1 : count), 0)

/**
 * Returns the report that shows the score, preferably a recent one; for a score kept from before, one that has passed
 * it.
 */
function primaryOf(scored: readonly Scored[], score: Score, observedAt: number): Scored {
  const isRecent = (report: Scored) => observedAt - report.observedAt <= recentMs
  const showing = scored.filter((report) => isSame(report, score))
  const among = showing.length > 0 ? showing : scored.filter((of) => hasReached(of, score))
  return among.find(isRecent) ?? among[0] ?? scored[0]!
}

/** Returns the most advanced clock of the reports at one period. */
function clockOf(sport: string, atPeriod: readonly GameReport[]): string | null {
  const clocks = atPeriod
    .flatMap(({ clock }) => (clock === null ? [] : (readClock(clock) ?? [])))
    .sort((a, b) => (countsUp(sport) ? b.seconds - a.seconds : a.seconds - b.seconds))
  const [first, second] = clocks
  if (!first) return null
  const isAlone = second && Math.abs(first.seconds - second.seconds) > clockLeadSeconds
  return isAlone ? second.text : first.text
}

/** @param counted in the order of preference */
function situationOf(counted: readonly GameReport[]): Situation {
  const sourceOf = new Map<string, string>()
  const situation: Record<string, string | number | boolean> = {}
  for (const report of counted) {
    for (const [name, value] of Object.entries(report.situation)) {
      const group = situationMembers.get(name)?.group ?? name
      const source = sourceOf.get(group) ?? report.sportsbook
      sourceOf.set(group, source)
      if (source === report.sportsbook) situation[name] = value
    }
  }
  return situation
}
