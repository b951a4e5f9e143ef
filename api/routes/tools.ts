/**
 * `/api/v1/tools`: calculators. Each applies a rule of the service to prices from the client. The board is not read.
 */

import type { z } from 'zod'
import {
  convertFreeBet,
  type Hedge,
  hedgeBet,
  parlay,
  perUnit,
} from '../../pipeline/rules/bets/conversions.ts'
import { outcomeOf, paid, settledOf } from '../../pipeline/rules/bets/settle-bet.ts'
import {
  growthAt,
  kellyUnits,
  mostOutcomes,
  outcomeCount,
  simultaneousKelly,
} from '../../pipeline/rules/bets/simultaneous-kelly.ts'
import { arbitrageProfit, impliedTotal } from '../../pipeline/rules/odds/arbitrage.ts'
import { devig, overround } from '../../pipeline/rules/odds/devig.ts'
import { priceAfterFee } from '../../pipeline/rules/odds/fees.ts'
import { middleFigures } from '../../pipeline/rules/odds/middles.ts'
import { anyResult, possibleResults } from '../../pipeline/rules/odds/possible-results.ts'
import { readPrice, writePrice } from '../../pipeline/rules/odds/price-formats.ts'
import { middleOutlook } from '../../pipeline/rules/odds/results.ts'
import { equalStakes, type StakeLeg, stakesBeside } from '../../pipeline/rules/odds/stakes.ts'
import { jointOutcomes, returned } from '../../pipeline/rules/odds/two-lines.ts'
import { expectedValue, fairPrice } from '../../pipeline/rules/odds/value.ts'
import { isInCents } from '../../pipeline/rules/odds/whole-cents.ts'
import { devigMethods } from '../../schemas/fair-measure.ts'
import {
  arbitrageAnswer,
  arbitrageQuestion,
  freeBetAnswer,
  freeBetQuestion,
  hedgeAnswer,
  hedgeQuestion,
  kellyAnswer,
  kellyQuestion,
  middleAnswer,
  middleQuestion,
  noVigAnswer,
  noVigQuestion,
  oddsAnswer,
  oddsQuestion,
  parlayAnswer,
  parlayQuestion,
} from '../../schemas/http/tools.ts'
import { type PriceFormat, priceFormats } from '../../schemas/price-format.ts'
import { mainMarketType } from '../../schemas/reference/markets.ts'
import { findSport } from '../../schemas/reference/sports.ts'
import { objectBody } from '../answer/json.ts'
import { ApiError } from '../errors.ts'
import { keyAction, type Route } from '../route.ts'

interface Tool<Question extends z.ZodType> {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly question: Question
  readonly answer: z.ZodType
  readonly example: z.input<Question>
  compute(question: z.output<Question>): object
}

const bodyBytes = 32_768
const exampleInstant = Date.parse('2026-11-20T12:00:00Z')

export const createToolRoutes = (clock: () => number): Route[] => [
  toolRoute(noVig, clock),
  toolRoute(arbitrage, clock),
  toolRoute(middle, clock),
  toolRoute(kelly, clock),
  toolRoute(freeBet, clock),
  toolRoute(hedging, clock),
  toolRoute(parlays, clock),
  toolRoute(odds, clock),
]

function toolRoute<Question extends z.ZodType>(
  { name, summary, description, question, answer, example, compute }: Tool<Question>,
  clock: () => number,
): Route {
  const exampleAnswer = objectBody(compute(question.parse(example)), exampleInstant)
  return keyAction({
    method: 'post',
    path: `/api/v1/tools/${name}`,
    tag: 'Calculators',
    summary,
    description,
    query: {},
    body: { as: 'json', schema: question, maxBytes: bodyBytes, example },
    answer: { description: 'The figures.', schema: answer, example: exampleAnswer },
    errors: ['validation_error', 'payload_too_large'],
    handle: ({ body }) => ({ body: objectBody(compute(body as z.output<Question>), clock()) }),
  })
}

