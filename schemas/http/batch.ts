/** What `POST /odds/batch` takes and answers with (interface 4.7, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { filters, objectOf, timestamp } from './envelope.ts'
import { briefGameState, eventStatus } from './events.ts'
import { oddsItem } from './odds.ts'

const slug = z.string()
const word = z.string().max(200)

export const batchBody = z.strictObject({
  event_ids: z
    .array(word.min(1))
    .min(1)
    .describe('Each counts once. How many there may be is the tier’s: 10, 10, 50, 50 or 100.'),
  sportsbook: word.optional().describe('One sportsbook of the tier; all of the tier when absent.'),
  market: word.optional().describe('One market type or alias; all when absent.'),
})

export const batchEvent = z.object({
  event_id: z.string(),
  event_name: z.string(),
  sport: slug,
  league: slug,
  home_team: z.string(),
  away_team: z.string(),
  start_time: timestamp,
  status: eventStatus,
  is_live: z.boolean(),
  game_state: briefGameState
    .optional()
    .describe('Of games in play whose score is known, as `/events` has it.'),
  odds: z.array(oddsItem).describe('In page order, as `/odds` has them.'),
})

const row = oddsItem.shape

export const batch = z
  .object({
    events: z.array(batchEvent).describe('In the order asked for.'),
    missing_events: z.array(z.string()).describe('Ids of no event, or of one without such odds.'),
    id: row.id.optional(),
    sportsbook: row.sportsbook.optional(),
    event_id: row.event_id.optional(),
    sport: row.sport.optional(),
    league: row.league.optional(),
    home_team: row.home_team.optional(),
    away_team: row.away_team.optional(),
    market_type: row.market_type.optional(),
    selection: row.selection.optional(),
    odds_american: row.odds_american.optional(),
    odds_decimal: row.odds_decimal.optional(),
    odds_probability: row.odds_probability.optional(),
    probability: row.probability.optional(),
  })
  .describe('Optional fields are those of the first row; absent if no event was found.')

export const batchObject = objectOf(batch, {
  requested: z.int().describe('Distinct ids.'),
  found: z.int(),
  missing: z.int(),
  max_batch: z.int(),
  filters,
}).extend({ missing: z.array(z.string()).describe('The same as `data.missing_events`.') })
