/**
 * The name to show for a side: the most frequent of the sportsbooks' well-written spellings.
 * "Panathinaikos" is shown even if most send "PANATHINAIKOS". This affects only the display, not
 * the choice of the event.
 */
import { memoise } from '../../../schemas/memoise.ts'
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'

/** Returns the name with single blanks, and none at its ends. */
export const tidyName = memoise((name: string) => name.replace(/[\s\p{Cc}]+/gu, ' ').trim())

/**
 * @param spellings one per sportsbook, in any order
 * @param current the name shown so far, kept until another is better; '' for none
 * @returns '' where there is neither a spelling nor a current name
 */
export function shownName(spellings: readonly string[], current: string): string {
  if (spellings.every((spelling) => spelling === current)) return current
  const uses = new Map<string, number>()
  for (const spelling of spellings) {
    const name = tidyName(spelling)
    if (name !== '') uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  let best = uses.has(current) ? current : ''
  for (const name of uses.keys())
    if (best === '' || isBetter(name, best, current, uses)) best = name
  if (best === '') return current
  // A well-written name that is not used any more is better than a badly written one.
  return writtenWell(current) > writtenWell(best) ? current : best
}

function isBetter(
  one: string,
  other: string,
  current: string,
  uses: ReadonlyMap<string, number>,
): boolean {
  const written = writtenWell(one) - writtenWell(other)
  if (written !== 0) return written > 0
  const used = (uses.get(one) ?? 0) - (uses.get(other) ?? 0)
  if (used !== 0) return used > 0
  if (one === current || other === current) return one === current
  const accents = accentCount(one) - accentCount(other)
  if (accents !== 0) return accents > 0
  // A longer name says more. Alphabetical order makes the result independent of the order of
  // spellings.
  return one.length === other.length ? one < other : one.length > other.length
}

/** Matches words without a blank between them, and characters of a broken encoding. */
const slips = /\p{Ll}\p{Lu}\p{Ll}+\p{Lu}|\.\p{L}{2}|\ufffd/u

/** Returns 3 for a well-written name, 2 with an error, 1 if all in one case, 0 for none. */
const writtenWell = memoise((name: string): number => {
  if (name === '') return 0
  return isMixed(name) ? (slips.test(name) ? 2 : 3) : 1
})

/**
 * Returns whether a name is in mixed case; also true for codes of up to four capitals, and in
 * scripts without case.
 */
function isMixed(name: string): boolean {
  const letters = name.match(/\p{L}/gu) ?? []
  const cased = letters.filter((letter) => letter.toLowerCase() !== letter.toUpperCase())
  if (cased.length === 0) return true
  if (cased.every((letter) => letter === letter.toUpperCase())) return cased.length <= 4
  return cased.some((letter) => letter !== letter.toLowerCase())
}

/** Counts accents: "São Paulo" says more than "Sao Paulo". */
function accentCount(name: string): number {
  const plain = foldAccents(name)
  return [...name.toLowerCase().normalize('NFC')].filter((letter) => !plain.includes(letter)).length
}
