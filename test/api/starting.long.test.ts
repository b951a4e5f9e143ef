/** The API from the moment its port is open until the board is loaded, and as it stops. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusedPerMinute } from '../../api/access/tiers.ts'
import { type App, openApp } from '../../api/app.ts'
import { type Boards, createBoards } from '../../api/boards.ts'
import { createReadiness } from '../../api/readiness.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import type { Log, LogRecord } from '../../pipeline/log/log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { healthAnswer } from '../../schemas/http/health.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { topics } from '../../schemas/topics.ts'
import { inherited, startService } from '../service.ts'
import { keys, testSettings } from './service-in-process.ts'
import { game, quote, sighting } from './small-board.ts'
import { openEvents, openFrames } from './stream-reader.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any

const id = 'nba_bulls_knicks_2026-11-21_b3'
const now = Date.parse('2026-11-20T12:00:00.000Z')
const price = { sportsbook: 'draftkings', price: 1.91 }

/** Returns the log's records: one price of one game. */
function records(): readonly LogRecord[] {
  const row = quote(id, price)
  return [
    { topic: topics.events, key: id, value: game(id) },
    { topic: topics.odds, key: String(row.id), value: row },
    { topic: topics.sightings, key: 'x', value: sighting(id, price.sportsbook, now) },
  ].map((record, offset) => ({ ...record, partition: 0, offset }))
}

let path: string
let log: Log
let app: App
let boards: Boards
let base: string
let key: string
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'overround-starting-'))
  log = await openEmbeddedLog({ path })
  const clock = () => now
  // The test feeds these boards by hand.
  boards = { ...createBoards(log, clock), follow: () => Promise.resolve() }
  app = openApp({
    log,
    clock,
    boards,
    logger: createLogger(testSettings, 'test'),
    settings: testSettings,
  })
  base = `http://127.0.0.1:${await app.listen()}/api/v1`
  const account = { name: 'a', tier: 'enterprise', addOns: [], expiresAt: null } as const
  await app.accounts.ready
  key = (await app.accounts.create(account)).value
})
afterEach(async () => {
  await app.close()
  await log.close()
  await rm(path, { recursive: true })
})

/** Completes reading the board. */
const fill = () =>
  boards.take({
    reset: false,
    records: records(),
    position: { epoch: log.epoch, offsets: {} },
    caughtUp: true,
  })

const sse = (query: string, as = key) => openEvents(`${base}/stream${query}`, { 'X-API-Key': as })
const socket = (query: string, as = key) =>
  openFrames(`${base}/ws?${query}`, { headers: { 'X-API-Key': as } })

async function get(path: string) {
  const response = await fetch(base.replace('/api/v1', '') + path, {
    headers: { 'X-API-Key': key },
  })
  return { status: response.status, body: (await response.json()) as Body }
}

