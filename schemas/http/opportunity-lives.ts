/** What `/opportunities/lives` is asked and answers. */

import { z } from 'zod'
import { opportunityKinds } from '../opportunity.ts'
import { lifeEnds } from '../opportunity-life.ts'
import { listOf, timestamp } from './envelope.ts'
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
  odds_american: z.int(),
  odds_decimal: z.number(),
  odds_probability: z.number(),
})

const instantOfLife = z.object({
  at: timestamp,
  worth_percent: z
    .number()
    .describe(
      'What a stake gains. +EV and middles: on average; arbitrage: for sure; low hold: 0 less the hold. Fees counted where the operator counts them.',
    ),
})

export const lifeItem = z.object({
  id: z
    .string()
    .describe('As the lists of opportunities have it; one that comes back has it again.'),
  kind: z.enum(opportunityKinds),
  event_id: z.string(),
  sport: slug,
  league: slug,
  home_team: z.string(),
  away_team: z.string(),
  event_start_time: timestamp,
  market_type: slug,
  player_name: z.string().nullable(),
  is_live: z.boolean(),
  is_mismatch_suspected: z
    .boolean()
    .describe('Whether a sportsbook was suspected at any time to mean something else.'),
  sharp_books: z.array(slug).describe('+EV: the sharp books used, in order; else empty.'),
  detected: instantOfLife,
  peak: instantOfLife.describe('The first time when it was worth most.'),
  gone: instantOfLife.describe('When it went, and the last figures it had.'),
  lasted_seconds: z.number(),
  why: z
    .enum(lifeEnds)
    .describe(
      'Why it went. over: the game; started: the game has begun; withdrawn, suspended: a price; unseen: a sportsbook; doubted: a price is held to be wrong; replaced: another price, or for +EV another sharp book, took its place; moved: its prices came to less.',
    ),
  legs: z.array(
    z.object({
      odds_id: z.string().describe('As `/odds` has it; its changes are at `/odds/{id}/history`.'),
      sportsbook: slug,
      selection_type: z.string(),
      line: z.number().nullable(),
      detected: odds,
      peak: odds,
      gone: odds,
    }),
  ),
})

export const livesList = listOf(lifeItem)
