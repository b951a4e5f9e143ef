/** The responses of the event routes (interface 2.2, 2.3, 4.8; supplement 3.5, 6.2). */

import { z } from 'zod'
import { eventStatuses } from '../feed-record.ts'
import { filters, listOf, objectOf, timestamp, walkPagination } from './envelope.ts'
import { example } from './example.ts'
import { emptyPage, exampleOdds, oddsItem } from './odds.ts'

const eventId = example(
  z.string(),
  'nba_bulls_knicks_2027-01-14_b3',
  'The same at every sportsbook, for as long as the event exists.',
)
const slug = z.string()

const identity = {
  id: eventId,
  external_ids: example(
    z.record(slug, z.string()),
    { draftkings: '34118820', fanduel: 'nba-chi-nyk' },
    "The sportsbooks' own ids, where they have one.",
  ),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
}
/** The status of an event, the same on every surface. */
export const eventStatus = z
  .enum(eventStatuses)
  .describe(
    'The status that sportsbooks agree on. `final` and `cancelled` events have no prices and are in no list; `postponed` ones have the prices still offered.',
  )
const sides = {
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Chicago Bulls'),
  start_time: example(timestamp, '2027-01-15T00:40:00.000Z'),
}

export const staleBooks = z
  .array(slug)
  .optional()
  .describe(
    'Those of `books` last seen on the event over 5 minutes ago (1 in play), or with prices from before only while it is in play: none is a best price or in an opportunity. Absent if there are none; up to five seconds late.',
  )

const side = z.enum(['home', 'away'])

/** The state of a game in short; `/gamestate` has more of it. */
export const briefGameState = z.object({
  home_score: z.int(),
  away_score: z.int().nullable(),
  period: z.string().nullable(),
  clock: z.string().nullable(),
  score_type: z.string().describe('Unit of scores: `goals`, `points`, `runs`, `games`, …'),
  possession: side.nullable(),
  is_timeout: z.boolean().nullable(),
  power_play: side.nullable(),
  last_play: z.string().nullable(),
})

export const eventItem = z.object({
  ...identity,
  ...sides,
  status: example(z.enum(['upcoming', 'live']), 'upcoming'),
  event_status: example(eventStatus, 'upcoming'),
  is_live: z.boolean(),
  book_count: example(z.int(), 2),
  market_count: example(z.int(), 3),
  markets: example(
    z.array(z.string()),
    ['moneyline', 'point_spread', 'total_points'],
    'Market types, by name.',
  ),
  books: example(z.array(slug), ['draftkings', 'fanduel'], 'Sportsbooks with prices, by slug.'),
  stale_books: staleBooks,
  game_state: briefGameState
    .optional()
    .describe('For games in play with a known score; not on the free tier.'),
})

export const eventDetail = z.object({
  ...identity,
  league_name: example(z.string(), 'NBA'),
  ...sides,
  status: example(eventStatus, 'upcoming'),
  is_live: z.boolean(),
  books: z
    .array(
      z.object({
        id: example(slug, 'draftkings'),
        name: example(z.string(), 'DraftKings'),
        market_count: example(z.int(), 41),
        last_update: timestamp,
      }),
    )
    .describe('Most markets first.'),
  stale_books: staleBooks,
  markets: z
    .array(
      z.object({
        type: example(z.string(), 'player_points'),
        selection_count: example(z.int(), 36),
        book_count: example(z.int(), 1),
      }),
    )
    .describe('Most selections first.'),
})

export const eventMarket = z.object({
  type: example(z.string(), 'total_points'),
  market_type: example(z.string(), 'total_points', 'The same as type.'),
  market_label: example(z.string(), 'Total Points'),
  selection_count: example(z.int(), 2),
  book_count: example(z.int(), 2),
  books: example(z.array(slug), ['draftkings', 'fanduel'], 'By slug.'),
  selections: z.array(
    z.object({
      name: example(z.string(), 'Over'),
      type: example(z.string(), 'over'),
      line: example(z.number().optional(), 228.5, 'Absent for a market without a line.'),
      book_count: example(z.int(), 2),
    }),
  ),
})

const { odds_american, odds_decimal, odds_probability, probability } = oddsItem.shape

/** A row of `/odds`, whose price is also an object. */
export const eventOddsItem = z.object({
  ...oddsItem.shape,
  odds: z.object({
    american: odds_american,
    decimal: odds_decimal,
    odds_probability,
    probability,
  }),
})

export const eventList = listOf(eventItem, {
  filters: example(filters, { league: ['nba'] }),
  pagination: walkPagination,
}).extend({
  pagination: walkPagination,
})
export const eventObject = objectOf(eventDetail, { event_id: eventId })
export const eventMarketList = listOf(eventMarket, { event_id: eventId })
export const eventOddsList = listOf(eventOddsItem, {
  event_id: oddsItem.shape.event_id,
  filters: example(filters, { market: [exampleOdds.market_type] }),
  store: emptyPage.optional(),
})
