/** GET /api/v1/events/:eventId/markets: the markets and selections of an event by sportsbook (supplement 3.5). */

import type { z } from 'zod'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import { type QuoteWalk, walkQuotes } from '../../pipeline/views/query/quotes.ts'
import { type eventMarket, eventMarketList } from '../../schemas/http/events.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { findMarket } from '../../schemas/reference/markets.ts'
import { lastUpdate, visibleEvent } from '../answer/events.ts'
import { listResource } from '../answer/resource.ts'
import { shownSelection } from '../answer/selections.ts'
import { watchedEventIds } from '../ask/event-filters.ts'

export const listEventMarkets = listResource({
  path: '/api/v1/events/:eventId/markets',
  access: 'key',
  tag: 'events',
  summary: 'The markets of an event, those at most sportsbooks first',
  query: listQuery,
  pathParameters: { eventId: 'The id of the event.' },
  answer: { description: 'All of its markets, or a page.', schema: eventMarketList },
  errors: ['not_found'],

  read({ path: { eventId = '' }, scope }) {
    return {
      version: scope.board.watch({ eventIds: watchedEventIds([eventId]) }),
      now() {
        const event = visibleEvent(scope, eventId)
        const walk = walkQuotes(compile(scope.board, scope.all))
        const rows: EventMarket[] = []
        walk.enter(event)
        while (walk.nextMarket()) {
          const market = marketItem(event, walk)
          if (market.book_count > 0) rows.push(market)
        }
        rows.sort((a, b) => b.book_count - a.book_count || b.selection_count - a.selection_count)
        const meta = { event_id: event.id, filters: {} }
        return { rows, updatedAt: () => lastUpdate(event, scope), meta }
      },
      show: (market: EventMarket) => market,
    }
  },
})

type EventMarket = z.output<typeof eventMarket>

/** Returns the current market of the walk. */
function marketItem(event: ViewEvent, walk: QuoteWalk): EventMarket {
  const { marketType } = walk
  const books = new Set<string>()
  const selections: EventMarket['selections'] = []
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
