/** The highest stakes on the bets of an opportunity. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limitOf, totalLimit } from '../../api/web/client/data/limits.ts'

const leg = (price: number, stake: number | null) => ({ price, stake })

it('is the lower of what the sportsbook states and what the profile does', () => {
  const own = [
    { sportsbook: 'fanduel', max_stake: 250 },
    { sportsbook: 'betmgm', max_stake: null },
  ]
  const at = (sportsbook: string, maxBet: number | null) => limitOf({ sportsbook, maxBet }, own)
  expect([at('fanduel', 400), at('fanduel', 90), at('fanduel', null)]).toEqual([250, 90, 250])
  expect([at('betmgm', 90), at('betmgm', null), at('caesars', 70)]).toEqual([90, null, 70])
  expect(at('caesars', null)).toBeNull()
})

it('bounds the total stake by the bet that reaches its limit first', () => {
  const legs = [leg(2.72, 37.13), leg(1.606, 62.87)]
  expect(totalLimit(legs, [null, null])).toBeNull()
  expect(totalLimit(legs, [null, 628.7])).toEqual({ leg: 1, total: expect.closeTo(1_000, 6) })
  // 500 of 37.13 % is 1,346.6 in all, 628.7 of 62.87 % only 1,000.
  expect(totalLimit(legs, [500, 628.7])).toEqual({ leg: 1, total: expect.closeTo(1_000, 6) })
  expect(totalLimit(legs, [100, 628.7])).toEqual({ leg: 0, total: expect.closeTo(269.3, 1) })
  expect(totalLimit(legs, [0, 628.7])).toEqual({ leg: 0, total: 0 })
})

it('is the limit itself of a single bet, whose stake is a part of the bankroll', () => {
  expect(totalLimit([leg(2.1, 4.24)], [80])).toEqual({ leg: 0, total: 80 })
})

it('splits a stake that the list does not split so that all bets return alike', () => {
  const found = totalLimit([leg(2, null), leg(3, null)], [null, 100])!
  expect(found).toEqual({ leg: 1, total: expect.closeTo(250, 9) })
})

it('is never more than a bet takes, and one bet takes all that it may', () => {
  const bet = fc.record({
    price: fc.double({ min: 1.01, max: 50, noNaN: true }),
    limit: fc.option(fc.double({ min: 1, max: 1e6, noNaN: true })),
  })
  fc.assert(
    fc.property(fc.array(bet, { minLength: 2, maxLength: 3 }), (bets) => {
      const legs = bets.map(({ price }) => leg(price, null))
      const limits = bets.map(({ limit }) => limit)
      const found = totalLimit(legs, limits)
      if (found === null) return limits.every((limit) => limit === null)
      const sum = bets.reduce((total, { price }) => total + 1 / price, 0)
      const stakes = bets.map(({ price }) => found.total / price / sum)
      return (
        limits.every((limit, i) => limit === null || stakes[i]! <= limit * (1 + 1e-9)) &&
        Math.abs(stakes[found.leg]! / limits[found.leg]! - 1) < 1e-9
      )
    }),
  )
})
