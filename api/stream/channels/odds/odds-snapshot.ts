/**
 * Writes the snapshot of a query in chunks while the board changes: for SSE in page order, for a WebSocket by
 * sportsbook. Each chunk is correct when it is written. The sender then sends the changes since the first chunk.
 */

import { reserve } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { writeOddsPage } from '../../../../pipeline/views/query/odds-page.ts'
import { placeOf, type RowPlace } from '../../../../pipeline/views/query/row-place.ts'
import { totalOf } from '../../../../pipeline/views/query/totals.ts'
import type { RequestedOdds } from '../../../ask/odds-filter.ts'
import type { Frames } from '../../framing/frames.ts'
import type { Framing } from '../../framing/framing.ts'
import { beginSnapshot, endSnapshot } from './odds-frames.ts'
import { keepFields, type RowFields } from './row-fields.ts'

/** Small enough that other clients do not wait for a chunk. */
const rowsAtOnce = 200
const lookedAtOnce = 20_000

export interface OddsSnapshot {
  /** Appends the next chunk, or nothing if no examined row matches. @returns false at the end */
  next(frames: Frames, framing: Framing, width: number, now: string): boolean
  /** Rows sent so far. */
  readonly sent: number
  /** Sportsbooks of the rows sent, sorted. */
  readonly sportsbooks: readonly string[]
}

/** The query and the fields of each row; undefined for all. */
export interface SnapshotOf {
  readonly requested: RequestedOdds
  readonly fields?: RowFields | undefined
}

/** @param isByBook whether to send one sportsbook after the other */
export function createOddsSnapshot(
  view: BoardView,
  { requested, fields }: SnapshotOf,
  isByBook: boolean,
): OddsSnapshot {
  const first = requested.filter()
  // The board changes meanwhile, so `total` is an estimate until the last chunk, which has the number of rows sent.
  const expected = totalOf(view, first)
  const seen = new Set<string>()
  let books = isByBook ? sportsbooksOf(view, first) : [null]
  let after: RowPlace | undefined
  let offset = 0
  /** Reused, because a plan is made for each new filter object. */
  let narrowedTo: { filter: OddsFilter; book: string | null; narrowed: OddsFilter } | undefined

  function filterOf(book: string | null): OddsFilter {
    const filter = requested.filter()
    if (book === null) return filter
    if (narrowedTo?.filter !== filter || narrowedTo.book !== book) {
      const narrowed = { ...filter, sportsbooks: [book] }
      narrowedTo = { filter, book, narrowed }
    }
    return narrowedTo.narrowed
  }

  return {
    get sent() {
      return offset
    },
    get sportsbooks() {
      return [...seen].sort()
    },
    next(frames, framing, width, now) {
      const [book] = books
      if (book === undefined) return false
      const from = offset
      const start = frames.page.length
      const marks = [frames.places.length, frames.ends.length] as const
      const list = beginSnapshot(frames, framing, book, width)
      reserve(frames.page, 1)
      const range = { limit: rowsAtOnce, offset: 0, after, mostLooked: lookedAtOnce }
      if (isByBook && book === null) {
        books = []
        const none = { sportsbook: book, offset: from, total: 0 }
        endSnapshot(frames, framing, none, { from: list, count: 0, hasMore: false }, now)
        return true
      }
      const rowsFrom = frames.page.length
      const page = writeOddsPage(view, filterOf(book), range, frames.page)
      if (fields) keepFields(frames.page, rowsFrom, fields)
      for (const [number, hasRows] of page.books.entries()) {
        if (hasRows === 1) seen.add(view.sportsbooks[number]!)
      }
      offset += page.count
      if (page.last >= 0) after = placeOf(view, page.last)
      if (!page.hasMore) {
        books = books.slice(1)
        after = undefined
      }
      // A sportsbook that has lost its rows meanwhile gets no chunk. An empty chunk stands for an empty board, or
      // ends a snapshot whose last rows were removed after `has_more` was sent.
      if (page.count === 0 && (book !== null || page.hasMore)) {
        frames.page.length = start
        frames.places.length = marks[0]
        frames.ends.length = marks[1]
        return books.length > 0
      }
      const total = page.hasMore || books.length > 0 ? Math.max(expected, offset + 1) : offset
      const chunk = { sportsbook: book, offset: from, total }
      const { count, hasMore } = page
      endSnapshot(frames, framing, chunk, { from: list, count, hasMore }, now)
      return true
    },
  }
}

/**
 * Returns the sportsbooks to send. A single null stands for an empty board: a client that kept rows
 * must learn of it.
 */
function sportsbooksOf(view: BoardView, { sportsbooks }: OddsFilter): (string | null)[] {
  const offering = view.sportsbooksWithRows()
  if (offering.length === 0) return [null]
  return (
    sportsbooks ? offering.filter((book) => sportsbooks.includes(book)) : [...offering]
  ).sort()
}
