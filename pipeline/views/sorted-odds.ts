/**
 * Pages of the odds table in another order than its own. Every row the filter names is looked at,
 * and only as many as the page needs are kept in order, so the work is one pass and no sort of the
 * whole. Rows that sort alike keep page order.
 */

import { decimalToAmerican, shownProbability } from '../rules/odds.ts'
import type { BoardView, EventBlock } from './board-view.ts'
import { createContentHash } from './content-hash.ts'
import {
  compareToPlace,
  eventsOf,
  type OddsFilter,
  type OddsPage,
  type PageBuffer,
  placeOf,
  type RowPlace,
  reserve,
} from './odds-page.ts'
import { compareTexts } from './odds-rows.ts'
import { createRowFilter } from './row-filter.ts'

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

/** Where a sorted page ended: the last row's sort value and its place in page order. */
export interface SortedPlace {
  readonly value: number | string
  readonly place: RowPlace
}

export interface SortedPage extends Omit<OddsPage, 'last'> {
  readonly last: SortedPlace | null
}

interface Candidate {
  readonly value: number | string
  /** Position in page order. */
  readonly order: number
  readonly block: EventBlock
  readonly index: number
}

/** As `writeOddsPage`, in the order of `sort`; `after` starts behind a place instead of at the offset. */
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
  const named = createRowFilter(view, filter)
  const next = eventsOf(view, filter, undefined)
  const sortValue = valueReader(view, sort.field)
  const sign = sort.descending ? -1 : 1
  const compare = (a: Candidate, b: Candidate) =>
    sign * compareValues(a.value, b.value) || a.order - b.order
  const skip = range.after ? 0 : range.offset
  // One more than the page, to know whether it is the last.
  const best = createFirst(skip + range.limit + 1, compare)
  let total = 0
  for (let event = next(); event; event = next()) {
    for (const block of event.blocks) {
      if (!named.enter(block)) continue
      for (let index = 0; index < block.count; index++) {
        const row = block.rows[index]!
        if (!named.names(row)) continue
        const order = total++
        const value = sortValue(row, block)
        if (!best.mayHold(value, sign)) continue
        if (range.after) {
          const side = sign * compareValues(value, range.after.value)
          if (side < 0) continue
          if (side === 0 && compareToPlace(view, block, index, range.after.place) <= 0) continue
        }
        best.add({ value, order, block, index })
      }
    }
  }
  const found = best.sorted().slice(skip)
  const onPage = found.slice(0, range.limit)
  const hasMore = found.length > onPage.length
  const content = createContentHash()
  const books = new Set<number>()
  let updatedAt = 0
  const start = into?.length ?? 0
  for (const { block, index } of onPage) {
    const row = block.rows[index]!
    const { book, lastSeenAt } = rows.sighted(row)
    books.add(book)
    updatedAt = Math.max(updatedAt, lastSeenAt)
    rows.addContent(row, content)
    content.add(lastSeenAt)
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
    last: end
      ? { value: end.value, place: placeOf(view, end.block, end.block.rows[end.index]!) }
      : null,
    books,
    updatedAt,
    content,
  }
}

/** The ids of rows that are still there, in the order of `sort`. */
export function sortRowIds(view: BoardView, ids: readonly number[], sort: OddsSort): number[] {
  const { rows } = view
  const sortValue = valueReader(view, sort.field)
  const sign = sort.descending ? -1 : 1
  return ids
    .flatMap((id) => {
      const row = rows.find(id)
      return row < 0 ? [] : [{ id, value: sortValue(row, rows.block(row) as EventBlock) }]
    })
    .sort((a, b) => sign * compareValues(a.value, b.value))
    .map(({ id }) => id)
}

const blank = 0x20

function valueReader(
  view: BoardView,
  field: OddsSort['field'],
): (row: number, block: EventBlock) => number | string {
  const { rows, sportsbooks } = view
  switch (field) {
    case 'odds_american':
      return (row) => decimalToAmerican(rows.price(row))
    case 'odds_decimal':
      return (row) => rows.price(row)
    case 'odds_probability':
      return (row) => shownProbability(rows.price(row))
    case 'event_start_time':
      return (_, { event }) => event.startsAt
    case 'last_seen_at':
      return (row) => rows.sighted(row).lastSeenAt
    case 'sportsbook':
      return (row) => sportsbooks[rows.sighted(row).book]!
    case 'league':
      return (_, { event }) => event.row.league
    case 'sport':
      return (_, { event }) => event.row.sport
  }
}

const compareValues = (a: number | string, b: number | string) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b))

/** Keeps the first `size` candidates of any number: a heap with the last of them on top. */
function createFirst(size: number, compare: (a: Candidate, b: Candidate) => number) {
  const heap: Candidate[] = []

  function sink(from: number) {
    for (let i = from; ; ) {
      let last = i
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < heap.length && compare(heap[child]!, heap[last]!) > 0) last = child
      }
      if (last === i) return
      ;[heap[i], heap[last]] = [heap[last]!, heap[i]!]
      i = last
    }
  }

  return {
    /** Cheap look ahead: rows come in page order, so one that sorts like the last is behind it. */
    mayHold: (value: number | string, sign: number) =>
      heap.length < size || sign * compareValues(value, heap[0]!.value) < 0,
    add(candidate: Candidate) {
      if (heap.length === size) {
        if (compare(candidate, heap[0]!) >= 0) return
        heap[0] = candidate
        return sink(0)
      }
      heap.push(candidate)
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1
        if (compare(heap[i]!, heap[parent]!) <= 0) return
        ;[heap[i], heap[parent]] = [heap[parent]!, heap[i]!]
        i = parent
      }
    },
    sorted: () => [...heap].sort(compare),
  }
}
