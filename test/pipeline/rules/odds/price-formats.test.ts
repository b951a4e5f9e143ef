import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPrice } from '../../../../pipeline/rules/odds/odds.ts'
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
