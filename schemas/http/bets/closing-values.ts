/** Contracts of the values of bets at the close, each and in sums. */

import { z } from 'zod'
import { missingCloseReasons } from '../../closing-line.ts'
import { archiveMeta, objectOf, pagination, timestamp } from '../envelope.ts'
import { example } from '../example.ts'
import { withheldClose } from '../odds-columns.ts'
import { betItem } from './bet.ts'
import { betReasons } from './reasons.ts'

/** The most bets in one sum. */
export const mostBetsInSum = 20_000

export const percent = z.number().describe('Percent.')

const close = z.object({
  sportsbook: example(z.string(), 'pinnacle'),
  start_time: example(timestamp, '2026-11-21T00:30:00.000Z', 'The start this close is for.'),
  odds_decimal: example(z.number().nullable(), 1.87),
  odds_american: example(z.int().nullable(), -115),
  no_vig_probability: example(
    z.number().nullable(),
    0.52384,
    'By the power method; null if an outcome of the market has no close, or the price was withheld.',
  ),
  withheld: withheldClose,
  missing: z.enum(missingCloseReasons).nullable().describe('Null for a close.'),
})

export const betClvItem = betItem.extend({
  clv_percent: example(
    percent.nullable(),
    2.148,
    "No-vig probability of the sharp book's close x decimal odds of the bet - 1.",
  ),
  reason: example(z.enum(betReasons).nullable(), null, 'Why there is no value; else null.'),
  close: close.nullable().describe("The sharp book's close behind the value."),
  sportsbook_clv_percent: example(
    percent.nullable(),
    0.6,
    "The same against the no-vig close of the bet's own sportsbook.",
  ),
  sportsbook_close: close.nullable(),
})

export const betMean = z.object({
  percent,
  low: percent.nullable(),
  high: percent.nullable(),
})

export const meanOf = (what: string) =>
  betMean
    .nullable()
    .describe(
      `${what}, with its 95 % interval, events as clusters; null bounds unless two events differ.`,
    )

export const betClvSum = z.object({
  bets: example(z.int(), 1),
  with_clv: example(z.int(), 1, 'Bets with a value: the sample.'),
  events: example(z.int(), 1, 'Different events among them.'),
  beat_close: example(z.int(), 1, 'Bets whose value is above 0.'),
  stake: example(z.number(), 50, 'Of all bets.'),
  stake_with_clv: example(z.number(), 50),
  avg_clv: example(meanOf('The mean, each bet alike'), { percent: 2.148, low: null, high: null }),
  stake_weighted_clv: example(meanOf('The mean, weighted by stake'), {
    percent: 2.148,
    low: null,
    high: null,
  }),
})

export const betClvGroup = betClvSum.extend({ group_key: example(z.string(), 'draftkings') })

export const betsClvAnswer = objectOf(
  z.object({
    sharp_reference: example(
      z.array(z.string()),
      ['pinnacle', 'circa'],
      'Sharp books; the first with a close counts.',
    ),
    sharp_references: example(
      z.record(z.string(), z.int()),
      { pinnacle: 1 },
      'Bets measured against each sharp book.',
    ),
    total: betClvSum,
    by_sportsbook: z.array(betClvGroup),
    by_market: z.array(betClvGroup),
    by_league: z.array(betClvGroup),
    by_month: z.array(betClvGroup).describe('Of `placed_at`, UTC.'),
    reasons: example(
      z.record(z.string(), z.int()),
      {},
      'How many bets have no value, by reason. No mean includes them.',
    ),
    bets: z.array(betClvItem).describe('One page of bets.'),
  }),
  {
    pagination: pagination,
    filters: example(z.record(z.string(), z.unknown()), {}),
    ...archiveMeta,
  },
)
