import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leeds, moneyline, push } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const striker = 'Sample Striker'

const goals = (line: number, over: number, under?: number) => ({
  market_type: 'player_goals',
  player_name: striker,
  line,
  selections: [
    { selection_type: 'over', odds_decimal: over },
    ...(under === undefined ? [] : [{ selection_type: 'under', odds_decimal: under }]),
  ],
})

const scorer = (which: string, price: number) => ({
  market_type: `${which}_goal_scorer`,
  player_name: striker,
  selections: [{ selection_type: 'yes', odds_decimal: price }],
})

const drawNoBet = (home: number, away: number) => ({
  market_type: 'draw_no_bet',
  selections: [
    { selection_type: 'home', odds_decimal: home },
    { selection_type: 'away', odds_decimal: away },
  ],
})

const totals = (line: number, over: number, under: number) => ({
  market_type: 'total_goals',
  line,
  selections: [
    { selection_type: 'over', odds_decimal: over },
    { selection_type: 'under', odds_decimal: under },
  ],
})

const suspicion = 'MARKET_MISMATCH_SUSPECTED'

describe('an opportunity with contradictory prices', () => {
  let service: SimulatedService
  let key: string
  beforeAll(async () => {
    service = await startSimulated(null)
    key = await service.key('sharp')
  })
  afterAll(() => service.close())

  /** Returns the arbitrages of the game after these sportsbooks sent their full offers. */
  async function arbitrages(offers: Readonly<Record<string, readonly object[]>>) {
    const silent = { draftkings: [], fanduel: [], caesars: [] }
    push(service, leeds, { ...silent, ...offers })
    service.step(1_000)
    const { body } = await service.get('/opportunities/arbitrage?min_profit=0', key)
    return body.data as { id: string; profit_percent: number; warnings: string[] }[]
  }

  it('warns of the phantom of a World Cup board that an absurd third price had hidden', async () => {
    const found = await arbitrages({
      draftkings: [goals(0.5, 5.73), scorer('first', 5.38)],
      fanduel: [goals(0.5, 3.5, 1.274)],
      caesars: [goals(0.5, 51)],
    })
    expect(found.map(({ profit_percent }) => profit_percent)).toEqual([4.23])
    expect(found[0]?.warnings).toContain(suspicion)
  })

  it('warns if a first scorer is shorter than the goal, until he is not', async () => {
    const fair = [goals(0.5, 1.95, 1.96)]
    const offers = (first: number) => ({
      draftkings: [goals(0.5, 2.06), scorer('first', first)],
      fanduel: fair,
    })
    const [found] = await arbitrages(offers(1.9))
    expect(found).toMatchObject({ profit_percent: 0.44, warnings: [suspicion] })
    const explained = await service.get(`/opportunities/${found?.id}/explain`, key)
    expect(explained.body.data.is_mismatch_suspected).toBe(true)

    const [mended] = await arbitrages(offers(4.5))
    expect(mended).toMatchObject({ id: found?.id, warnings: [] })
  })

  it.each([
    [
      'a total on a higher line that is shorter',
      [totals(2.5, 2.06, 1.9), totals(3.5, 1.95, 1.75)],
      [totals(2.5, 1.95, 1.96)],
    ],
    [
      'a win that is shorter than the bet without the draw',
      [drawNoBet(2.06, 1.9), moneyline(1.95, 4.2, 3.4)],
      [drawNoBet(1.95, 1.96)],
    ],
  ])('warns of %s', async (_, own, others) => {
    const [found, ...more] = await arbitrages({ draftkings: own, fanduel: others })
    expect([found?.warnings, more]).toEqual([[suspicion], []])
  })

  it('does not warn of consistent prices, or of another sportsbook’s', async () => {
    const ladder = [totals(1.5, 1.4, 2.9), totals(2.5, 2.06, 1.9), totals(3.5, 3.4, 1.3)]
    const [found] = await arbitrages({
      draftkings: [...ladder, drawNoBet(1.6, 2.2), moneyline(2.1, 3.2, 3.4)],
      fanduel: [totals(2.5, 1.95, 1.96)],
      caesars: [totals(3.5, 3.35, 1.31)],
    })
    expect(found).toMatchObject({ profit_percent: 0.44, warnings: [] })
  })
})
