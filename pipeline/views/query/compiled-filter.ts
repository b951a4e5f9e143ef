/**
 * A filter of prices compiled for one board: the one answer to "is this row asked for?", now (`asks`) and as it was
 * or is by a change of the journal (`matches`).
 *
 * A walk asks the same: `events` in page order, of each event the blocks that `enter` lets in, of each block the
 * rows that `names` picks. Passes through the columns of all rows (`row-scan.ts`) and totals (`totals.ts`) work
 * from the same parts.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { mainLineSets } from '../../../schemas/main-line.ts'
import type { BoardView } from '../board/board-view.ts'
import { absentBit } from '../board/journal.ts'
import { ownBit, setBit } from '../board/main-line-bits.ts'
import { bookShift, mainShift, type RowColumns } from '../board/row-table.ts'
import type { EventBlock, ViewEvent } from '../board/view-event.ts'
import { type EventWalk, walkEvents } from './event-walk.ts'
import { flagBits, type OddsFilter } from './odds-filter.ts'
import { everyPrice, type PriceRange, pricesOfAmerican } from './price-range.ts'
import type { RowPlace } from './row-place.ts'

/** Good until the shape of the board changes: see `BoardView.shapeStamp`. */
export interface CompiledFilter {
  readonly view: BoardView
  readonly filter: OddsFilter
  /** Of an event asked for, every row is. */
  readonly isOpen: boolean
  /** Whether some events are not asked for. */
  readonly asksEvents: boolean
  /** One byte a sportsbook, by number: 1 where it is allowed; undefined for all. */
  readonly books: Uint8Array | undefined
  readonly prices: PriceRange
  /** The bits of what a row says that are asked about, and what they have to be. */
  readonly bits: AskedBits
  /** Events that may hold rows asked for, in page order, from the event of a place onwards. */
  events(after?: RowPlace): EventWalk
  /** Whether an event is asked for, whatever rows it has. */
  isAsked(event: ViewEvent): boolean
  /** Called for each block of such an event before its rows; false when it has none. */
  enter(block: EventBlock): boolean
  /** Whether a row of the entered block is asked for. */
  names(row: number): boolean
  /**
   * Which of the rows of such a block are, in one pass.
   * @param list row numbers, of which those at `from` up to `to` are looked at
   * @param most ends with so many
   * @param into gets their places in the list
   * @returns how many there are
   */
  pick(
    columns: RowColumns,
    list: Int32Array,
    from: number,
    to: number,
    most: number,
    into: Int32Array,
  ): number
  /** Whether any row, whatever its event and block, is asked for. */
  asks(row: number): boolean
  /** Whether rows of an event, a market and a sportsbook may be asked for at any time. */
  belongs(event: EventRow, marketType: string, book: number): boolean
  /**
   * Whether a row is asked for while it is so. Of what has gone too: it goes by the values asked for, not by what they
   * stand for now.
   * @param state bits of `row-table.ts`, or `absentBit`
   */
  matches(event: EventRow, marketType: string, book: number, price: number, state: number): boolean
}

/** Of `row-table.ts`. */
export interface AskedBits {
  readonly mask: number
  readonly wanted: number
}

/** A filter that is used again on a board of the same shape is not compiled again. */
const compiled = new WeakMap<OddsFilter, { readonly stamp: number; readonly of: CompiledFilter }>()

export function compile(view: BoardView, filter: OddsFilter): CompiledFilter {
  const known = compiled.get(filter)
  if (known?.of.view === view && known.stamp === view.shapeStamp) return known.of
  const of = create(view, filter)
  compiled.set(filter, { stamp: view.shapeStamp, of })
  return of
}