// ---- prices and rounding

type Stated = number | string

/** Returns decimal odds. @throws ApiError validation_error, naming the price */
function priceIn(stated: Stated, format: PriceFormat): number {
  const price = readPrice(String(stated), format)
  if (price !== null) return price
  throw new ApiError('validation_error', `odds: ${stated} is no price in the format ${format}.`)
}

/** Returns the price after an exchange's fee. */
const netIn = (bet: { readonly odds: Stated; readonly fee_percent: number }, format: PriceFormat) =>
  priceAfterFee(priceIn(bet.odds, format), { on: 'net_winnings', rate: bet.fee_percent / 100 })

const legIn = (
  bet: {
    readonly odds: Stated
    readonly fee_percent: number
    readonly max_bet?: number | null | undefined
  },
  format: PriceFormat,
): StakeLeg => ({ net: netIn(bet, format), maxBet: bet.max_bet ?? null })

/** Returns the win probability, stated or derived from a fair price; null if neither is given. */
function probabilityIn(
  stated: {
    readonly probability?: number | null | undefined
    readonly fair_odds?: Stated | null | undefined
  },
  format: PriceFormat,
): number | null {
  if (stated.probability != null) return stated.probability
  return stated.fair_odds == null ? null : 1 / priceIn(stated.fair_odds, format)
}

/** Rounds off floating-point noise. */
const shown = (value: number) => Math.round(value * 1e6) / 1e6
const percent = (fraction: number) => Math.round(fraction * 1e6) / 1e4

const formatsOf = (price: number) =>
  Object.fromEntries(priceFormats.map((format) => [format, writePrice(price, format)]))

// ---- the calculators

/** If a method finds a lower probability for an outcome, it has no result: the prices do not form a market. */
const leastShown = 1e-12

const noVig: Tool<typeof noVigQuestion> = {
  name: 'no-vig',
  summary: 'Fair prices of a market, by five methods',
  description: 'The service uses the first, `power`, for +EV and closing-line value.',
  question: noVigQuestion,
  answer: noVigAnswer,
  example: { odds_format: 'american', odds: ['-130', '+110'] },
  compute({ odds_format, odds: stated }) {
    const prices = stated.map((each) => priceIn(each, odds_format))
    return {
      hold_percent: percent(overround(prices)),
      odds: prices.map(shown),
      methods: devigMethods.map((method) => {
        const fair = devig(prices, method)
        const devigged = fair?.probabilities.every((each) => each >= leastShown) ? fair : null
        return {
          method,
          probabilities: devigged?.probabilities.map(shown) ?? null,
          fair_odds: devigged?.probabilities.map((each) => shown(fairPrice(each))) ?? null,
          parameter: devigged?.parameter ?? null,
        }
      }),
    }
  },
}

const arbitrage: Tool<typeof arbitrageQuestion> = {
  name: 'arbitrage',
  summary: 'Stakes with the same return whichever leg wins',
  description:
    'After fees, within limits, in whole units. With `fixed`, the stakes beside a leg already bet. Less is staked where that makes the worst case of an arbitrage better; if all whole units lose, those that lose least. If there is no arbitrage, the stakes with the smallest loss.',
  question: arbitrageQuestion,
  answer: arbitrageAnswer,
  example: {
    legs: [{ odds: 2.1 }, { odds: 2.04, fee_percent: 2, max_bet: 400 }],
    total: 1000,
    unit: 5,
  },
  compute({ odds_format, legs: stated, total, fixed, unit }) {
    const legs = stated.map((each) => legIn(each, odds_format))
    if (fixed && total != null) {
      throw new ApiError('validation_error', 'total: stands alone, without fixed.')
    }
    if (fixed && fixed.leg >= legs.length) {
      throw new ApiError('validation_error', `fixed.leg: there are ${legs.length} legs, from 0.`)
    }
    const plan = fixed
      ? stakesBeside(legs, new Map([[fixed.leg, fixed.stake]]), unit)
      : equalStakes(legs, total ?? 100, unit)
    const implied = impliedTotal(legs.map(({ net }) => net))
    return {
      is_arbitrage: implied < 1,
      implied_percent: percent(implied),
      profit_percent: percent(arbitrageProfit(implied)),
      total: plan.total,
      worst_profit: plan.worst,
      limited_by: plan.limitedBy,
      legs: legs.map(({ net }, i) => ({
        odds: shown(net),
        stake: plan.stakes[i]!,
        profit: plan.profits[i]!,
      })),
    }
  },
}

