/** What `/odds` and `/odds/delta` answer with (interface 2.1, 4.3, 4.4). */

import { z } from 'zod'
import { listOf, pagination, timestamp } from './envelope.ts'

const slug = z.string()

export const oddsItem = z.object({
  id: z
    .string()
    .regex(/^\d{15}$/)
    .describe('15 digits; the same while the selection exists.'),
  sportsbook: slug,
  sportsbook_name: z.string(),
  event_id: z.string(),
  sport: slug,
  league: slug,
  home_team: z.string(),
  away_team: z.string(),
  market_type: slug,
  selection: z.string().describe('A team, Over or Under, or a player with Over or Under.'),
  selection_type: z.string().describe('home, away, draw, over, under, yes, no, and compounds.'),
  line: z.number().nullable().describe('Points; null for a question without a line.'),
  event_start_time: timestamp,
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
  deep_link: z.string().optional().describe('Our redirect to the bet at the sportsbook.'),
  last_seen_at: timestamp.describe('When the sportsbook was last seen offering the event.'),
  timestamp: timestamp.describe('The same as last_seen_at.'),
  odds_changed_at: timestamp
    .nullable()
    .describe('When price, line or is_live last changed; null when that is not known.'),
  odds_american: z.int(),
  odds_decimal: z.number(),
  odds_probability: z.number().describe('Implied probability, 0 to 1.'),
  probability: z.number().describe('The same as odds_probability.'),
  is_live: z.boolean(),
  is_active: z.boolean().describe('False while the sportsbook shows it but takes no bets.'),
  status: z.enum(['upcoming', 'live']),
  max_bet: z.number().optional().describe('Highest stake in USD, where the sportsbook tells.'),
  public_bet_pct: z.number().min(0).max(1).optional(),
})

export const oddsFields = Object.keys(oddsItem.shape)

export const exampleOdds: z.input<typeof oddsItem> = {
  id: '482107733915460',
  sportsbook: 'draftkings',
  sportsbook_name: 'DraftKings',
  event_id: 'nba_nets_knicks_2026-11-20_b3',
  sport: 'basketball',
  league: 'nba',
  home_team: 'New York Knicks',
  away_team: 'Brooklyn Nets',
  market_type: 'point_spread',
  selection: 'New York Knicks',
  selection_type: 'home',
  line: -4.5,
  event_start_time: '2026-11-21T00:30:00.000Z',
  deep_link: '/api/v1/deeplink/482107733915460',
  last_seen_at: '2026-11-20T12:00:00.123Z',
  timestamp: '2026-11-20T12:00:00.123Z',
  odds_changed_at: '2026-11-20T11:41:56.000Z',
  odds_american: -108,
  odds_decimal: 1.926,
  odds_probability: 0.5192,
  probability: 0.5192,
  is_live: false,
  is_active: true,
  status: 'upcoming',
}

/** With `fields`, the named members of a row and no others. */
const someFields = oddsItem.partial()

const groupItem = z.object({
  event_id: z.string(),
  event_name: z.string(),
  sport: slug,
  league: slug,
  start_time: timestamp,
  is_live: z.boolean(),
  odds: z.array(someFields),
})

const store = z
  .object({
    ready: z.boolean(),
    reason: z.enum(['no_match', 'store_empty']),
  })
  .optional()
  .describe('On an empty page: why it is empty.')

const walkPagination = pagination.extend({
  next_cursor: z.string().nullable().describe('Continue here; good for the same filters.'),
})

export const oddsAnswer = listOf(z.union([oddsItem, groupItem, someFields]), {
  pagination: walkPagination,
  books_available: z.array(slug),
  books_returned: z.array(slug),
  group_by: z.literal('event').optional(),
  overflow: z.literal(true).optional(),
  store,
}).extend({
  pagination: walkPagination,
  overflow: z
    .literal(true)
    .optional()
    .describe('More than 10,000 rows match: take a snapshot with the cursor, not with offsets.'),
})

export const deltaAnswer = listOf(someFields, {
  server_time: timestamp.describe('The `since` of the next call.'),
  position: z
    .string()
    .nullable()
    .optional()
    .describe('After `resume_from`, when nothing was left out: that of the next call.'),
  books_changed: z.array(slug),
}).extend({
  removed: z.array(z.string()).max(1_000).describe('Ids to take out; oldest removal first.'),
  removed_truncated: z
    .literal(true)
    .optional()
    .describe('More ids have gone; the next call, from server_time, brings them.'),
  since_clamped: z
    .literal(true)
    .optional()
    .describe('Removals before the last ten minutes, or before our start, are not known.'),
  overflow: z
    .boolean()
    .describe(
      'More than 10,000 rows changed, or more than 1,000 moved past the filter: a fresh snapshot is the shorter way.',
    ),
})
