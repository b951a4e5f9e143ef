/** Contracts of what bettors state: bets as placed, the response that keeps or rejects each, and how a bet ended. */

import { z } from 'zod'
import { printable } from '../../attributes.ts'
import { betOutcomes } from '../../bet.ts'
import { objectOf } from '../envelope.ts'
import { example } from '../example.ts'
import { line } from '../ingest.ts'
import { instant } from '../instant.ts'
import { oneOfKeyword } from '../needed-fields.ts'
import { betReasons } from './reasons.ts'

/** The most bets of one request, and its most bytes. */
export const mostBetsAtOnce = 5_000
export const mostBetBytes = 4 * 1024 * 1024
/** The most rejections named in one response; `rejected_count` has their total. */
export const mostNamedRejections = 1_000

const start = z.union([instant, z.iso.date()], {
  error: 'is an RFC 3339 date and time with a zone, or a date',
})

export const betStatement = z
  .strictObject({
    id: printable
      .nullish()
      .describe('Our id, for a bet sent again without a `reference`. Any other value is ignored.'),
    placed_at: instant.describe('When the bet was made.'),
    event_id: printable
      .nullish()
      .describe(
        'Our id of the event; then without teams and start. Sides are as the event is shown.',
      ),
    home_team: printable
      .nullish()
      .describe('As the sportsbook spells it; `home` is as the bet has it.'),
    away_team: printable.nullish(),
    start_time: start
      .nullish()
      .describe(
        'The start, or only its date by the clock of the league: US Eastern time in US leagues, UTC in others.',
      ),
    league: printable.nullish().describe('Id or name; optional if `sport` is given.'),
    sport: printable.nullish(),
    market: printable.describe(
      'Id or any name of the market: `moneyline`, `spread`, `Over/Under`.',
    ),
    selection: printable.describe(
      '`home`, `away`, `draw`, `over`, `under`, … or the name of a side.',
    ),
    line: line.nullish().describe("With the selection's own sign."),
    player_name: printable.nullish().describe('For a player market.'),
    odds_decimal: z.number().meta({ minimum: 1.000001, maximum: 1_000_000 }).nullish(),
    odds_american: z
      .number()
      .meta({
        minimum: -100_000_000,
        maximum: 99_999_900,
        not: { exclusiveMinimum: -100, exclusiveMaximum: 100 },
      })
      .nullish()
      .describe('With `odds_decimal`, the same price.'),
    stake: z
      .number()
      .positive({ abort: true })
      .min(1e-12)
      .max(1e12)
      .describe('In your own currency; sums do not convert.'),
    free_bet: z.boolean().nullish().describe('The stake is not yours: a loss has the profit 0.'),
    sportsbook: printable,
    reference: z
      .string()
      .regex(/^(?=.*\S)[^\p{Cc}\p{Surrogate}]{1,100}$/u, 'is 1 to 100 printable characters')
      .meta({ minLength: 1, maxLength: 100 })
      .nullish()
      .describe('Your own name for the bet. A bet sent again with it is kept once.'),
    result: z
      .enum(betOutcomes)
      .nullish()
      .describe('How it ended, if you know; else the score settles it.'),
    returned: z.number().nonnegative().max(1e15).nullish().describe('The payout, with the stake.'),
    shared_by: z
      .int()
      .min(2)
      .max(1_000)
      .nullish()
      .describe('For a dead heat: how many shared the place.'),
    result_reason: printable.nullish().describe('Your own words for the result.'),
  })
  .meta({ [oneOfKeyword]: ['odds_decimal', 'odds_american'] })
export type StatedBet = z.output<typeof betStatement>

export const betsBody = z.union([betStatement, z.array(betStatement).max(mostBetsAtOnce)])

export const betsAddedAnswer = objectOf(
  z.object({
    accepted: example(z.int(), 1, 'Bets stored now or before.'),
    duplicates: example(z.int(), 0, 'Bets stored before, with the same reference.'),
    bets: z.array(
      z.object({
        line: example(z.int(), 1, 'Line of the file, or place in the array; from 1.'),
        id: example(z.string(), 'bet_482107733915460'),
        status: example(
          z.enum(['stored', 'duplicate', 'settled']),
          'stored',
          '`settled`: stored before; its result is stored now.',
        ),
        reference: example(z.string().nullable(), 'slip-1042'),
        event_id: example(
          z.string().nullable(),
          'nba_nets_knicks_2026-11-20_b3',
          'Null while not found.',
        ),
        reason: z.enum(betReasons).nullable().describe('Why it is not found.'),
      }),
    ),
    rejected: z.array(
      z.object({
        line: example(z.int(), 2),
        code: example(z.string(), 'missing_line'),
        message: example(z.string(), 'total_points over: the market is of a line'),
      }),
    ),
    rejected_count: example(z.int(), 1),
    ignored_columns: example(z.array(z.string()), [], 'With `other_columns=ignore`.'),
    currency: example(z.string().nullable(), '$', 'As the file names it.'),
  }),
)

/** The corrections of a stored bet; absent fields stay. */
export const betCorrection = betStatement
  .pick({
    ...{ placed_at: true, odds_decimal: true, odds_american: true },
    ...{ stake: true, free_bet: true, sportsbook: true },
  })
  .partial()
  .strict()
export type BetCorrectionStated = z.output<typeof betCorrection>

/** The bettor's own outcome of a bet; an outcome of null takes it back. */
export const betVerdict = z.strictObject({
  outcome: z.enum(betOutcomes).nullable().describe('Null removes your statement.'),
  returned: z
    .number()
    .nonnegative()
    .max(1e15)
    .nullish()
    .describe('The payout, with the stake; needed for `cashed_out`.'),
  shared_by: z
    .int()
    .min(2)
    .max(1_000)
    .nullish()
    .describe('How many shared the place; needed for `dead_heat` without `returned`.'),
  reason: printable.nullish().describe('Your own words, kept with it.'),
})
export type BetVerdictStated = z.output<typeof betVerdict>
