/**
 * Reads bets from CSV files as sportsbooks, spreadsheets and people write them: separators, column names, decimal
 * commas, dates and odds. Formats are recognised from the file itself. Ambiguous values are rejected by name, and a
 * parameter resolves them.
 */

import { type CsvError, parse as parseCsv } from 'csv-parse/sync'
import { isCurrencyCode, isOneCurrency } from '../../pipeline/rules/bets/currency-names.ts'
import { paid } from '../../pipeline/rules/bets/settle-bet.ts'
import { americanToDecimal } from '../../pipeline/rules/odds/odds.ts'
import { readPrice } from '../../pipeline/rules/odds/price-formats.ts'
import { unguarded } from '../../pipeline/text/formula-text.ts'
import type { BetOutcome } from '../../schemas/bet.ts'
import { type BetColumn, betColumns } from '../../schemas/http/bets/files.ts'
import { mostBetsAtOnce } from '../../schemas/http/bets/statements.ts'
import type { PriceFormat } from '../../schemas/price-format.ts'
import { ApiError } from '../errors.ts'
import { freeReturn, moneyRounding, profitFault } from './bet-verdict.ts'
import { codeBehind, columnNamed, freeNamed, letterNamed, outcomeNamed } from './import-words.ts'
import {
  createDatesSeen,
  type DateOrder,
  readTime,
  startOfDay,
  type TimeFault,
} from './local-time.ts'
import { quarterLine, splitLine } from './stated-lines.ts'

export interface TableOptions {
  readonly decimal: 'point' | 'comma' | null
  readonly dateOrder: DateOrder | null
  readonly timeZone: string | null
  readonly oddsFormat: PriceFormat | null
  /** Sportsbook for files without such a column. */
  readonly sportsbook: string | null
  readonly league: string | null
  /** Whether unknown columns are ignored. */
  readonly ignoresOthers: boolean
}

export type CellFault =
  | 'malformed_csv'
  | 'ambiguous_number'
  | 'ambiguous_odds'
  | 'unknown_result'
  | 'missing_result'
  | 'unknown_free_bet'
  | 'invalid_field'
  | TimeFault

export interface TableFault {
  readonly code: CellFault
  readonly message: string
}

export interface TableLine {
  readonly line: number
  /** Fields of a bet; undefined if the line has an error. */
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly fault: TableFault | null
}

/** Notes on a file besides its bets. */
export interface FileNotes {
  /** Unknown columns, as the file names them. */
  readonly ignoredColumns: readonly string[]
  /** The currency of the amounts as the file names it, by a code or a sign; null if it names none. */
  readonly currency: string | null
}

const dayMs = 86_400_000
const longestLine = 16_384
/** Longest cell that is parsed: longer than any text of a bet, and short enough for expressions that look back. */
const longestCell = 500
const mostColumns = 200

export const tooManyBets = () =>
  new ApiError(
    'validation_error',
    `A request has at most ${mostBetsAtOnce} bets. Nothing of this one was stored; send it in parts.`,
  )

interface ReadLine {
  readonly line: number
  readonly cells: readonly string[] | string
}

/**
 * Reads line by line. Quoted cells may have line breaks, which are read as blanks.
 * @param now epoch ms: no bet was placed in a later year
 * @param note called before the first bet
 * @returns null for an empty line, and for each line of the first pass over the file
 * @throws ApiError validation_error for unknown columns, too many columns, more than `mostBetsAtOnce` lines, and amounts
 * in several currencies
 */
export function* readTable(
  text: string,
  options: TableOptions,
  now: number,
  note: (file: FileNotes) => void,
): Generator<TableLine | null> {
  const [separator, from] = separatorOf(text)
  let head: Head | null = null
  const lines: ReadLine[] = []
  const hasCells = (content: string) => typeof cellsOf(content, separator) !== 'string'
  for (const { line, content } of linesOf(text, hasCells)) {
    if (line < from) continue
    if (content.trim() === '') {
      yield null
      continue
    }
    if (lines.length === mostBetsAtOnce) throw tooManyBets()
    const cells = cellsOf(content, separator)
    if (head !== null) lines.push({ line, cells })
    else {
      if (typeof cells === 'string')
        throw new ApiError('validation_error', `Line ${line}: ${cells}.`)
      head = headOf(line, cells, options)
    }
    yield null
  }
  if (head === null) return
  const { columns } = head
  const shown = yield* whatFileShows(head, lines, separator, options, now)
  note({ ignoredColumns: head.unknown, currency: shown.currency })
  for (const { line, cells } of lines) {
    if (typeof cells === 'string')
      yield { line, value: undefined, fault: fault('malformed_csv', cells) }
    else if (
      cells.length > columns.length &&
      cells.slice(columns.length).some((cell) => cell !== '')
    ) {
      const message = `${cells.length} cells, of ${columns.length} columns`
      yield { line, value: undefined, fault: fault('malformed_csv', message) }
    } else yield { line, ...fieldsOf(columns, cells, shown) }
  }
}

