/**
 * What the reports of several sportsbooks on a game in play come to. The one place of the rules
 * (interface 2.4); `processors/game-state.ts` says when they are applied.
 *
 * - **Which reports count.** A report that is more than 30 s older than the newest does not.
 * - **Period**: the most advanced that two sportsbooks have reached; of one sportsbook, its own. What was
 *   shown before has no say: one that was alone, and wrong, holds nothing against those who come after it.
 * - **Score**: among those who have reached the period, the highest total that two show alike; where no
 *   two agree, the highest that two have reached: scores rise, so whoever shows more has passed it. One
 *   sportsbook that is the only one is believed.
 * - **The score before** stands against a lower one within its period (`holdsAgainst`), so that an outlier
 *   takes nothing back, and two who lag do not correct two who have gone on. It stands only where two
 *   sportsbooks were behind it, so it never matters in which order sportsbooks speak for the first time.
 * - **Clock**: the most advanced of the period, by the direction of the sport. One that is more than a
 *   minute ahead of all others is wrong.
 * - **Situation**: each group of members from the first sportsbook of a fixed order that has any of it.
 *
 * What comes of reports of one instant does not depend on their order: the score that stands is the one
 * from before that instant.
 */

import type { GameReport, GameState, ShownScore, Situation } from '../../../schemas/game-state.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { countsUp, fullTime, rankOf, readClock, readPeriod } from './game-periods.ts'

// ---- one report

type Scalar = string | number | boolean | null

type Form = 'count' | 'number' | 'flag' | 'side' | 'text'

interface Member {
  readonly form: Form
  /** Members of a group are taken from one sportsbook. */
  readonly group: string
  /** The sports that have it; absent for all. */
  readonly sports?: readonly string[]
}

/** A pair of counts, one for each side. */
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

/** Names that sportsbooks and pushes have for members of ours. */
const otherNames: Readonly<Record<string, string>> = { period: 'game_period', clock: 'game_clock' }

export type ReadReport = Omit<GameReport, 'sportsbook' | 'observedAt'>

/**
 * What a statement says in our words, in the frame of the statement.
 * @param leaveOut called for a member that is none of the sport's, or has a value that it cannot have
 * @returns null for a game that has not begun
 */
export function readReport(
  sport: string,
  state: Readonly<Record<string, Scalar>>,
  leaveOut: (member: string) => void,
): ReadReport | null {
  let home: number | null = null
  let away: number | null = null
  let period: string | null = null
  let clock: string | null = null
  const situation: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(state)) {
    if (value === null) continue
    const member = otherNames[name] ?? name
    if (member === 'home_score' && isCount(value)) home = value
    else if (member === 'away_score' && isCount(value)) away = value
    else if (member === 'game_period' && typeof value === 'string') {
      const read = readPeriod(sport, value)
      if (read === 'before') return null
      period = (read?.text ?? value.trim().slice(0, textMax)) || null
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
  // Half a score is none.
  const isScored = home !== null && away !== null
  return {
    homeScore: isScored ? home : null,
    awayScore: isScored ? away : null,
    period,
    clock,
    situation,
  }
}

/** Whether the report is of a game that is not over yet. */
export const isRunning = (sport: string, { period }: Pick<GameReport, 'period'>) =>
  rankOf(sport, period) !== fullTime.rank

/** In tennis who serves is in possession. */
function nameServer(situation: Record<string, string | number | boolean>) {
  const server = situation.server ?? situation.possession
  if (server === undefined) return
  situation.server = server
  situation.possession = server
}

// ---- sides

/** The same with its sides the other way round: scores, and every member that is of a side. */
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

/** A report this much older than the newest does not count. */
const lateMs = 30_000
/** A sportsbook that reported the score this recently is preferred as its source. */
const recentMs = 10_000
/** A clock further ahead of all others is wrong (s). */
const clockLeadSeconds = 60

/** Sportsbooks whose fields of the situation are taken first; the others follow by name. */
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
/** Scores rise: a report with at least as much on both sides has passed this one. */
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
  const periodRank = rankReached(sport, counted.filter(isScored))
  const inPeriod = counted.filter(({ period }) => {
    const rank = rankOf(sport, period)
    return rank === null || periodRank === null || rank >= periodRank
  })
  const scored = inPeriod.filter(isScored)
  if (scored.length === 0) return null
  const ofPeriod = before && rankOf(sport, before.period) === periodRank ? before : null
  const { homeScore, awayScore, backing } = scoreOf(scored, ofPeriod)
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

/** The rank of the most advanced period that two have reached; of one who tells a period, its own. */
function rankReached(sport: string, scored: readonly Scored[]) {
  const ranks = scored
    .map(({ period }) => rankOf(sport, period))
    .filter((rank) => rank !== null)
    .sort((a, b) => b - a)
  return ranks[1] ?? ranks[0] ?? null
}

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
  // Scores that contradict each other, and nothing before them: the first sportsbook of the order.
  if (!reached) return { ...scoreIn(only!), backing: 'one' }
  // Those who have gone on from a score that two showed hold it as firmly as that one.
  const isFirm =
    agreed !== undefined || (before?.backing === 'agreed' && hasReached(reached, before))
  return { ...scoreIn(reached), backing: isFirm ? 'agreed' : 'reached' }
}

/**
 * Whether the score before is kept against a lower one.
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
  if (holding > 1) return isLess && !(isAgreed && before.backing === 'reached')
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

/** Who shows the score, rather one that said so just now; of a score that stood, who has passed it. */
function primaryOf(scored: readonly Scored[], score: Score, observedAt: number): Scored {
  const isRecent = (report: Scored) => observedAt - report.observedAt <= recentMs
  const showing = scored.filter((report) => isSame(report, score))
  const among = showing.length > 0 ? showing : scored.filter((of) => hasReached(of, score))
  return among.find(isRecent) ?? among[0] ?? scored[0]!
}

/** The most advanced clock of those at one period. */
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
