/** The response of `/opportunities/{id}/explain`. Fractions, not rounded. */

import { z } from 'zod'
import { devigMethods } from '../fair-measure.ts'
import { opportunityKinds } from '../opportunity.ts'
import { objectOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
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
    rule: z
      .enum(['equal_return', 'kelly'])
      .describe('Equal return whichever leg wins, or the Kelly stake of the bankroll.'),
    currency: z.string().nullable().describe('That of your profile; null if it names none.'),
    asked: z.number().describe('The requested `total`, or its default.'),
    unit: z.number(),
    kelly_part: z.number().nullable(),
    total: z.number().describe('The total stake, after rounding and limits.'),
    legs: z.array(
      z.object({
        sportsbook: z.string(),
        selection: z.string(),
        max_bet: z
          .number()
          .nullable()
          .describe('Its highest stake: the lower of what it states, in USD, and of your profile.'),
        stake: z.number().describe('Amount paid, with the fee of a contract.'),
        profit: z.number().describe('Net, when this leg alone wins.'),
      }),
    ),
    worst_profit: z
      .number()
      .describe(
        'The lowest profit, whichever leg wins and in `other_outcomes`; for +EV the loss. Voided bets are not counted.',
      ),
    expected_profit: z
      .number()
      .nullable()
      .describe(
        'For +EV: the average gain of a stake that is not refunded; on a whole or quarter line the stake gains less, as it may be refunded in whole or in part.',
      ),
    limited_by: z
      .string()
      .nullable()
      .describe('Id of the sportsbook whose `max_bet` makes all stakes smaller; null for none.'),
    other_outcomes: z
      .array(z.array(z.number()))
      .describe(
        'How a tie, a whole or a quarter line can settle the legs other than by one of them winning alone, in their order: 1 won, 0.5 half won, 0 refunded, -0.5 half lost, -1 lost.',
      ),
    warnings: z
      .array(z.string())
      .describe(
        'What to consider before you stake so much. `CONSENSUS_REF`: the stake counts the whole EV by the consensus, which has been about two points too high.',
      ),
  })
  .describe(
    'Net of fees, within every `max_bet`, rounded to the unit as suits the worst case best; profits rounded down, to the cent, or to eight places if `unit` is no whole cents. Less than asked where that makes the worst case of a sure profit better. All zero where a leg would get no unit.',
  )

const method = z
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

const explanation = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  kind: z.enum(opportunityKinds),
  event_id: z.string(),
  event_name: z.string(),
  league: z.string(),
  start_time: timestamp,
  market_type: z.string(),
  player_name: z.string().nullable(),
  line: z.number().nullable(),
  is_live: z.boolean(),
  detected_at: timestamp,
  as_of: z.object({
    time: timestamp,
    server_time: z.iso.datetime(),
    position: z
      .object({ epoch: z.string(), offsets: z.record(z.string(), z.array(z.number())) })
      .nullable()
      .describe("The board's position in the log."),
  }),
  quotes: z.array(
    z.object({
      role: z.enum(['leg', 'reference', 'other_side']),
      sportsbook: z.string(),
      selection: z.string(),
      selection_type: selectionType,
      line: z.number().nullable(),
      is_hidden: z.boolean().describe('The tier does not see this sportsbook’s prices.'),
      odds_id: z.string().optional(),
      odds_decimal: z.number().optional(),
      odds_american: z.int().optional(),
      implied_probability: z.number().optional(),
      fee: z
        .object({
          on: z.enum(['net_winnings', 'contract']),
          rate: z.number(),
          odds_after_fee: z.number().describe('The basis of all figures.'),
        })
        .optional()
        .describe('For a leg at an exchange, if the service counts fees (`OVERROUND_FEES`).'),
      max_bet: z
        .number()
        .nullable()
        .optional()
        .describe('For a leg: its highest stake in USD; null if not reported.'),
      deep_link: z
        .string()
        .nullable()
        .optional()
        .describe('For a leg: leads to the sportsbook; null if it has no addresses.'),
      last_seen_at: timestamp.optional(),
      age_seconds: z.number().optional(),
      odds_changed_at: timestamp.nullable().optional(),
      changed_in_board_at: z.iso
        .datetime()
        .optional()
        .describe('The position of its change among all; `/odds/delta` accepts it as `since`.'),
      external_event_id: z.string().nullable().optional(),
      selection_id: z.string().nullable().optional(),
      market_id: z.string().nullable().optional(),
    }),
  ),
  result: z.record(z.string(), z.unknown()),
  stakes,
  devig: z.array(
    z.object({
      sportsbook: z.string().nullable().describe('Null: the best prices of several.'),
      answers: z.array(z.string()),
      overround: z.number(),
      devig_method: z
        .enum(devigMethods)
        .nullable()
        .describe('The method of the fair price; null if there is none.'),
      methods: z.object({
        power: method,
        multiplicative: method,
        additive: method,
        shin: method,
        odds_ratio: method,
      }),
    }),
  ),
  ends: z.array(
    z.object({
      cause: z.enum([
        'price_falls',
        'price_is_withdrawn',
        'better_price_elsewhere',
        'not_seen_again',
        'event_starts',
      ]),
      sportsbook: z.string().nullable(),
      odds_id: z.string().nullable(),
      to_odds_decimal: z.number().nullable().describe('It ends at this price or below.'),
      at: timestamp.nullable().describe('When time alone would end it.'),
    }),
  ),
  is_mismatch_suspected: z.boolean(),
  warnings: z.array(z.string()),
})

