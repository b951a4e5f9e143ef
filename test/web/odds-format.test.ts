import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gainClass, moneyText } from '../../api/web/client/format/money.ts'
import { markOf, spokenPrice } from '../../api/web/client/format/names.ts'
import {
  alignedPriceText,
  chanceText,
  lineText,
  percentText,
  priceText,
} from '../../api/web/client/format/odds.ts'
import {
  ageText,
  axisTexts,
  clockText,
  dayText,
  momentText,
  startText,
} from '../../api/web/client/format/time.ts'
import { withheldReasons } from '../../schemas/withheld-price.ts'

describe('a price on a page', () => {
  it.each([...withheldReasons])('that is withheld is marked, with words for %s', (withheld) => {
    const { className, why } = markOf({ isActive: true, withheld })
    expect(className).toBe('withheld')
    expect(why).toMatch(/^Withheld: .+ /)
    expect(why).not.toContain('_')
  })

  it('is spoken with the reason why it does not count', () => {
    const { why } = markOf({ isActive: false, withheld: null })
    expect(spokenPrice('o210.5', '−110', why)).toBe('o210.5 −110, Suspended')
    expect(spokenPrice('', '1.91', 'Withheld: a reason')).toBe('1.91, Withheld: a reason')
    expect(spokenPrice('o210.5', '−110', '')).toBeNull()
  })

  it('is marked as suspended above all, and not at all if it counts', () => {
    const withheld = 'far_from_consensus'
    expect(markOf({ isActive: false, withheld })).toEqual({
      className: 'suspended',
      why: 'Suspended',
    })
    expect(markOf({ isActive: true, withheld: null })).toEqual({ className: '', why: '' })
  })
})

describe('a price as text', () => {
  it.each([
    [1.909, '−110', '1.909', '52.4%'],
    [1.0049, '−20408', '1.0049', '99.5%'],
    [1.9, '−111', '1.90', '52.6%'],
    [2, '+100', '2.00', '50.0%'],
    [2.5, '+150', '2.50', '40.0%'],
    [1.5, '−200', '1.50', '66.7%'],
    [1.01, '−10000', '1.01', '99.0%'],
    [151, '+15000', '151', '0.7%'],
    [2501, '+250000', '2501', '0.04%'],
    [1.0004, '−250000', '1.0004', '99.96%'],
  ])('%d is %s, %s or %s', (price, american, decimal, probability) => {
    expect(priceText(price, 'american')).toBe(american)
    expect(priceText(price, 'decimal')).toBe(decimal)
    expect(priceText(price, 'probability')).toBe(probability)
  })

  it.each([
    [1.909, '10/11', '0.909', '0.909', '−1.10'],
    [2, '1/1', '1.00', '1.00', '1.00'],
    [2.5, '3/2', '1.50', '−0.667', '1.50'],
    [1.5, '1/2', '0.50', '0.50', '−2.00'],
    [151, '150/1', '150', '−0.00667', '150'],
  ])('%d is %s, %s, %s or %s in the formats of other countries', (price, ...texts) => {
    const formats = ['fractional', 'hong_kong', 'malay', 'indonesian'] as const
    expect(formats.map((format) => priceText(price, format))).toEqual(texts)
  })

  it('is the service’s American price, which three decimals cannot always give', () => {
    expect(priceText(1.256, 'american')).toBe('−391')
    expect(priceText(1.256, 'american', -390)).toBe('−390')
  })

  it('has its point at the same place from the right, where decimals are in a column', () => {
    const behind = [1.909, 1.85, 2.5, 151].map((price) => {
      const text = alignedPriceText(price, 'decimal')
      expect(text.trim()).toBe(priceText(price, 'decimal'))
      return text.length - text.search(/[.\u2008]/)
    })
    expect(behind).toEqual([4, 4, 4, 4])
    expect(alignedPriceText(1.256, 'american', -390)).toBe('−390')
  })

  it('never shows a shorter price as longer', () => {
    const price = fc.double({ min: 1.001, max: 1_000, noNaN: true })
    const read = (text: string) => Number(text.replace('−', '-'))
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(read(priceText(low, 'decimal'))).toBeLessThanOrEqual(
          read(priceText(high, 'decimal')),
        )
      }),
    )
  })
})

it('a line shows its direction', () => {
  expect(lineText(-4.5, 'home')).toBe('−4.5')
  expect(lineText(3, 'away')).toBe('+3')
  expect(lineText(0, 'home')).toBe('pk')
  expect(lineText(210.5, 'over')).toBe('o210.5')
  expect(lineText(210.5, 'under')).toBe('u210.5')
  expect(lineText(1.5, 'home_over')).toBe('o1.5')
  expect(lineText(1.5, 'away_under')).toBe('u1.5')
  expect(lineText(null, 'home')).toBe('')
})

