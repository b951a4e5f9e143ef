/** `books=`: opportunities, best prices and streams among chosen sportsbooks. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knicks, moneyline, push, pushStatus } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'
import { openEvents, openFrames } from './stream-reader.ts'

const second = 1_000
const profile = '/account/profile'

async function setProfile(service: SimulatedService, key: string, change: object) {
  const headers = { 'Content-Type': 'application/json' }
  return service.request('PATCH', profile, key, headers, JSON.stringify(change))
}

const names = (...sportsbooks: string[]) => ({
  sportsbooks: sportsbooks.map((sportsbook) => ({ sportsbook })),
})

describe('a market by hand', () => {
  let service: SimulatedService
  let sharp: string
  beforeAll(async () => {
    service = await startSimulated(null)
    sharp = await service.key('sharp')
    // The best pair is novig and pinnacle, which hides an arbitrage of draftkings and betfair.
    push(service, knicks, {
      novig: [moneyline(2.13, 1.78)],
      pinnacle: [moneyline(1.8, 2.06)],
      betfair: [moneyline(2.1, 1.8)],
      draftkings: [moneyline(1.85, 2.02)],
      fanduel: [moneyline(1.9, 1.9)],
    })
    service.step(second)
  })
  afterAll(() => service.close())

  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const list = async (path: string, key = sharp): Promise<any[]> => {
    const { status, body, text } = await service.get(`/opportunities/${path}`, key)
    if (status !== 200) throw new Error(text)
    return body.data
  }
  const legsOf = (item: { legs: { sportsbook: string }[] }) =>
    item.legs.map(({ sportsbook }) => sportsbook)

  it('finds opportunities that a better price elsewhere hides', async () => {
    const [best] = await list('arbitrage?min_profit=0')
    expect(legsOf(best)).toEqual(['novig', 'pinnacle'])
    const own = await list('arbitrage?min_profit=0&books=draftkings,Betfair,fanduel')
    expect(own.map(legsOf)).toEqual([['betfair', 'draftkings']])
    const total = 1 / 2.1 + 1 / 2.02
    expect(own[0].profit_percent).toBe(Math.round(1e4 * (1 / total - 1)) / 100)
    // As a filter, `sportsbook` selects among the overall best legs.
    expect(await list('arbitrage?min_profit=0&sportsbook=draftkings')).toEqual([])
    expect((await list('low_hold?books=draftkings,fanduel'))[0].all_books).toEqual([
      'draftkings',
      'fanduel',
    ])
  })

  it('names the best price among them, and compares them alone', async () => {
    const { body } = await service.get('/odds/best?books=fanduel,draftkings', sharp)
    const bests = body.data.map((item: { best_book: string }) => item.best_book)
    expect(bests).toEqual(['fanduel', 'draftkings'])
    expect(body.meta.filters).toEqual({ books: ['draftkings', 'fanduel'] })
    const event = body.data[0].event_id
    const path = `/odds/comparison?event=${event}&books=fanduel,draftkings`
    const { markets } = (await service.get(path, sharp)).body.data
    const compared = JSON.stringify(markets)
    expect(compared).toContain('fanduel')
    expect(compared).not.toContain('novig')
    const odds = await service.get('/odds?books=fanduel,draftkings&sportsbook=fanduel,novig', sharp)
    const books = odds.body.data.map((row: { sportsbook: string }) => row.sportsbook)
    expect(new Set(books)).toEqual(new Set(['fanduel']))
    for (const path of [
      `/events/${event}/odds?limit=200`,
      '/odds/delta?since=2026-01-01T00:00:00Z',
    ]) {
      const { body: found } = await service.get(`${path}&books=fanduel,draftkings`, sharp)
      const named = found.data.map((row: { sportsbook: string }) => row.sportsbook)
      expect(new Set(named), path).toEqual(new Set(['fanduel', 'draftkings']))
    }
  })

  it('measures +EV against the sharp book, which need not be one of them', async () => {
    const own = await list('ev?min_ev=0&books=betfair,draftkings')
    expect(own.map(({ sportsbook, sharp_book }) => [sportsbook, sharp_book])).toEqual([
      ['betfair', 'pinnacle'],
    ])
    expect(own[0].arb_available).toBe(true)
  })

  it('explains them by the account’s commission, limits and bankroll', async () => {
    const key = await service.key('sharp')
    const asked = await setProfile(service, key, {
      sportsbooks: [
        { sportsbook: 'Betfair', commission_percent: 2, max_stake: 100 },
        { sportsbook: 'draftkings' },
      ],
      bankroll: 1_000,
      stake_unit: 5,
    })
    expect(asked.body.data.sportsbooks[0]).toEqual({
      sportsbook: 'betfair',
      commission_percent: 2,
      max_stake: 100,
      status: 'active',
      is_included: true,
    })
    const [found] = await list('arbitrage?min_profit=0&books=mine', key)
    const net = 1 + 1.1 * 0.98
    expect(found.profit_percent).toBe(Math.round(1e4 * (1 / (1 / net + 1 / 2.02) - 1)) / 100)
    const explained = await service.get(`/opportunities/${found.id}/explain?books=mine`, key)
    const { stakes, quotes } = explained.body.data
    expect(stakes).toMatchObject({ asked: 1_000, unit: 5, limited_by: 'betfair' })
    expect(stakes.legs[0].stake).toBe(100)
    expect(quotes[0].fee).toEqual({ on: 'net_winnings', rate: 0.02, odds_after_fee: net })
    // A commission larger than the profit leaves no arbitrage.
    await setProfile(service, key, {
      sportsbooks: [
        { sportsbook: 'betfair', commission_percent: 15 },
        { sportsbook: 'draftkings', commission_percent: null },
      ],
    })
    expect(await list('arbitrage?min_profit=0&books=mine', key)).toEqual([])
    // No stake is a whole number of such units.
    expect((await setProfile(service, key, { stake_unit: 1e-320 })).status).toBe(400)
  })

  it('are none once null has reset the list', async () => {
    const key = await service.key('sharp')
    const change = { ...names('betfair'), hidden_leagues: ['nba'], bankroll: 1_000 }
    await setProfile(service, key, change)
    const reset = { sportsbooks: null, hidden_leagues: null, bankroll: null }
    const { status, text } = await setProfile(service, key, reset)
    expect([status, JSON.parse(text).data]).toMatchObject([
      200,
      { sportsbooks: [], hidden_leagues: [], bankroll: null },
    ])
  })

  it('apply to one account only, even if two choose alike', async () => {
    const [one, other, none] = [
      await service.key('sharp'),
      await service.key('sharp'),
      await service.key('sharp'),
    ]
    await setProfile(service, one, names('betfair', 'draftkings'))
    await setProfile(service, other, names('novig', 'draftkings'))
    const path = 'arbitrage?min_profit=0&books=mine'
    for (let time = 0; time < 3; time++) {
      expect((await list(path, one)).map(legsOf)).toEqual([['betfair', 'draftkings']])
      expect((await list(path, other)).map(legsOf)).toEqual([['novig', 'draftkings']])
    }
    const refused = await service.get(`/opportunities/${path}`, none)
    expect(refused.status).toBe(400)
    expect(refused.body.error).toMatchObject({ code: 'validation_error', parameters: ['books'] })
    expect((await service.get(profile, none)).body.data.sportsbooks).toEqual([])
    // A change of the profile takes effect at once.
    await setProfile(service, other, {
      sportsbooks: [{ sportsbook: 'novig', status: 'paused' }, { sportsbook: 'pinnacle' }],
    })
    expect(await list(path, other)).toEqual([])
  })

  it('never use sportsbooks that the tier does not see', async () => {
    const hobby = await service.key('hobby')
    const kept = await setProfile(
      service,
      hobby,
      names('novig', 'pinnacle', 'betfair', 'draftkings', 'fanduel'),
    )
    const included = kept.body.data.sportsbooks.filter(
      (book: { is_included: boolean }) => book.is_included,
    )
    expect(included).toHaveLength(2)
    for (const path of ['/opportunities/arbitrage?min_profit=0', '/odds/best?', '/odds?']) {
      const mine = await service.get(`${path}&books=mine`, hobby)
      const explicit = await service.get(`${path}&books=draftkings,fanduel`, hobby)
      expect(mine.status).toBe(200)
      expect(mine.body.data).toEqual(explicit.body.data)
      expect(mine.text).not.toMatch(/novig|pinnacle|betfair/)
    }
    const named = await service.get('/odds/best?books=draftkings,novig', hobby)
    expect([named.status, named.body.error.code]).toEqual([403, 'tier_restricted'])
  })

  it('hide sportsbooks that only the owner may see', async () => {
    const now = new Date(service.clock()).toISOString()
    const key = await service.key('sharp')
    await setProfile(service, key, names('betfair', 'draftkings'))
    const path = 'arbitrage?min_profit=0&books=mine'
    expect(await list(path, key)).toHaveLength(1)
    service.say([
      {
        type: 'book_status',
        sportsbook: 'betfair',
        status: 'up',
        audience: 'owner',
        observedAt: Date.parse(now),
      },
    ])
    expect(await list(path, key)).toEqual([])
    service.say([
      {
        type: 'book_status',
        sportsbook: 'betfair',
        status: 'up',
        audience: 'all',
        observedAt: Date.parse(now),
      },
    ])
    expect(await list(path, key)).toHaveLength(1)
  })

  it('end when the source of a sportsbook goes down', async () => {
    const path = 'arbitrage?min_profit=0&books=betfair,draftkings'
    expect(await list(path)).toHaveLength(1)
    pushStatus(service, 'draftkings', 'down')
    expect(await list(path)).toEqual([])
    pushStatus(service, 'draftkings', 'up')
    expect(await list(path)).toHaveLength(1)
  })

  it('refuses a profile with unknown names, by code', async () => {
    const unknown = await setProfile(service, sharp, names('draftkigns'))
    expect([unknown.status, unknown.body.error.code]).toEqual([400, 'invalid_filter'])
    const twice = await setProfile(service, sharp, names('draftkings', 'DraftKings'))
    expect([twice.status, twice.body.error.code]).toEqual([400, 'validation_error'])
    for (const change of [{}, { kelly: 2 }, { bankrol: 5 }, { currency: 'usd' }]) {
      expect((await setProfile(service, sharp, change)).status).toBe(400)
    }
    expect((await service.get(profile, sharp)).body.updated_at).toBe(null)
  })

  it('are streamed over both transports until one of their prices moves', async () => {
    const key = await service.key('enterprise')
    await setProfile(service, key, names('betfair', 'draftkings'))
    const [own] = await list('arbitrage?min_profit=0&books=mine', key)
    const headers = { 'X-API-Key': key }
    const events = await openEvents(
      `${service.base}/stream?channel=all&books=mine&min_profit=0`,
      headers,
    )
    const address = `${service.base.replace('http', 'ws')}/ws`
    const socket = await openFrames(`${address}?channels=arbitrage&books=mine&min_profit=0`, {
      headers,
    })
    await events.next('snapshot:complete')
    await socket.next('snapshot:complete')
    expect(events.text()).toContain(own.id)
    expect(events.text()).not.toMatch(/"sportsbook":"(novig|pinnacle|fanduel)"/)
    expect(JSON.stringify(socket.frames)).toContain(own.id)
    push(service, knicks, { draftkings: [moneyline(1.9, 1.9)] })
    service.step(second)
    expect((await events.next('arb:expired')).data).toContain(own.id)
    expect(JSON.stringify(await socket.next('arb:expired'))).toContain(own.id)
    const { length } = socket.frames
    socket.send({ type: 'subscribe', filters: { among_books: 'fanduel' } })
    expect((await socket.next('subscribed', length)).among_books).toEqual(['fanduel'])
    events.close()
    socket.close()
    const none = await openEvents(`${service.base}/stream?channel=all&books=mine`, {
      'X-API-Key': await service.key('enterprise'),
    })
    expect([none.status, none.refusal.code]).toEqual([400, 'validation_error'])
  })
})
