/** The calculators against figures computed another way or by hand. */

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import type { KeyAction } from '../../api/route.ts'
import { createToolRoutes } from '../../api/routes/tools.ts'
import { decodeBody } from '../../api/server/request.ts'

const routes = createToolRoutes(() => 0) as readonly KeyAction[]

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Figures = any

function ask(name: string, question: object): Figures {
  const route = routes.find(({ path }) => path === `/api/v1/tools/${name}`)!
  const body = decodeBody(route.body!.schema, Buffer.from(JSON.stringify(question)))
  const { body: answer } = route.handle({ body } as never) as { body: Figures }
  expect(route.answer!.schema!.safeParse(answer).error).toBeUndefined()
  return answer.data
}

/** Returns the error code of a refused query. */
function refused(name: string, question: object): string {
  try {
    ask(name, question)
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'taken'
}

describe('the price of a parlay of one', () => {
  // Published conversion tables: 2.5 and 1.5 in every format.
  test.each([
    ['american', '+150', 2.5],
    ['american', -200, 1.5],
    ['decimal', 2.5, 2.5],
    ['fractional', '3/2', 2.5],
    ['hong_kong', 0.5, 1.5],
    ['malay', -0.667, 2.499],
    ['indonesian', -2, 1.5],
    ['probability', '40%', 2.5],
    ['american', 'EVEN', 2],
  ])('%s %s is read as %f', (odds_format, odds, price) => {
    expect(ask('odds', { odds, odds_format }).odds).toBeCloseTo(price, 3)
    expect(ask('parlay', { odds_format, legs: [{ odds }] }).odds).toBeCloseTo(price, 3)
  })

  it('is written in every format', () => {
    expect(ask('odds', { odds: 2.5 })).toEqual({
      ...{ odds: 2.5, probability: 0.4 },
      formats: {
        ...{ american: '+150', decimal: '2.5', fractional: '3/2', hong_kong: '1.5' },
        ...{ indonesian: '1.5', malay: '-0.667', probability: '0.4' },
      },
    })
    expect(refused('odds', { odds: 'soon' })).toBe('validation_error')
    expect(refused('odds', { odds: 50, odds_format: 'american' })).toBe('validation_error')
  })
})

describe('no-vig', () => {
  it('has no figures by a method that leaves an outcome nearly nothing', () => {
    const { methods } = ask('no-vig', { odds: [100, 1.000001, 2, 10_000, 10_000, 1.13] })
    expect(methods[0]).toEqual({
      ...{ method: 'power', probabilities: null, fair_odds: null, parameter: null },
    })
    expect(methods[1].fair_odds.every(Number.isFinite)).toBe(true)
  })

  it('is five methods, each a market without margin', () => {
    const { methods, hold_percent } = ask('no-vig', { odds: [1.5, 4.2, 7] })
    expect(hold_percent).toBeCloseTo(100 * (1 / 1.5 + 1 / 4.2 + 1 / 7 - 1), 3)
    expect(methods.map(({ method }: Figures) => method)).toEqual([
      ...['power', 'multiplicative', 'additive', 'shin', 'odds_ratio'],
    ])
    for (const { method, probabilities, fair_odds, parameter } of methods) {
      const sum = probabilities.reduce((all: number, each: number) => all + each, 0)
      expect(sum, method).toBeCloseTo(1, 5)
      expect(1 / fair_odds[0], method).toBeCloseTo(probabilities[0], 5)
      if (method === 'power') expect(1.5 ** -parameter).toBeCloseTo(probabilities[0], 5)
    }
  })
})

describe('arbitrage', () => {
  it('returns alike on two legs, computed by hand', () => {
    // Two bets at 2.1: 500 each return 1050.
    expect(ask('arbitrage', { legs: [{ odds: 2.1 }, { odds: 2.1 }], total: 1000 })).toEqual({
      ...{ is_arbitrage: true, implied_percent: 95.2381, profit_percent: 5 },
      ...{ total: 1000, worst_profit: 50, limited_by: null },
      legs: [
        { odds: 2.1, stake: 500, profit: 50 },
        { odds: 2.1, stake: 500, profit: 50 },
      ],
    })
  })

  it('counts fees, limits and whole units, on any number of legs', () => {
    const odds = fc.double({ min: 1.2, max: 12, noNaN: true })
    const leg = fc.record({
      odds,
      fee_percent: fc.double({ min: 0, max: 10, noNaN: true }),
      max_bet: fc.option(fc.integer({ min: 50, max: 5_000 }), { nil: null }),
    })
    const unit = fc.constantFrom(0.01, 1, 5)
    fc.assert(
      fc.property(fc.array(leg, { minLength: 2, maxLength: 6 }), unit, (legs, unit) => {
        const answer = ask('arbitrage', { legs, total: 1_000, unit })
        let total = 0
        for (const [i, { stake }] of answer.legs.entries()) {
          total += stake
          expect(Math.abs(stake / unit - Math.round(stake / unit))).toBeLessThan(1e-4)
          expect(stake).toBeLessThanOrEqual(legs[i]!.max_bet ?? 1_000)
        }
        expect(total).toBeCloseTo(answer.total, 4)
        expect(total).toBeLessThanOrEqual(1_000 + 1e-6)
        for (const [i, { stake, profit }] of answer.legs.entries()) {
          const { odds, fee_percent } = legs[i]!
          const win = stake * (odds - 1) * (1 - fee_percent / 100)
          expect(Math.abs(stake + win - total - profit)).toBeLessThan(0.0101)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('completes a leg that is already bet', () => {
    // 100 at 3.2 returns 320, 150.24 at 2.13 returns 320.01. In units of 5, 150 leaves a profit of 69.5 or 70.
    const legs = [{ odds: 3.2 }, { odds: 2.13 }]
    const fixed = { leg: 0, stake: 100 }
    expect(ask('arbitrage', { legs, fixed })).toMatchObject({ total: 250.24, worst_profit: 69.76 })
    expect(ask('arbitrage', { legs, fixed, unit: 5 }).legs).toMatchObject([
      { stake: 100, profit: 70 },
      { stake: 150, profit: 69.5 },
    ])
    const limited = [legs[0]!, { odds: 2.13, max_bet: 90 }]
    expect(ask('arbitrage', { legs: limited, fixed })).toMatchObject({
      ...{ limited_by: 1, worst_profit: 1.7 },
      legs: [{ stake: 100 }, { stake: 90 }],
    })
    expect(refused('arbitrage', { legs, fixed, total: 5 })).toBe('validation_error')
    expect(refused('arbitrage', { legs, fixed: { leg: 2, stake: 5 } })).toBe('validation_error')
  })
})

describe('a middle', () => {
  it('gives the profit at each result, computed by hand', () => {
    // Home -2.5 and away +3.5 at 2.0, 100 each: a win by 3 pays 200, any other result nothing.
    const answer = ask('middle', {
      ...{ kind: 'spread', first: { odds: 2, line: -2.5 }, second: { odds: 2, line: 3.5 } },
      total: 200,
    })
    expect(answer).toMatchObject({
      ...{ total: 200, both_win_profit: 200, worst_profit: 0, break_even_percent: 0 },
      outcomes: [
        { from: null, to: 2, first: 'lost', second: 'won', profit: 0 },
        { from: 3, to: 3, first: 'won', second: 'won', profit: 200 },
        { from: 4, to: null, first: 'won', second: 'lost', profit: 0 },
      ],
      probability_percent: null,
    })
  })

  it('says the profit if both win as its row of results does', () => {
    const answer = ask('middle', {
      ...{ odds_format: 'american', kind: 'spread', total: 100, sport: 'football' },
      ...{ first: { odds: -110, line: -2.5 }, second: { odds: -108, line: 7.5 } },
    }) as { both_win_profit: number; outcomes: { first: string; second: string; profit: number }[] }
    const row = answer.outcomes.find(({ first, second }) => first === 'won' && second === 'won')
    expect(answer.both_win_profit).toBe(row?.profit)
  })

  it('knows the probability if results of the sport were measured', () => {
    const about = {
      kind: 'spread',
      first: { odds: 1.91, line: -2.5 },
      second: { odds: 1.91, line: 3.5 },
    }
    const { probability_percent, expected_percent, break_even_percent } = ask('middle', {
      ...about,
      sport: 'football',
    })
    expect(probability_percent).toBeGreaterThan(5)
    expect(break_even_percent).toBeCloseTo((100 * -(1.91 / 2 - 1)) / (1.91 / 2), 1)
    // One of the two bets always wins, and both win with that probability.
    expect(expected_percent).toBeCloseTo(100 * (1.91 / 2 - 1) + (probability_percent * 1.91) / 2, 2)
    expect(refused('middle', { ...about, sport: 'quidditch' })).toBe('validation_error')
  })

  it('leaves out a result that no game of the sport has', () => {
    const about = {
      ...{ kind: 'spread', total: 100 },
      ...{ first: { odds: 1.91, line: 1 }, second: { odds: 1.91, line: 1 } },
    }
    const rowsOf = ({ outcomes }: Figures) =>
      outcomes.map(({ from, to, profit }: Figures) => [from, to, profit])
    const level = ask('middle', { ...about, sport: 'football' })
    expect(level).toMatchObject({ both_win_profit: 91, break_even_percent: 4.712 })
    expect(rowsOf(level)).toContainEqual([0, 0, 91])
    const never = ask('middle', { ...about, sport: 'basketball' })
    expect(never).toMatchObject({
      ...{ both_win_profit: null, break_even_percent: null, probability_percent: 0 },
      worst_profit: -4.5,
    })
    expect(rowsOf(never)).toEqual([
      [null, -2, -4.5],
      [-1, -1, 45.5],
      [1, 1, 45.5],
      [2, null, -4.5],
    ])
    const total = { ...about, kind: 'total', first: { odds: 1.91, line: 0 }, sport: 'soccer' }
    expect(rowsOf(ask('middle', total))).toEqual([
      [0, 0, 45.5],
      [1, 1, 45.5],
      [2, null, -4.5],
    ])
  })

  it('settles whole and quarter lines as halves and refunds', () => {
    const { outcomes } = ask('middle', {
      ...{ kind: 'total', first: { odds: 2, line: 2.25 }, second: { odds: 2, line: 3 } },
      total: 100,
    })
    expect(
      outcomes.map(({ from, first, second, profit }: Figures) => [from, first, second, profit]),
    ).toEqual([
      [null, 'lost', 'won', 0],
      [2, 'half_lost', 'won', 25],
      [3, 'won', 'refunded', 50],
      [4, 'won', 'lost', 0],
    ])
  })
})

describe('Kelly', () => {
  it('of one bet is the formula', () => {
    // (0.5 x 2.2 - 1) / 1.2 of 1200, a quarter of it.
    const { bets, expected_profit } = ask('kelly', {
      ...{ bankroll: 1200, fraction: 0.25 },
      bets: [{ odds: 2.2, probability: 0.5 }],
    })
    expect(bets[0]).toMatchObject({ stake: 25, kelly_percent: 8.3333, ev_percent: 10 })
    expect(expected_profit).toBe(2.5)
  })

  it('of two independent bets equals a search over both', () => {
    const bets = [
      { odds: 2.2, probability: 0.5 },
      { odds: 3, probability: 0.4 },
    ]
    const answer = ask('kelly', { bankroll: 10_000, bets })
    let best = { growth: 0, stakes: [0, 0] }
    for (let a = 0; a < 0.2; a += 0.001) {
      for (let b = 0; b < 0.2; b += 0.001) {
        const growth =
          0.2 * Math.log(1 + 1.2 * a + 2 * b) +
          0.3 * Math.log(1 + 1.2 * a - b) +
          0.2 * Math.log(1 - a + 2 * b) +
          0.3 * Math.log(1 - a - b)
        if (growth > best.growth) best = { growth, stakes: [a, b] }
      }
    }
    for (const [i, { stake }] of answer.bets.entries()) {
      expect(stake / 10_000).toBeCloseTo(best.stakes[i]!, 2)
    }
    expect(answer.growth_percent).toBeCloseTo(100 * Math.expm1(best.growth), 2)
  })

  it('keeps no hedge of a bet that is not made', () => {
    const bets = [
      { odds: 2.2, probability: 0.6, event: 'g', max_bet: 10 },
      { odds: 2.45, probability: 0.4, event: 'g' },
    ]
    for (const fraction of [1, 0.25]) {
      const answer = ask('kelly', { bankroll: 1000, fraction, bets })
      // 10 at 2.2 return 22, and so do 8.98 at 2.45.
      expect(answer.bets[0]).toMatchObject({ stake: 10, is_limited: true })
      expect(answer.bets[1].stake).toBeLessThan(9)
      expect(answer.growth_percent).toBeGreaterThan(0)
      expect(answer.expected_profit).toBeGreaterThan(0)
    }
    // A unit that is more than the limit leaves nothing to hedge.
    expect(ask('kelly', { bankroll: 1000, unit: 20, bets })).toMatchObject({
      ...{ total: 0, growth_percent: 0, bets: [{ stake: 0, is_limited: true }, { stake: 0 }] },
    })
  })

  it.each(['bet 0', '0', 'bet 1', '1', 'undefined'])(
    'takes a bet without an event as independent of one named %s',
    (event) => {
      const bet = { odds: 2.2, probability: 0.6 }
      const named = (first: object, second: object) =>
        ask('kelly', {
          bankroll: 1000,
          bets: [
            { ...bet, ...first },
            { ...bet, ...second },
          ],
        })
      const apart = named({ event: 'a' }, { event: 'b' })
      expect(named({}, { event })).toEqual(apart)
      expect(named({ event }, {})).toEqual(apart)
      expect(named({}, {})).toEqual(apart)
    },
  )

  it('respects limits, and refuses invalid input', () => {
    const bet = { odds: 3, probability: 0.6 }
    const limited = ask('kelly', { bankroll: 1000, bets: [{ ...bet, max_bet: 12 }] })
    expect(limited.bets[0]).toMatchObject({ stake: 12, is_limited: true })
    const both = [
      { ...bet, event: 'a' },
      { ...bet, event: 'a' },
    ]
    expect(refused('kelly', { bankroll: 1000, bets: both })).toBe('validation_error')
    expect(refused('kelly', { bankroll: 1000, bets: [{ odds: 2 }] })).toBe('validation_error')
  })
})

describe('a second bet', () => {
  it('turns a free bet into money, as in matched betting', () => {
    // The stake is not returned: lay stake = stake x (odds - 1) / (lay - commission).
    const answer = ask('free-bet', {
      ...{ odds: 5, stake: 50, hedge: { kind: 'lay', odds: 5.2, fee_percent: 2 } },
    })
    expect(answer.hedge_stake).toBeCloseTo((50 * 4) / (5.2 - 0.02), 2)
    expect(answer.at_risk).toBeCloseTo(answer.hedge_stake * 4.2, 2)
    expect(answer.profit_if_first_wins).toBeCloseTo(answer.profit_if_hedge_wins, 1)
    expect(answer.rate_percent).toBeCloseTo((100 * answer.worst_profit) / 50, 2)
  })

  it('takes the gain of a boosted price', () => {
    // 100 at 2.4 and 2.4 / 2.0 x 100 = 120 at 2.0: 240 either way.
    expect(
      ask('free-bet', { kind: 'boost', odds: 2.4, stake: 100, hedge: { odds: 2 } }),
    ).toMatchObject({ hedge_stake: 120, worst_profit: 20, rate_percent: 20 })
  })

  it('is rounded to the unit with the higher profit in the worst case', () => {
    // 10 x 4 / 5.18 = 7.72. A lay of 5 gains 4.9 where the free bet loses; one of 10 loses 2 where it wins.
    const lay = { kind: 'lay', odds: 5.2, fee_percent: 2 }
    expect(ask('free-bet', { odds: 5, stake: 10, hedge: lay, unit: 5 })).toMatchObject({
      ...{ hedge_stake: 5, at_risk: 21, worst_profit: 4.9, rate_percent: 49 },
    })
    const price = fc.double({ min: 1.1, max: 12, noNaN: true })
    const hedge = fc.record({
      kind: fc.constantFrom('back', 'lay'),
      odds: price,
      fee_percent: fc.constantFrom(0, 2, 5),
    })
    const unit = fc.constantFrom(1, 5, 20, 50, 500)
    fc.assert(
      fc.property(price, hedge, unit, fc.boolean(), (odds, hedge, unit, isFree) => {
        const name = isFree ? 'free-bet' : 'hedge'
        const { hedge_stake, worst_profit } = ask(name, { odds, stake: 100, hedge, unit })
        const isLay = hedge.kind === 'lay'
        const net = 1 - hedge.fee_percent / 100
        const worst = (units: number) => {
          const stake = units * unit
          const [loss, gain] = isLay
            ? [stake * (hedge.odds - 1), stake * net]
            : [stake, stake * (hedge.odds - 1) * net]
          return Math.min(100 * (odds - 1) - loss, gain - (isFree ? 0 : 100))
        }
        const best = Math.max(...Array.from({ length: 1_300 / unit + 2 }, (_, i) => worst(i)))
        expect(worst(Math.round(hedge_stake / unit))).toBeCloseTo(best, 6)
        expect(Math.abs(worst_profit - best)).toBeLessThan(0.00501)
      }),
    )
  })

  it('secures an open bet, in whole units', () => {
    // 100 at 6 returns 600, and 600 / 1.8 = 333.33.
    expect(ask('hedge', { odds: 6, stake: 100, hedge: { odds: 1.8 }, unit: 1 })).toEqual({
      ...{ hedge_stake: 333, at_risk: 333 },
      ...{ profit_if_first_wins: 167, profit_if_hedge_wins: 166.4, worst_profit: 166.4 },
    })
  })
})

describe('amounts finer than a cent', () => {
  it('are to eight places', () => {
    const legs = [{ odds: 2.03 }, { odds: 2.03 }]
    expect(ask('parlay', { legs: [{ odds: 1.93 }], stake: 0.0015 })).toMatchObject({
      ...{ returns: 0.002_895, profit: 0.001_395 },
    })
    expect(ask('arbitrage', { legs, total: 0.06, unit: 0.015 }).worst_profit).toBe(0.0009)
    const middle = {
      kind: 'total',
      first: { odds: 2.03, line: 2 },
      second: { odds: 2.03, line: 3 },
    }
    expect(ask('middle', { ...middle, total: 0.06, unit: 0.015 }).worst_profit).toBe(0.0009)
    const kelly = { bankroll: 1, unit: 0.015, bets: [{ odds: 2.2, probability: 0.5 }] }
    expect(ask('kelly', kelly)).toMatchObject({ total: 0.075, expected_profit: 0.0075 })
    expect(ask('hedge', { odds: 2.5, stake: 0.0333, hedge: { odds: 2.5 } })).toMatchObject({
      ...{ hedge_stake: 0.03, profit_if_first_wins: 0.019_95, profit_if_hedge_wins: 0.0117 },
    })
  })
})

describe('a parlay', () => {
  it('multiplies, with refunds and halves of legs that have ended', () => {
    // 2.0 won, 1.9 refunded, 1.8 half won (1.4), 3.0 open.
    const legs = [
      { odds: 2, result: 'won' },
      { odds: 1.9, result: 'refunded' },
      { odds: 1.8, result: 'half_won' },
      { odds: 3, probability: 0.35 },
    ]
    expect(ask('parlay', { legs, stake: 10 })).toMatchObject({
      ...{ odds: 8.4, is_open: true, returns: 84, profit: 74, probability: 0.35 },
      ev_percent: expect.closeTo(100 * (0.35 * 8.4 - 1), 3),
    })
    const lost = ask('parlay', { legs: [...legs, { odds: 2, result: 'lost' }], stake: 10 })
    expect(lost).toMatchObject({ odds: 0, is_open: false, profit: -10, formats: null })
    // 9 x 8.4 / (2 x 1.9 x 1.8 x 3) = 3.684.
    expect(ask('parlay', { legs, stake: 10, offered_odds: 9 }).profit).toBe(26.84)
    const boosted = { legs: [{ odds: 2, result: 'lost' }, { odds: 3 }], offered_odds: 8 }
    expect(ask('parlay', { ...boosted, stake: 10 })).toMatchObject({ odds: 0, returns: 0 })
  })

  it('reduces an offered price by the legs that have ended as it reduces that of the legs', () => {
    const offered = (...results: readonly (string | null)[]) =>
      ask('parlay', {
        legs: results.map((result) => ({ odds: 2, result, ...(!result && { probability: 0.5 }) })),
        ...{ stake: 100, offered_odds: 8.5 },
      })
    expect(offered(null, null, null)).toMatchObject({ odds: 8.5, returns: 850, ev_percent: 6.25 })
    expect(offered('won', 'won', null)).toMatchObject({ odds: 8.5, ev_percent: 325 })
    // One of three legs at 2.0 counts 1 in place of 2: half of 8.5.
    expect(offered('won', 'refunded', null)).toMatchObject({
      ...{ odds: 4.25, returns: 425, profit: 325, probability: 0.5, ev_percent: 112.5 },
    })
    // Half won counts 1.5, half lost 0.5.
    expect(offered('half_won', 'won', null)).toMatchObject({ odds: 6.375, returns: 637.5 })
    expect(offered('half_lost', 'refunded', null)).toMatchObject({ odds: 1.0625, returns: 106.25 })
    // All refunded is no bet.
    expect(offered('refunded', 'refunded', 'refunded')).toMatchObject({ odds: 1, profit: 0 })
  })
})
