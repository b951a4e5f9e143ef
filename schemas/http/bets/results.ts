/** How bets ended, each and in sums. */

import { z } from 'zod'
import { betOutcomes } from '../../bet.ts'
import { archiveMeta, objectOf, pagination } from '../envelope.ts'
import { example } from '../example.ts'
import { choice } from '../query.ts'
import { betFilters, betItem } from './bet.ts'
import { betClvSum, meanOf, percent } from './closing-values.ts'
import { exportOptions } from './files.ts'
import { betReasons, openReasons } from './reasons.ts'

const ended = (count: number) => example(z.int(), count)

const resultSum = betClvSum.omit({ stake: true }).extend({
  open: example(z.int(), 0),
  open_stake: example(z.number(), 0),
  settled: example(z.int(), 1),
  settled_events: example(z.int(), 1, 'Different events among the settled ones.'),
  won: ended(1),
  half_won: ended(0),
  refunded: ended(0),
  half_lost: ended(0),
  lost: ended(0),
  dead_heat: ended(0),
  cashed_out: ended(0),
  settled_stake: example(z.number(), 50, 'Of settled bets, including refunded ones.'),
  returned: example(z.number(), 97.5, 'Including stakes.'),
  profit: example(z.number(), 47.5),
  roi: example(meanOf('Profit by stake of settled bets (yield)'), {
    percent: 95,
    low: null,
    high: null,
  }),
})

export const betResultGroup = resultSum.extend({ group_key: example(z.string(), 'draftkings') })

export const betResultItem = betItem.extend({
  outcome: example(z.enum(betOutcomes).nullable(), 'won', 'Null while the bet is open.'),
  open_because: example(z.enum(openReasons).nullable(), null, 'Null for a settled bet.'),
  settled_by: example(
    z.enum(['score', 'hand']).nullable(),
    'score',
    'Your own statement overrides the score.',
  ),
  outcome_by_score: example(
    z.enum(betOutcomes).nullable(),
    'won',
    'By the final score, even if you stated another.',
  ),
  score: z
    .object({
      home_team: example(z.string(), 'New York Knicks'),
      away_team: example(z.string(), 'Brooklyn Nets'),
      home: example(z.int(), 112),
      away: example(z.int(), 104),
    })
    .nullable(),
  returned: example(z.number().nullable(), 97.5, 'With the stake, to the cent.'),
  profit: example(z.number().nullable(), 47.5),
  clv_percent: example(percent.nullable(), 2.148),
  clv_reason: example(z.enum(betReasons).nullable(), null, 'Why there is no value.'),
})

export const betResultsAnswer = objectOf(
  z.object({
    total: resultSum,
    by_sportsbook: z.array(betResultGroup),
    by_market: z.array(betResultGroup),
    by_league: z.array(betResultGroup),
    by_month: z.array(betResultGroup).describe('Of `placed_at`, UTC.'),
    open_reasons: example(z.record(z.string(), z.int()), {}, 'How many bets are open, by reason.'),
    bets: z.array(betResultItem).describe('One page of bets.'),
  }),
  {
    pagination: pagination,
    filters: example(z.record(z.string(), z.unknown()), {}),
    is_complete: example(
      z.boolean(),
      true,
      'False if the sums lack what the archive did not answer and may answer later.',
    ),
    bets_without_answer: example(z.int(), 0, 'Their result or value is not known for that.'),
    ...archiveMeta,
  },
)

export const betResultFilters = {
  ...betFilters,
  ...exportOptions,
  format: choice(['json', 'csv'], {
    description: 'csv: a spreadsheet file of all matching bets, with how they ended.',
  }),
  state: choice(['open', 'settled'], {
    description: 'The page has only those. Sums are of all that match the other filters.',
  }),
} as const
