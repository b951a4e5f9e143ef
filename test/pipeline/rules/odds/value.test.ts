import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { devig } from '../../../../pipeline/rules/odds/devig.ts'
import { americanToDecimal, decimalToAmerican } from '../../../../pipeline/rules/odds/odds.ts'
import {
  expectedValue,
  fairPrice,
  isValue,
  kellyFraction,
} from '../../../../pipeline/rules/odds/value.ts'

const probability = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true })
const price = fc
  .double({ min: Math.log(1e-4), max: Math.log(1e6 - 1), noNaN: true })
  .map((logarithm) => 1 + Math.exp(logarithm))

describe('the worth of a price', () => {
  // The two +EV rows of the interface supplement 6.4: fair probability, American odds, percents.
  test.each([
    [0.5306, -104, 4.07, 4.24],
    [0.4443, 130, 2.19, 1.68],
  ])('of %s at %i is an EV of %s %%, a Kelly of %s %%', (fair, american, ev, kelly) => {
    const offered = americanToDecimal(american)
    expect(Math.abs(100 * expectedValue(fair, offered) - ev)).toBeLessThan(0.015)
    expect(Math.abs(100 * kellyFraction(fair, offered) - kelly)).toBeLessThan(0.015)
  })

  // Kelly (1956): at even odds the fraction is p - q.
  test.each([
    [0.6, 2, 0.2, 0.2],
    [0.5, 2, 0, 0],
    [0.4, 2, -0.2, 0],
    [0.25, 5, 0.25, 0.0625],
    [0.5, 3, 0.5, 0.25],
  ])('of %s at %s is an EV of %s and a Kelly of %s', (fair, offered, ev, kelly) => {
    expect(expectedValue(fair, offered)).toBeCloseTo(ev, 12)
    expect(kellyFraction(fair, offered)).toBeCloseTo(kelly, 12)
  })

  // A total of 2 at 1.95 and 1.95 is fair at 0.5 of the stakes that are not refunded.
  test('is per stake that is not refunded, so the mean of all stakes is less by the chance of a refund', () => {
    const [won, refunded, lost, offered] = [0.35, 0.3, 0.35, 2.1] as const
    const ev = expectedValue(won / (won + lost), offered)
    expect(ev).toBeCloseTo(0.05, 12)
    expect(won * (offered - 1) - lost).toBeCloseTo(ev * (1 - refunded), 12)
    expect(ev * (1 - refunded)).toBeCloseTo(0.035, 12)
  })

  test('a fair price is 1 / probability, and American from there', () => {
    expect(fairPrice(0.5)).toBe(2)
    expect(decimalToAmerican(fairPrice(0.5306))).toBe(-113)
    expect(decimalToAmerican(fairPrice(0.4443))).toBe(125)
  })
})

describe('whatever the price', () => {
  test('EV and Kelly have one sign, and Kelly is a part of the bankroll', () => {
    fc.assert(
      fc.property(probability, price, (fair, offered) => {
        const kelly = kellyFraction(fair, offered)
        return kelly > 0 === expectedValue(fair, offered) > 0 && kelly >= 0 && kelly < 1
      }),
      { numRuns: 10_000 },
    )
  })

  test('a fair price has an EV of 0, a better one more, a worse one less', () => {
    fc.assert(
      fc.property(probability, fc.double({ min: 1e-6, max: 1, noNaN: true }), (fair, part) => {
        const even = fairPrice(fair)
        return (
          Math.abs(expectedValue(fair, even)) < 1e-12 &&
          expectedValue(fair, even * (1 + part)) > 0 &&
          expectedValue(fair, even * (1 - part)) < 0
        )
      }),
      { numRuns: 5_000 },
    )
  })

  test('no other fraction makes a bankroll grow faster', () => {
    const growth = (fair: number, offered: number, part: number) =>
      fair * Math.log1p(part * (offered - 1)) + (1 - fair) * Math.log1p(-part)
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: 1.01, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (fair, offered, other) => {
          const best = growth(fair, offered, kellyFraction(fair, offered))
          return best >= growth(fair, offered, other) - 1e-12
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test('against its own proportional no-vig every price of a market loses the margin alike', () => {
    fc.assert(
      fc.property(fc.array(price, { minLength: 2, maxLength: 5 }), (prices) => {
        const own = devig(prices, 'multiplicative')
        if (own === null) return true
        const alike = -own.overround / (1 + own.overround)
        return prices.every((one, at) => {
          const ev = expectedValue(own.probabilities[at] as number, one)
          return Math.abs(ev - alike) <= 1e-9 * (1 + Math.abs(alike))
        })
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('American and decimal odds', () => {
  // The interface supplement 5.3 and its examples: three places of the decimal odds.
  test.each([
    [-110, 1.909],
    [-108, 1.926],
    [-104, 1.962],
    [-118, 1.847],
    [-165, 1.606],
    [-112, 1.893],
    [130, 2.3],
    [172, 2.72],
    [265, 3.65],
    [100, 2],
  ])('%i is %s', (american, decimal) => {
    expect(americanToDecimal(american)).toBeCloseTo(decimal, 3)
    expect(decimalToAmerican(americanToDecimal(american))).toBe(american)
  })

  test('every American number to a hundred thousand comes back, -100 as +100', () => {
    const lost: number[] = []
    for (let size = 100; size <= 100_000; size++) {
      if (decimalToAmerican(americanToDecimal(size)) !== size) lost.push(size)
      const back = decimalToAmerican(americanToDecimal(-size))
      if (back !== (size === 100 ? 100 : -size)) lost.push(-size)
    }
    expect(lost).toEqual([])
  })

  test('the decimal odds rise with what the American number pays', () => {
    let before = 1
    for (let american = -100_000; american <= 100_000; american++) {
      if (Math.abs(american) < 100) continue
      const decimal = americanToDecimal(american)
      // -100 and +100 are the same price.
      if (american === 100 ? decimal !== before : decimal <= before) {
        throw new Error(`${american} is ${decimal} after ${before}`)
      }
      before = decimal
    }
    expect(before).toBe(1001)
  })

  test('there is no American number between -100 and 100', () => {
    for (let american = -99; american <= 99; american++) {
      expect(() => americanToDecimal(american)).toThrow(RangeError)
    }
  })

  test('any price comes back from its American number within half a step of it', () => {
    fc.assert(
      fc.property(price, (decimal) => {
        const american = decimalToAmerican(decimal)
        // Half a step: 0.005 of the net odds, or 0.5 of the American number of short ones.
        const off =
          american >= 100
            ? Math.abs(decimal - 1 - american / 100) / 0.005
            : Math.abs(100 / (decimal - 1) + american) / 0.5
        return Math.abs(american) >= 100 && off <= 1 + 1e-6
      }),
      { numRuns: 10_000 },
    )
  })
})

test('an expected value shown as 0.00 % does not count, and one above 25 % is not believed', () => {
  expect([0, 0.00004, 0.00005, 0.25, 0.26].map(isValue)).toEqual([false, false, true, true, false])
})
