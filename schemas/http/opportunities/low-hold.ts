/** Low hold as clients see it (interface 2.9, supplement 5.9). */

import { z } from 'zod'
import { listOf } from '../envelope.ts'
import { decimal } from '../query.ts'
import {
  about,
  counts,
  exampleAbout,
  exampleList,
  maxAge,
  type OpportunityContract,
  opportunityQuery,
  percent,
  slug,
  sortedBy,
  source,
  state,
} from './opportunity.ts'

const side = z.object({
  selection: z.string(),
  books: z.array(slug).describe('All with the best price.'),
  line: z.number().nullable(),
  odds: z.object({
    american: z.int(),
    decimal: z.number(),
    implied_probability: z.number(),
    probability: z.number(),
    fair_probability: z.number(),
  }),
  deep_links: z
    .record(slug, z.url())
    .describe('The nearest page of each sportsbook; those without addresses are left out.'),
})

const item = z
  .object({
    ...about,
    line: z.number().nullable(),
    hold_percentage: percent.describe('Sum of the implied probabilities less 100.'),
    side1: side,
    side2: side,
    side3: side.nullable(),
    is_alternate_line: z.boolean(),
    all_books: z.array(slug),
    confidence: z.int(),
    odds_age_seconds: z.number(),
    possibly_stale: z.boolean(),
  })
  .describe('The best price of every outcome, and the margin left in them.')

const list = listOf(item, {
  source,
  summary: z.object({
    count: z.int(),
    avg_hold: percent,
    min_hold: percent,
    by_market: counts,
    by_sport: counts,
  }),
})

const sorts = { hold: 'hold', market: 'market', sport: 'sport' } as const

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
    description: 'What to sort by; with `-` the largest first. Default hold, the lowest first.',
    example: 'hold',
  }),
} as const

const example = exampleList(
  {
    ...exampleAbout,
    id: 'c39e61b20f8d754a',
    market_type: 'total_points',
    line: 228.5,
    hold_percentage: 0.73,
    side1: {
      selection: 'Over 228.5',
      books: ['betmgm', 'draftkings'],
      line: 228.5,
      odds: {
        american: -104,
        decimal: 1.962,
        implied_probability: 0.5098,
        probability: 0.5098,
        fair_probability: 0.5061,
      },
      deep_links: { draftkings: 'https://sportsbook.draftkings.com/event/34118820' },
    },
    side2: {
      selection: 'Under 228.5',
      books: ['fanduel'],
      line: 228.5,
      odds: {
        american: 101,
        decimal: 2.01,
        implied_probability: 0.4975,
        probability: 0.4975,
        fair_probability: 0.4939,
      },
      deep_links: {},
    },
    side3: null,
    is_alternate_line: false,
    all_books: ['betmgm', 'draftkings', 'fanduel'],
    confidence: 82,
    odds_age_seconds: 8.8,
    possibly_stale: false,
  },
  {
    source: 'live',
    filters: { max_hold: 5 },
    summary: {
      count: 1,
      avg_hold: 0.73,
      min_hold: 0.73,
      by_market: { total_points: 1 },
      by_sport: { basketball: 1 },
    },
  },
)

/** In percent. */
const bounds = { max_hold: { ofLists: 5, ofStreams: 5 } } as const

export const lowHoldContract = {
  kind: 'low_hold',
  schemaName: 'LowHoldOpportunity',
  item,
  list,
  example,
  query,
  sorts,
  defaultSort: 'hold',
  bounds,
  sseQuery: {
    max_hold: decimal({
      description: `Greatest hold of low holds, in percent; ${bounds.max_hold.ofStreams} when absent.`,
    }),
  },
  events: {
    detected: 'Low holds there were not before.',
    expired: 'Low holds there are no more.',
  },
} as const satisfies OpportunityContract
