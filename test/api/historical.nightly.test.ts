import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ArchiveAccess, createArchiveAccess } from '../../api/archive-access.ts'
import { ArchiveError } from '../../pipeline/archive/archive.ts'
import { topics } from '../../schemas/topics.ts'
import { type EngineArchive, startEngineArchive } from '../pipeline/archive/engine-archive.ts'
import { bulls, closes, fillArchive, knicks, startsAt } from './filled-archive.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'

let engine: EngineArchive
let service: InProcess
beforeAll(async () => {
  engine = await startEngineArchive()
  await fillArchive(engine.archive)
  service = await startInProcess({ archive: createArchiveAccess(engine.archive) })
})
afterAll(async () => {
  await service.close()
  await engine.close()
})

const clv = async (query = '', tier: 'pro' | 'sharp' = 'sharp') =>
  service.get(`/historical/clv${query && `?${query}`}`, tier)
const closing = 'date=2026-11-20&sport=basketball&league=nba'
const closingDay = async (query = closing) => service.get(`/historical/odds/closing?${query}`)

describe('/historical/clv', () => {
  it('has the mean of every group with its interval, sample size and events', async () => {
    const fields = 'group_key,samples,events,avg_clv_percent,avg_clv_interval,avg_abs_clv_percent'
    const { status, body } = await clv(`fields=${fields},distinct_books,distinct_sports`)
    expect(status).toBe(200)
    const [fanduel, circa, ...others] = body.data.groups
    expect(others).toEqual([])
    // Probabilities go from 0.5 to 0.4 and 0.6 in one game, from 0.64 to 0.62 in the other.
    const values = [25, -100 / 6, (0.64 / 0.62 - 1) * 100] as const
    const mean = (values[0] + values[1] + values[2]) / 3
    expect(fanduel).toMatchObject({
      group_key: 'fanduel',
      samples: 3,
      events: 2,
      distinct_books: 1,
      distinct_sports: 1,
    })
    expect(fanduel.avg_clv_percent).toBeCloseTo(mean, 7)
    expect(fanduel.avg_abs_clv_percent).toBeCloseTo((25 + 100 / 6 + values[2]) / 3, 7)
    const rest = [values[0] + values[1] - 2 * mean, values[2] - mean]
    const deviation = Math.sqrt(2 * (rest[0]! ** 2 + rest[1]! ** 2)) / 3
    expect(fanduel.avg_clv_interval.high - mean).toBeCloseTo(12.7062 * deviation, 5)
    expect(mean - fanduel.avg_clv_interval.low).toBeCloseTo(12.7062 * deviation, 5)
    expect(circa).toMatchObject({ group_key: 'circa', samples: 2, avg_clv_interval: null })
    expect(body.data).toMatchObject({
      group_by: 'sportsbook',
      date_range: { from: '2026-11-13', to: '2026-11-20' },
      total_events: 2,
      comparable_events: 2,
      not_comparable_events: { no_close: 0, no_reference: 0, no_equal_line: 0 },
      sharp_reference: 'pinnacle',
      references: [
        {
          sportsbook: 'pinnacle',
          samples: 5,
          events: 2,
          from: '2026-11-20T00:30:00.000Z',
          to: '2026-11-20T00:30:00.000Z',
        },
      ],
      missing_closes: { withdrawn: 1, withheld: 1, incomplete: 1 },
    })
    expect(body.meta).toMatchObject({
      source: 'archive',
      tier_window_days: 30,
      phase: 1,
      filters: {},
      updated_at: '2026-11-20T00:31:00.000Z',
    })
  })

  it('shows percentages to two places, and in full if fields are requested', async () => {
    const [shown] = (await clv()).body.data.groups
    const [full] = (await clv('fields=avg_clv_percent,avg_clv_interval')).body.data.groups
    expect(Object.keys(full)).toEqual(['avg_clv_percent', 'avg_clv_interval'])
    expect(shown.avg_clv_percent).toBe(Math.round(full.avg_clv_percent * 100) / 100)
    expect(shown.avg_clv_percent).not.toBe(full.avg_clv_percent)
    const { low, high } = shown.avg_clv_interval
    for (const value of [low, high]) expect(value).toBe(Math.round(value * 100) / 100)
    expect((await clv('fields=avg_clv')).status).toBe(400)
  })

  it('has no groups of a range that has not begun', async () => {
    for (const range of [
      'from=2026-11-21',
      'from=2026-12-24&to=2026-12-26',
      'from=2027-01-01T00:00:00Z',
    ]) {
      const { status, body } = await clv(range)
      expect([status, body.data.groups, body.data.total_events]).toEqual([200, [], 0])
    }
  })

  it.each([
    ['', '2026-11-13', '2026-11-20'],
    ['from=2020-01-01', '2026-10-21', '2026-11-20'],
    ['from=2020-01-01&to=2020-01-10', '2020-01-01', '2020-01-10'],
    ['from=2020-01-01&to=2021-01-10', '2020-12-11', '2021-01-10'],
    ['to=2020-01-10', '2020-01-03', '2020-01-10'],
    ['to=2999-01-01', '2026-11-13', '2026-11-20'],
    ['from=0001-01-01&to=1970-01-02', '1969-12-03', '1970-01-02'],
    ['to=9999-12-31', '2026-11-13', '2026-11-20'],
    ['from=2026-11-20T11:00:00Z&to=2026-11-20', '2026-11-20T11:00:00.000Z', '2026-11-20'],
    ['from=2999-01-01', '2999-01-01', '2999-01-01'],
    ['from=2026-11-20T00:30:00Z', '2026-11-20T00:30:00.000Z', '2026-11-20'],
    [
      'from=2020-01-01&to=2026-11-20T00:30:00%2B01:00',
      '2026-10-20T23:30:00.000Z',
      '2026-11-19T23:30:00.000Z',
    ],
  ])('with %j covers %s to %s', async (query, from, to) => {
    const { status, body } = await clv(query)
    expect([status, body.data?.date_range]).toEqual([200, { from, to }])
  })

  it('takes starts from the first instant to before the last', async () => {
    const events = async (query: string) => (await clv(query)).body.data.total_events
    expect(await events('from=2026-11-20T00:30:00Z')).toBe(2)
    expect(await events('from=2026-11-20T00:30:00.001Z')).toBe(0)
    expect(await events('to=2026-11-20T00:30:00Z')).toBe(0)
    expect(await events('to=2026-11-20T00:30:00.001Z')).toBe(2)
    expect(await events('to=2026-11-19')).toBe(0)
  })

  it('counts no game that is yet to come', async () => {
    const archive = createArchiveAccess(engine.archive)
    const events = async (at: number, query: string) => {
      const earlier = await startInProcess({ archive, startAt: at })
      const { body } = await earlier.get(`/historical/clv${query}`, 'sharp')
      await earlier.close()
      return body.data.total_events
    }
    for (const query of ['', '?to=2026-11-20', '?to=2026-11-20T23:00:00Z']) {
      expect(await events(startsAt, query)).toBe(0)
      expect(await events(startsAt + 1, query)).toBe(2)
    }
  })

  it('is filtered by sport, league and sportsbook, whatever their spelling', async () => {
    const { body } = await clv('sportsbook=Circa%20Sports&league=NBA&sport=Basketball')
    expect(body.data.groups.map((group: { group_key: string }) => group.group_key)).toEqual([
      'circa',
    ])
    expect(body.data).toMatchObject({ total_events: 1, missing_closes: {} })
    expect(body.meta.filters).toEqual({
      sport: ['basketball'],
      league: ['nba'],
      sportsbook: ['circa'],
    })
    expect((await clv('sport=soccer')).body.data).toMatchObject({ groups: [], total_events: 0 })
  })

  it.each([
    ['group_by=team', 'validation_error'],
    ['from=yesterday', 'validation_error'],
    ['from=2026-02-30', 'validation_error'],
    ['from=2026-11-02&to=2026-11-01', 'validation_error'],
    ['form=2026-11-02', 'validation_error'],
    ['league=nbaa', 'invalid_filter'],
    ["league=' OR 1=1 --", 'invalid_filter'],
    ['sportsbook={chain:Array(String)}', 'invalid_filter'],
    ['sport=%00', 'invalid_filter'],
    [`league=${'x'.repeat(10_000)}`, 'invalid_filter'],
  ])('refuses %s', async (query, code) => {
    const { status, body } = await clv(query)
    expect([status, body.code]).toEqual([400, code])
  })

  it('is for sharp and above', async () => {
    for (const path of ['/historical/clv', `/historical/odds/closing?${closing}`]) {
      for (const tier of ['free', 'pro'] as const) {
        const { status, body } = await service.get(path, tier)
        expect([status, body.code, body.required_tier]).toEqual([403, 'tier_restricted', 'sharp'])
      }
    }
  })
})

