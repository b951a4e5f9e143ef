/** The TypeScript client: its types, its reads, its board, and its errors after refusals. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, OverroundError } from '../../api/clients/typescript/src/index.ts'
import { pythonSource } from '../../infra/clients/python-source.ts'
import { routesSource } from '../../infra/clients/routes-source.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { fillBoard, fillOpportunities, liveGame } from '../api/filled-board.ts'
import { type InProcess, keys, oddsRecord, startInProcess } from '../api/service-in-process.ts'
import { openSocket } from './open-stream-client.ts'

const folder = join(projectRoot, 'api', 'clients', 'typescript')
const generated = join(folder, 'src', 'generated', 'routes.ts')

let service: InProcess
let game: string
const client = (key: string = keys.sharp) => createClient({ base: service.base, key, openSocket })

beforeAll(async () => {
  service = await startInProcess({ publicRecord: true })
  game = (await fillBoard(service)).upcoming
})
afterAll(() => service.close())

it('has the types of the service’s own document', async () => {
  const { body } = await service.get('/openapi.json')
  expect(readFileSync(generated, 'utf8')).toBe(await routesSource(body))
})

it('has what the Python client takes from it: columns of frames without rows, and families', async () => {
  const { body } = await service.get('/openapi.json')
  const file = join(projectRoot, 'api/clients/python/src/overround/_generated.py')
  expect(readFileSync(file, 'utf8')).toBe(pythonSource(body))
})

it('compiles for browsers, needs no package, and is small', () => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
  const built = mkdtempSync(join(tmpdir(), 'overround-client-'))
  try {
    const compiler = join(projectRoot, 'node_modules', '.bin', 'tsc')
    execFileSync(compiler, ['-p', join(folder, 'tsconfig.json'), '--outDir', built])
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
    const scripts = files.filter((file) => file.endsWith('.js'))
    const code = scripts.map((file) => readFileSync(join(built, file), 'utf8')).join('')
    expect([...code.matchAll(/from '([^.][^']*)'/g)]).toEqual([])
    expect(gzipSync(code).length).toBeLessThan(12_000)
  } finally {
    rmSync(built, { recursive: true })
  }
})

describe('a stream of games in play', () => {
  const push = async (home: number) => {
    const { markets: _, mode: __, ...record } = oddsRecord(service.clock(), liveGame('fanduel', 1))
    const state = { home_score: home, away_score: 40 }
    await service.ingest([{ ...record, type: 'game_state', state }])
    await service.settled()
  }

  it.each([
    ['sse', ['gamestate']],
    ['sse', ['gamestate', 'arbitrage']],
    ['websocket', ['gamestate']],
  ] as const)('over %s of %j equals /gamestate', async (transport, channels) => {
    const account = { name: 'games', tier: 'enterprise', addOns: [], expiresAt: null } as const
    const { value } = await service.accounts.create(account)
    await push(50)
    const stream = client(value).stream({ transport, channels })
    try {
      await expect.poll(() => stream.isReady()).toBe(true)
      const shown = async () => {
        const { body } = await service.request('/gamestate', { headers: { 'X-API-Key': value } })
        return Object.values<Record<string, object>>(body.data).flatMap((games) =>
          Object.entries(games).map(([event_id, game]) => ({ event_id, ...game })),
        )
      }
      expect([...stream.games.values()]).toEqual(await shown())
      expect(stream.games.size).toBeGreaterThan(0)
      await push(53)
      await expect.poll(() => [...stream.games.values()]).toMatchObject([{ home_score: 53 }])
      expect([...stream.games.values()]).toEqual(await shown())
    } finally {
      stream.close()
    }
  })
})

describe('reads', () => {
  it('are typed, and equal the responses of the service', async () => {
    const { data, pagination } = await client().get('/odds', {
      query: { league: ['nba'], limit: 3 },
    })
    expect(pagination.count).toBe(3)
    const rest = await service.get('/odds?league=nba&limit=3')
    expect(data).toEqual(rest.body.data)
    const one = await client().get('/events/{eventId}', { path: { eventId: game } })
    expect(one.data.id).toBe(game)
    // @ts-expect-error no such parameter
    const misspelt = client().get('/odds', { query: { leage: ['nba'] } })
    await expect(misspelt).rejects.toMatchObject({ status: 400, code: 'validation_error' })
  })

  it('take parts of a path unchanged', async () => {
    const strange = client().get('/events/{eventId}', { path: { eventId: 'a/../b?c=d#é' } })
    await expect(strange).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  it('walk all pages, each item once and in order', async () => {
    const ids: string[] = []
    for await (const row of client().items('/odds', { query: { limit: 7, fields: ['id'] } })) {
      ids.push((row as { id: string }).id)
    }
    const { body } = await service.get('/odds?limit=200')
    expect(ids).toEqual(body.data.map(({ id }: { id: string }) => id))
    const teams: unknown[] = []
    for await (const team of client().items('/teams', { query: { limit: 200 } })) {
      if (teams.push(team) === 450) break
    }
    expect(teams).toHaveLength(450)
  })

  it('return the same object while nothing has changed', async () => {
    const own = client()
    const before = await own.get('/odds', { query: { limit: 5 } })
    expect(await own.get('/odds', { query: { limit: 5 } })).toBe(before)
    await service.ingest([
      oddsRecord(service.clock(), { sportsbook: 'fanduel', home: 'A', away: 'B' }),
    ])
    await service.settled()
    const after = await own.get('/odds', { query: { limit: 5 } })
    expect(after).not.toBe(before)
  })

  it('fail with the error of the service', async () => {
    const error = await client('no-key')
      .get('/odds')
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OverroundError)
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', retryAfterMs: null })
    expect((error as OverroundError).requestId).toMatch(/.+/)
    const wrong = client().get('/odds', { query: { league: ['nbaa'] } })
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_filter',
      details: { details: { fields: { league: ['nbaa'] } } },
    })
  })

  it('are retried after passing errors, and only then', async () => {
    const calls: string[] = []
    const answers: (() => Response)[] = []
    const scripted = createClient({
      base: 'http://x',
      key: 'k',
      fetch: async (input) => {
        calls.push(String(input))
        const next = answers.shift()
        if (!next) throw new TypeError('connection refused')
        return next()
      },
      retries: 2,
    })
    const limited = () =>
      Response.json(
        { error: { code: 'rate_limited', message: 'm', retry_after: 0 }, code: 'rate_limited' },
        { status: 429, headers: { 'Retry-After': '0' } },
      )
    answers.push(limited, limited, () => Response.json({ data: [] }))
    expect(await scripted.get('/sports')).toEqual({ data: [] })
    expect(calls).toHaveLength(3)
    answers.push(limited, limited, limited)
    await expect(scripted.get('/sports')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 0,
    })
    expect(calls).toHaveLength(6)
    // A proxy's HTML page is retried for these statuses, as the service itself may respond next.
    const page = (status: number) => () => new Response('<html>A page</html>', { status })
    answers.push(page(502), page(504), page(503))
    await expect(scripted.get('/sports')).rejects.toMatchObject({ status: 503, code: 'no_json' })
    answers.push(page(408), page(425), () => Response.json({ data: [] }))
    expect(await scripted.get('/sports')).toEqual({ data: [] })
    expect(calls.splice(6)).toHaveLength(6)
    for (const status of [400, 401, 403, 404, 409, 422, 501]) {
      answers.push(page(status))
      await expect(scripted.get('/sports')).rejects.toMatchObject({ status })
    }
    expect(calls.splice(6)).toHaveLength(7)
    calls.push('')
    await expect(scripted.get('/sports')).rejects.toMatchObject({
      status: 0,
      code: 'connection_lost',
    })
    expect(calls).toHaveLength(10)
    // A broken-off response is requested again. One that is not JSON is not the service's.
    const brokenOff = () =>
      new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) }))
    answers.push(brokenOff, () => Response.json({ data: [] }))
    expect(await scripted.get('/sports')).toEqual({ data: [] })
    answers.push(() => new Response('<html>Sign in</html>'))
    await expect(scripted.get('/sports')).rejects.toMatchObject({ status: 200, code: 'no_json' })
    expect(calls).toHaveLength(13)
    calls.length = 10
    // An hour is too long to wait for a retry.
    answers.push(() => Response.json({}, { status: 429, headers: { 'Retry-After': '3600' } }))
    await expect(scripted.get('/sports')).rejects.toMatchObject({ retryAfterMs: 3_600_000 })
    expect(calls).toHaveLength(11)
  })

  it('end when they are aborted', async () => {
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await expect(client().get('/odds', { signal: stop.signal })).rejects.toThrow('enough')
  })

  it('return other formats unchanged', async () => {
    const response = await client().raw('/opportunities/arbitrage', {
      format: 'csv',
      min_profit: 0,
    })
    expect(response.headers.get('content-type')).toContain('text/csv')
  })
})

describe.each([
  ['sse', 3.3],
  ['websocket', 3.4],
] as const)('over %s', (transport, price) => {
  it('a board equals REST, and stays equal', async () => {
    const board = client().board(
      { league: ['nba'] },
      { transport, heartbeatSeconds: 1, reconnectMs: 50 },
    )
    const changes: string[] = []
    const end = board.subscribe(({ id }) => changes.push(id))
    try {
      await board.ready
      const shown = async () => {
        const rows = new Map<string, unknown>()
        for await (const row of client().items('/odds', {
          query: { league: ['nba'], limit: 200 },
        })) {
          rows.set((row as { id: string }).id, row)
        }
        return rows
      }
      const prices = (rows: ReadonlyMap<string, unknown>) =>
        [...rows]
          .map(([id, row]) => [id, (row as { odds_decimal: number }).odds_decimal])
          .toSorted()
      expect(prices(board.rows)).toEqual(prices(await shown()))
      const before = changes.length
      expect(before).toBe(board.rows.size)
      service.advance(1_000)
      await service.ingest([
        oddsRecord(service.clock(), {
          sportsbook: 'fanduel',
          externalId: '1-1',
          prices: [price, 1.4],
          mode: 'delta',
        }),
      ])
      await service.settled()
      await expect.poll(() => changes.length).toBeGreaterThan(before)
      expect(prices(board.rows)).toEqual(prices(await shown()))
      await expect.poll(() => board.stream.counts.proofs).toBeGreaterThan(1)
      board.stream.drop()
      expect(board.isCurrent()).toBe(false)
      await expect.poll(() => board.isCurrent()).toBe(true)
      expect(board.stream.counts).toMatchObject({ resumed: 1, gaps: 0, mismatches: 0, strays: 0 })
    } finally {
      end()
      board.close()
    }
  })

  it('messages are read no faster than they are requested', async () => {
    const stop = new AbortController()
    const names: string[] = []
    for await (const { name } of client().messages(
      { transport, channels: ['odds'] },
      stop.signal,
    )) {
      names.push(name)
      if (name === 'snapshot:complete') stop.abort()
    }
    expect(names[0]).toBe('connected')
    expect(names.at(-1)).toBe('snapshot:complete')
  })

  it('a refused key is reported once', async () => {
    const board = client('no-key').board({}, { transport })
    await expect(board.ready).rejects.toBeInstanceOf(OverroundError)
    expect(board.stream.failure()?.code).toBe('invalid_api_key')
    const messages = client('no-key').messages({ transport, channels: ['ev'] })
    const first = messages.next().then(async function all({ done, value }): Promise<unknown> {
      return done ? 'ended' : value.name === 'error' ? messages.next().then(all) : value
    })
    await expect(first).rejects.toMatchObject({ code: 'invalid_api_key' })
  })
})

describe('a stream that is never right', () => {
  const endless = (text: string, init?: ResponseInit) =>
    new Response(
      new ReadableStream<Uint8Array>({ start: (body) => body.enqueue(Buffer.from(text)) }),
      init,
    )
  const access = { base: 'http://x', key: 'k' }

  it('restarts at once, then ever less often', async () => {
    let connections = 0
    const wrong = createClient({
      ...access,
      fetch: async () => {
        connections++
        return endless(
          'event: connected\nid: evt_00001\ndata: {}\n\nevent: snapshot:complete\nid: evt_00002\ndata: {"rows":1,"checksum":"00000000"}\n\n',
        )
      },
    })
    const board = wrong.board({}, { reconnectMs: 40 })
    await expect.poll(() => connections).toBe(4)
    // The pauses are 0, then 80 and 160 ms: without them there would be hundreds of connections.
    expect(board.stream.counts.mismatches).toBeGreaterThanOrEqual(3)
    board.close()
  })

  it.each([
    [408, true],
    [425, true],
    [429, true],
    [502, true],
    [504, true],
    [522, true],
    [530, true],
    [401, false],
    [403, false],
    [404, false],
  ])('reconnects after a %i: %s', async (status, isTriedAgain) => {
    let tries = 0
    const refused = createClient({
      ...access,
      fetch: async () => {
        tries++
        return new Response('<html>A page</html>', { status })
      },
    })
    const board = refused.board({}, { reconnectMs: 20 })
    const { stream } = board
    await expect.poll(() => tries >= 3 || stream.failure() !== null).toBe(true)
    expect(stream.failure()).toEqual(isTriedAgain ? null : expect.objectContaining({ status }))
    if (!isTriedAgain) expect(tries).toBe(1)
    board.close()
  })

  it('waits as long as it is told', async () => {
    const waits: number[] = []
    const { setTimeout: own } = globalThis
    const limited = createClient({
      ...access,
      fetch: async () => Response.json({}, { status: 429, headers: { 'Retry-After': '7' } }),
    })
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      waits.push(ms)
      return own(run, ms)
    }) as typeof setTimeout
    try {
      const board = limited.board({}, { reconnectMs: 40 })
      await expect.poll(() => waits).toContain(7_000)
      board.close()
    } finally {
      globalThis.setTimeout = own
    }
  })
})

it('has a bot in its guide that finds what there is, as written', async () => {
  const guide = readFileSync(join(folder, 'README.md'), 'utf8')
  const bot = /^```js bot\n(.*?)^```$/ms.exec(guide)![1]!
  const work = mkdtempSync(join(tmpdir(), 'overround-bot-'))
  const installed = join(work, 'node_modules', '@overround', 'client')
  const own = await startInProcess()
  let child: ChildProcess | undefined
  try {
    await fillOpportunities(own)
    cpSync(join(folder, 'package.json'), join(installed, 'package.json'))
    const tsc = (...options: string[]) =>
      execFileSync(join(projectRoot, 'node_modules', '.bin', 'tsc'), options, { cwd: work })
    tsc('-p', join(folder, 'tsconfig.json'), '--outDir', join(installed, 'dist'))
    writeFileSync(join(work, 'bot.mjs'), bot)
    child = spawn(process.execPath, ['bot.mjs'], {
      cwd: work,
      env: { ...process.env, OVERROUND_BASE: own.base, OVERROUND_KEY: keys.sharp },
    })
    let output = ''
    child.stdout!.on('data', (text) => {
      output += text
    })
    child.stderr!.on('data', (text) => {
      output += text
    })
    own.advance(3_000)
    await expect.poll(() => output).toMatch(/^[\d.]+ % on .+ @ .+: .+ at \w+, .+ at \w+$/m)
  } finally {
    child?.kill('SIGKILL')
    await own.close()
    rmSync(work, { recursive: true })
  }
})

it('opens the platform’s own WebSocket with the key in the first frame', async () => {
  const { WebSocket } = await import('ws')
  const own = globalThis as { WebSocket?: unknown }
  const before = own.WebSocket
  try {
    own.WebSocket = WebSocket
    const board = createClient({ base: service.base, key: keys.sharp }).board(
      {},
      { transport: 'websocket' },
    )
    await board.ready
    expect(board.rows.size).toBeGreaterThan(0)
    board.close()
    delete own.WebSocket
    const open = () =>
      createClient({ base: service.base, key: 'k' }).board({}, { transport: 'websocket' })
    expect(open).toThrow('openSocket')
  } finally {
    if (before) own.WebSocket = before
  }
})