const fault = (code: CellFault, message: string): TableFault => ({ code, message })

interface FileLine {
  readonly line: number
  readonly content: string
}

/**
 * Yields the lines of a file. Lines inside an open quote are one, up to the longest line; a quote that is not closed in
 * a way that makes cells spoils its own line alone.
 * @param hasCells whether a text is the cells of one line
 */
function* linesOf(text: string, hasCells: (content: string) => boolean): Generator<FileLine> {
  for (let line = 1, from = 0; from < text.length; ) {
    const first = endOfLine(text, from)
    const [count, end] = quotedLines(text, from, hasCells) ?? [1, first]
    yield { line, content: text.slice(from, end.at) }
    line += count
    from = end.next
  }
}

/** Returns how many lines the open quote of a line holds together, and the end of them; null where none does. */
function quotedLines(text: string, from: number, hasCells: (content: string) => boolean) {
  let end = endOfLine(text, from)
  let isOpen = hasOpenQuote(text.slice(from, end.at))
  if (!isOpen) return null
  let count = 1
  while (isOpen && end.next < text.length && end.next - from <= longestLine) {
    const start = end.next
    end = endOfLine(text, start)
    if (hasOpenQuote(text.slice(start, end.at))) isOpen = false
    count++
  }
  const isOne = !isOpen && end.at - from <= longestLine && hasCells(text.slice(from, end.at))
  return isOne ? ([count, end] as const) : null
}

/** Returns where a line ends, and where the next one begins. */
function endOfLine(text: string, from: number) {
  const mark = /\r\n|\n|\r|$/g
  mark.lastIndex = from
  const found = mark.exec(text)!
  return { at: found.index, next: found.index + found[0].length }
}

/** Returns whether a line has a quote without another: doubled quotes are text. */
const hasOpenQuote = (content: string) => content.split('"').length % 2 === 0

/**
 * Returns the separator, judged by the first line, and the line with the column names. Excel may write `sep=;` first.
 */
function separatorOf(text: string): readonly [separator: string, line: number] {
  const first = /^[^\r\n]*/.exec(text)![0]
  const stated = /^sep=(.)$/i.exec(first.trim().replaceAll('"', ''))
  if (stated) return [stated[1]!, 2]
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, bare.split(mark).length] as const)
  return [counts.sort((a, b) => b[1] - a[1])[0]![0], 1]
}

/** Returns the cells of a line, or an error message. */
function cellsOf(content: string, delimiter: string): readonly string[] | string {
  if (content.length > longestLine) return `a line has at most ${longestLine} characters`
  try {
    const [cells = [], ...others] = parseCsv(content, { trim: true, delimiter })
    return others.length === 0 ? cells : 'a quote is not closed'
  } catch (error) {
    return (error as CsvError).message
  }
}

interface Head {
  readonly line: number
  readonly names: readonly string[]
  /** The column at each position; null for an ignored one. */
  readonly columns: readonly (BetColumn | null)[]
  /** Names of no column. */
  readonly unknown: readonly string[]
}

/** Columns of which a file may have several: one that says whether a bet is free, and one with the amount. */
const severalTimes: ReadonlySet<BetColumn> = new Set(['free_bet', 'currency'])

