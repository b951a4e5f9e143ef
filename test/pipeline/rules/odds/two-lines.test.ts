import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitrageProfit } from '../../../../pipeline/rules/odds/arbitrage.ts'
import { arbitrageFigures } from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import { anyResult } from '../../../../pipeline/rules/odds/possible-results.ts'
import { jointOutcomes, safestStakes } from '../../../../pipeline/rules/odds/two-lines.ts'

/** Returns the payout of one unit at a result. Quarter lines settle as two halves. */
function returned(line: number, price: number, result: number, isOver: boolean): number {
  const halves = line * 2 === Math.round(line * 2) ? [line, line] : [line - 0.25, line + 0.25]
  let sum = 0
  for (const half of halves) {
    if (result === half) sum += 0.5
    else if (result > half === isOver) sum += 0.5 * price
  }
  return sum
}

const line = fc.integer({ min: -60, max: 60 }).map((quarters) => quarters / 4)
const gap = fc.integer({ min: 1, max: 30 }).map((quarters) => quarters / 4)
const price = fc.double({ min: 1.01, max: 30, noNaN: true })

/** Returns the least profit over all results, one by one. */
function worstOf(low: number, high: number, price1: number, price2: number, share: number) {
  let worst = Number.POSITIVE_INFINITY
  for (let result = Math.floor(low) - 3; result <= high + 3; result++) {
    const paid =
      share * returned(low, price1, result, true) +
      (1 - share) * returned(high, price2, result, false)
    worst = Math.min(worst, paid - 1)
  }
  return worst
}

describe('two bets at two lines', () => {
  test.each([
    [
      3,
      3.5,
      [
        [-1, 1],
        [0, 1],
        [1, -1],
      ],
    ],
    [
      2.5,
      3,
      [
        [-1, 1],
        [1, 0],
        [1, -1],
      ],
    ],
    [
      3,
      7,
      [
        [-1, 1],
        [0, 1],
        [1, 1],
        [1, 0],
        [1, -1],
      ],
    ],
    [
      219.5,
      220.5,
      [
        [-1, 1],
        [1, 1],
        [1, -1],
      ],
    ],
    [
      2.75,
      3,
      [
        [-1, 1],
        [0.5, 0],
        [1, -1],
      ],
    ],
    [
      2.25,
      2.75,
      [
        [-1, 1],
        [-0.5, 1],
        [1, -0.5],
        [1, -1],
      ],
    ],
    [0, 201, []],
    [Number.NaN, 3, []],
  ] as const)('over %d and under %d are settled as %j', (low, high, expected) => {
    const outcomes = jointOutcomes(low, high, anyResult)
    expect(outcomes.map(({ over, under }) => [over, under])).toEqual(expected)
  })

  test('are settled by every result as by hand', () => {
    fc.assert(
      fc.property(line, gap, price, (low, size, odds) => {
        const outcomes = jointOutcomes(low, low + size, anyResult)
        for (let result = Math.floor(low) - 3; result <= low + size + 3; result++) {
          const [at, ...more] = outcomes.filter(({ from, to }) => result >= from && result <= to)
          if (!at || more.length > 0) return false
          const overPaid = returned(low, odds, result, true)
          const underPaid = returned(low + size, odds, result, false)
          const paid = (bet: number) => (bet > 0 ? 1 + bet * (odds - 1) : 1 + bet)
          if (Math.abs(paid(at.over) - overPaid) > 1e-9) return false
          if (Math.abs(paid(at.under) - underPaid) > 1e-9) return false
        }
        return true
      }),
      { numRuns: 3_000 },
    )
  })

  test('share a stake so that no other share has a better worst result', () => {
    fc.assert(
      fc.property(line, gap, price, price, (low, size, price1, price2) => {
        const high = low + size
        const { shares, worst } = safestStakes(jointOutcomes(low, high, anyResult), price1, price2)
        const isWorst = Math.abs(worstOf(low, high, price1, price2, shares[0]) - worst) < 1e-9
        let best = Number.NEGATIVE_INFINITY
        for (let share = 0; share <= 1; share += 1 / 200) {
          best = Math.max(best, worstOf(low, high, price1, price2, share))
        }
        return isWorst && worst >= best - 1e-9 && Math.abs(shares[0] + shares[1] - 1) < 1e-12
      }),
      { numRuns: 400 },
    )
  })

  test('half a point apart or more, return alike whichever wins', () => {
    fc.assert(
      fc.property(line, gap, price, price, (low, size, price1, price2) => {
        const { shares, worst } = safestStakes(
          jointOutcomes(low, low + size + 0.25, anyResult),
          price1,
          price2,
        )
        return (
          Math.abs(shares[0] * price1 - shares[1] * price2) < 1e-9 &&
          Math.abs(worst - arbitrageProfit(1 / price1 + 1 / price2)) < 1e-9
        )
      }),
      { numRuns: 3_000 },
    )
  })

  test('a quarter apart, keep a part back for the result that refunds one and half of the other', () => {
    // Over 2.75 at 10/9 wins half at 3, where under 3 is refunded: less than either bet pays alone.
    const { shares, worst } = safestStakes(jointOutcomes(2.75, 3, anyResult), 10 / 9, 25)
    expect(worst).toBeCloseTo(shares[0] / 18, 9)
    expect(worst).toBeCloseTo(25 * shares[1] - 1, 9)
    expect(arbitrageProfit(9 / 10 + 1 / 25)).toBeGreaterThan(worst)
    const alike = 9 / 10 / (9 / 10 + 1 / 25)
    expect(worst).toBeGreaterThan(alike / 18)
  })
})

describe('an arbitrage of two lines', () => {
  const figures = (marketType: string, lines: number[], prices: number[]) =>
    arbitrageFigures({ marketType, sport: 'soccer', league: '', lines, prices })

  test.each([
    ['point_spread', [-3, 3.5], 3, 3.5],
    ['total_points', [219.5, 220], 219.5, 220],
    ['total_goals', [2.5, 3], 2.5, 3],
    ['asian_handicap', [-0.75, 1], 0.75, 1],
    ['player_points', [24.5, 25], 24.5, 25],
    ['home_team_total', [24.5, 25], null, null],
  ])('in %s at %j gains 2.44 %% at the worst result', (marketType, lines, low, high) => {
    const { profit, total, range } = figures(marketType, lines, [2.1, 2])
    expect(100 * profit).toBeCloseTo(2.439, 3)
    expect(total).toBeCloseTo(0.97619, 5)
    expect(range).toEqual(low === null ? null : { low, high })
  })

  test('is none if both are on one line', () => {
    expect(figures('point_spread', [-3, 3], [2.1, 2]).range).toBeNull()
    expect(figures('total_points', [220, 220], [2.1, 2]).range).toBeNull()
    expect(figures('moneyline', [Number.NaN, Number.NaN], [2.1, 2]).range).toBeNull()
  })
})
