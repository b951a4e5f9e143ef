/** +EV as clients see it (interface 2.6, supplement 5.6). */

import { z } from 'zod'
import { listOf, timestamp } from '../envelope.ts'
import { decimal, flag, text } from '../query.ts'
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

const item = z
  .object({
    ...about,
    game_id: z.string(),
    game: z.string(),
    market: slug,
    external_event_id: z.string().nullable(),
    selection_id: z.string().nullable(),
    odds_id: oddsId,
    ev_percentage: percent,
    ev_percent: percent,
    odds_american: z.int(),
    odds_decimal: z.number(),
    no_vig_odds: z.int().describe('The fair American price.'),
    fair_probability: z
      .number()
      .describe(
        'Where the tier does not see the sharp book, rounded down to half a percent; all other figures follow from it.',
      ),
    market_width: percent.describe(
      'Overround of the sharp market; where the tier does not see it, rounded up to a whole percent.',
    ),
    devig_method: z.literal('power'),
    sharp_book: slug,
    devig_book: slug,
    sharp_odds_american: z.int().optional().describe('Where the tier sees the sharp book.'),
    sharp_odds_decimal: z.number().optional(),
    selection: z.string(),
    line: z.number().nullable(),
    sportsbook: slug,
    confidence_score: z
      .int()
      .describe('0 to 100, of how many sportsbooks there are, age, width and the sharp book.'),
    confidence: z.int(),
    kelly_percent: percent.describe('The full Kelly stake, in percent of the bankroll.'),
    book_count: z.int(),
    arb_available: z.boolean(),
    arb_profit: percent.nullable(),
    is_alternate_line: z.boolean(),
    possibly_stale: z.boolean(),
    oldest_odds_age_seconds: age,
    deep_link: deepLink,
  })
  .describe('A price with a positive expected value.')

const list = listOf(item, {
  source,
  last_update: timestamp.nullable(),
  summary: z.object({
    count: z.int(),
    avg_ev: percent,
    max_ev: percent,
    by_sportsbook: counts,
    by_sport: counts,
    by_market: counts,
  }),
})

const sorts = {
  ev: 'ev',
  confidence: 'confidence',
  confidence_score: 'confidence',
  kelly: 'kelly',
  kelly_percent: 'kelly',
  time: 'time',
  start_time: 'time',
  book_count: 'book_count',
  books: 'book_count',
  odds: 'odds',
} as const

const query = {
  ...opportunityQuery,
  min_ev: decimal({ description: 'Lowest expected value, in percent.', example: 2 }),
  max_ev: decimal({ description: 'Highest expected value, in percent.', example: 15 }),
  min_market_width: decimal({ description: 'Least overround of the sharp market, in percent.' }),
  max_market_width: decimal({ description: 'Greatest overround of the sharp market, in percent.' }),
  max_hold: decimal({
    description:
      'Leaves out +EV whose sharp market has a higher hold than this, in percent; default 5.',
    example: 5,
    min: 0,
    max: 10,
  }),
  min_kelly: decimal({ description: 'Least Kelly fraction, in percent.' }),
  max_kelly: decimal({ description: 'Greatest Kelly fraction, in percent.' }),
  min_confidence: decimal({ description: 'Lowest confidence score.', min: 0, max: 100 }),
  max_confidence: decimal({ description: 'Highest confidence score.', min: 0, max: 100 }),
  max_odds_age: maxAge,
  is_player_prop: flag({ description: 'true: only player props; false: only the others.' }),
  is_alternate_line: flag({ description: 'true: only alternate lines; false: only the others.' }),
  arb_available: flag({ description: 'true: only where there is an arbitrage too.' }),
  player_name: text({
    description: 'The player, in any case.',
    maxLength: 100,
    aliases: ['player'],
  }),
  stat_category: text({ description: 'The statistic, in any case.', maxLength: 100 }),
  selection: text({ description: 'The selection as shown, in any case.', maxLength: 200 }),
  devig_book: text({
    description:
      'A sportsbook to measure against instead of the sharp one: a sharp one, or one that the tier sees. On a large board it needs a filter by event, league or sport.',
    example: 'betfair',
    maxLength: 60,
  }),
  sort: sortedBy(sorts, {
    description: 'What to sort by; with `-` the largest first. Default -ev.',
    example: '-ev',
  }),
} as const

const example = exampleList(
  {
    ...exampleAbout,
    id: '7c1e40b95ad2f386',
    game_id: exampleAbout.event_id,
    game: exampleAbout.event_name,
    market_type: 'total_points',
    market: 'total_points',
    external_event_id: '34118820',
    selection_id: '0OU22850O',
    odds_id: '482107733919990',
    ev_percentage: 4.07,
    ev_percent: 4.07,
    odds_american: -104,
    odds_decimal: 1.962,
    no_vig_odds: -113,
    fair_probability: 0.5306,
    market_width: 2.21,
    devig_method: 'power',
    sharp_book: 'pinnacle',
    devig_book: 'pinnacle',
    sharp_odds_american: -118,
    sharp_odds_decimal: 1.847,
    selection: 'Over 228.5',
    line: 228.5,
    sportsbook: 'draftkings',
    confidence_score: 86,
    confidence: 86,
    kelly_percent: 4.24,
    book_count: 6,
    arb_available: false,
    arb_profit: null,
    is_alternate_line: false,
    possibly_stale: false,
    oldest_odds_age_seconds: 7.4,
    deep_link: '/api/v1/deeplink/482107733919990',
  },
  {
    source: 'live',
    last_update: updated,
    filters: { league: ['nba'], min_ev: 0, max_hold: 5 },
    summary: {
      count: 1,
      avg_ev: 4.07,
      max_ev: 4.07,
      by_sportsbook: { draftkings: 1 },
      by_sport: { basketball: 1 },
      by_market: { total_points: 1 },
    },
  },
)

/** Streams tell what is worth a look; a list has what there is. In percent. */
const bounds = {
  min_ev: { ofLists: 0, ofStreams: 2 },
  max_hold: { ofLists: 5, ofStreams: 5 },
} as const

export const evContract = {
  kind: 'ev',
  schemaName: 'EvOpportunity',
  item,
  list,
  example,
  query,
  sorts,
  defaultSort: '-ev',
  bounds,
  streamQuery: {
    min_ev: decimal({
      description: `Least expected value of +EV, in percent; ${bounds.min_ev.ofStreams} when absent.`,
      example: 3,
    }),
  },
  events: {
    detected: 'Prices that have come to have a positive expected value.',
    expired: 'Prices that have it no longer.',
  },
} as const satisfies OpportunityContract
