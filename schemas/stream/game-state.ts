/** A game in play as streams send it: the fields of REST, with its id (supplement 2.5). */

import { z } from 'zod'
import { example, exampleOf } from '../http/example.ts'
import { gameState } from '../http/game-states.ts'

export const gameStateRow = z.object({
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  ...gameState.shape,
})

export const exampleGameState = exampleOf(gameStateRow)
