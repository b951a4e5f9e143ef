import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, keys, oddsRecord, startInProcess } from './service-in-process.ts'

const json = 'application/json; charset=utf-8'

/** Forty names that matching cannot confuse. */
const clubs =
  'Albatross Bishop Cormorant Dynamo Eclipse Falcon Gazelle Harbour Ironwood Juniper Kestrel Lantern Magnolia Nightjar Obsidian Pelican Quarry Rampart Sycamore Thunder Umbrella Vanguard Walnut Xylophone Yeoman Zeppelin Anchor Butterfly Cathedral Dragoon Emerald Firebird Granite Hyacinth Inferno Jackdaw Kingfisher Lighthouse Monsoon Nutmeg'

describe('over HTTP', () => {
  let service: InProcess
  beforeAll(async () => {
    service = await startInProcess()
  })
  afterAll(() => service.close())

  const now = () => service.clock()
  const ofBook = (sportsbook: string, more: object = {}) =>
    oddsRecord(now(), { sportsbook, ...more })

  const total = (over: number, under: number) => ({
    market_type: 'total_points',
    line: 220.5,
    selections: [
      { selection_type: 'over', odds_decimal: over },
      { selection_type: 'under', odds_decimal: under },
    ],
  })
  const moneyline = (home: number, away: number) => ({
    market_type: 'moneyline',
    max_bet: 1_500,
    selections: [
      { selection_type: 'home', odds_decimal: home },
      { selection_type: 'away', odds_decimal: away },
    ],
  })

  describe('before any data', () => {
    it('reports that it is degraded', async () => {
      const { status, body, headers } = await service.request('/health')
      expect(status).toBe(200)
      expect(body).toMatchObject({
        status: 'degraded',
        version: 'v1',
        timestamp: expect.any(String),
      })
      expect(body.checks.data).toEqual({ status: 'degraded', message: expect.any(String) })
      expect(headers.get('x-request-id')).toMatch(/.+/)
    })

    it('has three checks, each with its latency or a message', async () => {
      const { body } = await service.request('/health')
      expect(Object.keys(body.checks)).toEqual(['redis', 'data', 'schema'])
      for (const check of Object.values<object>(body.checks)) {
        const [, second, ...others] = Object.keys(check)
        expect([second, others]).toEqual([expect.stringMatching(/^(latency_ms|message)$/), []])
      }
      expect(body.checks.redis.message).toMatch(/board in memory/)
    })

    it('has the checks of its parts in /readyz, once the log shows what pipelines have decided', async () => {
      const checks = ['clock', 'log', 'pipelines', 'storage']
      await expect
        .poll(async () => Object.keys((await service.request('/readyz')).body.checks).sort())
        .toEqual(checks)
    })

    it('states in the list of markets the requests left in the minute, anew in each response', async () => {
      const tags: (string | null)[] = []
      for (const key of [keys.pro, keys.pro, '']) {
        const init = key === '' ? {} : { headers: { 'X-API-Key': key } }
        const { body, headers } = await service.request('/markets?limit=1', init)
        const told = ['limit', 'remaining', 'reset'].map((name) =>
          Number(headers.get(`x-ratelimit-${name}`)),
        )
        expect(Object.values(body.meta.rate_limit)).toEqual(told)
        expect(told[0]).toBe(key === '' ? 10 : 300)
        if (key !== '') tags.push(headers.get('etag'))
      }
      expect(tags[0]).toBe(tags[1])
    })

    it('has empty lists with all their fields', async () => {
      const { status, body } = await service.get('/odds')
      expect(status).toBe(200)
      expect(body).toMatchObject({
        data: [],
        pagination: {
          limit: 50,
          offset: 0,
          count: 0,
          total: 0,
          has_more: false,
          next_offset: null,
          next_cursor: null,
        },
        updated_at: null,
        meta: { count: 0, total: 0, books_available: [], books_returned: [], filters: {} },
      })
      expect((await service.get('/events')).body).toMatchObject({ data: [], meta: { total: 0 } })
    })
  })

  describe('with a game at three sportsbooks', () => {
    let eventId: string

    beforeAll(async () => {
      const records = [
        ofBook('pinnacle', {
          externalId: 'p1',
          markets: [moneyline(1.95, 1.97), total(1.9, 1.94)],
        }),
        ofBook('draftkings', { externalId: 'd1', markets: [moneyline(1.91, 1.95)] }),
        ofBook('Fan Duel', { markets: [moneyline(2.05, 1.8)] }),
        ofBook('pinnacle', { home: 'Chicago Bulls', away: 'Miami Heat' }),
      ]
      const { status, body } = await service.ingest(records)
      expect({ status, body }).toEqual({
        status: 202,
        body: {
          data: { accepted: 4, rejected: [], rejected_count: 0, warnings: [], warning_count: 0 },
        },
      })
      await service.settled()
      eventId = (await service.get('/odds?sportsbook=draftkings')).body.data[0].event_id
    })

    it('lists the prices with the double envelope', async () => {
      const { status, headers, body } = await service.get('/odds')
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe(json)
      expect(headers.get('x-data-delay')).toBe('0')
      expect(headers.get('x-tier')).toBe('sharp')
      expect(headers.get('x-request-id')).toMatch(/.+/)
      expect(body.data).toHaveLength(10)
      expect(body.pagination).toEqual(body.meta.pagination)
      expect(body.pagination).toEqual({
        limit: 50,
        offset: 0,
        count: 10,
        total: 10,
        has_more: false,
        next_offset: null,
        next_cursor: null,
      })
      expect(body.updated_at).toBe(new Date(now()).toISOString())
      expect(body.meta).toMatchObject({
        count: 10,
        total: 10,
        updated_at: body.updated_at,
        books_available: ['draftkings', 'fanduel', 'pinnacle'],
        books_returned: ['draftkings', 'fanduel', 'pinnacle'],
      })
    })

    it('writes a row with the fields of the interface', async () => {
      const { body } = await service.get(`/odds?event=${eventId}&sportsbook=pinnacle&market=total`)
      expect(body.data).toHaveLength(2)
      const [over] = body.data
      expect(over).toEqual({
        id: expect.stringMatching(/^\d{15}$/),
        sportsbook: 'pinnacle',
        sportsbook_name: 'Pinnacle',
        event_id: eventId,
        sport: 'basketball',
        league: 'nba',
        home_team: 'New York Knicks',
        away_team: 'Brooklyn Nets',
        market_type: 'total_points',
        selection: 'Over',
        selection_type: 'over',
        line: 220.5,
        event_start_time: '2026-11-21T00:30:00.000Z',
        deep_link: expect.stringMatching(`^/api/v1/deeplink/${over.id}-[0-9a-f]{12}$`),
        last_seen_at: new Date(now()).toISOString(),
        timestamp: new Date(now()).toISOString(),
        odds_changed_at: null,
        odds_american: -111,
        odds_decimal: 1.9,
        odds_probability: 0.5263,
        probability: 0.5263,
        is_live: false,
        is_active: true,
        status: 'upcoming',
      })
      expect(body.meta.filters).toEqual({
        event: [eventId],
        sportsbook: ['pinnacle'],
        market: expect.arrayContaining(['total_points']),
      })
    })

    it('lists events', async () => {
      const { body } = await service.get('/events')
      expect(body.data).toHaveLength(2)
      expect(body.meta).toMatchObject({ count: 2, total: 2 })
      const event = body.data.find(({ id }: { id: string }) => id === eventId)
      expect(event).toEqual({
        id: eventId,
        external_ids: { pinnacle: 'p1', draftkings: 'd1' },
        sport: 'basketball',
        league: 'nba',
        home_team: 'New York Knicks',
        away_team: 'Brooklyn Nets',
        start_time: '2026-11-21T00:30:00.000Z',
        status: 'upcoming',
        event_status: 'upcoming',
        is_live: false,
        book_count: 3,
        market_count: 2,
        markets: ['moneyline', 'total_points'],
        books: ['draftkings', 'fanduel', 'pinnacle'],
      })
    })

    it('pages events', async () => {
      const first = (await service.get('/events?limit=1')).body
      expect(first.pagination).toMatchObject({ limit: 1, count: 1, total: 2, has_more: true })
      expect(first.pagination.next_offset).toBe(1)
      const second = (await service.get('/events?limit=1&offset=1')).body
      expect(second.pagination).toMatchObject({ has_more: false, next_offset: null })
      expect(second.data[0].id).not.toBe(first.data[0].id)
    })

    it('shows one event', async () => {
      const { status, body } = await service.get(`/events/${eventId}`)
      expect(status).toBe(200)
      expect(body.meta.event_id).toBe(eventId)
      expect(body.data).toMatchObject({ id: eventId, status: 'upcoming', league: 'nba' })
      expect(body.data.books).toEqual([
        { id: 'pinnacle', name: 'Pinnacle', market_count: 2, last_update: expect.any(String) },
        { id: 'draftkings', name: 'DraftKings', market_count: 1, last_update: expect.any(String) },
        { id: 'fanduel', name: 'FanDuel', market_count: 1, last_update: expect.any(String) },
      ])
      expect(body.data.markets).toEqual([
        { type: 'moneyline', selection_count: 2, book_count: 3 },
        { type: 'total_points', selection_count: 2, book_count: 1 },
      ])
      expect(body.data).not.toHaveProperty('book_count')
    })

    it('compares prices side by side', async () => {
      const { body } = await service.get(`/odds/comparison?event=${eventId}`)
      expect(body.data).toMatchObject({
        event_id: eventId,
        event_name: 'Brooklyn Nets @ New York Knicks',
        books_available: ['draftkings', 'fanduel', 'pinnacle'],
      })
      const [first] = body.data.markets
      expect(first.market_type).toBe('moneyline')
      expect(first.hold.by_book).toEqual({
        draftkings: Math.round(1e4 * (1 / 1.91 + 1 / 1.95 - 1)) / 100,
        fanduel: Math.round(1e4 * (1 / 2.05 + 1 / 1.8 - 1)) / 100,
        pinnacle: Math.round(1e4 * (1 / 1.95 + 1 / 1.97 - 1)) / 100,
      })
      expect(first.hold.best_available).toBe(Math.round(1e4 * (1 / 2.05 + 1 / 1.97 - 1)) / 100)
      expect(first.selections[0]).toMatchObject({
        selection_type: 'home',
        line: null,
        best_book: 'fanduel',
        best_odds: 105,
        worst_book: 'draftkings',
        worst_odds: -110,
        spread: Math.round(1e4 * (1 / 1.91 - 1 / 2.05)) / 100,
      })
      expect(Object.keys(first.selections[0].books)).toEqual(['draftkings', 'fanduel', 'pinnacle'])
      const one = (await service.get(`/odds/comparison?event=${eventId}&sportsbook=fanduel`)).body
      expect(one.data.markets).toHaveLength(1)
      expect(one.data.markets[0].selections[0].best_book).toBe('fanduel')
    })

    it('needs an event to compare', async () => {
      const { status, body } = await service.get('/odds/comparison')
      expect([status, body.error.code]).toEqual([400, 'validation_error'])
      const unknown = await service.get('/odds/comparison?event=none')
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found'])
    })

    it('is healthy', async () => {
      const { body } = await service.request('/health')
      expect(body).toMatchObject({ status: 'ok', checks: { data: { status: 'ok' } } })
    })

    // ---- keys and tiers

    it('requires a key', async () => {
      const { status, body, headers } = await service.request('/odds')
      expect(status).toBe(401)
      expect(headers.get('content-type')).toBe(json)
      expect(body).toEqual({
        error: { code: 'missing_api_key', message: expect.any(String) },
        code: 'missing_api_key',
      })
    })

    it('prefers the header to the bearer token, and that to the parameter', async () => {
      const status = async (headers: Record<string, string>, query = '') =>
        (await service.request(`/odds${query}`, { headers })).body.code ?? 'ok'
      const bearer = { Authorization: `Bearer ${keys.sharp}` }
      const parameter = `?api_key=${keys.sharp}`
      expect(await status(bearer)).toBe('ok')
      expect(await status({}, parameter)).toBe('ok')
      expect(await status({ Authorization: `bearer ${keys.sharp}` })).toBe('ok')
      expect(await status({ 'X-API-Key': 'sk_live_x', ...bearer }, parameter)).toBe(
        'invalid_api_key',
      )
      expect(await status({ Authorization: 'Bearer sk_live_x' }, parameter)).toBe('invalid_api_key')
      expect(await status({}, '?api_key=sk_live_x')).toBe('invalid_api_key')
      expect(await status({ Authorization: 'Basic abc' }, parameter)).toBe('ok')
      expect(await status({ 'X-API-Key': '' }, parameter)).toBe('ok')
      expect(await status({ 'X-API-Key': 'constructor' })).toBe('invalid_api_key')
      const tier = await service.request(`/odds?api_key=${keys.sharp}`, {
        headers: { 'X-API-Key': keys.pro },
      })
      expect(tier.headers.get('x-tier')).toBe('pro')
    })

    it('refuses a tier the sportsbooks of a higher one', async () => {
      for (const path of ['/odds?', '/events?', `/odds/comparison?event=${eventId}&`]) {
        const { status, body } = await service.get(`${path}sportsbook=draftkings,pinnacle`, 'pro')
        expect(status).toBe(403)
        expect(body).toMatchObject({
          error: { code: 'tier_restricted', tier: 'pro', required_tier: 'sharp' },
          code: 'tier_restricted',
          tier: 'pro',
          required_tier: 'sharp',
        })
      }
    })

    it('shows a tier nothing of the other sportsbooks', async () => {
      const { body } = await service.get('/odds', 'pro')
      expect(body.meta).toMatchObject({
        total: 4,
        books_available: ['draftkings', 'fanduel'],
        books_returned: ['draftkings', 'fanduel'],
      })
      const events = (await service.get('/events', 'pro')).body
      expect(events.meta.total).toBe(1)
      expect(events.data[0]).toMatchObject({
        external_ids: { draftkings: 'd1' },
        books: ['draftkings', 'fanduel'],
        markets: ['moneyline'],
        market_count: 1,
      })
      const bulls = (await service.get('/events')).body.data.find(
        ({ id }: { id: string }) => id !== eventId,
      )
      expect((await service.get(`/events/${bulls.id}`, 'pro')).status).toBe(404)
      expect((await service.get(`/odds/comparison?event=${bulls.id}`, 'pro')).status).toBe(404)
      expect((await service.get(`/events/${bulls.id}`)).status).toBe(200)
      for (const path of [`/events/${eventId}`, `/odds/comparison?event=${eventId}`, '/events']) {
        expect((await service.get(path, 'pro')).text).not.toContain('innacle')
      }
    })

    it('shows the free tier its sportsbooks as they were a minute ago', async () => {
      const free = async () => (await service.get('/odds', 'free')).body
      expect((await free()).meta).toMatchObject({ total: 0, books_available: [] })
      expect((await service.get('/events', 'free')).body.data).toEqual([])
      expect((await service.get(`/events/${eventId}`, 'free')).status).toBe(404)

      service.advance(59_999)
      await service.ingest([
        ofBook('draftkings', { externalId: 'd1', markets: [moneyline(3, 1.3)] }),
      ])
      await service.settled()
      expect((await free()).meta.total).toBe(0)
      service.advance(1)
      await expect.poll(() => service.boards.delayed.rows.size).toBe(4)
      const { data, meta } = await free()
      expect(meta.books_available).toEqual(['draftkings', 'fanduel'])
      expect(data[0]).toMatchObject({ sportsbook: 'draftkings', odds_decimal: 1.91 })
      for (const row of data) expect(Date.parse(row.last_seen_at)).toBeLessThanOrEqual(now() - 6e4)
      const { body: events, headers } = await service.get('/events', 'free')
      expect(headers.get('x-data-delay')).toBe('60')
      expect(events.data).toMatchObject([
        { books: ['draftkings', 'fanduel'], markets: ['moneyline'] },
      ])
      expect(events.data[0].external_ids).toEqual({ draftkings: 'd1' })
      for (const path of ['/odds', '/events', `/events/${eventId}`]) {
        expect((await service.get(path, 'free')).text).not.toContain('innacle')
      }
      const refused = await service.get('/odds?sportsbook=pinnacle', 'free')
      expect([refused.status, refused.body.required_tier]).toEqual([403, 'sharp'])
      const hobby = await service.get('/odds?sportsbook=betmgm', 'free')
      expect([hobby.status, hobby.body.required_tier]).toEqual([403, 'hobby'])

      const { watermark } = service.boards.delayed
      service.advance(59_999)
      await expect.poll(() => service.boards.delayed.watermark).toBeGreaterThan(watermark + 59e6)
      expect((await free()).data[0].odds_decimal).toBe(3)
    })

    // ---- parameters

    it.each([
      ['/odds?league=nowhere', 'league', 'nowhere'],
      ['/odds?sport=quidditch', 'sport', 'quidditch'],
      ['/odds?sportsbook=nobook', 'sportsbook', 'nobook'],
      ['/odds?market=nothing', 'market', 'nothing'],
      ['/events?league=nowhere', 'league', 'nowhere'],
    ])('names the value of an unknown filter: %s', async (path, field, value) => {
      const { status, body } = await service.get(path)
      expect(status).toBe(400)
      expect(body).toMatchObject({
        code: 'invalid_filter',
        error: {
          code: 'invalid_filter',
          details: { fields: { [field]: [value] } },
        },
      })
    })

    it('names all unknown values at once', async () => {
      const { body } = await service.get('/odds?league=x,nba,y&sport=z')
      expect(body.error.details.fields).toEqual({ league: ['x', 'y'], sport: ['z'] })
    })

    it('refuses an offset above 500', async () => {
      const { status, body } = await service.get('/odds?offset=501')
      expect(status).toBe(400)
      expect(body).toMatchObject({
        error: { code: 'offset_too_large', max_offset: 500 },
        max_offset: 500,
      })
      expect((await service.get('/odds?offset=500')).body.data).toEqual([])
      expect((await service.get('/events?offset=5001')).status).toBe(400)
      expect((await service.get('/events?offset=5000')).status).toBe(200)
    })

    it('reduces a large limit, and refuses an invalid one', async () => {
      expect((await service.get('/odds?limit=1000')).body.pagination.limit).toBe(200)
      expect((await service.get('/odds?limit=')).body.pagination.limit).toBe(50)
      for (const limit of ['0', '-1', '1.5', 'ten', '1.5', '%00', '0x10', 'NaN']) {
        const { status, body } = await service.get(`/odds?limit=${limit}`)
        expect([limit, status, body.code]).toEqual([limit, 400, 'validation_error'])
      }
      expect((await service.get('/odds?live=maybe')).body.code).toBe('validation_error')
    })

    it('walks by cursor, within its filters only', async () => {
      const walked: string[] = []
      let cursor = ''
      for (;;) {
        const { body } = await service.get(`/odds?limit=3&league=nba&cursor=${cursor}`)
        walked.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.pagination.next_cursor
        if (!body.pagination.has_more) break
        expect(cursor).toEqual(expect.any(String))
        expect(body.meta.pagination.next_cursor).toBe(cursor)
      }
      expect(cursor).toBe(null)
      const all = (await service.get('/odds?league=nba')).body.data
      expect(walked).toEqual(all.map(({ id }: { id: string }) => id))

      const given = (await service.get('/odds?limit=3')).body.pagination.next_cursor
      expect((await service.get(`/odds?limit=5&cursor=${given}`)).status).toBe(200)
      for (const path of [
        `/odds?limit=3&league=nba&cursor=${given}`,
        `/odds?limit=3&live=false&cursor=${given}`,
        '/odds?cursor=garbage',
        '/odds?cursor=W10',
        `/odds?cursor=${given.slice(0, -4)}`,
        `/odds?cursor=${Buffer.from('[1,2,3,4,5,6,7,8,9]').toString('base64url')}`,
        `/odds?cursor=${Buffer.from('{"__proto__":[]}').toString('base64url')}`,
        `/odds?cursor=${Buffer.from('['.repeat(2_000)).toString('base64url')}`,
        '/odds?cursor=%F0%9F',
      ]) {
        const { status, body } = await service.get(path)
        expect([path, status, body.code]).toEqual([path, 400, 'validation_error'])
      }
      expect((await service.get(`/odds?limit=3&cursor=${given}`, 'pro')).status).toBe(400)
    })

    it('issues cursors that it accepts, however long the names of the row are', async () => {
      const long = (letter: string) => letter.repeat(200)
      const player = (name: string) => ({
        market_type: 'player_points',
        player_name: name,
        line: 22.5,
        selections: [
          { selection_type: 'over', odds_decimal: 1.9 },
          { selection_type: 'under', odds_decimal: 1.9 },
        ],
      })
      const game = {
        sport: 'soccer',
        league: long('리'),
        home: long('東'),
        away: long('京'),
        startsAt: '2026-12-01T12:00:00Z',
        markets: [player(long('名')), player(long('前'))],
      }
      const { body } = await service.ingest([ofBook('betonline', game)])
      expect(body.data.rejected).toEqual([])
      await service.settled()
      const first = (await service.get('/odds?sportsbook=betonline&limit=1')).body
      expect(first.pagination).toMatchObject({ total: 4, has_more: true })
      const { next_cursor: cursor } = first.pagination
      const second = await service.get(`/odds?sportsbook=betonline&limit=3&cursor=${cursor}`)
      expect(second.status).toBe(200)
      expect(second.body.data).toHaveLength(3)
    })

    it('lets a cursor take precedence over an offset', async () => {
      const cursor = (await service.get('/odds?limit=3')).body.pagination.next_cursor
      const alone = (await service.get(`/odds?limit=3&cursor=${cursor}`)).body
      const withOffset = (await service.get(`/odds?limit=3&cursor=${cursor}&offset=2`)).body
      expect(withOffset.data).toEqual(alone.data)
      const beyond = await service.get(`/odds?limit=3&cursor=${cursor}&offset=600`)
      expect([beyond.status, beyond.body.data]).toEqual([200, alone.data])
    })

    it('accepts several values as a list and as repeated names', async () => {
      const ids = async (query: string) =>
        (await service.get(`/odds?${query}`)).body.data.map(({ id }: { id: string }) => id)
      const both = await ids('sportsbook=draftkings,fanduel')
      expect(both).toHaveLength(4)
      expect(await ids('sportsbook=draftkings&sportsbook=fanduel')).toEqual(both)
      expect(await ids('sportsbook=%20DraftKings%20,,fanduel,fanduel')).toEqual(both)
      expect(await ids(`event=${eventId},none&sportsbook=draftkings,fanduel`)).toEqual(both)
      expect(await ids('event=none')).toEqual([])
      expect(await ids('live=true')).toEqual([])
    })

    // ---- paths and methods

    it('lists what it does have after a 404', async () => {
      for (const path of ['/nothing', '/odds/', '/api/v1', '/api/v2/odds', '/odds/x/y']) {
        const { status, body, headers } = await service.get(path)
        expect([path, status, body?.code]).toEqual([path, 404, 'not_found'])
        expect(headers.get('x-request-id')).toMatch(/.+/)
      }
    })

    it('does not report a GET without an event id as a GET', async () => {
      const { status, body } = await service.get('/events/')
      expect([status, body.code]).toEqual([404, 'not_found'])
    })

    it('names the methods of a path', async () => {
      for (const [method, path, allow] of [
        ['POST', '/odds', 'GET, HEAD'],
        ['DELETE', '/events/x', 'GET, HEAD'],
        ['PATCH', '/health', 'GET, HEAD'],
        ['PUT', '/account/keys', 'GET, HEAD, POST'],
        ['HEAD', '/stream', 'GET'],
        ['GET', '/ingest', 'POST'],
        ['PUT', '/ingest', 'POST'],
      ]) {
        const { status, body, headers } = await service.request(path!, { method: method! })
        expect([method, path, status]).toEqual([method, path, 405])
        if (method !== 'HEAD') expect(body.code).toBe('method_not_allowed')
        expect(headers.get('allow')).toBe(allow)
      }
    })

    it('refuses a body that is too large after its end, so that the sender can read why', async () => {
      const bytes = 100 * 1024
      const head = `POST /api/v1/odds/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.sharp}\r\nContent-Length: ${bytes}\r\n\r\n`
      const socket = connect(service.port, '127.0.0.1')
      let text = ''
      socket.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(head + ' '.repeat(bytes - 1))
      // A response to the first part would have arrived by then.
      await service.get('/health')
      await service.get('/health')
      expect(text).toBe('')
      socket.write(' ')
      await closed
      expect(text).toMatch(/^HTTP\/1\.1 413 /)
      expect(text).toContain('payload_too_large')
    })

    it('names the methods of a path to any origin', async () => {
      const { status, text, headers } = await service.request('/odds', { method: 'OPTIONS' })
      expect([status, text, headers.get('allow')]).toEqual([204, '', 'GET, HEAD'])
      expect(headers.has('content-length')).toBe(false)
      expect((await service.request('/nothing', { method: 'OPTIONS' })).status).toBe(404)
    })

    it('answers HEAD without a body', async () => {
      const head = (path: string) =>
        service.raw(
          `HEAD ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.sharp}\r\n\r\nGET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n`,
          (text) => text.includes('"checks"'),
        )
      for (const path of ['/api/v1/odds', '/api/v1/nothing', '/api/v1/health']) {
        const { text } = await head(path)
        const [first] = text.split('\r\n\r\n')
        const next = text.slice(first!.length + 4)
        expect([path, next.slice(0, 9)]).toEqual([path, 'HTTP/1.1 '])
      }
    })

    it('answers HEAD of its health', async () => {
      const { status } = await service.request('/health', { method: 'HEAD' })
      expect(status).toBe(200)
    })

    it('decodes event ids, and survives invalid ones', async () => {
      const encoded = [...eventId].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
      expect((await service.get(`/events/${encoded}`)).body.data.id).toBe(eventId)
      for (const id of [
        '%',
        '%E0%A4%A',
        '%00',
        '%2F..%2F',
        '%FF%FE',
        '..%2f..%2fetc',
        'a%20b',
        '%22%3E',
      ]) {
        const { status, body } = await service.get(`/events/${id}`)
        expect([id, status, body.code]).toEqual([id, 404, 'not_found'])
      }
      for (const id of ['__proto__', 'constructor', 'toString']) {
        expect((await service.get(`/events/${id}`)).status).toBe(404)
      }
    })

    it('survives queries that are malformed', async () => {
      for (const query of ['&&&', 'limit', 'limit=', 'event=%00', 'event=%E0%A4%A']) {
        expect([query, (await service.get(`/odds?${query}`)).status]).toEqual([query, 200])
      }
      for (const query of ['%', '%E0%A4%A', '=', '__proto__=1', 'leauge=nba']) {
        const { status, body } = await service.get(`/odds?${query}`)
        expect([query, status, body.code]).toEqual([query, 400, 'validation_error'])
      }
    })

    it('responds to long queries or refuses them, and stays up', async () => {
      for (const length of [1_000, 3_000, 5_000, 20_000, 200_000]) {
        const { text } = await service.raw(
          `GET /api/v1/odds?event=${'x'.repeat(length)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.sharp}\r\n\r\n`,
          (got) => got.includes('\r\n\r\n'),
        )
        expect([length, text.slice(0, 12)]).toEqual([
          length,
          expect.stringMatching(/^HTTP\/1\.1 (200|4\d\d|505)$/),
        ])
        const header = await service.raw(
          `GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(length)}\r\n\r\n`,
          (got) => got.includes('\r\n\r\n'),
        )
        expect(header.text.slice(0, 12)).toMatch(/^HTTP\/1\.1 (200|4\d\d)$/)
      }
      expect((await service.request('/health')).status).toBe(200)
    })

    it('survives bytes that are no HTTP', async () => {
      for (const bytes of [
        '\0\0\0\0\r\n\r\n',
        'GET\r\n\r\n',
        'GET / HTTP/9.9\r\n\r\n',
        'x'.repeat(9_000),
      ]) {
        await service.raw(bytes, (text) => text.length > 0)
      }
      expect((await service.request('/health')).status).toBe(200)
    })
  })

  describe('under many requests at once', () => {
    beforeAll(async () => {
      const names = clubs.split(' ')
      const books = ['pinnacle', 'draftkings', 'fanduel', 'bet365', 'Corner Shop']
      const records = names.flatMap((home, i) =>
        books.map((sportsbook, b) =>
          oddsRecord(now(), {
            sportsbook,
            sport: 'soccer',
            league: 'A League Of Ours',
            home: `${home} 東京`,
            away: `Łódź ${names.at(-1 - i)}`,
            startsAt: `2026-11-${22 + (i % 5)}T${String(10 + (i % 8))}:00:00Z`,
            isLive: i % 3 === 0,
            markets: [1.5, 2.5, 3.5].map((line) => ({
              market_type: 'total_goals',
              line,
              selections: [
                { selection_type: 'over', odds_decimal: 1.5 + b / 10 + i / 100 },
                { selection_type: 'under', odds_decimal: 2.5 - b / 10 - i / 100 },
              ],
            })),
          }),
        ),
      )
      expect((await service.ingest(records)).body.data.accepted).toBe(200)
      await service.settled()
    })

    it('returns each one its own response although they share a buffer', async () => {
      const queries = Array.from({ length: 200 }, (_, i) => {
        const parts = [
          `limit=${1 + ((i * 37) % 200)}`,
          `offset=${(i * 13) % 500}`,
          ...(i % 3 === 0 ? ['live=false'] : []),
          ...(i % 4 === 0 ? ['sportsbook=pinnacle,bet365'] : []),
          ...(i % 5 === 0 ? ['league=a_league_of_ours'] : []),
        ]
        return i % 7 === 0 ? `/events?${parts.join('&')}` : `/odds?${parts.join('&')}`
      })
      const serial: string[] = []
      for (const query of queries) serial.push((await service.get(query)).text)
      const parallel = await Promise.all(queries.map((query) => service.get(query)))
      for (const [i, { text }] of parallel.entries()) {
        expect(text === serial[i]).toBe(true)
        JSON.parse(text)
      }
    })

    // `test/listeners` covers writes beyond a full socket on uWebSockets.js.
    it('sends whole pages to a client that reads late', async () => {
      const want = (await service.get('/odds?limit=200')).text
      const one = `GET /api/v1/odds?limit=200 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.sharp}\r\n\r\n`
      const other = one.replace('limit=200', 'limit=7')
      const small = (await service.get('/odds?limit=7')).text
      const count = 12
      const bodies = await new Promise<string[]>((resolve, reject) => {
        const socket = connect(service.port, '127.0.0.1', () => {
          socket.pause()
          socket.write((one + other).repeat(count))
          setTimeout(() => socket.resume(), 300)
        })
        const chunks: Buffer[] = []
        let bytes = 0
        socket.on('error', reject)
        socket.on('data', (data) => {
          chunks.push(data)
          bytes += data.length
          if (bytes < count * (want.length + small.length)) return
          const found = bodiesOf(Buffer.concat(chunks))
          if (found.length < 2 * count) return
          socket.destroy()
          resolve(found)
        })
      })
      expect(bodies).toHaveLength(2 * count)
      expect(bodies.every((body, i) => body === (i % 2 === 0 ? want : small))).toBe(true)
    })

    it('pages to the end by offset as far as it goes and by cursor beyond', async () => {
      const { total } = (await service.get('/odds?limit=1')).body.pagination
      expect(total).toBeGreaterThan(1_200)
      const walked: string[] = []
      let cursor = ''
      do {
        const { body } = await service.get(`/odds?limit=170&cursor=${cursor}`)
        expect(body.pagination.total).toBe(total)
        walked.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.pagination.next_cursor
      } while (cursor)
      expect(new Set(walked).size).toBe(total)
      const at = (await service.get('/odds?limit=200&offset=400')).body
      expect(at.data.map(({ id }: { id: string }) => id)).toEqual(walked.slice(400, 600))
      expect(at.pagination.next_offset).toBe(null)
      expect(at.pagination.has_more).toBe(true)
    })
  })
})

/** Returns the bodies of pipelined responses, by their declared lengths. */
function bodiesOf(bytes: Buffer): string[] {
  const bodies: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) break
    const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', at, end))?.[1])
    if (end + 4 + length > bytes.length) break
    bodies.push(bytes.toString('utf8', end + 4, end + 4 + length))
    at = end + 4 + length
  }
  return bodies
}

describe('where the sandbox and ingest are closed', () => {
  it('no well-known key and no token works', async () => {
    const service = await startInProcess({ sandbox: false, token: null })
    try {
      const { status, body } = await service.get('/odds')
      expect([status, body.code]).toEqual([401, 'invalid_api_key'])
      for (const token of ['null', '', 'undefined', 'x']) {
        const refused = await service.ingest('', { Authorization: `Bearer ${token}` })
        expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized'])
      }
    } finally {
      await service.close()
    }
  })
})
