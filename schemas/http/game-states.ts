/** A game in play as it stands, and what the routes of `/gamestate` answer with (interface 2.4, 4.12). */

import { z } from 'zod'
import { objectOf } from './envelope.ts'

const side = z.enum(['home', 'away'])
const count = z.int().min(0)

export const gameState = z.object({
  home_team: z.string(),
  away_team: z.string(),
  sport: z.string(),
  league: z.string(),
  home_score: z.int().describe('In the unit of the sport; of tennis the points of all sets.'),
  away_score: z.int(),
  is_live: z.literal(true),
  primary_book: z.string().describe('The sportsbook that the scores are from.'),
  book_count: count.describe('Sportsbooks that told of the game.'),
  game_period: z.string().optional(),
  game_clock: z.string().optional().describe('Down in basketball and hockey, up in soccer.'),
  possession: side.optional().describe('In tennis, who serves.'),
  server: side.optional(),
  last_play: z.string().optional(),
  is_timeout: z.boolean().optional(),
  fouls_home: count.optional(),
  fouls_away: count.optional(),
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

/** The sports whose games stand under their own name; those of others stand under `other`. */
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
  z
    .record(z.string(), z.record(z.string(), gameState))
    .describe('By sport, then by event id. Empty while no game is in play.'),
)