describe('/historical/odds/closing', () => {
  it('has every close of the day as its event is shown', async () => {
    const { status, body } = await closingDay()
    expect(status).toBe(200)
    const kept = closes.filter(({ missing }) => missing === null)
    expect(body.data).toMatchObject({
      date: '2026-11-20',
      sport: 'basketball',
      league: 'nba',
      total_events: 2,
      total_lines: kept.length,
    })
    const [first, second] = body.data.events
    expect([first.event_id, second.event_id]).toEqual([bulls.id, knicks.id])
    // The rows of this game have the sides reversed.
    expect(first).toMatchObject({
      home_team: 'Chicago Bulls',
      away_team: 'Utah Jazz',
      event_start_time: '2026-11-20T00:30:00.000Z',
      first_captured_at: '2026-11-20T00:29:00.000Z',
    })
    expect(first.books.map(({ book }: { book: string }) => book)).toEqual(['fanduel', 'pinnacle'])
    expect(first.books[1].lines).toEqual([
      {
        market_type: 'moneyline',
        selection: 'Utah Jazz',
        selection_type: 'away',
        line: null,
        odds_american: -200,
        odds_decimal: 1.5,
        implied_probability: 0.6667,
        no_vig_probability: 0.64,
        withheld: null,
        timestamp: '2026-11-20T00:29:00.000Z',
      },
    ])
    const points = second.books
      .find(({ book }: { book: string }) => book === 'fanduel')
      .lines.find((line: { market_type: string }) => line.market_type === 'player_points')
    expect(points).toMatchObject({
      line: 22.5,
      player_name: 'A. Able',
      stat_category: 'points',
      no_vig_probability: null,
      withheld: 'far_from_consensus',
    })
    expect(body.meta).toMatchObject({ source: 'archive', tier_window_days: 30 })
  })

  it('has those of some events, markets or sportsbooks', async () => {
    type Answer = { events: { event_id: string; books: { book: string; lines: Line[] }[] }[] }
    type Line = { market_type: string }
    const told = async (filter: string) => {
      const { status, body } = await closingDay(`${closing}&${filter}`)
      expect([filter, status]).toEqual([filter, 200])
      return (body.data as Answer).events
    }
    expect((await told(`event=${knicks.id}`)).map(({ event_id }) => event_id)).toEqual([knicks.id])
    const atFanduel = await told('sportsbook=fanduel')
    expect(atFanduel.map(({ books }) => books.map(({ book }) => book))).toEqual([
      ['fanduel'],
      ['fanduel'],
    ])
    const ofPoints = await told('market=player_points')
    const markets = ofPoints.flatMap(({ books }) => books.flatMap(({ lines }) => lines))
    expect(new Set(markets.map(({ market_type }) => market_type))).toEqual(
      new Set(['player_points']),
    )
    expect(await told(`event=${bulls.id}&market=player_points`)).toEqual([])
  })

  it('has no events of a future day or a day without games, and none of another sport', async () => {
    for (const query of [
      closing.replace('2026-11-20', '2026-12-24'),
      closing.replace('2026-11-20', '9999-12-31'),
      closing.replace('2026-11-20', '2026-11-19'),
      closing.replace('basketball', 'soccer'),
      closing.replace('nba', 'wnba'),
    ]) {
      const { status, body } = await closingDay(query)
      expect([query, status, body.data?.events]).toEqual([query, 200, []])
    }
  })

  it.each([
    ['date=2026-11-20&sport=basketball', 400, 'validation_error'],
    ['sport=basketball&league=nba', 400, 'validation_error'],
    ['date=20261120&sport=basketball&league=nba', 400, 'validation_error'],
    ['date=2026-11-20&sport=basketball&league=nba,nfl', 400, 'invalid_filter'],
    ["date=2026-11-20&sport=basketball&league=nba' OR 1=1 --", 400, 'invalid_filter'],
    ['date=2026-10-20&sport=basketball&league=nba', 403, 'tier_restricted'],
  ])('refuses %s', async (query, status, code) => {
    const { body, ...reply } = await closingDay(query)
    expect([reply.status, body.code]).toEqual([status, code])
    if (status === 403) expect(body.tier).toBe('sharp')
  })

  it('goes back thirty days', async () => {
    expect((await closingDay(closing.replace('11-20', '10-21'))).status).toBe(200)
  })
})

