/** The responses of the history of prices: of one price, of an event, movements, and files of many changes. */

import { z } from 'zod'
import { filters, listOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { withheldClose } from './odds-columns.ts'
import { boardQuery, oddsQuery } from './odds-query.ts'
import { choice, decimal, instant, itemsUpTo, offsetUpTo, required, whole } from './query.ts'

const slug = z.string()

/** File formats; ClickHouse writes them. */
export const fileFormats = ['csv', 'ndjson', 'parquet'] as const

/**
 * The header of a file while the archive is behind the log: how many seconds the changes that the
 * file lacks may have waited, or `unknown`.
 */
export const behindHeader = 'X-Archive-Seconds-Behind'

export const fileTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const satisfies Readonly<Record<(typeof fileFormats)[number], string>>

/** Media types of responses with such a file. */
export const historyFiles = Object.values(fileTypes)

const format = choice(['json', ...fileFormats], {
  description:
    'json: a page; the others: all of it as a file, without `limit` and `offset`. Default: json.',
  example: 'json',
})

const period = {
  from: instant({ description: 'Changes from this time on.', example: '2027-01-14T00:00:00Z' }),
  to: instant({ description: 'Changes before this time.', example: '2027-01-15T00:00:00Z' }),
}

const offset = offsetUpTo(1_000_000)

const { sport, league, event, sportsbook, add_sportsbook } = boardQuery
const { market, live } = oddsQuery

/** Which prices of the archive a request is about. */
export const pricesQuery = { sport, league, event, sportsbook, add_sportsbook, market } as const

const odds = {
  odds_american: example(z.int(), -120),
  odds_decimal: example(z.number(), 1.833),
  odds_probability: example(z.number(), 0.5455),
}

const selection = {
  market_type: example(slug, 'moneyline'),
  selection: example(z.string(), 'New York Knicks'),
  selection_type: example(z.string(), 'home'),
  line: z.number().nullable(),
  player_name: z.string().nullable(),
}

export const eventOf = {
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Chicago Bulls'),
  event_start_time: example(timestamp, '2027-01-15T00:30:00.000Z'),
}

// ---- one price

export const priceHistoryQuery = {
  ...period,
  limit: itemsUpTo(1_000, 200),
  offset,
  format,
} as const

/** The kinds of change; `details` are attributes that are not kept. */
export const changedNames = ['listed', 'price', 'live', 'active', 'details', 'withdrawn'] as const

export const priceChange = z.object({
  at: example(timestamp, '2027-01-14T20:12:31.004Z', 'When the change was observed.'),
  ...odds,
  is_live: z.boolean(),
  is_active: example(z.boolean(), true, 'Whether bets were taken.'),
  changed: example(
    z.array(z.enum(changedNames)),
    ['price'],
    '`listed`: on the board, or back on it. `withdrawn`: off it; the price is the last.',
  ),
})

const price = z.object({
  id: example(z.string(), '310778204665018', 'As `/odds` has it.'),
  sportsbook: example(slug, 'pinnacle'),
  ...eventOf,
  ...selection,
  stat_category: z.string().nullable(),
})

export const priceHistoryList = listOf(priceChange, {
  price: price.describe('What the price is of, sides as the event is shown.'),
})

// ---- one event

export const eventHistoryQuery = {
  sportsbook,
  add_sportsbook,
  market,
  limit: itemsUpTo(200, 50),
  offset,
  points: decimal({
    description:
      'For a chart: each item has its whole `course` in at most this many points, and no `moves`.',
    example: 200,
    min: 8,
    max: 1_000,
  }),
  format,
} as const

const quote = z.object({ at: example(timestamp, '2027-01-13T09:00:00.120Z'), ...odds })

export const eventHistoryItem = z.object({
  event_id: eventOf.event_id,
  id: example(z.string(), '310778204665018'),
  sportsbook: example(slug, 'pinnacle'),
  ...selection,
  stat_category: z.string().nullable().describe('The statistic, unless the market says it.'),
  open: quote.describe('When it was first listed, and at what price.'),
  moves: z
    .array(quote.extend({ is_live: z.boolean() }))
    .describe(
      'Changes of the price, oldest first; at most the newest 100. `move_count` counts all.',
    ),
  course: z
    .array(
      z.object({
        at: timestamp,
        odds_american: z.int().nullable(),
        odds_decimal: z.number().nullable().describe('From then on; null: no bets until the next.'),
        is_live: z.boolean(),
      }),
    )
    .optional()
    .describe(
      'With `points`: first and last change, lowest and highest price of each of equal parts of the time; all changes if they fit.',
    ),
  move_count: example(z.int(), 1),
  last: quote.describe('The newest change of any kind.'),
  is_withdrawn: example(z.boolean(), true, 'Whether it is off the board.'),
  close: quote
    .extend({
      no_vig_probability: example(
        z.number().nullable(),
        0.5241,
        'Without the margin, by the power method; null for a market that is not whole, and if the price was withheld.',
      ),
      withheld: withheldClose,
    })
    .nullable()
    .describe('The last price before the start; null if there is none, or none yet.'),
  close_missing: example(
    z.string().nullable(),
    null,
    'Why there is no close, after the start: withdrawn, suspended, …',
  ),
})

export const eventHistoryList = listOf(eventHistoryItem, {
  event: z.object({ ...eventOf, status: example(z.string(), 'live') }),
})

// ---- several events

const { format: _, ...ofEvent } = eventHistoryQuery

export const eventsHistoryQuery = {
  event: required(event),
  ...ofEvent,
  limit: itemsUpTo(1_000, 200),
} as const

export const eventsHistoryList = listOf(eventHistoryItem)

// ---- movements

export const movementsQuery = {
  ...pricesQuery,
  live,
  min_books: whole({
    description: 'Sportsbooks that must move within `seconds`. References do not count.',
    example: 3,
    min: 2,
    max: 50,
    fallback: 3,
  }),
  seconds: whole({
    description: 'Length of the window, in seconds.',
    example: 60,
    min: 1,
    max: 3_600,
    fallback: 60,
  }),
  min_move: decimal({
    description: 'The least move of one price, in points of implied probability. Default 0.5.',
    example: 0.5,
    min: 0,
    max: 100,
  }),
  from: instant({
    description: 'Movements that began from this time on. Default: an hour before `to`.',
    example: '2027-01-14T20:00:00Z',
  }),
  to: instant({
    description:
      'Movements that began before this time, whose moves count up to `seconds` later; at most a day after `from`, or 31 days with `event`. Default: now.',
    example: '2027-01-14T21:00:00Z',
  }),
  limit: eventHistoryQuery.limit,
  offset,
  format,
} as const

export const movementMove = z.object({
  id: example(z.string(), '310778204665018'),
  sportsbook: example(slug, 'pinnacle'),
  at: example(timestamp, '2027-01-14T20:12:31.004Z'),
  from_decimal: example(z.number(), 1.909),
  ...odds,
  points: example(z.number(), 2.16, 'Of implied probability; negative where the price drifted.'),
  is_live: z.boolean(),
})

export const movementItem = z.object({
  ...eventOf,
  ...selection,
  direction: example(
    z.enum(['shortened', 'drifted']),
    'shortened',
    'shortened: the prices fell, the selection looks likelier.',
  ),
  began_at: example(timestamp, '2027-01-14T20:12:31.004Z'),
  ended_at: example(timestamp, '2027-01-14T20:12:40.000Z'),
  book_count: example(z.int(), 2),
  move_count: example(z.int(), 2),
  moves: z.array(movementMove).describe('Oldest first.'),
})

export const movementsList = listOf(movementItem, {
  filters: example(filters, { min_books: 2, seconds: 60 }),
})

// ---- files of many changes

export const changesQuery = {
  ...pricesQuery,
  from: required(period.from),
  to: required(
    instant({
      description: 'Changes before this time, at most 31 days after `from`.',
      example: '2027-01-15T00:00:00Z',
    }),
  ),
  format: choice(fileFormats, {
    description: 'The form of the file. Default: ndjson.',
    example: 'csv',
  }),
} as const

/** One line of a file of changes. */
export const changeLine = z.object({
  ...eventOf,
  id: example(z.string(), '310778204665018'),
  sportsbook: example(slug, 'pinnacle'),
  ...selection,
  at: example(timestamp, '2027-01-14T20:12:31.004Z'),
  ...odds,
  is_live: z.boolean(),
  is_active: example(z.boolean(), true),
  changed: example(z.string(), 'price', 'Names separated by spaces.'),
})

/** One line of a file of closes; the odds are null without a close. */
export const closeLine = z.object({
  ...eventOf,
  id: example(z.string(), '310778204665018'),
  sportsbook: example(slug, 'pinnacle'),
  ...selection,
  captured_at: example(timestamp, '2027-01-15T00:31:02.300Z'),
  priced_at: example(timestamp.nullable(), '2027-01-14T20:12:31.004Z'),
  odds_american: example(z.int().nullable(), -120),
  odds_decimal: example(z.number().nullable(), 1.833),
  odds_probability: example(z.number().nullable(), 0.5455),
  no_vig_probability: example(z.number().nullable(), 0.5241),
  withheld: withheldClose,
  missing: example(z.string().nullable(), null, 'Why there is no close: withdrawn, suspended, …'),
  missing_since: example(timestamp.nullable(), null),
})
