/** Requests and responses of the routes of `/splits` (interface 2.5 and 4.10, supplement 6.3). */

import { z } from 'zod'
import { splitMarkets } from '../splits.ts'
import { filters, listOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { boardQuery } from './odds-query.ts'
import { choices, itemsUpTo, moment, offsetUpTo, required, text } from './query.ts'

const slug = z.string()

// ---- requests

export const splitsOffsetMax = 5_000

const limit = itemsUpTo(200, 100)

export const splitsQuery = {
  sport: boardQuery.sport,
  league: boardQuery.league,
  sportsbook: boardQuery.sportsbook,
  add_sportsbook: boardQuery.add_sportsbook,
  event: boardQuery.event,
  market: choices(splitMarkets, {
    description: 'Markets to show; only games with splits of one of them.',
    example: 'spread,total',
  }),
  limit,
  offset: offsetUpTo(splitsOffsetMax),
}

export const splitsHistoryQuery = {
  event_id: required(
    text({
      description: 'One event, by id.',
      example: 'nba_bulls_knicks_2027-01-14_b3',
      aliases: ['event'],
    }),
  ),
  sportsbook: boardQuery.sportsbook,
  start_time: moment({
    description: 'First time, RFC 3339 or Unix seconds. Default: 48 hours ago.',
    example: '2027-01-14T00:00:00Z',
  }),
  end_time: moment({
    description: 'Last time, RFC 3339 or Unix seconds. Default: now.',
    example: '1799960400',
  }),
  limit,
}

// ---- responses

const share = z.number().min(0).max(1)
const shareText = 'Shares from 0 to 1.'
export const sideShares = z
  .object({ away: example(share, 0.44), home: example(share, 0.56) })
  .describe(shareText)
export const totalShares = z
  .object({ over: example(share, 0.63), under: example(share, 0.37) })
  .describe(shareText)

const unsaid = 'null if the source does not report it.'
const shares = {
  handle_pct: sideShares.nullable().describe(`Of the money; ${unsaid}`),
  bets_pct: sideShares.nullable().describe(`Of the bets; ${unsaid}`),
}
const lineOf = (side: string) => z.number().nullable().describe(`The line of the ${side} side.`)
const american = z.int().nullable().describe('American odds.')

export const totalSplits = z.object({
  line: example(z.number().nullable(), 228.5),
  handle_pct: totalShares.nullable().describe(`Of the money; ${unsaid}`),
  bets_pct: totalShares.nullable().describe(`Of the bets; ${unsaid}`),
})
export const moneylineSplits = z.object({
  away_odds: example(american, 150),
  home_odds: example(american, -180),
  ...shares,
})

export const splitsItem = z.object({
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  sport: example(slug, 'basketball'),
  league: example(slug, 'nba'),
  sportsbook: example(slug, 'draftkings', 'The source book.'),
  away_team: example(z.string(), 'Chicago Bulls'),
  home_team: example(z.string(), 'New York Knicks'),
  spread: z
    .object({
      away_odds: example(lineOf('away'), 4.5),
      home_odds: example(lineOf('home'), -4.5),
      ...shares,
    })
    .nullable()
    .describe('`away_odds` and `home_odds` are lines, despite their names.'),
  total: totalSplits.nullable(),
  moneyline: moneylineSplits.nullable(),
  fetched_at: example(timestamp, '2027-01-14T21:00:07.000Z', 'When the source last reported it.'),
})

export const splitsList = listOf(splitsItem, { filters: example(filters, { league: ['nba'] }) })

export const splitsEntry = z.object({
  book: example(slug, 'draftkings'),
  ts: example(timestamp, '2027-01-14T20:55:04.000Z'),
  timestamp: example(z.number(), 1799960104, 'The same, as Unix seconds.'),
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  spread: z
    .object({
      away_line: example(lineOf('away'), 4.5),
      home_line: example(lineOf('home'), -4.5),
      ...shares,
    })
    .nullable(),
  total: totalSplits.nullable(),
  moneyline: moneylineSplits.nullable(),
})

export const splitsHistory = listOf(splitsEntry, {
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  total: example(
    z.int(),
    1,
    'Entries in the requested time; with `start_time` the next page starts after the last `ts`.',
  ),
  books: example(z.array(slug), ['draftkings'], 'The source books of all entries.'),
  oldest: example(timestamp.nullable(), '2027-01-14T20:55:04.000Z'),
  newest: example(timestamp.nullable(), '2027-01-14T20:55:04.000Z'),
  filters: example(filters, { event_id: 'nba_bulls_knicks_2027-01-14_b3' }),
})