describe('while the board is being read', () => {
  it('holds a stream at 200, and sends it the board once loaded', async () => {
    const events = await sse('/odds')
    expect([events.status, events.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect([events.text(), events.blocks]).toEqual([':\n', []])
    fill()
    expect((await events.next('connected')).body.channel).toBe('odds')
    expect((await events.next('snapshot:complete')).body.total_odds).toBe(1)
    events.close()
  })

  it('holds a WebSocket, with its requests meanwhile', async () => {
    const frames = await socket('')
    frames.send({ type: 'subscribe', channels: ['odds'], filters: { leagues: ['nba'] } })
    frames.send({ type: 'ping' })
    await frames.next('pong')
    expect(frames.frames.map(({ type }) => type)).toEqual(['pong'])
    fill()
    await frames.next('snapshot:complete')
    const told = frames.frames.filter(({ type }) => type !== 'heartbeat')
    expect(told.map(({ type }) => type)).toEqual([
      'pong',
      'connected',
      'subscribed',
      'initial',
      'snapshot:complete',
    ])
    expect(told[2]).toMatchObject({ channels: ['odds'], leagues: ['nba'] })
    frames.close()
  })

  it('holds a WebSocket that brings its key in a frame', async () => {
    const frames = await socket('channels=odds', '')
    frames.send({ type: 'auth', token: key })
    frames.send({ type: 'auth', token: key })
    expect((await frames.next('error')).code).toBe('already_authenticated')
    fill()
    expect((await frames.next('initial')).count).toBe(1)
    frames.close()
  })

  it.each([
    ['/odds', 'no key', 401, 'invalid_api_key'],
    ['/odds', '', 401, 'missing_api_key'],
    ['/odds', keys.free, 403, 'tier_restricted'],
    ['/odds?leauge=nba', 'no key', 401, 'invalid_api_key'],
    ['?channel=arb', '', 401, 'missing_api_key'],
    ['/odds?resume_from=x', keys.free, 403, 'tier_restricted'],
    ['/odds?leauge=nba', null, 400, 'validation_error'],
    ['?channel=arb', null, 400, 'validation_error'],
    ['/odds?resume_from=x', null, 400, 'validation_error'],
  ])('refuses %s with the key %j at once', async (query, as, status, code) => {
    const events = await sse(query, as ?? key)
    expect([events.status, events.refusal.code]).toEqual([status, code])
  })

  it('counts a stream once, held or refused, and says what is left', async () => {
    const held = await sse('/odds')
    const left = Number(held.headers['x-ratelimit-remaining'])
    expect(held.headers['x-tier']).toBe('enterprise')
    const frames = await socket('channels=odds')
    frames.send({ type: 'ping' })
    await frames.next('pong')
    const refused = await sse('/odds?leauge=nba')
    expect([refused.status, refused.headers['x-ratelimit-remaining']]).toEqual([400, `${left - 2}`])
    fill()
    await held.next('snapshot:complete')
    await frames.next('snapshot:complete')
    const again = await sse('/odds?leauge=nba')
    expect(again.headers['x-ratelimit-remaining']).toBe(`${left - 3}`)
    held.close()
    frames.close()
  })

  it('counts refused keys for their address', async () => {
    for (let i = 0; i < refusedPerMinute; i++) await sse('/odds', 'no key')
    expect((await sse('/odds', 'no key')).status).toBe(429)
    const frames = await socket('channels=odds', 'no key')
    expect((await frames.next('error')).code).toBe('rate_limited')
  })

  it('closes a WebSocket with a bad key at once', async () => {
    const frames = await socket('channels=odds', 'no key')
    expect((await frames.next('error')).code).toBe('invalid_api_key')
    expect((await frames.closed).code).toBe(4001)
  })

  it('sends the reason of a refused stream once the board is loaded, and refuses it from then on', async () => {
    const events = await sse('/events/nobody')
    const unknown = await sse('/odds?league=nobody')
    expect([events.status, unknown.status]).toEqual([200, 200])
    fill()
    expect((await events.next('error')).body.message).toContain('nobody')
    expect((await unknown.next('error')).body.code).toBe('invalid_filter')
    await Promise.all([events.ended, unknown.ended])
    expect((await sse('/events/nobody')).status).toBe(404)
    expect((await sse('/odds?league=nobody')).status).toBe(400)
  })

  it('takes a slot when a stream begins, not before', async () => {
    const [first] = app.accounts.keysOf(app.accounts.list()[0]!.id)
    const { value } = await app.accounts.grantKey(first!.accountId, { name: 'one', maxStreams: 1 })
    const [one, two] = [await sse('/odds', value), await sse('/odds', value)]
    fill()
    await one.next('snapshot:complete')
    expect((await two.next('error')).body.code).toBe('too_many_streams')
    await two.ended
    const refused = await sse('/odds', value)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
    one.close()
  })

  it('shows in statuses whether requests can be served', async () => {
    for (const prefix of ['', '/api/v1']) {
      const { status, body } = await get(`${prefix}/health`)
      expect([status, body.status, body.checks.redis.status]).toEqual([503, 'down', 'down'])
      expect(healthAnswer.parse(body).checks.data).toEqual({
        status: 'down',
        message: 'The board is not served yet.',
      })
      expect(await get(`${prefix}/livez`)).toEqual({ status: 200, body: { status: 'ok' } })
      const reason = 'The board is still being read, or has yet to get its first prices.'
      expect(await get(`${prefix}/readyz`)).toEqual({
        status: 503,
        body: { status: 'starting', reason, checks: expect.any(Object) },
      })
    }
    expect((await get('/api/v1/odds')).status).toBe(503)
    fill()
    await app.ready
    expect((await get('/api/v1/odds')).body.data).toHaveLength(1)
    expect((await get('/health')).status).toBe(200)
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('ends what is held when the service stops', async () => {
    const [events, frames] = [await sse('/odds'), await socket('channels=odds')]
    const closing = app.close()
    await events.ended
    expect((await frames.closed).code).toBe(1001)
    await closing
    await expect(fetch(base)).rejects.toThrow('fetch failed')
  })
})

describe('readiness', () => {
  it('of a service with incoming prices begins with the first of them, or after a while', async () => {
    const given = createBoards(log, () => now)
    const nothing = { reset: false, records: [], position: { epoch: '', offsets: {} } }
    const parts = { boards: given, read: Promise.resolve() }
    const [soon, patient] = [
      createReadiness({ ...parts, firstPricesMs: 1 }),
      createReadiness({ ...parts, firstPricesMs: 1e6 }),
    ]
    given.take({ ...nothing, caughtUp: true })
    await soon.whenReady()
    expect([soon.state, patient.state]).toEqual(['ready', 'starting'])
    given.take({ ...nothing, records: records(), caughtUp: true })
    await patient.whenReady()
    expect(patient.state).toBe('ready')
    patient.stop()
    expect([patient.state, patient.isReady()]).toEqual(['stopping', true])
  })

  it('ends while the board is read anew', async () => {
    const given = createBoards(log, () => now)
    const readiness = createReadiness({ boards: given, read: Promise.resolve() })
    const chunk = { records: [], position: { epoch: '', offsets: {} } }
    given.take({ ...chunk, reset: false, caughtUp: true })
    await readiness.whenReady()
    given.take({ ...chunk, reset: true, caughtUp: false })
    expect(readiness.state).toBe('starting')
  })
})

it('starts in a shell that has the variables of the command line too', async () => {
  const env = {
    ...{ OVERROUND_URL: 'http://127.0.0.1:9', OVERROUND_KEY: 'sk_a', OVERROUND_EXPORT_KEY: 'sk_b' },
    ...{ OVERROUND_DATA_DIR: join(path, 'beside'), OVERROUND_ARCHIVE: 'off' },
    OVERROUND_FEEDS: 'none',
  }
  const service = await startService({ env })
  expect(await service.stop()).toBe(0)
})

it('a port in use ends the process before anything is written', async () => {
  const data = join(path, 'elsewhere')
  const env = {
    OVERROUND_PORT: new URL(base).port,
    OVERROUND_DATA_DIR: data,
    OVERROUND_ARCHIVE: 'off',
  }
  await expect(startService({ env })).rejects.toThrow(
    /overround cannot start: Port \d+ on 127\.0\.0\.1 is taken: .* OVERROUND_PORT/,
  )
  expect(existsSync(data)).toBe(false)
})

const terminal = '/usr/bin/script'
it.skipIf(!existsSync(terminal))(
  `a terminal shows the greeting first (skipped where ${terminal} is not there)`,
  async () => {
    const main = join(projectRoot, 'dist', 'api', 'main.js')
    const command = `'${process.execPath}' '${main}'`
    const env = {
      ...{ OVERROUND_PORT: '0', OVERROUND_DATA_DIR: join(path, 'seen'), OVERROUND_ARCHIVE: 'off' },
      OVERROUND_FEEDS: 'none',
    }
    const child = spawn(terminal, ['-qec', command, '/dev/null'], {
      env: { ...inherited(), ...env },
    })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    let output = ''
    const greeted = new Promise<void>((resolve) => {
      child.stdout.on('data', (text) => {
        output += text
        if (output.includes('/odds?limit=2')) resolve()
      })
    })
    try {
      await Promise.race([greeted, ended])
      expect(output.trim()).toMatch(/^overround is at /)
    } finally {
      child.stdin.write('\u0003')
      await ended
    }
  },
)
