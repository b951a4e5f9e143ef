/** The highest stakes in lists of opportunities, and the order of lists by start. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { arbitrageCsv } from '../../api/opportunities/kinds/arbitrage.ts'
import { knicks, packers, push } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

let service: SimulatedService
let keys: Readonly<Record<'sharp' | 'pro', string>>
beforeAll(async () => {
  service = await startSimulated(null)
  keys = { sharp: await service.key('sharp'), pro: await service.key('pro') }
})
afterAll(() => service.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
const list = async (path: string, tier: 'sharp' | 'pro' = 'sharp'): Promise<any[]> =>
  (await service.get(`/opportunities/${path}`, keys[tier])).body.data

/** @param limits of over and under; null for none */
const total = (
  line: number,
  over: number,
  under: number,
  limits: readonly [number | null, number | null] = [null, null],
) => ({
  market_type: 'total_points',
  line,
  selections: [
    { selection_type: 'over', odds_decimal: over, max_bet: limits[0] },
    { selection_type: 'under', odds_decimal: under, max_bet: limits[1] },
  ],
})

const offer = (offers: Record<string, object[]>, game: Parameters<typeof push>[1] = knicks) => {
  push(service, game, offers)
  service.step(1_000)
}

it('has the limit of each leg, and none where the sportsbook states none', async () => {
  offer({
    pinnacle: [total(220.5, 1.95, 1.95, [2_000, 2_000])],
    draftkings: [total(220.5, 2.06, 1.85, [500, 40])],
    betmgm: [total(220.5, 2.06, 1.85, [120, null])],
    fanduel: [total(220.5, 1.89, 2.01)],
    caesars: [total(223.5, 2, 1.88, [null, 75])],
  })
  const [arbitrage] = await list('arbitrage')
  const over = arbitrage.legs[0].sportsbook
  expect(arbitrage.legs).toMatchObject([
    { max_bet: over === 'draftkings' ? 500 : 120 },
    { sportsbook: 'fanduel', max_bet: null },
  ])
  const evs = await list('ev')
  expect(
    Object.fromEntries(
      evs.map(({ sportsbook, selection, max_bet }) => [`${sportsbook} ${selection}`, max_bet]),
    ),
  ).toEqual({
    'draftkings Over 220.5': 500,
    'betmgm Over 220.5': 120,
    'fanduel Under 220.5': null,
  })
  const middles = await list('middles')
  const middle = middles.find(({ side2 }) => side2.book === 'caesars')
  expect(middle).toMatchObject({ side1: { book: over, max_bet: over === 'betmgm' ? 120 : 500 } })
  expect(middle.side2.max_bet).toBe(75)
  const [hold] = await list('low_hold')
  expect([hold.side1, hold.side2]).toMatchObject([
    { books: ['betmgm', 'draftkings'], max_bet_by_book: { betmgm: 120, draftkings: 500 } },
    { books: ['fanduel'], max_bet_by_book: {} },
  ])
})

it('follows a limit that changes while its price stays', async () => {
  const limits = async () => {
    const [hold] = await list('low_hold')
    return [
      (await list('ev')).find(({ sportsbook }) => sportsbook === 'betmgm').max_bet,
      hold.side1.max_bet_by_book.betmgm,
    ]
  }
  expect(await limits()).toEqual([120, 120])
  offer({ betmgm: [total(220.5, 2.06, 1.85, [90, null])] })
  expect(await limits()).toEqual([90, 90])
  offer({ betmgm: [total(220.5, 2.06, 1.85)] })
  expect(await limits()).toEqual([null, undefined])
})

it('has them in the file as well, behind the columns that all readers know', async () => {
  const [found] = await list('arbitrage')
  const legs = [{ ...found.legs[0], max_bet: 80 }, found.legs[1]]
  const [head, row] = arbitrageCsv([{ ...found, legs }]).split('\r\n')
  expect(head!.split(',').slice(-3)).toEqual(['max_bet1', 'max_bet2', 'max_bet3'])
  expect(row!.split(',').slice(-3)).toEqual(['80', '', ''])
})

it('names no limit of a sportsbook that the tier does not see', async () => {
  for (const kind of ['arbitrage', 'ev', 'middles', 'low_hold']) {
    const text = JSON.stringify(await list(kind, 'pro'))
    expect(text).not.toContain('2000')
  }
})

it.each(['middles', 'low_hold', 'arbitrage', 'ev'])(
  'lists %s by start, soonest first',
  async (kind) => {
    const prices = {
      pinnacle: [total(40.5, 1.95, 1.95)],
      draftkings: [total(40.5, 2.06, 1.85)],
      fanduel: [total(40.5, 1.89, 2.01)],
      caesars: [total(41.5, 2, 1.88)],
    }
    offer(prices, packers)
    const starts = async (sort: string) =>
      (await list(`${kind}?sort=${sort}`)).map(({ start_time }) => start_time)
    const soonest = await starts('start_time')
    expect(new Set(soonest).size).toBe(2)
    expect(soonest).toEqual(soonest.toSorted())
    expect(await starts('-time')).toEqual(soonest.toReversed())
  },
)
