/**
 * A name cut into its words: the result of reading a team's or person's name, and the input of a
 * comparison. This file also folds words (so that spellings of one sound become one text), compares
 * numbers and signs, and orders and caches verdicts.
 */
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import type { Outline } from './team-outline.ts'

/**
 * The kind of a side: a team, or a person (two, in doubles). Esports teams are their own kind,
 * because there "Esports" is a club form, and elsewhere another contest.
 */
export type NameKind = 'team' | 'person' | 'esports'

/**
 * How certain it is that two names are one side. `same`: no reasonable doubt; `likely`: a usual
 * short form or spelling; `possible`: only with other evidence; `different`.
 */
export type Verdict = 'same' | 'likely' | 'possible' | 'different'

/** One distinguishing word of a name; may be several written words that belong together. */
export interface Word {
  readonly text: string
  /** First letters of the written words: "nyc" for New York City. */
  readonly initials: string
  /** The parts before and after the apostrophe, for "M'gladbach". */
  readonly contraction?: readonly [head: string, tail: string]
  readonly sounds: readonly string[]
}

export interface TeamName {
  readonly raw: string
  readonly kind: NameKind
  /** Every word, folded and joined: equal keys are equal names. */
  readonly key: string
  /** The key without blanks. */
  readonly letters: string
  /** Every word as it is written, in lower case and without accents. */
  readonly spelt: string
  readonly words: readonly Word[]
  /** The words, joined without blanks. */
  readonly joinedWords: string
  /** The letters, if the name has nothing else but club forms: "PSG", "PSG Handball". */
  readonly code: string | undefined
  readonly shared: readonly string[]
  readonly hasForm: boolean
  /** All words in written order, for names that are the initials of others. */
  readonly parts: readonly string[]
  /** The parts, and the club forms beside a well-known name that `parts` lacks: "Juventus E". */
  readonly partsWithForms: readonly string[]
  /** The parts without little words and club forms, joined. */
  readonly ownName: string
  /**
   * Marks for women, an age group, a second or third team, or a statistic counted instead of the game; sorted and
   * joined.
   */
  readonly qualifiers: string
  /** The same name without the qualifiers. */
  readonly bare: TeamName
  /** The number of the game of the day that the name states; 0 for none. */
  readonly gameNumber: number
  /** Words that are numbers, in written order. */
  readonly numbers: readonly string[]
  /** Whether it begins with a number, or an optional ordinal such as the "1." of clubs. */
  readonly lead: 'number' | 'ordinal' | undefined
  /**
   * The letters with vowel and voicing signs, which are no accents but are not in the words either.
   */
  readonly signs: string
  /** The text in brackets, such as a region or a player: "oh" in Miami (OH). */
  readonly tag: string
  /** The country in brackets after a club: River Plate (URU). */
  readonly from: string | undefined
  /** Parts that are abbreviations: single letters, and parts that end in a dot. */
  readonly shortParts: ReadonlySet<string>
  readonly country: string | undefined
  /** The two players, in doubles. */
  readonly members: readonly TeamName[]
  /** Used by `mayAgree`, before the words are compared. */
  readonly outline: Outline
  /** The words it was built from; undefined for a person, whose name is never rebuilt. */
  readonly written: Written | undefined
  /**
   * The name as written, without the marks beside it, for a look-up in a table; '' if nothing is
   * left.
   */
  readonly plain: string
  /** Cached verdicts on this name and names that sort after it. */
  readonly verdicts: Map<TeamName, Verdict>
}

const verdictsKept = 512

/** Returns the verdict on two names, from the cache or from `compare`. */
export function remembered(
  a: TeamName,
  b: TeamName,
  compare: (first: TeamName, second: TeamName) => Verdict,
): Verdict {
  if (a === b) return a.key === '' ? 'different' : 'same'
  // Words are paired greedily, so the names are ordered: then both directions give the same
  // verdict.
  const [first, second] = a.raw < b.raw ? [a, b] : [b, a]
  const { verdicts } = first
  const before = verdicts.get(second)
  if (before !== undefined) return before
  const verdict = compare(first, second)
  if (verdicts.size >= verdictsKept) verdicts.clear()
  verdicts.set(second, verdict)
  return verdict
}

/** Matches an umlaut with its E written out, as in Schroeder. */
const umlaut = /([aou])e/g

/** Returns a text, in lower case and without accents, in which "oe" is the "o" that Ö has become. */
export const foldUmlauts = (text: string) => text.replace(umlaut, '$1')

const foldings: readonly (readonly [RegExp, string])[] = [
  [/kh/g, 'h'],
  [/sch/g, 'sh'],
  [umlaut, '$1'],
  // The first letter is not replaced, because initials are made of it.
  [/(?<=.)ph/g, 'f'],
  [/(?<=.)ou/g, 'u'],
  [/(?<=.)[cq]/g, 'k'],
  [/(?<=.)x/g, 'ks'],
  [/(?<=.)w/g, 'v'],
  [/(?<=.)y/g, 'i'],
  [/([a-z])\1+/g, '$1'],
]

/** Folds a word for comparison: "Dynamo" and "Dinamo", "Köln" and "Koeln", fold alike. */
export function foldWord(word: string): string {
  const letters = foldAccents(word).replace(/[^\p{L}\p{N}]/gu, '')
  // Letters beside a number are a separate word: "Schalke04" folds like "Schalke 04".
  return /\d/.test(letters) ? letters.replace(/[^\d]+/g, foldSounds) : foldSounds(letters)
}

