/**
 * A fast test of two names, before they are compared word by word.
 *
 * An outline has the evidence that every verdict except `different` needs: the beginnings of words,
 * and texts that may replace a whole word. If two outlines have nothing in common, the full rules
 * also say `different`; if they have, any verdict is possible. A rule in `club-comparison.ts` or
 * `person-names.ts` that lets names agree on new evidence must add that evidence here; the tests
 * compare the two.
 */
import { textHash } from '../../../schemas/text-hash.ts'

export interface Outline {
  /** A hash of the qualifiers: women, under 21. */
  readonly who: number
  /** Bits of the first letters of all words. */
  readonly firsts: number
  /** Bits of first letters that may each abbreviate any word: "B. Dortmund". */
  readonly loose: number
  /** The number of letters, if the name may be the initials of another ("PSG"); else 0. */
  readonly codeLength: number
  /** The most letters that initials of this name can have. */
  readonly partCount: number
  /** Ascending hashes of beginnings of words and of whole names: names that share one may agree. */
  readonly marks: readonly number[]
  /** The marks as bits of four words: names that share no bit share no mark. */
  readonly bits0: number
  readonly bits1: number
  readonly bits2: number
  readonly bits3: number
}

/** The input of an outline: a `TeamName` without its outline. */
export interface Outlined {
  readonly key: string
  readonly letters: string
  readonly spelt: string
  readonly words: readonly OutlinedWord[]
  readonly joinedWords: string
  readonly shared: readonly string[]
  readonly parts: readonly string[]
  /** Tokens that may be short for a word: single letters, and tokens followed by a dot. */
  readonly shortParts: ReadonlySet<string>
  readonly country: string | undefined
  readonly qualifiers: string
  readonly members: readonly { readonly outline: Outline; readonly parts: readonly string[] }[]
}

interface OutlinedWord {
  readonly text: string
  readonly initials: string
  readonly sounds: readonly string[]
  readonly contraction?: readonly [head: string, tail: string]
}

/** Returns false only for two names, of one kind, that are `different`. */
export function mayAgree(a: Outline, b: Outline): boolean {
  if (a.who !== b.who) return false
  if ((a.loose & b.firsts) !== 0 || (a.firsts & b.loose) !== 0) return true
  if ((a.firsts & b.firsts) !== 0 && (isCodeFor(a, b) || isCodeFor(b, a))) return true
  const common =
    (a.bits0 & b.bits0) | (a.bits1 & b.bits1) | (a.bits2 & b.bits2) | (a.bits3 & b.bits3)
  return common !== 0 && haveOneInCommon(a.marks, b.marks)
}

/** Compares two ascending lists; it runs some thousand times per new listing. */
function haveOneInCommon(a: readonly number[], b: readonly number[]): boolean {
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const one = a[i] as number
    const other = b[j] as number
    if (one === other) return true
    if (one < other) i++
    else j++
  }
  return false
}

/**
 * Returns whether a code may mean the name: one or two letters per word, and at most one letter
 * more than words.
 */
const isCodeFor = (code: Outline, full: Outline) =>
  code.codeLength > 0 && full.partCount > 1 && code.codeLength <= full.partCount + 1

/**
 * @param codeLength letters of the name when it may be the initials of another, else 0
 * @param partCount the most letters that the name has in its initials
 */
