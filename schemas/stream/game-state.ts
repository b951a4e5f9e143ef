/** A game in play as it stands: a row of the game-state streams (interface 2.4, supplement 2.5). */

import { z } from 'zod'

const side = z.enum(['home', 'away'])
const count = z.int().min(0)

export const gameStateRow = z.object({
  event_id: z.string(),
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

export const exampleGameState: z.input<typeof gameStateRow> = {
  event_id: 'nba_bulls_knicks_2027-01-14_b3',
  home_team: 'New York Knicks',
  away_team: 'Chicago Bulls',
  sport: 'basketball',
  league: 'nba',
  home_score: 63,
  away_score: 58,
  is_live: true,
  primary_book: 'draftkings',
  book_count: 5,
  game_period: 'Q3',
  game_clock: '6:41',
  possession: 'away',
  fouls_home: 3,
  fouls_away: 4,
  is_timeout: false,
}
