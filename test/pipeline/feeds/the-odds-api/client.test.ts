import { afterEach, describe, expect, it } from 'vitest'
import type { FeedSink } from '../../../../pipeline/feeds/feed.ts'
import { theOddsApi } from '../../../../pipeline/feeds/the-odds-api/source.ts'
import { createRecordingSink, json, openSource, type Source } from '../loopback.ts'
import { leapingClock } from '../loopback-source.ts'
import { hasPayloads, loadText, oddsOf } from '../payloads.ts'

let source: Source | undefined
afterEach(() => source?.close())

const game = (id: string, books: readonly string[]) => ({
  id,
  sport_key: 'basketball_nba',
  sport_title: 'NBA',
  commence_time: '2099-11-20T00:00:00Z',
  home_team: 'New York Knicks',
  away_team: 'Chicago Bulls',
  bookmakers: books.map((key) => ({
    key,
    markets: [{ key: 'h2h', outcomes: [{ name: 'Chicago Bulls', price: 2 }] }],
  })),
})
const prop = {
  key: 'player_points',
  outcomes: [{ name: 'Over', description: 'Sample Guard', price: 1.9, point: 20.5 }],
}

/** A clock that is set to the time of what is read. */
function clockFrom(time: string) {
  const aheadMs = Date.now() - Date.parse(time)
  return { now: () => Date.now() - aheadMs }
}

const settings = { apiKey: 'k', sports: ['basketball_nba'], intervalMs: 5 }
const quick = { retries: 1, backoffMs: 1, timeoutMs: 30_000, ...leapingClock() }