function headOf(line: number, names: readonly string[], { ignoresOthers }: TableOptions): Head {
  if (names.length > mostColumns) {
    throw new ApiError('validation_error', `A file has at most ${mostColumns} columns.`)
  }
  const named = names.map((name) => columnNamed(name) ?? null)
  // In our own file it stands beside `placed_at`; a tracker's is when the bet was placed.
  const columns = named.includes('placed_at')
    ? named
    : named.map((column) => (column === 'created_at' ? 'placed_at' : column))
  const unknown = names.filter((name, i) => columns[i] === null && name !== '')
  if (unknown.length > 0 && !ignoresOthers) {
    const known = [...betColumns].filter(([, kind]) => kind !== 'shown').map(([name]) => name)
    throw new ApiError(
      'validation_error',
      `No column is called ${unknown.slice(0, 5).join(', ').slice(0, 200)}; there are ${known.join(', ')}. Leave others out with other_columns=ignore.`,
    )
  }
  const read = columns.map((column) =>
    column && betColumns.get(column) !== 'shown' ? column : null,
  )
  const isOnce = (column: BetColumn | null) => column !== null && !severalTimes.has(column)
  const twice = read.find((column, i) => isOnce(column) && read.indexOf(column) !== i)
  if (twice) {
    const both = names.filter((_, i) => read[i] === twice)
    throw new ApiError('validation_error', `Columns ${both.join(' and ')} are both ${twice}.`)
  }
  return { line, names, columns: read, unknown }
}

// ---- formats shown by the file

interface Shown extends TableOptions {
  /** As `orders` of `TimeOptions`. */
  readonly orders: readonly DateOrder[]
  readonly hasAmerican: boolean
  /** Whether the decimal mark is stated, or shown by odds, and not only by other columns or by the separator. */
  readonly isMarkOfOdds: boolean
  /** Whether some odds are certainly not decimal. */
  readonly hasOther: boolean
  /** Whether results are letters: W, L. */
  readonly hasLetters: boolean
  /** Positions of the columns of free bets that have amounts, so that a 1 is one too. */
  readonly freeAmounts: ReadonlySet<number>
  /** As in `FileNotes`. */
  readonly currency: string | null
}

const isTooLong = (cell: string) => cell.length > longestCell

/** A mark that groups no thousands: not before exactly three figures, or behind a group, or in `1.234e-7`. */
const hasPoint = /\.(?:\d{1,2}|\d{4,}|\d+e[+-]?\d+)\D*$|,\d{3}\./i
const hasComma = /,(?:\d{1,2}|\d{4,}|\d+e[+-]?\d+)\D*$|\.\d{3},/i

const plainOf = (text: string) => text.replaceAll(/[−–]/g, '-')

const amounts: ReadonlySet<BetColumn | null> = new Set(['stake', 'returned', 'profit', 'free_bet'])
const currencySign = /[$€£¥]/g
const currencyName = new RegExp(`${currencySign.source}|^[A-Z]{3}|[A-Z]{3}$`, 'g')

/** Returns the currencies that a text names by signs, or by codes at its ends. */
const currenciesOf = (text: string) =>
  (text.match(currencyName) ?? []).filter((name) => name.length < 3 || isCurrencyCode(name))

/** Returns the currencies that a cell names; none for the cell of an amount that is not read as one. */
function currenciesIn(column: BetColumn, cell: string): readonly string[] {
  if (column === 'currency') return currenciesOf(cell.toUpperCase())
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

function* whatFileShows(
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
    hasLetters,
    freeAmounts,
    currency: currencyOf(currencies),
  }
}

// ---- one line

/** Returns a line as the JSON of a bet, without empty cells. */
function fieldsOf(
  columns: readonly (BetColumn | null)[],
  cells: readonly string[],
  shown: Shown,
): Omit<TableLine, 'line'> {
  const fields: Record<string, unknown> = {}
  for (const [i, column] of columns.entries()) {
    const cell = cells[i]
    if (column === null || cell === undefined || cell === '') continue
    if (isTooLong(cell)) {
      const message = `${column} has at most ${longestCell} characters`
      return { value: undefined, fault: fault('malformed_csv', message) }
    }
    const cellRead = cellOf(column, cell, shown, shown.freeAmounts.has(i))
    const read = column === 'free_bet' ? eitherFree(fields.free_bet, cellRead) : cellRead
    if (typeof read === 'object' && read !== null) return { value: undefined, fault: read }
    if (read !== null) fields[column] = read
  }
  if (shown.sportsbook !== null) fields.sportsbook ??= shown.sportsbook
  if (shown.league !== null && fields.event_id === undefined) fields.league ??= shown.league
  return spreadOut(fields)
}

type CellRead = string | number | boolean | null | TableFault

/**
 * @param hasAmounts whether its column of free bets has amounts
 * @returns null for a cell without information
 */
