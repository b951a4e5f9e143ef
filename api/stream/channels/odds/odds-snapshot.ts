/**
 * A snapshot of the prices someone asks for, chunk by chunk while the board moves on: SSE gets them in
 * page order, the WebSocket sportsbook by sportsbook. A chunk is true at the moment it is written; the
 * sender then tells what changed since the first chunk.
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

/** Small enough that no other client waits for one. */
const rowsAtOnce = 200
const lookedAtOnce = 20_000

export interface OddsSnapshot {
  /** Appends the next chunk, or nothing where none of the rows looked at are asked for; false at the end. */
  next(frames: Frames, framing: Framing, width: number, now: string): boolean
  /** Rows sent so far. */
  readonly sent: number
  /** Sportsbooks with rows among those sent. */
  readonly sportsbooks: readonly string[]
}

/** What is asked for, and the members rows are told with; undefined for all. */
export interface SnapshotOf {
  readonly requested: RequestedOdds
  readonly fields?: RowFields | undefined
}

/**
 * @param isByBook one sportsbook after the other
 */
export function createOddsSnapshot(
  view: BoardView,
  { requested, fields }: SnapshotOf,
  isByBook: boolean,
): OddsSnapshot {
  const first = requested.filter()
  // The board moves on meanwhile: what comes is told as the rows are counted, and the last chunk says what was sent.
  const expected = totalOf(view, first)
  const seen = new Set<string>()
  // Who has rows from before is told of an empty board too.
  let books = isByBook ? sportsbooksOf(view, first) : [null]
  if (books.length === 0) books = [null]
  let after: RowPlace | undefined
  let offset = 0
  /** One object a filter, so that its plan is made once. */
  let ofBook: { filter: OddsFilter; book: string | null; narrowed: OddsFilter } | undefined

  function filterOf(book: string | null): OddsFilter {
    const filter = requested.filter()
    if (book === null) return filter
    if (ofBook?.filter !== filter || ofBook.book !== book) {
      const narrowed = { ...filter, sportsbooks: [book] }
      ofBook = { filter, book, narrowed }
    }
    return ofBook.narrowed
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
      for (const [number, is] of page.books.entries()) {
        if (is === 1) seen.add(view.sportsbooks[number]!)
      }
      offset += page.count
      if (page.last >= 0) after = placeOf(view, page.last)
      if (!page.hasMore) {
        books = books.slice(1)
        after = undefined
      }
      // A sportsbook that has lost its rows meanwhile gets no chunk. An empty chunk tells an empty
      // board, and ends a snapshot whose last rows went after `has_more` was said.
      if (page.count === 0 && (book !== null || page.hasMore)) {
        frames.page.length = start
        frames.places.length = marks[0]
        frames.ends.length = marks[1]
        return books.length > 0
      }
      const total = page.hasMore || books.length > 0 ? Math.max(expected, offset + 1) : offset
      const of = { sportsbook: book, offset: from, total }
      const { count, hasMore } = page
      endSnapshot(frames, framing, of, { from: list, count, hasMore }, now)
      return true
    },
  }
}

function sportsbooksOf(view: BoardView, { sportsbooks }: OddsFilter): (string | null)[] {
  const offering = view.sportsbooksWithRows()
  return (
    sportsbooks ? offering.filter((book) => sportsbooks.includes(book)) : [...offering]
  ).sort()
}
