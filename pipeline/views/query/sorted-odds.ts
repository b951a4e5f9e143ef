/**
 * Pages of the odds table in another order than its own. Rows with equal sort values keep page order.
 *
 * Only the rows that the page needs are sorted. For a sort by price, every row that the filter
 * names is compared, in one pass over the columns. All other sort values are the same for all rows
 * of a sportsbook on an event, so these lists are compared instead.
 */

import { createContentHash } from '../../memory/content-hash.ts'
import { createFirstN } from '../../memory/first-n.ts'
import { decimalToAmerican, shownProbability } from '../../rules/odds/odds.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import { type BoardView, compareMarkets } from '../board/board-view.ts'
import { compareEvents } from '../board/sorted-events.ts'
import type { EventBlock, ViewOffer } from '../board/view-event.ts'
import { compile } from './compiled-filter.ts'
import type { OddsFilter } from './odds-filter.ts'
import type { OddsPage } from './odds-page.ts'
import { everyPrice, firstPrice, type PriceRange } from './price-range.ts'
import { compareToPlace, placeOf, type RowPlace } from './row-place.ts'
import { createRowScan, type RowScan, scanRows } from './row-scan.ts'
import { isCounted, totalOf } from './totals.ts'

export const sortFields = [
  'odds_american',
  'odds_decimal',
  'odds_probability',
  'event_start_time',
  'last_seen_at',
  'sportsbook',
  'league',
  'sport',
] as const

export interface OddsSort {
  readonly field: (typeof sortFields)[number]
  readonly descending: boolean
}

/** The end of a sorted page: the last row's sort value and its place in page order. */
export interface SortedPlace {
  readonly value: number | string
  readonly place: RowPlace
}

export interface SortedPage extends Omit<OddsPage, 'last'> {
  /** The end of the page, if there are more rows; else null. */
  readonly last: SortedPlace | null
}

interface Found {
  readonly value: number | string
  readonly block: EventBlock
  /** The position in the block. */
  readonly index: number
}

/**
 * Writes as `writeOddsPage`, in the order of `sort`; with `after`, from that place instead of the
 * offset.
 */
export function writeSortedOdds(
  view: BoardView,
  filter: OddsFilter,
  sort: OddsSort,
  range: {
    readonly limit: number
    readonly offset: number
    readonly after?: SortedPlace | undefined
  },
  into: PageBuffer | null,
): SortedPage {
  const { rows } = view
  const { after } = range
  const skip = after ? 0 : range.offset
  // One more than the page, to know whether it is the last.
  const count = skip + range.limit + 1
  const scan = createRowScan(view, filter)
  const total = isCounted(compile(view, filter)) ? totalOf(view, filter) : scan.total()
  const price = priceForms[sort.field]
  const found = price
    ? firstByPrice(view, scan, { ...price, descending: sort.descending }, count, after)
    : firstByList(view, scan, listOrder(view, sort), count, after)
  const onPage = found.slice(skip, skip + range.limit)
  const hasMore = found.length > skip + onPage.length
  const content = createContentHash()
  const books = new Uint8Array(view.sportsbooks.length)
  let updatedAt = 0
  const start = into?.length ?? 0
  for (const { block, index } of onPage) {
    const row = block.rows[index]!
    const { book, lastSeenAt } = rows.sighted(row)
    books[book] = 1
    updatedAt = Math.max(updatedAt, lastSeenAt)
    rows.ask(block)
    rows.addContent(row, content)
    if (!into) continue
    reserve(into, rows.textBytes(block, index, index + 1))
    into.length = rows.copyText(block, index, index + 1, into.bytes, into.length)
  }
  if (into && onPage.length > 0) into.bytes[start] = blank
  content.add(total)
  content.add(hasMore ? onPage.length : -onPage.length)
  const end = onPage.at(-1)
  return {
    count: onPage.length,
    total,
    hasMore,
    last: end ? { value: end.value, place: placeOf(view, end.block.rows[end.index]!) } : null,
    books,
    updatedAt,
    content,
  }
}

/** Returns the ids of rows that still exist, in the order of `sort`. */
export function sortRowIds(view: BoardView, ids: readonly number[], sort: OddsSort): number[] {
  const { rows } = view
  const sortValue = valueReader(view, sort)
  const sign = sort.descending ? -1 : 1
  return ids
    .flatMap((id) => {
      const row = rows.find(id)
      return row < 0 ? [] : [{ id, value: sortValue(row) }]
    })
    .sort((a, b) => sign * compareValues(a.value, b.value))
    .map(({ id }) => id)
}

const blank = 0x20

/** Returns the sort value of a row, by its number. */
function valueReader(view: BoardView, sort: OddsSort): (row: number) => number | string {
  const { rows } = view
  const price = priceForms[sort.field]
  if (price) return (row) => price.of(rows.price(row))
  const { value } = listOrder(view, sort)
  return (row) => value(rows.sighted(row))
}

const compareValues = (a: number | string, b: number | string) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b))

/** Compares rows with equal sort values in page order. */
const compareFound = (a: Found, b: Found) =>
  compareEvents(a.block.event, b.block.event) ||
  compareMarkets(a.block.marketType, b.block.marketType) ||
  a.index - b.index

function foundOf(view: BoardView, row: number, value: number | string): Found {
  return { value, block: view.rows.block(row), index: view.rows.rank(row) }
}

// ---- by price

/** A form of the price that always rises or always falls with it. */
interface PriceForm {
  of(price: number): number
  readonly rises: boolean
}

