/** GET /api/v1/odds: latest prices, in page order, as the bytes they are kept as (interface 4.3). */

import {
  appendText,
  createPageBuffer,
  type OddsFilter,
  writeOddsPage,
} from '../../pipeline/views/odds-page.ts'
import { scopedSportsbooks } from '../access/scope.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { ApiError } from '../errors.ts'
import { listHead, listTail } from '../json.ts'
import { readFilters } from '../params.ts'
import type { KeyRoute } from '../route.ts'

const maxLimit = 200
const maxOffset = 500
/** From here on a client should take a fresh snapshot instead of paging. */
const overflowTotal = 10_000

// One buffer for every page: an answer is sent before the next request is handled.
const page = createPageBuffer()

export const listOdds: KeyRoute = {
  method: 'get',
  path: '/api/v1/odds',
  access: 'key',
  handle({ params, scope }) {
    const { board } = scope
    const { sports, leagues, sportsbooks: named, marketTypes } = readFilters(params, board)
    const eventIds = params.list('event', 'event_id', 'event_ids', 'events', 'eventId')
    const live = params.boolean('live')
    const limit = params.integer('limit', { min: 1, max: maxLimit, fallback: 50 })
    const offset = params.integer('offset', { min: 0, max: 1e15, fallback: 0 })
    const cursor = params.text('cursor')
    if (offset > maxOffset && cursor === undefined) {
      throw new ApiError('offset_too_large', `offset is at most ${maxOffset}; use cursor beyond.`, {
        max_offset: maxOffset,
      })
    }
    const sportsbooks = scopedSportsbooks(scope, named)
    const filter: OddsFilter = { sportsbooks, sports, leagues, marketTypes, eventIds, live }
    const filterText = JSON.stringify(filter)
    const after = cursor === undefined ? undefined : decodeCursor(cursor, filterText)

    page.length = 0
    appendText(page, listHead)
    const { count, total, hasMore, last, books, updatedAt } = writeOddsPage(
      board,
      filter,
      { limit, offset, after },
      page,
    )
    const nextOffset = offset + count
    const pagination = {
      limit,
      offset,
      count,
      total,
      has_more: hasMore,
      next_offset: hasMore && !after && nextOffset <= maxOffset ? nextOffset : null,
      next_cursor: hasMore && last ? encodeCursor(last, filterText) : null,
    }
    const filters = {
      ...(sports && { sport: sports }),
      ...(leagues && { league: leagues }),
      ...(named && { sportsbook: named }),
      ...(marketTypes && { market: marketTypes }),
      ...(eventIds && { event: eventIds }),
      ...(live !== undefined && { live }),
    }
    const meta = {
      books_available: available(scope.sportsbooks, board.sportsbooksWithRows()),
      books_returned: [...books].map((book) => board.sportsbooks[book]!).sort(),
      ...(total > overflowTotal && { overflow: true }),
      filters,
    }
    appendText(page, listTail({ pagination, updatedAt, meta }))
    return { body: page.bytes.subarray(0, page.length) }
  },
}

function available(
  scoped: readonly string[] | undefined,
  onBoard: readonly string[],
): readonly string[] {
  return (
    scoped ? onBoard.filter((sportsbook) => scoped.includes(sportsbook)) : [...onBoard]
  ).sort()
}
