/** Arbitrage as clients see it (interface 2.7, supplement 5.7). */

import { z } from 'zod'
import { filters, listOf, timestamp } from '../envelope.ts'
import { example, exampleOf } from '../example.ts'
import { choice, decimal } from '../query.ts'
import {
  about,
  age,
  counts,
  deepLink,
  maxAge,
  maxBet,
  type OpportunityContract,
  oddsId,
  opportunityQuery,
  percent,
  selectionType,
  slug,
  sortedBy,
  source,
  state,
} from './opportunity.ts'

const leg = z.object({
  sportsbook: example(slug, 'caesars'),
  selection: example(z.string(), 'Chicago Bulls'),
  selection_type: example(selectionType, 'away'),
  line: z.number().nullable(),
  odds_american: example(z.int(), 172),
  odds_decimal: example(z.number(), 2.72),
  implied_probability: example(z.number(), 0.3676),
  stake_percent: example(percent, 37.13),
  max_bet: example(maxBet, 500),
  timestamp: example(timestamp, '2027-01-14T21:03:10.000Z'),
  external_event_id: z.string().nullable(),
  selection_id: z.string().nullable(),
  market_id: z.string().nullable(),
  odds_id: example(oddsId, '512883420190774'),
  deep_link: example(deepLink, '/api/v1/deeplink/512883420190774'),
})

const item = z
  .object({
    ...about,
    market_type: example(slug, 'moneyline'),
    line: z.number().nullable().describe('Line of the first leg.'),
    profit_percent: example(percent, 0.98, 'At the worst result, if the legs are at two lines.'),
    implied_total: example(percent, 99.03),
    is_alternate_line: z.boolean(),
    is_cross_line: z
      .boolean()
      .describe('Two bets at neighbouring lines; each leg has its own `line`.'),
    possibly_stale: z.boolean(),
    oldest_odds_age_seconds: example(age, 9.1),
    ev_available: example(z.boolean(), true),
    ev_percentage: example(percent.nullable(), 1.94),
    legs: example(z.array(leg).min(2).max(3), [
      exampleOf(leg),
      {
        ...exampleOf(leg),
        sportsbook: 'draftkings',
        selection: 'New York Knicks',
        selection_type: 'home',
        odds_american: -165,
        odds_decimal: 1.606,
        implied_probability: 0.6226,
        stake_percent: 62.87,
        max_bet: null,
        odds_id: '190377420815526',
        deep_link: '/api/v1/deeplink/190377420815526',
      },
    ]),
  })
  .describe('Prices for all outcomes that together pay whatever happens.')

type Item = z.output<typeof item>

const list = listOf(item, {
  source: example(source, 'live'),
  filters: example(filters, { min_profit: 0.5 }),
  books_analyzed: example(
    z.int(),
    15,
    'Sportsbooks with prices that the tier sees and that can be bet on: references do not count.',
  ),
  summary: z.object({
    count: example(z.int(), 1),
    avg_profit: example(percent, 0.98),
    max_profit: example(percent, 0.98),
    by_market: example(counts, { moneyline: 1 }),
    by_sport: example(counts, { basketball: 1 }),
  }),
})

const sorts = {
  profit: 'profit',
  time: 'time',
  start_time: 'time',
  sport: 'sport',
  market: 'market',
} as const

const query = {
  ...opportunityQuery,
  min_profit: decimal({ description: 'Lowest profit, in percent; default 0.5.', example: 1 }),
  max_odds_age: maxAge,
  state,
  group: choice(['best'], { description: 'best: only the best of each event and market.' }),
  format: choice(['json', 'csv'], { description: 'csv: a file for a spreadsheet.' }),
  sort: sortedBy(sorts, {
    description: 'The field to sort by; with `-` descending. Default -profit.',
    example: '-profit',
  }),
} as const

/** In percent. */
const bounds = { min_profit: { ofLists: 0.5, ofStreams: 0.5 } } as const

export const arbitrageContract = {
  kind: 'arbitrage',
  schemaName: 'ArbitrageOpportunity',
  item,
  list,
  query,
  sorts,
  defaultSort: '-profit',
  bounds,
  streamQuery: {
    min_profit: decimal({
      description: `Lowest profit of arbitrage, in percent; default ${bounds.min_profit.ofStreams}.`,
      example: 1,
    }),
  },
  events: {
    detected: 'New arbitrages.',
    expired: 'Arbitrages that have ended.',
  },
  brief: ({ profit_percent, legs }: Item) => ({
    worth: profit_percent,
    bets: legs.map(({ sportsbook, selection, odds_american }) => ({
      sportsbooks: [sportsbook],
      selection,
      american: odds_american,
    })),
  }),
} as const satisfies OpportunityContract
