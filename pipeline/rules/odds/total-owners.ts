/**
 * Whose total it is, by the label of an over or under. It is the game's total if the label only has
 * the outcome, the line, the part of the game, what is counted, the league, the sport, or both
 * sides together. Any other word names an owner: a side, a player ("Aaron Judge Over 1.5"), or
 * somebody uncertain ("Judge Over 1.5", "Bench Over 30.5").
 *
 * A label without "over" or "under" may have it in another language: then only a complete name is
 * an owner.
 */

import { findMarket } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { readPart, withoutWhole } from '../../../schemas/reference/periods.ts'
import { isBareSideName } from '../names/bare-side-name.ts'
import type { NamedGame, SideOptions } from '../names/game-sides.ts'
import {
  hasLabelWords,
  isBareOutcome,
  labelledPlayer,
  namesNobody,
  saysOutcome,
  withoutOutcome,
} from '../names/labelled-player.ts'
import { ownWords, withoutNames, withoutPhrases, wordsOf } from './label-words.ts'
import { type GameSide, sideNamed, statedSide } from './team-totals.ts'

/** The owner of a total that is not the game's. */
export interface TotalOwner {
  /** The player, or the side as the game names it; null if that is not certain. */
  readonly name: string | null
  readonly side: GameSide | null
}

export const unclearOwner: TotalOwner = { name: null, side: null }

/** Returns whether a type is an over or under of both sides together. */
export function isGameTotal(marketType: string): boolean {
  const market = findMarket(marketType)
  return market?.answers === 'over_under' && !market.isPlayerProp
}

/**
 * Returns the owner of a total by its label; null if that is the game.
 * @param marketType the game's total, see `isGameTotal`
 */
export function totalOwner(
  label: string | null | undefined,
  marketType: string,
  game: NamedGame,
  options: SideOptions,
): TotalOwner | null {
  if (label == null || isBareOutcome(label)) return null
  const own = ownWords(marketType)
  const isOwn = (word: string) => own.has(word) || own.has(`${word}s`)
  const ofSides = new Set([game.home, game.away].flatMap(wordsOf))
  const namesSomebody = (word: string) => !isOwn(word) && (ofSides.has(word) || !namesNobody(word))
  const besideParts = (text: string) =>
    withoutWhole(withoutPhrases(readPart(wordsOf(text), options.sport).rest, options, ofSides))
  const words = besideParts(label).filter(namesSomebody)
  if (words.length === 0) return null
  // "Paris Saint-Germain" has a word of "Saint-Étienne" too.
  if (![game.home, game.away].some((name) => isBareSideName(words.join(' '), name, options))) {
    const isCode = createIsCode(game, options)
    const names = label
      .split(signs)
      .flatMap((part) => runsOf(besideParts(part), (word) => namesSomebody(word) || isCode(word)))
    if (areBoth(words, game, options) || areSides(names, game, options)) return null
  }
  const text = withoutOutcome(label)
    .split(' ')
    .filter((part) => normaliseName(part) === '' || !wordsOf(part).every(isOwn))
    .join(' ')
  const side = statedSide(label, game, options)
  if (side !== null) {
    // "Home Runs" is no total of the home side.
    const isSide = normaliseName(withoutOutcome(label)) === side
    const isCertain = isSide || isBareSideName(text, game[side], options)
    return isCertain ? { name: game[side], side } : unclearOwner
  }
  // "Will Smith" of a total may be a question.
  const player = hasLabelWords(text) ? null : labelledPlayer(text, game, options.sport)
  if (player !== null && isCapitalised(player))
    return /\s\p{Pd}\s/u.test(player) ? unclearOwner : { name: player, side: null }
  return saysOutcome(label) ? unclearOwner : null
}

/** Returns whether two or more words have capitals, as in a person's name; not so in "Más de". */
const isCapitalised = (name: string) => (name.match(/(?<![\p{L}\p{M}'’])\p{Lu}/gu) ?? []).length > 1

/** Returns whether words are those of both names, and no other. */
function areBoth(words: readonly string[], { home, away }: NamedGame, options: SideOptions) {
  const besideHome = withoutNames(words, [home], options)
  const left = withoutNames(besideHome, [away], options)
  return left.length === 0 && besideHome.length > 0 && besideHome.length < words.length
}

/** Signs between the names of two sides, some of which names have too: "Saint-Étienne", "Texas A&M". */
const signs = /[^\p{L}\p{M}\p{N}\s.,'’]+/u

/** Returns the texts of adjacent words that pass a test. */
function runsOf(words: readonly string[], passes: (word: string) => boolean): readonly string[] {
  const runs: string[][] = [[]]
  for (const word of words) {
    if (passes(word)) runs.at(-1)?.push(word)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 0).map((run) => run.join(' '))
}

/** The most texts that are read as the names of both sides. */
const mostTexts = 8

/**
 * Returns whether texts name one side and then the other, in any spelling: "LAL" and "CHI"; "Saint", "Etienne" and
 * "Lyon". A name may be longer than the game's own if there are only two texts and the league's
 * table lacks the sides.
 */
function areSides(texts: readonly string[], game: NamedGame, options: SideOptions): boolean {
  if (texts.length < 2 || texts.length > mostTexts) return false
  const isOf = (side: GameSide) => (text: string) => isBareSideName(text, game[side], options)
  const [isHome, isAway] = [isOf('home'), isOf('away')]
  const isListed = [game.home, game.away].every((name) => options.resolveTeam?.(name))
  const sideOf = (text: string): GameSide | null => {
    const isOfHome = isHome(text)
    if (isOfHome !== isAway(text)) return isOfHome ? 'home' : 'away'
    return texts.length === 2 && !isListed ? sideNamed(text, game, options) : null
  }
  return texts.slice(1).some((_, at) => {
    const first = sideOf(texts.slice(0, at + 1).join(' '))
    const second = first && sideOf(texts.slice(at + 1).join(' '))
    return second !== null && second !== first
  })
}

/**
 * Returns a test for words that are codes of one of the sides in the league's table: "NO" of New
 * Orleans.
 */
function createIsCode({ home, away }: NamedGame, { resolveTeam }: SideOptions) {
  const keys = [home, away].map((name) => resolveTeam?.(name)?.key)
  return (word: string) => {
    const key = resolveTeam?.(word)?.key
    return key !== undefined && keys.includes(key)
  }
}
