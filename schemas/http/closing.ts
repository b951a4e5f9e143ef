/** Requests and responses of `/odds/closing` (supplement 3.6 and 6.6). */

import { z } from 'zod'
import { objectOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { formed, list, required } from './query.ts'

const slug = z.string()

export const closingQuery = {
  event_id: required(
    formed({
      // Neither blanks nor commas: a single id.
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
  sportsbook: example(slug, 'draftkings'),
  market_type: example(slug, 'moneyline'),
  selection: example(z.string(), 'Seattle Mariners'),
  selection_type: example(slug, 'home'),
  line: z.number().optional(),
  odds_american: example(z.int(), 128),
  odds_decimal: example(z.number(), 2.28),
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
})

export const closingSnapshot = z.object({
  event_id: example(slug, 'mlb_mariners_padres_2027-05-02_b2_g1'),
  sport: example(
    slug.optional(),
    'baseball',
    'Like the fields up to `captured_at`, absent without a close.',
  ),
  league: example(slug.optional(), 'mlb'),
  home_team: example(z.string().optional(), 'Seattle Mariners'),
  away_team: example(z.string().optional(), 'San Diego Padres'),
  event_start_time: example(timestamp.optional(), '2027-05-02T17:10:00.000Z'),
  captured_at: example(
    timestamp.optional(),
    '2027-05-02T17:09:48.000Z',
    'When the first of these sportsbooks went into play, or the start.',
  ),
  books: example(
    z.record(slug, z.array(closingLine)),
    {
      draftkings: [
        {
          sportsbook: 'draftkings',
          market_type: 'moneyline',
          selection: 'Seattle Mariners',
          selection_type: 'home',
          odds_american: 128,
          odds_decimal: 2.28,
        },
      ],
      pinnacle: [
        {
          sportsbook: 'pinnacle',
          market_type: 'run_line',
          selection: 'Seattle Mariners',
          selection_type: 'home',
          line: 1.5,
          odds_american: -142,
          odds_decimal: 1.704,
        },
      ],
    },
    'Empty while nothing is captured.',
  ),
})

export const closingObject = objectOf(closingSnapshot, {
  source: z.literal('capture').describe('Captured here as games began.'),
})
