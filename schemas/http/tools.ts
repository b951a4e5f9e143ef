/**
 * Requests and responses of the calculators. Prices are in the request's format, as a number or as text; responses
 * have decimal odds. Fractions are `0.05`; a field ending in `_percent` is percent.
 */

import { z } from 'zod'
import { betOutcomes } from '../bet.ts'
import { priceFormats } from '../price-format.ts'
import { objectOf } from './envelope.ts'
import { withOneOf } from './needed-fields.ts'

/** American odds of the highest and the lowest price. No other format has a number beyond them. */
const mostAmerican = 1e8

/** A number with a point or a comma, also in percent, a fraction, or a word for evens. */
const priceForm =
  /^\s*(?:[+−-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*%?|[0-9]+\s*[/−-]\s*[0-9]+|[Ee][Vv](?:[Ee][Nn])?[Ss]?)\s*$/

export const toolPrice = z
  .union(
    [
      z.number().min(-mostAmerican).max(mostAmerican),
      // Aborts here, because matching the form takes time in proportion to the square of the
      // length.
      z.string().max(20, { abort: true }).regex(priceForm),
    ],
    'has to be a price, such as 1.91, "-110" or "10/11"',
  )
  .describe('In `odds_format`: `1.91`, `"-110"`, `"EVEN"`, `"10/11"`, `0.91`.')
const format = z.enum(priceFormats).default('decimal')

const money = z.number().positive().max(1e12)
const unit = z.number().min(0.01).max(1e6).default(0.01)

const fee = z
  .number()
  .min(0)
  .max(50)
  .default(0)
  .describe('Exchange commission, in percent of net winnings.')
const maxBet = money.nullish()
const line = z.number().min(-1_000).max(1_000).multipleOf(0.25)
const probability = z.number().gt(0).lt(1)

const priced = { odds: toolPrice, fee_percent: fee }

// ---- requests

export const noVigQuestion = z.strictObject({
  odds_format: format,
  odds: z.array(toolPrice).min(2).max(100).describe('Prices of all outcomes of the market.'),
})

export const arbitrageQuestion = z.strictObject({
  odds_format: format,
  legs: z
    .array(z.strictObject({ ...priced, max_bet: maxBet }))
    .min(2)
    .max(10),
  total: money.nullish().describe('Most to stake in total. Default 100.'),
  fixed: z
    .strictObject({ leg: z.int().min(0).max(9), stake: money })
    .nullish()
    .describe('A leg already bet, counted from 0; instead of `total`.'),
  unit,
})

export const middleQuestion = z.strictObject({
  odds_format: format,
  kind: z.enum(['total', 'spread']),
  first: z
    .strictObject({ ...priced, line, max_bet: maxBet })
    .describe('The over; for a spread, one side with its own line: -2.5.'),
  second: z
    .strictObject({ ...priced, line, max_bet: maxBet })
    .describe('The under; for a spread, the other side: +3.5.'),
  sport: z.string().min(1).max(60).nullish().describe('For probabilities by our model of results.'),
  total: money.default(100),
  unit,
})

export const kellyQuestion = z.strictObject({
  odds_format: format,
  bankroll: money,
  fraction: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Part of the full Kelly stake: 0.25 is a quarter.'),
  bets: z
    .array(
      withOneOf(
        ['probability', 'fair_odds'],
        z.strictObject({
          ...priced,
          probability: probability.nullish().describe('Chance to win; or give `fair_odds`.'),
          fair_odds: toolPrice.nullish(),
          event: z
            .string()
            .min(1)
            .max(100)
            .nullish()
            .describe('At most one bet with the same name wins. Without a name: independent.'),
          max_bet: maxBet,
        }),
      ),
    )
    .min(1)
    .max(10),
  unit,
})

const hedge = z.strictObject({
  kind: z
    .enum(['back', 'lay'])
    .default('back')
    .describe('`back`: on the rest of the market; `lay`: against the outcome, at an exchange.'),
  ...priced,
})

export const freeBetQuestion = z.strictObject({
  odds_format: format,
  kind: z
    .enum(['free_bet', 'boost'])
    .default('free_bet')
    .describe('`boost`: your own money at a better price.'),
  ...priced,
  stake: money,
  stake_returned: z.boolean().default(false).describe('Whether a free bet also returns its stake.'),
  hedge,
  unit,
})

export const hedgeQuestion = z.strictObject({
  odds_format: format,
  ...priced,
  stake: money.describe('Stake of the bet already made.'),
  hedge,
  unit,
})

export const parlayQuestion = z.strictObject({
  odds_format: format,
  legs: z
    .array(
      z.strictObject({
        odds: toolPrice,
        result: z
          .enum(['won', 'half_won', 'refunded', 'half_lost', 'lost'])
          .nullish()
          .describe('Result of a settled leg.'),
        probability: probability.nullish(),
        fair_odds: toolPrice.nullish(),
      }),
    )
    .min(1)
    .max(30),
  stake: money.default(100),
  offered_odds: toolPrice
    .nullish()
    .describe('Price offered for the parlay with all its legs, if it differs.'),
})

export const oddsQuestion = z.strictObject({ odds: toolPrice, odds_format: format })

// ---- responses

const number = z.number()
const percent = z.number()
const formats = z
  .record(z.enum(priceFormats), z.string())
  .describe('The same price in every format.')

export const noVigAnswer = objectOf(
  z.object({
    hold_percent: percent,
    odds: z.array(number).describe('Decimal.'),
    methods: z.array(
      z.object({
        method: z.string(),
        probabilities: z.array(number).nullable().describe('Null if the method has no result.'),
        fair_odds: z.array(number).nullable(),
        parameter: number.nullable(),
      }),
    ),
  }),
)

const staked = {
  total: number,
  worst_profit: number,
  limited_by: z
    .int()
    .nullable()
    .describe(
      'Number, from 0, of the leg whose `max_bet` makes all stakes smaller; null for none.',
    ),
}

const leg = z.object({
  odds: number.describe('Decimal, after the fee.'),
  stake: number,
  profit: number.describe('Total profit if only this leg wins.'),
})

export const arbitrageAnswer = objectOf(
  z.object({
    is_arbitrage: z.boolean(),
    implied_percent: percent.describe('The sum of implied probabilities, percent; below 100 pays.'),
    profit_percent: percent.describe('Percent of the total stake, before rounding.'),
    ...staked,
    legs: z.array(leg),
  }),
)

export const middleAnswer = objectOf(
  z.object({
    ...staked,
    both_win_profit: number.nullable().describe('Null if no result wins both.'),
    break_even_percent: percent.nullable().describe('How often both must win to come out even.'),
    probability_percent: percent
      .nullable()
      .describe('Chance that both win, by our model of results.'),
    expected_percent: percent.nullable().describe('Mean profit in percent.'),
    legs: z.array(leg),
    outcomes: z
      .array(
        z.object({
          from: number.nullable().describe('First result settled alike; null: no lowest.'),
          to: number.nullable().describe('Last one; null: no highest.'),
          first: z.enum(betOutcomes),
          second: z.enum(betOutcomes),
          profit: number,
        }),
      )
      .describe('Results: points of both, or the margin by which the first side wins.'),
  }),
)

export const kellyAnswer = objectOf(
  z.object({
    total: number,
    growth_percent: percent.describe('Mean growth of the bankroll with these stakes.'),
    expected_profit: number,
    bets: z.array(
      z.object({
        odds: number,
        probability: number,
        ev_percent: percent,
        kelly_percent: percent.describe(
          'Full stake in percent of the bankroll, given the other bets, without limits.',
        ),
        stake: number,
        is_limited: z.boolean().describe('Whether `max_bet` makes the stake smaller.'),
      }),
    ),
  }),
)

const hedged = {
  hedge_stake: number.describe('For a lay, the backer’s stake.'),
  at_risk: number.describe('The stake, or the liability of the lay.'),
  profit_if_first_wins: number,
  profit_if_hedge_wins: number,
  worst_profit: number,
}

export const freeBetAnswer = objectOf(
  z.object({
    ...hedged,
    rate_percent: percent.describe('Percent of the stake that becomes money.'),
  }),
)
export const hedgeAnswer = objectOf(z.object(hedged))

export const parlayAnswer = objectOf(
  z.object({
    odds: number.describe('Decimal; 0 when lost.'),
    formats: formats.nullable(),
    is_open: z.boolean(),
    returns: number,
    profit: number,
    probability: number.nullable().describe('For independent legs; null if one is unknown.'),
    fair_odds: number.nullable(),
    ev_percent: percent.nullable().describe('At the offered price, or that of the legs.'),
  }),
)

export const oddsAnswer = objectOf(z.object({ odds: number, probability: number, formats }))
