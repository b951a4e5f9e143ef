/**
 * A filter of prices compiled for one board: the one answer to "is this row asked for?".
 *
 * What is asked of a row is of two kinds. What it **belongs** to is for good: its event, league, sport,
 * sportsbook and market. What **holds** of it may change while it stays: whether it is live, its price,
 * its event's start and names, and whether its line is the main one, which follows from the other rows
 * of its market. A row is asked for while it belongs and holds.
 *
 * The question can be put in three ways, all with the same answer. A walk: `events` in page order, of
 * each event the blocks that `enter` lets in, of each block the rows that `names` picks. One row at
 * random: `asks`, or `belongs` and `holds` apart. A row that has gone: `mayHaveNamed`. Passes through
 * the columns of all rows (`row-scan.ts`) and totals (`totals.ts`) work from the same parts.
 */

import type { BoardView } from '../board/board-view.ts'
import type { Removal } from '../board/removals.ts'
import type { EventBlock, ViewEvent } from '../board/view-event.ts'
import { type EventWalk, walkEvents } from './event-walk.ts'
import { mainLinesOf } from './main-lines.ts'
import type { OddsFilter } from './odds-filter.ts'
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
  /** Whether a row that stays may come to be asked for, or no longer be. */
  readonly isStateful: boolean
  /** One byte a sportsbook, by number: 1 where it is allowed; undefined for all. */
  readonly books: Uint8Array | undefined
  /** The same of those whose prices decide which line is the main one. */
  readonly lineBooks: Uint8Array | undefined
  readonly prices: PriceRange
  /** The same filter without what may change: it names every row that belongs. */
  readonly lasting: CompiledFilter
  /** Events that may hold rows asked for, in page order, from the event of a place onwards. */
  events(after?: RowPlace): EventWalk
  /** Whether an event is asked for, whatever rows it has. */
  isAsked(event: ViewEvent): boolean
  /** Called for each block of such an event before its rows; false when it has none. */
  enter(block: EventBlock): boolean
  /** Whether a row of the entered block is asked for. */
  names(row: number): boolean
  /** Whether any row, whatever its event and block, is asked for. */
  asks(row: number): boolean
  belongs(row: number): boolean
  holds(row: number): boolean
  /** Whether a row of the event that says this holds, where its line is asked for. */
  allows(event: ViewEvent, price: number, isLive: boolean, isStalePregame: boolean): boolean
  /**
   * The stamp at which a row that does not hold now may have ceased to; 0 where it never held.
   * @param changedAt that of the change it may have ceased to hold by
   */
  mayHaveHeldTo(row: number, changedAt: number): number
  /** Whether a row that has gone may have been one of those asked for. */
  mayHaveNamed(removal: Removal): boolean
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
  const { live, stalePregame, minAmerican, maxAmerican, mainLine, isEventNamed } = filter
  const books = sportsbooks && bookMask(view, sportsbooks)
  const lineBooks = filter.lineSportsbooks ? bookMask(view, filter.lineSportsbooks) : books
  const isId = among(eventIds)
  const isLeague = among(leagues)
  const isSport = among(sports)
  const isMarket = among(marketTypes)
  const isMarketOfGone = filter.isMarketNamed ?? isMarket
  const isPriced = minAmerican !== undefined || maxAmerican !== undefined
  const prices = isPriced ? pricesOfAmerican(minAmerican, maxAmerican) : everyPrice
  const { from, to } = prices
  const mainLines = mainLine === undefined ? undefined : mainLinesOf(view)
  const isRowStateful =
    live !== undefined || stalePregame !== undefined || isPriced || mainLine !== undefined
  let lasting: CompiledFilter | undefined

  const isOfEvent = ({ row }: ViewEvent) =>
    (!isLeague || isLeague(row.league)) &&
    (!isSport || isSport(row.sport)) &&
    (!isId || isId(row.id))

  const asksEvents = Boolean(eventIds || leagues || sports || isEventNamed)
  // A walk over all events asks nothing of each.
  const isEventAsked = asksEvents
    ? (event: ViewEvent) => isOfEvent(event) && (!isEventNamed || isEventNamed(event))
    : undefined

  const isOfBooks = (row: number) => !books || books[rows.sighted(row).book] === 1

  /** What holds of the row itself. */
  function isInState(row: number): boolean {
    if (live !== undefined && rows.isLive(row) !== live) return false
    if (stalePregame !== undefined && rows.isStalePregame(row) !== stalePregame) return false
    if (isPriced) {
      const price = rows.price(row)
      if (price < from || price >= to) return false
    }
    return !mainLines || mainLines.isMain(row, lineBooks) === mainLine
  }

  // Walks ask of row after row: they are not asked about what the filter does not say.
  const ofState = isRowStateful ? isInState : undefined
  const names: (row: number) => boolean =
    books && ofState
      ? (row) => isOfBooks(row) && ofState(row)
      : (ofState ?? (books ? isOfBooks : () => true))

  function belongs(row: number): boolean {
    if (!isOfBooks(row)) return false
    const { marketType, event } = rows.block(row)
    return (!isMarket || isMarket(marketType)) && isOfEvent(event)
  }

  const holds = (row: number) =>
    (!isEventNamed || isEventNamed(rows.block(row).event)) && isInState(row)

  return {
    view,
    filter,
    books,
    lineBooks,
    prices,
    isOpen: !books && !marketTypes && !isRowStateful,
    asksEvents,
    isStateful: isRowStateful || isEventNamed !== undefined,
    get lasting() {
      lasting ??= compile(view, { eventIds, leagues, sports, sportsbooks, marketTypes })
      return lasting
    },
    events: (after) => walkEvents(view, filter, isEventAsked, after),
    isAsked: (event) => !isEventAsked || isEventAsked(event),
    enter: ({ marketType }) => !isMarket || isMarket(marketType),
    names,
    asks: (row) => belongs(row) && holds(row),
    belongs,
    holds,
    allows: (event, price, isLive, isStalePregame) =>
      (!isEventNamed || isEventNamed(event)) &&
      (live === undefined || isLive === live) &&
      (stalePregame === undefined || isStalePregame === stalePregame) &&
      price >= from &&
      price < to,
    mayHaveHeldTo(row, changedAt) {
      // What has no line is on the main line for good.
      if (mainLine === false && rows.selection(row).line === null) return 0
      // Its newest change may be another than the one it went by.
      const isFlipped = live !== undefined && rows.isLive(row) !== live
      return isFlipped ? rows.block(row).event.flippedAt : changedAt
    },
    mayHaveNamed: ({ book, block }) =>
      (!books || books[book] === 1) &&
      (!isMarketOfGone || isMarketOfGone(block.marketType)) &&
      isOfEvent(block.event),
  }
}

/** Undefined for a list that allows everything. */
function among(allowed: readonly string[] | undefined): ((value: string) => boolean) | undefined {
  if (!allowed) return undefined
  const [only] = allowed
  if (allowed.length === 1) return (value) => value === only
  const set = new Set(allowed)
  return (value) => set.has(value)
}

/** One byte a sportsbook of the view: 1 where it is among those named. */
export function bookMask(view: BoardView, sportsbooks: readonly string[]): Uint8Array {
  const mask = new Uint8Array(view.sportsbooks.length)
  for (const sportsbook of sportsbooks) {
    const book = view.book(sportsbook)
    if (book !== undefined) mask[book] = 1
  }
  return mask
}
