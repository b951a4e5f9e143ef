/** GET /api/v1/events/:eventId/markets: what can be bet on, and where (supplement 3.5). */

import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import { type QuoteWalk, walkQuotes } from '../../pipeline/views/query/quotes.ts'
import { eventMarketList } from '../../schemas/http/events.ts'
import { exampleEventMarkets } from '../../schemas/http/examples/events.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { findMarket } from '../../schemas/reference/markets.ts'
import { lastUpdate, visibleEvent } from '../answer/events.ts'
import { listBody } from '../answer/json.ts'
import { listPage } from '../answer/list-page.ts'
import { shownSelection } from '../answer/selections.ts'
import { watchedEventIds } from '../ask/event-filters.ts'
import { readRoute } from '../route.ts'

export const listEventMarkets = readRoute({
  path: '/api/v1/events/:eventId/markets',
  access: 'key',
  tag: 'events',
  summary: 'The markets of an event, those of most sportsbooks first',
  query: listQuery,
  pathParameters: { eventId: 'The id of the event.' },
  answers: {
    200: {
      description: 'All of its markets, or a page.',
      schema: eventMarketList,
      example: exampleEventMarkets,
    },
  },
  errors: ['not_found'],

  prepare({ path, query, scope }) {
    const { eventId = '' } = path
    const watched = watchedEventIds([eventId])
    return {
      version: scope.board.watch({ eventIds: watched }),
      write(page) {
        const event = visibleEvent(scope, eventId)
        const walk = walkQuotes(compile(scope.board, scope.all))
        const markets: ReturnType<typeof marketItem>[] = []
        walk.enter(event)
        while (walk.nextMarket()) {
          const market = marketItem(event, walk)
          if (market.book_count > 0) markets.push(market)
        }
        markets.sort((a, b) => b.book_count - a.book_count || b.selection_count - a.selection_count)
        const { data, pagination } = listPage(markets, query)
        const meta = { event_id: event.id, filters: {} }
        const list = { pagination, updatedAt: lastUpdate(event, scope), meta }
        appendText(page, listBody(data, list))
        return {}
      },
    }
  },
})

/** Of the market the walk has come to. */
function marketItem(event: ViewEvent, walk: QuoteWalk) {
  const { marketType } = walk
  const books = new Set<string>()
  const selections: object[] = []
  while (walk.nextSelection()) {
    let bookCount = 0
    while (walk.nextQuote()) {
      books.add(walk.sportsbook)
      bookCount++
    }
    if (bookCount === 0) continue
    const { selection, selection_type, line } = shownSelection(event, marketType, walk.selection)
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
