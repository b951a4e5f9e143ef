/** Requests and responses of `/odds/closing` (supplement 3.6 and 6.6). */

import { z } from 'zod'
import { objectOf, timestamp } from './envelope.ts'
import { example, exampleOf } from './example.ts'
import { withheldClose } from './odds-columns.ts'
import { formed, list, required } from './query.ts'

const slug = z.string()

export const closingQuery = {
  event_id: required(
    formed({
      // Neither blanks nor commas: a single id.
      pattern: /^[!-+\--\uffff]{1,200}$/,
      problem: 'is the id of one event',
      description:
        'An event, by id. An id that ends with its date works if only one event matches.',
      example: 'nba_bulls_knicks_2027-01-14_b3',
      aliases: ['event', 'eventId'],
    }),
  ),
  sportsbook: list({
    description: 'Sportsbooks of the tier, by id or name. Default: all.',
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
  withheld: withheldClose,
  player_name: z.string().optional(),
  stat_category: z.string().optional(),
})

export const closingSnapshot = z.object({
  event_id: example(slug, 'mlb_mariners_padres_2027-05-02_b2_g1'),
  sport: example(
    slug.optional(),
    'baseball',
    'Absent without a close, as are the fields up to `captured_at`.',
  ),
  league: example(slug.optional(), 'mlb'),
  home_team: example(z.string().optional(), 'Seattle Mariners'),
  away_team: example(z.string().optional(), 'San Diego Padres'),
  event_start_time: example(timestamp.optional(), '2027-05-02T17:10:00.000Z'),
  captured_at: example(
    timestamp.optional(),
    '2027-05-02T17:09:48.000Z',
    'When the first of these sportsbooks went into play, or the start time.',
  ),
  books: example(
    z.record(slug, z.array(closingLine)),
    {
      draftkings: [exampleOf(closingLine)],
      pinnacle: [
        {
          sportsbook: 'pinnacle',
          market_type: 'run_line',
          selection: 'Seattle Mariners',
          selection_type: 'home',
          line: 1.5,
          odds_american: -142,
          odds_decimal: 1.704,
          withheld: null,
        },
      ],
    },
    'Empty if nothing is captured yet.',
  ),
})

export const closingObject = objectOf(closingSnapshot, {
  source: z.literal('capture').describe('Captured here at the start of games.'),
})
