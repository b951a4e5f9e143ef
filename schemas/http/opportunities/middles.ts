/** Middles as clients see them (interface 2.8, supplement 5.8). */

import { z } from 'zod'
import { listOf, objectOf } from '../envelope.ts'
import { boardQuery } from '../odds-query.ts'
import { decimal } from '../query.ts'
import {
  about,
  counts,
  deepLink,
  exampleAbout,
  exampleAnswer,
  exampleList,
  maxAge,
  type OpportunityContract,
  oddsId,
  opportunityQuery,
  percent,
  slug,
  sortedBy,
  source,
  state,
} from './opportunity.ts'

const side = z.object({
  book: slug,
  selection: z.string(),
  line: z.number().nullable(),
  odds: z.object({
    american: z.int(),
    decimal: z.number(),
    probability: z.number(),
    fair_probability: z.number(),
  }),
  odds_american: z.int(),
  odds_decimal: z.number(),
  odds_probability: z.number(),
  stake_percent: percent,
  odds_age_seconds: z.number(),
  odds_id: oddsId,
  deep_link: deepLink,
})

const item = z
  .object({
    ...about,
    side1: side,
    side2: side,
    middle_size: z.number(),
    middle_numbers: z.array(z.int()),
    middle_probability: z.number().describe('That both bets win.'),
    push_numbers: z
      .array(z.int())
      .describe('Results at which one bet wins and the other is refunded, in whole or in part.'),
    push_probability: z.number(),
    expected_value: z
      .number()
      .describe('Per 100 staked: the mean over all results, refunds among them.'),
    roi_percentage: percent,
    worst_case_loss: z.number(),
    best_case_profit: z.number(),
    break_even_percent: percent,
    odds_age_seconds: z.number(),
    is_guaranteed_profit: z.boolean(),
    guaranteed_roi: percent.nullable(),
    key_numbers: z.array(z.int()),
    key_number_probability: z.number(),
    quality_score: z
      .number()
      .describe('0 to 100, of probability, expected value, gap and freshness.'),
    market_overround: percent,
  })
  .describe(
    'Two bets that both win if the result is between their lines. If the result is one of the lines, that bet is refunded.',
  )

const list = listOf(item, { source, summary: z.object({ count: z.int() }) })

const summaryObject = objectOf(
  z.object({
    total: z.int(),
    positive_ev_count: z.int(),
    guaranteed_profit_count: z.int(),
    player_prop_count: z.int(),
    has_key_numbers_count: z.int(),
    by_sport: counts,
    by_market: counts,
    by_sportsbook: counts,
    avg_middle_size: z.number(),
    avg_probability: z.number(),
    avg_ev: z.number(),
    best_ev: z.object({ ev: z.number(), sport: slug, market: slug }).nullable(),
  }),
  { filters: z.record(z.string(), z.unknown()) },
)

const sorts = {
  quality: 'quality',
  ev: 'ev',
  probability: 'probability',
  middle_size: 'middle_size',
} as const

const query = {
  ...opportunityQuery,
  min_size: decimal({ description: 'Least gap in points; default 0.5.', example: 1, min: 0 }),
  max_odds_age: maxAge,
  state,
  sort: sortedBy(sorts, {
    description: 'What to sort by, the largest first with or without `-`. Default quality.',
    example: 'quality',
  }),
} as const

const summaryQuery = {
  sport: boardQuery.sport,
  league: boardQuery.league,
} as const

const exampleItem = {
  ...exampleAbout,
  id: '5f20c8d71b3ea964',
  market_type: 'total_points',
  side1: {
    book: 'fanduel',
    selection: 'Over 226.5',
    line: 226.5,
    odds: { american: -110, decimal: 1.909, probability: 0.5238, fair_probability: 0.5056 },
    odds_american: -110,
    odds_decimal: 1.909,
    odds_probability: 0.5238,
    stake_percent: 50.56,
    odds_age_seconds: 4,
    odds_id: '512883420190771',
    deep_link: '/api/v1/deeplink/512883420190771',
  },
  side2: {
    book: 'caesars',
    selection: 'Under 229.5',
    line: 229.5,
    odds: { american: -105, decimal: 1.952, probability: 0.5122, fair_probability: 0.4944 },
    odds_american: -105,
    odds_decimal: 1.952,
    odds_probability: 0.5122,
    stake_percent: 49.44,
    odds_age_seconds: 6.5,
    odds_id: '190377420815522',
    deep_link: '/api/v1/deeplink/190377420815522',
  },
  middle_size: 3,
  middle_numbers: [227, 228, 229],
  middle_probability: 0.0663,
  push_numbers: [],
  push_probability: 0,
  expected_value: 2.93,
  roi_percentage: 2.93,
  worst_case_loss: -3.48,
  best_case_profit: 93.05,
  break_even_percent: 3.6,
  odds_age_seconds: 6.5,
  is_guaranteed_profit: false,
  guaranteed_roi: null,
  key_numbers: [],
  key_number_probability: 0,
  quality_score: 46.2,
  market_overround: 103.6,
}

const example = exampleList(exampleItem, {
  source: 'live',
  filters: { min_size: 0.5 },
  summary: { count: 1 },
})

const exampleSummary = exampleAnswer(
  {
    total: 41,
    positive_ev_count: 12,
    guaranteed_profit_count: 1,
    player_prop_count: 9,
    has_key_numbers_count: 6,
    by_sport: { basketball: 30, football: 11 },
    by_market: { point_spread: 19, total_points: 22 },
    by_sportsbook: { draftkings: 31, fanduel: 28 },
    avg_middle_size: 2.2,
    avg_probability: 0.087,
    avg_ev: -0.4,
    best_ev: { ev: 6.1, sport: 'football', market: 'point_spread' },
  },
  { filters: {} },
)

/** In points. */
const bounds = { min_size: { ofLists: 0.5, ofStreams: 0.5 } } as const

export const middlesContract = {
  kind: 'middle',
  schemaName: 'MiddleOpportunity',
  item,
  list,
  example,
  query,
  sorts,
  defaultSort: 'quality',
  bounds,
  sseQuery: {
    min_size: decimal({
      description: `Least size of middles, in points; ${bounds.min_size.ofStreams} when absent.`,
      min: 0,
    }),
  },
  events: {
    detected: 'Middles there were not before.',
    expired: 'Middles there are no more.',
  },
} as const satisfies OpportunityContract

/** `/middles/summary`: all of them in figures. */
export const middlesSummary = {
  query: summaryQuery,
  schema: summaryObject,
  example: exampleSummary,
} as const

/** `/middles/{id}`: one of them. */
export const oneMiddle = { schema: objectOf(item), example: exampleAnswer(exampleItem) } as const
