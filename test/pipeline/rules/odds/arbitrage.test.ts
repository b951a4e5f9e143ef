import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitrageProfit,
  arbitrageWarnings,
  hold,
  impliedTotal,
  isSureProfit,
  shownShares,
  stakeShares,
} from '../../../../pipeline/rules/odds/arbitrage.ts'

const price = fc.double({ min: 1.001, max: 1001, noNaN: true })
const market = fc.array(price, { minLength: 2, maxLength: 12 })

describe('the published numbers', () => {
  test('an implied total of 91.22 is a profit of 9.63 %', () => {
    expect(100 * arbitrageProfit(0.9122)).toBeCloseTo(9.63, 2)
  })

  test.each([
    [[2.72, 100 / 165 + 1], 0.9903, 0.0098, [37.13, 62.87]],
    [[3.1, 3.65, 2.72], 0.9642, 0.0371, [33.46, 28.41, 38.13]],
  ])('the legs %j of the examples', (prices, total, profit, shares) => {
    expect(impliedTotal(prices)).toBeCloseTo(total, 4)
    expect(arbitrageProfit(impliedTotal(prices))).toBeCloseTo(profit, 3)
    const shown = shownShares(stakeShares(prices))
    // The examples use rounded probabilities.
    shares.forEach(
      (share, at) => void expect(Math.abs(share - (shown[at] ?? 0))).toBeLessThan(0.02),
    )
  })

  test('two fair coins have no hold, -110 twice keeps 4.76 %', () => {
    expect(hold([2, 2])).toBe(0)
    expect(100 * hold([21 / 11, 21 / 11])).toBeCloseTo(4.76, 2)
  })

  test('a profit above 10 % is not believed, and one shown as 0.00 % does not count', () => {
    expect(isSureProfit(0)).toBe(false)
    expect(isSureProfit(0.00004)).toBe(false)
    expect(isSureProfit(0.00006)).toBe(true)
    expect(isSureProfit(arbitrageProfit(0.9999))).toBe(true)
    expect(isSureProfit(arbitrageProfit(0.9092))).toBe(true)
    expect(isSureProfit(arbitrageProfit(0.909))).toBe(false)
  })
})

describe('any market', () => {
  test('every outcome of a shared stake returns the same, 1 + the profit', () => {
    fc.assert(
      fc.property(market, (prices) => {
        const shares = stakeShares(prices)
        const profit = arbitrageProfit(impliedTotal(prices))
        const odd = prices.filter(
          (each, at) => Math.abs((shares[at] ?? 0) * each - 1 - profit) > 1e-12 * (1 + profit),
        )
        return odd.length === 0 && Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-12
      }),
      { numRuns: 10_000 },
    )
  })

  test('has the same figures whatever order the sportsbooks come in', () => {
    const shuffled = market.chain((prices) =>
      fc.tuple(
        fc.constant(prices),
        fc.shuffledSubarray([...prices.keys()], { minLength: prices.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([prices, order]) => {
        const other = order.map((at) => prices[at] as number)
        const [shares, otherShares] = [stakeShares(prices), stakeShares(other)]
        return (
          Math.abs(impliedTotal(prices) - impliedTotal(other)) < 1e-12 &&
          order.every((from, at) => Math.abs((shares[from] ?? 0) - (otherShares[at] ?? 0)) < 1e-12)
        )
      }),
      { numRuns: 5_000 },
    )
  })

  test('has shown shares of two places that sum to 100.00, each within 0.01', () => {
    fc.assert(
      fc.property(market, (prices) => {
        const shares = stakeShares(prices)
        const shown = shownShares(shares)
        const hundredths = shown.map((each) => Math.round(each * 100))
        return (
          hundredths.reduce((a, b) => a + b) === 10_000 &&
          shown.every(
            (each, at) =>
              each === (hundredths[at] ?? 0) / 100 &&
              Math.abs(each - 100 * (shares[at] ?? 0)) < 0.01 + 1e-9,
          )
        )
      }),
      { numRuns: 10_000 },
    )
  })

  test('gives a leftover hundredth to the first of equal remainders', () => {
    expect(shownShares([1 / 3, 1 / 3, 1 / 3])).toEqual([33.34, 33.33, 33.33])
    expect(shownShares(stakeShares([4, 4, 2.5, 100]))).toEqual([27.47, 27.47, 43.96, 1.1])
    expect(shownShares([1])).toEqual([100])
  })

  test.each([[[0.5, 0.4]], [[0.7, 0.7]], [[1.5, -0.5]], [[Number.NaN, 1]], [[]]])(
    'refuses %j, which is not one stake',
    (shares) => {
      expect(() => shownShares(shares)).toThrow(RangeError)
    },
  )
})

describe('the warnings of an arbitrage', () => {
  const quiet = { isLive: false, profit: 0.02, total: 0.98, oldestAgeMs: 5_000 }

  test.each([
    [{}, []],
    [{ oldestAgeMs: null }, []],
    [{ isLive: true }, ['LIVE_GAME']],
    [{ isLive: true, profit: 0.05 }, ['LIVE_GAME']],
    [{ isLive: true, profit: 0.0501 }, ['LIVE_GAME', 'LIVE_HIGH_PROFIT_SUSPICIOUS']],
    [{ profit: 0.0501, total: 0.95 }, []],
    [{ profit: 0.0527, total: 0.9499 }, ['LOW_IMPLIED_TOTAL']],
    [{ oldestAgeMs: 120_000 }, []],
    [{ oldestAgeMs: 120_001 }, ['POTENTIALLY_STALE_ODDS']],
    [{ oldestAgeMs: 600_000 }, ['POTENTIALLY_STALE_ODDS']],
    [{ oldestAgeMs: 600_001 }, ['POTENTIALLY_STALE_ODDS', 'VERY_STALE_ODDS']],
    [{ isLive: true, oldestAgeMs: 30_000 }, ['LIVE_GAME']],
    [{ isLive: true, oldestAgeMs: 30_001 }, ['LIVE_GAME', 'POTENTIALLY_STALE_ODDS']],
    [{ isLive: true, oldestAgeMs: 120_000 }, ['LIVE_GAME', 'POTENTIALLY_STALE_ODDS']],
    [
      { isLive: true, profit: 0.09, total: 0.917, oldestAgeMs: 120_001 },
      [
        'LIVE_GAME',
        'LIVE_HIGH_PROFIT_SUSPICIOUS',
        'LOW_IMPLIED_TOTAL',
        'POTENTIALLY_STALE_ODDS',
        'VERY_STALE_ODDS',
      ],
    ],
  ])('of %j are %j', (about, warnings) => {
    expect(arbitrageWarnings({ ...quiet, ...about })).toEqual(warnings)
  })
})