const priceForms: Partial<Record<OddsSort['field'], PriceForm>> = {
  odds_american: { of: decimalToAmerican, rises: true },
  odds_decimal: { of: (price) => price, rises: true },
  odds_probability: { of: shownProbability, rises: false },
}

/** Returns the prices of one value. */
function pricesOf({ of, rises }: PriceForm, value: number): PriceRange {
  const sign = rises ? 1 : -1
  return {
    from: firstPrice((price) => sign * (of(price) - value) >= 0),
    to: firstPrice((price) => sign * (of(price) - value) > 0),
  }
}

function firstByPrice(
  view: BoardView,
  scan: RowScan,
  form: PriceForm & { readonly descending: boolean },
  count: number,
  after: SortedPlace | undefined,
): Found[] {
  const { prices } = view.rows.columns
  const isRising = form.rises !== form.descending
  const sign = form.descending ? -1 : 1
  /** Returns the first rows of one value, in page order. */
  const alike = (rows: readonly number[], value: number, wanted: number, place?: SortedPlace) =>
    firstByList(view, scanRows(view, rows), listsAlike(value), wanted, place)

  let found: Found[] = []
  let left = everyPrice
  if (after) {
    const value = Number(after.value)
    const tied = pricesOf(form, value)
    found = alike(scan.gather(tied), value, count, { value, place: after.place })
    left = isRising ? { from: tied.to, to: left.to } : { from: left.from, to: tied.from }
  }
  const wanted = count - found.length
  if (wanted === 0) return found
  const last = scan.nth(left, wanted, isRising ? 'rising' : 'falling')
  const tied = last === undefined ? nothing : pricesOf(form, form.of(last))
  if (tied !== nothing) {
    left = isRising ? { from: left.from, to: tied.to } : { from: tied.from, to: left.to }
  }
  const rows = scan.gather(left)
  const isTied = (row: number) => prices[row]! >= tied.from && prices[row]! < tied.to
  const first = rows
    .filter((row) => !isTied(row))
    .map((row) => foundOf(view, row, form.of(prices[row]!)))
    .sort((a, b) => sign * compareValues(a.value, b.value) || compareFound(a, b))
  found = found.concat(first)
  if (last === undefined) return found
  return found.concat(alike(rows.filter(isTied), form.of(last), wanted - first.length))
}

const nothing: PriceRange = { from: 0, to: 0 }

// ---- by a value that a sportsbook's rows on an event have in common

interface ListOrder {
  value(offer: ViewOffer): number | string
  readonly descending: boolean
}

const listsAlike = (value: number): ListOrder => ({ value: () => value, descending: false })

function listOrder({ sportsbooks }: BoardView, { field, descending }: OddsSort): ListOrder {
  switch (field) {
    case 'event_start_time':
      return { value: ({ event }) => event.startsAt, descending }
    case 'last_seen_at':
      return { value: ({ lastSeenAt }) => lastSeenAt, descending }
    case 'sportsbook':
      return { value: ({ book }) => sportsbooks[book]!, descending }
    case 'league':
      return { value: ({ event }) => event.row.league, descending }
    case 'sport':
      return { value: ({ event }) => event.row.sport, descending }
    default:
      throw new RangeError(`rows of a list differ in ${field}`)
  }
}

/** Returns the first `count` rows, by the value of their list, then in page order. */
function firstByList(
  view: BoardView,
  scan: RowScan,
  { value, descending }: ListOrder,
  count: number,
  after: SortedPlace | undefined,
): Found[] {
  const counts = scan.counts()
  const { listOf } = view.rows.columns
  const sign = descending ? -1 : 1
  /** Compares lists. Rows of lists that compare equal are mixed on a page. */
  const compareLists = (a: ListPlace, b: ListPlace) =>
    sign * compareValues(a.value, b.value) || compareEvents(a.offer.event, b.offer.event)
  /** Returns whether a list comes before the event of a place (negative), at it (0) or after it. */
  const sideOf = (list: ListPlace, at: SortedPlace) =>
    sign * compareValues(list.value, at.value) ||
    compareEvents(list.offer.event, { id: at.place.eventId, startsAt: at.place.startsAt })

  const lists: ListPlace[] = []
  for (let number = 1; number < counts.length; number++) {
    const offer = listOf[number]
    if (!offer || counts[number] === 0) continue
    const list = { offer, value: value(offer) }
    if (!after || sideOf(list, after) >= 0) lists.push(list)
  }
  const last = lastNeeded()
  const needed = last ? lists.filter((list) => compareLists(list, last) <= 0) : lists
  return scan
    .ofLists(needed.map(({ offer }) => offer))
    .map((row) => foundOf(view, row, value(view.rows.sighted(row))))
    .filter(({ value, block, index }) => {
      if (!after || compareValues(value, after.value) !== 0) return true
      return compareToPlace(view, block.rows[index]!, after.place) > 0
    })
    .sort((a, b) => sign * compareValues(a.value, b.value) || compareFound(a, b))
    .slice(0, count)

  /** Returns the list with the last row; undefined when all are needed. */
  function lastNeeded(): ListPlace | undefined {
    // Each list has at least one row, except that lists where the last page ended may have none
    // left.
    const first = createFirstN(count + view.sportsbooks.length, compareLists)
    for (const list of lists) first.add(list)
    let sum = 0
    for (const list of first.sorted()) {
      if (!after || sideOf(list, after) > 0) sum += counts[list.offer.number]!
      if (sum >= count) return list
    }
    return undefined
  }
}

interface ListPlace {
  readonly offer: ViewOffer
  readonly value: number | string
}
