/**
 * Event ids: `{league}_{team}_{team}_{YYYY-MM-DD}_b{0..3}`, with `_g1`, `_g2` for further games of
 * the same teams in the same quarter of a day. An id is made once, when a game is first seen, and
 * stays when the start moves. So its date is that of the first start and may differ from the
 * current one.
 */
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import { sharedCities } from './team-words.ts'

export interface EventIdentity {
  readonly leagueId: string
  /** The time zone of the id's date and quarter of a day. */
  readonly clock: 'us_eastern' | 'utc'
  /** Slugs by `teamSlug`; their order does not matter. */
  readonly home: string
  readonly away: string
  /** Epoch ms. */
  readonly startsAt: number
}

/**
 * Creates the id of a new game.
 * @param taken returns whether another game already has this id
 */
export function createEventId(game: EventIdentity, taken: (id: string) => boolean): string {
  const [first, second] = game.home < game.away ? [game.home, game.away] : [game.away, game.home]
  const offset = game.clock === 'us_eastern' ? easternOffsetMs(game.startsAt) : 0
  const local = new Date(game.startsAt + offset)
  const quarter = Math.floor(local.getUTCHours() / 6)
  const id = `${game.leagueId}_${first}_${second}_${local.toISOString().slice(0, 10)}_b${quarter}`
  if (!taken(id)) return id
  for (let number = 1; ; number++) {
    const next = `${id}_g${number}`
    if (!taken(next)) return next
  }
}

/** A team of the reference table. */
export interface SluggedTeam {
  readonly name: string
  readonly mascot: string | null
}

const trailing = new Set([
  ...['fc', 'cf', 'sc', 'afc', 'ac', 'fk', 'sk', 'bk', 'if', 'cd', 'club'],
  ...[
    'united',
    'utd',
    'city',
    'town',
    'rovers',
    'wanderers',
    'county',
    'albion',
    'hotspur',
    'athletic',
  ],
])
const clubForms = new Set([
  'fc',
  'cf',
  'sc',
  'afc',
  'ac',
  'fk',
  'sk',
  'bk',
  'if',
  'cd',
  'club',
  'as',
])
const articles = new Set(['the', 'los', 'las'])
const cities = new Set(sharedCities.map((city) => city.replaceAll('-', '')))

/**
 * Returns a team's slug for event ids: letters and digits only, never empty. In US leagues it is the nickname
 * ("knicks", "whitesox") of a team in the reference table; colleges, whose nicknames repeat, and unknown teams keep
 * their full name. In other leagues it is the name without a leading article and a trailing FC,
 * United and the like, unless that leaves a city with several clubs: Manchester United and
 * Manchester City stay two.
 * @param us whether the league's ids name teams by nickname
 * @param team the reference table's team, if known; its name replaces the sportsbook's spelling
 */
export function teamSlug(name: string, us: boolean, team?: SluggedTeam): string {
  if (us && team?.mascot) return compact(words(team.mascot)) || fallback(name)
  const all = words(team?.name ?? name)
  if (us) return compact(all) || fallback(name)
  let short = all
  if (short.length > 1 && articles.has(short[0] ?? '')) short = short.slice(1)
  if (short.length > 1 && clubForms.has(short[0] ?? '')) short = short.slice(1)
  while (short.length > 1 && trailing.has(short.at(-1) ?? '')) short = short.slice(0, -1)
  const longer = all.filter((word) => !clubForms.has(word))
  const slug = compact(short)
  // "FC Dundee" and "Dundee United" must not both become "dundee".
  if (cities.has(slug) && longer.length > short.length) return compact(longer)
  return slug || compact(all) || fallback(name)
}

const words = (name: string) =>
  foldAccents(name)
    .replace(/['’‘`´.]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

const compact = (list: readonly string[]) => list.join('')

/** Returns the code points of a name in another script, so that two such names differ. */
function fallback(name: string): string {
  const points = [...name.toLowerCase().normalize('NFC')].filter((letter) =>
    /[\p{L}\p{N}]/u.test(letter),
  )
  return `x${points.map((letter) => letter.codePointAt(0)?.toString(36)).join('')}`
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Returns the offset of US Eastern time from UTC: -4 h from the second Sunday in March to the first in November,
 * changing at 02:00 local time, else -5 h (the law since 2007). A fixed rule, because the runtime's time zone
 * formatter is many times slower.
 */
export function easternOffsetMs(at: number): number {
  const year = new Date(at).getUTCFullYear()
  let summer = summers.get(year)
  if (summer === undefined) {
    summer = [sundayOf(year, 2, 2) + 7 * hourMs, sundayOf(year, 10, 1) + 6 * hourMs]
    summers.set(year, summer)
  }
  return at >= summer[0] && at < summer[1] ? -4 * hourMs : -5 * hourMs
}

/** The beginning and end of summer time by year. */
const summers = new Map<number, readonly [from: number, to: number]>()

/** Returns midnight UTC of the nth Sunday of a month (0 is January). */
function sundayOf(year: number, month: number, nth: number): number {
  const first = Date.UTC(year, month, 1)
  const daysToSunday = (7 - new Date(first).getUTCDay()) % 7
  return first + (daysToSunday + 7 * (nth - 1)) * dayMs
}
