/** What the routes of `/splits` take and answer with (interface 2.5 and 4.10, supplement 6.3). */

import { z } from 'zod'
import { splitMarkets } from '../splits.ts'
import { filters, listOf, timestamp } from './envelope.ts'
import { boardQuery } from './odds-query.ts'
import { choices, moment, offsetUpTo, pageLimit, required, text } from './query.ts'

const slug = z.string()

// ---- questions

export const splitsOffsetMax = 5_000

const limit = pageLimit({
  description: 'Items of one answer.',
  example: 100,
  max: 200,
  fallback: 100,
})

export const splitsQuery = {
  sport: boardQuery.sport,
  league: boardQuery.league,
  sportsbook: boardQuery.sportsbook,
  add_sportsbook: boardQuery.add_sportsbook,
  event: boardQuery.event,
  market: choices(splitMarkets, {
    description: 'The markets that are shown, of games with splits of one of them.',
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

// ---- answers

const share = z.number().min(0).max(1)
const shareText = 'Shares from 0 to 1.'
export const sideShares = z.object({ away: share, home: share }).describe(shareText)
export const totalShares = z.object({ over: share, under: share }).describe(shareText)

const unsaid = 'null where the source does not say.'
const shares = {
  handle_pct: sideShares.nullable().describe(`Of the money; ${unsaid}`),
  bets_pct: sideShares.nullable().describe(`Of the bets; ${unsaid}`),
}
const lineOf = (side: string) => z.number().nullable().describe(`The line of the ${side} side.`)
const american = z.int().nullable().describe('American odds.')

export const totalSplits = z.object({
  line: z.number().nullable(),
  handle_pct: totalShares.nullable().describe(`Of the money; ${unsaid}`),
  bets_pct: totalShares.nullable().describe(`Of the bets; ${unsaid}`),
})
export const moneylineSplits = z.object({ away_odds: american, home_odds: american, ...shares })

export const splitsItem = z.object({
  event_id: z.string(),
  sport: slug,
  league: slug,
  sportsbook: slug.describe('The source book.'),
  away_team: z.string(),
  home_team: z.string(),
  spread: z
    .object({ away_odds: lineOf('away'), home_odds: lineOf('home'), ...shares })
    .nullable()
    .describe('`away_odds` and `home_odds` are lines, whatever their names say.'),
  total: totalSplits.nullable(),
  moneyline: moneylineSplits.nullable(),
  fetched_at: timestamp.describe('When the source last said it.'),
})

export const splitsList = listOf(splitsItem)

export const splitsEntry = z.object({
  book: slug,
  ts: timestamp,
  timestamp: z.number().describe('The same, as Unix seconds.'),
  event_id: z.string(),
  spread: z.object({ away_line: lineOf('away'), home_line: lineOf('home'), ...shares }).nullable(),
  total: totalSplits.nullable(),
  moneyline: moneylineSplits.nullable(),
})

export const splitsHistory = z.object({
  success: z.literal(true),
  data: z.array(splitsEntry).describe('Oldest first.'),
  meta: z.object({
    event_id: z.string(),
    count: z.int().describe('Entries of this answer.'),
    total: z
      .int()
      .describe('Entries there are in the time asked for; the next begin after `ts` of the last.'),
    books: z.array(slug).describe('The source books of all of them.'),
    oldest: timestamp.nullable(),
    newest: timestamp.nullable(),
    filters,
    updated_at: timestamp.nullable().describe('When the newest of them was said.'),
  }),
})
