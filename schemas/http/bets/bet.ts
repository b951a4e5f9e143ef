/** A bet as it is kept, and the list of an account's bets. */

import { z } from 'zod'
import { betOutcomes } from '../../bet.ts'
import { listOf, objectOf, timestamp } from '../envelope.ts'
import { example } from '../example.ts'
import { choice, day, flag, list, text } from '../query.ts'
import { exportOptions } from './files.ts'

const statedMembers = {
  event_id: z.string().nullable().describe('As stated.'),
  home_team: example(z.string().nullable(), 'NY Knicks'),
  away_team: example(z.string().nullable(), 'Brooklyn Nets'),
  start_time: example(z.string().nullable(), '2026-11-21T00:30:00.000Z', 'A time, or a date.'),
  league: example(z.string().nullable(), 'nba', 'Id.'),
  sport: example(z.string().nullable(), 'basketball'),
  market: example(z.string(), 'spread'),
  selection: example(z.string(), 'NY Knicks'),
  line: example(z.number().nullable(), -4.5),
  player_name: z.string().nullable(),
  odds_decimal: example(z.number(), 1.95),
  odds_american: example(z.int(), -105),
  stake: example(z.number(), 50),
  free_bet: example(z.boolean(), false),
  sportsbook: example(z.string(), 'draftkings'),
  reference: example(z.string().nullable(), 'slip-1042'),
}

export const verdictItem = z.object({
  outcome: example(z.enum(betOutcomes), 'won'),
  returned: example(z.number().nullable(), null, 'With the stake; null if the outcome implies it.'),
  shared_by: example(z.int().nullable(), null, 'In a dead heat.'),
  reason: example(z.string().nullable(), 'settled by the sportsbook'),
  at: example(timestamp, '2026-11-21T09:00:00.000Z'),
})

export const foundItem = z.object({
  event_id: example(z.string(), 'nba_nets_knicks_2026-11-20_b3'),
  home_team: example(z.string(), 'New York Knicks'),
  away_team: example(z.string(), 'Brooklyn Nets'),
  start_time: example(timestamp, '2026-11-21T00:30:00.000Z', 'As it was when the bet was found.'),
  league: example(z.string(), 'nba'),
  sport: example(z.string(), 'basketball'),
  market_type: example(z.string(), 'point_spread'),
  selection: example(z.string(), 'New York Knicks'),
  line: example(z.number().nullable(), -4.5),
  player_name: z.string().nullable(),
})

export const betItem = z.object({
  id: example(z.string(), 'bet_482107733915460'),
  placed_at: example(timestamp, '2026-11-20T12:00:00.000Z'),
  created_at: example(timestamp, '2026-11-20T12:00:00.000Z'),
  ...statedMembers,
  found: foundItem.nullable().describe('The matched selection; null while unknown.'),
  by_hand: verdictItem.nullable().describe('How it ended, as you stated it; else null.'),
})

export const betsAnswer = listOf(betItem, {
  max_bets: z.int().describe('Most bets an account of the tier keeps.'),
})

export const betDeletionAnswer = objectOf(
  z.object({ deleted: z.literal(true), id: example(z.string(), 'bet_482107733915460') }),
)

/** A bet after its result was stated, or after it was corrected. */
export const changedBetAnswer = objectOf(betItem)

export const betFilters = {
  sportsbook: list({ description: 'Ids or names of sportsbooks.', example: 'draftkings' }),
  league: list({ description: 'Ids or names of leagues.', example: 'nba' }),
  market: list({ description: 'Ids or names of markets.', example: 'moneyline' }),
  from: day({ description: 'Bets placed on this day or later, UTC.', example: '2026-11-01' }),
  to: day({ description: 'Bets placed on this day or earlier, UTC.', example: '2026-11-30' }),
  q: text({
    description:
      'Bets with all of these words in the names of their teams, league, market, selection, player or sportsbook, in their `reference` or in the reason of their result.',
    example: 'knicks draftkings',
  }),
} as const

export const betListFilters = {
  ...betFilters,
  ...exportOptions,
  found: flag({ description: 'Only bets whose event is known, or unknown.' }),
  format: choice(['json', 'csv'], {
    description: 'csv: a file with all matching bets, which can be sent again.',
  }),
} as const
