import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bettorClv, meanClv, meanYield } from '../../../../pipeline/rules/odds/bettor-clv.ts'

describe("a bettor's own closing line value", () => {
  test.each([
    [0.5, 2, 0],
    [0.541, 1.95, 0.05495],
    [0.5238, 1.909, -0.00006],
    [0.25, 5, 0.25],
  ])('of a no-vig close of %s at %s is %s', (chance, price, clv) => {
    expect(bettorClv(chance, price)).toBeCloseTo(clv, 4)
  })
})

describe('the mean value of bets', () => {
  const bet = (eventId: string, clv: number, stake = 1) => ({ eventId, clv, stake })
  const alike = () => 1

  test('has the interval of a mean where each bet is on an event of its own', () => {
    // Sample 1 to 5: mean 3, standard deviation 1.5811, error 0.7071, t 2.776.
    const mean = meanClv(
      [1, 2, 3, 4, 5].map((clv) => bet(`e${clv}`, clv)),
      alike,
    )!
    expect(mean.mean).toBe(3)
    expect(mean.high! - 3).toBeCloseTo(2.776 * Math.SQRT1_2, 3)
    expect(3 - mean.low!).toBeCloseTo(2.776 * Math.SQRT1_2, 3)
  })

  test('is no more certain for bets made twice on one event', () => {
    const once = [1, 2, 3, 4, 5].map((clv) => bet(`e${clv}`, clv))
    const twice = meanClv([...once, ...once], alike)!
    expect(twice.mean).toBe(3)
    expect(twice.low).toBeCloseTo(meanClv(once, alike)!.low!, 9)
  })

  test('has no interval on one event, and is none without bets or weight', () => {
    expect(meanClv([bet('e', 1), bet('e', 3)], alike)).toEqual({ mean: 2, low: null, high: null })
    expect(meanClv([], alike)).toBeNull()
    expect(meanClv([bet('e', 1)], () => 0)).toBeNull()
  })

  test('lies between its bets, is the same in any currency, and ignores their order', () => {
    const bets = fc.array(
      fc.record({
        eventId: fc.constantFrom('a', 'b', 'c', 'd'),
        clv: fc.double({ min: -1, max: 5, noNaN: true }),
        stake: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    fc.assert(
      fc.property(bets, fc.double({ min: 0.1, max: 100, noNaN: true }), (some, rate) => {
        const told = meanClv(some, ({ stake }) => stake)!
        const values = some.map(({ clv }) => clv)
        expect(told.mean).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9)
        expect(told.mean).toBeLessThanOrEqual(Math.max(...values) + 1e-9)
        for (const other of [
          meanClv(some, ({ stake }) => rate * stake)!,
          meanClv(some.toReversed(), ({ stake }) => stake)!,
        ]) {
          expect(other.mean).toBeCloseTo(told.mean, 9)
          expect(other.low === null).toBe(told.low === null)
          // If all are equal, the width is the square root of a rounding error.
          if (told.low !== null) expect(other.low).toBeCloseTo(told.low, 4)
        }
      }),
    )
  })
})

describe('the yield of settled bets', () => {
  const bets = (...gains: readonly number[]) =>
    gains.map((clv, i) => ({ eventId: `e${i}`, stake: 10 + i, clv }))

  test.each([
    ['wins at different prices', [0.91, 1.05, 0.87]],
    ['wins and a refunded bet', [0.91, 1.05, 0]],
    ['losses', [-1, -1, -1]],
    ['losses and halves of them', [-1, -0.5, -1]],
  ])('has no interval of %s alone', (_, gains) => {
    const told = meanYield(bets(...gains))!
    expect(told).toEqual({ mean: expect.any(Number), low: null, high: null })
    expect(told.mean).toBe(meanClv(bets(...gains), ({ stake }) => stake)!.mean)
  })

  test('has the interval of its bets with wins and losses, and is none without bets', () => {
    const some = bets(0.91, -1, 1.05, 0)
    expect(meanYield(some)).toEqual(meanClv(some, ({ stake }) => stake))
    expect(meanYield(some)!.low).toBeLessThan(0)
    expect(meanYield([])).toBeNull()
  })
})
