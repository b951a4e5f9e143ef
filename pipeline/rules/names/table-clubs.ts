/**
 * Clubs by their names in the tables. Names of two clubs there mean two clubs: UD Logroñés and SD
 * Logroñés. A short name means the club that has it in the tables: "Oxford" is Oxford United, so
 * Oxford City is another club, even if the tables lack it. `names-of-several.ts` has names with
 * which those of several clubs begin.
 */
import { addTo } from '../../../schemas/grouping.ts'
import { memoise } from '../../../schemas/memoise.ts'
import { clubsOfSport } from '../../../schemas/reference/known-sides.ts'
import { compareTeams, nestedIn } from './club-comparison.ts'
import { countryInBrackets, isPlainForm, parseTeam } from './club-names.ts'
import { countryOfLeague } from './league-countries.ts'
import type { TeamName } from './parsed-name.ts'
import { marksOfLeague } from './side-marks.ts'
import { areOfTwoCountries } from './team-countries.ts'
import { align, isPiece } from './word-alignment.ts'

interface TableClub {
  /** Its full name. */
  readonly name: TeamName
  /** All its names, and its city. */
  readonly names: TeamName[]
  /** The code of its country, if known. */
  readonly country: string | undefined
}

/**
 * Matches a letter at the end of a name that is in a table. It is short for a word of the club
 * ("Manchester C") and not its third team.
 */
export const letterAtEnd = /\s[bcfm]\.?$/i

const readName = (text: string) => parseTeam(text).bare

/** Returns the words of a name, forms included, each in one language. */
const wordsOf = ({ parts }: TeamName) => parts.join(' ')

/**
 * The clubs of a sport by each of their names, and by the last word of the full name. A club in two
 * tables counts once.
 */
const clubsIn = memoise((sport) => {
  const clubs = new Map<string, TableClub>()
  for (const { name, otherNames, playsIn } of clubsOfSport(sport)) {
    const parsed = readName(name)
    const country = playsIn === undefined ? parsed.from : countryInBrackets(playsIn)
    const club = clubs.get(wordsOf(parsed)) ?? { name: parsed, names: [], country }
    clubs.set(wordsOf(parsed), club)
    const others = otherNames.filter((other) => !letterAtEnd.test(other))
    club.names.push(parsed, ...others.map(readName))
  }
  const byName = new Map<string, TableClub[]>()
  const byEnd = new Map<string, TableClub[]>()
  for (const club of clubs.values()) {
    for (const words of new Set(club.names.map(wordsOf))) addTo(byName, words, club)
    addTo(byEnd, club.name.parts.at(-1) ?? '', club)
  }
  return { byName, byEnd }
}, 64)

interface Where {
  readonly sport: string
  readonly league?: string
}

const clubsNamed = (name: TeamName, sport: string): readonly TableClub[] =>
  clubsIn(sport).byName.get(wordsOf(name)) ?? []

/**
 * Returns the clubs with a name, except those of another country than the name or the league says.
 */
function clubsCalled(name: TeamName, { sport, league = '' }: Where): readonly TableClub[] {
  const country = name.written?.from ?? countryOfLeague(league)
  return clubsNamed(name, sport).filter((club) => !areOfTwoCountries(club.country, country))
}

/** Returns whether the tables have clubs of both names, and no club that has both. */
export function areTwoClubs(a: TeamName, b: TeamName, where: Where): boolean {
  const ours = clubsCalled(a, where)
  const theirs = clubsCalled(b, where)
  return ours.length > 0 && theirs.length > 0 && !ours.some((club) => theirs.includes(club))
}

/**
 * Returns whether a short name belongs, in the tables, only to other clubs than the longer name's.
 */
export function isOfOthers(short: TeamName, long: TeamName, where: Where): boolean {
  const { sport, league = '' } = where
  // The tables have only men's clubs. Outside soccer a city rarely has two clubs, and sponsors
  // change the names.
  if (sport !== 'soccer' || isOfWomen(short, league)) return false
  const own = clubsNamed(long, sport)
  if (own.some(({ names }) => names.some((name) => wordsOf(name) === wordsOf(short)))) return false
  const called = clubsCalled(short, where)
  return (
    called.some(({ names }) => names.some((name) => isFuller(name, short))) &&
    called.every((club) => isAnother(long, short, club))
  )
}

const isOfWomen = ({ raw }: TeamName, league: string) =>
  marksOfLeague(league).women || parseTeam(raw).qualifiers.split(' ').includes('women')

/**
 * Returns whether a name is of one of several clubs in a city, none of which the tables call by the
 * city alone: HB Torshavn and B36 Torshavn.
 */
export function isOfSharedCity(city: TeamName, name: TeamName, where: Where): boolean {
  const isOf = ({ name: { parts } }: TableClub) =>
    parts.length > city.parts.length &&
    city.parts.every((part, at) => parts.at(at - city.parts.length) === part)
  if (clubsCalled(city, where).length > 0) return false
  const { byEnd } = clubsIn(where.sport)
  const clubs = (byEnd.get(city.parts.at(-1) ?? '') ?? []).filter(isOf)
  return clubs.length > 1 && clubsCalled(name, where).some((club) => clubs.includes(club))
}

/** Returns whether a name contradicts all names of a club except the short one. */
const isAnother = (long: TeamName, short: TeamName, { name, names }: TableClub) =>
  name.ownName !== short.ownName &&
  names.every(
    (one) =>
      one.ownName === short.ownName ||
      (compareTeams(one, long) === 'different' && !abbreviates(long, one)),
  )

/** Returns whether a name has all words of a short one, and more. */
function isFuller(name: TeamName, short: TeamName): boolean {
  const { restA, restB, grades } = align(name.words, short.words)
  if (restB.length > 0 || Math.min(...grades) < 3) return false
  if (!nestedIn(short.shared, name.shared)) return false
  return restA.length > 0 || name.shared.length > short.shared.length
}

/**
 * Returns whether every word of a name is the beginning of a word of the full name, as written: "SC
 * Pr Münster".
 */
const abbreviates = ({ key }: TeamName, { parts }: TeamName) =>
  key.split(' ').every((word) => isPlainForm(word) || parts.some((part) => isPiece(word, part)))
