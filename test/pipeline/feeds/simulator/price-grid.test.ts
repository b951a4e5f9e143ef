import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestStep, priceGrids } from '../../../../pipeline/feeds/simulator/price-grid.ts'

describe.each(Object.entries(priceGrids))('the %s grid', (_, grid) => {
  it('ascends, with every price above 1', () => {
    const { prices } = grid
    expect(prices[0]).toBeGreaterThan(1)
    for (let i = 1; i < prices.length; i++) expect(prices[i]!).toBeGreaterThan(prices[i - 1]!)
  })

  it('gives the step nearest to a probability', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), (implied) => {
        const found = Math.abs(grid.implied[nearestStep(grid, implied)]! - implied)
        const best = Math.min(...grid.implied.map((other) => Math.abs(other - implied)))
        // The lookup's resolution limits its accuracy.
        expect(found - best).toBeLessThanOrEqual(2 / 8192)
      }),
    )
  })
})

describe('American grids', () => {
  it('have -110, +100 once and +114 as the plain decimals', () => {
    const prices = [...priceGrids.american_1.prices]
    expect(prices).toContain(210 / 110)
    expect(prices).toContain(2.14)
    expect(prices.filter((price) => price === 2).length).toBe(1)
    expect([...priceGrids.american_5.prices]).not.toContain(2.14)
  })
})
