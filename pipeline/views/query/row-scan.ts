/**
 * Scans very many rows: counts those that a filter names, and finds the first of them by price. If
 * a filter names events with few rows, these are gathered block by block. Otherwise the columns are
 * read from the beginning. The tests of events, sportsbooks, markets and lines are computed before,
 * per list and per selection.
 */

import { createFirstN } from '../../memory/first-n.ts'
import type { Sighted } from '../board/block.ts'
import { countLevel } from '../board/board-index.ts'
import type { BoardView } from '../board/board-view.ts'
import { type BitTest, type CompiledFilter, compile } from './compiled-filter.ts'
import { eventLists } from './event-walk.ts'
import type { OddsFilter } from './odds-filter.ts'
import { everyPrice, type PriceRange } from './price-range.ts'

/** A scan, valid until the next change. */
export interface RowScan {
  /** Returns the number of named rows in each list (`Sighted`), by the list's number. */
  counts(): Int32Array
  /** Returns the number of named rows. */
  total(): number
  /** Returns the price of the `count`th named row in the range, in order of price; undefined when there are fewer. */
  nth(range: PriceRange, count: number, order: 'rising' | 'falling'): number | undefined
  /** Returns the named rows whose price is in the range, in no order. */
  gather(range: PriceRange): number[]
  /** Returns the named rows of some lists, in no order. */
  ofLists(lists: readonly Sighted[]): number[]
}

/** The number of rows scanned in the time of one look-up. */
const lookUpCost = 16

/** Returns whether scanning all rows takes less time than looking up those of the filter's events. */
export function isManyRows(view: BoardView, filter: OddsFilter): boolean {
  const most = view.rows.columns.end / lookUpCost
  const { marketTypes } = filter
  if (marketTypes && !filter.eventIds) {
    let ofMarkets = 0
    for (const type of new Set(marketTypes)) {
      ofMarkets += view.total(countLevel.market(type), undefined, undefined)
    }
    if (ofMarkets <= most) return false
  }
  let rows = 0
  for (const list of eventLists(view, filter)) {
    for (const { rowCount } of list) {
      rows += rowCount
      if (rows > most) return true
    }
  }
  return false
}

export function createRowScan(view: BoardView, filter: OddsFilter): RowScan {
  const compiled = compile(view, filter)
  return isManyRows(view, filter) ? scanColumns(compiled) : scanRows(view, namedRows(compiled))
}

/** Scans the given rows, without a filter. */
export function scanRows(view: BoardView, given: readonly number[]): RowScan {
  const { listOf } = view.rows.columns
  const lists = new Uint8Array(listOf.length).fill(1)
  return createScan(view, { given, lists, selections: undefined, bits: noBits }, everyPrice)
}

function namedRows(compiled: CompiledFilter): number[] {
  const next = compiled.events()
  const found: number[] = []
  for (let event = next(); event; event = next()) {
    for (const block of event.blocks) {
      if (!compiled.enter(block)) continue
      for (let i = 0; i < block.count; i++) {
        if (compiled.names(block.rows[i]!)) found.push(block.rows[i]!)
      }
    }
  }
  return found
}

interface Looked {
  /** The rows to look at; undefined for all. */
  readonly given: readonly number[] | undefined
  /** One byte per list and one per selection: 1 where its rows are named. */
  readonly lists: Uint8Array
  readonly selections: Uint8Array | undefined
  /** The test of `states`. */
  readonly bits: BitTest
}

const noBits: BitTest = { mask: 0, wanted: 0 }

function scanColumns(compiled: CompiledFilter): RowScan {
  const { view, prices, bits } = compiled
  const lists = markedLists(compiled)
  const selections = namedSelections(compiled)
  return createScan(view, { given: undefined, lists, selections, bits }, prices)
}

/** Returns one byte per list number: 1 where its event and its sportsbook match. */
function markedLists(compiled: CompiledFilter): Uint8Array {
  const { books } = compiled
  const { listOf } = compiled.view.rows.columns
  const isOfBooks = ({ book }: Sighted) => !books || books[book] === 1
  const lists = new Uint8Array(listOf.length)
  if (!compiled.limitsEvents) {
    for (let i = 1; i < listOf.length; i++) {
      const list = listOf[i]
      if (list && isOfBooks(list)) lists[i] = 1
    }
    return lists
  }
  const next = compiled.events()
  for (let event = next(); event; event = next()) {
    for (const offer of event.offers.values()) {
      if (offer.rowCount > 0 && isOfBooks(offer)) lists[offer.number] = 1
    }
  }
  return lists
}

/** Returns one byte per selection number: 1 where its market matches; undefined for all. */
function namedSelections(compiled: CompiledFilter): Uint8Array | undefined {
  const { view, filter } = compiled
  const { marketTypes } = filter
  if (!marketTypes) return undefined
  const { selectionEnd, markets, marketEnd } = view.rows.columns
  const ofMarkets = new Uint8Array(marketEnd)
  for (const marketType of marketTypes) {
    const market = view.rows.market(marketType)
    if (market !== undefined) ofMarkets[market] = 1
  }
  const named = new Uint8Array(selectionEnd)
  for (let i = 1; i < selectionEnd; i++) named[i] = ofMarkets[markets[i]!]!
  return named
}

const isEvery = ({ from, to }: PriceRange) => from === 0 && to === Number.POSITIVE_INFINITY

