/**
 * Clubs of one sound, told apart only by their letters: Al Nasr of Dubai and Al Nassr of Riyadh, Al Ahli of Jeddah and
 * Al Ahly of Cairo. A city, a country or a national league says which of them is meant, and then both spellings are
 * its name.
 */
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import type { TeamName } from './parsed-name.ts'
import { speltApart } from './team-words.ts'

const wordsIn = (text: string) => foldAccents(text).split(/[^\p{L}]+/u)

const firstSpellings = new Map(
  speltApart.flatMap(([first = '', ...others]) => others.map((other) => [other, first] as const)),
)

/** Returns a name with the first of two such spellings. */
export const inOneSpelling = (name: string) =>
  name.replace(/\p{L}+/gu, (word) => firstSpellings.get(foldAccents(word)) ?? word)

/** Returns whether a written name has each of these spellings that another name has. */
export function isSpeltAs(raw: string, name: string): boolean {
  const written = wordsIn(raw)
  const own = wordsIn(name)
  return speltApart.flat().every((word) => !own.includes(word) || written.includes(word))
}

/** Returns whether the exact letters of a name count: it has such a spelling, and no other word says which club it is. */
export const isToTheLetter = ({ ownName, raw }: TeamName) =>
  !ownName.includes(' ') &&
  wordsIn(raw).some((word) => speltApart.some((pair) => pair.includes(word)))

/** Returns whether two names are of two clubs by their letters alone. */
export const areSpeltApart = (a: TeamName, b: TeamName) =>
  a.ownName === b.ownName &&
  a.raw !== b.raw &&
  isToTheLetter(a) &&
  (a.from === undefined || b.from === undefined) &&
  !isSpeltAs(a.raw, b.raw)
