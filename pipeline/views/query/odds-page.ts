/**
 * Pages of the odds table: which rows a filter names, in page order (event start, event id, market,
 * selection, sportsbook), copied as the bytes they are kept as.
 *
 * No page looks at the whole table: events come from the shortest lists that have them, and totals
 * say which events are worth a look (`totals.ts`).
 */

import { type ContentHash, createContentHash } from '../../memory/content-hash.ts'
import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { BoardView } from '../board/board-view.ts'
import type { EventBlock } from '../board/view-event.ts'
import { compile } from './compiled-filter.ts'
import type { OddsFilter } from './odds-filter.ts'
import type { PageWitness } from './page-witness.ts'
import { firstAfter, placeOf, type RowPlace } from './row-place.ts'
import { isCounted, type Totals, totalsOf } from './totals.ts'

export interface PageRange {
  /** 1 to some hundreds. */
  readonly limit: number
  readonly offset: number
  /** Start behind this place instead of at `offset`. */
  readonly after?: RowPlace | undefined
  /**
   * Ends the page behind so many rows that are looked at, also where few of them are named, and does not count
   * how many there are: for readers that take all of them, a page after the other.
   */
  readonly mostLooked?: number
}

export interface OddsPage {
  readonly count: number
  /** All rows the filter names; 0 where they are not counted. */
  readonly total: number
  /** With `mostLooked`, that there may be more. */
  readonly hasMore: boolean
  /** The last row's place, with `mostLooked` that of the last one looked at; null where there is none. */
  readonly last: RowPlace | null
  /** Numbers of the sportsbooks on the page. */
  readonly books: ReadonlySet<number>
  /** The newest sighting on the page (epoch ms); 0 when empty. */
  readonly updatedAt: number
  /** What the page says so far; whoever adds to the answer adds to it. */
  readonly content: ContentHash
}

/** Whether a `PageWitness` can speak for pages of the filter. */
export const isWitnessed = (filter: OddsFilter): boolean =>
  isCounted(filter) && filter.live === undefined

/**
 * Appends the rows of a page to `into`, without the comma before the first. Without `into` nothing
 * is copied: the page is only looked at.
 * @param witness of a filter that is `isWitnessed`
 */
export function writeOddsPage(
  view: BoardView,
  filter: OddsFilter,
  range: PageRange,
  into: PageBuffer | null,
  witness?: PageWitness,
): OddsPage {
  const { rows } = view
  const asked = compile(view, filter)
  witness?.begin(view, () => totalsOf(asked).total)
  const onPage = new Set<number>()
  const content = createContentHash()
  const isCounting = range.mostLooked === undefined
  const { total, rowsOf } = isCounting ? totalsOf(asked) : uncounted
  let leftToLook = range.mostLooked ?? Number.POSITIVE_INFINITY
  const next = asked.events(range.after)
  const start = into?.length ?? 0
  let skip = range.after ? 0 : range.offset
  // The total says when the last row has been met, but not how many lie before a cursor.
  const mostToCome = range.after ? total : Math.max(0, total - skip)
  const mostLeft = isCounting ? mostToCome : Number.POSITIVE_INFINITY
  let count = 0
  let hasMore = false
  let updatedAt = 0
  let lastRow = -1

  pages: for (let event = next(); event && count < mostLeft; event = next()) {
    witness?.event(event)
    const ofEvent = rowsOf?.(event)
    if (ofEvent === 0) continue
    if (!range.after && ofEvent !== undefined && skip >= ofEvent) {
      skip -= ofEvent
      continue
    }
    for (const block of event.blocks) {
      if (!asked.enter(block)) continue
      const first = range.after ? firstAfter(view, block, range.after) : 0
      let runStart = -1
      const end = Math.min(block.count, first + leftToLook)
      leftToLook -= end - first
      for (let i = first; i < end; i++) {
        const row = block.rows[i]!
        const isNamed = asked.names(row)
        if (isNamed && skip > 0) skip--
        else if (isNamed) {
          if (count === range.limit) {
            hasMore = true
            if (runStart >= 0) copy(block, runStart, i)
            break pages
          }
          if (runStart < 0) runStart = i
          count++
          const list = rows.sighted(row)
          const { book, lastSeenAt } = list
          witness?.row(row, list)
          onPage.add(book)
          rows.addContent(row, content)
          content.add(lastSeenAt)
          if (lastSeenAt > updatedAt) updatedAt = lastSeenAt
          lastRow = row
          continue
        }
        if (runStart >= 0) {
          copy(block, runStart, i)
          runStart = -1
        }
      }
      if (runStart >= 0) copy(block, runStart, end)
      if (leftToLook === 0) {
        hasMore = true
        lastRow = block.rows[end - 1]!
        break pages
      }
    }
  }
  // Every text begins with the comma that follows its predecessor; the first has none.
  if (into && count > 0) into.bytes[start] = blank
  content.add(total)
  content.add(hasMore ? count : -count)

  return {
    count,
    total,
    hasMore,
    last: lastRow < 0 ? null : placeOf(view, lastRow),
    books: onPage,
    updatedAt,
    content,
  }

  function copy(block: EventBlock, from: number, to: number) {
    if (!into) return
    reserve(into, rows.textBytes(block, from, to))
    into.length = rows.copyText(block, from, to, into.bytes, into.length)
  }
}

const blank = 0x20
const uncounted: Totals = { total: 0 }