describe('as tools', () => {
  const call = async (name: string, args: object, tier: 'pro' | 'sharp' = 'sharp') => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }
    const { body } = await service.request('/mcp', {
      method: 'POST',
      headers: { 'X-API-Key': `sk_test_sandbox_${tier}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
    })
    return body.result
  }

  it('they return what the routes return', async () => {
    const value = await call('get_closing_line_value', { group_by: 'market', league: ['nba'] })
    const groups = (await clv('group_by=market&league=nba')).body.data.groups
    const told = JSON.parse(value.content[0].text).data.groups
    expect(told).toHaveLength(groups.length)
    for (const [i, group] of told.entries()) expect(groups[i]).toMatchObject(group)
    const args = { date: '2026-11-20', sport: 'basketball', league: 'nba' }
    const day = await call('get_historical_closing_lines', args)
    const { events } = (await closingDay()).body.data
    const shown = JSON.parse(day.content[0].text).data.events
    expect(Object.keys(shown)).toEqual(Object.keys(events))
  })

  it('they refuse what the routes refuse', async () => {
    const refused = await call('get_closing_line_value', {}, 'pro')
    expect([refused.isError, JSON.parse(refused.content[0].text).code]).toEqual([
      true,
      'tier_restricted',
    ])
    const mistaken = await call('get_closing_line_value', { league: 'nbaa' })
    expect(JSON.parse(mistaken.content[0].text).code).toBe('invalid_filter')
  })
})

describe('an unavailable archive', () => {
  const failing = (error: Error): ArchiveAccess =>
    createArchiveAccess({
      query: () => Promise.reject(error),
      export: () => Promise.reject(error),
      close: () => Promise.resolve(),
    })
  const archiveError = (code: ArchiveError['code']) => new ArchiveError(code, 'no', null)

  it.each<[string, ArchiveAccess, number, string, string | undefined]>([
    ['is off', createArchiveAccess(null), 503, 'not_ready', 'off'],
    [
      'is absent',
      createArchiveAccess(
        { query: async () => [], export: async () => null as never, close: async () => {} },
        () => 'the package chdb does not load',
      ),
      503,
      'not_ready',
      'absent',
    ],
    ['does not answer', failing(archiveError('unavailable')), 503, 'not_ready', 'starting'],
    ['is asked too much', failing(archiveError('too_much')), 422, 'answer_too_large', undefined],
    ['refuses', failing(archiveError('refused')), 500, 'internal_error', undefined],
  ])('is reported when it %s', async (_what, archive, status, code, reason) => {
    const other = await startInProcess({ archive })
    try {
      for (const path of ['/historical/clv', `/historical/odds/closing?${closing}`]) {
        const { body, headers, ...reply } = await other.get(path)
        expect([reply.status, body.code, body.error.reason]).toEqual([status, code, reason])
        expect(headers.get('retry-after')).toBe(status >= 500 ? '1' : null)
      }
      expect((await other.get('/odds')).status).toBe(200)
    } finally {
      await other.close()
    }
  })

  it('is reported when one account queries too much at once, while the others get responses', async () => {
    const waiting: (() => void)[] = []
    const archive = createArchiveAccess({
      ...engine.archive,
      query: async (...asked) => {
        await new Promise<void>((go) => waiting.push(go))
        return engine.archive.query(...asked)
      },
      close: async () => {},
    })
    const other = await startInProcess({ archive })
    try {
      const many = Array.from({ length: 12 }, () => other.get('/historical/clv'))
      const { body, status, headers } = await Promise.race(many)
      expect([status, body.code, body.retry_after]).toEqual([429, 'archive_busy', 1])
      expect(headers.get('retry-after')).toBe('1')
      const { value } = await other.accounts.create({
        name: 'x',
        tier: 'sharp',
        addOns: [],
        expiresAt: null,
      })
      const others = other.request('/historical/clv', { headers: { 'X-API-Key': value } })
      await expect.poll(() => waiting.length).toBe(3)
      const all = Promise.all([...many, others])
      let isDone = false
      all.then(() => {
        isDone = true
      })
      await expect
        .poll(() => {
          for (const go of waiting.splice(0)) go()
          return isDone
        })
        .toBe(true)
      const statuses = (await all).map((reply) => reply.status)
      expect(statuses.at(-1)).toBe(200)
      expect(statuses.filter((one) => one === 200)).toHaveLength(11)
    } finally {
      await other.close()
    }
  })
})

describe('what is the owner’s alone', () => {
  it('is hidden from others as if it had never existed', async () => {
    const other = await startInProcess({
      archive: createArchiveAccess({ ...engine.archive, close: async () => {} }),
    })
    try {
      const value = {
        sportsbook: 'pinnacle',
        status: 'up',
        audience: 'owner',
        since: other.clock(),
      }
      await other.log.append([
        { topic: topics.sportsbookStatus, partitionKey: 0, key: 'pinnacle', value } as never,
      ])
      await expect.poll(() => [...other.boards.sources.ownersOnly]).toEqual(['pinnacle'])
      const keyOf = async (isOwner: boolean) => {
        const of = { name: 'x', tier: 'enterprise', addOns: [], expiresAt: null, isOwner } as const
        return (await other.accounts.create(of)).value
      }
      const get = async (path: string, key: string) =>
        other.request(path, { headers: { 'X-API-Key': key } })
      const [mine, anybody] = await Promise.all([keyOf(true), keyOf(false)])
      const hidden = await get('/historical/clv', anybody)
      expect(hidden.status).toBe(200)
      expect(hidden.text).not.toContain('pinnacle')
      expect(hidden.body.data).toMatchObject({
        sharp_reference: 'circa',
        groups: [{ group_key: 'fanduel', samples: 2, events: 1 }],
        not_comparable_events: { no_close: 0, no_reference: 1, no_equal_line: 0 },
      })
      const own = await get('/historical/clv', mine)
      expect(own.body.data).toEqual((await clv()).body.data)
      const day = `/historical/odds/closing?${closing}`
      expect((await get(day, anybody)).text).not.toContain('pinnacle')
      expect((await get(day, mine)).text).toContain('pinnacle')
    } finally {
      await other.close()
    }
  })
})
