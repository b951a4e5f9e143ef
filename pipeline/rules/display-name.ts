/**
 * The name under which a side is shown, of the spellings heard: the one that most use among those
 * written as names are, in mixed case with single blanks. "Panathinaikos" wins over any number of
 * "PANATHINAIKOS".
 */
import { foldAccents } from '../../schemas/reference/normalise-name.ts'

/**
 * @param spellings one a sportsbook, in any order; the same one as often as it is used
 * @returns '' for none
 */
export function displayName(spellings: readonly string[]): string {
  const uses = new Map<string, number>()
  for (const spelling of spellings) {
    const name = spelling.trim()
    if (name !== '') uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  let best = ''
  for (const name of uses.keys()) if (best === '' || isBetter(name, best, uses)) best = name
  return best
}

function isBetter(one: string, other: string, uses: ReadonlyMap<string, number>): boolean {
  const written = wellWritten(one) - wellWritten(other)
  if (written !== 0) return written > 0
  const used = (uses.get(one) ?? 0) - (uses.get(other) ?? 0)
  if (used !== 0) return used > 0
  const accents = accentCount(one) - accentCount(other)
  if (accents !== 0) return accents > 0
  // Longer says more; the alphabet only makes the answer the same in any order.
  return one.length === other.length ? one < other : one.length > other.length
}

/** 2 for a name as names are written, 1 for one of odd blanks, 0 for one of capitals or none. */
function wellWritten(name: string): number {
  const hasBlanks = /\s{2}|[\t\n]|[\ufffd\p{Cc}]|\p{Ll}\p{Lu}\p{Ll}+\p{Lu}|\.\p{L}{2}/u.test(name)
  return isMixed(name) ? (hasBlanks ? 1 : 2) : 0
}

/** Capitals and small letters; codes of up to four letters are capitals, and other scripts have none. */
function isMixed(name: string): boolean {
  const letters = name.match(/\p{L}/gu) ?? []
  const cased = letters.filter((letter) => letter.toLowerCase() !== letter.toUpperCase())
  if (cased.length === 0) return true
  const isUpper = cased.every((letter) => letter === letter.toUpperCase())
  if (isUpper) return cased.length <= 4
  return cased.some((letter) => letter !== letter.toLowerCase())
}

/** "São Paulo" says more than "Sao Paulo". */
const accentCount = (name: string) => {
  const plain = foldAccents(name)
  return [...name.toLowerCase().normalize('NFC')].filter((letter) => !plain.includes(letter)).length
}
