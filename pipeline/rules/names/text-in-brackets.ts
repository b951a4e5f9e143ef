/**
 * The text in brackets beside a name: "Lakers (LAL)", "Heat (KRAFT) (2x6)". It is the side's own if
 * it fits that side: an abbreviation, its city, state or country, its place in the table, its rank
 * or record. Beside a team in a table, everything else is foreign: a statistic, or a computer
 * player's name.
 */

import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import { countryInBrackets } from './club-names.ts'
import { contestWords, isEntry, isStanding } from './contest-words.ts'
import { foldSet, foldWord, type TeamName } from './parsed-name.ts'
import { regionsOf } from './team-countries.ts'
import { sharedCities, statesByName } from './team-words.ts'

/** Cities and states, each as one word. */
export const places = foldSet([...sharedCities, ...statesByName])

/** Words about the team or the same game, not another contest: its place, its league, "to win". */
export const sameGameWords = foldSet(contestWords.besideTeams)

/** Matches the start of a player's nickname: (The Nuke). */
export const nickname = /^\s*the\s/iu

/** Returns whether a text has one to three letters or digits: LAL, OH, M1. */
export const isCode = (text: string) => /^\s*[\p{L}\p{N}]{1,3}\s*$/u.test(text)

/**
 * Matches a place in a division, a conference or the wildcards (M1, E3, WC2), but not P1, the first
 * period.
 */
const placeInDivision = /^(?:[acemnsw]|wc)[1-9]$/u

/**
 * Whether a text in brackets is about its side (`own`) or `foreign`; `unknown` beside a team that
 * no table has.
 */
export type Fit = 'own' | 'unknown' | 'foreign'

/**
 * The side beside whose name the brackets stand, with its team, country and the league's teams if
 * known.
 */
export interface BracketedSide {
  readonly name: TeamName
  /** The table's team for the name without the brackets. */
  readonly team: { readonly key: string; readonly name: string } | undefined
  /** The code of its league's country; undefined for a league of several. */
  readonly country: string | undefined
  /** Returns the key of the team that a text names. */
  readonly teamOf: (text: string) => string | undefined
}

/** Returns the texts in the brackets of a name, without marks of women, second teams and countries. */
export function textsInBrackets({ written, raw, tag }: TeamName): readonly string[] {
  if (written) return written.tags
  if (tag === '') return []
  return [...raw.matchAll(brackets)]
    .map(([, inside = '']) => inside)
    .filter((inside) => !isEntry(inside) && countryInBrackets(inside.toLowerCase()) === undefined)
}

const brackets = /[([]([^)\]]*)[)\]]/gu

export const withoutBrackets = (raw: string) => raw.replace(brackets, ' ')

/** Returns whether a text in brackets fits the side beside it. */
export function fitOf(inside: string, side: BracketedSide): Fit {
  const text = plainText(inside)
  const word = foldJoined(text)
  if (
    !/\p{L}/u.test(text) ||
    isStanding(inside) ||
    placeInDivision.test(text) ||
    places.has(word) ||
    sameGameWords.has(word)
  )
    return 'own'
  const { name, team, country, teamOf } = side
  if (team === undefined) return isCode(text) || isOfName(inside, word, name) ? 'own' : 'unknown'
  if (teamOf(text) === team.key) return 'own'
  const names = [withoutBrackets(name.raw), team.name].map(plainText)
  const isOwn = isCode(text)
    ? isOfCountry(text, country) || names.some((full) => isShortFor(text, full.split(' ')))
    : names.some((full) => foldJoined(full).includes(word))
  return isOwn ? 'own' : 'foreign'
}

const isOfName = (inside: string, word: string, name: TeamName) =>
  name.letters.includes(word) || (name.kind === 'person' && nickname.test(inside))

/** All texts in the brackets beside a name. */
export interface Brackets {
  /** Foreign if one of the texts is. */
  readonly fit: Fit
  /** The texts, each as one word; beside a known team, only those that are not its own. */
  readonly others: readonly string[]
}

/** Reads all texts in the brackets beside a name. */
export function readBrackets(side: BracketedSide): Brackets {
  const texts = textsInBrackets(side.name)
  const fits = texts.map((inside) => fitOf(inside, side))
  return {
    fit: (['foreign', 'unknown'] as const).find((fit) => fits.includes(fit)) ?? 'own',
    others: texts
      .filter((_, at) => side.team === undefined || fits[at] !== 'own')
      .map((inside) => foldJoined(plainText(inside))),
  }
}

/** Returns the words of a text in lower case, without accents and marks. */
export const plainText = (text: string) =>
  foldAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Returns the words of a plain text as one word. */
export const foldJoined = (text: string) => text.split(' ').map(foldWord).join('')

/** Returns whether a code is of the league's country, or of a region of it. */
function isOfCountry(text: string, country: string | undefined): boolean {
  if (country !== undefined)
    return text === country.toLowerCase() || regionsOf(country).includes(text)
  return !contestWords.contests.includes(text) && isCountryCode(text)
}

function isCountryCode(text: string): boolean {
  if (!/^[a-z]{2}$/.test(text)) return false
  return regionNames.of(text.toUpperCase()) !== undefined
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/**
 * Returns whether a code is made of letters of some of a name's words, in order; of each word used,
 * the first letter comes first: MCI, STL. In a code of three letters, those of a word need not be
 * adjacent: BKN. One letter is not enough.
 */
function isShortFor(letters: string, words: readonly string[]): boolean {
  if (letters.length < 2) return false
  const isNear = letters.length === 2
  const fits = (at: number, from: number): boolean =>
    at === letters.length ||
    words.slice(from).some((word, index) => {
      if (word[0] !== letters[at]) return false
      let place = 0
      for (let end = at + 1; place >= 0; end++) {
        if (fits(end, from + index + 1)) return true
        const next = word.indexOf(letters[end] as string, place + 1)
        place = isNear && next !== place + 1 ? -1 : next
      }
      return false
    })
  return fits(0, 0)
}
