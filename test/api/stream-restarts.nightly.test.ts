/**
 * Third-party clients and ours through restarts of the service by SIGKILL and SIGTERM, with tens of thousands of rows:
 * all end on the board of REST. Each reconnects as its library does; a refusal ends it.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createClient, type Transport } from '../../api/clients/typescript/src/index.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { havePython } from '../clients/have-python.ts'
import { openSocket as openOurSocket } from '../clients/open-stream-client.ts'
import { type Service, startService } from '../service.ts'
import { eventually } from './stream-reader.ts'

const token = 'a token of some length'.replaceAll(' ', '-')
const sportsbooks = ['draftkings', 'fanduel', 'betmgm', 'caesars', 'bet365', 'bovada', 'circa']
// OVERROUND_TEST_GAMES=215 makes 75,250 rows.
const eventCount = Number(process.env.OVERROUND_TEST_GAMES ?? 60)
const lineCount = 25
const rowCount = eventCount * sportsbooks.length * lineCount * 2

// ---- the service

let path: string
let port: number
let service: Service
let key: string

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return address.port
}

const start = (early: boolean) =>
  startService({
    early,
    env: {
      OVERROUND_PORT: String(port),
      OVERROUND_HOST: '127.0.0.1',
      OVERROUND_DATA_DIR: path,
      OVERROUND_FEEDS: 'none',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_ADMIN_TOKEN: token,
      OVERROUND_INGEST_TOKEN: token,
    },
  })

const address = () => `http://127.0.0.1:${port}/api/v1`

async function post(route: string, body: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(address() + route, { method: 'POST', headers, body })
  if (response.status >= 300) throw new Error(`${route}: ${await response.text()}`)
  return response
}

// ---- the board

const startsAt = new Date(Date.now() + 6 * 3_600_000).toISOString()

function record(game: number, sportsbook: string, mode: string, markets: object[]): string {
  return JSON.stringify({
    type: 'odds',
    sportsbook,
    mode,
    observed_at: new Date().toISOString(),
    event: {
      sport: 'basketball',
      league: 'NBA',
      home_team: `Home ${game}`,
      away_team: `Away ${game}`,
      start_time: startsAt,
      is_live: false,
    },
    markets,
  })
}

const total = (line: number, over: number, under: number) => ({
  market_type: 'total_points',
  line,
  selections: [
    { selection_type: 'over', odds_decimal: over },
    { selection_type: 'under', odds_decimal: under },
  ],
})

async function fill() {
  for (const sportsbook of sportsbooks) {
    const lines = Array.from({ length: eventCount }, (_, game) =>
      record(
        game,
        sportsbook,
        'snapshot',
        Array.from({ length: lineCount }, (_, i) => total(180.5 + i, 1.9, 1.95)),
      ),
    )
    await post('/ingest', lines.join('\n'))
  }
}

let round = 0

/** Moves prices, removes a line and adds another. */
async function move() {
  round++
  const price = 1.5 + (round % 90) / 100
  const games = [round % eventCount, (7 * round) % eventCount]
  const lines = games.map((game) =>
    record(game, 'draftkings', 'delta', [total(180.5 + (round % lineCount), price, 4 - price)]),
  )
  const left = Array.from({ length: lineCount }, (_, i) => total(180.5 + i + (round % 3), 1.8, 2))
  lines.push(record(round % eventCount, 'circa', 'snapshot', left))
  await post('/ingest', lines.join('\n'))
}

/** Sets a price that marks progress: clients report once they have it, or a later one. */
const mark = (price: number) =>
  post('/ingest', record(0, 'fanduel', 'delta', [total(180.5, price, 1.01)]))

type Said = readonly [mark: number, rows: number, digest: string]

function digestOf(mark: number, prices: ReadonlyMap<string, number>): Said {
  const rows = [...prices].map(([id, price]) => [id, `${id} ${price}`] as const)
  rows.sort(([a], [b]) => (a < b ? -1 : 1))
  const text = rows.map(([, row]) => row).join('\n')
  return [mark, prices.size, createHash('sha256').update(text).digest('hex')]
}

