/**
 * Looks at very many rows: counts those a filter names, and finds the first of them by a price or
 * another column. Where a filter names events that hold few rows, these are gathered block by block;
 * else the columns are gone through from their beginning, and what is asked of events, sportsbooks,
 * markets and lines is worked out beforehand for the lists and selections rows belong to.
 */

import { type BoardView, countLevel, type EventBlock, eventListKey } from './board-view.ts'
import { mainSelections } from './main-lines.ts'
import { eventLists, eventsOf, type OddsFilter } from './odds-page.ts'
import { liveBit, type Sighted } from './odds-rows.ts'
import { everyPrice, pricesOfAmerican } from './price-range.ts'
import { bookMask, createRowFilter } from './row-filter.ts'

/** Numbers from `from`, below `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Good until the next change. */
export interface RowScan {
  /** Named rows by the number of the list they are seen in. */
  counts(): Int32Array
  /** The same of rows whose value is in the range. */
  countsIn(values: Float64Array, range: Range): Int32Array
  /**
   * The value of the last of the first `count` named rows, by value; undefined when there are fewer.
   * @param test what else is asked of them
   */
  nth(
    values: Float64Array,
    range: Range,
    count: number,
    order: 'rising' | 'falling',
    test?: (row: number) => boolean,
  ): number | undefined
  /**
   * Named rows whose value is in the range, in no order.
   * @param lists one byte a list: only of those with 1
   */
  gather(
    values: Float64Array,
    range: Range,
    also?: { readonly lists?: Uint8Array; readonly test?: (row: number) => boolean },
  ): number[]
}

/** How many rows are gone through in the time in which one is looked up. */
const lookUpCost = 16

/** Whether going through all rows takes less time than looking up those of the filter's events. */
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
  if (isManyRows(view, filter)) return scanColumns(view, filter)
  return scanRows(view, namedRows(view, filter))
}

/** The rows given, whatever they are. */
export function scanRows(view: BoardView, given: readonly number[]): RowScan {
  const { listOf } = view.rows.columns
  const lists = new Uint8Array(listOf.length).fill(1)
  return createScan(view, { given, lists, selections: undefined, live: undefined }, everyPrice)
}

function namedRows(view: BoardView, filter: OddsFilter): number[] {
  const named = createRowFilter(view, filter)
  const next = eventsOf(view, filter, undefined)
  const found: number[] = []
  for (let event = next(); event; event = next()) {
    for (const block of event.blocks) {
      if (!named.enter(block)) continue
      for (let i = 0; i < block.count; i++) {
        if (named.names(block.rows[i]!)) found.push(block.rows[i]!)
      }
    }
  }
  return found
}

interface Looked {
  /** The rows to look at; undefined for all. */
  readonly given: readonly number[] | undefined
  /** One byte a list and one a selection: 1 where its rows are named. */
  readonly lists: Uint8Array
  readonly selections: Uint8Array | undefined
  readonly live: boolean | undefined
}

function scanColumns(view: BoardView, filter: OddsFilter): RowScan {
  const { listOf } = view.rows.columns
  const { sportsbooks, marketTypes, live, mainLine } = filter
  const allowed = sportsbooks && bookMask(view, sportsbooks)
  const isNamed = ({ book }: Sighted) => !allowed || allowed[book] === 1
  const lists = new Uint8Array(listOf.length)
  const isOfEvents = namesEvents(filter)
  if (isOfEvents) {
    const next = eventsOf(view, filter, undefined)
    for (let event = next(); event; event = next()) {
      for (const offer of event.offers.values()) {
        if (offer.rowCount > 0 && isNamed(offer)) lists[offer.number] = 1
      }
    }
  } else {
    for (let i = 1; i < listOf.length; i++) {
      const list = listOf[i]
      if (list && isNamed(list)) lists[i] = 1
    }
  }
  const selections =
    marketTypes || mainLine !== undefined ? namedSelections(view, filter, lists) : undefined
  const prices = pricesOfAmerican(filter.minAmerican, filter.maxAmerican)
  return createScan(view, { given: undefined, lists, selections, live }, prices)
}

const namesEvents = ({ eventIds, leagues, sports, isEventNamed }: OddsFilter) =>
  eventIds !== undefined ||
  leagues !== undefined ||
  sports !== undefined ||
  isEventNamed !== undefined