function cellOf(column: BetColumn, cell: string, shown: Shown, hasAmounts: boolean): CellRead {
  switch (betColumns.get(column)) {
    case 'number':
      return (column === 'line' ? quarterLine(cell) : null) ?? numberOf(column, cell, shown.decimal)
    case 'odds':
      return column === 'odds' ? oddsOf(cell, shown) : statedOdds(column, cell, shown)
    case 'time':
      return timeOf(column, cell, shown)
    case 'result': {
      const outcome = outcomeNamed(cell) ?? (shown.hasLetters ? letterNamed(cell) : undefined)
      if (outcome === undefined) {
        const why =
          letterNamed(cell) === undefined ? 'is no result' : 'has several meanings: write the word'
        return fault('unknown_result', `${column}: ${cell} ${why}`)
      }
      return outcome === 'open' ? null : outcome
    }
    case 'free': {
      const isAmount = hasAmounts && /\d/.test(cell)
      const read = (isAmount ? undefined : freeNamed(cell)) ?? numberOf(column, cell, shown.decimal)
      return typeof read === 'string' ? freeFault(`${cell} is neither yes nor no`) : read
    }
    case 'currency':
      return null
    default:
      return unguarded(cell).replaceAll(/\s*[\r\n]+\s*/g, ' ')
  }
}

const saysFree = (free: unknown) =>
  typeof free === 'number' ? free !== 0 : free !== undefined && free !== false

/** Returns what two cells say of a free bet: it is one if either says so, and of the amount that either has. */
function eitherFree(one: unknown, other: CellRead): CellRead {
  if (!saysFree(one) || typeof other === 'object') return other
  if (!saysFree(other)) return one as CellRead
  if (typeof one !== 'number') return other
  return typeof other !== 'number' || one === other
    ? one
    : freeFault(`${one} and ${other} are amounts of the same bet`)
}

const freeFault = (why: string) => fault('unknown_free_bet', `free_bet: ${why}`)

const twoNumbers = (column: BetColumn, cell: string) =>
  fault('ambiguous_number', `${column}: ${cell} can be read two ways; state decimal`)

