/** GET /api/v1/markets: the market types (interface 2.10 and 4.2, supplement 3.3). */

import type { z } from 'zod'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { compareMarkets } from '../../pipeline/views/board/board-view.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { list } from '../../schemas/http/query.ts'
import { type marketItem, marketList } from '../../schemas/http/reference.ts'
import { findMarket, markets, questionOf } from '../../schemas/reference/markets.ts'
import { listResource } from '../answer/resource.ts'
import {
  countMarkets,
  countMarketsAhead,
  type MarketTypeCounts,
  marketCountsVersion,
} from '../answer/scope-counts.ts'
import { readFilters } from '../ask/filters.ts'

/** Returns whether an id of the catalogue is a heading over finer types. Rows seldom have it. */
const isHeading = (id: string) => {
  const market = findMarket(id)
  return market?.category === id && market.answers === 'various'
}

export const listMarkets = listResource({
  path: '/api/v1/markets',
  access: 'public-list',
  tag: 'Reference',
  tellsRateLimit: true,
  summary: 'Market types.',
  description:
    'The nine of the catalogue, then all finer types in rows; those missing in the reference data come last. Counts include only rows of exactly this type that the key may see; updated every ten seconds.',
  query: {
    sport: list({
      description: 'Only types of these sports, counted in them.',
      example: 'basketball',
    }),
    ...listQuery,
  },
  answer: { description: 'All of them, or a page.', schema: marketList },
  tool: {
    name: 'get_markets',
    description:
      'Market types, such as moneyline, the usual ones first. Their ids are values of `market`. ' +
      '`pagination.total` says how many there are.',
    inputs: ['sport', 'limit', 'offset'],
    shape: { items: ['data'], mostInside: 3 },
  },
  errors: ['invalid_filter'],
  read({ query: { sport }, scope }) {
    const { sports, echo } = readFilters({ sport }, scope)
    const isOfThese = (id: string) => !sports || sports.includes(id)
    return {
      version: () => marketCountsVersion(scope),
      ahead: () => countMarketsAhead(scope),
      now() {
        const { types: shown, events, marks } = countMarkets(scope)
        const unlisted = [...shown.keys()].filter((type) => !findMarket(type)).sort(compareMarkets)
        const rows = [...markets.map(({ id }) => id).sort(compareMarkets), ...unlisted]
          .map((id) => describe(id, shown.get(id)))
          .filter((market) => market.sports.some(isOfThese))
          .map((market) => ({ ...market, ...count(market.id, shown.get(market.id), isOfThese) }))
        const ofThese = <Count>(counts: ReadonlyMap<string, Count>) =>
          [...counts].flatMap(([id, counted]) => (isOfThese(id) ? [counted] : []))
        const counts = ofThese(events.sports)
        return {
          rows,
          updatedAt: () => Math.max(0, ...ofThese(marks).map(({ changedAt }) => changedAt)),
          meta: {
            total_events: counts.reduce((sum, counted) => sum + counted.events, 0),
            total_selections: rows.reduce((sum, market) => sum + (market.selection_count ?? 0), 0),
            filters: echo,
          },
        }
      },
      show: (market: z.output<typeof marketItem>) => market,
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
    answers: questionOf(id).answers,
    examples: [...(market?.examples ?? [])],
    sports: [...new Set([...(market?.sports ?? []), ...seenIn])],
  }
}

function count(
  id: string,
  counts: MarketTypeCounts | undefined,
  isOfThese: (sport: string) => boolean,
) {
  const ofThese = [...(counts?.sports ?? [])].filter(([sport]) => isOfThese(sport))
  if (ofThese.length === 0 && isHeading(id)) return { event_count: null, selection_count: null }
  return {
    event_count: ofThese.reduce((sum, [, { events }]) => sum + events, 0),
    selection_count: ofThese.reduce((sum, [, { selections }]) => sum + selections, 0),
  }
}
