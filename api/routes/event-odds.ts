/** GET /api/v1/events/:eventId/odds: one event's rows of `/odds`, each price also nested (interface 2.1, 4.8). */

import type { z } from 'zod'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import { writeOddsPage } from '../../pipeline/views/query/odds-page.ts'
import { type eventOddsItem, eventOddsList } from '../../schemas/http/events.ts'
import type { OddsItem } from '../../schemas/http/odds.ts'
import { boardQuery, oddsQuery } from '../../schemas/http/odds-query.ts'
import { offsetUpTo } from '../../schemas/http/query.ts'
import { textWithState } from '../answer/deep-links.ts'
import { statusWithoutPrices, storeState } from '../answer/empty-page.ts'
import { visibleEvent } from '../answer/events.ts'
import { listBody } from '../answer/json.ts'
import { paginationOf } from '../answer/list-page.ts'
import { watchedEventIds } from '../ask/event-filters.ts'
import { requestedOdds } from '../ask/odds-filter.ts'
import { readRoute } from '../route.ts'

export const listEventOdds = readRoute({
  path: '/api/v1/events/:eventId/odds',
  access: 'key',
  tag: 'events',
  summary: 'The prices of an event',
  description: 'The rows of `/odds` for one event. Each also has its price as an object, `odds`.',
  query: {
    sportsbook: boardQuery.sportsbook,
    add_sportsbook: boardQuery.add_sportsbook,
    books: boardQuery.books,
    market: oddsQuery.market,
    live: oddsQuery.live,
    state: oddsQuery.state,
    limit: boardQuery.limit,
    offset: offsetUpTo(1_000_000),
  },
  pathParameters: { eventId: 'The id of the event.' },
  answer: { description: 'A page of prices, in the order of `/odds`.', schema: eventOddsList },
  tool: {
    name: 'get_event_odds',
    description: 'Latest prices of one game, one row for each sportsbook and selection.',
    inputs: ['sportsbook', 'books', 'market', 'live', 'limit', 'offset'],
    shape: { items: ['data'] },
    inPath: { eventId: 'event_id' },
  },
  errors: ['invalid_filter', 'tier_restricted', 'not_found'],

  prepare({ query, path, scope }) {
    const { board } = scope
    const { eventId = '' } = path
    const { state, limit, offset } = query
    const requested = requestedOdds({ ...query, event: [eventId] }, scope)
    const watched = watchedEventIds([eventId])
    return {
      version: board.watch({ eventIds: watched }),
      write(page) {
        const event = visibleEvent(scope, eventId)
        const rowsFrom = page.length
        const filter = requested.filter()
        const { total, updatedAt } = writeOddsPage(board, filter, { limit, offset }, page)
        const rows = page.bytes.toString('utf8', rowsFrom, page.length)
        page.length = rowsFrom
        const linked: readonly OddsItem[] = JSON.parse(`[${textWithState(rows, state)}]`)
        const items = linked.map(withNestedOdds)
        const pagination = paginationOf(query, items.length, total)
        // The event is in the path, and `meta` has its id.
        const { event: _, ...filters } = requested.echo()
        const meta = {
          event_id: event.id,
          filters,
          ...(items.length === 0 && {
            store: storeState(scope, statusWithoutPrices(event, scope)),
          }),
        }
        appendText(page, listBody(items, { pagination, updatedAt, meta }))
        return {}
      },
    }
  },
})

/** Adds the price in the form that this route has in the interface, beside that of `/odds`. */
function withNestedOdds(row: OddsItem): z.output<typeof eventOddsItem> {
  const { odds_american, odds_decimal, odds_probability, probability } = row
  const odds = { american: odds_american, decimal: odds_decimal, odds_probability, probability }
  return { ...row, odds }
}
