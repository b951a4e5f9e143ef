/** Requests and responses of `/opportunities/lives`. */

import { z } from 'zod'
import { opportunityKinds } from '../opportunity.ts'
import { lifeEnds } from '../opportunity-life.ts'
import { filters, listOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { eventHistoryQuery, movementsQuery } from './history.ts'
import { choices, decimal, instant } from './query.ts'

const slug = z.string()

export const livesQuery = {
  kind: choices(opportunityKinds, {
    description: 'Of these kinds; of all when absent.',
    example: 'ev,middle',
  }),
  sport: movementsQuery.sport,
  league: movementsQuery.league,
  event: movementsQuery.event,
  sportsbook: movementsQuery.sportsbook,
  add_sportsbook: movementsQuery.add_sportsbook,
  market: movementsQuery.market,
  live: movementsQuery.live,
  min_profit: decimal({
    description:
      'Least worth at the peak, in percent. That of a low hold is below 0 unless it is an arbitrage too.',
    example: 1,
    min: -100,
    max: 100,
  }),
  from: instant({
    description: 'Detected from this time on. Default: a day before `to`.',
    example: '2027-01-14T00:00:00Z',
  }),
  to: instant({
    description: 'Detected before this time, at most 31 days after `from`. Default: now.',
    example: '2027-01-15T00:00:00Z',
  }),
  limit: eventHistoryQuery.limit,
  offset: eventHistoryQuery.offset,
  format: eventHistoryQuery.format,
} as const

const odds = z.object({
  odds_american: example(z.int(), -165),
  odds_decimal: example(z.number(), 1.606),
  odds_probability: example(z.number(), 0.6227),
})

const instantOfLife = z.object({
  at: example(timestamp, '2027-01-14T21:03:15.000Z'),
  worth_percent: example(
    z.number(),
    0.98,
    'What a stake gains. +EV and middles: on average; arbitrage: for sure; low hold: 0 less the hold. Fees counted where the operator counts them.',
  ),
})

export const lifeItem = z.object({
  id: example(
    z.string(),
    'b04d5f1182e9c37a',
    'As the lists of opportunities have it; one that comes back has it again.',
  ),
  kind: example(z.enum(opportunityKinds), 'arbitrage'),
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Chicago Bulls'),
  event_start_time: example(timestamp, '2027-01-15T00:30:00.000Z'),
  market_type: example(slug, 'moneyline'),
  player_name: z.string().nullable(),
  is_live: z.boolean(),
  is_mismatch_suspected: z
    .boolean()
    .describe('Whether a sportsbook was suspected at any time to mean something else.'),
  sharp_books: example(z.array(slug), [], '+EV: the sharp books used, in order; else empty.'),
  detected: instantOfLife,
  peak: instantOfLife.describe('The first time when it was worth most.'),
  gone: instantOfLife.describe('When it went, and the last figures it had.'),
  lasted_seconds: example(z.number(), 47.31),
  why: example(
    z.enum(lifeEnds),
    'withdrawn',
    'Why it went. over: the game; started: the game has begun; withdrawn, suspended: a price; unseen: a sportsbook; doubted: a price is held to be wrong; replaced: another price, or for +EV another sharp book, took its place; moved: its prices came to less.',
  ),
  legs: z.array(
    z.object({
      odds_id: example(
        z.string(),
        '190377420815526',
        'As `/odds` has it; its changes are at `/odds/{id}/history`.',
      ),
      sportsbook: example(slug, 'draftkings'),
      selection_type: example(z.string(), 'home'),
      line: z.number().nullable(),
      detected: odds,
      peak: odds,
      gone: odds,
    }),
  ),
})

export const livesList = listOf(lifeItem, { filters: example(filters, { kind: ['arbitrage'] }) })
