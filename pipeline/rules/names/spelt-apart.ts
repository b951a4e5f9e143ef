/**
 * Clubs that sound alike and differ only in spelling: Al Nasr of Dubai and Al Nassr of Riyadh, Al
 * Ahli of Jeddah and Al Ahly of Cairo. If a city, a country or a national league says which one is
 * meant, both spellings are its name.
 */
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import type { TeamName } from './parsed-name.ts'
import { speltApart } from './team-words.ts'

const wordsIn = (text: string) => foldAccents(text).split(/[^\p{L}]+/u)

const firstSpellings = new Map(
  speltApart.flatMap(([first = '', ...others]) => others.map((other) => [other, first] as const)),
)

/** Returns a name with the first spelling of each such pair. */
export const inOneSpelling = (name: string) =>
  name.replace(/\p{L}+/gu, (word) => firstSpellings.get(foldAccents(word)) ?? word)

/** Returns whether a written name has each of these spellings that another name has. */
export function isSpeltAs(raw: string, name: string): boolean {
  const written = wordsIn(raw)
  const own = wordsIn(name)
  return speltApart.flat().every((word) => !own.includes(word) || written.includes(word))
}

/**
 * Returns whether the exact spelling of a name counts: it is one of these, and no other word says
 * which club it is.
 */
export const isToTheLetter = ({ ownName, raw }: TeamName) =>
  !ownName.includes(' ') &&
  wordsIn(raw).some((word) => speltApart.some((pair) => pair.includes(word)))

/** Returns whether only their spelling makes two names two clubs. */
export const areSpeltApart = (a: TeamName, b: TeamName) =>
  a.ownName === b.ownName &&
  a.raw !== b.raw &&
  isToTheLetter(a) &&
  (a.from === undefined || b.from === undefined) &&
  !isSpeltAs(a.raw, b.raw)
