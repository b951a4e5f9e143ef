import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gameTotal } from './game-total.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await service.ingest([
    gameTotal('pinnacle', 1.91, 1.91),
    gameTotal('draftkings', 2.05, 1.77),
    gameTotal('fanduel', 1.9, 1.98),
    gameTotal('betmgm', 1.9, 1.9, 213.5),
  ])
  await service.settled()
})
afterAll(() => service.close())

async function firstOf(path: string, isWanted: (item: Record<string, unknown>) => boolean) {
  const { body } = await service.get(path)
  return (body.data as Record<string, unknown>[]).find(isWanted) as Record<string, never>
}

describe('the explanation of an opportunity', () => {
  it('has the quotes, the devig steps and the ends of a +EV', async () => {
    const item = await firstOf('/opportunities/ev', ({ sportsbook }) => sportsbook === 'draftkings')
    const { body, status } = await service.get(`/opportunities/${item.id}/explain`)
    expect(status).toBe(200)
    const { data } = body
    expect(data).toMatchObject({ kind: 'ev', market_type: 'total_points', line: 210.5 })
    expect(data.quotes.map((quote: { role: string }) => quote.role)).toEqual([
      'leg',
      'reference',
      'reference',
    ])
    expect(data.quotes[0]).toMatchObject({
      sportsbook: 'draftkings',
      odds_decimal: 2.05,
      selection_id: 's1',
      market_id: 'm1',
      external_event_id: 'draftkings-1',
      age_seconds: 0,
    })
    // At even prices every method gives one half, so a price of 2.05 is worth 2.5 %.
    for (const method of ['power', 'multiplicative', 'additive', 'shin', 'odds_ratio']) {
      const found = data.devig[0].methods[method]
      expect(found.fair_probabilities[0]).toBeCloseTo(0.5, 10)
      expect(found.ev_percentage).toBeCloseTo(2.5, 3)
      expect(found.kelly_percent).toBeCloseTo(2.381, 3)
    }
    expect(data.devig[0].overround).toBeCloseTo(2 / 1.91 - 1, 12)
    expect(data.ends).toContainEqual({
      cause: 'price_falls',
      sportsbook: 'draftkings',
      odds_id: item.odds_id,
      to_odds_decimal: 2,
      at: null,
    })
    expect(data.ends).toContainEqual({
      cause: 'event_starts',
      sportsbook: null,
      odds_id: null,
      to_odds_decimal: null,
      at: '2026-11-21T00:30:00.000Z',
    })
    expect(data.ends.filter(({ cause }: { cause: string }) => cause === 'not_seen_again')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ sportsbook: 'draftkings', at: '2026-11-20T12:05:00.000Z' }),
      ]),
    )
  })

  it.each([
    ['ev', 'sharp', ['SINGLE_SHARP_REF']],
    ['ev', 'pro', ['SINGLE_SHARP_REF']],
    ['arbitrage?min_profit=0', 'sharp', []],
    ['middles', 'sharp', ['MODEL_EXCEEDS_PRICES', 'MARKET_MISMATCH_SUSPECTED']],
    ['low-hold', 'sharp', []],
  ] as const)('has the warnings of its list: %s, tier %s', async (list, tier, some) => {
    const { body } = await service.get(`/opportunities/${list}`, tier)
    expect(body.data).not.toEqual([])
    const told = new Set<string>()
    for (const { id, warnings } of body.data) {
      const explained = await service.get(`/opportunities/${id}/explain`, tier)
      expect(explained.body.data.warnings).toEqual(warnings)
      for (const warning of warnings) told.add(warning)
    }
    expect([...told]).toEqual(expect.arrayContaining([...some]))
  })

  it('hides the prices of a sharp book that the tier does not see, and nothing else', async () => {
    const item = await firstOf('/opportunities/ev', ({ sportsbook }) => sportsbook === 'draftkings')
    const { body } = await service.get(`/opportunities/${item.id}/explain`, 'pro')
    const [leg, ...reference] = body.data.quotes
    expect(leg).toMatchObject({ is_hidden: false, odds_decimal: 2.05 })
    for (const quote of reference) {
      expect(Object.keys(quote).sort()).toEqual(
        ['is_hidden', 'line', 'role', 'selection', 'selection_type', 'sportsbook'].sort(),
      )
      expect(quote.is_hidden).toBe(true)
    }
    expect(
      body.data.ends.some(({ sportsbook }: { sportsbook: string }) => sportsbook === 'pinnacle'),
    ).toBe(false)
  })

  it('gives stakes within the highest stake that a sportsbook states', async () => {
    const limited = gameTotal('draftkings', 2.05, 1.77)
    Object.assign(limited.markets[0]!.selections[0]!, { max_bet: 80 })
    await service.ingest([limited])
    await service.settled()
    const item = await firstOf('/opportunities/arbitrage?min_profit=0', () => true)
    const of = async (query: string) =>
      (await service.get(`/opportunities/${item.id}/explain${query}`)).body.data
    const { stakes, quotes } = await of('?total=1000&unit=1')
    expect(quotes.map((quote: { max_bet: number | null }) => quote.max_bet)).toEqual([80, null])
    // A stake of 80 returns 164.00 on the over; 83 returns 164.34 on the under, 82 only 162.36.
    expect(stakes).toEqual({
      rule: 'equal_return',
      currency: null,
      asked: 1_000,
      unit: 1,
      kelly_part: null,
      total: 163,
      legs: [
        { sportsbook: 'draftkings', selection: 'Over 210.5', max_bet: 80, stake: 80, profit: 1 },
        { sportsbook: 'fanduel', selection: 'Under 210.5', max_bet: null, stake: 83, profit: 1.34 },
      ],
      worst_profit: 1,
      expected_profit: null,
      limited_by: 'draftkings',
      other_outcomes: [],
      warnings: [],
    })
    expect((await of('?total=100&unit=1')).stakes.limited_by).toBeNull()
    expect((await of('')).stakes).toMatchObject({ asked: 100, unit: 0.01 })
  })

  it('gives the part of a bankroll to stake on +EV, as the list does', async () => {
    const item = await firstOf('/opportunities/ev', ({ sportsbook }) => sportsbook === 'draftkings')
    const of = async (query: string) =>
      (await service.get(`/opportunities/${item.id}/explain${query}`)).body.data.stakes
    const full = await of('?total=1000')
    expect(full).toMatchObject({ rule: 'kelly', kelly_part: 1, limited_by: null })
    expect(full.total).toBeCloseTo(10 * item.kelly_percent!, 0)
    expect(full.worst_profit).toBe(-full.total)
    expect((await of('?total=1000&kelly=0.25')).total).toBeCloseTo(full.total / 4, 1)
  })

  it('gives the prices at which an arbitrage ends', async () => {
    const item = await firstOf('/opportunities/arbitrage?min_profit=0', () => true)
    const { body } = await service.get(`/opportunities/${item.id}/explain`)
    const falls = body.data.ends.filter(({ cause }: { cause: string }) => cause === 'price_falls')
    // Over 2.05 and under 1.98: the arbitrage ends when the implied probabilities sum to 1.
    expect(falls[0].to_odds_decimal).toBeCloseTo(1 / (1 - 1 / 1.98), 5)
    expect(falls[1].to_odds_decimal).toBeCloseTo(1 / (1 - 1 / 2.05), 5)
    expect(body.data.result.profit).toBeCloseTo(1 / (1 / 2.05 + 1 / 1.98) - 1, 12)
  })

  it('shows both sides’ own markets of a middle', async () => {
    const item = await firstOf('/opportunities/middles', () => true)
    const { body } = await service.get(`/opportunities/${item.id}/explain`)
    expect(body.data.kind).toBe('middle')
    expect(body.data.devig).toHaveLength(2)
    expect(body.data.result.numbers).toEqual([211, 212, 213])
  })

  it('also removes the margin of props whose labels name the player', async () => {
    const prop = (sportsbook: string, line: number, over: number, under: number) => ({
      ...gameTotal(sportsbook, over, under, line),
      markets: [
        {
          market_type: 'player_points',
          player_name: 'Jalen Brunson',
          line,
          selections: [
            { selection_type: 'over', odds_decimal: over },
            { selection_type: 'under', odds_decimal: under },
          ],
        },
      ],
    })
    await service.ingest([
      prop('draftkings', 20.5, 1.6, 2.25),
      prop('fanduel', 20.5, 1.59, 2.2),
      prop('betmgm', 22.5, 1.75, 2.2),
      prop('caesars', 22.5, 1.74, 2.15),
    ])
    await service.settled()
    const item = await firstOf('/opportunities/middles?market=player_points', () => true)
    const { body } = await service.get(`/opportunities/${item.id}/explain`)
    expect(body.data.devig).toHaveLength(2)
    const [first, second] = body.data.result.fair
    // With the margins left in, the two would imply exactly the break-even point.
    expect(first + second).toBeLessThan(1 / 1.6 + 1 / 2.2 - 0.02)
    expect(body.data.result.probability).toBeCloseTo(first + second - 1, 12)
    expect(body.data.result.expectedValue).toBeLessThan(0)
  })

  it('lists all results of a middle, refunds among them, with the expected value as their mean', async () => {
    const prop = (sportsbook: string, line: number, over: number, under: number) => ({
      ...gameTotal(sportsbook, over, under, line),
      markets: [
        {
          market_type: 'player_points',
          player_name: 'Josh Hart',
          line,
          selections: [
            { selection_type: 'over', odds_decimal: over },
            { selection_type: 'under', odds_decimal: under },
          ],
        },
      ],
    })
    await service.ingest([prop('draftkings', 20.5, 1.95, 1.87), prop('betmgm', 23, 1.93, 1.89)])
    await service.settled()
    const item = await firstOf(
      '/opportunities/middles?market=player_points',
      ({ player_name }) => player_name === 'Josh Hart',
    )
    const { body } = await service.get(`/opportunities/${item.id}/explain`)
    const { outcomes, shares, expectedValue, probability } = body.data.result
    const [over, under] = [1.95, 1.89]
    const back = (price: number, gap: number) => (gap > 0 ? price : gap === 0 ? 1 : 0)
    const [onOver, onUnder] = [under / (over + under), over / (over + under)]
    expect(shares).toEqual([expect.closeTo(onOver, 12), expect.closeTo(onUnder, 12)])
    let [sum, mean, both, refunded] = [0, 0, 0, 0]
    for (const [i, outcome] of outcomes.entries()) {
      // The ranges cover every result without a gap.
      expect(outcome.from).toBe(i === 0 ? null : outcomes[i - 1].to + 1)
      expect(outcome.to === null).toBe(i === outcomes.length - 1)
      for (const points of [outcome.from ?? outcome.to - 9, outcome.to ?? outcome.from + 9]) {
        expect(outcome.won).toEqual([Math.sign(points - 20.5), Math.sign(23 - points)])
        const paid = onOver * back(over, points - 20.5) + onUnder * back(under, 23 - points)
        expect(outcome.profit).toBeCloseTo(paid - 1, 12)
      }
      sum += outcome.probability
      mean += outcome.probability * outcome.profit
      if (outcome.won[0] + outcome.won[1] === 2) both += outcome.probability
      if (outcome.won.includes(0)) refunded += outcome.probability
    }
    expect(sum).toBeCloseTo(1, 12)
    expect(mean).toBeCloseTo(expectedValue, 12)
    expect(both).toBeCloseTo(probability, 12)
    expect(refunded).toBeGreaterThan(0.01)
  })

  it.each([
    ['/opportunities/xyz/explain', 400, 'validation_error'],
    ['/opportunities/0123456789abcdef/explain', 404, 'not_found'],
  ])('%s is %i %s', async (path, status, code) => {
    const answer = await service.get(path)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('is not for a tier without opportunities', async () => {
    const { status, body } = await service.get('/opportunities/0123456789abcdef/explain', 'free')
    expect([status, body.code]).toEqual([403, 'feature_required'])
  })

  it('is gone with its prices, even if no pipeline reports it', async () => {
    const item = await firstOf('/opportunities/arbitrage?min_profit=0', () => true)
    service.advance(5 * 60_000 + 1_000)
    expect((await service.get(`/opportunities/${item.id}/explain`)).status).toBe(404)
    for (const path of ['ev', 'arbitrage?min_profit=-100', 'middles', 'low-hold']) {
      expect((await service.get(`/opportunities/${path}`)).body.data).toEqual([])
    }
  })
})

describe('the stakes of a whole line', () => {
  let own: InProcess
  beforeAll(async () => {
    own = await startInProcess()
    await own.ingest([
      gameTotal('draftkings', 2.04, 1.8, 212),
      gameTotal('fanduel', 1.85, 2.02, 212),
    ])
    await own.settled()
  })
  afterAll(() => own.close())

  it('count in the worst profit that both come back where the line is hit', async () => {
    const { body: list } = await own.get('/opportunities/arbitrage?min_profit=0')
    const { body } = await own.get(`/opportunities/${list.data[0].id}/explain?total=1000&unit=1`)
    const { legs, ...stakes } = body.data.stakes
    expect(stakes).toMatchObject({ worst_profit: 0, other_outcomes: [[0, 0]] })
    for (const { profit } of legs) expect(profit).toBeGreaterThan(0)
  })
})
