/** The response of `/opportunities/{id}/explain`. Fractions, not rounded. */

import { z } from 'zod'
import { type DevigMethod, devigMethods } from '../fair-measure.ts'
import { opportunityKinds } from '../opportunity.ts'
import { objectOf, timestamp } from './envelope.ts'
import { example, exampleOf } from './example.ts'
import { boardQuery, oddsQuery } from './odds-query.ts'
import { evContract } from './opportunities/ev.ts'
import { selectionType } from './opportunities/opportunity.ts'
import { decimal, text } from './query.ts'

const { devig_book, devig_books, devig_method } = evContract.query

export const explainQuery = {
  total: decimal({
    description:
      'Total of `stakes`; for +EV the bankroll. Default: the bankroll of your profile, else 100.',
    example: 1000,
    min: 0,
    max: 1e9,
  }),
  unit: decimal({
    description: 'Stakes are whole multiples of it. Default: the unit of your profile, else 0.01.',
    example: 5,
    min: 0.01,
    max: 1e6,
  }),
  kelly: decimal({
    description:
      'The part of the full Kelly stake of +EV: 0.25 is a quarter. Default: that of your profile, else 1.',
    example: 0.25,
    min: 0,
    max: 1,
  }),
  books: boardQuery.books,
  state: oddsQuery.state,
  devig_book,
  devig_books,
  devig_method,
  event: text({
    description:
      'The event of a +EV listed only with these `devig_book`, `devig_books` or `devig_method`.',
    maxLength: 200,
  }),
} as const

const stakes = z
  .object({
    rule: example(
      z.enum(['equal_return', 'kelly']),
      'kelly',
      'Equal return whichever leg wins, or the Kelly stake of the bankroll.',
    ),
    currency: example(z.string().nullable(), 'USD', 'That of your profile; null if it names none.'),
    asked: example(z.number(), 1_000, 'The requested `total`, or its default.'),
    unit: example(z.number(), 1),
    kelly_part: example(z.number().nullable(), 1),
    total: example(z.number(), 23, 'The total stake, after rounding and limits.'),
    legs: z.array(
      z.object({
        sportsbook: example(z.string(), 'draftkings'),
        selection: example(z.string(), 'Over 228.5'),
        max_bet: example(
          z.number().nullable(),
          500,
          'Its highest stake: the lower of what it states, in USD, and of your profile.',
        ),
        stake: example(z.number(), 23, 'Amount paid, with the fee of a contract.'),
        profit: example(z.number(), 24.15, 'Net, when this leg alone wins.'),
      }),
    ),
    worst_profit: example(
      z.number(),
      -23,
      'The lowest profit, whichever leg wins and in `other_outcomes`; for +EV the loss. Voided bets are not counted.',
    ),
    expected_profit: example(
      z.number().nullable(),
      0.57,
      'For +EV: the average gain of a stake that is not refunded; on a whole or quarter line the stake gains less, as it may be refunded in whole or in part.',
    ),
    limited_by: z
      .string()
      .nullable()
      .describe('Id of the sportsbook whose `max_bet` makes all stakes smaller; null for none.'),
    other_outcomes: example(
      z.array(z.array(z.number())),
      [],
      'How a tie, a whole or a quarter line can settle the legs other than by one of them winning alone, in their order: 1 won, 0.5 half won, 0 refunded, -0.5 half lost, -1 lost.',
    ),
    warnings: example(
      z.array(z.string()),
      [],
      'What to consider before you stake so much. `CONSENSUS_REF`: the stake counts the whole EV by the consensus, which has been about two points too high.',
    ),
  })
  .describe(
    'Net of fees, within every `max_bet`, rounded to the unit as suits the worst case best; profits rounded down, to the cent, or to eight places if `unit` is no whole cents. Less than asked where that makes the worst case of a sure profit better. All zero where a leg would get no unit.',
  )

const methodResult = z
  .object({
    parameter: z.number().nullable().describe('Exponent, share of insiders or odds ratio.'),
    fair_probabilities: z.array(z.number()).describe('Empty if the prices are hidden.'),
    fair_odds_decimal: z.number().optional(),
    ev_percentage: z.number().optional(),
    kelly_percent: z.number().optional(),
  })
  .nullable()
  .describe(
    'Null if the method has no result for these prices, and, except for power, if these are hidden.',
  )

/** The result of a method for two equal prices, which all methods agree on. */
const method = (parameter: number | null) =>
  example(methodResult, {
    parameter,
    fair_probabilities: [0.5, 0.5],
    fair_odds_decimal: 2,
    ev_percentage: 2.5,
    kelly_percent: 2.381,
  })

const updated = '2027-01-14T21:03:10.000Z'
const oddsId = '482107733919990'
const startTime = '2027-01-15T00:40:00.000Z'

