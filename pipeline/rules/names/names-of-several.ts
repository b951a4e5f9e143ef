/** Names that several clubs have, by a list: cities and others ("Riga", "Wisla"). Alone, such a name is none of them. */

import { readDataFile, recordOf, row, texts } from '../../../schemas/data-file.ts'
import { foldAll, isPlainForm } from './club-names.ts'
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
  return saysMore(long, short) && (isCity(short) || isListed(short, long))
}

const isCity = ({ words }: TeamName) => words.every(({ text }) => cities.has(text))

function isListed(short: TeamName, long: TeamName): boolean {
  const places = placesByName.get(short.ownName)
  if (!places) return false
  return long.parts.some(
    (part) => !places.has(part) && !short.parts.includes(part) && !isPlainForm(part),
  )
}

/**
 * Returns whether a name has a word that a shorter one lacks: "Volos NFC" says no more than Volos, "Hap. Haifa" no more
 * than Hapoel Haifa.
 */
const saysMore = (long: TeamName, short: TeamName) =>
  long.words.some(
    ({ text }) =>
      text.length > 2 &&
      !short.parts.includes(text) &&
      !short.words.some((word) => word.text === text) &&
      !(long.shortParts.has(text) && short.parts.some((part) => isPiece(text, part))),
  )
