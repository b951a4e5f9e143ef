/**
 * A filter of prices compiled for one board. It alone decides whether a row matches, now (`matchesRow`) or before or
 * after a change of the journal (`matches`).
 *
 * A walk applies the same tests: it visits `events` in page order, the blocks of each event for
 * which `enter` is true, and their rows for which `names` is true. Passes through the columns of
 * all rows (`row-scan.ts`) and totals (`totals.ts`) work from the same parts.
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
import type { EventPlace } from './row-place.ts'

/** A compiled filter, valid until the board is emptied or gets a new sportsbook. */
export interface CompiledFilter {
  readonly view: BoardView
  readonly filter: OddsFilter
  /** True when every row of a matching event matches. */
  readonly isOpen: boolean
  /** Whether the filter excludes any event. */
  readonly limitsEvents: boolean
  /** One byte per sportsbook number: 1 if it is allowed; undefined if all are. */
  readonly books: Uint8Array | undefined
  readonly prices: PriceRange
  /** The test of a row's state. */
  readonly bits: BitTest
  /** Walks the events that may hold matching rows, in page order, from the event of a place onwards. */
  events(after?: EventPlace): EventWalk
  /** Returns whether an event matches, regardless of its rows. */
  matchesEvent(event: ViewEvent): boolean
  /** Called for each block of such an event before its rows; returns false when none can match. */
  enter(block: EventBlock): boolean
  /** Returns whether a row of the entered block matches. */
  names(row: number): boolean
  /**
   * Finds the matching rows of such a block in one pass.
   * @param list row numbers, looked at from `from` up to `to`
   * @param most stops after this many
   * @param into receives their places in the list
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
  /** Returns whether a row of any event and block matches. */
  matchesRow(row: number): boolean
  /** Returns whether rows of an event, a market and a sportsbook can ever match. */
  belongs(event: EventRow, marketType: string, book: number): boolean
  /**
   * Returns whether a row in this state matches. Works for deleted rows too: it compares the filter's values, not
   * their current numbers.
   * @param state bits of `row-table.ts`, or `absentBit`
   */
  matches(event: EventRow, marketType: string, book: number, price: number, state: number): boolean
}

/** A test of a row's state: the bits of `row-table.ts` that it looks at, and the values they must have. */
export interface BitTest {
  readonly mask: number
  readonly wanted: number
}

/** A compiled filter, with the parts of the board that it was compiled for. */
interface CompiledFor {
  readonly rows: BoardView['rows']
  readonly bookCount: number
  readonly of: CompiledFilter
}

const compiled = new WeakMap<OddsFilter, CompiledFor>()

export function compile(view: BoardView, filter: OddsFilter): CompiledFilter {
  const { rows } = view
  const bookCount = view.sportsbooks.length
  const known = compiled.get(filter)
  if (known?.rows === rows && known.bookCount === bookCount) return known.of
  const of = create(view, filter)
  compiled.set(filter, { rows, bookCount, of })
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

  const limitsEvents = Boolean(eventIds || leagues || sports || isEventNamed)
  const matchesEvent = ({ row }: ViewEvent) => isOfEvent(row)
  // If all events match, the walk does not test them.
  const tested = limitsEvents ? matchesEvent : undefined
  const isOfBooks = (book: number) => !books || books[book] === 1
  const isInState = (price: number, state: number) =>
    (state & mask) === wanted && price >= from && price < to

  // Walks test every row, so tests that the filter does not need are left out.
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
    limitsEvents,
    events: (after) => walkEvents(view, filter, tested, after),
    matchesEvent,
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
    matchesRow(row) {
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

function bitsOf(filter: OddsFilter): BitTest {
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

/** Returns a test for the allowed values; undefined for a list that allows everything. */
function among(allowed: readonly string[] | undefined): ((value: string) => boolean) | undefined {
  if (!allowed) return undefined
  const [only] = allowed
  if (allowed.length === 1) return (value) => value === only
  const set = new Set(allowed)
  return (value) => set.has(value)
}

/** Returns one byte per sportsbook of the view: 1 where it is among those named. */
function bookMask(view: BoardView, sportsbooks: readonly string[]): Uint8Array {
  const mask = new Uint8Array(view.sportsbooks.length)
  for (const sportsbook of sportsbooks) {
    const book = view.book(sportsbook)
    if (book !== undefined) mask[book] = 1
  }
  return mask
}