/** Returns the board according to REST. */
async function rest(mark: number): Promise<Said> {
  const prices = new Map<string, number>()
  let cursor = ''
  do {
    const url = `${address()}/odds?limit=200&fields=id,odds_decimal${cursor}`
    const response = await fetch(url, { headers: { 'X-API-Key': key } })
    const { data, pagination } = (await response.json()) as {
      data: { id: string; odds_decimal: number }[]
      pagination: { has_more: boolean; next_cursor: string }
    }
    for (const { id, odds_decimal } of data) prices.set(id, odds_decimal)
    cursor = pagination.has_more ? `&cursor=${encodeURIComponent(pagination.next_cursor)}` : ''
  } while (cursor !== '')
  return digestOf(mark, prices)
}

// ---- clients

interface Client {
  readonly name: string
  /** Returns the client's board, once it has the mark. */
  reported(mark: number): Promise<Said | undefined>
  /** Returns the reason why it gave up; undefined while it runs. */
  ended(): string | undefined
  close(): Promise<unknown> | unknown
}

/** Creates a board by the rules of the interface. Uses nothing from outside: it also runs in a browser. */
function createBoard() {
  let prices = new Map<string, number>()
  let isWhole = false
  let mark = 0
  return {
    // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
    take(name: string, body: any) {
      if (name === 'connected') {
        prices = new Map()
        isWhole = false
      } else if (name === 'snapshot:complete') isWhole = true
      for (const row of body.odds ?? body.data ?? []) {
        prices.set(row.id, row.odds_decimal)
        if (row.odds_decimal >= 500) mark = row.odds_decimal
      }
      if (name === 'odds:removed') for (const id of body.ids) prices.delete(id)
    },
    at: (wanted: number) => (isWhole && mark === wanted ? [...prices] : undefined),
  }
}

const eventNames = ['connected', 'snapshot', 'snapshot:complete', 'odds:update', 'odds:removed']

/** Follows Server-Sent Events. Uses nothing from outside either. */
function followEvents(
  Source: typeof EventSource,
  url: string,
  names: string[],
  board: ReturnType<typeof createBoard>,
) {
  const source = new Source(url)
  for (const name of names) {
    source.addEventListener(name, (event) => board.take(name, JSON.parse(event.data)))
  }
  return source
}

const eventsUrl = () => `${address()}/stream/odds?api_key=${key}`
const framesUrl = () => `${address().replace(/^http/, 'ws')}/ws?channels=odds&api_key=${key}`

const saidBy = (board: ReturnType<typeof createBoard>) => async (wanted: number) => {
  const prices = board.at(wanted)
  return prices && digestOf(wanted, new Map(prices))
}

function openEventSource(): Client {
  const board = createBoard()
  const source = followEvents(EventSource, eventsUrl(), eventNames, board)
  return {
    name: 'eventsource',
    reported: saidBy(board),
    ended: () => (source.readyState === 2 ? 'the stream was refused' : undefined),
    close: () => source.close(),
  }
}

function openSocket(): Client {
  const board = createBoard()
  let end: string | undefined
  let socket: WebSocket
  let isClosed = false
  function connect() {
    socket = new WebSocket(framesUrl())
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'error' && frame.code !== 'service_stopping') end = frame.code
      board.take(frame.type, frame)
    })
    socket.on('unexpected-response', (_, { statusCode }) => {
      end = `answered ${statusCode}`
    })
    socket.on('error', () => {})
    socket.on('close', async () => {
      await delay(200)
      if (!isClosed && end === undefined) connect()
    })
  }
  connect()
  return {
    name: 'ws',
    reported: saidBy(board),
    ended: () => end,
    close() {
      isClosed = true
      socket.terminate()
    },
  }
}

/** Opens our TypeScript client, which resumes and proves its rows. */
function openOurs(transport: Transport): Client {
  let end: string | undefined
  const client = createClient({ base: address(), key, openSocket: openOurSocket })
  const onFailure = ({ code }: { code: string }) => {
    end = code
  }
  const board = client.board({}, { transport, onFailure })
  return {
    name: `ours, ${transport}`,
    async reported(wanted) {
      const rows = [...board.rows.values()]
      const isThere = board.isCurrent() && rows.some((row) => row.odds_decimal === wanted)
      if (!isThere) return undefined
      expect(board.stream.counts).toMatchObject({ gaps: 0, malformed: 0, mismatches: 0, strays: 0 })
      return digestOf(wanted, new Map(rows.map(({ id, odds_decimal }) => [id, odds_decimal])))
    },
    ended: () => end,
    close: () => board.close(),
  }
}

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

