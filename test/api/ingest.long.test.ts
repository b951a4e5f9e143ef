import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { topics } from '../../schemas/topics.ts'
import {
  type InProcess,
  ingestToken,
  keys,
  oddsRecord,
  startInProcess,
} from './service-in-process.ts'

const maxBytes = 8 * 1024 * 1024

describe('POST /ingest', () => {
  let service: InProcess
  beforeAll(async () => {
    service = await startInProcess()
  })
  afterAll(() => service.close())

  let number = 0
  /** Returns two letters per number, so that no two games have similar names. */
  const word = (n: number) =>
    [...String(n)]
      .map((digit) => 'ba ce di fo gu hy ja ke li mo'.split(' ')[Number(digit)])
      .join('')
  const record = (more: Partial<Parameters<typeof oddsRecord>[1]> = {}) =>
    oddsRecord(service.clock(), {
      sportsbook: 'pinnacle',
      home: `Home ${word(number)} ${word(number * 7)}`,
      away: `Away ${word(number * 3)} ${word(number++)}`,
      sport: 'soccer',
      league: 'A League Of Ours',
      markets: [
        {
          market_type: 'draw_no_bet',
          selections: [
            { selection_type: 'home', odds_decimal: 1.91 },
            { selection_type: 'away', odds_decimal: 2.02 },
          ],
        },
      ],
      ...more,
    })
  const line = (more = {}) => JSON.stringify(record(more))

  /** Counts the records of `feed.odds`, by the lag of a consumer group without members. */
  const taken = () => service.log.lag([topics.feedOdds], 'nobody')

  let before = 0
  beforeEach(async () => {
    before = await taken()
  })
  const expectTaken = async (count: number) => expect((await taken()) - before).toBe(count)

  const expectAlive = async () => {
    const { status, body } = await service.ingest([record()])
    expect([status, body?.data?.accepted]).toEqual([202, 1])
  }

  it('requires its token', async () => {
    for (const Authorization of [
      '',
      'Bearer',
      'Bearer ',
      'Bearer wrong',
      `Bearer ${ingestToken}x`,
      `Bearer ${ingestToken.slice(0, -1)}`,
      `Basic ${ingestToken}`,
      ingestToken,
      `Bearer ${keys.sharp}`,
    ]) {
      const { status, body } = await service.ingest([record()], { Authorization })
      expect([Authorization, status, body]).toEqual([
        Authorization,
        401,
        { error: { code: 'unauthorized', message: expect.any(String) }, code: 'unauthorized' },
      ])
    }
    const asKey = await service.request('/ingest', {
      method: 'POST',
      headers: { 'X-API-Key': ingestToken },
      body: line(),
    })
    expect(asKey.status).toBe(401)
    expect(
      (await service.request(`/ingest?api_key=${ingestToken}`, { method: 'POST' })).status,
    ).toBe(401)
    await expectTaken(0)
  })

  it('makes what it accepts visible', async () => {
    const { body } = await service.ingest([record({ home: 'Leeds United', away: 'Brentford' })])
    expect(body).toEqual({
      data: { accepted: 1, rejected: [], rejected_count: 0, warnings: [], warning_count: 0 },
    })
    await service.settled()
    const { data } = (await service.get('/odds?league=a_league_of_ours')).body
    expect(data.map(({ selection }: { selection: string }) => selection)).toEqual(
      expect.arrayContaining(['Leeds United', 'Brentford']),
    )
  })

  it('takes an empty body', async () => {
    for (const body of ['', '\n', '  \r\n\r\n ', '[]', ' [ ] ', '\uFEFF']) {
      const { status, body: answer } = await service.ingest(body)
      expect([JSON.stringify(body), status, answer?.data?.accepted]).toEqual([
        JSON.stringify(body),
        202,
        0,
      ])
    }
    await expectTaken(0)
  })

  it('accepts any content type', async () => {
    for (const type of [
      'application/x-ndjson',
      'application/json',
      'text/plain',
      'image/png',
      'x',
    ]) {
      const { status } = await service.ingest(line(), { 'Content-Type': type })
      expect([type, status]).toEqual([type, 202])
    }
    await expectTaken(5)
  })

  it('names the bad lines, and takes the good ones', async () => {
    const good = line()
    const lines = [
      good, // 1
      '', // 2
      '{"type":"odds"', // 3
      '   ', // 4
      line(), // 5
      '[1]', // 6
      'null', // 7
      JSON.stringify({ ...record(), colour: 'red' }), // 8
      line(), // 9
      good.slice(0, -20), // 10: cut off
    ]
    const expected = {
      accepted: 3,
      rejected_count: 5,
      warnings: [],
      warning_count: 0,
      rejected: [
        [3, 'invalid_json'],
        [6, 'not_an_object'],
        [7, 'not_an_object'],
        [8, 'unknown_field'],
        [10, 'invalid_json'],
      ].map(([number, code]) => ({ line: number, code, message: expect.any(String) })),
    }
    const unix = await service.ingest(lines.join('\n'))
    expect([unix.status, unix.body.data]).toEqual([202, expected])
    const windows = await service.ingest(`${lines.join('\r\n')}\r\n`)
    expect(windows.body.data).toEqual(expected)
    const marked = await service.ingest(`\uFEFF${lines.join('\n')}\n\n`)
    expect(marked.body.data).toEqual(expected)
    await expectTaken(9)
  })

  it('counts lines from the first, blank ones too', async () => {
    const { body } = await service.ingest(`\n\n\n{}\n${line()}\n\nx`)
    expect(body.data).toMatchObject({ accepted: 1, rejected: [{ line: 4 }, { line: 7 }] })
    await expectTaken(1)
  })

  it('takes a JSON array, and names its elements by position', async () => {
    const members = [record(), 5, null, [record()], { type: 'nothing' }, record()]
    const { body } = await service.ingest(`\r\n ${JSON.stringify(members, null, 2)}\n`)
    expect(body.data).toMatchObject({
      accepted: 2,
      rejected: [
        { line: 2, code: 'not_an_object' },
        { line: 3, code: 'not_an_object' },
        { line: 4, code: 'not_an_object' },
        { line: 5, code: 'unknown_type' },
      ],
    })
    await expectTaken(2)
  })

  it('takes a JSON array behind a byte order mark', async () => {
    const { status } = await service.ingest(`\uFEFF${JSON.stringify([record()])}`)
    expect(status).toBe(202)
    await expectTaken(1)
  })

  it('takes nothing of an array that is cut off', async () => {
    const text = JSON.stringify([record(), record()])
    for (const body of [text.slice(0, -1), text.slice(0, -40), `${text}]`, '[', '[{}', '[1,]']) {
      const { status, body: answer } = await service.ingest(body)
      expect([status, answer.code]).toEqual([400, 'validation_error'])
    }
    await expectTaken(0)
    await expectAlive()
  })

  it('refuses invalid UTF-8 instead of changing it', async () => {
    const bad = Buffer.from(line({ home: 'Malm\u00f6' }), 'latin1')
    const { status, body } = await service.ingest(
      Buffer.concat([Buffer.from(`${line()}\n`), bad, Buffer.from(`\n${line()}`)]),
    )
    expect([status, body.data]).toEqual([
      202,
      {
        accepted: 2,
        rejected: [{ line: 2, code: expect.any(String), message: expect.any(String) }],
        rejected_count: 1,
        warnings: [],
        warning_count: 0,
      },
    ])
    await expectTaken(2)
  })

  it('suspends a selection with an invalid price, takes the rest, and names it', async () => {
    const league = 'A League Of Slips'
    const totals = (over: object, line = 9.5) => ({
      market_type: 'total',
      line,
      selections: [
        { selection_type: 'over', ...over },
        { selection_type: 'under', odds_decimal: 1.9 },
      ],
    })
    const rowsNow = async () => {
      await service.settled()
      const { data } = (await service.get('/odds?league=a_league_of_slips')).body
      return data.map((row: Record<string, unknown>) => [
        row.selection_type,
        row.line,
        row.odds_decimal,
        row.is_active,
      ])
    }
    const game = { home: 'Slip City', away: 'Sound Town', league }
    await service.ingest([record({ markets: [totals({ odds_decimal: 2.5 })], ...game })])
    await service.settled()
    service.advance(1_000)
    const slips = [totals({ odds_decimal: 1 }), totals({ odds_american: 'n/a' }, 10.5)]
    const { body } = await service.ingest([record({ markets: slips, ...game })])
    expect(body.data).toMatchObject({
      accepted: 1,
      rejected: [],
      warning_count: 2,
      warnings: [
        { line: 1, code: 'invalid_price', market_type: 'total', selection: 'over 9.5' },
        { line: 1, code: 'invalid_price', market_type: 'total', selection: 'over 10.5' },
      ],
    })
    expect(await rowsNow()).toEqual([
      ['over', 9.5, 2.5, false],
      ['under', 9.5, 1.9, true],
      ['under', 10.5, 1.9, true],
    ])
  })

  it('reports markets that match no others, and selections that were left out', async () => {
    const markets = [
      {
        market_type: 'Largest Lead',
        line: 9.5,
        selections: [{ selection_type: 'over', odds_decimal: 2 }],
      },
      {
        market_type: 'totls',
        line: 9.5,
        selections: [{ selection_type: 'over', odds_decimal: 2 }],
      },
      { market_type: 'moneyline', selections: [{ selection_type: 'over', odds_decimal: 2 }] },
    ]
    const league = 'A League Of Warnings'
    const { body } = await service.ingest([record(), record({ markets, league })])
    expect(body.data).toMatchObject({
      accepted: 2,
      rejected: [],
      warning_count: 3,
      warnings: [
        { line: 2, code: 'unknown_market', market_type: 'Largest Lead' },
        { line: 2, code: 'unknown_market', market_type: 'totls', did_you_mean: ['total'] },
        { line: 2, code: 'answer_of_another_market', market_type: 'moneyline' },
      ],
    })
    await service.settled()
    const { data } = (await service.get('/odds?league=a_league_of_warnings')).body
    expect(data.map((row: { market_type: string }) => row.market_type).sort()).toEqual([
      'largest_lead',
      'totls',
    ])
    const many = record({ markets: Array.from({ length: 1_500 }, () => markets[0]!), league })
    const answer = await service.ingest([many])
    expect(answer.body.data.warnings).toHaveLength(1_000)
    expect(answer.body.data.warning_count).toBeGreaterThan(1_000)
  })

  it('accepts markets by any of their names, in filters too', async () => {
    const league = 'A League Of Names'
    const priced = (selection_type: string) => ({ selection_type, odds_decimal: 1.9 })
    const markets = (spread: string, total: string, winner: string) => [
      { market_type: spread, line: -0.5, selections: [priced('home'), priced('away')] },
      { market_type: total, line: 2.5, selections: [priced('over'), priced('under')] },
      { market_type: winner, selections: [priced('home'), priced('draw'), priced('away')] },
    ]
    const home = 'Names United'
    const away = 'Names City'
    const { body } = await service.ingest([
      record({ league, home, away, markets: markets('spreads', 'Over/Under', 'h2h') }),
      record({
        league,
        home,
        away,
        sportsbook: 'fanduel',
        markets: markets('handicap', 'totals', '1x2'),
      }),
      record({
        league,
        home,
        away,
        sportsbook: 'caesars',
        markets: markets('point_spread', 'total_goals', 'moneyline'),
      }),
    ])
    expect(body.data).toMatchObject({ accepted: 3, warnings: [] })
    await service.settled()
    const typesOf = async (query: string) => {
      const answer = await service.get(`/odds?league=a_league_of_names&limit=200${query}`)
      const rows = answer.body.data as { market_type: string; sportsbook: string }[]
      return [...new Set(rows.map((row) => row.market_type))]
        .sort()
        .map((type) => [
          type,
          new Set(rows.filter((row) => row.market_type === type).map((row) => row.sportsbook)).size,
        ])
    }
    expect(await typesOf('')).toEqual([
      ['moneyline', 3],
      ['point_spread', 3],
      ['total_goals', 3],
    ])
    // A tennis handicap may be of sets or games, so it stays apart and hides no other.
    await service.ingest([
      record({
        sport: 'tennis',
        league: 'ATP',
        home: 'A. Names',
        away: 'B. Names',
        markets: [
          { market_type: 'handicap', line: -1.5, selections: [priced('home'), priced('away')] },
        ],
      }),
    ])
    await service.settled()
    for (const name of ['spreads', 'Handicap', 'alternate_spreads']) {
      expect(await typesOf(`&market=${name}`)).toEqual([['point_spread', 3]])
    }
    for (const name of ['h2h', '1x2', 'match_winner']) {
      expect(await typesOf(`&market=${name}`)).toEqual([['moneyline', 3]])
    }
    expect(await typesOf('&market=Over%2FUnder')).toEqual([['total_goals', 3]])
  })

  it('names many bad lines up to its limit, and counts them all', async () => {
    const { body } = await service.ingest('x\n'.repeat(2_500))
    expect(body.data).toMatchObject({ accepted: 0, rejected_count: 2_500 })
    expect(body.data.rejected).toHaveLength(1_000)
    expect(body.data.rejected.at(-1).line).toBe(1_000)
  })

  it('limits an element of an array as it limits a line', async () => {
    const markets = Array.from({ length: 3_000 }, (_, i) => ({
      market_type: 'total_goals',
      external_id: 'x'.repeat(150),
      line: i / 2,
      selections: [
        { selection_type: 'over', odds_decimal: 2, external_id: 'y'.repeat(150) },
        { selection_type: 'under', odds_decimal: 2 },
      ],
    }))
    const long = record({ markets })
    expect(JSON.stringify(long).length).toBeGreaterThan(1024 * 1024)
    const asLine = await service.ingest(`${JSON.stringify(long)}\n${line()}`)
    expect(asLine.body.data).toMatchObject({
      accepted: 1,
      rejected: [{ line: 1, code: 'record_too_long' }],
    })
    const asMember = await service.ingest(JSON.stringify([long, record()]))
    expect(asMember.body.data).toMatchObject({
      accepted: 1,
      rejected: [{ line: 1, code: 'record_too_long' }],
    })
  })

  it('takes a body of exactly the limit, with thousands of lines, and not one byte more', async () => {
    const lines: string[] = []
    for (let bytes = 0; bytes < maxBytes - 2_000; ) {
      const next = line({ home: 'Leeds United', away: 'Brentford', markets: [] })
      lines.push(next)
      bytes += next.length + 1
    }
    const text = `${lines.join('\n')}\n`.padEnd(maxBytes, ' ')
    expect(Buffer.byteLength(text)).toBe(maxBytes)
    const { status, body } = await service.ingest(text)
    expect([status, body.data.accepted, body.data.rejected]).toEqual([202, lines.length, []])
    expect(lines.length).toBeGreaterThan(20_000)
    await expectTaken(lines.length)

    const head = (length: number) =>
      `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestToken}\r\nContent-Length: ${length}\r\n\r\n`
    const over = await service.raw(`${head(maxBytes + 1)}${text} `)
    expect(over.text).toMatch(/^HTTP\/1\.1 413 /)
    expect(over.text).toContain('payload_too_large')
    expect(over.closed).toBe(true)
    await expectTaken(lines.length)
    await expectAlive()
  })

  it('takes nothing of a body that is aborted', async () => {
    const body = `${line()}\n${line()}\n`
    await new Promise<void>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => {
        socket.write(
          `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestToken}\r\nContent-Length: ${body.length + 10}\r\n\r\n${body}`,
          () => setTimeout(() => socket.destroy(), 50),
        )
        socket.on('close', () => resolve())
      })
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await expectTaken(0)
    await expectAlive()
  })

  it('takes a fully read body even if no client waits for the response', async () => {
    const body = line()
    await new Promise<void>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => {
        socket.end(
          `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestToken}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
          () => socket.destroy(),
        )
        socket.on('close', () => resolve())
      })
    })
    await expect.poll(async () => (await taken()) - before).toBe(1)
    await expectAlive()
  })

  it('takes a body in chunks', async () => {
    const body = `${line()}\n${line()}`
    const parts = [body.slice(0, 7), body.slice(7, 300), body.slice(300)]
    const chunked = parts
      .map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`)
      .join('')
    const { text } = await service.raw(
      `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestToken}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}0\r\n\r\n`,
      (got) => got.includes('rejected_count'),
    )
    expect(text).toContain('"accepted":2')
    await expectTaken(2)
  })

  it('keeps the connection after an error', async () => {
    const post = (body: string, token = ingestToken) =>
      `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    const put = `PUT /api/v1/ingest HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`
    const get = 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n'
    const statuses = (text: string) =>
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    // One after the other, as clients do: a post is answered when the log has its records.
    const requests = [
      post(line(), 'wrong'),
      get,
      post('[nonsense'),
      post('nonsense'),
      put,
      get,
      post(line()),
    ]
    const got = await new Promise<string>((resolve, reject) => {
      let text = ''
      let next = 0
      const socket = connect(service.port, '127.0.0.1', () => socket.write(requests[next++]!))
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
      socket.on('data', (data) => {
        text += data.toString()
        if (statuses(text).length < next) return
        if (next === requests.length) socket.destroy()
        else socket.write(requests[next++]!)
      })
    })
    expect(statuses(got)).toEqual([401, 200, 400, 202, 405, 200, 202])
  })

  it('takes simultaneous posts, each whole', async () => {
    const bodies = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 1 + (i % 9) }, () => line()),
    )
    const answers = await Promise.all(bodies.map((lines) => service.ingest(lines.join('\n'))))
    expect(answers.map(({ body }) => body.data.accepted)).toEqual(
      bodies.map(({ length }) => length),
    )
    await expectTaken(bodies.flat().length)
  })

  it.each<[string, string, (bad: ReturnType<typeof record>) => string]>([
    [
      'a price no board can show',
      'betonline',
      (bad) => JSON.stringify(bad).replace('"odds_decimal":1.91', '"odds_decimal":1e307'),
    ],
    [
      'American odds that leave nothing to win',
      'bovada',
      (bad) => JSON.stringify(bad).replace('"odds_decimal":1.91', '"odds_american":-1e308'),
    ],
    [
      'an observation before the calendar',
      'betrivers',
      (bad) => JSON.stringify({ ...bad, observed_at: '0000-01-01T00:00:00+14:00' }),
    ],
  ])('keeps every page readable after %s', async (_what, sportsbook, text) => {
    const game = { home: 'Poisoned Arrows', away: 'Broken Bows', sportsbook }
    const path = `/odds?sportsbook=${sportsbook}`
    await service.ingest([record(game)])
    await service.settled()
    expect((await service.get(path)).body.data).toHaveLength(2)
    const other = { ...game, home: 'Sour Milk', away: 'Stale Bread' }
    await service.ingest(text(record(other)))
    await service.settled()
    const { body } = await service.get(path)
    expect(body?.data).toEqual(expect.any(Array))
    for (const { last_seen_at } of body.data) {
      expect(last_seen_at).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    }
    // Seen again with another market: the existing rows only get a new time of sighting.
    const markets = [
      { market_type: 'draw_no_bet', selections: [{ selection_type: 'home', odds_decimal: 2 }] },
    ]
    await service.ingest([record({ ...other, mode: 'delta', markets })])
    await service.settled()
    expect((await service.get(path)).body?.data).toEqual(expect.any(Array))
  })

  it('rejects the 501st sportsbook that is not listed, and keeps accepting those before', async () => {
    const fresh = await startInProcess()
    try {
      const game = { home: 'Leeds United', away: 'Brentford' }
      const pushed = [...Array(501).keys(), 0].map((n) =>
        record({ ...game, sportsbook: `desk ${n}` }),
      )
      const { body } = await fresh.ingest(pushed)
      expect(body.data).toMatchObject({ accepted: 501, rejected_count: 1 })
      expect(body.data.rejected).toMatchObject([{ line: 501, code: 'too_many_sportsbooks' }])
    } finally {
      await fresh.close()
    }
  })
})

describe('POST /ingest to a simulated board', () => {
  it('warns once a push that its prices mix with simulated ones', async () => {
    const service = await startInProcess({ prices: 'simulated' })
    try {
      const sportsbook = 'pinnacle'
      const observed_at = new Date(service.clock()).toISOString()
      const up = { type: 'book_status', sportsbook, observed_at, status: 'up' }
      const odds = (home: string) => oddsRecord(service.clock(), { sportsbook, home })
      const without = await service.ingest([up])
      expect(without.body.data).toMatchObject({ accepted: 1, warnings: [], warning_count: 0 })
      const { body } = await service.ingest([up, odds('Home One'), odds('Home Two')])
      expect(body.data).toMatchObject({ accepted: 3, warning_count: 1 })
      expect(body.data.warnings).toMatchObject([{ line: 2, code: 'simulated_board' }])
    } finally {
      await service.close()
    }
  })
})
