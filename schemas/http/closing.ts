/** What `/odds/closing` takes and answers with (supplement 3.6 and 6.6). */

import { z } from 'zod'
import { objectOf, timestamp } from './envelope.ts'
import { formed, list, required } from './query.ts'

const slug = z.string()

export const closingQuery = {
  event_id: required(
    formed({
      // Neither blanks nor commas: one id.
      pattern: /^[!-+\--\uffff]{1,200}$/,
      problem: 'is the id of one event',
      description:
        'An event, by id. An id without `_b0` to `_b3` at its end names the only such event.',
      example: 'nba_bulls_knicks_2027-01-14_b3',
      aliases: ['event', 'eventId'],
    }),
  ),
  sportsbook: list({
    description: 'Sportsbooks of the tier, by id or name. All of the tier when absent.',
    example: 'draftkings,fanduel',
    aliases: ['books'],
  }),
}

export const closingLine = z.object({
  sportsbook: slug,
  market_type: slug,
  selection: z.string(),
  selection_type: slug,
  line: z.number().optional(),
  odds_american: z.int(),
  odds_decimal: z.number(),
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
})

export const closingSnapshot = z.object({
  event_id: slug,
  sport: slug.optional().describe('Like the fields up to `captured_at`, absent without a close.'),
  league: slug.optional(),
  home_team: z.string().optional(),
  away_team: z.string().optional(),
  event_start_time: timestamp.optional(),
  captured_at: timestamp
    .optional()
    .describe('When the first of these sportsbooks went into play, or the start.'),
  books: z.record(slug, z.array(closingLine)).describe('Empty while nothing is captured.'),
})

export const closingObject = objectOf(closingSnapshot, {
  source: z.literal('capture').describe('Captured here as games began.'),
})
