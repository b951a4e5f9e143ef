/** What the routes of `/futures` take and answer with (supplement 3.9 and 6.6). */

import { z } from 'zod'
import { futureTypes } from '../feed-record.ts'
import { listOf, objectOf, timestamp } from './envelope.ts'
import { boardQuery } from './odds-query.ts'
import { choice, list, offsetUpTo, required, text } from './query.ts'

const slug = z.string()
const marketId = z.string().describe('The same at every sportsbook, for as long as it is offered.')
const futureType = z
  .enum(futureTypes)
  .describe('What its answers are: teams, players, Over and Under, or Yes and No.')
const settlesAt = timestamp
  .nullable()
  .describe('When it is decided, as the sportsbook says; null where it does not.')
const deepLink = z.string().optional().describe('Our redirect to the bet at the sportsbook.')

// ---- questions

export const futureOffsetMax = 5_000

const { sport, league, sportsbook, add_sportsbook, limit } = boardQuery

export const futuresQuery = {
  sport,
  league,
  sportsbook,
  add_sportsbook,
  future_type: choice(futureTypes, {
    description: 'Markets with answers of this kind. All when absent.',
    example: 'TEAM',
  }),
  limit,
  offset: offsetUpTo(futureOffsetMax),
}

const futureId = text({
  description: 'A market, by its `market_id`.',
  example: 'nba_champion_2027',
})

export const futuresOddsQuery = {
  future_id: futureId,
  market: list({
    description:
      'What is asked: `champion`, `total_wins`, …, in any league. A `market_id` will do.',
    example: 'champion',
  }),
  ...futuresQuery,
}

export const futuresComparisonQuery = { future_id: required(futureId), sportsbook, add_sportsbook }

// ---- answers

export const futureItem = z.object({
  market_id: marketId,
  display_name: z.string(),
  sport: slug,
  league: slug,
  future_type: futureType,
  selection_count: z.int().describe('Distinct selections, at all sportsbooks together.'),
  books_available: z.array(slug),
})

export const futuresList = listOf(futureItem)

export const futureOddsItem = z.object({
  id: z.string().describe('15 digits; the same while its price moves.'),
  selection: z.string(),
  sportsbook: slug,
  odds_american: z.int(),
  odds_decimal: z.number(),
  probability: z.number(),
  odds_probability: z.number(),
  line: z.number().optional().describe('Of an Over or Under.'),
  is_active: z.boolean().describe('False while the sportsbook takes no bets on it.'),
  future_type: futureType,
  future_market_id: marketId,
  future_market_name: z.string(),
  sport: slug,
  league: slug,
  event_start_time: settlesAt,
  timestamp: timestamp.describe('When the sportsbook was last seen offering it.'),
  deep_link: deepLink,
})

export const futureOddsList = listOf(futureOddsItem)

const quote = z.object({
  odds_american: z.int(),
  odds_decimal: z.number(),
  is_active: z.boolean(),
  timestamp,
})

export const futureComparison = z.object({
  market_id: marketId,
  display_name: z.string(),
  sport: slug,
  league: slug,
  future_type: futureType,
  books_available: z.array(slug),
  selections: z.array(
    z.object({
      selection: z.string(),
      line: z.number().optional(),
      books: z.record(slug, quote),
      best_book: slug
        .nullable()
        .describe(
          'Of the prices that bets are taken on, were seen in the last five minutes and whose source is up; null for none.',
        ),
      best_odds: z.int().nullable(),
      worst_book: slug.nullable(),
      worst_odds: z.int().nullable(),
    }),
  ),
})

export const futureComparisonObject = objectOf(futureComparison)
