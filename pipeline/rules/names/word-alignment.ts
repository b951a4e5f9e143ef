/**
 * Pairs the words of two clubs' names: which words agree, and how well (equal, inflected,
 * shortened, misspelt, or initials).
 */

import { memoise } from '../../../schemas/memoise.ts'
import { foldAll, telling } from './club-names.ts'
import { soundAlike } from './name-sounds.ts'
import { foldLetters, isMisspelling, joined, type Word } from './parsed-name.ts'
import { notTheSame } from './team-words.ts'

/** The agreement of two words: 3 equal, 2 an inflected form, 1 shortened or misspelt, 0 none. */
type Grade = 0 | 1 | 2 | 3

export interface Alignment {
  readonly restA: readonly Word[]
  readonly restB: readonly Word[]
  readonly grades: readonly Grade[]
  /** The number of pairs that are a word and its initials. */
  readonly initialsCount: number
  /** Whether one of the equal words is a name by itself; "State" is not. */
  readonly isFirm: boolean
}

/**
 * Pairs the words of two names, the most certain pairs first; a word may equal two adjacent ones.
 */
export function align(a: readonly Word[], b: readonly Word[]): Alignment {
  const restA = [...a]
  const restB = [...b]
  const grades: Grade[] = []
  let initialsCount = 0
  let isFirm = false
  const joins = (one: Word[], two: Word[]) => {
    for (let i = 0; i < one.length; i++)
      for (let j = 0; j + 1 < two.length; j++) {
        const pair = [two[j] as Word, two[j + 1] as Word]
        const text = (one[i] as Word).text
        const initials = pair.map((word) => word.initials).join('')
        const equal = text === joined(pair)
        // Initials alone are no evidence: the "LG" Twins are not the Lotte Giants.
        if (!equal && (text !== initials || !grades.includes(3))) continue
        one.splice(i, 1)
        two.splice(j, 2)
        grades.push(equal ? 3 : 2)
        if (equal) isFirm = true
        return true
      }
    return false
  }
  for (const wanted of [3, 2, 1] as const) {
    for (let i = 0; i < restA.length; i++) {
      const j = restB.findIndex((word) => gradeWords(restA[i] as Word, word) === wanted)
      if (j < 0) continue
      if (isInitialsOf(restA[i] as Word, restB[j] as Word)) initialsCount++
      if (wanted === 3 && !telling.has((restA[i] as Word).text)) isFirm = true
      restA.splice(i--, 1)
      restB.splice(j, 1)
      grades.push(wanted)
    }
    if (wanted === 3) while (joins(restA, restB) || joins(restB, restA));
  }
  return { restA, restB, grades, initialsCount, isFirm }
}

/** Returns whether a word is the initials of another: "NY" and New York, "SG" and Saint-Germain. */
const isInitialsOf = (a: Word, b: Word) =>
  (b.initials.length > 1 && a.text === b.initials) ||
  (a.initials.length > 1 && b.text === a.initials)

function gradeWords(a: Word, b: Word): Grade {
  if (a.text === b.text) return 3
  if (isInitialsOf(a, b)) return 3
  const heard = soundAlike(a.sounds, b.sounds)
  if (!heard && a.text[0] !== b.text[0]) return 0
  if (areConfusable(a.text, b.text)) return 0
  if (heard) return 2
  if (isPlural(a.text, b.text) || isPlural(b.text, a.text)) return 3
  if (sameStem(a.text, b.text)) return 2
  const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a]
  if (isContraction(a, b) || isContraction(b, a)) return 1
  // "Santo" is its own word in Santo André.
  if (long.initials.length <= short.initials.length && isShortening(short.text, long.text)) return 1
  if (!isMisspelling(a.text, b.text)) return 0
  return Math.min(a.text.length, b.text.length) > 8 ? 2 : 1
}

const isPlural = (many: string, one: string) => one.length > 4 && many === `${one}s`

const frenchEnding = /(?:ais|ois|ain)$/

/**
 * Returns whether two words have the same stem, such as place and adjective, or singular and
 * plural: Rennes and Rennais, Truiden and Truidense.
 */
function sameStem(a: string, b: string): boolean {
  // A common stem has at least three letters.
  if (a[0] !== b[0] || a[1] !== b[1] || a[2] !== b[2]) return false
  const least = frenchEnding.test(a) || frenchEnding.test(b) ? 3 : 4
  for (const stemA of stems(a))
    for (const stemB of stems(b))
      if (stemA === stemB && stemA.length >= least && (stemA !== a || stemB !== b)) return true
  return false
}

const inflections =
  'spor nais nois ais ois ain aise oise ense enne ienne iens ien ins in ano ana se es er s e i'.split(
    ' ',
  )

export const stems = memoise((word: string): readonly string[] => [
  word,
  ...inflections.filter((end) => word.endsWith(end)).map((end) => word.slice(0, -end.length)),
])

/** Returns whether a contraction starts and ends like the word: "M'gladbach" and Mönchengladbach. */
function isContraction(short: Word, long: Word): boolean {
  if (!short.contraction || long.text.length <= short.text.length) return false
  const [head, tail] = short.contraction
  return long.text.startsWith(head) && long.text.endsWith(tail)
}

/**
 * Returns whether a word is the other cut short: "Man" for Manchester; also a single letter ("B.
 * Dortmund").
 */
function isShortening(short: string, long: string): boolean {
  if (short.length !== 1 && (short.length < 3 || long.length < short.length + 2)) return false
  return long.startsWith(short) && !/\d/.test(long)
}

/** For each name, other names that must not be confused with it. */
const confusable = new Map<string, Set<string>>()
for (const pair of notTheSame) {
  const [a = '', b = ''] = pair.map((name) => foldAll(name).join(' '))
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    confusable.set(one, (confusable.get(one) ?? new Set()).add(other))
}

export const areConfusable = (a: string, b: string) => confusable.get(a)?.has(b) === true

/**
 * Returns whether a word starts with a piece. Codes of more than three letters are folded, but their first letters
 * are not.
 */
export const isPiece = (piece: string, part: string): boolean =>
  piece[0] === part[0] && foldLetters(part.slice(1)).startsWith(foldLetters(piece.slice(1)))
