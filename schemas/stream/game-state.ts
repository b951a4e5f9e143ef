/** A game in play as streams tell it: what REST shows of it, with its id (supplement 2.5). */

import { z } from 'zod'
import { gameState } from '../http/game-states.ts'

export const gameStateRow = z.object({ event_id: z.string(), ...gameState.shape })

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
