import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allOutcomes,
  exceedsPrices,
  type MiddleOutcome,
  middleFigures,
  middleWarnings,
  qualityScore,
  trustInModel,
} from '../../../../pipeline/rules/odds/middles.ts'
import { americanToDecimal } from '../../../../pipeline/rules/odds/odds.ts'
import { anyResult } from '../../../../pipeline/rules/odds/possible-results.ts'
import { middleOutlook, resultChances } from '../../../../pipeline/rules/odds/results.ts'
import { jointOutcomes } from '../../../../pipeline/rules/odds/two-lines.ts'

/** Returns the outcomes of two bets that both win with this probability, without refunds. */
const bothWin = (probability: number): MiddleOutcome[] => [
  { from: 1, to: 1, over: 1, under: 1, probability },
]

/** Returns the results at which both bets win in full. */
const middleNumbers = (low: number, high: number) =>
  jointOutcomes(low, high, anyResult).flatMap(({ from, to, over, under }) =>
    over === 1 && under === 1 ? Array.from({ length: to - from + 1 }, (_, at) => from + at) : [],
  )

describe('the published middle: -110 at -2.5 and -108 at +7.5', () => {
  const figures = middleFigures(americanToDecimal(-110), americanToDecimal(-108), bothWin(0.377), 1)
  const percent = (fraction: number) => Math.round(fraction * 1e4) / 100

  test('has the figures of its formulas', () => {
    expect(figures.shares.map(percent)).toEqual([50.22, 49.78])
    expect(percent(figures.worst)).toBe(-4.13)
    expect(percent(figures.best)).toBe(91.75)
    expect(percent(figures.expectedValue)).toBe(32.02)
    // 4.304 from unrounded figures, published as 4.30.
    expect(percent(figures.breakEven)).toBe(4.3)
    expect(figures.impliedTotal).toBeCloseTo(0.52381 + 0.51923, 5)
  })

  test('wins on 3 to 7', () => {
    expect(middleNumbers(2.5, 7.5)).toEqual([3, 4, 5, 6, 7])
  })
})

describe('the results between two lines', () => {
  test.each([
    [226.5, 229.5, [227, 228, 229]],
    [-2, 1.5, [-1, 0, 1]],
    [3, 4, []],
    [3, 5, [4]],
    [3, 3.5, []],
    [4, 3, []],
    [2.5, 2.5, []],
    // Quarter lines: both halves must win.
    [2.25, 3.5, [3]],
    [2.75, 3.5, []],
    [2.75, 4.5, [4]],
    [2.5, 3.25, []],
    [2.5, 3.75, [3]],
    [-1.25, 1.25, [0]],
    [-1.75, 0.75, [-1, 0]],
    [-0.75, 0.75, [0]],
    [-0.25, 0.25, []],
    [Number.NaN, 3, []],
    [0, Number.POSITIVE_INFINITY, []],
    [0, 201, []],
  ])('above %d and below %d are %j', (low, high, numbers) => {
    expect(middleNumbers(low, high)).toEqual(numbers)
  })
})

/** Returns the payout of one unit on over or under `line` at a result. Quarter lines settle as two halves. */
function returned(line: number, price: number, result: number, isOver: boolean): number {
  const halves = line * 2 === Math.round(line * 2) ? [line, line] : [line - 0.25, line + 0.25]
  let sum = 0
  for (const half of halves) {
    if (result === half) sum += 0.5
    else if (result > half === isOver) sum += 0.5 * price
  }
  return sum
}

