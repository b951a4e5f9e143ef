/** Recognises the formats of a file of bets from all its cells. */

import {
  currencyOfWord,
  isCurrencyCode,
  isOneCurrency,
} from '../../../pipeline/rules/bets/currency-names.ts'
import { type BetColumn, betColumns } from '../../../schemas/http/bets/files.ts'
import { ApiError } from '../../errors.ts'
import { numberOf } from './cells.ts'
import {
  currencyName,
  currencySign,
  isTooLong,
  plainOf,
  type Shown,
  type TableOptions,
} from './formats.ts'
import type { Head } from './head.ts'
import { codeBehind, freeNamed, outcomeNamed } from './import-words.ts'
import { createDatesSeen } from './local-time.ts'

/** A line of the file with its cells, or why they cannot be read. */
export interface ReadLine {
  readonly line: number
  readonly cells: readonly string[] | string
}

const dayMs = 86_400_000

/**
 * A mark that cannot group thousands: not before exactly three figures, or behind a group, or in
 * `1.234e-7`.
 */
const hasPoint = /\.(?:\d{1,2}|\d{4,}|\d+e[+-]?\d+)\D*$|,\d{3}\./i
const hasComma = /,(?:\d{1,2}|\d{4,}|\d+e[+-]?\d+)\D*$|\.\d{3},/i

const isLoss = /[-(].*[1-9]/

const amounts: ReadonlySet<BetColumn | null> = new Set(['stake', 'returned', 'profit', 'free_bet'])

/** Returns the currencies that a text names by signs, or by codes at its ends. */
const currenciesOf = (text: string) =>
  (text.match(currencyName) ?? []).filter((name) => name.length < 3 || isCurrencyCode(name))

/** Returns the currencies that a cell names; none for the cell of an amount that is not read as one. */
function currenciesIn(column: BetColumn, cell: string): readonly string[] {
  if (column === 'currency') {
    const word = currencyOfWord(cell)
    return word === undefined ? currenciesOf(cell.toUpperCase()) : [word]
  }
  if (!amounts.has(column)) return []
  const names = currenciesOf(cell)
  return names.length > 0 && typeof numberOf(column, cell, null) !== 'string' ? names : []
}

/** Returns the currency that the amounts of a file name. @param lines the first line of each name */
function currencyOf(lines: ReadonlyMap<string, number>): string | null {
  const names = [...lines.keys()]
  if (isOneCurrency(names)) return names.find((name) => name.length === 3) ?? names[0] ?? null
  const places = [...lines].slice(0, 5).map(([name, line]) => `${name} in line ${line}`)
  throw new ApiError(
    'validation_error',
    `A file has amounts of one currency, and this one has ${places.join(', ')}. Nothing of it was stored; send a file for each, and keep in mind that sums do not convert.`,
  )
}

export function* whatFileShows(
  head: Head,
  lines: readonly ReadLine[],
  separator: string,
  options: TableOptions,
  now: number,
): Generator<null, Shown> {
  let [points, commas] = [0, 0]
  const dates = createDatesSeen()
  const thisYear = new Date(now + dayMs).getUTCFullYear()
  let hasAmerican = false
  let isMarkOfOdds = options.decimal !== null
  let hasOther = false
  let hasLosses = false
  let hasLetters = false
  const freeAmounts = new Set<number>()
  const { columns } = head
  const currencies = new Map<string, number>()
  const seeCurrencies = (names: readonly string[], line: number) => {
    for (const name of names) if (!currencies.has(name)) currencies.set(name, line)
  }
  for (const [i, column] of columns.entries()) {
    if (!amounts.has(column)) continue
    const name = head.names[i]!
    seeCurrencies([...(name.match(currencySign) ?? []), codeBehind(name) ?? []].flat(), head.line)
  }
  const grouped = { point: false, comma: false }
  for (const { line, cells } of lines) {
    yield null
    if (typeof cells === 'string') continue
    for (const [i, column] of columns.entries()) {
      if (column === null || isTooLong(cells[i] ?? '')) continue
      const cell = plainOf(cells[i] ?? '')
      const kind = betColumns.get(column)
      if (kind === 'free' && cell !== '' && freeNamed(cell) === undefined) freeAmounts.add(i)
      seeCurrencies(currenciesIn(column, cell), line)
      if (kind === 'number' || kind === 'odds' || kind === 'free') {
        if (hasPoint.test(cell)) points++
        if (hasComma.test(cell)) commas++
      }
      if (kind === 'odds') {
        isMarkOfOdds ||= hasPoint.test(cell) || hasComma.test(cell)
        const value = Number(cell.replace(',', '.'))
        if (/^[+-]\d{3,}$/.test(cell)) hasAmerican = true
        else if (/^[+-]\d,\d{3}$/.test(cell)) grouped.point = true
        else if (/^[+-]\d\.\d{3}$/.test(cell)) grouped.comma = true
        else if (cell !== '' && (value <= 1 || /^[+-]/.test(cell))) hasOther = true
      }
      if (column === 'profit' && isLoss.test(cell)) hasLosses = true
      if (kind === 'result' && cell.length === 1 && outcomeNamed(cell)) hasLetters = true
      if (kind === 'time') {
        dates.see(cell, column === 'placed_at' ? thisYear : undefined)
      }
    }
  }
  const seen = points > 0 === commas > 0 ? null : commas > 0 ? 'comma' : 'point'
  const decimal =
    options.decimal ?? seen ?? (separator === ',' && commas === 0 ? ('point' as const) : null)
  return {
    ...options,
    decimal,
    orders: options.dateOrder ? [options.dateOrder] : dates.orders(),
    isMarkOfOdds,
    hasAmerican: hasAmerican || (decimal !== null && grouped[decimal]),
    hasOther: hasOther || grouped.point || grouped.comma,
    hasLosses,
    hasLetters,
    freeAmounts,
    currency: currencyOf(currencies),
  }
}
