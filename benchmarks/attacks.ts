/**
 * How much one account can slow down everybody else on a board of a million prices: measures `/health` every ten
 * milliseconds while the account sends the most expensive requests that its limits allow.
 *
 *     node build/benchmarks/attacks.js <directory made by million-rows.js> [seconds=15] [attack ...]
 *
 * Attacks: `low_hold` (pro, five a second, each with other filters), `filters` and `opportunities` (enterprise, ten
 * WebSockets that change their filters every second), `proofs` (fifty, each with its own filter).
 */

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Tier } from '../schemas/reference/tier-books.ts'
import { option } from './options.ts'
import type { ServedBoard } from './rest-server.ts'

const changesPerSecond = 1_000
const probeEveryMs = 10
const books = ['draftkings', 'fanduel', 'betmgm', 'caesars', 'betrivers', 'bet365']

const [, , path, ...words] = process.argv
if (!path) throw new Error('usage: attacks.js <directory> [seconds=15] [attack ...]')
const seconds = Number(option('seconds') ?? 15)

interface Attack {
  readonly tier: Tier
  run(served: ServedBoard): Promise<void>
}

const attacks: Readonly<Record<string, Attack>> = {
  low_hold: { tier: 'pro', run: askLowHolds },
  filters: { tier: 'enterprise', run: (served) => changeFilters(served, ['odds']) },
  opportunities: {
    tier: 'enterprise',
    run: (served) => changeFilters(served, ['ev', 'low_hold', 'middles']),
  },
  proofs: { tier: 'enterprise', run: askProofs },
}

const chosen = words.filter((word) => Object.hasOwn(attacks, word))
for (const name of chosen.length > 0 ? chosen : Object.keys(attacks)) {
  const { tier, run } = attacks[name]!
  const accounts = await mkdtemp(join(tmpdir(), 'overround-attacks-'))
  const server = fork(
    new URL('./rest-server.js', import.meta.url),
    [path, accounts, 'moving', tier],
    {
      execArgv: ['--max-old-space-size=8192'],
    },
  )
  const served = (await answerOf(server)) as ServedBoard
  server.send({ changesPerSecond })
  await answerOf(server)
  const stop = new AbortController()
  const waits = probe(served.port, stop.signal)
  await run(served)
  stop.abort()
  const sorted = (await waits).toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1)
  console.log(
    `${name}: /health p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms of ${sorted.length}`,
  )
  server.disconnect()
  await rm(accounts, { recursive: true })
}
process.exit(0)

function answerOf(server: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    server.once('message', resolve)
    server.once('exit', () => reject(new Error('the server has ended')))
  })
}

async function probe(port: number, signal: AbortSignal): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const waits: number[] = []
  while (!signal.aborted) {
    const from = performance.now()
    await request({ port, path: '/health', agent })
    waits.push(performance.now() - from)
    await delay(probeEveryMs)
  }
  return waits
}

function request(options: object): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...options }, (response) => {
      response.resume()
      response.on('end', resolve)
    }).on('error', reject)
  })
}

async function askLowHolds({ port, key }: ServedBoard) {
  const headers = { 'X-API-Key': key }
  const under: Promise<void>[] = []
  for (let i = 0; i < 5 * seconds; i++) {
    const filters = `limit=200&sportsbook=${books[i % books.length]}&max_hold=${5 + (i % 500) / 100}`
    under.push(request({ port, headers, path: `/api/v1/opportunities/low_hold?${filters}` }))
    await delay(200)
  }
  await Promise.all(under)
}

async function changeFilters({ port, key }: ServedBoard, channels: readonly string[]) {
  const sockets = Array.from({ length: 10 }, () =>
    listen(`ws://127.0.0.1:${port}/ws?channels=${channels}&api_key=${key}`),
  )
  for (let second = 0; second < seconds; second++) {
    await delay(1_000)
    sockets.forEach((socket, i) => {
      if (socket.readyState !== WebSocket.OPEN) return
      const sportsbook = [books[second % books.length], books[(second + 2) % books.length]]
      const filters = { min_odds: 100 + 50 * i + second, sportsbook }
      socket.send(JSON.stringify({ type: 'filter', filters }))
    })
  }
  for (const socket of sockets) socket.terminate()
}

async function askProofs({ port, key }: ServedBoard) {
  const sockets = Array.from({ length: 50 }, (_, i) =>
    listen(
      `ws://127.0.0.1:${port}/ws?channels=odds&proof=true&heartbeat_seconds=5&min_odds=${100 + i}&api_key=${key}`,
    ),
  )
  await delay(1_000 * seconds)
  for (const socket of sockets) socket.terminate()
}

function listen(url: string): WebSocket {
  const socket = new WebSocket(url)
  // Reads everything. A refused socket just ends.
  socket.on('message', () => {})
  socket.on('error', () => {})
  return socket
}
