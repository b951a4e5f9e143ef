/** Examples of the documents: what the routes of `/odds/batch` are sent and answer. */

import type { z } from 'zod'
import type { batchBody } from '../batch.ts'
import { exampleObject } from './envelope.ts'
import { exampleOdds } from './odds.ts'

const missing = ['nfl_nosuch_teams_2027-01-10_b2']

export const exampleBatchBody: z.input<typeof batchBody> = {
  event_ids: [exampleOdds.event_id, ...missing],
  market: 'main',
}

const answered = exampleObject(
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
        status: 'upcoming',
        is_live: false,
        odds: [exampleOdds],
      },
    ],
    missing_events: missing,
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

export const exampleBatch = { ...answered, missing }
