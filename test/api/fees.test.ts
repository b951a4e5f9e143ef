import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { feesWith, noFees } from '../../pipeline/rules/odds/fees.ts'
import { knicks, leeds, push, total } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const goals = (over: number, under: number) => ({
  market_type: 'total_goals',
  line: 2.5,
  selections: [
    { selection_type: 'over', odds_decimal: over },
    { selection_type: 'under', odds_decimal: under },
  ],
})

const counting = { off: noFees, standard: feesWith(true, {}) } as const

describe.each(['off', 'standard'] as const)('opportunities at exchanges, fees %s', (setting) => {
  let service: SimulatedService
  let key: string
  beforeAll(async () => {
    service = await startSimulated(null, undefined, counting[setting])
    key = await service.key('sharp')
  })
  afterAll(() => service.close())

  const isOff = setting === 'off'
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const list = async (path: string): Promise<any[]> =>
    (await service.get(`/opportunities/${path}`, key)).body.data

  const offer = (game: typeof leeds | typeof knicks, offers: Record<string, object[]>) => {
    push(service, game, offers)
    service.step(1_000)
  }

  it(
    isOff ? 'are taken at face value' : 'are none where the fee takes more than the profit',
    async () => {
      // 2.06 less 5 % of the winnings is 2.007: a profit of 0.44 % becomes a loss of 0.85 %.
      offer(leeds, { betfair: [goals(2.06, 1.9)], draftkings: [goals(1.95, 1.96)] })
      const found = await list('arbitrage?min_profit=0')
      expect(found.map(({ profit_percent }) => profit_percent)).toEqual(isOff ? [0.44] : [])
      // A low hold remains, at the offered prices.
      const [hold] = await list('low_hold?max_hold=5')
      expect(hold.hold_percentage).toBe(isOff ? -0.44 : 0.85)
      expect(hold.side1).toMatchObject({ books: ['betfair'], odds: { decimal: 2.06 } })
    },
  )

  it('show prices as offered, figures and stakes after the fee', async () => {
    offer(leeds, { betfair: [goals(2.2, 1.8)], draftkings: [goals(2.05, 1.96)] })
    const [found] = await list('arbitrage?min_profit=0')
    const net = isOff ? 2.2 : 2.14
    const total = 1 / net + 1 / 1.96
    expect(found.profit_percent).toBe(Math.round(1e4 * (1 / total - 1)) / 100)
    expect(found.legs[0]).toMatchObject({ sportsbook: 'betfair', odds_decimal: 2.2 })
    expect(found.legs[0].stake_percent).toBeCloseTo(100 / net / total, 1)

    const { body } = await service.get(`/opportunities/${found.id}/explain`, key)
    const { quotes, result, ends } = body.data
    expect(quotes[0].odds_decimal).toBe(2.2)
    expect(quotes[0].fee).toEqual(
      isOff
        ? undefined
        : { on: 'net_winnings', rate: 0.05, odds_after_fee: expect.closeTo(2.14, 9) },
    )
    expect(quotes[1].fee).toBeUndefined()
    const { stakes } = (
      await service.get(`/opportunities/${found.id}/explain?total=1000&unit=1`, key)
    ).body.data
    const [first, second] = stakes.legs
    expect(first.stake + second.stake).toBe(stakes.total)
    expect(first.profit).toBeCloseTo(first.stake * net - stakes.total, 2)
    expect(second.profit).toBeCloseTo(second.stake * 1.96 - stakes.total, 2)
    expect(stakes.worst_profit).toBe(Math.min(first.profit, second.profit))
    // Equals the promised percent, up to the rounding of stakes.
    expect(Math.abs(stakes.worst_profit - 1_000 * (1 / total - 1))).toBeLessThan(3)
    expect(result.profit).toBeCloseTo(1 / total - 1, 9)
    // The offered price at which the exchange's net price leaves no profit.
    const least = 1 / (1 - 1 / 1.96)
    const offered = isOff ? least : 1 + (least - 1) / 0.95
    expect(ends[0]).toMatchObject({
      sportsbook: 'betfair',
      to_odds_decimal: expect.closeTo(offered, 5),
    })
  })

  it('take the price that pays most after fees', async () => {
    offer(leeds, {
      betfair: [goals(2.1, 1.8)],
      fanduel: [goals(2.08, 1.8)],
      draftkings: [goals(1.95, 1.96)],
    })
    const [found] = await list('arbitrage?min_profit=0')
    expect(found.legs[0]).toMatchObject(
      isOff
        ? { sportsbook: 'betfair', odds_decimal: 2.1 }
        : { sportsbook: 'fanduel', odds_decimal: 2.08 },
    )
  })

  it('are worth less by the fee of a contract, paid with the stake', async () => {
    // The sharp book has even prices. The bet costs 48 cents and 1.75 cents of fee.
    offer(knicks, {
      pinnacle: [total(228.5, 1.95, 1.95)],
      kalshi: [total(228.5, 1 / 0.48, 1 / 0.53)],
    })
    const found = await list('ev?max_hold=10&sportsbook=kalshi')
    const cost = isOff ? 0.48 : 0.4975
    expect(found.map(({ ev_percent }) => ev_percent)).toEqual([
      Math.round(1e4 * (0.5 / cost - 1)) / 100,
    ])
    expect(found[0].odds_decimal).toBe(2.083)
  })

  it('include the fees of middles', async () => {
    offer(knicks, {
      betfair: [total(226.5, 1.95, 1.95)],
      draftkings: [total(229.5, 1.9, 1.95)],
    })
    const [found] = await list('middles?min_size=0')
    const net = isOff ? 1.95 : 1 + 0.95 * 0.95
    expect(found.market_overround).toBeCloseTo(100 * (1 / net + 1 / 1.95), 1)
    // The fair probability is computed from the prices as offered.
    const sides = [found.side1, found.side2]
    expect(sides.find(({ book }) => book === 'betfair').odds.fair_probability).toBe(0.5)
  })
})
