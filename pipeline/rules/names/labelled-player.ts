/**
 * Reads the player from a selection's label, if a player's market does not state one: "LeBron James
 * Over 25.5", "Over (25.5) LeBron James", "Josh Allen".
 *
 * A wrong player would pair prices of two players. So the rest of a label must be a name of at
 * least two words, none of them a word of markets or of the two sides.
 */

import { readDataFile, row, texts } from '../../../schemas/data-file.ts'
import { wordsOfMarket } from '../../../schemas/reference/market-names.ts'
import { markets } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import type { NamedGame } from './game-sides.ts'
import { nameKindOf } from './team-names.ts'
import labelRows from './words/label-words.json' with { type: 'json' }

const labelWords = readDataFile(
  'pipeline/rules/names/words/label-words.json',
  row({
    /** The outcome itself, which stands beside a name. */
    answers: texts,
    /** Words that are part of neither a name nor a market. */
    others: texts,
    /** Words without accents that name nobody beside a game's over or under, in the languages of sportsbooks. */
    besideTotals: texts,
    /** Phrases that name nobody there, although a single word of them may. */
    phrasesBesideTotals: texts,
  }),
  labelRows,
)

const answers = new RegExp(
  `(?<![\\p{L}\\p{N}'’-])(?:${labelWords.answers.join('|')})(?![\\p{L}\\p{N}'’.-])`,
  'giu',
)
const lines = /(?<![\p{L}\p{N}])[ou]?[+-]?\d+(?:[.,]\d+)?\+?(?![\p{L}\p{N}])/giu
const emptyBrackets = /[([]\s*[)\]]/g
const edges = /^[\s:,\p{Pd}]+|[\s:,\p{Pd}]+$/gu

/** Matches the outcome in English: "Over", "o2.5", "2+", "2 or more". */
const outcome = new RegExp(
  `${answers.source}|(?<![\\p{L}\\p{N}])(?:[ou]\\d|(?:at least|or more|or less|or fewer)\\b)|\\d\\+`,
  'iu',
)

const nobodys: ReadonlySet<string> = new Set([...labelWords.answers, ...labelWords.besideTotals])

/** Phrases that name nobody beside the over or under of a total: "Listed Pitchers". */
export const phrasesOfNobody = labelWords.phrasesBesideTotals

const noNames: ReadonlySet<string> = new Set([
  ...labelWords.others,
  ...markets.flatMap(({ id, name, nicknames }) => [id, name, ...nicknames].flatMap(wordsOfMarket)),
])

/** Returns the label without the outcome and the line: "LeBron James" of "LeBron James Over 25.5". */
export const withoutOutcome = (label: string) =>
  label
    .replace(lines, ' ')
    .replace(answers, ' ')
    .replace(emptyBrackets, ' ')
    .replace(/\s+/g, ' ')
    .replace(edges, '')

/** Returns whether a label has only the outcome and the line. */
export const isBareOutcome = (label: string | null): boolean =>
  label === null || withoutOutcome(label) === ''

/**
 * Returns whether a label says its outcome in English; then no other word beside it is an outcome.
 */
export const saysOutcome = (label: string): boolean => outcome.test(label)

/** Returns whether a word beside the over or under of a total names nobody: it is part of a phrase, or too short. */
export const namesNobody = (word: string): boolean => nobodys.has(word) || !/\p{L}{2}/u.test(word)

/** Returns the player whom a label names; null if that is not certain. */
export function labelledPlayer(
  label: string,
  { home, away }: NamedGame,
  sport: string,
): string | null {
  const name = withoutOutcome(label)
  if (!/^\p{L}[\p{L}\p{M}.,'’ ()[\]\p{Pd}]*$/u.test(name)) return null
  if (!/\p{L}[\s,.]+\p{L}/u.test(name.replace(/[([].*/, ''))) return null
  const words = normaliseName(name).split(' ')
  if (wordsOfMarket(name).some((word) => noNames.has(word))) return null
  if (nameKindOf(sport) === 'person') return name
  const ofSides = new Set([home, away].flatMap((side) => normaliseName(side).split(' ')))
  return words.every((word) => ofSides.has(word)) ? null : name
}
