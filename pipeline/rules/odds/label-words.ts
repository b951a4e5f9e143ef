/** The words of a selection's label, without those of names, and the words that a market's own name has. */

import { memoise } from '../../../schemas/memoise.ts'
import { wordsOfMarket } from '../../../schemas/reference/market-names.ts'
import { findMarket, type Market } from '../../../schemas/reference/markets.ts'
import type { SideOptions } from '../names/game-sides.ts'

/** Lines, but no whole numbers: those may count parts of a game. */
const lines = /(?<![\p{L}\p{N}])[ou]?(?:[+-]\d+(?:[.,]\d+)?|\d+[.,]\d+)(?![\p{L}\p{N}])/giu

/** Returns the words of a label or a name; a capital within a word ("McHale") begins none. */
export const wordsOf = (text: string) => wordsOfMarket(text.replace(lines, ' ').toLowerCase())

/** Returns the words without those of names, each as often as a name has it. */
export function withoutNames(
  words: readonly string[],
  names: readonly (string | null)[],
  { resolveTeam }: SideOptions,
): readonly string[] {
  let left = words
  for (const name of names) {
    if (name === null) continue
    const own = new Set(wordsOf(`${name} ${resolveTeam?.(name)?.name ?? ''}`))
    left = left.filter((word) => !own.delete(word))
  }
  return left
}

/** Returns the words of a listed market's id, name and nicknames. */
export const ownWords = memoise((id: string): ReadonlySet<string> => {
  const { name, nicknames } = findMarket(id) as Market
  return new Set([id, name, ...nicknames].flatMap(wordsOfMarket))
})
