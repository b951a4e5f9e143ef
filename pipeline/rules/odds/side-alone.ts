/**
 * The side that a selection names, if its text has nothing else: "Knicks", "NY Knicks ML" and
 * "Arsenal to win" in a moneyline. Any other word asks another question: "Lakers 1H", "Lakers to
 * win by 10", "Sinner -1.5 sets".
 */

import {
  findMarketLabelled,
  partNamed,
  wordsOfMarket,
} from '../../../schemas/reference/market-names.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { readPart } from '../../../schemas/reference/periods.ts'
import { isSideNameAlone } from '../names/bare-side-name.ts'
import type { NamedGame, SideOptions } from '../names/game-sides.ts'
import { type GameSide, sideNamed } from './team-totals.ts'

/** A text with more words than this is only read as a name. */
const mostWords = 16

/** @param text without the line */
export function sideAlone(
  text: string,
  marketType: string,
  game: NamedGame,
  options: SideOptions,
): GameSide | null {
  const named = (name: string) => {
    const side = sideNamed(name, game, options)
    return side !== null && isSideNameAlone(name, game[side], options) ? side : null
  }
  const whole = named(text)
  const words = normaliseName(text).split(' ')
  if (whole !== null || words.length > mostWords) return whole
  for (let count = 1; count < words.length; count++) {
    const [first, last] = [words.slice(0, count).join(' '), words.slice(count).join(' ')]
    const side =
      (saysMarket(last, marketType, options.sport) ? named(first) : null) ??
      (saysMarket(first, marketType, options.sport) ? named(last) : null)
    if (side !== null) return side
  }
  return null
}

/**
 * Returns whether words only name the market (also "win" for "to win"), repeat its id ("sets" of
 * `set_handicap`), or name its part of the game.
 */
function saysMarket(words: string, marketType: string, sport: string): boolean {
  const period = findMarket(marketType)?.period ?? 'game'
  const isNamed = (name: string) => findMarketLabelled(name, sport, period) === marketType
  const ofId = marketType.split('_')
  return (
    isNamed(words) ||
    isNamed(`to ${words}`) ||
    words
      .split(' ')
      .every((word) => ofId.includes(word) || ofId.includes(word.replace(/s$/, ''))) ||
    isPartOf(partNamed(words, sport), marketType)
  )
}

/** Returns whether a text names no other part of the game than the market's. */
export const namesNoOtherPart = (text: string, marketType: string, sport: string): boolean => {
  const { part } = readPart(wordsOfMarket(text), sport)
  return part === 'game' || isPartOf(part, marketType)
}

/** A result with a draw is of regulation time. */
function isPartOf(part: string | null, marketType: string): boolean {
  const market = findMarket(marketType)
  return part === market?.period || (part === 'regulation' && market?.answers === 'three_ways')
}
