/** Low hold as clients see it (interface 2.9, supplement 5.9). */

import { z } from 'zod'
import { listOf } from '../envelope.ts'
import { example, exampleOf } from '../example.ts'
import { decimal } from '../query.ts'
import {
  about,
  counts,
  maxAge,
  type OpportunityContract,
  opportunityQuery,
  percent,
  selectionType,
  slug,
  sortedBy,
  source,
  state,
} from './opportunity.ts'

const side = z.object({
  selection: example(z.string(), 'Over 228.5'),
  selection_type: example(selectionType, 'over'),
  books: example(z.array(slug), ['betmgm', 'draftkings'], 'All sportsbooks with the best price.'),
  line: example(z.number().nullable(), 228.5),
  odds: z.object({
    american: example(z.int(), -104),
    decimal: example(z.number(), 1.962),
    implied_probability: example(z.number(), 0.5098),
    probability: example(z.number(), 0.5098),
    fair_probability: example(z.number(), 0.5061),
  }),
  max_bet_by_book: example(
    z.record(slug, z.number()),
    { draftkings: 500 },
    'Highest stake in USD at each sportsbook; absent for those that report none.',
  ),
  deep_links: example(
    z.record(slug, z.url()),
    { draftkings: 'https://sportsbook.draftkings.com/event/34118820' },
    'The closest page of each sportsbook; absent for those without links.',
  ),
})

const item = z
  .object({
    ...about,
    line: example(z.number().nullable(), 228.5),
    hold_percentage: example(
      percent,
      0.73,
      'Sum of the implied probabilities in percent, minus 100.',
    ),
    side1: side,
    side2: example(side, {
      ...exampleOf(side),
      selection: 'Under 228.5',
      selection_type: 'under',
      books: ['fanduel'],
      odds: {
        american: 101,
        decimal: 2.01,
        implied_probability: 0.4975,
        probability: 0.4975,
        fair_probability: 0.4939,
      },
      max_bet_by_book: {},
      deep_links: {},
    }),
    side3: example(side.nullable(), null),
    is_alternate_line: z.boolean(),
    all_books: example(z.array(slug), ['betmgm', 'draftkings', 'fanduel']),
    confidence: example(z.int(), 72),
    odds_age_seconds: example(z.number(), 8.8),
    possibly_stale: z.boolean(),
  })
  .describe('The best price of every outcome, and the margin left in them.')

type Item = z.output<typeof item>

const list = listOf(item, {
  source: example(source, 'live'),
  summary: z.object({
    count: example(z.int(), 1),
    avg_hold: example(percent, 0.73),
    min_hold: example(percent, 0.73),
    by_market: example(counts, { total_points: 1 }),
    by_sport: example(counts, { basketball: 1 }),
  }),
})

const sorts = {
  hold: 'hold',
  time: 'time',
  start_time: 'time',
  market: 'market',
  sport: 'sport',
} as const

const query = {
  ...opportunityQuery,
  max_hold: decimal({
    description: 'Highest hold, in percent, at most 10; default 5.',
    example: 2,
    max: 10,
  }),
  max_odds_age: maxAge,
  state,
  sort: sortedBy(sorts, {
    description: 'The field to sort by; with `-` descending. Default hold.',
    example: 'hold',
  }),
} as const

/** In percent. */
const bounds = { max_hold: { ofLists: 5, ofStreams: 5 } } as const

export const lowHoldContract = {
  kind: 'low_hold',
  schemaName: 'LowHoldOpportunity',
  item,
  list,
  query,
  sorts,
  defaultSort: 'hold',
  bounds,
  addressQuery: {
    max_hold: decimal({
      description: `Highest hold of low holds, in percent; default ${bounds.max_hold.ofStreams}.`,
    }),
  },
  events: {
    detected: 'New low holds.',
    expired: 'Low holds that have ended.',
  },
  brief: ({ hold_percentage, side1, side2, side3 }: Item) => ({
    worth: hold_percentage,
    bets: [side1, side2, ...(side3 ? [side3] : [])].map(({ books, selection, odds }) => ({
      sportsbooks: books,
      selection,
      american: odds.american,
    })),
  }),
} as const satisfies OpportunityContract
