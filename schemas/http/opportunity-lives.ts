/** Requests and responses of `/opportunities/lives`. */

import { z } from 'zod'
import { opportunityKinds } from '../opportunity.ts'
import { lifeEnds } from '../opportunity-life.ts'
import { filters, listOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { eventHistoryQuery, eventOf, pricesQuery } from './history.ts'
import { oddsQuery } from './odds-query.ts'
import { choices, decimal, instant } from './query.ts'

const slug = z.string()

export const livesQuery = {
  kind: choices(opportunityKinds, {
    description: 'Only these kinds. Default: all.',
    example: 'ev,middle',
  }),
  ...pricesQuery,
  live: oddsQuery.live,
  min_profit: decimal({
    description: 'Lowest `worth_percent` at the peak; below 0 for a low hold that is no arbitrage.',
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
    'Gain in percent of the stake. +EV and middles: on average; arbitrage: guaranteed; low hold: minus the hold. After fees if the operator counts them.',
  ),
})

export const lifeLeg = z.object({
  odds_id: example(
    z.string(),
    '190377420815526',
    'The `id` of `/odds`; its changes are at `/odds/{id}/history`.',
  ),
  sportsbook: example(slug, 'draftkings'),
  selection_type: example(z.string(), 'home'),
  line: z.number().nullable(),
  detected: odds,
  peak: odds,
  gone: odds,
})

export const lifeItem = z.object({
  id: example(
    z.string(),
    'b04d5f1182e9c37a',
    'As in lists of opportunities; one that comes back has the same id.',
  ),
  kind: example(z.enum(opportunityKinds), 'arbitrage'),
  ...eventOf,
  market_type: example(slug, 'moneyline'),
  player_name: z.string().nullable(),
  is_live: z.boolean(),
  is_mismatch_suspected: z
    .boolean()
    .describe('Whether a sportsbook was ever suspected of pricing another market.'),
  sharp_books: example(z.array(slug), [], '+EV: the sharp books used, in order; else empty.'),
  detected: instantOfLife,
  peak: instantOfLife.describe('When it was first worth most.'),
  gone: instantOfLife.describe('When it ended, with its last figures.'),
  lasted_seconds: example(z.number(), 47.31),
  why: example(
    z.enum(lifeEnds),
    'withdrawn',
    'Why it ended. over: the game is over or off; started: the game began; withdrawn, suspended: a price was; unseen: a sportsbook was not seen; doubted: a price is probably wrong; replaced: by a better price, for +EV by another sharp book; moved: its prices became worth less.',
  ),
  legs: z.array(lifeLeg),
})

export const livesList = listOf(lifeItem, { filters: example(filters, { kind: ['arbitrage'] }) })
