/**
 * Names of well-known clubs and colleges, beside the teams of the tables. This file only lists which names are one
 * side; the facts of a team in a table (id, city, division) are in `teams.ts`.
 *
 * A college is looked up among colleges if the league is a college league. Elsewhere a name counts
 * only while one side of its sport has it: "Houston" is a college and a club of the NBA, so it
 * resolves to neither.
 */
import { listOf, readDataFile, recordOf, row, text, texts } from '../data-file.ts'
import { memoise } from '../memoise.ts'
import { collegeKey } from './college-key.ts'
import { normaliseName } from './normalise-name.ts'
import clubRows from './team-lists/clubs.json' with { type: 'json' }
import collegeRows from './team-lists/colleges.json' with { type: 'json' }
import {
  countryOfTeam,
  hasOwnTeams,
  isNameInSport,
  type Team,
  teams,
  teamsOfLeague,
} from './teams.ts'

export interface KnownSide {
  readonly key: string
  readonly name: string
}

/**
 * Clubs beside those of the tables of teams, by sport. Differences that spelling rules cover (accents, FC, cut words)
 * are no aliases; sponsors, nicknames, initials and bare cities are.
 */
const clubs = new Map(
  Object.entries(
    readDataFile(
      'schemas/reference/team-lists/clubs.json',
      recordOf(listOf(row({ name: text, aliases: texts }))),
      clubRows,
    ),
  ),
)

/**
 * US colleges. Regular abbreviations (State and St., N. and North, Ill. and Illinois) are no aliases: a college is
 * looked up by `collegeKey`.
 */
export const colleges = readDataFile(
  'schemas/reference/team-lists/colleges.json',
  listOf(row({ name: text, nickname: text, aliases: texts })),
  collegeRows,
)

const sportsOfColleges = new Set(['basketball', 'football', 'baseball', 'hockey', 'lacrosse'])
const collegeLeague = /ncaa|college|\bcfb\b|\bcbb\b/i

/** Returns whether a league, by id or name, is one of US colleges. */
export const isCollegeLeague = (league: string): boolean => collegeLeague.test(league)

/** Names to the side that has them, null for more than one. */
type Index = Map<string, KnownSide | null>

function add(index: Index, name: string, side: KnownSide) {
  const before = index.get(name)
  if (name !== '') index.set(name, before === undefined || before?.key === side.key ? side : null)
}

/** Short names of colleges to their full words, for leagues of colleges. */
const collegeNames: Index = new Map()
for (const { name, nickname, aliases } of colleges) {
  const side = { key: `college ${collegeKey(name)}`, name: `${name} ${nickname}` }
  for (const one of [name, ...aliases].flatMap((short) => [short, `${short} ${nickname}`]))
    add(collegeNames, collegeKey(one), side)
}

export interface ClubNames {
  readonly name: string
  /** Its aliases and its city. */
  readonly otherNames: readonly string[]
  /** The country in whose leagues it plays, if the tables have it. */
  readonly playsIn: string | undefined
}

/**
 * Leaves out teams with a nickname behind the city: they are in a closed league, which has no other
 * club of the city's name.
 */
const asClubs = (rows: readonly Team[]): readonly ClubNames[] =>
  rows
    .filter(({ mascot }) => mascot === null)
    .map((team) => ({
      name: team.name,
      otherNames: team.city ? [...team.aliases, team.city] : team.aliases,
      playsIn: countryOfTeam(team),
    }))

/** Returns the clubs of a sport in all tables. */
export const clubsOfSport = (sport: string): readonly ClubNames[] => [
  ...(clubs.get(sport) ?? []).map(({ name, aliases }) => ({
    name,
    otherNames: aliases,
    playsIn: undefined,
  })),
  ...asClubs(teams.filter((team) => team.sport === sport)),
]

/** Returns the clubs that play in a league by the tables. */
export const clubsInLeague = (league: string) => asClubs(teamsOfLeague(league))

/** Returns words in the names of several teams of a sport: "Union" and "Tokyo" alone are short for no single team. */
const wordsOfSeveral = memoise((sport): ReadonlySet<string> => {
  const seen = new Set<string>()
  const several = new Set<string>()
  const names = [...(clubs.get(sport) ?? []), ...teams.filter((team) => team.sport === sport)]
  for (const name of new Set(names.map((team) => normaliseName(team.name))))
    for (const word of new Set(name.split(' '))) (seen.has(word) ? several : seen).add(word)
  return several
}, 64)

const clubNames = new Map<string, Index>()
for (const [sport, rows] of clubs) {
  const index: Index = new Map()
  const ofSeveral = wordsOfSeveral(sport)
  for (const { name, aliases } of rows) {
    const side = { key: `club ${normaliseName(name)}`, name }
    add(index, normaliseName(name), side)
    for (const alias of aliases.map(normaliseName))
      if (!ofSeveral.has(alias)) add(index, alias, side)
  }
  clubNames.set(sport, index)
}

/** The least letters of a name that is cut off, usually after about fourteen, and continued by only one college. */
const shortestCut = 10
const sortedKeys = [...collegeNames.keys()].sort()

function findCutCollege(key: string): KnownSide | undefined {
  if (key.length < shortestCut) return undefined
  let low = 0
  let high = sortedKeys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sortedKeys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  let found: KnownSide | undefined
  for (; sortedKeys[low]?.startsWith(key); low++) {
    const side = collegeNames.get(sortedKeys[low] as string)
    if (!side || (found && found.key !== side.key)) return undefined
    found = side
  }
  return found
}

function findCollege(name: string): KnownSide | undefined {
  const key = collegeKey(name)
  return collegeNames.get(key) ?? (collegeNames.has(key) ? undefined : findCutCollege(key))
}

const sideIn = memoise((sport) => {
  const index = clubNames.get(sport)
  const hasColleges = sportsOfColleges.has(sport)
  return memoise((name: string): KnownSide | undefined => {
    const club = index?.get(normaliseName(name))
    const college = hasColleges ? findCollege(name) : undefined
    if (club === null || (club && college) || isNameInSport(name, sport)) return undefined
    return club ?? college
  })
}, 64)

const collegeIn = memoise(findCollege)

/**
 * Returns the side that a name means, if known.
 * @param sport sport id
 * @param league league id or name, '' for unknown
 */
export function findKnownSide(name: string, sport: string, league: string): KnownSide | undefined {
  if (isCollegeLeague(league)) return collegeIn(name)
  return hasOwnTeams(league) ? undefined : sideIn(sport)(name)
}

/**
 * Creates a lookup of the club that has the words of a name, in any spelling.
 * @param wordsOf returns the words that name a club; '' for none
 */
export function createFindClub(wordsOf: (name: string) => string) {
  const clubsIn = memoise((sport) => {
    const index: Index = new Map()
    for (const [name, side] of clubNames.get(sport) ?? []) {
      const words = wordsOf(name)
      const isNamed = !wordsOfSeveral(sport).has(words)
      if (side && (isNamed || normaliseName(side.name) === words)) add(index, words, side)
      else index.set(words, null)
    }
    return index
  }, 64)
  return (name: string, words: string, sport: string, league: string): KnownSide | undefined => {
    if (words === '' || isCollegeLeague(league) || hasOwnTeams(league)) return undefined
    if (isNameInSport(name, sport)) return undefined
    const isCollege = sportsOfColleges.has(sport) && findCollege(name) !== undefined
    return isCollege ? undefined : (clubsIn(sport).get(words) ?? undefined)
  }
}
