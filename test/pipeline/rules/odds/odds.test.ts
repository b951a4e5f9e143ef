import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  americanToDecimal,
  decimalToAmerican,
  isPrice,
  priceBounds,
  shownPrice,
  shownProbability,
} from '../../../../pipeline/rules/odds/odds.ts'

const anyPrice = fc.oneof(
  fc.double({ min: priceBounds.lowest, max: 1.02, noNaN: true }),
  fc.double({ min: priceBounds.lowest, max: priceBounds.highest, noNaN: true }),
)

describe('a price as it is shown', () => {
  it.each([
    [1.91, 1.91, 0.5236],
    [1 + 100 / 110, 1.909, 0.5238],
    [1.0106, 1.011, 0.9895],
    [1.0099996, 1.009999, 0.9901],
    [1.0049, 1.0049, 0.9951],
    [1 + 1 / 300, 1.003333, 0.9967],
    [1.0004, 1.0004, 0.9996],
    [1.0001, 1.0001, 0.9999],
    [1.00001, 1.00001, 0.99999],
    [priceBounds.lowest, 1.000001, 0.999999],
    [priceBounds.highest, 1_000_000, 0.000001],
  ])('of %s is %s, its probability %s', (price, decimal, probability) => {
    expect([shownPrice(price), shownProbability(price)]).toEqual([decimal, probability])
  })

  it('gains something and is never certain, nor lost', () => {
    fc.assert(
      fc.property(anyPrice, (price) => {
        expect(shownPrice(price)).toBeGreaterThan(1)
        expect(shownProbability(price)).toBeGreaterThan(0)
        expect(shownProbability(price)).toBeLessThan(1)
        expect(Math.abs(shownPrice(price) - price)).toBeLessThanOrEqual(0.000501)
      }),
    )
  })

  it('is never above a price near 1, where a little is much of the profit', () => {
    fc.assert(
      fc.property(anyPrice, (price) => {
        if (price < 1.01) expect(shownPrice(price)).toBeLessThanOrEqual(price)
        expect((shownPrice(price) - 1) / (price - 1)).toBeLessThanOrEqual(1.05)
      }),
    )
  })

  it('rises as the price does, and its probability falls', () => {
    fc.assert(
      fc.property(anyPrice, anyPrice, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(shownPrice(low)).toBeLessThanOrEqual(shownPrice(high))
        expect(shownProbability(low)).toBeGreaterThanOrEqual(shownProbability(high))
      }),
    )
  })

  it('in whole American odds above 100 is the number that decimal odds are read as', () => {
    for (let american = 100; american <= 100_000; american++) {
      expect(americanToDecimal(american)).toBe(Number((1 + american / 100).toFixed(2)))
    }
  })

  it.each([-100_000_000, -1_000_000, -110, 100, 150, 99_999_900])(
    'in American odds %s is itself',
    (american) => {
      const price = americanToDecimal(american)
      expect(isPrice(price)).toBe(true)
      expect(decimalToAmerican(price)).toBe(american)
    },
  )
})
