/** What the event routes answer with (interface 2.2, 2.3, 4.8; supplement 3.5, 6.2). */

import { z } from 'zod'
import { eventStatuses } from '../feed-record.ts'
import { listOf, objectOf, timestamp } from './envelope.ts'

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
const sides = { home_team: z.string(), away_team: z.string(), start_time: timestamp }

export const eventItem = z.object({
  ...identity,
  ...sides,
  status: z.enum(['upcoming', 'live']),
  is_live: z.boolean(),
  book_count: z.int(),
  market_count: z.int(),
  markets: z.array(z.string()).describe('Market types, by name.'),
  books: z.array(slug).describe('Sportsbooks with prices, by slug.'),
})

export const eventDetail = z.object({
  ...identity,
  league_name: z.string(),
  ...sides,
  status: z.enum(eventStatuses),
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

export const eventList = listOf(eventItem)
export const eventObject = objectOf(eventDetail, { event_id: eventId })
export const eventMarketList = listOf(eventMarket, { event_id: eventId })
export const eventOddsList = listOf(eventOddsItem, { event_id: eventId })

// ---- examples

const exampleIdentity = {
  id: 'nba_bulls_knicks_2027-01-14_b3',
  external_ids: { draftkings: '34118820', fanduel: 'nba-chi-nyk' },
  sport: 'basketball',
  league: 'nba',
}
const exampleSides = {
  home_team: 'New York Knicks',
  away_team: 'Chicago Bulls',
  start_time: '2027-01-15T00:40:00.000Z',
}

const examplePagination = {
  limit: 50,
  offset: 0,
  count: 1,
  total: 1,
  has_more: false,
  next_offset: null,
}
const seenAt = '2027-01-14T21:03:11.204Z'

/** A list with one item, as `listOf` has it. @param meta further members of `meta` */
export const exampleList = (item: object, meta: object = {}) => ({
  success: true,
  data: [item],
  pagination: examplePagination,
  updated_at: seenAt,
  meta: {
    count: 1,
    total: 1,
    ...meta,
    pagination: examplePagination,
    updated_at: seenAt,
    updated: seenAt,
  },
})

/** One object, as `objectOf` has it. */
export const exampleObject = (data: object, meta: object = {}) => ({
  success: true,
  data,
  updated_at: seenAt,
  meta: { ...meta, updated_at: seenAt, updated: seenAt },
})

export const exampleEvents = exampleList(
  {
    ...exampleIdentity,
    ...exampleSides,
    status: 'upcoming',
    is_live: false,
    book_count: 2,
    market_count: 3,
    markets: ['moneyline', 'point_spread', 'total_points'],
    books: ['draftkings', 'fanduel'],
  },
  { filters: { league: ['nba'] } },
)

export const exampleEvent = exampleObject(
  {
    ...exampleIdentity,
    league_name: 'NBA',
    ...exampleSides,
    status: 'upcoming',
    is_live: false,
    books: [{ id: 'draftkings', name: 'DraftKings', market_count: 41, last_update: seenAt }],
    markets: [
      { type: 'player_points', selection_count: 36, book_count: 1 },
      { type: 'moneyline', selection_count: 2, book_count: 1 },
    ],
  },
  { event_id: exampleIdentity.id },
)

export const exampleEventMarkets = exampleList(
  {
    type: 'total_points',
    market_type: 'total_points',
    market_label: 'Total Points',
    selection_count: 2,
    book_count: 2,
    books: ['draftkings', 'fanduel'],
    selections: [
      { name: 'Over', type: 'over', line: 228.5, book_count: 2 },
      { name: 'Under', type: 'under', line: 228.5, book_count: 2 },
    ],
  },
  { event_id: exampleIdentity.id, filters: {} },
)

export const exampleEventOdds = exampleList(
  {
    id: '661209344712850',
    sportsbook: 'caesars',
    event_id: exampleIdentity.id,
    market_type: 'moneyline',
    selection: 'Chicago Bulls',
    selection_type: 'away',
    odds: { american: 162, decimal: 2.62, odds_probability: 0.3817, probability: 0.3817 },
    odds_american: 162,
    odds_decimal: 2.62,
    odds_probability: 0.3817,
    probability: 0.3817,
    line: null,
    event_start_time: exampleSides.start_time,
    is_live: false,
    is_active: true,
    last_seen_at: seenAt,
    odds_changed_at: '2027-01-14T20:58:02.000Z',
  },
  { event_id: exampleIdentity.id, filters: { market: ['moneyline'] } },
)
