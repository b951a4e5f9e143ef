/** GET /api/v1/markets: what can be asked about a game (interface 2.10 and 4.2, supplement 3.3). */

import { z } from 'zod'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import { compareMarkets } from '../../pipeline/views/board/board-view.ts'
import { listOf } from '../../schemas/http/envelope.ts'
import { listExample, marketExample } from '../../schemas/http/examples/reference.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { list } from '../../schemas/http/query.ts'
import { marketItem } from '../../schemas/http/reference.ts'
import { findMarket, markets } from '../../schemas/reference/markets.ts'
import { listBody } from '../answer/json.ts'
import { listPage } from '../answer/list-page.ts'
import {
  countMarkets,
  countMarketsAhead,
  type MarketTypeCounts,
  marketCountsVersion,
} from '../answer/scope-counts.ts'
import { readFilters } from '../ask/filters.ts'
import { readRoute } from '../route.ts'

const totals = {
  total_events: z.int().describe('Events of these sports.'),
  total_selections: z.int().describe('Sum of `selection_count`.'),
  rate_limit: z
    .object({
      limit: z.int().describe('Requests a minute.'),
      remaining: z.int().describe('Of this minute.'),
      reset: z.int().describe('When the minute ends (epoch seconds).'),
    })
    .optional()
    .describe('The same as the `X-RateLimit-*` headers; absent in answers of tools.'),
}

/** Whether it is an id of the catalogue under which finer types stand; rows seldom carry it. */
const isHeading = (id: string) => {
  const market = findMarket(id)
  return market?.category === id && market.answers === 'various'
}

export const listMarkets = readRoute({
  path: '/api/v1/markets',
  access: 'public-list',
  tag: 'Reference',
  tellsRateLimit: true,
  summary: 'Market types.',
  description:
    'The nine of the catalogue, then all finer types that rows carry; those that the reference data does not describe come last. Counts are of rows with exactly this type. Counts are of what the key may see, and are brought up to date every ten seconds.',
  query: {
    sport: list({
      description: 'Only types of these sports, counted in them.',
      example: 'basketball',
    }),
    ...listQuery,
  },
  answers: {
    200: {
      description: 'All of them, or a page.',
      schema: listOf(marketItem, totals),
      example: listExample(marketExample, {
        filters: { sport: ['soccer'] },
        total_events: 120,
        total_selections: 1_140,
        rate_limit: { limit: 300, remaining: 288, reset: 1_795_176_060 },
      }),
    },
  },
  errors: ['invalid_filter'],
  prepare({ query, scope }) {
    const { sports, echo } = readFilters({ sport: query.sport }, scope)
    const isAsked = (sport: string) => !sports || sports.includes(sport)
    return {
      version: () => marketCountsVersion(scope),
      ahead: () => countMarketsAhead(scope),
      write(page) {
        const { types: shown, events } = countMarkets(scope)
        const unlisted = [...shown.keys()].filter((type) => !findMarket(type)).sort(compareMarkets)
        const described = [...markets.map(({ id }) => id).sort(compareMarkets), ...unlisted]
          .map((id) => describe(id, shown.get(id)))
          .filter((market) => market.sports.some(isAsked))
          .map((market) => ({ ...market, ...count(market.id, shown.get(market.id), isAsked) }))
        const asked = [...events.sports].filter(([sport]) => isAsked(sport))
        const { data, pagination } = listPage(described, query)
        const body = listBody(data, {
          pagination,
          updatedAt: Math.max(0, ...asked.map(([, { updatedAt }]) => updatedAt)),
          meta: {
            total_events: asked.reduce((sum, [, of]) => sum + of.events, 0),
            total_selections: described.reduce((sum, of) => sum + (of.selection_count ?? 0), 0),
            filters: echo,
          },
        })
        appendText(page, body)
        return {}
      },
    }
  },
})

function describe(id: string, counts: MarketTypeCounts | undefined) {
  const market = findMarket(id)
  const name = market?.name ?? id
  const seenIn = [...(counts?.sports.keys() ?? [])].sort(compareTexts)
  return {
    id,
    numerical_id: market?.numericalId ?? null,
    market_type: id,
    name,
    label: name,
    description: market?.description ?? '',
    hasLine: market?.hasLine ?? counts?.hasLine ?? false,
    examples: market?.examples ?? [],
    sports: [...new Set([...(market?.sports ?? []), ...seenIn])],
  }
}

function count(
  id: string,
  counts: MarketTypeCounts | undefined,
  isAsked: (sport: string) => boolean,
) {
  const asked = [...(counts?.sports ?? [])].filter(([sport]) => isAsked(sport))
  if (asked.length === 0 && isHeading(id)) return { event_count: null, selection_count: null }
  return {
    event_count: asked.reduce((sum, [, { events }]) => sum + events, 0),
    selection_count: asked.reduce((sum, [, { selections }]) => sum + selections, 0),
  }
}
