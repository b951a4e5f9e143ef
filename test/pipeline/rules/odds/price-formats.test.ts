import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPrice, shownPrice } from '../../../../pipeline/rules/odds/odds.ts'
import { readPrice, writePrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import { type PriceFormat, priceFormats } from '../../../../schemas/price-format.ts'

describe('price formats', () => {
  test.each([
    [
      2.5,
      { american: '+150', fractional: '3/2', hong_kong: '1.5', malay: '-0.667', indonesian: '1.5' },
    ],
    [
      1.5,
      { american: '-200', fractional: '1/2', hong_kong: '0.5', malay: '0.5', indonesian: '-2' },
    ],
    [2, { american: '+100', fractional: '1/1', hong_kong: '1', malay: '1', indonesian: '1' }],
    [
      1.91,
      {
        american: '-110',
        fractional: '10/11',
        hong_kong: '0.91',
        malay: '0.91',
        indonesian: '-1.099',
      },
    ],
    [
      3.6,
      {
        american: '+260',
        fractional: '13/5',
        hong_kong: '2.6',
        malay: '-0.385',
        indonesian: '2.6',
      },
    ],
    [
      1.05,
      {
        american: '-2000',
        fractional: '1/20',
        hong_kong: '0.05',
        malay: '0.05',
        indonesian: '-20',
      },
    ],
  ])('%d is written as a person expects', (price, expected) => {
    const written = Object.keys(expected).map((format) => [
      format,
      writePrice(price, format as PriceFormat),
    ])
    expect(Object.fromEntries(written)).toEqual(expected)
  })

  test.each([
    // Customary: rounded to a hundredth, these fractions are the price.
    ...([
      [1.91, '10/11'],
      [1.67, '2/3'],
      [1.62, '8/13'],
      [1.73, '8/11'],
      [2.38, '11/8'],
    ] as const),
    // Exact.
    ...([
      [6.02, '251/50'],
      [8.3, '73/10'],
      [23.7, '227/10'],
      [501.5, '1001/2'],
    ] as const),
    ...([
      [1.36, '9/25'],
      [1.57, '57/100'],
      [2.01, '101/100'],
      [4.5, '7/2'],
      [101, '100/1'],
    ] as const),
    ...([
      [1 + 10 / 11, '10/11'],
      [1 + 20 / 21, '20/21'],
      [1 + 4 / 11, '4/11'],
    ] as const),
    // The same with three decimals.
    ...([
      [1.909, '10/11'],
      [1.952, '20/21'],
      [1.333, '1/3'],
      [1.364, '4/11'],
      [4.333, '10/3'],
    ] as const),
    // The nearest below.
    ...([
      [3.003, '2/1'],
      [1.0019, '1/527'],
      [1.000001, '1/1000000'],
    ] as const),
  ])('%d is the fraction %s', (price, fraction) => {
    expect(writePrice(price, 'fractional')).toBe(fraction)
  })

  test('a fraction is never above the price as shown, and less by under a hundredth', () => {
    const price = fc.oneof(
      fc.double({ min: 1.000001, max: 1_000, noNaN: true }),
      fc.integer({ min: 1_001, max: 1_000_000 }).map((thousandths) => thousandths / 1_000),
      fc.double({ min: 1.000001, max: 1.03, noNaN: true }),
    )
    fc.assert(
      fc.property(price, (price) => {
        const read = readPrice(writePrice(price, 'fractional'), 'fractional')!
        expect(shownPrice(read)).toBeLessThanOrEqual(shownPrice(price))
        expect(price - read).toBeLessThanOrEqual(Math.min(0.01, 0.02 * (price - 1)) + 1e-9)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a price in hundredths is exact, except where a customary fraction is rounded up to it', () => {
    const customary = '1/8 1/6 2/7 8/13 2/3 8/11 10/11 11/8 13/8 15/8'.split(' ')
    for (let hundredths = 101; hundredths <= 30_000; hundredths++) {
      const text = writePrice(hundredths / 100, 'fractional')
      const read = readPrice(text, 'fractional')!
      expect(Math.round(read * 100 + 1e-6)).toBe(hundredths)
      if (!customary.includes(text)) expect(read).toBeCloseTo(hundredths / 100, 9)
    }
  })

  test.each([
    ['EVEN', 'american', 2],
    ['evs', 'fractional', 2],
    ['10/11', 'fractional', 1 + 10 / 11],
    ['7-4', 'fractional', 2.75],
    ['−110', 'american', 1 + 100 / 110],
    ['1,91', 'decimal', 1.91],
    ['52.4%', 'probability', 1 / 0.524],
    ['0.5', 'probability', 2],
    ['-0.8', 'malay', 2.25],
    ['-1.25', 'indonesian', 1.8],
  ] as const)('%s as %s is read', (text, format, expected) => {
    expect(readPrice(text, format)).toBeCloseTo(expected, 12)
  })

  test.each([
    ['99', 'american'],
    ['1', 'decimal'],
    ['1.5', 'malay'],
    ['0.5', 'indonesian'],
    ['5/0', 'fractional'],
    ['1.2', 'probability'],
    ['', 'decimal'],
    ['1.9x', 'decimal'],
    ['1e3', 'decimal'],
    ['+150', 'decimal'],
    ['+2.5', 'decimal'],
    ['+150', 'hong_kong'],
  ] as const)('%s as %s is no price', (text, format) => {
    expect(readPrice(text, format)).toBeNull()
  })

  test('a written price is read as nearly the same price', () => {
    const price = fc.double({ min: 1.01, max: 500, noNaN: true })
    fc.assert(
      fc.property(price, fc.constantFrom(...priceFormats), (price, format) => {
        const read = readPrice(writePrice(price, format), format)!
        expect(isPrice(read)).toBe(true)
        expect(Math.abs(1 / read - 1 / price)).toBeLessThan(0.003)
      }),
    )
  })
})
