/** GET /api/v1/events/:eventId/odds: one event's prices, each nested and flat (interface 2.1, 4.8). */

import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import { type Quote, walkQuotes } from '../../pipeline/views/query/quotes.ts'
import { eventOddsList } from '../../schemas/http/events.ts'
import { boardQuery, oddsQuery } from '../../schemas/http/odds-query.ts'
import { offsetUpTo } from '../../schemas/http/query.ts'
import { visibleEvent } from '../answer/events.ts'
import { instant, listBody } from '../answer/json.ts'
import { paginationOf } from '../answer/list-page.ts'
import { shownSelection } from '../answer/selections.ts'
import { watchedEventIds } from '../ask/event-filters.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { readRoute } from '../route.ts'

export const listEventOdds = readRoute({
  path: '/api/v1/events/:eventId/odds',
  access: 'key',
  tag: 'events',
  summary: 'The prices of an event',
  query: {
    sportsbook: boardQuery.sportsbook,
    add_sportsbook: boardQuery.add_sportsbook,
    market: oddsQuery.market,
    live: boardQuery.live,
    limit: boardQuery.limit,
    offset: offsetUpTo(1_000_000),
  },
  pathParameters: { eventId: 'The id of the event.' },
  answers: {
    200: {
      description: 'A page of prices, in the order of `/odds`.',
      schema: eventOddsList,
    },
  },
  tool: {
    name: 'get_event_odds',
    description: 'Latest prices of one game, one row for each sportsbook and selection.',
    inputs: ['sportsbook', 'market', 'live', 'limit', 'offset'],
    shape: { items: ['data'] },
    inPath: { eventId: 'event_id' },
  },
  errors: ['invalid_filter', 'tier_restricted', 'not_found'],

  prepare({ query, path, scope }) {
    const { board } = scope
    const { eventId = '' } = path
    const { live, limit, offset } = query
    const read = readFilters(query, scope)
    const filters = { ...read.echo, ...given({ live }) }
    const watched = watchedEventIds([eventId])
    return {
      version: board.watch({ eventIds: watched }),
      write(page) {
        const event = visibleEvent(scope, eventId)
        const { sportsbooks, marketTypes } = read
        const walk = walkQuotes(compile(board, { sportsbooks, marketTypes, live }))
        const items: object[] = []
        let total = 0
        let updatedAt = 0
        walk.enter(event)
        while (walk.nextMarket()) {
          while (walk.nextSelection()) {
            while (walk.nextQuote()) {
              if (total++ < offset || items.length === limit) continue
              items.push(oddsItem(walk.quote()))
              updatedAt = Math.max(updatedAt, walk.lastSeenAt)
            }
          }
        }
        const pagination = paginationOf(query, items.length, total)
        const meta = { event_id: event.id, filters }
        appendText(page, listBody(items, { pagination, updatedAt, meta }))
        return {}
      },
    }
  },
})

function oddsItem(quote: Quote): object {
  const { event, marketType, selection, price, statCategory } = quote
  const { playerName } = selection
  const american = decimalToAmerican(price)
  const decimal = shownPrice(price)
  const probability = shownProbability(price)
  return {
    id: String(quote.id),
    sportsbook: quote.sportsbook,
    event_id: event.id,
    market_type: marketType,
    ...shownSelection(event, marketType, selection),
    odds: { american, decimal, odds_probability: probability, probability },
    odds_american: american,
    odds_decimal: decimal,
    odds_probability: probability,
    probability,
    ...(playerName !== null && { player_name: playerName }),
    ...(statCategory !== null && { stat_category: statCategory }),
    event_start_time: isoTime(event.startsAt),
    is_live: quote.isLive,
    is_active: quote.isActive,
    ...(quote.withheld !== null && { withheld: quote.withheld }),
    last_seen_at: isoTime(quote.offer.lastSeenAt),
    odds_changed_at: instant(quote.changedAt ?? 0),
  }
}
