/**
 * Pages of the odds table: the rows that a filter names, in page order (event start, event id, market, selection,
 * sportsbook), copied as stored bytes.
 *
 * No page looks at the whole table: events come from the shortest lists that contain them, and totals show which
 * events to look at (`totals.ts`).
 */

import { type ContentHash, createContentHash } from '../../memory/content-hash.ts'
import type { PageBuffer } from '../../text/page-buffer.ts'
import type { BoardView } from '../board/board-view.ts'
import { compile } from './compiled-filter.ts'
import type { OddsFilter } from './odds-filter.ts'
import { firstAfter, type RowPlace } from './row-place.ts'
import { type Totals, totalsOf } from './totals.ts'

export interface PageRange {
  /** 1 to some hundreds. */
  readonly limit: number
  readonly offset: number
  /** Starts after this place instead of at `offset`. */
  readonly after?: RowPlace | undefined
  /**
   * The most rows to look at: the page ends after them even if few match, and the total is not
   * counted. For readers that read all rows, page after page.
   */
  readonly mostLooked?: number
}

/** A page, valid until the next page. */
export interface OddsPage {
  readonly count: number
  /** The number of rows that the filter names; 0 if they are not counted. */
  readonly total: number
  /** Whether there are more; with `mostLooked`, whether there may be. */
  readonly hasMore: boolean
  /** The last row, or with `mostLooked` the last one looked at; -1 for none. */
  readonly last: number
  /** One byte per sportsbook number: 1 for those on the page. */
  readonly books: Uint8Array
  /** The newest sighting on the page (epoch ms); 0 when empty. */
  readonly updatedAt: number
  /** The hash of the page so far; code that adds to the response adds to it. */
  readonly content: ContentHash
}

/** The rows of a page when it was last written or checked. */
export interface ShownRows {
  /** Notes a page as it is made. @param hash of its rows */
  note(totals: Totals, rows: Int32Array, count: number, hash: number): void
  /** Returns whether the page would be the same. False if that is unknown without making it. */
  stand(): boolean
}

/** @param filter returns the filter of the pages, as long as the shape of the board stays */
export function createShownRows(view: BoardView, filter: () => OddsFilter): ShownRows {
  let shown = new Int32Array(0)
  let count = 0
  let hash = 0
  let rowsChangedAt: number | undefined
  let shapeStamp = 0
  let moves = 0

  return {
    note(totals, rows, length, hashOfRows) {
      rowsChangedAt = totals.rowsChangedAt
      if (rowsChangedAt === undefined) return
      if (shown.length < length) shown = new Int32Array(length)
      for (let i = 0; i < length; i++) shown[i] = rows[i]!
      count = length
      hash = hashOfRows
      shapeStamp = view.shapeStamp
      moves = view.moves
    },
    stand() {
      if (rowsChangedAt === undefined || shapeStamp !== view.shapeStamp || moves !== view.moves)
        return false
      // No row came or went, so the numbers still belong to the same rows.
      if (totalsOf(compile(view, filter())).rowsChangedAt !== rowsChangedAt) return false
      content.begin()
      for (let i = 0; i < count; i++) view.rows.addContent(shown[i]!, content)
      return content.number() === hash
    },
  }
}

// Scratch space of the page in progress: pages are made one after the other.
const content = createContentHash()
let places = new Int32Array(1_024)
let found = new Int32Array(1_024)
let onPage = new Uint8Array(64)

/**
 * Appends the rows of a page to `into`, without the comma before the first. Without `into` the page is only checked
 * and nothing is copied.
 */
export function writeOddsPage(
  view: BoardView,
  filter: OddsFilter,
  range: PageRange,
  into: PageBuffer | null,
  shown?: ShownRows,
): OddsPage {
  const { rows } = view
  const { columns } = rows
  const compiled = compile(view, filter)
  const { limit, after } = range
  const isCounting = range.mostLooked === undefined
  const totals = isCounting ? totalsOf(compiled) : uncounted
  const { total, rowsOf } = totals
  let leftToLook = range.mostLooked ?? Number.POSITIVE_INFINITY
  const next = compiled.events(after)
  const start = into?.length ?? 0
  let skip = after ? 0 : range.offset
  // The total shows when the last row is reached, but not how many rows are before a cursor.
  const isKnown = isCounting && !after
  const mostLeft = isCounting ? Math.max(0, total - skip) : Number.POSITIVE_INFINITY
  /** If the total does not show whether there are more, one more row does. */
  const sought = isKnown ? limit : limit + 1
  if (shown && found.length < sought) found = new Int32Array(2 * sought)
  if (onPage.length < view.sportsbooks.length) onPage = new Uint8Array(2 * view.sportsbooks.length)
  onPage.fill(0)
  content.begin()
  let count = 0
  let hasMore = isKnown && mostLeft > limit
  let updatedAt = 0
  let last = -1

  pages: for (let event = next(); event && count < mostLeft; event = next()) {
    const ofEvent = rowsOf?.(event)
    if (ofEvent === 0) continue
    if (!after && ofEvent !== undefined && skip >= ofEvent) {
      skip -= ofEvent
      continue
    }
    for (const block of event.blocks) {
      if (!compiled.enter(block)) continue
      const first = after ? firstAfter(view, block, after) : 0
      const end = Math.min(block.count, first + leftToLook)
      leftToLook -= end - first
      const { rows: list } = block
      if (places.length < end) places = new Int32Array(2 * end)
      const most = skip + sought - count
      const picked = compiled.pick(columns, list, first, end, most, places)
      const isFull = picked === most
      if (picked > skip) {
        let to = picked
        if (isFull && !isKnown) {
          hasMore = true
          to--
        }
        if (to > skip) {
          rows.ask(block)
          for (let i = skip; i < to; i++) {
            const row = list[places[i]!]!
            if (shown) found[count] = row
            count++
            last = row
            const { book, lastSeenAt } = rows.sighted(row)
            onPage[book] = 1
            if (lastSeenAt > updatedAt) updatedAt = lastSeenAt
            rows.addContent(row, content)
          }
          if (into) rows.copyPlaces(block, places, skip, to, into)
        }
        skip = 0
      } else skip -= picked
      if (isFull) break pages
      if (leftToLook === 0) {
        hasMore = true
        last = list[end - 1]!
        break pages
      }
    }
  }
  // Every text begins with the comma after its predecessor; the first has none.
  if (into && count > 0) into.bytes[start] = blank
  shown?.note(totals, found, count, content.number())
  content.add(total)
  content.add(hasMore ? count : -count)
  return { count, total, hasMore, last, books: onPage, updatedAt, content }
}

const blank = 0x20
const uncounted: Totals = { total: 0 }
