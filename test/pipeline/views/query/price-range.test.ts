import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalToAmerican } from '../../../../pipeline/rules/odds/odds.ts'
import { firstPrice, pricesOfAmerican } from '../../../../pipeline/views/query/price-range.ts'

const bits = new BigInt64Array(1)
const number = new Float64Array(bits.buffer)

/** Returns the price some doubles further up. */
function stepped(price: number, steps: number): number {
  number[0] = price
  bits[0]! += BigInt(steps)
  return number[0]!
}

const anyBound = fc.oneof(
  fc.constantFrom(-1e9, -100_000, -101, -100, -99.5, 0, 99, 100, 100.5, 101, 1e8, 1e17),
  fc.integer({ min: -20_000, max: 20_000 }),
  fc.double({ min: -20_000, max: 20_000, noNaN: true }),
)
const anyPrice = fc.oneof(
  fc.double({ min: 1.000_001, max: 1e6, noNaN: true }),
  fc.integer({ min: 101, max: 5_000 }).map((cents) => cents / 100),
)

describe('prices of an American range', () => {
  it('are those whose American form, as shown, is within the bounds', () => {
    fc.assert(
      fc.property(
        fc.option(anyBound, { nil: undefined }),
        fc.option(anyBound, { nil: undefined }),
        fc.array(anyPrice, { maxLength: 20 }),
        (least, most, prices) => {
          const { from, to } = pricesOfAmerican(least, most)
          // Errors are most likely where the bounds themselves are rounded.
          const edges = [from, to]
            .filter((edge) => edge > 1 && edge < 1e6)
            .flatMap((edge) => [-3, -2, -1, 0, 1, 2, 3].map((steps) => stepped(edge, steps)))
          for (const price of [...prices, ...edges, 1.9999, 1.995, 2, 1e6]) {
            const american = decimalToAmerican(price)
            const isWithin = american >= (least ?? -Infinity) && american <= (most ?? Infinity)
            expect([price, price >= from && price < to]).toEqual([price, isWithin])
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('begin at the lowest possible price, to the last bit', () => {
    for (const wanted of [1.5, 2, 1.909_090_909_090_909_2, 1e6]) {
      expect(firstPrice((price) => price >= wanted)).toBe(wanted)
    }
    expect(firstPrice(() => false)).toBe(Number.POSITIVE_INFINITY)
  })
})