/** Codes are read letter by letter: no sounds in "u21", "49ers", "II" or "OKC". */
function foldSounds(letters: string): string {
  if (letters.length < 4) return letters
  let folded = letters
  for (const [sound, letter] of foldings) folded = folded.replace(sound, letter)
  return folded
}

/** Folds the letters of a code, each as in the middle of a word. */
export const foldLetters = (code: string) =>
  code.replace(/[cqyw]/g, (letter) => (letter === 'y' ? 'i' : letter === 'w' ? 'v' : 'k'))

export const foldSet = (list: readonly string[]) =>
  new Set(list.map((word) => word.split('-').map(foldWord).join('')))

/** Maps every spelling to the first of its row. */
export function foldRows(rows: readonly (readonly string[])[]) {
  const first = new Map<string, string>()
  for (const row of rows) for (const word of row) first.set(foldWord(word), foldWord(row[0] ?? ''))
  return first
}

/** A name split into its written words, before they are interpreted. */
export interface Written {
  readonly raw: string
  readonly kind: NameKind
  readonly tokens: readonly string[]
  /** The number of words before those that say where its town lies; 0 if there are none. */
  readonly townLength: number
  readonly qualifiers: readonly string[]
  readonly gameNumber: number
  readonly numbers: readonly string[]
  readonly lead: TeamName['lead']
  /** The texts in brackets that make up the tag. */
  readonly tags: readonly string[]
  readonly tag: string
  readonly from: string | undefined
  readonly plain: string
  readonly contractions: ReadonlyMap<string, readonly [head: string, tail: string]>
  readonly sounds: ReadonlyMap<string, readonly string[]>
  readonly shortParts: ReadonlySet<string>
}

/** Returns the name with `bare` added: itself, or the result of `strip` if it has qualifiers. */
export function withBare(name: Omit<TeamName, 'bare'>, strip: () => TeamName): TeamName {
  const whole = name as TeamName & { bare: TeamName }
  whole.bare = name.qualifiers === '' ? whole : strip()
  return whole
}

const accentedScripts =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*/gu

export function signsOf(raw: string): string {
  const rest = raw.normalize('NFD').replace(accentedScripts, '')
  return rest.match(/[\p{L}\p{N}]\p{M}+/gu)?.join('') ?? ''
}

export const isNumber = (word: string) => /^\d+$/.test(word)

export const stronger = (one: Verdict, other: Verdict) => (ranks[one] < ranks[other] ? other : one)

/**
 * Returns whether the numbers of two names agree. Numbers are optional ("Schalke", "Schalke 04"), but "Team 1" is not
 * "Team 2": when both names have numbers, all of the one must be in the other, in the same order.
 */
export function numbersAgree(a: TeamName, b: TeamName): boolean {
  if (a.numbers.length === 0 || b.numbers.length === 0) return true
  const inA = a.lead === 'ordinal' && b.lead === undefined ? a.numbers.slice(1) : a.numbers
  const inB = b.lead === 'ordinal' && a.lead === undefined ? b.numbers.slice(1) : b.numbers
  const [few, many] = inA.length <= inB.length ? [inA, inB] : [inB, inA]
  let at = 0
  for (const number of many) if (at < few.length && isOneNumber(few[at] ?? '', number)) at++
  return at === few.length
}

/** Returns whether two texts are one number: "04" is 4, and the year 1904. */
function isOneNumber(a: string, b: string): boolean {
  if (a.replace(/^0+/, '') === b.replace(/^0+/, '')) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length === 2 && /^(?:18|19|20)\d\d$/.test(long) && long.endsWith(short)
}

/** Compares signs that are letters: both names have the same, or those of a shorter name are in the longer. */
export function signsAgree(a: TeamName, b: TeamName): boolean {
  if (a.key === b.key) return a.signs === b.signs
  return a.signs.includes(b.signs) || b.signs.includes(a.signs)
}

const ranks: Readonly<Record<Verdict, number>> = { different: 0, possible: 1, likely: 2, same: 3 }

/** Returns 0 for different to 3 for same. */
export const rankOf = (verdict: Verdict) => ranks[verdict]

export const atMost = (limit: Verdict, verdict: Verdict) =>
  ranks[verdict] < ranks[limit] ? verdict : limit

export const joined = (words: readonly Word[]) => words.map((word) => word.text).join('')

const confusedLetters = new Set([
  'gh',
  'ij',
  'ei',
  'sz',
  'bv',
  'uv',
  'ou',
  'ks',
  'dt',
  'ae',
  'ao',
  'ai',
])

/**
 * Returns whether two longer words differ by one letter: added, missing, swapped, or one that
 * sounds alike.
 */
export function isMisspelling(a: string, b: string): boolean {
  // Most pairs end here: this runs thousands of times per new listing.
  if (Math.min(a.length, b.length) < 6 || Math.abs(a.length - b.length) > 1) return false
  return isSlip(a, b) && !/\d/.test(a + b)
}

function isSlip(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  const most = Math.min(a.length, b.length) - start
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const inA = a.slice(start, a.length - end)
  const inB = b.slice(start, b.length - end)
  if (inA.length + inB.length === 1) {
    // An extra last letter makes another word: Kuznetsov and Kuznetsova, Juventud and Juventude.
    return end > 0
  }
  if (inA.length === 1 && inB.length === 1) return confusedLetters.has([inA, inB].sort().join(''))
  return inA.length === 2 && inB.length === 2 && inA[0] === inB[1] && inA[1] === inB[0]
}