const middle: Tool<typeof middleQuestion> = {
  name: 'middle',
  summary: 'Two bets at two lines: stakes, and profit by result',
  description:
    'With a `sport`, without results that cannot be; where they are measured, also the chance that both win and the mean profit, as for our own middles.',
  question: middleQuestion,
  answer: middleAnswer,
  example: {
    ...{ odds_format: 'american', kind: 'spread', sport: 'football' },
    ...{ first: { odds: -110, line: -2.5 }, second: { odds: -108, line: 3.5 } },
    ...{ total: 200, unit: 1 },
  },
  compute({ odds_format, kind, first, second, sport, total, unit }) {
    const low = kind === 'total' ? first.line : 0 - first.line
    const high = second.line
    const known = sport == null ? null : findSport(sport)
    if (sport != null && !known) {
      throw new ApiError('validation_error', `sport: there is no ${sport}.`)
    }
    const game = known && { sport: known.id, league: '' }
    const marketType = known && mainMarketType(known.id, kind)
    const canBe = game && marketType ? possibleResults(marketType, game) : anyResult
    const outcomes = jointOutcomes(low, high, canBe)
    if (outcomes.length === 0) {
      throw new ApiError('validation_error', 'line: the two lines are too far apart, or below 0.')
    }
    const legs = [legIn(first, odds_format), legIn(second, odds_format)]
    const plan = equalStakes(legs, total, unit)
    const outlook = game && marketType ? middleOutlook({ marketType, ...game, low, high }) : null
    const nets = [legs[0]!.net, legs[1]!.net] as const
    const figures = outlook && middleFigures(...nets, outlook.between, 1)
    const [stake1, stake2] = plan.stakes as [number, number]
    const results = outcomes.map(({ from, to, over, under }) => ({
      from: Number.isFinite(from) ? from : null,
      to: Number.isFinite(to) ? to : null,
      first: outcomeOf(over),
      second: outcomeOf(under),
      profit: paid(
        stake1 * returned(nets[0], over) + stake2 * returned(nets[1], under) - plan.total,
        unit,
      ),
    }))
    const bothWin = results[outcomes.findIndex(({ over, under }) => over === 1 && under === 1)]
    const worst = Math.min(...results.map(({ profit }) => profit))
    return {
      total: plan.total,
      worst_profit: worst,
      limited_by: plan.limitedBy,
      both_win_profit: bothWin?.profit ?? null,
      break_even_percent:
        bothWin && plan.total > 0
          ? percent(Math.max(0, 0 - plan.worst / (plan.all - plan.worst)))
          : null,
      probability_percent: outlook && percent(outlook.probability),
      expected_percent: figures && percent(figures.expectedValue),
      legs: nets.map((net, i) => ({
        odds: shown(net),
        stake: plan.stakes[i]!,
        profit: plan.profits[i]!,
      })),
      outcomes: results,
    }
  },
}

