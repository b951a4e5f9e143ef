/** +EV as clients see it (interface 2.6, supplement 5.6). */

import { z } from 'zod'
import { devigMethods } from '../../fair-measure.ts'
import { listOf, timestamp } from '../envelope.ts'
import { example } from '../example.ts'
import { choice, decimal, decimalWithin, flag, list as names, text } from '../query.ts'
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

const item = z
  .object({
    ...about,
    game_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
    game: example(z.string(), 'Chicago Bulls @ New York Knicks'),
    market: example(slug, 'total_points'),
    external_event_id: example(z.string().nullable(), '34118820'),
    selection_id: example(z.string().nullable(), '0OU22850O'),
    odds_id: example(oddsId, '482107733919990'),
    ev_percentage: example(
      percent,
      4.07,
      'fair_probability x odds - 1, in percent of a stake that is not refunded; a whole or quarter line may refund it.',
    ),
    ev_percent: example(percent, 4.07),
    odds_american: example(z.int(), -104),
    odds_decimal: example(z.number(), 1.962),
    no_vig_odds: example(z.int(), -113, 'The fair American price.'),
    fair_probability: example(
      z.number(),
      0.5306,
      'Rounded down to half a percent if the tier does not see the sharp book; all other figures follow from it.',
    ),
    market_width: example(
      percent,
      2.21,
      'Overround of the sharp market; rounded up to a whole percent if the tier does not see it.',
    ),
    devig_method: example(z.enum(devigMethods), 'power'),
    sharp_book: example(slug, 'pinnacle', 'Or `consensus`, or a blend: `pinnacle+circa`.'),
    devig_book: example(slug, 'pinnacle'),
    sharp_odds_american: example(z.int().optional(), -118, 'Only if the tier sees the sharp book.'),
    sharp_odds_decimal: example(z.number().optional(), 1.847),
    selection: example(z.string(), 'Over 228.5'),
    selection_type: example(selectionType, 'over'),
    line: example(z.number().nullable(), 228.5),
    sportsbook: example(slug, 'draftkings'),
    confidence_score: example(
      z.int(),
      86,
      '0 to 100, from the number of sportsbooks, age, width and the sharp book.',
    ),
    confidence: example(z.int(), 86),
    kelly_percent: example(percent, 4.24, 'The full Kelly stake, in percent of the bankroll.'),
    max_bet: example(maxBet, 500),
    book_count: example(z.int(), 6),
    arb_available: z.boolean(),
    arb_profit: percent.nullable(),
    is_alternate_line: z.boolean(),
    possibly_stale: z.boolean(),
    oldest_odds_age_seconds: example(age, 7.4),
    deep_link: example(deepLink, '/api/v1/deeplink/482107733919990'),
  })
  .describe('A price with a positive expected value.')

type Item = z.output<typeof item>

const list = listOf(item, {
  source: example(source, 'live'),
  last_update: example(timestamp.nullable(), '2027-01-14T21:03:10.000Z'),
  summary: z.object({
    count: example(z.int(), 1),
    avg_ev: example(percent, 4.07),
    max_ev: example(percent, 4.07),
    by_sportsbook: example(counts, { draftkings: 1 }),
    by_sport: example(counts, { basketball: 1 }),
    by_market: example(counts, { total_points: 1 }),
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
  state,
  min_ev: decimal({ description: 'Lowest expected value, in percent.', example: 2 }),
  max_ev: decimal({ description: 'Highest expected value, in percent.', example: 15 }),
  min_market_width: decimal({ description: 'Lowest overround of the sharp market, in percent.' }),
  max_market_width: decimal({ description: 'Highest overround of the sharp market, in percent.' }),
  max_hold: decimal({
    description: 'Highest hold of the sharp market, in percent; default 5.',
    example: 5,
    min: 0,
    max: 10,
  }),
  min_kelly: decimal({ description: 'Lowest Kelly fraction, in percent.' }),
  max_kelly: decimal({ description: 'Highest Kelly fraction, in percent.' }),
  min_confidence: decimalWithin({ description: 'Lowest confidence score.', min: 0, max: 100 }),
  max_confidence: decimalWithin({ description: 'Highest confidence score.', min: 0, max: 100 }),
  max_odds_age: maxAge,
  is_player_prop: flag({ description: 'true: only player props; false: only the others.' }),
  is_alternate_line: flag({ description: 'true: only alternate lines; false: only the others.' }),
  arb_available: flag({ description: 'true: only with an arbitrage too; false: only without.' }),
  player_name: text({
    description: 'The player, in any case.',
    maxLength: 100,
    aliases: ['player'],
  }),
  stat_category: text({ description: 'The statistic, in any case.', maxLength: 100 }),
  selection: text({ description: 'The selection as shown, in any case.', maxLength: 200 }),
  devig_book: text({
    description:
      'A sportsbook to measure against instead of the sharp one: a sharp book, or one that the tier sees. Not together with `devig_books`. On a large board it needs a filter by event, league or sport.',
    example: 'betfair',
    maxLength: 60,
  }),
  devig_books: names({
    description:
      'Sportsbooks to measure against instead of the sharp ones, in order of preference. The first that offers all outcomes of the market at the line is used: see `sharp_book`. Allowed names: as for `devig_book`.',
    example: 'circa,betfair',
    most: 10,
  }),
  devig_method: choice(devigMethods, {
    description:
      'How the margin is removed from the sharp market; default power. Other methods need a tier that sees the sportsbooks to measure against, and on a large board a filter by event, league or sport.',
    example: 'shin',
  }),
  sort: sortedBy(sorts, {
    description: 'The field to sort by; with `-` descending. Default -ev.',
    example: '-ev',
  }),
} as const

/** The bounds by default, in percent: streams send only the better opportunities, a list has all. */
const bounds = {
  min_ev: { ofLists: 0, ofStreams: 2 },
  max_hold: { ofLists: 5, ofStreams: 5 },
} as const

export const evContract = {
  kind: 'ev',
  schemaName: 'EvOpportunity',
  item,
  list,
  query,
  sorts,
  defaultSort: '-ev',
  bounds,
  streamQuery: {
    min_ev: decimal({
      description: `Lowest expected value of +EV, in percent; default ${bounds.min_ev.ofStreams}.`,
      example: 3,
    }),
  },
  events: {
    detected: 'Prices that now have a positive expected value.',
    expired: 'Prices that no longer have one.',
  },
  brief: ({ ev_percentage, sportsbook, selection, odds_american }: Item) => ({
    worth: ev_percentage,
    bets: [{ sportsbooks: [sportsbook], selection, american: odds_american }],
  }),
} as const satisfies OpportunityContract
