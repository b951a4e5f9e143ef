/**
 * Names that several clubs have: cities and others by a list ("Riga", "Wisla"), and by the tables those with which
 * the names of two clubs begin ("Union", "Hapoel"). Alone, such a name is none of them. The best-known club keeps its
 * bare name: "Barcelona" is a club, and Barcelona Guayaquil is another.
 */

import { readDataFile, recordOf, row, texts } from '../../../schemas/data-file.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { memoise } from '../../../schemas/memoise.ts'
import {
  type ClubNames,
  clubsInLeague,
  clubsOfSport,
} from '../../../schemas/reference/known-sides.ts'
import { foldAll, isCountry, isPlainForm, parseTeam } from './club-names.ts'
import { foldSet, type TeamName } from './parsed-name.ts'
import { areSpeltApart } from './spelt-apart.ts'
import { sharedCities } from './team-words.ts'
import { isPiece } from './word-alignment.ts'
import rows from './words/names-of-several.json' with { type: 'json' }

const listed = readDataFile(
  'pipeline/rules/names/words/names-of-several.json',
  row({ cities: texts, clubs: recordOf(texts) }),
  rows,
)

const cities = foldSet([...sharedCities, ...listed.cities])

/** The words beside a name that several clubs have, where the best-known of them is meant. */
const placesByName = new Map(
  Object.entries(listed.clubs).map(([name, places]) => [
    foldAll(name)
      .filter((word) => !isPlainForm(word))
      .join(' '),
    foldSet(places),
  ]),
)

/**
 * Returns whether one of two names that agree is a city or a name that several clubs have by the list, and the other
 * says which of them: "Riga" and "Torpedo Riga", "Tirana" and "Dinamo Tirana", "Wisla" and "Wisla Plock".
 */
export function namesSeveral(a: TeamName, b: TeamName): boolean {
  if (areSpeltApart(a, b)) return true
  if (a.words.length === 0 || b.words.length === 0) return false
  if (a.words.length === b.words.length)
    return a.shared.length !== b.shared.length && a.joinedWords === b.joinedWords && isCity(a)
  const [short, long] = a.words.length < b.words.length ? [a, b] : [b, a]
  return (saysMore(long, short, 3) && isCity(short)) || isListed(short, long)
}

const isCity = ({ words }: TeamName) => words.every(({ text }) => cities.has(text))

function isListed(short: TeamName, long: TeamName): boolean {
  const places = placesByName.get(short.ownName)
  if (!places || !saysMore(long, short, 2)) return false
  return long.parts.some(
    (part) => !places.has(part) && !short.parts.includes(part) && !isPlainForm(part),
  )
}

/**
 * Returns whether a name has a word of so many letters that a shorter one lacks: "Hap. Haifa" says no more than Hapoel
 * Haifa.
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
  /** All words of its names and its city. */
  readonly own: ReadonlySet<string>
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
  for (const { name, otherNames } of known) {
    const parsed = parseTeam(name)
    if (parsed.qualifiers !== '' || parsed.country !== undefined) continue
    const words = wordsOf(parsed)
    const own = [name, ...otherNames].flatMap((text) => [
      ...parseTeam(text).parts,
      ...foldAll(text),
    ])
    const key = words.join(' ')
    clubs.set(key, { words, own: new Set([...own, ...(clubs.get(key)?.own ?? [])]) })
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
 * Returns whether a name may be short for several clubs, and a longer one that agrees with it says which: names of two
 * clubs begin with it, many clubs share it, or it is the bare name of a club at home in another country.
 */
export function isOfSeveral(
  short: TeamName,
  long: TeamName,
  { sport, league = '' }: Where,
): boolean {
  const words = wordsOf(short)
  if (short.kind !== 'team' || words.length === 0) return false
  if (!saysMore(long, short, 2) || saysWhich(short, long)) return false
  const hasAll = (club: Club) => words.every((word) => club.words.includes(word))
  if (clubsOfLeague(league).filter(hasAll).length === 1) return false
  if (placesByName.has(short.ownName)) return sport !== 'soccer' && isListed(short, long)
  const begins = (all: readonly string[]) => words.every((word, at) => all[at] === word)
  const clubs = (clubsIn(sport).get(words[0] ?? '') ?? []).filter((club) => begins(club.words))
  const isOfMany = short.words.length === 0 && short.parts.length === words.length
  if (clubs.length < 2 && !isOfMany && short.from === undefined) return false
  const best = clubs.find((club) => club.words.length === words.length)
  const said = wordsOf(long)
  if (best) return said.some((word) => !best.own.has(word) && !isCountry([word]))
  return isOfMany || (clubs.length > 1 && begins(said))
}

/**
 * Returns whether a short name says by itself which club it is, by a country, a number or initials: "1. FC Union",
 * "Union SG" beside Union Saint-Gilloise. Of women's and youth teams the tables know nothing.
 */
function saysWhich(short: TeamName, long: TeamName): boolean {
  if (short.written?.from !== undefined || short.numbers.length > 0) return true
  if (parseTeam(short.raw).qualifiers !== '') return true
  const more = long.words.filter(({ text }) => !short.parts.includes(text))
  return short.parts.includes(more.map(({ initials }) => initials).join(''))
}