const kelly: Tool<typeof kellyQuestion> = {
  name: 'kelly',
  summary: 'Kelly stakes of several bets at once',
  description:
    'For bets open at the same time, the stakes with the highest mean logarithm of the bankroll. Bets on different events count as independent; of bets with the same `event` at most one wins. Limits and whole units count: a bet is not hedged by more than it needs at its limit. With a `fraction`, that part of these stakes.',
  question: kellyQuestion,
  answer: kellyAnswer,
  example: {
    ...{ bankroll: 2000, fraction: 0.25 },
    bets: [
      { odds: 2.1, probability: 0.5 },
      { odds: 1.95, fair_odds: 1.85, max_bet: 250 },
    ],
  },
  compute({ odds_format, bankroll, fraction, bets: stated, unit }) {
    const bets = stated.map((each, i) => {
      const { net, maxBet } = legIn(each, odds_format)
      const probability = probabilityIn(each, odds_format)!
      // A bet without a name is on an event of its own, whose number equals no name.
      return { net, maxBet, probability, event: each.event ?? i }
    })
    for (const { event } of bets) {
      const sum = bets.reduce((all, each) => all + (each.event === event ? each.probability : 0), 0)
      if (sum > 1 + 1e-9) {
        throw new ApiError('validation_error', `probability: bets on ${event} sum to more than 1.`)
      }
    }
    if (outcomeCount(bets) > mostOutcomes) {
      throw new ApiError('validation_error', `bets: they have more than ${mostOutcomes} outcomes.`)
    }
    const staked = fraction * bankroll
    const limited = bets.map((bet) => ({
      ...bet,
      most: (bet.maxBet ?? Number.POSITIVE_INFINITY) / staked,
    }))
    const full = simultaneousKelly(bets)
    const possible = simultaneousKelly(limited)
    const stakes = kellyUnits(bets, possible, unit / staked).map((count) => shown(count * unit))
    return {
      total: shown(stakes.reduce((sum, stake) => sum + stake, 0)),
      growth_percent: percent(
        Math.expm1(
          growthAt(
            bets,
            stakes.map((stake) => stake / bankroll),
          ),
        ),
      ),
      expected_profit: paid(
        bets.reduce(
          (sum, { probability, net }, i) => sum + stakes[i]! * expectedValue(probability, net),
          0,
        ),
        unit,
      ),
      bets: limited.map(({ net, probability, most }, i) => ({
        odds: shown(net),
        probability: shown(probability),
        ev_percent: percent(expectedValue(probability, net)),
        kelly_percent: percent(full[i]!),
        stake: stakes[i]!,
        is_limited: possible[i]! >= most,
      })),
    }
  },
}

function hedgeIn(
  {
    kind,
    ...bet
  }: { readonly kind: 'back' | 'lay'; readonly odds: Stated; readonly fee_percent: number },
  format: PriceFormat,
): Hedge {
  if (kind === 'back') return { kind, net: netIn(bet, format) }
  return { kind, odds: priceIn(bet.odds, format), commission: bet.fee_percent / 100 }
}

/**
 * Returns the result of a hedge in whole units: of the stakes below and above the exact one, the one with the higher
 * profit in the worst case.
 * @param won profit of the first bet; @param lost its cost; @param made its stake
 */
function hedged(
  won: number,
  lost: number,
  exact: number,
  hedge: Hedge,
  { unit, made }: { readonly unit: number; readonly made: number },
) {
  const { loss, gain } = perUnit(hedge)
  const profitsOf = (stake: number) => [won - stake * loss, stake * gain - lost] as const
  const worstOf = (stake: number) => Math.min(...profitsOf(stake))
  const [below, above] = [Math.floor(exact / unit + 1e-9), Math.ceil(exact / unit - 1e-9)].map(
    (count) => shown(count * unit),
  ) as [number, number]
  const stake = worstOf(above) > worstOf(below) ? above : below
  const rounded = (amount: number) => paid(amount, isInCents(made) ? unit : made)
  const [first, second] = profitsOf(stake).map(rounded) as [number, number]
  return {
    hedge_stake: stake,
    at_risk: rounded(stake * loss),
    profit_if_first_wins: first,
    profit_if_hedge_wins: second,
    worst_profit: Math.min(first, second),
  }
}

