/** Middles as clients see them (interface 2.8, supplement 5.8). */

import { z } from 'zod'
import { listOf, objectOf } from '../envelope.ts'
import { example, exampleOf } from '../example.ts'
import { boardQuery } from '../odds-query.ts'
import { decimal } from '../query.ts'
import {
  about,
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

const side = z.object({
  book: example(slug, 'fanduel'),
  selection: example(z.string(), 'Over 226.5'),
  selection_type: example(selectionType, 'over'),
  line: example(z.number().nullable(), 226.5),
  odds: z.object({
    american: example(z.int(), -110),
    decimal: example(z.number(), 1.909),
    probability: example(z.number(), 0.5238),
    fair_probability: example(z.number(), 0.5),
  }),
  odds_american: example(z.int(), -110),
  odds_decimal: example(z.number(), 1.909),
  odds_probability: example(z.number(), 0.5238),
  stake_percent: example(percent, 50.56),
  max_bet: example(maxBet, 500),
  odds_age_seconds: example(z.number(), 4),
  odds_id: example(oddsId, '512883420190771'),
  deep_link: example(deepLink, '/api/v1/deeplink/512883420190771'),
})

const item = z
  .object({
    ...about,
    side1: side,
    side2: example(side, {
      ...exampleOf(side),
      book: 'caesars',
      selection: 'Under 229.5',
      selection_type: 'under',
      line: 229.5,
      odds: { american: -105, decimal: 1.952, probability: 0.5122, fair_probability: 0.4884 },
      odds_american: -105,
      odds_decimal: 1.952,
      odds_probability: 0.5122,
      stake_percent: 49.44,
      max_bet: null,
      odds_age_seconds: 6.5,
      odds_id: '190377420815529',
      deep_link: '/api/v1/deeplink/190377420815529',
    }),
    middle_size: example(z.number(), 3),
    middle_numbers: example(z.array(z.int()), [227, 228, 229]),
    middle_probability: example(z.number(), 0.0664, 'Chance that both bets win, 0 to 1.'),
    push_numbers: example(
      z.array(z.int()),
      [],
      'Results at which one bet wins and the other is refunded, in whole or in part.',
    ),
    push_probability: example(z.number(), 0),
    expected_value: example(
      z.number(),
      2.94,
      'Mean profit per 100 staked, over all results and refunds.',
    ),
    roi_percentage: example(percent, 2.94),
    worst_case_loss: example(z.number(), -3.48),
    best_case_profit: example(z.number(), 93.05),
    break_even_percent: example(percent, 3.6),
    odds_age_seconds: example(z.number(), 6.5),
    is_guaranteed_profit: z.boolean(),
    guaranteed_roi: percent.nullable(),
    key_numbers: example(z.array(z.int()), []),
    key_number_probability: example(z.number(), 0),
    quality_score: example(
      z.number(),
      46.1,
      '0 to 100, from probability, expected value, gap and freshness.',
    ),
    market_overround: example(percent, 103.6),
  })
  .describe(
    'Two bets that both win if the result is between their lines. If the result is one of the lines, that bet is refunded.',
  )

type Item = z.output<typeof item>

const list = listOf(item, {
  source: example(source, 'live'),
  summary: z.object({ count: example(z.int(), 1) }),
})

const summaryObject = objectOf(
  z.object({
    total: example(z.int(), 41),
    positive_ev_count: example(z.int(), 12),
    guaranteed_profit_count: example(z.int(), 1),
    player_prop_count: example(z.int(), 9),
    has_key_numbers_count: example(z.int(), 6),
    by_sport: example(counts, { basketball: 30, football: 11 }),
    by_market: example(counts, { point_spread: 19, total_points: 22 }),
    by_sportsbook: example(counts, { draftkings: 31, fanduel: 28 }),
    avg_middle_size: example(z.number(), 2.2),
    avg_probability: example(z.number(), 0.087),
    avg_ev: example(z.number(), -0.4),
    best_ev: z
      .object({
        ev: example(z.number(), 6.1),
        sport: example(slug, 'football'),
        market: example(slug, 'point_spread'),
      })
      .nullable(),
  }),
  { filters: example(z.record(z.string(), z.unknown()), {}) },
)

const sorts = {
  quality: 'quality',
  ev: 'ev',
  probability: 'probability',
  middle_size: 'middle_size',
  time: 'time',
  start_time: 'time',
} as const

const query = {
  ...opportunityQuery,
  min_size: decimal({ description: 'Smallest gap in points; default 0.5.', example: 1, min: 0 }),
  max_odds_age: maxAge,
  state,
  sort: sortedBy(sorts, {
    description:
      'The field to sort by, always descending; only `start_time` is ascending, and with `-` descending. Default quality.',
    example: 'quality',
  }),
} as const

const summaryQuery = {
  sport: boardQuery.sport,
  league: boardQuery.league,
} as const

/** In points. */
const bounds = { min_size: { ofLists: 0.5, ofStreams: 0.5 } } as const

export const middlesContract = {
  kind: 'middle',
  schemaName: 'MiddleOpportunity',
  item,
  list,
  query,
  sorts,
  defaultSort: 'quality',
  bounds,
  addressQuery: {
    min_size: decimal({
      description: `Smallest gap of middles, in points; default ${bounds.min_size.ofStreams}.`,
      min: 0,
    }),
  },
  events: {
    detected: 'New middles.',
    expired: 'Middles that have ended.',
  },
  brief: ({ expected_value, side1, side2 }: Item) => ({
    worth: expected_value,
    bets: [side1, side2].map(({ book, selection, odds_american }) => ({
      sportsbooks: [book],
      selection,
      american: odds_american,
    })),
  }),
} as const satisfies OpportunityContract

/** The response of `/middles/summary`: totals of all middles. */
export const middlesSummary = {
  query: summaryQuery,
  schema: summaryObject,
} as const

/** The response of `/middles/{id}`: one of them. */
export const oneMiddle = objectOf(item)
