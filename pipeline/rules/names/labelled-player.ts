/**
 * Reads the player from a selection's label, if a player's market does not state one: "LeBron James
 * Over 25.5", "Over (25.5) LeBron James", "Josh Allen".
 *
 * A wrong player would bet one against another, so all that is left of a label has to be a name: of two words or
 * more, none of them a word of markets or of the two sides. Words of markets are in names of players too, and count as
 * such where their form leaves no doubt: "A.J. Brown", "Lee Kang-in", "Will Smith".
 */

import { readDataFile, row, texts } from '../../../schemas/data-file.ts'
import { wordsOfMarket } from '../../../schemas/reference/market-names.ts'
import { markets } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { isBareSideName } from './bare-side-name.ts'
import type { NamedGame } from './game-sides.ts'
import { personParticles } from './person-names.ts'
import { nameKindOf } from './team-names.ts'
import labelRows from './words/label-words.json' with { type: 'json' }

const labelWords = readDataFile(
  'pipeline/rules/names/words/label-words.json',
  row({
    /** The outcome itself, which stands beside a name. */
    answers: texts,
    /** Words that are part of neither a name nor a market. */
    others: texts,
    /** Words of labels that are given names too, in front of a surname. */
    givenNames: texts,
    /** Words of labels that are surnames too, behind a given name. */
    surnames: texts,
    /** Words of labels that are syllables of given names too, beside a hyphen. */
    syllables: texts,
    /** Words of a question about a player that are part of no market's name: a single one of what it counts. */
    besideNames: texts,
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

const givenNames: ReadonlySet<string> = new Set(labelWords.givenNames)
const surnames: ReadonlySet<string> = new Set(labelWords.surnames)

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

/** Returns whether a text has words of markets or of labels, as few names of players have. */
export const hasLabelWords = (text: string): boolean =>
  wordsOfMarket(text).some((word) => noNames.has(word))

const besideNames: ReadonlySet<string> = new Set(labelWords.besideNames)

/** Returns whether a text has words that few names of players have, or that stand beside them. */
const isDoubtful = (text: string) =>
  wordsOfMarket(text).some((word) => noNames.has(word) || besideNames.has(word))

/** Matches initials: several in a row ("A.J.", in front "A J"), one in front ("A. Judge") or at the end. */
const initials =
  /(?<!\p{L})\p{Lu}\.(?:[\s-]?\p{Lu}(?!\p{L})\.?)+|^\p{Lu}(?:\.|\s\p{Lu}(?!\p{L}))|(?<=\s)\p{Lu}\.$/gu

/** An initial that is no word of labels. */
const plainInitial = 'J.'

/** Words of labels that are a syllable of given names too: "Kang-in", "Ji-won", "In-beom". */
const syllables: ReadonlySet<string> = new Set(labelWords.syllables)

/**
 * Returns whether a text with words of labels is a player's name by its form: they are initials, or one of two words is
 * a given name, a surname or has a hyphen ("Will Smith", "Brayden Point", "Lee Kang-in"). All words have a capital, and
 * none is a side's.
 */
function isNameByForm(text: string, isOfSides: (word: string) => boolean): boolean {
  const [, outside = '', inBrackets = ''] = /^([^([]*)(.*)$/u.exec(text) ?? []
  const words = outside
    .trim()
    .replace(/^([^,]+),\s*([^,]+)$/u, '$2 $1')
    .replace(initials, ` ${plainInitial} `)
    .split(/[\s,]+/)
    .filter((word) => /\p{L}/u.test(word) && !personParticles.has(normaliseName(word)))
  const isOfName = (word: string) => /^\p{Lu}/u.test(word) && !isOfSides(word)
  if (!words.every(isOfName) || isDoubtful(inBrackets)) return false
  const [doubtful, ...more] = words.filter(isDoubtful)
  if (doubtful === undefined) return true
  if (more.length > 0 || words.length !== 2) return false
  const names = doubtful === words[0] ? givenNames : surnames
  const parts = doubtful.split(/\p{Pd}/u)
  const ofLabels = parts.filter(isDoubtful)
  return (
    names.has(normaliseName(doubtful)) ||
    (ofLabels.length < parts.length && ofLabels.every((part) => syllables.has(normaliseName(part))))
  )
}

/** Returns the player whom a label names; null where that is not certain. */
export function labelledPlayer(
  label: string,
  { home, away }: NamedGame,
  sport: string,
): string | null {
  const name = withoutOutcome(label)
  if (!/^\p{L}[\p{L}\p{M}.,'’ ()[\]\p{Pd}]*$/u.test(name)) return null
  const outside = name.replace(/[([].*/, '')
  // "T.B.A." is all initials.
  if (!/\p{L}[\s,.]+\p{L}/u.test(outside) || !/\p{L}{2}/u.test(outside)) return null
  const sides = nameKindOf(sport) === 'person' ? [] : [home, away]
  const ofSides = new Set(sides.flatMap((side) => normaliseName(side).split(' ')))
  // A nickname or a code, as in "Will Sixers", is no word of the name.
  const isOfSides = (word: string) =>
    ofSides.has(normaliseName(word)) || sides.some((side) => isBareSideName(word, side, { sport }))
  if (isDoubtful(name) && !isNameByForm(name, isOfSides)) return null
  return normaliseName(name)
    .split(' ')
    .every((word) => ofSides.has(word))
    ? null
    : name
}
