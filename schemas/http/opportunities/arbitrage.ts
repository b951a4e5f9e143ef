/** Arbitrage as clients see it (interface 2.7, supplement 5.7). */

import { z } from 'zod'
import { listOf, timestamp } from '../envelope.ts'
import { choice, decimal } from '../query.ts'
import {
  about,
  age,
  counts,
  deepLink,
  exampleAbout,
  exampleList,
  maxAge,
  type OpportunityContract,
  oddsId,
  opportunityQuery,
  percent,
  slug,
  sortedBy,
  source,
  updated,
} from './opportunity.ts'

const leg = z.object({
  sportsbook: slug,
  selection: z.string(),
  line: z.number().nullable(),
  odds_american: z.int(),
  odds_decimal: z.number(),
  implied_probability: z.number(),
  stake_percent: percent,
  timestamp,
  external_event_id: z.string().nullable(),
  selection_id: z.string().nullable(),
  market_id: z.string().nullable(),
  odds_id: oddsId,
  deep_link: deepLink,
})

const item = z
  .object({
    ...about,
    line: z.number().nullable().describe('Of the first leg.'),
    profit_percent: percent.describe('On two lines, at the worst result.'),
    implied_total: percent,
    is_alternate_line: z.boolean(),
    is_cross_line: z
      .boolean()
      .describe('Two bets at neighbouring lines; each leg has its own `line`.'),
    possibly_stale: z.boolean(),
    oldest_odds_age_seconds: age,
    ev_available: z.boolean(),
    ev_percentage: percent.nullable(),
    legs: z.array(leg).min(2).max(3),
  })
  .describe('A price for every answer that together pay whatever happens.')

const list = listOf(item, {
  source,
  books_analyzed: z.int().describe('Sportsbooks with prices that the tier sees.'),
  summary: z.object({
    count: z.int(),
    avg_profit: percent,
    max_profit: percent,
    by_market: counts,
    by_sport: counts,
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
  group: choice(['best'], { description: 'best: only the best of each event and market.' }),
  format: choice(['json', 'csv'], { description: 'csv: a file for a spreadsheet.' }),
  sort: sortedBy(sorts, {
    description: 'What to sort by; with `-` the largest first. Default -profit.',
    example: '-profit',
  }),
} as const

const example = exampleList(
  {
    ...exampleAbout,
    id: 'b04d5f1182e9c37a',
    market_type: 'moneyline',
    line: null,
    profit_percent: 0.98,
    implied_total: 99.03,
    is_alternate_line: false,
    is_cross_line: false,
    possibly_stale: false,
    oldest_odds_age_seconds: 9.1,
    ev_available: true,
    ev_percentage: 1.94,
    legs: [
      ['caesars', 'Chicago Bulls', 172, 2.72, 0.3676, 37.13, '512883420190774'],
      ['draftkings', 'New York Knicks', -165, 1.606, 0.6226, 62.87, '190377420815526'],
    ].map(([sportsbook, selection, american, decimal, probability, stake, odds]) => ({
      sportsbook,
      selection,
      line: null,
      odds_american: american,
      odds_decimal: decimal,
      implied_probability: probability,
      stake_percent: stake,
      timestamp: updated,
      external_event_id: null,
      selection_id: null,
      market_id: null,
      odds_id: odds,
      deep_link: `/api/v1/deeplink/${odds}`,
    })),
  },
  {
    source: 'live',
    filters: { min_profit: 0.5 },
    books_analyzed: 15,
    summary: {
      count: 1,
      avg_profit: 0.98,
      max_profit: 0.98,
      by_market: { moneyline: 1 },
      by_sport: { basketball: 1 },
    },
  },
)

const csv = [
  'event,sport,market,line,profit%,implied_total,book1,selection1,odds1,stake1%,book2,selection2,odds2,stake2%,is_live,is_alternate_line,possibly_stale,warnings,detected_at,book3,selection3,odds3,stake3%,is_cross_line,line1,line2,line3',
  'Chicago Bulls @ New York Knicks,basketball,moneyline,,0.98,99.03,caesars,Chicago Bulls,172,37.13,draftkings,New York Knicks,-165,62.87,false,false,false,,2027-01-14T21:03:15.000Z,,,,,false,,,',
  '',
].join('\r\n')

/** In percent. */
const bounds = { min_profit: { ofLists: 0.5, ofStreams: 0.5 } } as const

export const arbitrageContract = {
  kind: 'arbitrage',
  schemaName: 'ArbitrageOpportunity',
  item,
  list,
  example,
  csv,
  query,
  sorts,
  defaultSort: '-profit',
  bounds,
  streamQuery: {
    min_profit: decimal({
      description: `Least profit of arbitrage, in percent; ${bounds.min_profit.ofStreams} when absent.`,
      example: 1,
    }),
  },
  events: {
    detected: 'Arbitrages there were not before.',
    expired: 'Arbitrages there are no more.',
  },
} as const satisfies OpportunityContract
