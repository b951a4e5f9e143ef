import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import { type SimulatedService, startAt, startSimulated } from './simulated-service.ts'

describe('what has changed', () => {
  let service: SimulatedService
  let key: string
  beforeEach(async () => {
    service = await startSimulated(null)
    key = await service.key('enterprise')
  })
  afterEach(() => service.close())

  interface Offer {
    readonly home?: string
    readonly marketType?: string
    readonly prices?: readonly number[]
    readonly isLive?: boolean
  }

  /** Returns a record of everything a sportsbook offers on one game. */
  function offer(sportsbook: string, of: Offer = {}): FeedRecord {
    const { home = 'New York Knicks', marketType = 'moneyline', prices = [1.9, 1.95] } = of
    const types = marketType === 'moneyline' ? ['home', 'away'] : ['over', 'under']
    return {
      type: 'odds',
      sportsbook,
      mode: 'snapshot',
      observedAt: service.clock(),
      event: {
        externalId: null,
        sport: 'basketball',
        league: 'NBA',
        homeTeam: home,
        awayTeam: 'Brooklyn Nets',
        startsAt: startAt + 3_600_000,
        isLive: of.isLive ?? false,
      },
      markets:
        prices.length === 0
          ? []
          : [
              {
                marketType,
                line: marketType === 'moneyline' ? null : 20.5,
                playerName: marketType === 'moneyline' ? null : 'Sample Guard',
                statCategory: null,
                externalId: null,
                maxBet: null,
                suspended: false,
                selections: prices.map((price, i) => ({
                  selection: null,
                  selectionType: types[i]!,
                  line: null,
                  price,
                  externalId: null,
                  removed: false,
                  suspended: false,
                  maxBet: null,
                  changedAt: null,
                  publicBetPct: null,
                  deepLink: null,
                })),
              },
            ],
    }
  }

  const say = (...records: FeedRecord[]) => {
    service.step(1_000)
    service.say(records)
  }

  async function delta(since: string, filter = '', as = key) {
    const { status, body } = await service.get(`/odds/delta?since=${since}${filter}`, as)
    expect(status).toBe(200)
    return body
  }

  const beginning = async (filter = '', as = key) =>
    (await delta(new Date(service.clock()).toISOString(), filter, as)).meta.server_time as string

  it('is seen at once when a sportsbook of the tier first prices an event that others had', async () => {
    const hobby = await service.key('hobby')
    say(offer('pinnacle'), offer('draftkings', { home: 'Utah Jazz' }))
    const [knicks] = service.boards.live
      .events('*')
      .filter(({ row }) => /Knicks/.test(row.homeTeam))
    const path = `/odds?event=${knicks!.id}`
    const since = await beginning(`&event=${knicks!.id}`, hobby)
    expect((await service.get(path, hobby)).body.meta.total).toBe(0)
    say(offer('draftkings'))
    expect((await service.get(path, hobby)).body.meta.total).toBe(2)
    expect((await delta(since, `&event=${knicks!.id}`, hobby)).data).toHaveLength(2)
  })

  it('has removals of a market type that is gone', async () => {
    say(offer('fanduel', { marketType: 'player_somersaults' }))
    const since = await beginning('&market=props')
    say(offer('fanduel', { prices: [] }))
    expect(service.boards.live.marketTypes()).toEqual([])
    const { removed, meta } = await delta(since, '&market=props')
    expect([removed.length, meta.books_changed]).toEqual([2, ['fanduel']])
  })

  it('names the sportsbooks of removed rows, and no others', async () => {
    say(offer('fanduel'), offer('draftkings'), offer('betmgm'), offer('caesars'))
    const since = await beginning()
    expect((await delta(since)).meta.books_changed).toEqual([])
    // One sportsbook withdraws its prices, one goes live, one moves a price.
    say(offer('fanduel', { prices: [] }))
    say(offer('draftkings', { isLive: true }))
    say(offer('betmgm', { prices: [1.8, 2] }))
    expect((await delta(since)).meta.books_changed).toEqual(['betmgm', 'draftkings', 'fanduel'])
    const { removed, meta } = await delta(since, '&live=false&sportsbook=fanduel,draftkings')
    expect([removed.length, meta.books_changed]).toEqual([4, ['draftkings', 'fanduel']])
  })

  it('has removals of an event that is gone, by its whole id', async () => {
    say(offer('fanduel'))
    const [event] = service.boards.live.events('*')
    const since = await beginning()
    say(offer('fanduel', { prices: [] }))
    expect((await delta(since, `&event=${event!.id}`)).removed).toHaveLength(2)
    const older = event!.id.replace(/_b\d.*$/, '')
    const refused = await service.get(`/odds/delta?since=${since}&event=${older}`, key)
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_error'])
  })

  it('has the removals of ten minutes, and says when the time asked for is before them', async () => {
    const minute = 60_000
    say(offer('fanduel'), offer('draftkings'))
    const since = await beginning()
    say(offer('fanduel', { prices: [] }))
    service.step(8 * minute)
    say(offer('draftkings', { prices: [] }))
    const all = await delta(since)
    expect([all.removed.length, all.since_clamped]).toEqual([4, undefined])
    service.step(3 * minute)
    const last = await delta(since)
    expect([last.removed.length, last.since_clamped]).toEqual([2, true])
    // An answer that is kept loses them too, though nothing changes on the board.
    service.step(8 * minute)
    expect(await delta(since)).toMatchObject({ removed: [], since_clamped: true })
  })

  it('has the removals that the board remembers, where it does not reach back to the time asked for', async () => {
    const since = await beginning()
    // Nothing before is remembered, as when a process starts.
    service.boards.live.reset(service.clock())
    const home = 'Utah Jazz'
    say(offer('fanduel', { home }), offer('betmgm', { home }))
    say(offer('fanduel', { home, prices: [] }))
    const body = await delta(since)
    expect(body).toMatchObject({ since_clamped: true, overflow: true })
    expect([body.removed.length, body.data.length]).toEqual([2, 2])
    expect(body.meta.books_changed).toEqual(['betmgm', 'fanduel'])
    expect(await delta(body.meta.server_time)).toMatchObject({ data: [], removed: [] })
    service.step(11 * 60_000)
    expect(await delta(since)).toMatchObject({ removed: [], since_clamped: true })
  })

  it('of a position has all removals since, however long ago', async () => {
    say(offer('fanduel'))
    const { meta } = await delta(new Date(service.clock()).toISOString())
    say(offer('fanduel', { prices: [] }))
    service.step(20 * 60_000)
    const path = `/odds/delta?resume_from=${encodeURIComponent(meta.position)}`
    const { status, body } = await service.get(path, key)
    expect([status, body.removed.length, body.since_clamped]).toEqual([200, 2, undefined])
  })

  it('names no row that cannot have been in play', async () => {
    say(offer('fanduel'))
    service.step(1_000)
    const since = await beginning('&live=true')
    for (let i = 0; i < 5; i++) say(offer('fanduel', { prices: [1.8 + i / 100, 2] }))
    expect(await delta(since, '&live=true')).toMatchObject({ data: [], removed: [] })
    say(offer('fanduel', { isLive: true }))
    const live = await delta(since, '&live=true')
    expect(live.data).toHaveLength(2)
    expect((await delta(since, '&live=false')).removed).toHaveLength(2)
  })

  it('reports when more has moved past the filter than a delta should have', async () => {
    const books = 'draftkings,fanduel,betmgm,caesars,bet365,betrivers,pinnacle,circa'.split(',')
    const teams = Array.from(
      { length: 70 },
      (_, i) => `Club ${String.fromCodePoint(65 + (i % 26))}${i}`,
    )
    const all = (prices: readonly number[]) =>
      books.flatMap((book) => teams.map((home) => offer(book, { home, prices })))
    say(...all([3, 3]))
    const since = await beginning('&min_odds=150')
    say(...all([1.5, 1.5]))
    const body = await delta(since, '&min_odds=150')
    expect(body).toMatchObject({ data: [], removed_truncated: true, overflow: true })
    expect(body.removed).toHaveLength(1_000)
    const rest = await delta(body.meta.server_time, '&min_odds=150')
    expect(rest.removed).toHaveLength(120)
    expect(rest.overflow).toBe(false)
  })

  it('is told to a model in steps that go on and repeat nothing', async () => {
    const books = ['draftkings', 'fanduel', 'betmgm', 'caesars', 'bet365']
    const teams = Array.from(
      { length: 80 },
      (_, i) => `Club ${String.fromCodePoint(65 + (i % 26))}${i}`,
    )
    const all = (named: readonly string[], prices: readonly number[]) =>
      named.flatMap((home) => books.map((book) => offer(book, { home, prices })))
    say(...all(teams, [1.9, 1.95]))
    const since = await beginning()
    // Removals before, among and after changes, and more of them than rows.
    say(...all(teams.slice(0, 45), []))
    for (const team of teams.slice(45, 55))
      say(...all([team], [1.8, 2.05]), offer('fanduel', { home: team, prices: [] }))
    say(...all(teams.slice(55, 75), []))
    const whole = await delta(since, '&limit=500')
    expect([whole.pagination.has_more, whole.removed.length]).toEqual([false, 670])

    const rows: string[] = []
    const removed: string[] = []
    let args: object | undefined = { since }
    let last = since
    while (args) {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
      const params = { name: 'get_odds_delta', arguments: args }
      const { body } = await service.post('/mcp', key, { ...call, params })
      const [{ text }] = body.result.content
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(7_800)
      const step = JSON.parse(text)
      rows.push(...step.data.map(({ id }: { id: string }) => id))
      removed.push(...step.removed)
      if (step.more) expect(step.more).toEqual({ since: step.server_time })
      expect(step.server_time > last).toBe(true)
      last = step.server_time
      args = step.more
    }
    expect(rows).toEqual(whole.data.map(({ id }: { id: string }) => id))
    expect(removed).toEqual(whole.removed)
    expect(last).toBe(whole.meta.server_time)
  })

  it('is not read from another client’s list', async () => {
    say(offer('draftkings'), offer('fanduel'), offer('betmgm'))
    const since = '2020-01-01T00:00:00Z'
    const first = await delta(since, '&limit=2')
    say(offer('draftkings', { prices: [1.7, 2.2] }))
    await delta(since, '&limit=2')
    const later = await delta(since, '&limit=2&offset=2')
    expect(Date.parse(later.meta.server_time)).toBe(Date.parse(since))
    expect(Date.parse(first.meta.server_time)).toBeGreaterThan(Date.parse(since))
  })

  it('is read on from its own list with another limit', async () => {
    say(offer('draftkings'), offer('fanduel'), offer('betmgm'))
    const since = '2019-01-01T00:00:00Z'
    const whole = await delta(since, '&limit=200')
    await delta(since, '&limit=2')
    const rest = await delta(since, '&limit=200&offset=2')
    expect(rest.data).toEqual(whole.data.slice(2))
    expect(rest.meta.server_time).toBe(whole.meta.server_time)
  })
})