/** One byte a selection, by number: 1 where the filter's markets and lines have it. */
function namedSelections(view: BoardView, filter: OddsFilter, lists: Uint8Array): Uint8Array {
  const { marketTypes, mainLine } = filter
  const markets = marketTypes && new Set(marketTypes)
  const blocks: EventBlock[] = []
  // Rows of other events are told apart by their lists.
  for (const event of view.events(eventListKey.all)) {
    for (const block of event.blocks) {
      if (!markets || markets.has(block.marketType)) blocks.push(block)
    }
  }
  const main = mainLine === undefined ? undefined : mainSelections(view, lists, blocks)
  const named = new Uint8Array(view.rows.columns.selectionEnd)
  for (const { selections } of blocks) {
    for (const { number } of selections) {
      named[number] = !main || (main[number] === 1) === mainLine ? 1 : 0
    }
  }
  return named
}

function createScan(view: BoardView, looked: Looked, price: Range): RowScan {
  const { given, lists, selections, live } = looked
  const { columns } = view.rows
  const { prices, flags, listOf, lists: listOfRow, selections: selectionOfRow } = columns
  const end = given?.length ?? columns.end
  const liveFlag = live ? liveBit : 0
  const isPriced = price.from > 0 || price.to < Number.POSITIVE_INFINITY

  const isNamed = (row: number) =>
    lists[listOfRow[row]!] === 1 &&
    (selections === undefined || selections[selectionOfRow[row]!] === 1) &&
    (live === undefined || (flags[row]! & liveBit) === liveFlag) &&
    (!isPriced || (prices[row]! >= price.from && prices[row]! < price.to))

  function countsIn(values: Float64Array, { from, to }: Range): Int32Array {
    const counts = new Int32Array(listOf.length)
    for (let i = 0; i < end; i++) {
      const row = given ? given[i]! : i
      const value = values[row]!
      if (value >= from && value < to && isNamed(row)) counts[listOfRow[row]!]!++
    }
    return counts
  }

  return {
    counts() {
      if (given || selections || live !== undefined || isPriced) {
        return countsIn(prices, everyPrice)
      }
      const counts = new Int32Array(listOf.length)
      for (let i = 1; i < counts.length; i++) if (lists[i] === 1) counts[i] = listOf[i]!.rowCount
      return counts
    },
    countsIn,
    nth(values, { from, to }, count, order, test) {
      const sign = order === 'rising' ? 1 : -1
      const first = createFirstNumbers(count)
      let bound = Number.POSITIVE_INFINITY
      for (let i = 0; i < end; i++) {
        const row = given ? given[i]! : i
        const value = values[row]!
        if (sign * value >= bound || value < from || value >= to || !isNamed(row)) continue
        if (test?.(row) === false) continue
        bound = first.add(sign * value)
      }
      return bound === Number.POSITIVE_INFINITY ? undefined : sign * bound
    },
    gather(values, { from, to }, also = {}) {
      const { lists: wanted, test } = also
      const found: number[] = []
      for (let i = 0; i < end; i++) {
        const row = given ? given[i]! : i
        const value = values[row]!
        if (value < from || value >= to) continue
        if (wanted && wanted[listOfRow[row]!] !== 1) continue
        if (isNamed(row) && test?.(row) !== false) found.push(row)
      }
      return found
    },
  }
}

/** The `size` smallest of any number of values: a heap with the greatest of them on top. */
function createFirstNumbers(size: number) {
  const heap = new Float64Array(size)
  let length = 0
  return {
    /** @returns the greatest of the smallest `size`; infinity while there are fewer */
    add(value: number): number {
      if (length < size) {
        let i = length++
        for (; i > 0 && heap[(i - 1) >> 1]! < value; i = (i - 1) >> 1) heap[i] = heap[(i - 1) >> 1]!
        heap[i] = value
      } else if (value < heap[0]!) {
        let i = 0
        for (;;) {
          let child = 2 * i + 1
          if (child + 1 < size && heap[child + 1]! > heap[child]!) child++
          if (child >= size || heap[child]! <= value) break
          heap[i] = heap[child]!
          i = child
        }
        heap[i] = value
      }
      return length < size ? Number.POSITIVE_INFINITY : heap[0]!
    },
  }
}