function create(view: BoardView, filter: OddsFilter): CompiledFilter {
  const { rows } = view
  const { eventIds, leagues, sports, sportsbooks, marketTypes } = filter
  const { minAmerican, maxAmerican, isEventNamed } = filter
  const books = sportsbooks && bookMask(view, sportsbooks)
  const isId = among(eventIds)
  const isLeague = among(leagues)
  const isSport = among(sports)
  const isMarket = among(marketTypes)
  const isMarketEver = filter.isMarketNamed ?? isMarket
  const isPriced = minAmerican !== undefined || maxAmerican !== undefined
  const prices = isPriced ? pricesOfAmerican(minAmerican, maxAmerican) : everyPrice
  const { from, to } = prices
  const bits = bitsOf(filter)
  const { mask, wanted } = bits

  const isOfEventEver = (row: EventRow) =>
    (!isLeague || isLeague(row.league)) &&
    (!isSport || isSport(row.sport)) &&
    (!isId || isId(row.id))

  const isOfEvent = (row: EventRow) => isOfEventEver(row) && (!isEventNamed || isEventNamed(row))

  const asksEvents = Boolean(eventIds || leagues || sports || isEventNamed)
  const isOfBooks = (book: number) => !books || books[book] === 1
  const isInState = (price: number, state: number) =>
    (state & mask) === wanted && price >= from && price < to

  // Walks ask of row after row: they are not asked about what the filter does not say.
  const ofBooks = books ? (row: number) => books[rows.book(row)] === 1 : undefined
  const ofState =
    mask !== 0 || isPriced
      ? (row: number) => isInState(rows.price(row), rows.state(row))
      : undefined
  const names: (row: number) => boolean =
    ofBooks && ofState
      ? (row) => ofBooks(row) && ofState(row)
      : (ofState ?? ofBooks ?? (() => true))

  return {
    view,
    filter,
    books,
    prices,
    bits,
    isOpen: !books && !marketTypes && !ofState,
    asksEvents,
    // A walk over all events asks nothing of each.
    events: (after) =>
      walkEvents(view, filter, asksEvents ? ({ row }) => isOfEvent(row) : undefined, after),
    isAsked: ({ row }) => isOfEvent(row),
    enter: ({ marketType }) => !isMarket || isMarket(marketType),
    names,
    pick({ states, prices }, list, first, end, most, into) {
      let count = 0
      for (let i = first; i < end && count < most; i++) {
        const row = list[i]!
        const state = states[row]!
        if ((state & mask) !== wanted) continue
        if (books && books[state >>> bookShift] !== 1) continue
        if (isPriced && !(prices[row]! >= from && prices[row]! < to)) continue
        into[count++] = i
      }
      return count
    },
    asks(row) {
      const { marketType, event } = rows.block(row)
      return names(row) && (!isMarket || isMarket(marketType)) && isOfEvent(event.row)
    },
    belongs: (event, marketType, book) =>
      isOfBooks(book) && (!isMarketEver || isMarketEver(marketType)) && isOfEventEver(event),
    matches: (event, marketType, book, price, state) =>
      (state & absentBit) === 0 &&
      isOfBooks(book) &&
      isInState(price, state) &&
      (!isMarketEver || isMarketEver(marketType)) &&
      isOfEvent(event),
  }
}

function bitsOf(filter: OddsFilter): AskedBits {
  const { mainLine, ownMainLine, lineSet = allSet } = filter
  let mask = 0
  let wanted = 0
  const ask = (bit: number, is: boolean | undefined) => {
    if (is === undefined) return
    mask |= bit
    if (is) wanted |= bit
  }
  for (const flag of flags) ask(flagBits[flag], filter[flag])
  ask(setBit(lineSet) << mainShift, mainLine)
  ask(ownBit << mainShift, ownMainLine)
  return { mask, wanted }
}

const flags = Object.keys(flagBits) as (keyof typeof flagBits)[]
const allSet = mainLineSets.indexOf('all')

/** Undefined for a list that allows everything. */
function among(allowed: readonly string[] | undefined): ((value: string) => boolean) | undefined {
  if (!allowed) return undefined
  const [only] = allowed
  if (allowed.length === 1) return (value) => value === only
  const set = new Set(allowed)
  return (value) => set.has(value)
}

/** One byte a sportsbook of the view: 1 where it is among those named. */
function bookMask(view: BoardView, sportsbooks: readonly string[]): Uint8Array {
  const mask = new Uint8Array(view.sportsbooks.length)
  for (const sportsbook of sportsbooks) {
    const book = view.book(sportsbook)
    if (book !== undefined) mask[book] = 1
  }
  return mask
}
