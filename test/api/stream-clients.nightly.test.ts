/**
 * The streams with third-party clients: `eventsource`, `ws`, Node's WebSocket, a browser. Each interface has one
 * listening function, which runs where the client is.
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EventSource } from 'eventsource'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { patienceMs } from '../patience.ts'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import { type InProcess, keys, oddsRecord, startInProcess } from './service-in-process.ts'
import { openProxy } from './tcp-proxy.ts'

/** Messages by name; unnamed events under the empty name. */
// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type Heard = Record<string, any>

/** Listens until all names have been received. Uses nothing from outside, because it also runs in other processes. */
function listenEvents(
  Source: typeof EventSource,
  url: string,
  names: string[],
  limitMs: number,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const heard: Heard = {}
    const source = new Source(url)
    const hear = (name: string) => (event: { data: string }) => {
      const before = heard[name] ?? []
      heard[name] = [...before, JSON.parse(event.data)]
      if (!names.every((wanted) => heard[wanted])) return
      source.close()
      resolve(heard)
    }
    for (const name of names.filter((name) => name !== ''))
      source.addEventListener(name, hear(name))
    source.onmessage = hear('')
    source.onerror = () => {
      if (source.readyState === 2) reject(new Error('the stream was refused'))
    }
    setTimeout(() => reject(new Error(`heard only ${Object.keys(heard)}`)), limitMs)
  })
}

/** Listens like `listenEvents`, for the types of frames. */
function listenFrames(
  Socket: typeof WebSocket,
  url: string,
  types: string[],
  limitMs: number,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const heard: Heard = {}
    const socket = new Socket(url)
    socket.onmessage = (event) => {
      const frame = JSON.parse(String(event.data))
      const before = heard[frame.type] ?? []
      heard[frame.type] = [...before, frame]
      if (!types.every((wanted) => heard[wanted])) return
      socket.close()
      resolve(heard)
    }
    socket.onerror = () => reject(new Error('the socket failed'))
    setTimeout(() => reject(new Error(`heard only ${Object.keys(heard)}`)), limitMs)
  })
}

const eventNames = ['connected', 'snapshot', 'snapshot:complete', 'odds:update', 'heartbeat']
const frameTypes = [
  'connected',
  'subscribed',
  'initial',
  'snapshot:complete',
  'odds:update',
  'heartbeat',
]

let service: InProcess
let isMoving = true
let moving: Promise<void>
let rowCount: number
let key: string
beforeAll(async () => {
  service = await startInProcess()
  await fillBoard(service)
  await fillOpportunities(service)
  const account = { name: 'clients', tier: 'enterprise', addOns: [], expiresAt: null } as const
  key = (await service.accounts.create(account)).value
  rowCount = service.boards.live.rows.size
  moving = move()
})
afterAll(async () => {
  isMoving = false
  // A push during the close of the service would be cut off.
  await moving
  await service.close()
})

/** Moves a price some ten times a second, each time once the last one has been taken. */
async function move() {
  let price = 1.5
  while (isMoving) {
    service.advance(100)
    price = price > 2.5 ? 1.5 : Math.round(1e3 * (price + 0.01)) / 1e3
    const record = oddsRecord(service.clock(), {
      sportsbook: 'draftkings',
      home: 'Denver Nuggets',
      away: 'Utah Jazz',
      startsAt: '2026-11-21T01:30:00Z',
      mode: 'delta',
      prices: [price, 4 - price],
    })
    await service.ingest([record])
    await delay(100)
  }
}

const eventsUrl = (query: string) =>
  `${service.base}/stream?${query}&heartbeat_seconds=1&api_key=${key}`
const framesUrl = (query: string) =>
  `${service.base.replace(/^http/, 'ws')}/ws?${query}&heartbeat_seconds=1&api_key=${key}`

