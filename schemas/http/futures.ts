/** Requests and responses of the routes of `/futures` (supplement 3.9 and 6.6). */

import { z } from 'zod'
import { futureTypes } from '../feed-record.ts'
import { filters, listOf, objectOf, timestamp } from './envelope.ts'
import { example, exampleOf } from './example.ts'
import { boardQuery, oddsQuery } from './odds-query.ts'
import { choice, list, offsetUpTo, required, text } from './query.ts'

const slug = z.string()
const marketId = z.string().describe('The same at every sportsbook, for as long as it is offered.')
const futureType = z
  .enum(futureTypes)
  .describe('Kind of outcomes: teams, players, Over and Under, or Yes and No.')
const settlesAt = timestamp
  .nullable()
  .describe('When it is decided, by the sportsbook; null if not given.')
const withheld = z.literal('far_from_consensus').optional()
const deepLink = z.string().optional().describe('Our redirect to the bet at the sportsbook.')

// ---- requests

export const futureOffsetMax = 5_000

const { sport, league, sportsbook, add_sportsbook, limit } = boardQuery

export const futuresQuery = {
  sport,
  league,
  sportsbook,
  add_sportsbook,
  future_type: choice(futureTypes, {
    description: 'Markets with outcomes of this kind. Default: all.',
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
  state: oddsQuery.state,
}

export const futuresComparisonQuery = { future_id: required(futureId), sportsbook, add_sportsbook }

// ---- responses

export const futureItem = z.object({
  market_id: example(marketId, 'nba_champion_2027'),
  display_name: example(z.string(), 'NBA Champion 2027'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  future_type: example(futureType, 'TEAM'),
  selection_count: example(z.int(), 30, 'Distinct selections, at all sportsbooks together.'),
  books_available: example(z.array(slug), ['draftkings', 'fanduel']),
})

export const futuresList = listOf(futureItem, { filters: example(filters, { league: ['nba'] }) })

export const futureOddsItem = z.object({
  id: example(z.string(), '661209344712850', '15 digits; the same while its price moves.'),
  selection: example(z.string(), 'New York Knicks'),
  sportsbook: example(slug, 'fanduel'),
  odds_american: example(z.int(), 900),
  odds_decimal: example(z.number(), 10),
  probability: example(z.number(), 0.1),
  odds_probability: example(z.number(), 0.1),
  line: z.number().optional().describe('For Over or Under.'),
  is_active: example(z.boolean(), true, 'False while the sportsbook takes no bets on it.'),
  future_type: example(futureType, 'TEAM'),
  future_market_id: example(marketId, 'nba_champion_2027'),
  future_market_name: example(z.string(), 'NBA Champion 2027'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  event_start_time: example(settlesAt, null),
  timestamp: timestamp.describe('When the sportsbook was last seen offering it.'),
  deep_link: example(deepLink, '/api/v1/deeplink/661209344712850'),
  withheld,
})

export const futureOddsList = listOf(futureOddsItem, {
  filters: example(filters, { future_id: 'nba_champion_2027' }),
})

const quote = z.object({
  odds_american: example(z.int(), 900),
  odds_decimal: example(z.number(), 10),
  is_active: example(z.boolean(), true),
  timestamp,
  withheld,
})

export const futureComparison = z.object({
  market_id: example(marketId, 'nba_champion_2027'),
  display_name: example(z.string(), 'NBA Champion 2027'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  future_type: example(futureType, 'TEAM'),
  books_available: example(z.array(slug), ['draftkings', 'fanduel']),
  selections: z.array(
    z.object({
      selection: example(z.string(), 'New York Knicks'),
      line: z.number().optional(),
      books: example(z.record(slug, quote), {
        draftkings: { ...exampleOf(quote), odds_american: 850, odds_decimal: 9.5 },
        fanduel: exampleOf(quote),
      }),
      best_book: example(
        slug.nullable(),
        'fanduel',
        'Among active, not withheld prices of the last five minutes; or null.',
      ),
      best_odds: example(z.int().nullable(), 900),
      worst_book: example(slug.nullable(), 'draftkings'),
      worst_odds: example(z.int().nullable(), 850),
    }),
  ),
})

export const futureComparisonObject = objectOf(futureComparison)
