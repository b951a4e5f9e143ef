/**
 * Whose a total is by the label of its over or under. It is the game's where the label has no word besides the outcome,
 * the line, the part of the game, what is counted and both sides together. Any other word names an owner: a side, a
 * player ("Aaron Judge Over 1.5"), or somebody whom the label does not make certain ("Judge Over 1.5", "Bench Over 30.5").
 *
 * A label that says neither over nor under may say it in another language: there only a whole name is an owner.
 */

import { findMarket } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { readPart, withoutWhole } from '../../../schemas/reference/periods.ts'
import { isBareSideName } from '../names/bare-side-name.ts'
import type { NamedGame, SideOptions } from '../names/game-sides.ts'
import {
  isBareOutcome,
  labelledPlayer,
  namesNobody,
  saysOutcome,
  withoutOutcome,
} from '../names/labelled-player.ts'
import { ownWords, withoutNames, wordsOf } from './label-words.ts'
import { type GameSide, sideNamed, statedSide } from './team-totals.ts'

/** Whose a total is, where it is not the game's. */
export interface TotalOwner {
  /** The player, or the side as the game names it; null where that is not certain. */
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
 * Returns whom a label names as the owner of a total; null where that is the game.
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
  const words = withoutWhole(readPart(wordsOf(label), options.sport).rest).filter(namesSomebody)
  if (words.length === 0) return null
  const joined = label
    .split(joints)
    .map((part) => withoutWhole(wordsOf(part)).filter(namesSomebody).join(' '))
  if (areBoth(words, game, options) || areSides(joined, game, options)) return null
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
  const player = labelledPlayer(text, game, options.sport)
  if (player !== null && isCapitalised(player))
    return /\s\p{Pd}\s/u.test(player) ? unclearOwner : { name: player, side: null }
  return saysOutcome(label) ? unclearOwner : null
}

/** Returns whether two words or more have capitals, as in a person's name: not so in "Más de". */
const isCapitalised = (name: string) => (name.match(/(?<![\p{L}\p{M}'’])\p{Lu}/gu) ?? []).length > 1

/** Returns whether words are those of both names, and no other. */
function areBoth(words: readonly string[], { home, away }: NamedGame, options: SideOptions) {
  const besideHome = withoutNames(words, [home], options)
  const left = withoutNames(besideHome, [away], options)
  return left.length === 0 && besideHome.length > 0 && besideHome.length < words.length
}

const joints = /\s*[@/&+]\s*|\s+(?:v|vs|versus|at|and)\.?\s+/iu

/** Returns whether two texts name the two sides in any spelling: "LAL" and "CHI". */
function areSides(texts: readonly string[], game: NamedGame, options: SideOptions): boolean {
  const names = texts.filter((text) => text !== '')
  if (names.length !== 2) return false
  const sides = names.map((name) => sideNamed(name, game, options))
  return sides.includes('home') && sides.includes('away')
}
