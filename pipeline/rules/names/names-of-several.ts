/**
 * Names that several clubs have. Some come from a list: cities and others ("Riga", "Wisla"). Others
 * come from the tables: the beginning of two clubs' names ("Union", "Hapoel"). By itself, such a
 * name means no club. Only the best-known club keeps the bare name: "Barcelona" is one club, and
 * Barcelona Guayaquil another.
 */

import { listOf, readDataFile, recordOf, row, texts } from '../../../schemas/data-file.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { memoise } from '../../../schemas/memoise.ts'
import {
  type ClubNames,
  clubsInLeague,
  clubsOfSport,
} from '../../../schemas/reference/known-sides.ts'
import { countryInBrackets, foldAll, isCountry, isPlainForm, parseTeam } from './club-names.ts'
import { foldSet, type TeamName } from './parsed-name.ts'
import { areSpeltApart } from './spelt-apart.ts'
import { isOfOthers, isOfSharedCity } from './table-clubs.ts'
import { areOfTwoCountries, guestsOf } from './team-countries.ts'
import { sharedCities } from './team-words.ts'
import { isPiece } from './word-alignment.ts'
import rows from './words/names-of-several.json' with { type: 'json' }

const listed = readDataFile(
  'pipeline/rules/names/words/names-of-several.json',
  row({ cities: texts, clubs: recordOf(listOf(texts)) }),
  rows,
)

const cities = foldSet([...sharedCities, ...listed.cities])

/** The best-known clubs of names that several have: the words beside each, one of them its country. */
const bestKnown = new Map(
  Object.entries(listed.clubs).map(([name, clubs]) => [
    foldAll(name)
      .filter((word) => !isPlainForm(word))
      .join(' '),
    clubs.map((places) => ({
      places: foldSet(places),
      country: places.map(countryInBrackets).find((country) => country !== undefined),
    })),
  ]),
)

/**
 * Returns whether one of two names that agree is a city or a name of several clubs in the list, and
 * the other name says which club: "Riga" and "Torpedo Riga", "Tirana" and "Dinamo Tirana", "Wisla"
 * and "Wisla Plock".
 */
export function namesSeveral(a: TeamName, b: TeamName): boolean {
  if (areSpeltApart(a, b)) return true
  if (a.words.length === 0 || b.words.length === 0) return false
  if (a.words.length === b.words.length)
    return a.shared.length !== b.shared.length && a.joinedWords === b.joinedWords && isCity(a)
  const [short, long] = a.words.length < b.words.length ? [a, b] : [b, a]
  return (saysMore(long, short, 3) && isCity(short)) || isListed(short, long)
}

const isCity = ({ words }: TeamName) =>
  words.length > 0 && words.every(({ text }) => cities.has(text))

/**
 * Returns whether the list has a name as that of several clubs, and a longer name is not the
 * best-known of them.
 */
function isListed(short: TeamName, long: TeamName): boolean {
  const best = bestKnown.get(short.ownName)
  if (!best || !saysMore(long, short, 2)) return false
  return !best.some(
    ({ places, country }) =>
      !areOfTwoCountries(country, short.written?.from) &&
      long.parts.every(
        (part) => places.has(part) || short.parts.includes(part) || isPlainForm(part),
      ),
  )
}

/**
 * Returns whether a name has a word of at least `lettersLeast` letters that the shorter name lacks:
 * not so "Hap. Haifa" beside Hapoel Haifa.
 */
const saysMore = (long: TeamName, short: TeamName, lettersLeast: number) =>
  long.words.some(
    ({ text }) =>
      text.length >= lettersLeast &&
      !short.parts.includes(text) &&
      !short.words.some((word) => word.text === text) &&
      !(long.shortParts.has(text) && short.parts.some((part) => isPiece(text, part))),
  )

/** A club of a table. */
interface Club {
  /** The words of its name, without forms, in order. */
  readonly words: readonly string[]
  /** The keys of its names. */
  readonly keys: ReadonlySet<string>
  /** All words of its names and its city. */
  readonly own: ReadonlySet<string>
  /** The code of its country, where it is known. */
  readonly country: string | undefined
}

/** Returns the words of a name without forms, in order. */
function wordsOf({ words, shared, parts }: TeamName): readonly string[] {
  const placeOf = (word: string) => parts.findIndex((part) => word.startsWith(part))
  const own = [...words.map(({ text }) => text), ...shared]
  return own.sort((one, other) => placeOf(one) - placeOf(other))
}

