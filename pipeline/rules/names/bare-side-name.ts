/**
 * Whether a text is a side's name and nothing else. A comparison of names (`game-sides.ts`)
 * tolerates an extra word, because a sportsbook may write a longer name. In the name of a market,
 * such a word changes the question: "Arsenal Headed Goals", "Arsenal Women Total Goals".
 */

import { findKnownSide } from '../../../schemas/reference/known-sides.ts'
import { markets } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { findTeamInSport } from '../../../schemas/reference/teams.ts'
import type { SideOptions } from './game-sides.ts'
import { soundAlike, soundsOf } from './name-sounds.ts'
import { isMisspelling } from './parsed-name.ts'
import { forms, particles } from './team-words.ts'

/** Club forms and little words, which may stand beside any name. */
const idle: ReadonlySet<string> = new Set([...forms, ...particles])

/**
 * Returns whether a text is a listed name of the side, or each of its words is one of the side's own, perhaps
 * shortened: "Man Utd" of "Manchester United".
 */
export const isBareSideName = (text: string, side: string, options: SideOptions): boolean =>
  isNameBy(isShortFor, text, side, options)

/**
 * Returns whether a text is the side's name in any spelling: misspelt, or in full if the game has a
 * short name. It may still not have more words than the name.
 */
export const isSideNameAlone = (text: string, side: string, options: SideOptions): boolean =>
  isNameBy(isSpelling, text, side, options)

/** Returns whether a word of a text stands for a word of a name. */
type StandsFor = (word: string, whole: string) => boolean

function isNameBy(standsFor: StandsFor, text: string, side: string, options: SideOptions): boolean {
  const key = keyOf(side, options)
  if (key !== undefined && keyOf(text, options) === key) return true
  const full = options.resolveTeam?.(side)?.name
  return [side, ...(full === undefined ? [] : [full])].some((name) =>
    isOfWords(text, name, standsFor),
  )
}

function keyOf(name: string, { sport, league, resolveTeam }: SideOptions): string | undefined {
  const side = resolveTeam?.(name) ?? findKnownSide(name, sport, league ?? '')
  return side?.key ?? findTeamInSport(name, sport)?.id
}

function isOfWords(text: string, name: string, standsFor: StandsFor): boolean {
  const own = wordsOf(name)
  const left = wordsOf(text).filter((word) => {
    const at = own.indexOf(word)
    if (at >= 0) own.splice(at, 1)
    return at < 0 && !idle.has(word)
  })
  return left.every((word) => {
    const at = own.findIndex((whole) => standsFor(word, whole))
    if (at >= 0) own.splice(at, 1)
    return at >= 0
  })
}

/** Returns the words of a name; single letters are joined: "D.R. Congo", "Texas A&M". */
const wordsOf = (name: string): string[] =>
  normaliseName(name)
    .replace(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, '')
    .split(' ')
    .filter((word) => word !== '')

/** Returns whether a word has the first letter and further letters of another, in order: "utd" of "united". */
function isShortFor(word: string, whole: string): boolean {
  if (word.length >= whole.length || word[0] !== whole[0]) return false
  let at = 0
  for (const letter of whole) if (letter === word[at]) at++
  return at === word.length
}

const isSpelling: StandsFor = (word, whole) =>
  isShortFor(word, whole) ||
  (!ofMarkets.has(word) &&
    (isShortFor(whole, word) ||
      isMisspelling(word, whole) ||
      soundAlike(soundsOf(word), soundsOf(whole))))

/** Words of bets, which are not read as initials: "Alcaraz corners" is not "C. Alcaraz". */
const ofMarkets: ReadonlySet<string> = new Set(markets.flatMap(({ id }) => id.split(/[_-]/)))
