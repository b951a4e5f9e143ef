/** Reads a cell of a file of bets in the formats that the file shows. Ambiguous values are errors. */

import { readPrice } from '../../../pipeline/rules/odds/price-formats.ts'
import { unguarded } from '../../../pipeline/text/formula-text.ts'
import { type BetColumn, betColumns } from '../../../schemas/http/bets/files.ts'
import type { PriceFormat } from '../../../schemas/price-format.ts'
import { quarterLine } from '../stated-lines.ts'
import { fault, type TableFault } from './fault.ts'
import { currencyName, plainOf, type Shown } from './formats.ts'
import { freeNamed, letterNamed, outcomeNamed } from './import-words.ts'
import { readTime, startOfDay } from './local-time.ts'

export type CellRead = string | number | boolean | null | TableFault

/**
 * @param hasAmounts whether its column of free bets has amounts
 * @returns null for a cell without information
 */
export function cellOf(
  column: BetColumn,
  cell: string,
  shown: Shown,
  hasAmounts: boolean,
): CellRead {
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

export const saysFree = (free: unknown) =>
  typeof free === 'number' ? free !== 0 : free !== undefined && free !== false

/**
 * Combines two cells about a free bet: the bet is free if either says so, and has the amount that
 * either states.
 */
export function eitherFree(one: unknown, other: CellRead): CellRead {
  if (!saysFree(one) || typeof other === 'object') return other
  if (!saysFree(other)) return one as CellRead
  if (typeof one !== 'number') return other
  return typeof other !== 'number' || one === other
    ? one
    : freeFault(`${one} and ${other} are amounts of the same bet`)
}

export const freeFault = (why: string) => fault('unknown_free_bet', `free_bet: ${why}`)

const twoNumbers = (column: BetColumn, cell: string) =>
  fault('ambiguous_number', `${column}: ${cell} can be read two ways; state decimal`)

/** @returns the text itself if it is not a number, so that validation reports it */
export function numberOf(
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
 * Reads odds from a column that names its format. If nothing in the file shows a decimal mark, a
 * single point before three figures is a decimal point, as in `oddsOf`.
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
 * Returns the decimal mark of odds; null if it is unknown. Odds may have another mark than the
 * amounts beside them. So a mark that only other columns show does not make the other one a
 * thousands separator.
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
    ambiguous_date: 'can be read two ways; state date_order, or the offset of its zone',
    missing_time_zone: 'has no time zone; state time_zone',
  }
  return fault(code, `${column} ${cell} ${why[code]}`)
}
