/** GET /api/v1/events/:eventId/markets: what can be bet on, and where (supplement 3.5). */

import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { EventBlock } from '../../pipeline/views/board/board-view.ts'
import { eventMarketList } from '../../schemas/http/events.ts'
import { exampleEventMarkets } from '../../schemas/http/examples/events.ts'
import { findMarket } from '../../schemas/reference/markets.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { listBody } from '../answer/json.ts'
import { runEnd, shownSelection } from '../answer/selections.ts'
import { watchedEventIds } from '../ask/event-filters.ts'
import { lastUpdate, visibleEvent } from './events.ts'
import { readRoute } from './route.ts'

export const listEventMarkets = readRoute({
  path: '/api/v1/events/:eventId/markets',
  access: 'key',
  tag: 'events',
  summary: 'The markets of an event, those of most sportsbooks first',
  query: {},
  pathParameters: { eventId: 'The id of the event.' },
  answers: {
    200: {
      description: 'All of its markets.',
      schema: eventMarketList,
      example: exampleEventMarkets,
    },
  },
  errors: ['not_found'],

  prepare({ path, scope }) {
    const { eventId = '' } = path
    const watched = watchedEventIds([eventId])
    return {
      version: scope.board.watch({ eventIds: watched }),
      write(page) {
        const event = visibleEvent(scope, eventId)
        const markets = event.blocks
          .map((block) => marketItem(block, scope))
          .filter(({ book_count }) => book_count > 0)
          .sort((a, b) => b.book_count - a.book_count || b.selection_count - a.selection_count)
        const count = markets.length
        const pagination = {
          limit: count,
          offset: 0,
          count,
          total: count,
          has_more: false,
          next_offset: null,
        }
        const meta = { event_id: event.id, filters: {} }
        const list = { pagination, updatedAt: lastUpdate(event, scope), meta }
        appendText(page, listBody(markets, list))
        return {}
      },
    }
  },
})

function marketItem(block: EventBlock, scope: Scope) {
  const { event, marketType } = block
  const { rows, sportsbooks } = scope.board
  const books = new Set<string>()
  const selections: object[] = []
  for (let from = 0; from < block.count; ) {
    const quoted = rows.selection(block.rows[from]!)
    const to = runEnd(rows, block, from)
    let bookCount = 0
    for (; from < to; from++) {
      const sportsbook = sportsbooks[rows.sighted(block.rows[from]!).book]!
      if (!seesSportsbook(scope, sportsbook)) continue
      books.add(sportsbook)
      bookCount++
    }
    if (bookCount === 0) continue
    const { selection, selection_type, line } = shownSelection(event, marketType, quoted)
    selections.push({
      name: selection,
      type: selection_type,
      ...(line !== null && { line }),
      book_count: bookCount,
    })
  }
  return {
    type: marketType,
    market_type: marketType,
    market_label: findMarket(marketType)?.name ?? marketType,
    selection_count: selections.length,
    book_count: books.size,
    books: [...books].sort(compareTexts),
    selections,
  }
}