function expectEvents(heard: Heard) {
  expect(heard[''] ?? []).toEqual([])
  expect(heard.connected).toMatchObject([{ channel: 'odds', reconnected: false }])
  expect(rowsOf(heard.snapshot, 'odds')).toBe(rowCount)
  expect(heard['snapshot:complete']).toMatchObject([{ status: 'ready', total_odds: rowCount }])
  expect(heard['odds:update'][0]).toMatchObject({
    odds: expect.arrayContaining([
      expect.objectContaining({ id: expect.any(String), odds_decimal: expect.any(Number) }),
    ]),
    book: 'draftkings',
  })
  expect(heard.heartbeat[0].timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
}

function expectFrames(heard: Heard) {
  expect(heard.connected).toMatchObject([{ seq: 1, tier: 'enterprise' }])
  expect(heard.subscribed).toMatchObject([{ seq: 2, channels: ['odds'] }])
  expect(rowsOf(heard.initial, 'data')).toBe(rowCount)
  expect(heard['odds:update'][0]).toMatchObject({
    source: 'draftkings',
    data: expect.arrayContaining([expect.objectContaining({ event_id: expect.any(String) })]),
  })
  expect(heard.heartbeat[0]).toMatchObject({ seq: expect.any(Number) })
}

/** Checks the messages that the client of the older library reads: unnamed ones, and heartbeats. */
function expectUnnamed(odds: Heard, all: Heard) {
  for (const { type, timestamp } of [...odds[''], ...all['']]) {
    expect([type, typeof timestamp]).toEqual([expect.any(String), 'string'])
  }
  const initial = odds[''].filter(({ type }: Heard) => type === 'initial')
  expect(rowsOf(initial, 'data')).toBe(rowCount)
  const update = odds[''].find(({ type }: Heard) => type === 'odds:update')
  expect(update.data[0].odds_decimal).toBeGreaterThan(1)
  const families = all[''].filter(
    ({ type, data }: Heard) => type === 'initial' && !Array.isArray(data) && !data.events,
  )
  for (const { data } of families) {
    expect(Object.keys(data).sort()).toEqual(['arbitrage', 'ev', 'low_hold', 'middles'])
  }
  expect(families.some(({ data }: Heard) => data.low_hold.length > 0)).toBe(true)
}

const rowsOf = (chunks: Heard[], member: string): number =>
  chunks.reduce((sum, chunk) => sum + chunk[member].length, 0)

/** The names to wait for: unnamed chunks, an update and a heartbeat. */
const unnamedNames = ['', 'odds:update', 'heartbeat']

describe('the package eventsource', () => {
  it('receives every event by its name', async () => {
    expectEvents(await listenEvents(EventSource, eventsUrl('channel=odds'), eventNames, patienceMs))
  })

  it('receives unnamed messages with the type inside', async () => {
    const listen = (query: string) =>
      listenEvents(EventSource, eventsUrl(query), unnamedNames, patienceMs)
    expectUnnamed(await listen('type=odds'), await listen('type=all'))
  })
})

describe('the package ws', () => {
  it('receives every frame', async () => {
    expectFrames(await listenFrames(WebSocket, framesUrl('channels=odds'), frameTypes, patienceMs))
  })

  it('is refused what needs an enterprise key', async () => {
    const url = framesUrl('channels=odds').replace(key, keys.pro)
    const frames: Heard[] = []
    const socket = new WebSocket(url)
    socket.on('message', (data) => frames.push(JSON.parse(String(data))))
    const code = await new Promise((resolve) => socket.on('close', resolve))
    expect([code, frames.map((frame) => frame.code)]).toEqual([4003, ['tier_restricted']])
  })
})

const run = promisify(execFile)
const flag = '--experimental-websocket'

/** Whether this Node has its own WebSocket, possibly behind a flag. */
const nodeSocket = await run(process.execPath, [flag, '-e', 'new WebSocket("ws://127.0.0.1:9")'])
  .then(() => true)
  .catch(({ stderr }) => !/bad option|is not defined/.test(stderr))

describe('the WebSocket of Node', () => {
  it.skipIf(!nodeSocket)(`hears every frame (skipped where node ${flag} has none)`, async () => {
    const script = `(${listenFrames})(WebSocket, ${JSON.stringify(framesUrl('channels=odds'))}, ${JSON.stringify(frameTypes)}, ${patienceMs}).then((heard) => process.stdout.write(JSON.stringify(heard), () => process.exit()))`
    const maxBuffer = 64 * 1024 * 1024
    const { stdout } = await run(process.execPath, [flag, '-e', script], { maxBuffer })
    expectFrames(JSON.parse(stdout))
  })
})

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

describe.skipIf(!executablePath)('chromium (skipped where /usr/bin/chromium is not there)', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
    page = await browser.newPage()
    // A page of the service itself, so that all requests are same-origin.
    await page.goto(`${service.base}/health`)
  })
  afterAll(() => browser?.close())

  const inPage = (listen: string, Interface: string, url: string, names: string[]) =>
    page.evaluate(
      `(${listen})(${Interface}, ${JSON.stringify(url)}, ${JSON.stringify(names)}, ${patienceMs})`,
    ) as Promise<Heard>

  it('receives every event by its name', async () => {
    const url = eventsUrl('channel=odds')
    expectEvents(await inPage(String(listenEvents), 'EventSource', url, eventNames))
  })

  it('receives unnamed messages with the type inside', async () => {
    const listen = (query: string) =>
      inPage(String(listenEvents), 'EventSource', eventsUrl(query), unnamedNames)
    expectUnnamed(await listen('type=odds'), await listen('type=all'))
  })

  it('receives every frame', async () => {
    const url = framesUrl('channels=odds')
    expectFrames(await inPage(String(listenFrames), 'WebSocket', url, frameTypes))
  })

  it('reconnects by itself, and is informed of that', async () => {
    const proxy = await openProxy(service.port)
    const url = eventsUrl('channel=odds').replace(`:${service.port}`, `:${proxy.port}`)
    await page.goto(new URL('/api/v1/health', url).href)
    await page.evaluate(
      `window.told = []; window.source = new EventSource(${JSON.stringify(url)}); source.addEventListener('connected', (event) => told.push(JSON.parse(event.data).reconnected))`,
    )
    await page.waitForFunction('told.length === 1')
    proxy.cut()
    await page.waitForFunction('told.length === 2', undefined, { timeout: patienceMs })
    expect(await page.evaluate('told')).toEqual([false, true])
    await page.evaluate('source.close()')
    await proxy.close()
  })
})
