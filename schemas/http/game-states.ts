/** The current state of a game in play, and the responses of `/gamestate` (interface 2.4, 4.12). */

import { z } from 'zod'
import { objectOf } from './envelope.ts'
import { example, exampleOf } from './example.ts'

const side = z.enum(['home', 'away'])
const count = z.int().min(0)

export const gameState = z.object({
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Chicago Bulls'),
  sport: example(z.string(), 'basketball'),
  league: example(z.string(), 'nba'),
  home_score: example(z.int(), 63, 'In the unit of the sport; in tennis the points of all sets.'),
  away_score: example(z.int(), 58),
  is_live: z.literal(true),
  primary_book: example(z.string(), 'draftkings', 'The sportsbook of the scores.'),
  book_count: example(count, 5, 'Sportsbooks that report the game.'),
  game_period: example(z.string().optional(), 'Q3'),
  game_clock: example(
    z.string().optional(),
    '6:41',
    'Down in basketball and hockey, up in soccer.',
  ),
  possession: example(side.optional(), 'away', 'In tennis, who serves.'),
  server: side.optional(),
  last_play: z.string().optional(),
  is_timeout: example(z.boolean().optional(), false),
  fouls_home: example(count.optional(), 3),
  fouls_away: example(count.optional(), 4),
  corners_home: count.optional(),
  corners_away: count.optional(),
  yellow_cards_home: count.optional(),
  yellow_cards_away: count.optional(),
  red_cards_home: count.optional(),
  red_cards_away: count.optional(),
  power_play: side.optional(),
  sets_home: count.optional(),
  sets_away: count.optional(),
  hits_home: count.optional(),
  hits_away: count.optional(),
  home_pitcher: z.string().optional(),
  away_pitcher: z.string().optional(),
  wickets_home: count.optional(),
  wickets_away: count.optional(),
  overs: z.number().optional(),
  batting_team: side.optional(),
  in_play: z
    .object({
      outs: count,
      balls: count,
      strikes: count,
      runners: z.object({ first: z.boolean(), second: z.boolean(), third: z.boolean() }),
    })
    .optional(),
  stale: z
    .literal(true)
    .optional()
    .describe('The sportsbook of the scores has been silent for 10 s.'),
  aggregator_stale: z.literal(true).optional().describe('Nothing of the sport has come for 30 s.'),
})

/** The sports whose games are grouped under their own name; all others are under `other`. */
export const gameStateSports = [
  'baseball',
  'basketball',
  'cricket',
  'esports',
  'football',
  'hockey',
  'snooker',
  'soccer',
  'table_tennis',
  'tennis',
] as const

export const gameStates = objectOf(
  example(
    z.record(z.string(), z.record(z.string(), gameState)),
    { basketball: { 'nba_bulls_knicks_2027-01-14_b3': exampleOf(gameState) } },
    'By sport, then by event id. Empty while no game is in play.',
  ),
)