const freeBet: Tool<typeof freeBetQuestion> = {
  name: 'free-bet',
  summary: 'Turns a free bet or a boosted price into money',
  description:
    'With a bet on the rest of the market, or a lay at an exchange, so that both outcomes pay the same.',
  question: freeBetQuestion,
  answer: freeBetAnswer,
  example: { odds: 5, stake: 50, hedge: { kind: 'lay', odds: 5.2, fee_percent: 2 } },
  compute({
    odds_format,
    kind,
    stake,
    stake_returned: isStakeReturned,
    hedge: other,
    unit,
    ...bet
  }) {
    const net = netIn(bet, odds_format)
    const hedge = hedgeIn(other, odds_format)
    const isFree = kind === 'free_bet'
    const { hedgeStake } = isFree
      ? convertFreeBet({ stake, net, isStakeReturned }, hedge)
      : hedgeBet({ stake, net }, hedge)
    const won = stake * (isFree && isStakeReturned ? net : net - 1)
    const figures = hedged(won, isFree ? 0 : stake, hedgeStake, hedge, { unit, made: stake })
    return { ...figures, rate_percent: percent(figures.worst_profit / stake) }
  },
}

const hedging: Tool<typeof hedgeQuestion> = {
  name: 'hedge',
  summary: 'Hedges an open bet',
  description:
    'The stake on the rest of the market, or of a lay, so that both outcomes pay the same.',
  question: hedgeQuestion,
  answer: hedgeAnswer,
  example: { odds: 6, stake: 100, hedge: { odds: 1.8 }, unit: 1 },
  compute({ odds_format, stake, hedge: other, unit, ...bet }) {
    const net = netIn(bet, odds_format)
    const hedge = hedgeIn(other, odds_format)
    const { hedgeStake } = hedgeBet({ stake, net }, hedge)
    return hedged(stake * (net - 1), stake, hedgeStake, hedge, { unit, made: stake })
  },
}

const parlays: Tool<typeof parlayQuestion> = {
  name: 'parlay',
  summary: 'Price, payout and value of a parlay',
  description:
    'The odds of legs are multiplied. Settled legs count by their result, a refunded one as 1. They reduce `offered_odds` in the same proportion: by the product of the legs after settlement, divided by that of their odds. The probability is that of independent legs.',
  question: parlayQuestion,
  answer: parlayAnswer,
  example: {
    odds_format: 'american',
    legs: [
      { odds: -110, probability: 0.52 },
      { odds: '+150', fair_odds: '+140' },
    ],
    stake: 20,
  },
  compute({ odds_format, legs, stake, offered_odds: offered }) {
    const whole = parlay(
      legs.map(({ odds: stated, result, ...chance }) => ({
        price: priceIn(stated, odds_format),
        result: result == null ? null : settledOf(result),
        probability: probabilityIn(chance, odds_format),
      })),
      offered == null ? null : priceIn(offered, odds_format),
    )
    const { price } = whole
    const isKnown = whole.isOpen && whole.probability !== null
    const back = paid(stake * price, stake)
    return {
      odds: shown(price),
      formats: price > 1 ? formatsOf(price) : null,
      is_open: whole.isOpen,
      returns: back,
      profit: paid(back - stake, stake),
      probability: isKnown ? shown(whole.probability!) : null,
      fair_odds: isKnown ? shown(fairPrice(whole.probability!)) : null,
      ev_percent: isKnown ? percent(expectedValue(whole.probability!, price)) : null,
    }
  },
}

const odds: Tool<typeof oddsQuestion> = {
  name: 'odds',
  summary: 'A price in every format',
  description:
    'American, decimal, fractional, Hong Kong, Malay, Indonesian, and as a probability. A fraction is exact or customary where there is one, else the nearest below.',
  question: oddsQuestion,
  answer: oddsAnswer,
  example: { odds: '+150', odds_format: 'american' },
  compute({ odds: stated, odds_format }) {
    const price = priceIn(stated, odds_format)
    return { odds: shown(price), probability: shown(1 / price), formats: formatsOf(price) }
  },
}
