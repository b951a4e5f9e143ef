/** What the event routes answer with (interface 2.2, 2.3, 4.8; supplement 3.5, 6.2). */

import { z } from 'zod'
import { eventStatuses } from '../feed-record.ts'
import { listOf, objectOf, timestamp, walkPagination } from './envelope.ts'

const eventId = z
  .string()
  .describe('The same at every sportsbook, for as long as the event exists.')
const slug = z.string()

const identity = {
  id: eventId,
  external_ids: z
    .record(slug, z.string())
    .describe("The sportsbooks' own ids, where they have one."),
  sport: slug,
  league: slug,
}
/** The same on every surface. */
export const eventStatus = z
  .enum(eventStatuses)
  .describe(
    'The status that sportsbooks agree on. `final` and `cancelled` events have no prices and are in no list; `postponed` ones have the prices still offered.',
  )
const sides = { home_team: z.string(), away_team: z.string(), start_time: timestamp }

const side = z.enum(['home', 'away'])

/** In short; `/gamestate` says more of it. */
export const briefGameState = z.object({
  home_score: z.int(),
  away_score: z.int().nullable(),
  period: z.string().nullable(),
  clock: z.string().nullable(),
  score_type: z.string().describe('What scores count: `goals`, `points`, `runs`, `games`, …'),
  possession: side.nullable(),
  is_timeout: z.boolean().nullable(),
  power_play: side.nullable(),
  last_play: z.string().nullable(),
})

export const eventItem = z.object({
  ...identity,
  ...sides,
  status: eventStatus,
  is_live: z.boolean(),
  book_count: z.int(),
  market_count: z.int(),
  markets: z.array(z.string()).describe('Market types, by name.'),
  books: z.array(slug).describe('Sportsbooks with prices, by slug.'),
  game_state: briefGameState
    .optional()
    .describe('Of games in play whose score is known; not on the free tier.'),
})

export const eventDetail = z.object({
  ...identity,
  league_name: z.string(),
  ...sides,
  status: eventStatus,
  is_live: z.boolean(),
  books: z
    .array(z.object({ id: slug, name: z.string(), market_count: z.int(), last_update: timestamp }))
    .describe('Most markets first.'),
  markets: z
    .array(z.object({ type: z.string(), selection_count: z.int(), book_count: z.int() }))
    .describe('Most selections first.'),
})

export const eventMarket = z.object({
  type: z.string(),
  market_type: z.string().describe('The same as type.'),
  market_label: z.string(),
  selection_count: z.int(),
  book_count: z.int(),
  books: z.array(slug).describe('By slug.'),
  selections: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      line: z.number().optional().describe('Absent for a question without a line.'),
      book_count: z.int(),
    }),
  ),
})

export const eventOddsItem = z.object({
  id: z.string(),
  sportsbook: slug,
  event_id: eventId,
  market_type: z.string(),
  selection: z.string(),
  selection_type: z.string(),
  odds: z.object({
    american: z.int(),
    decimal: z.number(),
    odds_probability: z.number(),
    probability: z.number(),
  }),
  odds_american: z.int(),
  odds_decimal: z.number(),
  odds_probability: z.number(),
  probability: z.number(),
  line: z.number().nullable(),
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
  event_start_time: timestamp,
  is_live: z.boolean(),
  is_active: z.boolean(),
  last_seen_at: timestamp,
  odds_changed_at: timestamp.nullable(),
})

export const eventList = listOf(eventItem, { pagination: walkPagination }).extend({
  pagination: walkPagination,
})
export const eventObject = objectOf(eventDetail, { event_id: eventId })
export const eventMarketList = listOf(eventMarket, { event_id: eventId })
export const eventOddsList = listOf(eventOddsItem, { event_id: eventId })