const quote = z.object({
  role: example(z.enum(['leg', 'reference', 'other_side']), 'leg'),
  sportsbook: example(z.string(), 'draftkings'),
  selection: example(z.string(), 'Over 228.5'),
  selection_type: example(selectionType, 'over'),
  line: example(z.number().nullable(), 228.5),
  is_hidden: z.boolean().describe('The tier does not see this sportsbook’s prices.'),
  odds_id: example(z.string().optional(), oddsId),
  odds_decimal: example(z.number().optional(), 2.05),
  odds_american: example(z.int().optional(), 105),
  implied_probability: example(z.number().optional(), 0.487_804_878_048_780_5),
  fee: z
    .object({
      on: z.enum(['net_winnings', 'contract']),
      rate: z.number(),
      odds_after_fee: z.number().describe('The basis of all figures.'),
    })
    .optional()
    .describe('For a leg at an exchange, if the service counts fees (`OVERROUND_FEES`).'),
  max_bet: example(
    z.number().nullable().optional(),
    500,
    'For a leg: its highest stake in USD; null if not reported.',
  ),
  deep_link: example(
    z.string().nullable().optional(),
    `/api/v1/deeplink/${oddsId}`,
    'For a leg: leads to the sportsbook; null if it has no addresses.',
  ),
  last_seen_at: example(timestamp.optional(), updated),
  age_seconds: example(z.number().optional(), 0.4),
  odds_changed_at: example(timestamp.nullable().optional(), updated),
  changed_in_board_at: example(
    z.iso.datetime().optional(),
    '2027-01-14T21:03:09.412000Z',
    'The position of its change among all; `/odds/delta` accepts it as `since`.',
  ),
  external_event_id: example(z.string().nullable().optional(), '34118820'),
  selection_id: example(z.string().nullable().optional(), '0OU22850O'),
  market_id: example(z.string().nullable().optional(), null),
})

const hiddenQuote = {
  role: 'reference',
  sportsbook: 'pinnacle',
  selection: 'Over 228.5',
  selection_type: 'over',
  line: 228.5,
  is_hidden: true,
} as const

const end = z.object({
  cause: example(
    z.enum([
      'price_falls',
      'price_is_withdrawn',
      'better_price_elsewhere',
      'not_seen_again',
      'event_starts',
    ]),
    'price_falls',
  ),
  sportsbook: example(z.string().nullable(), 'draftkings'),
  odds_id: example(z.string().nullable(), oddsId),
  to_odds_decimal: example(z.number().nullable(), 2, 'It ends at this price or below.'),
  at: example(timestamp.nullable(), null, 'When time alone would end it.'),
})

const explanation = z.object({
  id: example(z.string().regex(/^[0-9a-f]{16}$/), '7c1e40b95ad2f386'),
  kind: example(z.enum(opportunityKinds), 'ev'),
  event_id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  event_name: example(z.string(), 'Chicago Bulls @ New York Knicks'),
  league: example(z.string(), 'nba'),
  start_time: example(timestamp, startTime),
  market_type: example(z.string(), 'total_points'),
  player_name: z.string().nullable(),
  line: example(z.number().nullable(), 228.5),
  is_live: z.boolean(),
  detected_at: example(timestamp, updated),
  as_of: z.object({
    time: example(timestamp, updated),
    server_time: example(z.iso.datetime(), '2027-01-14T21:03:10.000000Z'),
    position: example(
      z
        .object({ epoch: z.string(), offsets: z.record(z.string(), z.array(z.number())) })
        .nullable(),
      { epoch: '5b0c', offsets: { odds: [48_211] } },
      "The board's position in the log.",
    ),
  }),
  quotes: example(z.array(quote), [
    exampleOf(quote),
    hiddenQuote,
    { ...hiddenQuote, selection: 'Under 228.5', selection_type: 'under' },
  ]),
  result: example(z.record(z.string(), z.unknown()), {
    fair: 0.5,
    ev: 0.025,
    kelly: 0.0238,
    width: 0.0471,
  }),
  stakes,
  devig: z.array(
    z.object({
      sportsbook: example(z.string().nullable(), 'pinnacle', 'Null: the best prices of several.'),
      answers: example(z.array(z.string()), ['Over 228.5', 'Under 228.5']),
      overround: example(z.number(), 0.0471),
      devig_method: example(
        z.enum(devigMethods).nullable(),
        'power',
        'The method of the fair price; null if there is none.',
      ),
      methods: z.object({
        power: method(1.0711),
        multiplicative: method(null),
        additive: method(null),
        shin: method(0.0471),
        odds_ratio: method(1.0989),
      } satisfies Record<DevigMethod, z.ZodType>),
    }),
  ),
  ends: example(z.array(end), [
    exampleOf(end),
    {
      cause: 'event_starts',
      sportsbook: null,
      odds_id: null,
      to_odds_decimal: null,
      at: startTime,
    },
  ]),
  is_mismatch_suspected: z.boolean(),
  warnings: example(z.array(z.string()), ['SINGLE_SHARP_REF']),
})

export const explanationObject = objectOf(explanation)
