/**
 * The name a side is shown under, of the spellings that sportsbooks use: the one most of them use among
 * those written as names are. "Panathinaikos" is shown however many say "PANATHINAIKOS". Only what is
 * shown follows from this; which event it is does not.
 */
import { memoise } from '../../../schemas/memoise.ts'
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'

/** With single blanks, and none around. */
export const tidyName = memoise((name: string) => name.replace(/[\s\p{Cc}]+/gu, ' ').trim())

/**
 * @param spellings one a sportsbook, in any order
 * @param current the name shown so far, which stays while no other is better; '' for none
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
  // What nobody says any more is still better than what no name looks like.
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
  // Longer says more; the alphabet only makes the answer the same in any order.
  return one.length === other.length ? one < other : one.length > other.length
}

/** Words without a blank between them, and letters that a broken encoding leaves. */
const slips = /\p{Ll}\p{Lu}\p{Ll}+\p{Lu}|\.\p{L}{2}|\ufffd/u

/** 3 for a name as names are written, 2 with a slip, 1 in capitals or small letters, 0 for none. */
const writtenWell = memoise((name: string): number => {
  if (name === '') return 0
  return isMixed(name) ? (slips.test(name) ? 2 : 3) : 1
})

/** Capitals and small letters; codes of up to four letters are capitals, and some scripts have neither. */
function isMixed(name: string): boolean {
  const letters = name.match(/\p{L}/gu) ?? []
  const cased = letters.filter((letter) => letter.toLowerCase() !== letter.toUpperCase())
  if (cased.length === 0) return true
  if (cased.every((letter) => letter === letter.toUpperCase())) return cased.length <= 4
  return cased.some((letter) => letter !== letter.toLowerCase())
}

/** "São Paulo" says more than "Sao Paulo". */
function accentCount(name: string): number {
  const plain = foldAccents(name)
  return [...name.toLowerCase().normalize('NFC')].filter((letter) => !plain.includes(letter)).length
}
