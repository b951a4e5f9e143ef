/** Prices, stakes, lines and times of bets as a reader types them, and what a form offers to bet on. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { choicesIn, priceAt } from '../../api/web/client/data/bet-choices.ts'
import { feesOf } from '../../api/web/client/data/commissions.ts'
import {
  readLine,
  readMoment,
  readTerms,
  typedMoment,
  typedTermsOf,
} from '../../api/web/client/format/typed-bet.ts'
import { noFees } from '../../pipeline/rules/odds/fees.ts'
import { priceFormats } from '../../schemas/price-format.ts'
import { standardFees } from '../../schemas/reference/fees.ts'

it.each([
  ['american', '−110', 1 + 100 / 110],
  ['american', '+150', 2.5],
  ['american', 'even', 2],
  ['decimal', '1,95', 1.95],
  ['fractional', '10/11', 1 + 10 / 11],
  ['probability', '52.4%', 1 / 0.524],
  ['hong_kong', '0.95', 1.95],
  ['malay', '-0.8', 2.25],
  ['indonesian', '-1.25', 1.8],
] as const)('a price is read in the format of the profile: %s %s', (format, price, decimal) => {
  const read = readTerms({ price, stake: '20' }, format, null)
  expect(read.price).toBeCloseTo(decimal, 9)
  expect(read.stake).toBe(20)
})

it('a price that is left as it was is not rounded, in any format', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...priceFormats),
      fc.double({ min: 1.01, max: 500, noNaN: true }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (format, price, cents) => {
        const before = { price, stake: cents / 100 }
        expect(readTerms(typedTermsOf(before, format), format, before)).toEqual(before)
      },
    ),
  )
})

it('a price that is typed anew is the typed one', () => {
  const before = { price: 2.0976, stake: 100 }
  const { stake } = typedTermsOf(before, 'decimal')
  expect(readTerms({ price: '2.05', stake }, 'decimal', before)).toEqual({
    price: 2.05,
    stake: 100,
  })
})

it.each([
  ['-90', '20', '-90 is not a price in American odds.'],
  ['', '20', 'Nothing is not a price in American odds.'],
  ['-110', '', 'Nothing is no stake.'],
  ['-110', '0', '0 is no stake.'],
  ['-110', '-5', '-5 is no stake.'],
  ['-110', 'ten', 'ten is no stake.'],
  ['-110', '1,250', 'Stake: 1,250 can be 1250 or 1.25. Write one of these.'],
])('what is no price or no stake is refused by its name: %s, %s', (price, stake, why) => {
  expect(() => readTerms({ price, stake }, 'american', null)).toThrow(why)
})

it('a line keeps its sign', () => {
  expect(['−4.5', '-4,5', '+3', '0'].map(readLine)).toEqual([-4.5, -4.5, 3, 0])
  expect(() => readLine('pk')).toThrow('pk is no line.')
})

it('a time is of the zone of the page, and empty means now', () => {
  const now = Date.UTC(2026, 10, 20, 12)
  expect(readMoment('', 'utc', now)).toBe(now)
  for (const zone of ['utc', 'local'] as const) {
    // What an input shows is read as the same time, in summer and winter.
    for (const month of [0, 6]) {
      const at = Date.UTC(2026, month, 20, 9, 30)
      expect(readMoment(typedMoment(at, zone), zone, now)).toBe(at)
    }
  }
  expect(typedMoment(Date.UTC(2026, 10, 20, 9, 30, 59), 'utc')).toBe('2026-11-20T09:30')
  expect(readMoment('2026-11-20T09:30', 'utc', now)).toBe(Date.UTC(2026, 10, 20, 9, 30))
  expect(readMoment('2026-11-20T09:30', 'local', now)).toBe(new Date(2026, 10, 20, 9, 30).getTime())
})

it('a form offers each selection once, and knows the price of each sportsbook', () => {
  const price = (
    sportsbook: string,
    selection_type: string,
    line: number,
    odds_decimal: number,
  ) => ({
    ...{ sportsbook, selection_type, line, odds_decimal, player_name: null },
  })
  const prices = [
    price('fanduel', 'home', -5.5, 2.1),
    price('fanduel', 'home', -4.5, 1.95),
    price('draftkings', 'home', -4.5, 1.9),
    { ...price('fanduel', 'over', 22.5, 1.8), player_name: 'J. Brunson' },
  ]
  const offered = choicesIn(prices)
  expect(offered.map(({ player, selectionType, line }) => [player, selectionType, line])).toEqual([
    [null, 'home', -4.5],
    [null, 'home', -5.5],
    ['J. Brunson', 'over', 22.5],
  ])
  const [main] = offered
  expect(
    ['draftkings', 'fanduel', 'betmgm'].map((id) => priceAt(prices, main!, id, noFees)),
  ).toEqual([1.9, 1.95, null])
})

it('a price at an exchange is that after the own commission, else after the published one', () => {
  const row = { selection_type: 'home', line: null }
  const prices = ['betfair', 'matchbook', 'fanduel'].map((sportsbook) => {
    return { ...row, sportsbook, odds_decimal: 2 }
  })
  const [home] = choicesIn(prices)
  const own = (sportsbook: string, commission_percent: number | null) => ({
    ...{ sportsbook, commission_percent, max_stake: null, is_included: true },
    status: 'active' as const,
  })
  const at = (sportsbook: string, ...sportsbooks: readonly ReturnType<typeof own>[]) =>
    priceAt(prices, home!, sportsbook, feesOf({ sportsbooks }))
  expect(at('betfair', own('betfair', 2))).toBeCloseTo(1.98, 10)
  expect(at('betfair', own('betfair', 0))).toBe(2)
  const published = standardFees.get('betfair')!.rate
  expect(published).toBeGreaterThan(0)
  expect(at('betfair', own('betfair', null))).toBeCloseTo(2 - published, 10)
  expect(at('betfair')).toBeCloseTo(2 - published, 10)
  expect(at('fanduel')).toBe(2)
})
