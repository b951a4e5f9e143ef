import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clusteredMean,
  type SampleSums,
  studentT,
} from '../../../../pipeline/rules/odds/closing-line-value.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** @param events samples of each event */
function sumsOf(events: readonly (readonly number[])[]): SampleSums {
  const all = events.map((values) => ({ n: values.length, s: sum(values) }))
  return {
    events: events.length,
    samples: sum(all.map(({ n }) => n)),
    total: sum(all.map(({ s }) => s)),
    squares: sum(all.map(({ s }) => s * s)),
    products: sum(all.map(({ s, n }) => s * n)),
    sizes: sum(all.map(({ n }) => n * n)),
  }
}

describe('the t quantile of 95 percent intervals', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, column 0.975.
  it.each([
    [1, 12.706],
    [2, 4.303],
    [3, 3.182],
    [5, 2.571],
    [9, 2.262],
    [10, 2.228],
    [11, 2.201],
    [15, 2.131],
    [20, 2.086],
    [30, 2.042],
    [60, 2],
    [100, 1.984],
  ])('with %i degrees of freedom is %f', (degrees, quantile) => {
    expect(studentT(degrees)).toBeCloseTo(quantile, 3)
  })

  it.each([
    // Found by integrating the density numerically, to all places shown.
    [10, 2.22813885],
    [11, 2.20098516],
    [12, 2.17881283],
    [20, 2.08596345],
    [30, 2.04227246],
  ])('with %i degrees of freedom is %f within a ten thousandth', (degrees, quantile) => {
    expect(Math.abs(studentT(degrees) - quantile)).toBeLessThan(1e-4)
  })

  it('falls to that of the normal distribution', () => {
    for (let degrees = 1; degrees < 200; degrees++) {
      expect(studentT(degrees + 1)).toBeLessThan(studentT(degrees))
    }
    expect(studentT(1e9)).toBeCloseTo(1.959963984540054, 8)
  })
})

describe('a mean over events', () => {
  it('has the interval of plain statistics where each event has one sample', () => {
    // Student's sleep data (1908), the differences of the ten patients: t.test of R gives 0.7001142 to 2.4598858.
    const differences = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]
    const { mean, margin } = clusteredMean(sumsOf(differences.map((value) => [value])))!
    expect(mean).toBeCloseTo(1.58, 12)
    expect(mean - margin!).toBeCloseTo(0.7001142, 3)
    expect(mean + margin!).toBeCloseTo(2.4598858, 3)
  })

  it('is no more certain when the samples of each event are repeated', () => {
    const events = [[0.1], [-0.2], [0.05], [0.3], [0], [-0.1]]
    const once = clusteredMean(sumsOf(events))!
    const often = clusteredMean(sumsOf(events.map((values) => Array(20).fill(values[0]))))!
    expect(often.mean).toBeCloseTo(once.mean, 12)
    expect(often.margin).toBeCloseTo(once.margin!, 12)
  })

  it('has no interval of one event, and no mean of no samples', () => {
    expect(clusteredMean(sumsOf([[0.1, 0.2]]))).toEqual({
      mean: expect.closeTo(0.15),
      margin: null,
    })
    expect(clusteredMean(sumsOf([]))).toBeNull()
  })

  it.each([
    ['three bets won at 1.9091', Array(3).fill([0.9091])],
    ['ten lost bets', Array(10).fill([-1])],
    ['refunded bets', Array(4).fill([0])],
    ['shares that are all 1, of games with one sample and with many', [[1], [1, 1, 1], [1, 1]]],
    ['a thousand equal values', Array(1_000).fill([0.1, 0.1, 0.1])],
  ])('has no interval of equal samples: %s', (_, events) => {
    const { mean, margin } = clusteredMean(sumsOf(events))!
    expect(mean).toBeCloseTo(events[0]![0]!, 12)
    expect(margin).toBeNull()
    const [[first], ...others] = events as [[number], ...number[][]]
    expect(clusteredMean(sumsOf([[first + 1e-4], ...others]))!.margin).toBeGreaterThan(0)
  })

  it('has the margin of the residuals summed by event', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true })
    const events = fc.array(fc.array(value, { minLength: 1, maxLength: 9 }), {
      minLength: 2,
      maxLength: 40,
    })
    fc.assert(
      fc.property(events, (all) => {
        const { mean, margin } = clusteredMean(sumsOf(all))!
        const count = sum(all.map(({ length }) => length))
        const rests = all.map((values) => sum(values.map((one) => one - mean)))
        const variance = (all.length / (all.length - 1)) * sum(rests.map((rest) => rest * rest))
        const expected = (studentT(all.length - 1) * Math.sqrt(variance)) / count
        expect(mean).toBeCloseTo(sum(all.flat()) / count, 10)
        expect(Math.abs(margin! - expected)).toBeLessThan(1e-6)
      }),
    )
  })
})
