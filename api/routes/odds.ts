/** GET /api/v1/odds: latest prices, copied from their stored bytes (interface 4.3). */

import { appendText, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import {
  createShownRows,
  type OddsPage,
  writeOddsPage,
} from '../../pipeline/views/query/odds-page.ts'
import { isOnMainLine } from '../../pipeline/views/query/quotes.ts'
import { placeOf, type RowPlace } from '../../pipeline/views/query/row-place.ts'
import { type SortedPage, writeSortedOdds } from '../../pipeline/views/query/sorted-odds.ts'
import { countRowsOf } from '../../pipeline/views/query/totals.ts'
import type { EventStatus } from '../../schemas/feed-record.ts'
import { lineFields, oddsAnswer } from '../../schemas/http/odds.ts'
import { oddsQuery } from '../../schemas/http/odds-query.ts'
import type { Query } from '../../schemas/http/query.ts'
import { textHash } from '../../schemas/text-hash.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { addState } from '../answer/deep-links.ts'
import { statusWithoutPrices, storeState } from '../answer/empty-page.ts'
import {
  type KeptTail,
  keepTail,
  type ListMeta,
  listBody,
  listHead,
  listTail,
} from '../answer/json.ts'
import { nextOffset } from '../answer/list-page.ts'
import { pastMetaOf } from '../answer/past-meta.ts'
import type { CursorPlace, Cursors } from '../ask/cursor.ts'
import { findEvent } from '../ask/event-filters.ts'
import { given, requestedOdds } from '../ask/odds-filter.ts'
import {
  changesLinksOnly,
  type GroupedEvent,
  groupByEvent,
  readShape,
  readSort,
  reshape,
} from '../ask/odds-shape.ts'
import { ApiError } from '../errors.ts'
import { type Prepared, type ReadRoute, readRoute } from '../route.ts'

const maxOffset = 500
/** Above this total a client should read a snapshot with the cursor. */
const overflowTotal = 10_000

export function createOddsRoute(cursors: Cursors): ReadRoute {
  return readRoute({
    path: '/api/v1/odds',
    access: 'key',
    tag: 'odds',
    summary: 'Latest prices',
    description:
      'One row per price. Without `sort`, rows are ordered by start, event, market, selection and sportsbook. Beyond offset 500 continue with `meta.pagination.next_cursor`: paging by cursor neither repeats nor misses rows that keep their place; an event whose start moves meanwhile may be missed, and its rows are then in `/odds/delta`.',
    query: oddsQuery,
    answer: { description: 'A page of prices.', schema: oddsAnswer },
    tool: {
      name: 'get_odds',
      description:
        'Latest prices, one row for each sportsbook and selection, in American and decimal odds.',
      inputs: [
        ...['sport', 'league', 'event', 'sportsbook', 'books', 'market'],
        ...['live', 'limit', 'cursor'],
      ],
      shape: { items: ['data'] },
    },
    errors: ['invalid_filter', 'offset_too_large', 'tier_restricted'],
    prepare: ({ query, scope }) => prepareOdds(query, scope, cursors),
  })
}

function prepareOdds(query: Query<typeof oddsQuery>, scope: Scope, cursors: Cursors): Prepared {
  const { board } = scope
  const { limit, offset, group_by } = query
  if (offset > maxOffset && query.cursor === undefined) {
    throw new ApiError('offset_too_large', `offset is at most ${maxOffset}; use cursor beyond.`, {
      max_offset: maxOffset,
    })
  }
  const shape = readShape(query)
  const showsLines = shape?.fields?.some((field) => lineFields.includes(field)) ?? false
  const sort = readSort(query.sort)
  const requested = requestedOdds(query, scope)
  const echoText = () => JSON.stringify({ ...requested.echo(), ...given({ sort: query.sort }) })
  const cursorFilters = `${requested.askedKey} ${query.sort ?? ''}`
  const after = query.cursor === undefined ? undefined : cursors.decode(query.cursor, cursorFilters)
  /**
   * Hash of the request. Together with the rows and the board's sportsbooks it determines the rest
   * of the response.
   */
  const requestHash = textHash(JSON.stringify([cursorFilters, limit, offset, query.cursor, shape]))
  let echo = { filter: requested.filter(), text: echoText() }
  const isGrouped = group_by !== undefined
  // These texts also depend on rows of other pages, so only comparing them shows whether they still
  // hold.
  const tellsOfOthers = isGrouped || showsLines
  const range = { limit, offset, after: after?.place }
  const sortedRange = { limit, offset, after: sortedPlace(after) }
  const shown = sort || tellsOfOthers ? undefined : createShownRows(board, requested.filter)
  const returned = createBooksReturned()
  /** The end of the page, for its rows. */
  let tail: { readonly kept: object; readonly append: KeptTail } | undefined
  const cursorOf = createCursorOf(board, (place) => cursors.encode({ place }, cursorFilters))

  /** Looks up the page and writes its rows into `into`, if given. */
  function lookUp(into: PageBuffer | null) {
    const filter = requested.filter()
    const found = sort
      ? writeSortedOdds(board, filter, sort, sortedRange, into)
      : writeOddsPage(board, filter, range, into, shown)
    const { content } = found
    content.add(availableBooks(scope).hash)
    content.add(requestHash)
    if (found.count === 0) content.add(textHash(statusOfEvent() ?? ''))
    if (filter.marketTypes) content.add(filter.marketTypes.length)
    return found
  }

  function nextCursor({ hasMore, last }: OddsPage | SortedPage): string | null {
    if (!hasMore || last === null) return null
    return typeof last === 'number' ? cursorOf(last) : cursors.encode(last, cursorFilters)
  }

  /** @param eventId of a row on the page */
  function eventOf(eventId: string): GroupedEvent {
    const event = board.find(eventId)!
    const rowCount = countRowsOf(compile(board, requested.filter()), event)
    return { isLive: event.row.isLive, rowCount }
  }

  /** Returns the status of the one event that the request names, if no sportsbook of the scope has prices on it. */
  function statusOfEvent(): EventStatus | undefined {
    const [id, ...others] = query.event ?? []
    const event = id !== undefined && others.length === 0 ? findEvent(scope, id) : undefined
    return event && statusWithoutPrices(event, scope)
  }

  /** Returns whether a row is on the main line. */
  function lineOf({ id }: { readonly id: string }) {
    const isMain = isOnMainLine(board, Number(id), scope.lineSet)
    return { is_main_line: isMain, is_alternate_line: !isMain }
  }

  /** Returns what the response says of the page. */
  function listOf(found: OddsPage | SortedPage): ListMeta {
    const { count, total, hasMore, books, updatedAt } = found
    const filter = requested.filter()
    if (echo.filter !== filter) echo = { filter, text: echoText() }
    const available = availableBooks(scope)
    const pagination = {
      limit,
      offset,
      count,
      total,
      has_more: hasMore,
      // Paging by cursor ignores the offset, so there is no next offset.
      next_offset: after ? null : nextOffset(offset + count, total, maxOffset),
      next_cursor: nextCursor(found),
    }
    const overflow = total > overflowTotal ? { overflow: true } : undefined
    const saysMore = overflow || group_by || count === 0 || scope.then !== undefined
    return {
      pagination,
      updatedAt,
      ready: `"books_available":${available.json},"books_returned":${returned(available, books)},"filters":${echo.text},`,
      meta: saysMore
        ? {
            ...pastMetaOf(scope),
            ...(group_by && { group_by }),
            ...overflow,
            ...(count === 0 && { store: storeState(scope, statusOfEvent()) }),
          }
        : undefined,
      beside: overflow,
    }
  }

  function appendTail(page: PageBuffer, found: OddsPage | SortedPage) {
    const { kept, count, updatedAt } = found
    if (!kept || count === 0) return appendText(page, listTail(listOf(found)))
    // As long as the rows are the same, so is the shape of the board, and with it all but the time.
    if (tail?.kept !== kept) tail = { kept, append: keepTail(listOf(found)) }
    tail.append(page, updatedAt)
  }

  return {
    version: requested.version,
    ...(!tellsOfOthers && { tag: () => lookUp(null).content.digest() }),
    ...(shown && { stillHolds: shown.stand }),
    write(page) {
      appendText(page, listHead)
      const rowsFrom = page.length
      const found = lookUp(page)
      if (shape && !changesLinksOnly(shape)) {
        const rows = page.bytes.toString('utf8', rowsFrom, page.length)
        page.length = 0
        const known = showsLines ? lineOf : undefined
        const items = isGrouped
          ? groupByEvent(rows, shape, eventOf, known)
          : reshape(rows, shape, known)
        appendText(page, listBody(items, listOf(found)))
      } else {
        addState(page, rowsFrom, shape?.state)
        appendTail(page, found)
      }
      return tellsOfOthers ? {} : { tag: found.content.digest() }
    },
  }
}

/** Creates cursors after a row. The last one is cached, because the same page is requested repeatedly. */
function createCursorOf(board: BoardView, encode: (place: RowPlace) => string) {
  let known = { id: -1, startsAt: 0, selection: {}, cursor: '' }
  return (row: number): string => {
    const { rows } = board
    const id = rows.id(row)
    const { startsAt } = rows.block(row).event
    const selection = rows.selection(row)
    if (known.id !== id || known.startsAt !== startsAt || known.selection !== selection) {
      known = { id, startsAt, selection, cursor: encode(placeOf(board, row)) }
    }
    return known.cursor
  }
}

/** Lists the sportsbooks on a page. For one query they are mostly the same as last time, so the list is cached. */
function createBooksReturned() {
  let available: AvailableBooks | undefined
  let marks = new Uint8Array(0)
  let json = ''
  return (current: AvailableBooks, books: Uint8Array): string => {
    if (current !== available || !isSame(marks, books)) {
      available = current
      marks = books.slice()
      json = current.jsonOf(books)
    }
    return json
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function sortedPlace(after: CursorPlace | undefined) {
  return after?.value === undefined ? undefined : { value: after.value, place: after.place }
}

interface AvailableBooks {
  readonly shapeStamp: number
  /** By slug, as a JSON array. */
  readonly json: string
  readonly hash: number
  /** Returns the marked sportsbooks as JSON. The marks are by sportsbook number. */
  jsonOf(books: Uint8Array): string
}

const available = new WeakMap<Scope, AvailableBooks>()

/** Returns the scope's sportsbooks with prices. */
function availableBooks(scope: Scope): AvailableBooks {
  const { board } = scope
  const known = available.get(scope)
  if (known?.shapeStamp === board.shapeStamp) return known
  const books = board
    .sportsbooksWithRows()
    .filter((sportsbook) => seesSportsbook(scope, sportsbook))
    .sort()
    .map((sportsbook) => ({ book: board.book(sportsbook)!, json: JSON.stringify(sportsbook) }))
  const json = `[${books.map((book) => book.json).join()}]`
  const found: AvailableBooks = {
    shapeStamp: board.shapeStamp,
    json,
    hash: textHash(json),
    jsonOf(named) {
      const on = books.filter(({ book }) => named[book] === 1)
      return `[${on.map((book) => book.json).join()}]`
    },
  }
  available.set(scope, found)
  return found
}