export function outlineTeam(name: Outlined, codeLength: number, partCount: number): Outline {
  const { key, letters, spelt, words, shared, parts, shortParts, country, qualifiers } = name
  const marks = new Set([textHash(letters)])
  // The other name may join its first letter with the rest: "E Baa", "Ebaa".
  if (key.indexOf(' ') === 1) marks.add(headOf(letters))
  // The other name may be cut off after this many letters.
  if (spelt.length >= cutHead) marks.add(textHash(`^${spelt.slice(0, cutHead)}`))
  // Countries agree in any language: "Germany", "Alemania".
  if (country !== undefined) marks.add(textHash(country))
  // The other name may be the number and the first letters of the words after it: "100T".
  const number = /^\d+/.exec(parts[0] ?? '')
  if (number) marks.add(textHash(number[0]))
  let loose = 0
  for (const { text, initials, contraction, sounds } of words) {
    if (text.length === 1 || contraction) loose |= letterBit(text)
    marks.add(headOf(text))
    // Most sounds begin like their word, and then add no mark.
    for (const sound of sounds) marks.add(headOf(sound))
    if (initials.length > 1) marks.add(headOf(initials))
    // A typing error at the second letter keeps the first and the last letter.
    if (text.length >= 6)
      marks.add(pairHash(text.charCodeAt(0), text.charCodeAt(text.length - 1), 2))
  }
  // "04 E Aa": a letter that is no word of this name may be written out in the other.
  for (const part of shortParts)
    if (words.every(({ text }) => text !== part)) loose |= letterBit(part)
  // A name of only shared words ("Real") may be any name that has one of them.
  if (words.length === 0) for (const word of shared) loose |= letterBit(word)
  let firsts = loose
  for (const { text } of words) firsts |= letterBit(text)
  for (const word of [...shared, ...parts]) firsts |= letterBit(word)
  return outline(qualifiers, [...marks], { firsts, loose, codeLength, partCount })
}

/**
 * Makes the outline of a person. Persons agree by a complete name (which may be written as two
 * words: "De Minaur", "Deminaur"), by its sound, or by the beginning of a long name; in a pair also
 * by its first letters.
 * @param wholes each pair of adjacent words of the name as one word
 */
export function outlinePerson(
  { key, words, joinedWords, shared, members, qualifiers }: Outlined,
  wholes: readonly string[],
): Outline {
  const marks = new Set([
    textHash(key),
    ...wholes.map(textHash),
    ...members.flatMap(({ outline }) => outline.marks),
  ])
  for (const part of [...shared, ...members.flatMap((member) => member.parts)])
    marks.add(textHash(`^${part.slice(0, pairHead)}`))
  if (members.length === 0) {
    marks.add(textHash(joinedWords))
    for (const { text, sounds } of words) {
      if (text.length > 1) marks.add(textHash(text))
      if (text.length > 4) for (const sound of sounds) marks.add(textHash(sound))
      if (text.length > longHead) marks.add(textHash(`^${text.slice(0, longHead + 1)}`))
    }
  }
  const nothing = { firsts: 0, loose: 0, codeLength: 0, partCount: 0 }
  return outline(qualifiers, [...marks], nothing)
}

/** A name that is cut off keeps at least this many letters. */
const cutHead = 8
/** The number of first letters that identify a name in a pair. */
const pairHead = 3
/** A name with more letters than this is identified by its beginning. */
const longHead = 8

type Letters = Pick<Outline, 'firsts' | 'loose' | 'codeLength' | 'partCount'>

function outline(qualifiers: string, marks: readonly number[], letters: Letters): Outline {
  return {
    who: textHash(qualifiers),
    firsts: letters.firsts,
    loose: letters.loose,
    codeLength: letters.codeLength,
    partCount: letters.partCount,
    bits0: bitsOf(marks, 0),
    bits1: bitsOf(marks, 1),
    bits2: bitsOf(marks, 2),
    bits3: bitsOf(marks, 3),
    marks: marks.toSorted((a, b) => a - b),
  }
}

/** Returns one of the four words of bits. */
function bitsOf(marks: readonly number[], word: number): number {
  let bits = 0
  for (const mark of marks) {
    const bit = Math.imul(mark, 0x9e3779b1) >>> 25
    if (bit >>> 5 === word) bits |= 1 << (bit & 31)
  }
  return bits
}

const letterBit = (word: string) => (word === '' ? 0 : 1 << (word.charCodeAt(0) & 31))

const headOf = (word: string) => pairHash(word.charCodeAt(0), word.charCodeAt(1), 1)

/** Hashes exactly two letters, except in rare scripts; `|` makes the missing letter of a short word 0. */
const pairHash = (one: number, two: number, kind: number) =>
  ((one | 0) << 14) ^ ((two | 0) << 2) ^ kind