describe('the feed of The Odds API', () => {
  it('requests one sport with its key, regions, markets and format', async () => {
    source = await openSource((_, response) => json(response, []))
    const { sink, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const running = theOddsApi.open({ ...settings, baseUrl }).run(sink, controller.signal)
    await until(() => true)
    while (source.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    await running
    expect(source.requests[0]).toBe(
      '/v4/sports/basketball_nba/odds?apiKey=k&regions=us&markets=h2h%2Cspreads%2Ctotals&oddsFormat=decimal&dateFormat=iso',
    )
  })

  it("leaves out pick'ems, whose legs cannot be bet alone, unless they are references", async () => {
    const keys = ['fanduel', 'prizepicks', 'underdog', 'pick6', 'betr_us_dfs', 'dabble_us_dfs']
    const listed = [{ ...game('e', keys), bookmakers: [] }]
    const own = { ...game('e', keys) }
    for (const book of own.bookmakers) book.markets = [prop] as never
    source = await openSource((request, response) =>
      json(response, request.url?.includes('/events/') ? own : listed),
    )
    const { baseUrl } = source
    const readWith = async (references: readonly string[]) => {
      const { sink, records, skips, until } = createRecordingSink()
      const controller = new AbortController()
      const config = { ...settings, baseUrl, regions: ['us', 'us_dfs'], eventMarkets: [prop.key] }
      const feed = theOddsApi.open({ ...config, references: new Set(references) })
      const running = feed.run(sink, controller.signal)
      const odds = () => oddsOf({ records: records as never })
      await until(() => odds().some(({ markets }) => markets.length > 0))
      controller.abort()
      await running
      const sportsbooks = new Set(odds().map(({ sportsbook }) => sportsbook))
      const left = skips.filter(({ reason }) => reason === 'pickem').map(({ detail }) => detail)
      return { sportsbooks: [...sportsbooks], left: left.map((text) => text.split(' ')[0]) }
    }
    const byDefault = await readWith([])
    expect(byDefault.sportsbooks).toEqual(['fanduel'])
    expect(byDefault.left.slice(0, 5).sort()).toEqual(keys.slice(1).sort())
    const named = await readWith(['prizepicks', 'betr_us_dfs'])
    expect(named.sportsbooks.sort()).toEqual(['betr_us_dfs', 'fanduel', 'prizepicks'])
  })

  it('requests the winner of a competition, and withdraws a sportsbook that is missing later', async () => {
    const title = (books: readonly string[]) => ({
      id: 't',
      sport_key: 'basketball_nba_championship_winner',
      sport_title: 'NBA Championship Winner',
      commence_time: '2027-06-20T00:00:00Z',
      home_team: null,
      away_team: null,
      bookmakers: books.map((key) => ({
        key,
        markets: [{ key: 'outrights', outcomes: [{ name: 'Chicago Bulls', price: 51 }] }],
      })),
    })
    const rounds = [[title(['fanduel', 'bovada'])], [title(['fanduel'])]]
    let round = 0
    source = await openSource((_, response) => json(response, rounds[Math.min(round++, 1)]))
    const { sink, records, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const sports = ['basketball_nba_championship_winner']
    const config = { ...settings, sports, baseUrl, eventMarkets: ['player_points'] }
    const running = theOddsApi.open(config).run(sink, controller.signal)
    const futures = () => records.filter((record) => record.type === 'futures')
    await until(() => futures().some(({ prices }) => prices.length === 0))
    controller.abort()
    await running
    expect(source.requests[0]).toContain('markets=outrights&')
    const empty = futures().filter(({ prices }) => prices.length === 0)
    expect(empty.map(({ sportsbook }) => sportsbook)).toEqual(['bovada'])
  })

  it('withdraws a sportsbook that an event has lost, and an event that is gone', async () => {
    const rounds = [
      [game('a', ['fanduel', 'bovada']), game('b', ['fanduel'])],
      [game('a', ['fanduel']), game('b', ['fanduel'])],
      [game('a', ['fanduel'])],
    ]
    let round = 0
    source = await openSource((_, response) => json(response, rounds[Math.min(round++, 2)]))
    const { sink, records, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const running = theOddsApi.open({ ...settings, baseUrl }).run(sink, controller.signal)
    const empty = () =>
      oddsOf({ records: records as never }).filter(({ markets }) => markets.length === 0)
    await until(() => empty().length >= 2)
    controller.abort()
    await running
    expect(
      empty().map(({ sportsbook, event, mode }) => [sportsbook, event.externalId, mode]),
    ).toEqual([
      ['bovada', 'a', 'snapshot'],
      ['fanduel', 'b', 'snapshot'],
    ])
  })

  it('lets an older response neither overwrite nor withdraw newer content', async () => {
    const read = (price: number, last_update: string, books: readonly string[]) => {
      const listed = game('a', books)
      const outcomes = [{ name: 'Chicago Bulls', price }]
      const bookmakers = books.map((key) => ({
        key,
        last_update,
        markets: [{ key: 'h2h', outcomes }],
      }))
      return [{ ...listed, bookmakers }]
    }
    const rounds = [
      read(2, '2024-01-01T00:01:00Z', ['fanduel', 'bovada']),
      read(3, '2024-01-01T00:00:00Z', ['fanduel']),
      read(4, '2024-01-01T00:01:00Z', ['fanduel', 'bovada']),
    ]
    let round = 0
    source = await openSource((_, response) => json(response, rounds[Math.min(round++, 2)]))
    const { sink, records, skips, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const http = clockFrom('2024-01-01T00:02:00Z')
    const running = theOddsApi.open({ ...settings, baseUrl, http }).run(sink, controller.signal)
    const odds = () => oddsOf({ records: records as never })
    await until(() => odds().length >= 4)
    controller.abort()
    await running
    const published = odds().map(({ sportsbook, markets }) => [
      sportsbook,
      markets[0]?.selections[0]?.price,
    ])
    expect(published.slice(0, 4)).toEqual([
      ['bovada', 2],
      ['fanduel', 2],
      ['bovada', 4],
      ['fanduel', 4],
    ])
    expect(skips[0]?.reason).toBe('outdated_answer')
  })

  it('adds the markets of the per-event call, and holds back an event without them', async () => {
    source = await openSource((request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname
      if (path.endsWith('/events/a/odds')) {
        const [book] = game('a', ['fanduel']).bookmakers
        json(response, { ...game('a', []), bookmakers: [{ ...book, markets: [prop] }] })
      } else if (path.endsWith('/events/b/odds')) json(response, { message: 'no' }, 500)
      else if (path.endsWith('/scores')) json(response, [])
      else json(response, [game('a', ['fanduel']), game('b', ['fanduel'])])
    })
    const { sink, records, skips, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const feed = theOddsApi.open({
      ...settings,
      baseUrl,
      eventMarkets: ['player_points'],
      http: quick,
    })
    const running = feed.run(sink, controller.signal)
    await until(() => skips.length > 0)
    controller.abort()
    await running
    const odds = oddsOf({ records: records as never })
    expect(new Set(odds.map(({ event }) => event.externalId))).toEqual(new Set(['a']))
    expect(odds[0]?.markets.map(({ marketType }) => marketType)).toEqual([
      'moneyline',
      'player_points',
    ])
    expect(skips[0]?.reason).toBe('fetch_http_500')
  })

  it('publishes the paid prices of an event whose props are refused for good', async () => {
    source = await openSource((request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname
      if (path.endsWith('/events/a/odds')) json(response, { message: 'Invalid markets' }, 422)
      else json(response, [game('a', ['fanduel'])])
    })
    const { sink, records, skips, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const eventMarkets = ['player_pionts']
    const feed = theOddsApi.open({
      ...settings,
      baseUrl,
      eventMarkets,
      creditsPerMonth: null,
      http: quick,
    })
    const running = feed.run(sink, controller.signal)
    await until(() => oddsOf({ records: records as never }).length > 1)
    controller.abort()
    await running
    expect(oddsOf({ records: records as never })[0]).toMatchObject({
      event: { externalId: 'a' },
      markets: [{ marketType: 'moneyline' }],
    })
    expect(skips[0]?.reason).toBe('fetch_http_422')
  })

  it.each([401, 403, 429])('asks for no further event after status %i', async (status) => {
    const begunAt = Date.parse('2026-11-20T00:00:00Z')
    source = await openSource((request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname
      const id = /events\/(\w)\/odds$/.exec(path)?.[1]
      if (id === undefined)
        json(
          response,
          ['a', 'b', 'c'].map((id) => game(id, ['fanduel'])),
        )
      else if (id === 'a') json(response, game('a', []))
      else json(response, { message: 'no' }, status)
    })
    const { sink, records, skips } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const feed = theOddsApi.open({
      ...{ ...settings, baseUrl, eventMarkets: ['player_points'], creditsPerMonth: null },
      http: { retries: 0, now: () => begunAt, sleep: async () => controller.abort() },
    })
    await feed.run(sink, controller.signal)
    const odds = oddsOf({ records: records as never })
    expect(odds.map(({ event: { externalId } }) => externalId)).toEqual(['a'])
    expect(skips.map(({ reason }) => reason)).toEqual([`fetch_http_${status}`])
    expect(source.requests.filter((path) => path.includes('/events/'))).toHaveLength(2)
  })

  it('leaves out a sportsbook that the source no longer reads, once its prices are too old', async () => {
    const minute = 60_000
    const begunAt = Date.parse('2026-11-20T00:00:00Z')
    let now = begunAt
    source = await openSource((_, response) => {
      const readAt = { fanduel: now, bovada: begunAt }
      const { bookmakers, ...listed } = game('a', ['fanduel', 'bovada'])
      const books = bookmakers.map((book) => ({
        ...book,
        last_update: new Date(readAt[book.key as keyof typeof readAt]).toISOString(),
      }))
      json(response, [{ ...listed, bookmakers: books }])
    })
    const { sink, records, skips } = createRecordingSink()
    const healths: string[] = []
    const report: FeedSink['report'] = ({ state }) => void healths.push(state)
    const controller = new AbortController()
    const sleep = async () => {
      if (now === begunAt + 17 * minute) controller.abort()
      now += minute
    }
    const { baseUrl } = source
    await theOddsApi
      .open({ ...settings, baseUrl, creditsPerMonth: null, http: { now: () => now, sleep } })
      .run({ ...sink, report }, controller.signal)
    const ofBovada = oddsOf({ records: records as never })
      .filter(({ sportsbook }) => sportsbook === 'bovada')
      .map(({ observedAt, markets }) => [(observedAt - begunAt) / minute, markets.length])
    expect(ofBovada).toEqual(Array(16).fill([0, 1]))
    expect(skips.map(({ reason }) => reason)).toEqual(['too_old', 'too_old'])
    expect(new Set(healths.slice(1))).toEqual(new Set(['up']))
  })

  it.each([
    ['in play, before the response', -1, { ageS: 20, afterS: 60 }, 0],
    ['in play, not before its last record', -1, { ageS: 5, afterS: 50 }, -5],
    ['before play, at the response', 1, { ageS: 20, afterS: 60 }, 60],
  ])('withdraws a sportsbook that is missing %s', async (_, startsInH, { ageS, afterS }, atS) => {
    const begunAt = Date.parse('2026-11-20T00:00:00Z')
    const iso = (seconds: number) => new Date(begunAt + seconds * 1_000).toISOString()
    let now = begunAt
    source = await openSource((_, response) => {
      const listed = game('a', now === begunAt ? ['fanduel', 'bovada'] : ['fanduel'])
      const bookmakers = listed.bookmakers.map((book) => ({ ...book, last_update: iso(-ageS) }))
      json(response, [{ ...listed, commence_time: iso(startsInH * 3_600), bookmakers }])
    })
    const { sink, records } = createRecordingSink()
    const controller = new AbortController()
    const sleep = async () => {
      if (now > begunAt) controller.abort()
      else now += afterS * 1_000
    }
    const http = { now: () => now, sleep }
    const { baseUrl } = source
    await theOddsApi
      .open({ ...settings, baseUrl, creditsPerMonth: null, intervalMs: afterS * 1_000, http })
      .run(sink, controller.signal)
    const gone = oddsOf({ records: records as never }).filter(({ markets }) => markets.length === 0)
    expect(gone).toMatchObject([{ sportsbook: 'bovada', observedAt: begunAt + atS * 1_000 }])
  })

  it('gives prices of the list its age, however late those of an event come', async () => {
    let now = 0
    source = await openSource((request, response) => {
      now += 55_000
      const isOfEvent = (request.url ?? '').includes('/events/')
      json(response, isOfEvent ? game('a', []) : [game('a', ['fanduel'])])
    })
    const { sink, records } = createRecordingSink()
    const controller = new AbortController()
    const feed = theOddsApi.open({
      ...settings,
      baseUrl: source.baseUrl,
      eventMarkets: ['player_points'],
      creditsPerMonth: null,
      http: { now: () => now, sleep: async () => controller.abort() },
    })
    await feed.run(sink, controller.signal)
    expect(oddsOf({ records: records as never }).map(({ observedAt }) => observedAt)).toEqual([
      55_000,
    ])
  })

  it('leaves a game that begins between its two responses for the next round', async () => {
    const begunAt = Date.parse('2026-11-20T00:00:00Z')
    let now = begunAt - 90_000
    const starting = (books: readonly string[]) => ({
      ...game('a', books),
      commence_time: new Date(begunAt).toISOString(),
    })
    source = await openSource((request, response) => {
      now += 55_000
      const isOfEvent = (request.url ?? '').includes('/events/')
      json(response, isOfEvent ? starting([]) : [starting(['fanduel']), game('b', ['fanduel'])])
    })
    const { sink, records, skips } = createRecordingSink()
    const controller = new AbortController()
    let rounds = 0
    const feed = theOddsApi.open({
      ...settings,
      baseUrl: source.baseUrl,
      eventMarkets: ['player_points'],
      creditsPerMonth: null,
      http: {
        now: () => now,
        sleep: async () => {
          if (++rounds === 2) controller.abort()
        },
      },
    })
    await feed.run(sink, controller.signal)
    const published = oddsOf({ records: records as never }).map(({ event, markets }) => [
      event.externalId,
      event.isLive,
      markets.length,
    ])
    expect(published).toEqual([
      ['b', false, 1],
      ['a', true, 1],
      ['b', false, 1],
    ])
    expect(skips.map(({ reason }) => reason)).toEqual(['begun_meanwhile'])
  })

  describe('with a budget', () => {
    const day = 86_400_000
    const monthBegins = Date.parse('2026-11-01T00:00:00Z')

    /** Runs a feed through a day of a stepped clock, against answers by the end of a path. */
    async function playDay(
      config: Partial<Parameters<typeof theOddsApi.open>[0]>,
      answer: (path: string, send: (body: unknown, status?: number) => void) => void,
    ) {
      let now = monthBegins
      let used = 0
      const asked: string[] = []
      source = await openSource((request, response) => {
        const { pathname } = new URL(request.url ?? '', 'http://x')
        asked.push(pathname)
        answer(pathname, (body, status = 200) => {
          if (status === 200 && pathname.endsWith('/odds')) used += 3
          response.setHeader('x-requests-used', String(used))
          response.setHeader('x-requests-remaining', String(500 - used))
          json(response, body, status)
        })
      })
      const { sink, records, skips } = createRecordingSink()
      const states = new Set<string>()
      const stop = new AbortController()
      const feed = theOddsApi.open({
        apiKey: 'k',
        sports: ['basketball_nba', 'icehockey_nhl'],
        creditsPerMonth: 500,
        baseUrl: source.baseUrl,
        ...config,
        http: {
          retries: 0,
          now: () => now,
          async sleep(ms) {
            now += Math.max(1, ms)
            if (now >= monthBegins + day) stop.abort()
          },
        },
      })
      const report = ({ state }: { readonly state: string }) => void states.add(state)
      await feed.run({ ...sink, report }, stop.signal)
      return {
        asked,
        lists: asked.filter((path) => /\w\/odds$/.test(path)).length,
        states,
        records,
        skips,
      }
    }

    const listed = (path: string) => [
      { ...game(path, ['fanduel']), commence_time: '2026-11-01T20:00:00Z' },
    ]
    const fine = (path: string, send: (body: unknown, status?: number) => void) =>
      send(path.endsWith('/odds') ? listed(path) : [])

    it.each([422, 500])('buys no list again because scores answer %i', async (status) => {
      const healthy = await playDay({ scoresDaysFrom: 1 }, fine)
      await source?.close()
      const failing = await playDay({ scoresDaysFrom: 1 }, (path, send) => {
        if (path.endsWith('icehockey_nhl/scores')) send({ message: 'no' }, status)
        else fine(path, send)
      })
      expect(failing.lists).toBeLessThanOrEqual(healthy.lists)
      expect(failing.lists).toBeGreaterThan(2)
      expect(failing.states).not.toContain('down')
      expect(failing.skips[0]?.reason).toBe(`fetch_http_${status}`)
    })

    it('buys no list again because props keep failing', async () => {
      const props = { eventMarkets: ['player_points'], propsCreditsPerMonth: 250 }
      const withProps = (path: string, send: (body: unknown, status?: number) => void) =>
        path.includes('/events/') ? send(listed(path)[0]) : fine(path, send)
      const healthy = await playDay(props, withProps)
      await source?.close()
      const failing = await playDay(props, (path, send) => {
        if (path.includes('/events/')) send({ message: 'no' }, 500)
        else fine(path, send)
      })
      const lists = ({ asked }: { readonly asked: readonly string[] }) =>
        asked.filter((path) => path.endsWith('/odds') && !path.includes('/events/')).length
      expect(failing.skips.map(({ reason }) => reason)).toContain('fetch_http_500')
      expect(lists(failing)).toBeLessThanOrEqual(lists(healthy))
    })

    it('buys no list again because another sport is refused, and is not down for it', async () => {
      const alone = await playDay({ sports: ['basketball_nba'] }, fine)
      await source?.close()
      const failing = await playDay({}, (path, send) => {
        if (path.includes('icehockey_nhl')) send({ message: 'no' }, 422)
        else fine(path, send)
      })
      const asked = (sport: string) => failing.asked.filter((path) => path.includes(sport)).length
      expect(asked('icehockey_nhl')).toBeGreaterThan(100)
      expect(asked('basketball_nba')).toBeLessThan(2 * alone.lists)
      expect(failing.states).not.toContain('down')
    })

    it('buys no list again because answers that may have been counted are lost', async () => {
      const healthy = await playDay({}, fine)
      await source?.close()
      const failing = await playDay({}, (path, send) => {
        send(path.endsWith('/odds') ? '<html>' : [])
      })
      expect(failing.skips[0]?.reason).toBe('fetch_not_json')
      expect(failing.lists).toBeGreaterThan(1)
      expect(failing.lists).toBeLessThanOrEqual(healthy.lists)
    })

    it('counts the credits after a lost answer, before the next call that costs', async () => {
      const { asked } = await playDay({ sports: ['basketball_nba'] }, (path, send) => {
        send(path.endsWith('/odds') ? '<html>' : [])
      })
      const paid = asked.flatMap((path, at) => (path.endsWith('/odds') ? [at] : []))
      expect(paid.length).toBeGreaterThan(1)
      for (const at of paid) expect(asked[at - 1]).toBe('/v4/sports')
    })

    it('publishes what lists have where props are refused for their pace', async () => {
      const ids = ['a', 'b', 'c']
      const listOf = () =>
        ids.map((id) => ({ ...game(id, ['fanduel']), commence_time: '2026-11-01T00:30:00Z' }))
      const { asked, lists, records } = await playDay(
        { sports: ['basketball_nba'], eventMarkets: ['player_points'] },
        (path, send) => {
          if (path.includes('/events/')) send({ message: 'slow down' }, 429)
          else send(path.endsWith('/odds') ? listOf() : [])
        },
      )
      const odds = oddsOf({ records: records as never })
      expect(lists).toBeGreaterThan(1)
      for (const id of ids) {
        const ofId = odds.filter(({ event }) => event.externalId === id)
        expect(ofId.length).toBeGreaterThanOrEqual(
          lists - asked.filter((path) => path.includes('/events/')).length,
        )
      }
      // None was charged, so the first event is asked for again.
      expect(asked.filter((path) => path.includes('/events/a/')).length).toBeGreaterThan(1)
    })

    it('asks for no scores of a season', async () => {
      const sports = ['basketball_nba_championship_winner']
      const { asked } = await playDay({ sports, scoresDaysFrom: 1 }, fine)
      expect(asked.filter((path) => path.endsWith('/scores'))).toEqual([])
    })
  })

  it('is down while its key is refused, and up again after', async () => {
    let refused = true
    source = await openSource((_, response) =>
      refused
        ? json(response, { message: 'Invalid key' }, 401)
        : json(response, [game('a', ['fanduel'])]),
    )
    const { sink, records, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const feed = theOddsApi.open({ ...settings, baseUrl, http: quick, downAfterRounds: 1 })
    const running = feed.run(sink, controller.signal)
    const has = (status: string) => () =>
      records.some((record) => record.type === 'book_status' && record.status === status)
    refused = false
    await until(() => records.some(({ type }) => type === 'odds'))
    refused = true
    await until(has('down'))
    refused = false
    const before = records.length
    await until(() => records.slice(before).some(({ type }) => type === 'odds'))
    controller.abort()
    await running
    expect(
      records.flatMap((record) => (record.type === 'book_status' ? [record.status] : [])).slice(-2),
    ).toEqual(['down', 'up'])
  })

  it.skipIf(!hasPayloads)('publishes a recorded answer (needs ../shared)', async () => {
    const body = loadText('feeds/the-odds-api/odds_baseball_mlb_2023-08-23_decimal.json')
    source = await openSource((_, response) => json(response, body))
    const { sink, records, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const http = clockFrom('2023-08-23T05:05:00Z')
    const feed = theOddsApi.open({ ...settings, sports: ['baseball_mlb'], baseUrl, http })
    const running = feed.run(sink, controller.signal)
    await until(() => records.filter(({ type }) => type === 'odds').length >= 193)
    controller.abort()
    await running
    expect(oddsOf({ records: records as never }).length % 193).toBe(0)
  })
})
