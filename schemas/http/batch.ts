/** What `POST /odds/batch` takes and answers with (interface 4.7, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { filters, objectOf, timestamp } from './envelope.ts'
import { exampleObject } from './events.ts'
import { exampleOdds, oddsItem } from './odds.ts'

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

export const exampleBatchBody: z.input<typeof batchBody> = {
  event_ids: [exampleOdds.event_id, 'nfl_nosuch_teams_2027-01-10_b2'],
  market: 'main',
}

const batchEvent = z.object({
  event_id: z.string(),
  event_name: z.string(),
  sport: slug,
  league: slug,
  home_team: z.string(),
  away_team: z.string(),
  start_time: timestamp,
  is_live: z.boolean(),
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
  .describe('The optional members are the first row’s; absent when no event was found.')

export const batchObject = objectOf(batch, {
  requested: z.int().describe('Distinct ids.'),
  found: z.int(),
  missing: z.int(),
  max_batch: z.int(),
  filters,
})

export const exampleBatch = exampleObject(
  {
    events: [
      {
        event_id: exampleOdds.event_id,
        event_name: `${exampleOdds.away_team} @ ${exampleOdds.home_team}`,
        sport: exampleOdds.sport,
        league: exampleOdds.league,
        home_team: exampleOdds.home_team,
        away_team: exampleOdds.away_team,
        start_time: exampleOdds.event_start_time,
        is_live: false,
        odds: [exampleOdds],
      },
    ],
    missing_events: ['nfl_nosuch_teams_2027-01-10_b2'],
    id: exampleOdds.id,
    sportsbook: exampleOdds.sportsbook,
    event_id: exampleOdds.event_id,
    sport: exampleOdds.sport,
    league: exampleOdds.league,
    home_team: exampleOdds.home_team,
    away_team: exampleOdds.away_team,
    market_type: exampleOdds.market_type,
    selection: exampleOdds.selection,
    odds_american: exampleOdds.odds_american,
    odds_decimal: exampleOdds.odds_decimal,
    odds_probability: exampleOdds.odds_probability,
    probability: exampleOdds.probability,
  },
  {
    requested: 2,
    found: 1,
    missing: 1,
    max_batch: 50,
    filters: { market: ['moneyline', 'point_spread', 'total_points'] },
  },
)