/** Rows scanned at a time. */
const stretch = 16_384

function createScan(view: BoardView, looked: Looked, price: PriceRange): RowScan {
  const { given, lists, selections, bits } = looked
  const { rows } = view
  const { columns } = rows
  const { prices, listOf, lists: listOfRow } = columns
  const end = given?.length ?? columns.end
  const selected = new Int32Array(Math.min(stretch, end))
  const isWhole = !given && !selections && bits.mask === 0 && isEvery(price)

  /** Cached, because a page is counted and sorted by the same counts. */
  let counted: Int32Array | undefined

  /** Puts the next named rows whose price is in the range into `selected`. */
  function select(at: number, range: PriceRange): number {
    const stop = Math.min(end, at + stretch)
    const from = Math.max(range.from, price.from)
    const to = Math.min(range.to, price.to)
    let count = stop - at
    if (given) {
      for (let i = at; i < stop; i++) selected[i - at] = given[i]!
      if (!isEvery(range)) count = keepInRange(selected, count, prices, from, to)
    } else if (isEvery({ from, to })) {
      for (let row = at; row < stop; row++) selected[row - at] = row
    } else count = selectInRange(selected, prices, at, stop, from, to)
    count = keepMarked(selected, count, listOfRow, lists)
    if (selections) count = keepMarked(selected, count, columns.selections, selections)
    if (bits.mask !== 0) {
      count = keepInState(selected, count, columns.states, bits.mask, bits.wanted)
    }
    return count
  }

  function countByList(): Int32Array {
    const counts = new Int32Array(listOf.length)
    if (isWhole) {
      for (let i = 1; i < counts.length; i++) if (lists[i] === 1) counts[i] = listOf[i]!.rowCount
      return counts
    }
    for (let at = 0; at < end; at += stretch) {
      const count = select(at, everyPrice)
      for (let i = 0; i < count; i++) counts[listOfRow[selected[i]!]!]!++
    }
    return counts
  }

  return {
    counts: () => (counted ??= countByList()),
    total() {
      if (given) return given.length
      counted ??= countByList()
      let sum = 0
      for (const count of counted) sum += count
      return sum
    },
    nth(range, size, order) {
      const sign = order === 'rising' ? 1 : -1
      const first = createFirstN<number>(size, (a, b) => a - b)
      let bound = Number.POSITIVE_INFINITY
      let left = range
      for (let at = 0; at < end; at += stretch) {
        const count = select(at, left)
        for (let i = 0; i < count; i++) {
          const value = sign * prices[selected[i]!]!
          // Most prices are not among the first, so they are compared here, without a call.
          if (value >= bound) continue
          first.add(value)
          bound = first.last ?? Number.POSITIVE_INFINITY
        }
        if (bound < Number.POSITIVE_INFINITY) {
          left = sign > 0 ? { from: range.from, to: bound } : { from: -bound, to: range.to }
        }
      }
      return bound === Number.POSITIVE_INFINITY ? undefined : sign * bound
    },
    gather(range) {
      const found: number[] = []
      for (let at = 0; at < end; at += stretch) {
        const count = select(at, range)
        for (let i = 0; i < count; i++) found.push(selected[i]!)
      }
      return found
    },
    ofLists(wanted) {
      if (given) {
        const numbers = new Set(wanted.map(({ number }) => number))
        return given.filter((row) => numbers.has(listOfRow[row]!))
      }
      const isNamed = (row: number) =>
        (!selections || selections[columns.selections[row]!] === 1) &&
        (rows.state(row) & bits.mask) === bits.wanted &&
        prices[row]! >= price.from &&
        prices[row]! < price.to
      const found: number[] = []
      for (const { head, number } of wanted) {
        if (lists[number] !== 1) continue
        for (let row = head; row >= 0; row = rows.next(row)) if (isNamed(row)) found.push(row)
      }
      return found
    },
  }
}

// One loop per test, over rows that stay in the processor's cache: one loop with all tests takes
// several times as long.

function selectInRange(
  into: Int32Array,
  values: Float64Array,
  at: number,
  stop: number,
  from: number,
  to: number,
): number {
  let count = 0
  for (let row = at; row < stop; row++) {
    const value = values[row]!
    if (value >= from && value < to) into[count++] = row
  }
  return count
}

function keepInRange(
  rows: Int32Array,
  length: number,
  values: Float64Array,
  from: number,
  to: number,
): number {
  let count = 0
  for (let i = 0; i < length; i++) {
    const row = rows[i]!
    const value = values[row]!
    if (value >= from && value < to) rows[count++] = row
  }
  return count
}

/** Keeps the rows whose number in the column is marked with 1, without a branch for each. */
function keepMarked(
  rows: Int32Array,
  length: number,
  column: Int32Array,
  marks: Uint8Array,
): number {
  let count = 0
  for (let i = 0; i < length; i++) {
    const row = rows[i]!
    rows[count] = row
    count += marks[column[row]!]!
  }
  return count
}

function keepInState(
  rows: Int32Array,
  length: number,
  states: Int32Array,
  mask: number,
  wanted: number,
): number {
  let count = 0
  for (let i = 0; i < length; i++) {
    const row = rows[i]!
    if ((states[row]! & mask) === wanted) rows[count++] = row
  }
  return count
}