const updated = '2027-01-14T21:03:10.000Z'
const bothAnswers = { fair_probabilities: [0.5, 0.5], fair_odds_decimal: 2 }
const atEven = { ...bothAnswers, ev_percentage: 2.5, kelly_percent: 2.381 }

export const explanationObject = objectOf(
  example(explanation, {
    id: '7c1e40b95ad2f386',
    kind: 'ev',
    event_id: 'nba_bulls_knicks_2027-01-14_b3',
    event_name: 'Chicago Bulls @ New York Knicks',
    league: 'nba',
    start_time: '2027-01-15T00:40:00.000Z',
    market_type: 'total_points',
    player_name: null,
    line: 228.5,
    is_live: false,
    detected_at: updated,
    as_of: {
      time: updated,
      server_time: '2027-01-14T21:03:10.000000Z',
      position: { epoch: '5b0c', offsets: { odds: [48_211] } },
    },
    quotes: [
      {
        role: 'leg',
        sportsbook: 'draftkings',
        selection: 'Over 228.5',
        selection_type: 'over',
        line: 228.5,
        is_hidden: false,
        odds_id: '482107733919990',
        odds_decimal: 2.05,
        odds_american: 105,
        implied_probability: 0.487_804_878_048_780_5,
        max_bet: 500,
        deep_link: '/api/v1/deeplink/482107733919990',
        last_seen_at: updated,
        age_seconds: 0.4,
        odds_changed_at: updated,
        changed_in_board_at: '2027-01-14T21:03:09.412000Z',
        external_event_id: '34118820',
        selection_id: '0OU22850O',
        market_id: null,
      },
      {
        role: 'reference',
        sportsbook: 'pinnacle',
        selection: 'Over 228.5',
        selection_type: 'over',
        line: 228.5,
        is_hidden: true,
      },
      {
        role: 'reference',
        sportsbook: 'pinnacle',
        selection: 'Under 228.5',
        selection_type: 'under',
        line: 228.5,
        is_hidden: true,
      },
    ],
    result: { fair: 0.5, ev: 0.025, kelly: 0.0238, width: 0.0471 },
    stakes: {
      rule: 'kelly',
      currency: 'USD',
      asked: 1_000,
      unit: 1,
      kelly_part: 1,
      total: 23,
      legs: [
        {
          sportsbook: 'draftkings',
          selection: 'Over 228.5',
          max_bet: 500,
          stake: 23,
          profit: 24.15,
        },
      ],
      worst_profit: -23,
      expected_profit: 0.57,
      limited_by: null,
      other_outcomes: [],
      warnings: [],
    },
    devig: [
      {
        sportsbook: 'pinnacle',
        answers: ['Over 228.5', 'Under 228.5'],
        overround: 0.0471,
        devig_method: 'power',
        methods: {
          power: { parameter: 1.0711, ...atEven },
          multiplicative: { parameter: null, ...atEven },
          additive: { parameter: null, ...atEven },
          shin: { parameter: 0.0471, ...atEven },
          odds_ratio: { parameter: 1.0989, ...atEven },
        },
      },
    ],
    ends: [
      {
        cause: 'price_falls',
        sportsbook: 'draftkings',
        odds_id: '482107733919990',
        to_odds_decimal: 2,
        at: null,
      },
      {
        cause: 'event_starts',
        sportsbook: null,
        odds_id: null,
        to_odds_decimal: null,
        at: '2027-01-15T00:40:00.000Z',
      },
    ],
    is_mismatch_suspected: false,
    warnings: ['SINGLE_SHARP_REF'],
  }),
)
