/** Words of bet files: the names that sportsbooks and people use for columns and results. */

import { isCurrencyCode } from '../../../pipeline/rules/bets/currency-names.ts'
import { type BetOutcome, betOutcomes } from '../../../schemas/bet.ts'
import { listOf, oneOf, readDataFile, recordOf, row, texts } from '../../../schemas/data-file.ts'
import { type BetColumn, betColumns } from '../../../schemas/http/bets/files.ts'
import stated from './import-words.json' with { type: 'json' }

const otherBetWords = row({
  /** Words anywhere in the header of a column about it. */
  headers: texts,
  /** Whole headers of such columns. */
  titles: texts,
  /** Cells of such a column that say no, besides no and 0. */
  plain: texts,
  /** Cells of any column that name it, besides numbers and words such as bet. */
  cells: texts,
  /** Words in a short cell of any column that name it. */
  phrases: texts,
})

const words = readDataFile(
  'api/bets/table/import-words.json',
  row({
    /** Other names of columns. */
    columns: recordOf(texts, oneOf([...betColumns.keys()])),
    /** Words of bets that are no plain back bet, by the code that refuses them. */
    other_bets: row({
      lay_bet: otherBetWords,
      each_way_bet: otherBetWords,
      several_legs: otherBetWords,
      unknown_free_bet: otherBetWords,
      unknown_result: otherBetWords,
    }),
    /** Whole headers of columns of the type of bet, and their cells for a single, besides markets. */
    bet_types: row({ titles: texts, plain: texts }),
    /** Words in headers of what a lay may lose, and a back bet's stake. */
    liability: texts,
    /** Words in headers of columns of people, who may be called like a bet. */
    about_people: texts,
    /** Words in headers of what comes with a bet, as in `Combo boost`. */
    not_the_bet: texts,
    /** Words for an empty cell, besides no. */
    none: texts,
    /** Other words for outcomes. */
    results: recordOf(texts, oneOf(betOutcomes)),
    /** Letters that are an outcome only beside other letters: a P alone may also be pending. */
    letters: recordOf(texts, oneOf(betOutcomes)),
    /** Words for an open bet. */
    open: texts,
    /** From January: the beginnings of each month's names, without accents. */
    months: listOf(texts),
    /** By IANA name, the names of a zone's clocks: by the offset from UTC that a name states, or `any`. */
    zones: recordOf(recordOf(texts)),
    /** Words that say whether a bet is free. */
    free: row({ yes: texts, no: texts }),
  }),
  stated,
)

/** Returns the form in which words are compared. */
export const keyOf = (word: string) =>
  word
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}/]+/gu, ' ')
    .replaceAll(/\s*\/\s*/g, '/')
    // Replaces the slash of `P/L`, but not that of `1/2 won`.
    .replaceAll(/(?<!\d)\/|\/(?!\d)/g, ' ')
    .trim()

const columnsByName = new Map<string, BetColumn>([
  ...Object.entries(words.columns).flatMap(([column, names]) =>
    names.map((name) => [keyOf(name), column as BetColumn] as const),
  ),
  ...[...betColumns.keys()].map((column) => [keyOf(column), column] as const),
])

const lettersBehind = /[([]\s*([A-Z]{3})\s*[)\]]\s*$/

/** Returns the code of a currency that a header has in brackets: `Stake (USD)`; undefined without one. */
export function codeBehind(header: string): string | undefined {
  const letters = lettersBehind.exec(header)?.[1]
  return letters !== undefined && isCurrencyCode(letters) ? letters : undefined
}

const currencyWords = ['currency', ...words.columns.currency!].map(keyOf)

/** Returns the column that a header names, with or without a currency. */
export function columnNamed(header: string): BetColumn | undefined {
  const key = keyOf(codeBehind(header) === undefined ? header : header.replace(lettersBehind, ''))
  const isOfCurrency = () => currencyWords.some((word) => key.endsWith(` ${word}`))
  return columnsByName.get(key) ?? (isOfCurrency() ? 'currency' : undefined)
}

export const otherBets = words.other_bets
export const betTypes = words.bet_types
export const { liability, about_people: aboutPeople, not_the_bet: notTheBet, none } = words

const outcomesOf = (named: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(named).flatMap(([outcome, names]) =>
    names.map((name) => [keyOf(name), outcome as BetOutcome] as const),
  )

const outcomesByWord = new Map<string, BetOutcome | 'open'>([
  ...outcomesOf(words.results),
  ...betOutcomes.map((outcome) => [keyOf(outcome), outcome] as const),
  ...words.open.map((word) => [keyOf(word), 'open'] as const),
])

/** Returns the result that a word names; undefined for an unknown word. */
export const outcomeNamed = (word: string): BetOutcome | 'open' | undefined =>
  outcomesByWord.get(keyOf(word))

const freeByWord = new Map([
  ...words.free.yes.map((word) => [word, true] as const),
  ...words.free.no.map((word) => [word, false] as const),
])

/** Returns whether a cell says that a bet is free; undefined for other texts, as an amount. */
export const freeNamed = (cell: string): boolean | undefined => freeByWord.get(cell.toLowerCase())

const outcomesByLetter = new Map(outcomesOf(words.letters))

/** Returns the result that a letter names in a file whose results are letters. */
export const letterNamed = (letter: string): BetOutcome | undefined =>
  outcomesByLetter.get(keyOf(letter))

/** Returns the month of a name, from 1, in the languages of the file; undefined for another word. */
export function monthNamed(name: string): number | undefined {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const at = words.months.findIndex((beginnings) => beginnings.some((one) => plain.startsWith(one)))
  return at < 0 ? undefined : at + 1
}

const zonesByWord = new Map(
  Object.entries(words.zones).flatMap(([zone, byOffset]) =>
    Object.entries(byOffset).flatMap(([offset, names]) =>
      names.map((name) => [name, { zone, offset }] as const),
    ),
  ),
)

/** The names of zones that a time may end with. */
export const zoneWords: readonly string[] = [...zonesByWord.keys()]

/** Returns the zone of a name by its IANA name, and the offset that the name states, as `-05:00`, or `any`. */
export const zoneNamed = (
  name: string,
): { readonly zone: string; readonly offset: string } | undefined =>
  zonesByWord.get(name.toLowerCase())
