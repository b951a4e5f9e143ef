/**
 * Pages of the odds table: the rows that a filter names, in page order (event start, event id, market, selection,
 * sportsbook), copied as stored bytes.
 *
 * No page looks at the whole table: events come from the shortest lists that contain them, and totals show which
 * events to look at (`totals.ts`).
 */

import { type ContentHash, createContentHash } from '../../memory/content-hash.ts'
import { grown } from '../../memory/grown.ts'
import type { PageBuffer } from '../../text/page-buffer.ts'
import type { BoardView } from '../board/board-view.ts'
import type { EventBlock } from '../board/view-event.ts'
import { type CompiledFilter, compile } from './compiled-filter.ts'
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
  /** The same object as long as the page has the same rows; undefined for others than last time. */
  readonly kept?: object | undefined
}

/** Rows in page order; only the first `count` entries are in use. */
interface PageRows {
  readonly rows: Int32Array
  readonly count: number
  /** As in `OddsPage`. */
  readonly hasMore: boolean
  readonly last: number
}

/** The rows of a page when it was last written or checked. */
export interface ShownRows {
  /** Notes a page as it is made. @param hash of its rows */
  note(totals: Totals, page: PageRows, hash: number): void
  /** Returns the noted rows if the page still has them; undefined if only a look would tell. */
  rowsAt(totals: Totals): PageRows | undefined
  /** Returns whether the page would be the same. False if that is unknown without making it. */
  stand(): boolean
}

/** @param filter returns the filter of the pages, as long as the shape of the board stays */
export function createShownRows(view: BoardView, filter: () => OddsFilter): ShownRows {
  let shown: PageRows = { rows: new Int32Array(0), count: 0, hasMore: false, last: -1 }
  let hash = 0
  let rowsChangedAt: number | undefined
  let shapeStamp = 0
  let moves = 0

  /** If no row came, went or moved, the numbers still belong to the same rows. */
  const isOfSameRows = (totals: Totals) =>
    rowsChangedAt !== undefined &&
    rowsChangedAt === totals.rowsChangedAt &&
    shapeStamp === view.shapeStamp &&
    moves === view.moves

  return {
    note(totals, page, hashOfRows) {
      hash = hashOfRows
      if (page === shown) return
      rowsChangedAt = totals.rowsChangedAt
      if (rowsChangedAt === undefined) return
      shown = { ...page, rows: page.rows.slice(0, page.count) }
      shapeStamp = view.shapeStamp
      moves = view.moves
    },
    rowsAt: (totals) => (isOfSameRows(totals) ? shown : undefined),
    stand() {
      if (rowsChangedAt === undefined || shapeStamp !== view.shapeStamp) return false
      if (!isOfSameRows(totalsOf(compile(view, filter())))) return false
      content.begin()
      const { rows, count } = shown
      const { addContent } = view.rows
      for (let i = 0; i < count; i++) addContent(rows[i]!, content)
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
  const compiled = compile(view, filter)
  const totals = range.mostLooked === undefined ? totalsOf(compiled) : uncounted
  const { total } = totals
  const kept = shown?.rowsAt(totals)
  const page = kept ?? findRows(compiled, totals, range)
  const { rows: list, count, hasMore, last } = page
  if (onPage.length < view.sportsbooks.length) onPage = new Uint8Array(2 * view.sportsbooks.length)
  onPage.fill(0)
  content.begin()
  // The engine takes long to look up a member of an object with getters.
  const { block: blockOf, ask, sighted, addContent } = rows
  let updatedAt = 0
  let asked: EventBlock | undefined
  for (let i = 0; i < count; i++) {
    const row = list[i]!
    const block = blockOf(row)
    if (block !== asked) ask(block)
    asked = block
    const { book, lastSeenAt } = sighted(row)
    onPage[book] = 1
    if (lastSeenAt > updatedAt) updatedAt = lastSeenAt
    addContent(row, content)
  }
  shown?.note(totals, page, content.number())
  if (into && count > 0) {
    const start = into.length
    rows.copyRows(list, count, into)
    // Every text begins with the comma after its predecessor; the first has none.
    into.bytes[start] = blank
  }
  content.add(total)
  content.add(hasMore ? count : -count)
  return { count, total, hasMore, last, books: onPage, updatedAt, content, kept }
}

/** Looks for the rows of a page. They are valid until the next look. */
function findRows(compiled: CompiledFilter, { total, rowsOf }: Totals, range: PageRange): PageRows {
  const { view } = compiled
  const { columns } = view.rows
  const { limit, after, mostLooked } = range
  const isCounting = mostLooked === undefined
  let leftToLook = mostLooked ?? Number.POSITIVE_INFINITY
  const next = compiled.events(after)
  let skip = after ? 0 : range.offset
  // The total shows when the last row is reached, but not how many rows are before a cursor.
  const isKnown = isCounting && !after
  const mostLeft = isCounting ? Math.max(0, total - skip) : Number.POSITIVE_INFINITY
  /** If the total does not show whether there are more, one more row does. */
  const sought = isKnown ? limit : limit + 1
  let count = 0
  let hasMore = isKnown && mostLeft > limit
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
      const { rows } = block
      if (places.length < end) places = new Int32Array(2 * end)
      const most = skip + sought - count
      const picked = compiled.pick(columns, rows, first, end, most, places)
      const isFull = picked === most
      let to = picked
      if (isFull && !isKnown) {
        hasMore = true
        to--
      }
      if (found.length < count + to) found = grown(found, 2 * (count + to))
      for (let i = skip; i < to; i++) found[count++] = rows[places[i]!]!
      skip = Math.max(0, skip - picked)
      if (count > 0) last = found[count - 1]!
      if (isFull) break pages
      if (leftToLook === 0) {
        hasMore = true
        last = rows[end - 1]!
        break pages
      }
    }
  }
  return { rows: found, count, hasMore, last }
}

const blank = 0x20
const uncounted: Totals = { total: 0 }