it('a percentage has a true minus', () => {
  expect(percentText(-1.267)).toBe('−1.27%')
  expect(percentText(4.5, 1)).toBe('4.5%')
  expect([-0.04, -0.06].map((percent) => percentText(percent, 1))).toEqual(['0.0%', '−0.1%'])
})

it('a start is shown by its time, its weekday while that is one day, then its date', () => {
  const now = Date.parse('2026-11-24T20:00:00Z')
  const textOf = (at: string) => startText(Date.parse(at), 'utc', now)
  expect(textOf('2026-11-24T23:30:00Z')).toBe('23:30')
  expect(textOf('2026-11-25T00:00:00Z')).toBe('Wed 00:00')
  expect(textOf('2026-11-30T18:00:00Z')).toBe('Mon 18:00')
  expect(textOf('2026-12-01T18:00:00Z')).toBe('1 Dec 18:00')
})

it('a day of another year is shown with its year', () => {
  const now = Date.parse('2026-12-29T20:00:00Z')
  const at = Date.parse('2030-11-21T15:00:00Z')
  expect(dayText(at, 'utc', now)).toBe('Thu 21 Nov 2030')
  expect(startText(at, 'utc', now)).toBe('21 Nov 2030')
  expect(momentText(at, 'utc', now)).toBe('Thu 21 Nov 2030 15:00:00')
  // Within six days the weekday is enough.
  expect(startText(Date.parse('2027-01-01T18:00:00Z'), 'utc', now)).toBe('Fri 18:00')
})

it('ticks of an axis are distinct, whatever lies between them', () => {
  const now = Date.parse('2026-11-24T20:00:30Z')
  const from = (start: string, stepMs: number) =>
    axisTexts(
      Array.from({ length: 4 }, (_, i) => Date.parse(start) + i * stepMs),
      'utc',
      now,
    )
  expect(from('2026-11-24T20:00:00Z', 10_000)).toEqual([
    '20:00:00',
    '20:00:10',
    '20:00:20',
    '20:00:30',
  ])
  expect(from('2026-11-23T12:00:00Z', 6 * 3_600_000)).toEqual([
    '12:00\n23 Nov',
    '18:00',
    '00:00\n24 Nov',
    '06:00',
  ])
  expect(from('2025-12-30T00:00:00Z', 86_400_000)).toEqual([
    '30 Dec 2025',
    '31 Dec 2025',
    '1 Jan',
    '2 Jan',
  ])
})

it('an amount has the currency of the profile, a true minus, and none before a zero', () => {
  expect(moneyText(-1234.5, null)).toBe('−1,234.50')
  expect(moneyText(1234.5, 'EUR')).toBe('€1,234.50')
  expect(moneyText(-20, 'USD')).toBe('−$20.00')
  expect(moneyText(-0.001, 'GBP', 20)).toBe('£0.00')
})

it('an amount is a gain or a loss, and nothing is neither', () => {
  expect([0.01, -0.01, 0, -0].map(gainClass)).toEqual(['gain', 'loss', '', ''])
})

it('an amount that is no whole number of cents has up to eight places', () => {
  expect(moneyText(0.0012, 'BTC')).toBe('BTC\u00a00.0012')
  expect(moneyText(-0.00000123, 'BTC')).toBe('−BTC\u00a00.00000123')
  expect(moneyText(0.125, null)).toBe('0.125')
  expect(moneyText(0.1 + 0.2, null)).toBe('0.30')
  expect([0, -1e-12].map((amount) => moneyText(amount, 'BTC'))).toEqual([
    'BTC\u00a00.00',
    'BTC\u00a00.00',
  ])
})

it('a limit of a sportsbook is as exact as the stakes', () => {
  expect(moneyText(123.456789, 'EUR', 1)).toBe('€123.46')
  expect(moneyText(0.123456789, 'BTC', 0.0001)).toBe('BTC\u00a00.12345679')
})

it('a probability that is not shown is a dash', () => {
  expect([0.5132, undefined].map(chanceText)).toEqual(['51.32%', '–'])
})

it('an age is shown in its largest unit', () => {
  expect([0, 59_999, 60_000, 7_200_000, 200_000_000].map(ageText)).toEqual([
    '0s',
    '59s',
    '1m',
    '2h',
    '2d',
  ])
})

it('UTC is UTC wherever one is', () => {
  const at = Date.parse('2026-11-21T00:30:00Z')
  expect(clockText(at, 'utc')).toBe('00:30')
  expect(dayText(at, 'utc', at)).toBe('Sat 21 Nov')
})
