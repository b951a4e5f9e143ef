/** Blends against the plain way: the mean of the values that each sportsbook alone gives. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { devig } from '../../../../pipeline/rules/odds/devig.ts'
import { blendOf, fairMarket } from '../../../../pipeline/rules/odds/fair-market.ts'
import { evFigures } from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import { measureBy } from '../../../../schemas/fair-measure.ts'

const even = { probabilities: [0.5, 0.5], overround: 0.05 }
const away = { probabilities: [0.44, 0.56], overround: 0.02 }

describe('a blend', () => {
  it('is the mean by weights, of the overround too', () => {
    const { probabilities, overround } = blendOf([even, away], [2, 1])
    expect(probabilities[0]).toBeCloseTo(0.48, 12)
    expect(probabilities[1]).toBeCloseTo(0.52, 12)
    expect(overround).toBeCloseTo(0.04, 12)
  })

  it('of one is that one', () => {
    expect(blendOf([away], [7])).toEqual(away)
  })

  it('sums to 1, lies among its parts, and values a price as the mean of its values by each', () => {
    const prices = fc.array(fc.double({ min: 2.6, max: 3.2, noNaN: true }), {
      ...{ minLength: 3, maxLength: 3 },
    })
    const part = fc.record({ prices, weight: fc.double({ min: 0.01, max: 9, noNaN: true }) })
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 5 }), (parts) => {
        const weights = parts.map(({ weight }) => weight)
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        const against = parts.flatMap((one) => one.prices)
        const measure = { method: 'power', weights } as const
        const alone = parts.map((one) => devig(one.prices))
        const blended = fairMarket(against, parts.length, measure)
        fc.pre(alone.every((market) => market !== null))
        const { probabilities } = blended!
        const sumOf = (of: ArrayLike<number>) => Array.from(of).reduce((sum, one) => sum + one, 0)
        // Each part sums to 1 as exactly as the devig promises.
        const sums = alone.map((market) => sumOf(market!.probabilities))
        for (const sum of sums) expect(Math.abs(sum - 1)).toBeLessThan(1e-11)
        const mean = sumOf(sums.map((sum, i) => (weights[i]! / total) * sum))
        expect(sumOf(probabilities)).toBeCloseTo(mean, 12)
        for (let outcome = 0; outcome < 3; outcome++) {
          const own = alone.map((market) => market!.probabilities[outcome]!)
          expect(probabilities[outcome]).toBeGreaterThanOrEqual(Math.min(...own) - 1e-12)
          expect(probabilities[outcome]).toBeLessThanOrEqual(Math.max(...own) + 1e-12)
          const bet = { marketType: 'moneyline', sport: 'soccer', lines: [null], prices: [3] }
          const figures = evFigures({ ...bet, against, sources: parts.length, measure, outcome })!
          const values = parts.map(({ prices, weight }) => {
            const by = { against: prices, sources: 1, measure: measureBy('power'), outcome }
            return (weight / total) * evFigures({ ...bet, ...by })!.ev
          })
          expect(figures.ev).toBeCloseTo(
            values.reduce((sum, value) => sum + value, 0),
            10,
          )
        }
      }),
    )
  })
})
