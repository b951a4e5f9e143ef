import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kellyStake, splitStake } from '../../api/web/client/data/stakes.ts'

describe('stakes on all answers', () => {
  it('are those of the textbook', () => {
    // 2.10 and 2.10: half each, 5 % whatever happens.
    expect(splitStake([2.1, 2.1], 100, 0.01)).toEqual({
      stakes: [50, 50],
      total: 100,
      profits: [5, 5],
      worst: 5,
    })
    // 3.00 against 1.60: 1/3 + 5/8 = 23/24, so 34.78 and 65.22 of 100 pay 104.35.
    const { stakes, worst } = splitStake([3, 1.6], 100, 0.01)
    expect(stakes).toEqual([34.78, 65.22])
    expect(worst).toBe(4.34)
  })

  it('pay alike before they are rounded, and tell the truth after', () => {
    const price = fc.double({ min: 1.05, max: 50, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 2, maxLength: 3 }),
        fc.constantFrom(0.01, 1, 5, 10),
        (prices, step) => {
          const { stakes, total, profits, worst } = splitStake(prices, 10_000, step)
          expect(total).toBeCloseTo(
            stakes.reduce((sum, stake) => sum + stake, 0),
            6,
          )
          for (const [i, stake] of stakes.entries()) {
            expect(Math.abs(stake / step - Math.round(stake / step))).toBeLessThan(1e-6)
            expect(profits[i]).toBeCloseTo(stake * prices[i]! - total, 1)
          }
          expect(worst).toBe(Math.min(...profits))
          const fair = 10_000 / prices.reduce((sum, p) => sum + 1 / p, 0) - 10_000
          const error = step * (Math.max(...prices) / 2 + prices.length)
          for (const profit of profits) expect(Math.abs(profit - fair)).toBeLessThan(error)
        },
      ),
    )
  })
})

it("Kelly's stake is p - q / b of the bankroll, and nothing without an edge", () => {
  // At evens with 55 %: 0.55 - 0.45 = 10 %.
  expect(kellyStake(0.55, 2, 1_000, 1)).toBeCloseTo(100, 9)
  expect(kellyStake(0.55, 2, 1_000, 0.25)).toBeCloseTo(25, 9)
  expect(kellyStake(0.45, 2, 1_000, 1)).toBe(0)
})