/** Returns clubs, one for each name. Youth and women's teams and nations are none. */
function readClubs(known: readonly ClubNames[]): readonly Club[] {
  const clubs = new Map<string, Club>()
  for (const { name, otherNames, playsIn } of known) {
    const parsed = parseTeam(name)
    if (parsed.qualifiers !== '' || parsed.country !== undefined) continue
    const words = wordsOf(parsed)
    const names = [name, ...otherNames]
    const own = names.flatMap((text) => {
      const read = parseTeam(text)
      return [...read.parts, ...wordsOf(read), ...foldAll(text)]
    })
    const key = words.join(' ')
    const country = playsIn === undefined ? parsed.from : countryInBrackets(playsIn)
    const before = clubs.get(key)
    clubs.set(key, {
      words,
      keys: new Set([...names.map((text) => parseTeam(text).key), ...(before?.keys ?? [])]),
      own: new Set([...own, ...(before?.own ?? [])]),
      country: before && before.country !== country ? undefined : country,
    })
  }
  return [...clubs.values()]
}

/** Clubs by the first word of their names. */
const clubsIn = memoise((sport) => {
  const index = new Map<string, Club[]>()
  for (const club of readClubs(clubsOfSport(sport))) addTo(index, club.words[0] ?? '', club)
  return index
}, 64)

const clubsOfLeague = memoise((league) => readClubs(clubsInLeague(league)), 512)

interface Where {
  readonly sport: string
  readonly league?: string
}

/**
 * Returns whether a name may be short for several clubs, and a longer name that agrees with it says
 * which. Such a name begins the names of two clubs, is shared by many, or is another club's name in
 * the tables ("Oxford" beside Oxford City). Or it is the bare name of a club in another country. A
 * country beside the short name excludes clubs of other countries. It decides if the tables know
 * only one club there, or call one so.
 */
export function isOfSeveral(
  short: TeamName,
  long: TeamName,
  { sport, league = '' }: Where,
): boolean {
  const words = wordsOf(short)
  if (short.kind !== 'team' || words.length === 0) return false
  if (saysWhich(short, long)) return false
  const hasAll = (club: Club) => words.every((word) => club.words.includes(word))
  if (clubsOfLeague(league).filter(hasAll).length === 1) return false
  const where = { sport, league }
  if (isOfOthers(short, long, where)) return true
  if (isCity(short) && isOfSharedCity(short, long, where)) return true
  if (!saysMore(long, short, 2)) return false
  if (bestKnown.has(short.ownName)) return sport !== 'soccer' && isListed(short, long)
  const begins = (all: readonly string[]) => words.every((word, at) => all[at] === word)
  const named = (clubsIn(sport).get(words[0] ?? '') ?? []).filter((club) => begins(club.words))
  const said = wordsOf(long)
  const saysOther = ({ own }: Club) => said.some((word) => !own.has(word) && !isCountry([word]))
  const stated = short.written?.from
  const isCalledSo = ({ keys }: Club) => keys.has(short.key)
  const atHome = named.filter((club) => isAtHome(club, stated))
  const meant = atHome.length === 1 ? atHome[0] : atHome.find(isCalledSo)
  if (meant) return saysOther(meant)
  const isAway = (club: Club) => isAbroad(club, stated)
  if (named.some((club) => isAway(club) && !saysOther(club))) return true
  const clubs = named.filter((club) => !isAway(club))
  const isOfMany = short.words.length === 0 && short.parts.length === words.length
  const isNamesake = short.from !== undefined && stated === undefined
  if (clubs.length < 2 && !isOfMany && !isNamesake) return false
  // Few clubs have a women's or youth team, so the club that the tables call so is meant.
  const isMarked = parseTeam(short.raw).qualifiers !== ''
  const best = clubs.find(
    (club) => club.words.length === words.length || (isMarked && isCalledSo(club)),
  )
  if (best) return saysOther(best)
  return isOfMany || (clubs.length > 1 && begins(said))
}

/** Returns whether a club is known to be of a stated country. */
const isAtHome = ({ country }: Club, stated: string | undefined) =>
  country !== undefined && stated !== undefined && !areOfTwoCountries(country, stated)

/**
 * Returns whether a club is known to be of another country, whose leagues have no clubs of the
 * stated one.
 */
const isAbroad = ({ country }: Club, stated: string | undefined) =>
  country !== undefined &&
  stated !== undefined &&
  areOfTwoCountries(country, stated) &&
  !guestsOf(country).includes(stated)

/**
 * Returns whether a short name says by itself which club it is, by a number or initials: "1. FC Union", "Union SG"
 * beside Union Saint-Gilloise.
 */
function saysWhich(short: TeamName, long: TeamName): boolean {
  if (short.numbers.length > 0) return true
  const more = long.words.filter(({ text }) => !short.parts.includes(text))
  return short.parts.includes(more.map(({ initials }) => initials).join(''))
}