describe('a middle settled result by result', () => {
  const line = fc.integer({ min: -80, max: 80 }).map((quarters) => quarters / 4)
  const price = fc.double({ min: 1.01, max: 30, noNaN: true })
  const gap = fc.integer({ min: 2, max: 60 }).map((quarters) => quarters / 4)

  test('pays the best exactly between, and never less than the worst', () => {
    let settled = 0
    fc.assert(
      fc.property(line, gap, price, price, (low, size, price1, price2) => {
        const high = low + size
        const { shares, worst, best } = middleFigures(price1, price2, bothWin(0), 1)
        const between = new Set(middleNumbers(low, high))
        for (let result = Math.floor(low) - 3; result <= high + 3; result++) {
          settled++
          const profit =
            shares[0] * returned(low, price1, result, true) +
            shares[1] * returned(high, price2, result, false) -
            1
          const isBest = Math.abs(profit - best) < 1e-9
          if (between.has(result) !== isBest) return false
          if (profit < worst - 1e-9) return false
          // Outside both lines one bet wins and the other loses.
          const isClear = result <= low - 0.5 || result >= high + 0.5
          if (isClear && Math.abs(profit - worst) > 1e-9) return false
        }
        return true
      }),
      { numRuns: 4_000 },
    )
    expect(settled).toBeGreaterThan(30_000)
  })

  test('a push on one line refunds that bet on top of what the other returns', () => {
    const { shares, worst } = middleFigures(1.9, 2.1, bothWin(0), 1)
    const profit = (result: number) =>
      shares[0] * returned(3, 1.9, result, true) + shares[1] * returned(5.5, 2.1, result, false) - 1
    expect(profit(3)).toBeCloseTo(worst + shares[0], 12)
  })

  test('has the mean of its two profits as expected value, 0 at break-even', () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(price, price, probability, (price1, price2, chance) => {
        const { worst, best, expectedValue, breakEven } = middleFigures(
          price1,
          price2,
          bothWin(chance),
          1,
        )
        const even = middleFigures(price1, price2, bothWin(breakEven), 1).expectedValue
        const swapped = middleFigures(price2, price1, bothWin(chance), 1)
        return (
          Math.abs(expectedValue - (worst + chance * (best - worst))) < 1e-9 &&
          Math.abs(even) < 1e-9 &&
          breakEven < 0 === worst > 0 &&
          Math.abs(swapped.expectedValue - expectedValue) < 1e-9 &&
          Math.abs(swapped.shares[0] + swapped.shares[1] - 1) < 1e-12 &&
          Math.abs(swapped.shares[0] * price2 - swapped.shares[1] * price1) < 1e-9
        )
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('the mean profit of a middle, every result settled by hand', () => {
  const cases = [
    ['football', 'point_spread', -14, 14, 75],
    ['football', 'total_points', 36, 50, 125],
    ['basketball', 'total_points', 215, 225, 400],
    ['baseball', 'run_line', -2, 2, 12],
    ['basketball', 'point_spread', -2, 2, 75],
    ['soccer', 'asian_handicap', -2, 2, 16],
    ['soccer', 'total_goals', 1.5, 3.5, 30],
    ['basketball', 'player_points', 18, 26, 80],
  ] as const
  /** Of these cases, those whose games go on until one side leads. */
  const neverLevel: ReadonlySet<string> = new Set(['baseball', 'basketball'])
  const price = fc.double({ min: 1.3, max: 4, noNaN: true })

  test.each(cases)(
    'of %s %s between %d and %d, refunds counted',
    (sport, marketType, least, most, farthest) => {
      const line = fc.integer({ min: 4 * least, max: 4 * most }).map((quarters) => quarters / 4)
      const size = fc.integer({ min: 2, max: 24 }).map((quarters) => quarters / 4)
      fc.assert(
        fc.property(line, size, price, price, (low, gap, price1, price2) => {
          const high = low + gap
          const { between } = middleOutlook({ sport, league: '', marketType, low, high })!
          const { shares, expectedValue, worst, best } = middleFigures(price1, price2, between, 1)
          const chanceOf = resultChances(marketType, sport, (low + high) / 2)!
          let mean = 0
          let whole = 0
          let highest = worst
          for (let result = -farthest; result <= farthest; result++) {
            if (result === 0 && neverLevel.has(sport)) continue
            const profit =
              shares[0] * returned(low, price1, result, true) +
              shares[1] * returned(high, price2, result, false) -
              1
            mean += chanceOf(result) * profit
            whole += chanceOf(result)
            highest = Math.max(highest, profit)
          }
          // At any result further away one of the bets wins.
          mean += (1 - whole) * worst
          return Math.abs(mean - expectedValue) < 1e-7 && Math.abs(highest - best) < 1e-9
        }),
        { numRuns: 300 },
      )
    },
  )

  test('-2.5 with +3 pays on the refund alone', () => {
    const found = middleOutlook({
      sport: 'football',
      league: 'nfl',
      marketType: 'point_spread',
      low: 2.5,
      high: 3,
    })!
    expect(found.numbers).toEqual([])
    expect(found.probability).toBe(0)
    expect(found.pushNumbers).toEqual([3])
    const { best, worst, expectedValue } = middleFigures(1.91, 1.91, found.between, 1)
    expect(100 * worst).toBeCloseTo(-4.5, 9)
    expect(100 * best).toBeCloseTo(45.5, 9)
    expect(expectedValue).toBeCloseTo(worst + found.pushProbability * (best - worst), 12)
  })
})

describe('the model’s share after the prices', () => {
  const outlookOf = (low: number, high: number) =>
    middleOutlook({ sport: 'football', league: 'nfl', marketType: 'point_spread', low, high })!
  const spread = (low: number, high: number) => outlookOf(low, high).between

  test('is all of it if both lines are near even', () => {
    expect(trustInModel(spread(2.5, 7.5), 0.5, 0.46)).toBe(1)
  })

  test('equals that of prices made of the same probabilities, refunds among them', () => {
    // No-vig prices of both bets by these probabilities, with this additional part won above the lines.
    const probability = fc.double({ min: 0.02, max: 0.9, noNaN: true })
    const lines = fc.constantFrom([2.5, 3], [3, 7], [2.5, 7.5], [-3, 3], [2.75, 3.25], [6.5, 7])
    const part = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(lines, probability, part, ([low = 0, high = 0], above, trust) => {
        const between = spread(low, high)
        const believed = between.map((of) => ({ ...of, probability: trust * of.probability }))
        const inside = believed.reduce((sum, of) => sum + of.probability, 0)
        if (above + inside > 0.98) return true
        const below = 1 - above - inside
        const fairOf = (own: number, other: number, side: 'over' | 'under') => {
          let [won, lost] = [own, other]
          for (const of of believed) {
            won += of.probability * Math.max(0, of[side])
            lost += of.probability * Math.max(0, -of[side])
          }
          return won / (won + lost)
        }
        const fair1 = fairOf(above, below, 'over')
        const fair2 = fairOf(below, above, 'under')
        const isNearEven = [fair1, fair2].every((fair) => fair >= 0.45 && fair <= 0.55)
        const found = trustInModel(between, fair1, fair2)
        const all = allOutcomes(outlookOf(low, high), found, [fair1, fair2])
        const whole = all.reduce((sum, of) => sum + of.probability, 0)
        return Math.abs(found - (isNearEven ? 1 : trust)) < 1e-9 && Math.abs(whole - 1) < 1e-9
      }),
      { numRuns: 2_000 },
    )
  })

  test('above the share implied by prices gets a warning', () => {
    const between = spread(2.5, 7.5)
    expect(exceedsPrices(between, 1, 0.5, 0.5)).toBe(true)
    expect(exceedsPrices(between, 1, 0.62, 0.62)).toBe(false)
  })
})

describe('the quality of a middle', () => {
  const nothing = { probability: 0, expectedValue: -0.05, size: 0, oldestAgeMs: 60_000 }
  test.each([
    [{}, 0],
    [{ probability: 0.25 }, 40],
    [{ probability: 0.9 }, 40],
    [{ expectedValue: 0.15 }, 30],
    [{ expectedValue: 0.05 }, 15],
    [{ expectedValue: -1 }, 0],
    [{ size: 5 }, 15],
    [{ size: 50 }, 15],
    [{ oldestAgeMs: 5_000 }, 15],
    [{ oldestAgeMs: 0 }, 15],
    [{ oldestAgeMs: 32_500 }, 7.5],
    [{ oldestAgeMs: 600_000 }, 0],
    [{ oldestAgeMs: null }, 0],
    [{ probability: 0.377, expectedValue: 0.3202, size: 5, oldestAgeMs: 0 }, 100],
  ])('with %j is %d', (about, score) => {
    expect(qualityScore({ ...nothing, ...about })).toBeCloseTo(score, 9)
  })
})

describe('the warnings of a middle', () => {
  const quiet = { probability: 0.15, size: 3, oldestAgeMs: 30_000, isLive: false, worst: -0.01 }
  test.each([
    [{}, []],
    [{ oldestAgeMs: null }, []],
    [{ probability: 0.1501 }, ['HIGH_PROBABILITY']],
    [{ size: 3.5 }, ['LARGE_GAP']],
    [{ oldestAgeMs: 30_001 }, ['STALE_ODDS']],
    [{ isLive: true }, ['LIVE_GAME']],
    [{ worst: 0 }, ['GUARANTEED_PROFIT']],
    // The loss is shown in hundredths of a percent.
    [{ worst: -0.00004 }, ['GUARANTEED_PROFIT']],
    [{ worst: -0.00006 }, []],
    [
      { probability: 1, size: 9, oldestAgeMs: 90_000, isLive: true, worst: 0.1 },
      ['HIGH_PROBABILITY', 'LARGE_GAP', 'STALE_ODDS', 'LIVE_GAME', 'GUARANTEED_PROFIT'],
    ],
  ])('of %j are %j', (about, warnings) => {
    expect(middleWarnings({ ...quiet, ...about })).toEqual(warnings)
  })
})
