/**
 * The words that people and sources have for outcomes: `1`, `x` and `2`, `tie`, `o` and `u`. Only this file reads
 * them; which of them a market can have is decided in `pipeline/rules/odds/outcome-words.ts`.
 */

import { readDataFile, recordOf, texts } from '../data-file.ts'
import { foldAccents, normaliseName } from './normalise-name.ts'
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

/** The form of selection types: words of letters and digits, in any script. */
export const outcomeSlug = /^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*$/u
export const outcomeMaxLength = 60

/**
 * Returns a stated outcome in the form of selection types: "Home Draw" and "home-draw" are
 * `home_draw`. Other signs stay, so that the result does not have this form: "+1" and "-1" do not
 * become `1`.
 */
export function slugOutcome(stated: string): string {
  if (plainSlug.test(stated) || stated.length > 2 * outcomeMaxLength) return stated
  return foldAccents(stated.trim())
    .replace(/['’‘`´]/g, '')
    .replace(separators, '_')
}

const plainSlug = /^[a-z0-9]+(?:_[a-z0-9]+)*$/
const separators = /(?<=[\p{L}\p{N}])(?:[\s_]+|\s*[\p{Pd}/:.]\s+|[\p{Pd}/:.])(?=[\p{L}\p{N}])/gu
