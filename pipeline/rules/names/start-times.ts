/**
 * How far apart the starts of one game, and of two games of one side, may be, by sport and league
 * (ms).
 */

import { memoise } from '../../../schemas/memoise.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { isOfComputer } from './team-marks.ts'

export const minute = 60_000
const hour = 60 * minute
export const day = 24 * hour

/** Two starts less than this apart are one start; sportsbooks round and move by minutes. */
export const sameStartMs = 15 * minute
/** Candidates closer in time than this cannot be told apart by time. */
export const tieMs = 10 * minute

/** The sport of a game and its league, by id or name. */
export interface Contest {
  readonly sport: string
  readonly league?: string
}

/**
 * How far apart two sportsbooks may put one game: less than the time from one game to the next of the same sides.
 * In baseball and softball, sides meet twice a day; in table tennis, esports and leagues of short
 * games, more often. Two fighters or tennis players do not meet twice in one event, and their
 * starts are often placeholders.
 */
const windows: ReadonlyMap<string, number> = new Map([
  ['baseball', 2 * hour - 1],
  ['softball', 2 * hour - 1],
  ['table_tennis', 40 * minute - 1],
  ['esports', 60 * minute - 1],
  ['tennis', 12 * hour],
  ['mma', 24 * hour],
  ['boxing', 24 * hour],
])
const usualWindow = 3 * hour

/** Sports with leagues of short games, in which the same sides meet again on the same day. */
const sportsOfShortGames = new Set(['cricket', 'darts'])
const shortGamesWindow = 2 * hour - 1

/** Matches the formats of cricket in which a game takes a day or more. */
const longCricket =
  /\b(?:tests?|odis?|one day|1 day|list a|first class|county|shield|trophy|[3-5] day)\b/

/** The window for games of a few minutes: on a computer, or with few players per side. */
const computerWindow = 30 * minute - 1
const fewPlayersWindow = 40 * minute - 1

/** Matches leagues with few players per side: "Liga Pro 3x3", "Short Football". */
const fewPlayers =
  /(?<![\p{L}\p{N}])([1-6]) ?(?:x|v|on) ?\1(?!\d)|\bshort (?:football|soccer|hockey|basketball)\b/u

const windowOfLeague = memoise(
  (sport: string) =>
    memoise((league: string): number => {
      const usual = windows.get(sport) ?? usualWindow
      const known = leagueById(league)
      const words = normaliseName(`${sport} ${league} ${known?.name ?? ''}`)
      if (isOfComputer(words, sport)) return Math.min(computerWindow, usual)
      if (fewPlayers.test(words)) return Math.min(fewPlayersWindow, usual)
      const isShort = sportsOfShortGames.has(sport) && !known && !longCricket.test(words)
      return isShort ? shortGamesWindow : usual
    }, 512),
  64,
)

/** Returns how far apart two starts of one game may be (ms). */
export const windowOf = ({ sport, league = '' }: Contest) => windowOfLeague(sport)(league)

/** Returns whether the same sides play more than once a day, so that two ids are two games. */
export const hasDoubleheaders = (contest: Contest) => windowOf(contest) < usualWindow

/** Sports whose teams rest for days between games. */
const weeklySports = new Set(['soccer', 'football', 'australian_rules', 'rugby', 'rugby_league'])

/** Returns whether one day holds one game of the same sides. */
export const isWeekly = (contest: Contest) =>
  weeklySports.has(contest.sport) && !hasDoubleheaders(contest)

/**
 * Returns whether the same sides do not meet again for days, so that a start may be listed as only
 * a date.
 */
const mayBeDated = (contest: Contest) => isWeekly(contest) || windowOf(contest) >= day

/**
 * How long a date lasts in UTC and in all time zones behind it, as far as the Pacific coast of
 * America.
 */
const dateMs = day + 8 * hour

/**
 * Returns whether a start is at midnight UTC and may be only the date of the other, in UTC or in
 * local American time.
 */
const mayBeDateOf = (date: number, startsAt: number) =>
  date % day === 0 && startsAt >= date && startsAt - date < dateMs

/** Returns whether one of two starts (epoch ms) may be only a date, and is the date of the other. */
export const sharesDate = (
  contest: Contest,
  { startsAt: one }: { readonly startsAt: number },
  { startsAt: other }: { readonly startsAt: number },
): boolean => (mayBeDateOf(one, other) || mayBeDateOf(other, one)) && mayBeDated(contest)

/** Returns whether two starts (epoch ms) may be of one game. */
export const mayBeOneStart = (
  contest: Contest,
  a: { readonly startsAt: number },
  b: { readonly startsAt: number },
): boolean => Math.abs(a.startsAt - b.startsAt) <= windowOf(contest) || sharesDate(contest, a, b)

/**
 * Returns the most listings with only a date per listing with a time: fight nights may really begin
 * at midnight.
 */
const datesPerTime = (contest: Contest) => (isWeekly(contest) ? 2 : 1)

/**
 * Returns the starts (epoch ms) of one game that are only the date of another start, which is a
 * time hours later. Times must be listed at least half as often as the date (in sports that are not
 * weekly, as often). Few sportsbooks list dates, and some games do begin at midnight UTC.
 * @param votes how many listings have each start
 */
export function datesAmong(contest: Contest, votes: ReadonlyMap<number, number>): number[] {
  const starts = [...votes.keys()]
  return starts.filter((date) => {
    const times = starts.filter((start) => mayBeDateOf(date, start) && start - date > usualWindow)
    const timed = times.reduce((sum, start) => sum + (votes.get(start) ?? 0), 0)
    return (
      timed > 0 && (votes.get(date) ?? 0) <= datesPerTime(contest) * timed && mayBeDated(contest)
    )
  })
}
