/** Requests and responses of `POST /odds/batch` (interface 4.7, supplement 6.1 and 8.3). */

import { z } from 'zod'
import { linkState } from './deep-links.ts'
import { filters, objectOf, timestamp } from './envelope.ts'
import { briefGameState, eventStatus } from './events.ts'
import { example } from './example.ts'
import { exampleOdds, oddsItem } from './odds.ts'

const slug = z.string()
const word = z.string().max(200)

const missing = ['nfl_nosuch_teams_2027-01-10_b2']

export const batchBody = z.strictObject({
  event_ids: z
    .array(word.min(1))
    .min(1)
    .describe('Each counts once. The tier sets the limit: 10, 10, 50, 50 or 100.'),
  sportsbook: word.optional().describe('One sportsbook of the tier. Default: all.'),
  market: word.optional().describe('One market type or alias. Default: all.'),
  state: linkState,
})

export const exampleBatchBody: z.input<typeof batchBody> = {
  event_ids: [exampleOdds.event_id, ...missing],
  market: 'main',
}

export const batchEvent = z.object({
  event_id: example(z.string(), exampleOdds.event_id),
  event_name: example(z.string(), `${exampleOdds.away_team} @ ${exampleOdds.home_team}`),
  sport: example(slug, exampleOdds.sport),
  league: example(slug, exampleOdds.league),
  home_team: example(z.string(), exampleOdds.home_team),
  away_team: example(z.string(), exampleOdds.away_team),
  start_time: example(timestamp, exampleOdds.event_start_time),
  status: example(eventStatus, 'upcoming'),
  is_live: z.boolean(),
  game_state: briefGameState
    .optional()
    .describe('For games in play with a known score, as in `/events`.'),
  odds: z.array(oddsItem).describe('In page order, as in `/odds`.'),
})

/** The fields of the first row, at the top level for clients that want one row. */
export const headline = oddsItem.pick({
  id: true,
  sportsbook: true,
  event_id: true,
  sport: true,
  league: true,
  home_team: true,
  away_team: true,
  market_type: true,
  selection: true,
  odds_american: true,
  odds_decimal: true,
  odds_probability: true,
  probability: true,
})

export const batch = z
  .object({
    events: z.array(batchEvent).describe('In the requested order.'),
    missing_events: example(
      z.array(z.string()),
      missing,
      'Unknown ids, or events without such odds.',
    ),
    ...headline.partial().shape,
  })
  .describe('Optional fields are of the first row; absent if no event was found.')

export const batchObject = objectOf(batch, {
  requested: example(z.int(), 2, 'Distinct ids.'),
  found: example(z.int(), 1),
  missing: example(z.int(), 1),
  max_batch: example(z.int(), 50),
  filters,
}).extend({
  missing: example(z.array(z.string()), missing, 'The same as `data.missing_events`.'),
})