/** @returns the text itself if it is not a number, so that validation reports it */
function numberOf(
  column: BetColumn,
  cell: string,
  decimal: 'point' | 'comma' | null,
): number | string | TableFault {
  const bare = plainOf(cell)
    .replaceAll(currencyName, '')
    .replaceAll(/[\s\u00a0'’]/g, '')
  const signed = /^\(.+\)$/.test(bare) ? `-${bare.slice(1, -1)}` : bare
  // Very small numbers are written with an exponent, by spreadsheets and in our own file: 1.5E-07.
  const [, plain, exponent = ''] = /^([+-]?[\d.,]{1,31})(e[+-]?\d{1,3})?$/i.exec(signed) ?? []
  if (plain === undefined || !/\d/.test(plain)) return cell
  const marks = plain.replaceAll(/[^.,]/g, '')
  const last = marks.at(-1)
  if (last === undefined) return Number(plain + exponent)
  const isGrouped =
    exponent === '' && /^[+-]?\d{1,3}(?:\.\d{3})+$|^[+-]?\d{1,3}(?:,\d{3})+$/.test(plain)
  const mark = decimal === 'comma' ? ',' : decimal === 'point' ? '.' : null
  let point: string | null = last
  if (marks.length > 1 && new Set(marks).size === 1) point = isGrouped ? null : last
  else if (marks.length === 1 && isGrouped && !/^[+-]?0/.test(plain)) {
    if (mark === null) return twoNumbers(column, cell)
    point = mark === last ? last : null
  }
  const whole = point === null ? plain : plain.slice(0, plain.lastIndexOf(point))
  const rest = point === null ? '' : plain.slice(plain.lastIndexOf(point) + 1)
  const grouping = whole.replaceAll(/[^.,]/g, '')
  const isWhole = grouping === '' || /^[+-]?\d{1,3}(?:[.,]\d{3})+$/.test(whole)
  if (!isWhole || new Set(grouping).size > 1 || (point !== null && grouping.includes(point)))
    return cell
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${rest || '0'}${exponent}`)
}

/**
 * Reads odds from a column that names its format. If nothing in the file shows a decimal mark, one point before three
 * figures is that of a decimal price, as in `oddsOf`.
 */
function statedOdds(column: BetColumn, cell: string, shown: Shown): number | string | TableFault {
  const plain = plainOf(cell)
  const mark = markOfOdds(plain, shown)
  if (column === 'odds_american') {
    return /^(even|evens|evs|ev)$/i.test(plain) ? 100 : americanOf(column, cell, mark)
  }
  const isPoint = shown.decimal === null && groupedByPoint.test(plain)
  return numberOf(column, plain, isPoint ? 'point' : mark)
}

/**
 * Returns the decimal mark of odds; null if it is unknown. Odds may have another one than the amounts beside them, so
 * that of other columns alone makes no other mark group thousands.
 */
function markOfOdds(plain: string, { decimal, isMarkOfOdds }: Shown): 'point' | 'comma' | null {
  const isGrouped = (decimal === 'comma' ? groupedByPoint : groupedByComma).test(plain)
  return isGrouped && !isMarkOfOdds ? null : decimal
}

/**
 * Reads an American price, whose thousands may be grouped: `+1,200`. If the decimal mark is unknown, `-104.167` can be
 * read two ways, and `+1.200` only as grouped, because no American price is below 100.
 * @returns the text itself if it is no number
 */
function americanOf(
  column: BetColumn,
  cell: string,
  decimal: 'point' | 'comma' | null,
): number | string | TableFault {
  const plain = plainOf(cell)
  if (!/^[+-]?\d[\d.,]*$/.test(plain)) return cell
  if (decimal !== null) return numberOf(column, plain, decimal)
  const [one, other] = [numberOf(column, plain, 'point'), numberOf(column, plain, 'comma')]
  if (one === other || isBelowAmerican(other)) return one
  return isBelowAmerican(one) ? other : twoNumbers(column, cell)
}

const isBelowAmerican = (value: number | string | TableFault) =>
  typeof value === 'number' && Math.abs(value) < 100

const groupedByPoint = /^[+-]?\d{1,3}\.\d{3}$/
const groupedByComma = /^[+-]?\d{1,3},\d{3}$/

/**
 * Returns whether the one mark of odds may group thousands. If the decimal mark is unknown, a comma may, and beside
 * American prices a point too, as in `americanOf`.
 */
function mayGroup(plain: string, { decimal, hasAmerican }: Shown): boolean {
  const mayPoint = decimal === 'comma' || (decimal === null && hasAmerican)
  return (
    (mayPoint && groupedByPoint.test(plain)) || (decimal !== 'comma' && groupedByComma.test(plain))
  )
}

const oddsFault = (cell: string) =>
  fault('ambiguous_odds', `odds: ${cell} can be of several formats; state odds_format`)

/** Returns decimal odds of a price in the stated or recognised format. */
function oddsOf(cell: string, shown: Shown): number | string | TableFault {
  const { oddsFormat, decimal, hasAmerican, hasOther } = shown
  const plain = plainOf(cell)
  const read = (format: PriceFormat) => {
    const american =
      format === 'american' ? americanOf('odds', plain, markOfOdds(plain, shown)) : plain
    return typeof american === 'object' ? american : (readPrice(String(american), format) ?? cell)
  }
  if (oddsFormat !== null) return read(oddsFormat)
  if (/^ev/i.test(plain)) return read('decimal')
  if (/^\d+\s*\/\s*\d+$/.test(plain)) return read('fractional')
  if (plain.endsWith('%')) return read('probability')
  if (/^[+-]\d{3,}([.,]\d+)?$/.test(plain)) return read('american')
  if (/^\d{3,}$/.test(plain) || mayGroup(plain, shown)) {
    return hasAmerican || (/^[+-]/.test(plain) && decimal !== null)
      ? read('american')
      : oddsFault(cell)
  }
  const value = Number(plain.replace(',', '.'))
  if (Number.isNaN(value)) return cell
  return value > 1 && !/^[+-]/.test(plain) && !hasOther && !hasAmerican
    ? read('decimal')
    : oddsFault(cell)
}

function timeOf(column: BetColumn, cell: string, { orders, timeZone }: Shown): string | TableFault {
  const read = readTime(cell, { orders, zone: timeZone })
  const isDay = typeof read === 'object' && read.text.length === 10
  if (typeof read === 'object' && (!isDay || column === 'start_time')) return read.text
  if (typeof read === 'object' && timeZone !== null) return startOfDay(read.text, timeZone)
  const code = typeof read === 'string' ? read : 'missing_time_zone'
  const why = {
    invalid_date: 'is no date',
    ambiguous_date: 'can be read in several orders; state date_order',
    missing_time_zone: 'has no time zone; state time_zone',
  }
  return fault(code, `${column} ${cell} ${why[code]}`)
}

/** Splits cells that hold several fields: `A @ B`, `Over 215.5`, a profit. */
function spreadOut(fields: Record<string, unknown>): Omit<TableLine, 'line'> {
  const { event, odds, profit, free_bet, ...rest } = fields
  const bet: Record<string, unknown> = rest
  if (odds !== undefined && bet.odds_decimal === undefined) bet.odds_decimal = odds
  if (typeof event === 'string' && bet.event_id === undefined) {
    // With one blank between words, the expression takes no longer than the text.
    const words = event.replaceAll(/\s+/g, ' ')
    const [, first, how, second] = /^(.+?) (@|at|vs?\.?|[-–]) (.+)$/i.exec(words) ?? []
    if (first !== undefined) {
      const isAwayFirst = /^(@|at)$/i.test(how!)
      bet.home_team ??= isAwayFirst ? second : first
      bet.away_team ??= isAwayFirst ? first : second
    }
  }
  if (typeof bet.selection === 'string' && bet.line === undefined) {
    Object.assign(bet, splitLine(bet.selection))
  }
  if (saysFree(free_bet)) {
    const why = setFreeReturn(bet, free_bet, profit)
    return why === null ? { value: bet, fault: null } : { value: undefined, fault: why }
  }
  // A column of payouts that has 0 for a void is of winnings alone: the result says that the stake came back.
  if (bet.result === 'refunded' && bet.returned === 0) delete bet.returned
  if (bet.result === undefined) {
    for (const member of ['returned', 'shared_by']) delete bet[member]
  } else if (typeof profit === 'number' && bet.returned === undefined) {
    const returned = returnedBy(profit, bet)
    if (typeof returned === 'object') return { value: undefined, fault: returned }
    if (returned !== undefined) bet.returned = returned
  }
  return { value: bet, fault: null }
}

/** Returns the terms and the result of a bet; null if its stake is no number or its price no odds. */
function termsOf(bet: Readonly<Record<string, unknown>>) {
  const { stake, result, result_reason, shared_by, odds_decimal, odds_american } = bet
  if (typeof stake !== 'number') return null
  if (typeof odds_american === 'number' && Math.abs(odds_american) < 100) return null
  const price =
    typeof odds_american === 'number' ? americanToDecimal(odds_american) : Number(odds_decimal)
  return {
    ...{ price, stake, outcome: result as BetOutcome },
    sharedBy: typeof shared_by === 'number' ? shared_by : null,
    reason: typeof result_reason === 'string' ? result_reason : null,
  }
}

/** Sets what a free bet returned. @param free true, or the amount of the stake that is free */
function setFreeReturn(
  bet: Record<string, unknown>,
  free: unknown,
  profit: unknown,
): TableFault | null {
  const terms = termsOf(bet)
  // Odds, a stake or a payout that are no numbers are refused later.
  if (terms === null || !Number.isFinite(terms.price) || typeof bet.returned === 'string') {
    return null
  }
  const { outcome, stake, sharedBy, reason } = terms
  if (typeof free === 'number' && Math.abs(free - stake) > moneyRounding(stake)) {
    return freeFault(`${free} is neither 0 nor the stake ${stake}`)
  }
  if (outcome === undefined) {
    const message = 'the stake of a free bet is not yours: send it with its result'
    return fault('missing_result', message)
  }
  const numberIn = (value: unknown) => (typeof value === 'number' ? value : null)
  const stated = { returned: numberIn(bet.returned), profit: numberIn(profit) }
  const returned = freeReturn(stated, outcome, terms, sharedBy, reason)
  if (typeof returned === 'string') return fault('invalid_field', returned)
  if (returned !== null) bet.returned = returned
  return null
}

/** Returns what a bet returned with this profit; undefined where `termsOf` has none. */
function returnedBy(
  profit: number,
  bet: Readonly<Record<string, unknown>>,
): number | undefined | TableFault {
  const terms = termsOf(bet)
  if (terms === null) return undefined
  const { outcome, stake, sharedBy, reason } = terms
  if (profit < -stake - moneyRounding(stake)) {
    const message = `profit ${profit} is below minus the stake ${stake}: state the whole stake, or the liability, as the stake`
    return fault('invalid_field', message)
  }
  const why = profitFault(profit, outcome, terms, sharedBy, reason)
  return why === null ? Math.max(0, paid(stake + profit, stake)) : fault('invalid_field', why)
}