async function openBrowser(): Promise<Client> {
  const browser: Browser = await chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage()
  await page.goto(`${address()}/livez`)
  await page.evaluate(
    `window.board = (${createBoard})(); window.source = (${followEvents})(EventSource, ${JSON.stringify(eventsUrl())}, ${JSON.stringify(eventNames)}, board)`,
  )
  let state = 0
  return {
    name: 'chromium',
    async reported(wanted) {
      state = (await page.evaluate('source.readyState')) as number
      const prices = await page.evaluate(`board.at(${wanted})`)
      return prices ? digestOf(wanted, new Map(prices as [string, number][])) : undefined
    },
    ended: () => (state === 2 ? 'the stream was refused' : undefined),
    close: () => browser.close(),
  }
}

const pythonPackages = [
  'httpx-sse==0.4.3',
  'httpx==0.28.1',
  'requests==2.34.2',
  'sseclient==0.0.27',
  'websockets==17.4',
]

const pythonClients = [
  'overround, sse',
  'overround, websocket',
  'overround, asyncio, sse',
  'overround, asyncio, websocket',
  'httpx-sse',
  'sseclient',
  'websockets',
]

function openPython(interpreter: string, library: string): Client {
  const script = join(projectRoot, 'test', 'api', 'python', 'reconnecting.py')
  const url = library === 'websockets' ? framesUrl() : eventsUrl()
  const child: ChildProcess = spawn(interpreter, ['-W', 'ignore', script, library, url], {
    env: { ...process.env, PYTHONPATH: join(projectRoot, 'api', 'clients', 'python', 'src') },
  })
  const reported = new Map<number, Said>()
  let errors = ''
  createInterface({ input: child.stdout! }).on('line', (line) => {
    // The last line may be incomplete.
    if (!line.endsWith(']')) return
    const of = JSON.parse(line) as Said
    reported.set(of[0], of)
  })
  child.stderr!.on('data', (text) => {
    errors += text
  })
  return {
    name: library,
    reported: async (wanted) => reported.get(wanted),
    ended: () => (child.exitCode === null ? undefined : errors.slice(-300)),
    close: () => child.kill('SIGKILL'),
  }
}

// ---- the test

const clients: Client[] = []
const interpreter = await havePython(pythonPackages)

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'overround-restarts-'))
  port = await freePort()
  service = await start(false)
  const made = await post('/admin/accounts', JSON.stringify({ name: 'a', tier: 'enterprise' }))
  key = /sk_live_[\w-]+/.exec(await made.text())![0]
  await fill()
  await eventually('the board', async () => (await rest(0))[1] === rowCount)
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await service.kill()
  await rm(path, { recursive: true })
})

/** Waits until every client has REST's board with this as the last moved price. */
async function allAt(price: number) {
  await mark(price)
  let shown: Said | undefined
  for (const client of clients) {
    const { name, reported, ended } = client
    let last: Said | undefined
    const isThere = async () => {
      last = await reported(price)
      const why = ended()
      if (why !== undefined) throw new Error(`${name} has ended: ${why}`)
      if (last === undefined) return false
      shown ??= await rest(price)
      return last[2] === shown[2]
    }
    const never = (error: Error) => {
      throw new Error(`${name} has ${last?.[1]} rows, REST ${shown?.[1]}`, { cause: error })
    }
    await eventually(`${name} at ${price}`, isThere).catch(never)
  }
}

it(`lives through restarts with its own clients, with eventsource and ws, with Chromium${executablePath ? '' : ' (not here)'} and with Python's httpx-sse, sseclient and websockets${interpreter ? '' : ' (not here)'}`, async () => {
  clients.push(openEventSource(), openSocket(), openOurs('sse'), openOurs('websocket'))
  if (executablePath) clients.push(await openBrowser())
  if (interpreter) {
    for (const library of pythonClients) clients.push(openPython(interpreter, library))
  }
  await allAt(501)
  const before = await rest(501)
  expect(before[1]).toBe(rowCount)
  for (const [i, end] of (['kill', 'stop'] as const).entries()) {
    for (let i = 0; i < 10; i++) await move()
    const [moved] = await Promise.allSettled([move(), service[end]()])
    expect(['fulfilled', 'rejected']).toContain(moved.status)
    service = await start(false)
    await move()
    await allAt(502 + i)
  }
  expect(await rest(501)).not.toEqual(before)
})
