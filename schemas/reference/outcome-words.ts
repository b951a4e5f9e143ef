/**
 * The words that people and sources have for outcomes: `1`, `x` and `2`, `tie`, `o` and `u`. Only this file reads
 * them; which of them a market can have is decided in `pipeline/rules/odds/outcome-words.ts`.
 */

import { readDataFile, recordOf, texts } from '../data-file.ts'
import { normaliseName } from './normalise-name.ts'
import wordRows from './outcome-words.json' with { type: 'json' }

const wordsOfTypes = readDataFile('schemas/reference/outcome-words.json', recordOf(texts), wordRows)

const typesByWord: ReadonlyMap<string, string> = new Map(
  Object.entries(wordsOfTypes).flatMap(([type, words]) =>
    [normaliseName(type), ...words].map((word) => [word, type] as const),
  ),
)

/**
 * Returns the selection type that a word means, whatever the market: `draw` for "Tie" and `x`. `none` is nobody's
 * goal or win, whose type depends on the market.
 */
export const outcomeNamed = (word: string): string | undefined =>
  typesByWord.get(normaliseName(word))
