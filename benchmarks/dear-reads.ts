/**
 * How much an expensive read slows down everybody else on a board of a million prices: the most CPU time in one turn of
 * the server's event loop, and the longest wait of `/health`, requested continuously. Other work on the machine affects
 * the wait but hardly the CPU time.
 *
 *     node build/benchmarks/dear-reads.js <directory made by million-rows.js> [rounds=5] [part of a name ...]
 */

import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { option } from './options.ts'
import type { LongestTurn, ServedBoard } from './rest-server.ts'

const [, , path, ...words] = process.argv
if (!path) throw new Error('usage: dear-reads.js <directory> [rounds=5] [part of a name ...]')
const rounds = Number(option('rounds') ?? 5)
const parts = words.filter((word) => !word.includes('='))

interface Read {
  readonly path: string
  readonly body?: unknown
}

const accounts = await mkdtemp(join(tmpdir(), 'overround-dear-reads-'))
const server = fork(
  new URL('./rest-server.js', import.meta.url),
  [path, accounts, 'moving', 'enterprise'],
  {
    execArgv: ['--max-old-space-size=8192'],
  },
)
const served = await new Promise<ServedBoard>((resolve, reject) => {
  server.once('message', (message) => resolve(message as ServedBoard))
  server.once('exit', () => reject(new Error('the server has ended')))
})

const agent = new Agent({ keepAlive: true })
const headers = { 'X-API-Key': served.key }
const since = await serverTime()
// Makes changes for `/odds/delta`.
server.send({ changesPerSecond: 20_000 })
await delay(5_000)
server.send({ changesPerSecond: 0 })
await delay(1_000)
console.log(
  `${served.rows} prices; longest turn of the loop, longest wait of others and the whole answer, ms, median and worst of ${rounds}`,
)

for (const [name, read] of Object.entries(await reads())) {
  if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue
  const turns: number[] = []
  const waits: number[] = []
  const answers: number[] = []
  let about = ''
  for (let round = 0; round < rounds; round++) {
    // Changes prices, so that no response comes from a cache.
    server.send({ changesPerSecond: 1_000 })
    await delay(100)
    server.send({ changesPerSecond: 0 })
    await delay(50)
    const quiet = new AbortController()
    server.send({ measuresTurns: true })
    const longest = probe(quiet.signal)
    await delay(20)
    const { status, bytes, text, tookMs } = await sendWithinBudget(read)
    answers.push(tookMs)
    await delay(5)
    quiet.abort()
    waits.push(await longest)
    turns.push(await longestTurn())
    about =
      status === 200 && bytes > 1_000 ? `${(bytes / 1_000).toFixed(0)} KB` : text.slice(0, 200)
    await delay(200)
  }
  console.log(`| ${name} | ${shown(turns)} | ${shown(waits)} | ${shown(answers)} | ${about} |`)
}
server.disconnect()
await rm(accounts, { recursive: true })
process.exit(0)

function shown(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b)
  return `${sorted[sorted.length >> 1]!.toFixed(0)}, ${sorted.at(-1)!.toFixed(0)}`
}

/** Returns the server time, which is that of the log's newest prices. */
async function serverTime(): Promise<string> {
  const { text } = await send({ path: '/api/v1/odds/delta?limit=1&since=2100-01-01' }, headers)
  return encodeURIComponent(JSON.parse(text).meta.server_time)
}

async function reads(): Promise<Record<string, Read>> {
  const { league } = served.leagues[0]!
  const books = served.sportsbooks.join(',')
  const odds = (question: string): Read => ({ path: `/api/v1/odds?limit=200&${question}` })
  const deltas = (from: string, since: string) =>
    Object.fromEntries(
      [
        ['', ''],
        [', main lines', '&is_main_line=true'],
        [', not main lines', '&is_main_line=false'],
        [', min_odds', '&min_odds=150&max_odds=900'],
        [', sort', '&sort=-odds_american'],
        [', sportsbooks, not live', `&sportsbook=${books}&live=false`],
        [', team', '&team=lakers'],
      ].map(([filter, question]) => [
        `delta since ${from}${filter}`,
        { path: `/api/v1/odds/delta?limit=500&since=${since}${question}` },
      ]),
    )
  const list = (kind: string, question: string): Read => ({
    path: `/api/v1/opportunities/${kind}?limit=200&${question}`,
  })
  const tool = (name: string, input: object): Read => ({
    path: '/api/v1/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
  })
  const sorts = [
    'odds_american',
    '-odds_decimal',
    'event_start_time',
    '-last_seen_at',
    'sportsbook',
    'league',
  ]
  return {
    'odds, no filters': odds(''),
    ...Object.fromEntries(sorts.map((sort) => [`odds, sort=${sort}`, odds(`sort=${sort}`)])),
    'odds, sort, sportsbooks': odds(`sort=-odds_american&sportsbook=${books}`),
    'odds, sort, min_odds': odds('sort=-odds_american&min_odds=150&max_odds=900'),
    'odds, main lines': odds('is_main_line=true'),
    'odds, main lines, sort': odds('is_main_line=true&sort=-odds_american'),
    'odds, not main lines, sort': odds('is_main_line=false&sort=odds_decimal'),
    'odds, min_odds': odds('min_odds=2000'),
    'odds, q': odds('q=united'),
    'odds, team': odds('team=lakers'),
    'odds, group_by': odds('group_by=event&offset=500'),
    ...deltas('before the board', '2026-01-01'),
    ...deltas('100,000 changes', since),
    'batch of 50': { path: '/api/v1/odds/batch', body: { event_ids: served.events.slice(0, 50) } },
    best: { path: '/api/v1/odds/best?limit=200' },
    'best, offset 500': { path: '/api/v1/odds/best?limit=200&offset=500' },
    'best, league, sportsbooks': {
      path: `/api/v1/odds/best?limit=200&league=${league}&sportsbook=${books}`,
    },
    'best, deep cursor': { path: await deepBest() },
    'best, sort': { path: '/api/v1/odds/best?limit=200&sort=-odds_american' },
    comparison: { path: `/api/v1/odds/comparison?event_id=${served.events[0]}` },
    events: { path: '/api/v1/events?limit=200' },
    'events, q': { path: '/api/v1/events?limit=200&q=united' },
    'event odds': { path: `/api/v1/events/${served.events[0]}/odds` },
    markets: { path: '/api/v1/markets' },
    leagues: { path: '/api/v1/leagues' },
    sportsbooks: { path: '/api/v1/sportsbooks' },
    teams: { path: '/api/v1/teams' },
    ev: list('ev', ''),
    'ev, sportsbook': list('ev', 'sportsbook=draftkings&min_ev=0.5'),
    'ev, sort': list('ev', 'sort=-odds'),
    arbitrage: list('arbitrage', ''),
    middles: list('middles', ''),
    'middles, sportsbook': list('middles', 'sportsbook=draftkings'),
    low_hold: list('low_hold', ''),
    'low_hold, sportsbook': list('low_hold', 'sportsbook=draftkings'),
    'low_hold, sportsbooks': list('low_hold', `sportsbook=${books}&max_hold=9`),
    'tool get_odds': tool('get_odds', { limit: 50 }),
    'tool find_low_hold': tool('find_low_hold', {}),
    'tool find_middles': tool('find_middles', {}),
    'tool get_best_odds': tool('get_best_odds', { league }),
    'tool get_events': tool('get_events', {}),
  }
}

/** Returns the path of a page deep in the list. */
async function deepBest(): Promise<string> {
  let path = '/api/v1/odds/best?limit=200'
  for (let page = 0; page < 40; page++) {
    const { text } = await send({ path }, headers)
    const { pagination } = JSON.parse(text)
    if (!pagination?.next_cursor) break
    path = `/api/v1/odds/best?limit=200&cursor=${encodeURIComponent(pagination.next_cursor)}`
  }
  return path
}

/** Repeats the read when the account has CPU budget again. */
async function sendWithinBudget(read: Read) {
  for (;;) {
    const from = performance.now()
    const answer = await send(read, headers)
    const seconds = /have taken more time .* again in (\d+) s/.exec(answer.text)?.[1]
    if (!seconds) return { ...answer, tookMs: performance.now() - from }
    await delay(1_000 * Number(seconds))
  }
}

function longestTurn(): Promise<number> {
  return new Promise((resolve) => {
    server.on('message', function take(message: object) {
      if (!('longestTurnMs' in message)) return
      server.off('message', take)
      resolve((message as LongestTurn).longestTurnMs)
    })
    server.send({ measuresTurns: false })
  })
}

async function probe(signal: AbortSignal): Promise<number> {
  let longest = 0
  while (!signal.aborted) {
    const from = performance.now()
    await send({ path: '/health' }, {})
    longest = Math.max(longest, performance.now() - from)
  }
  return longest
}

function send({ path: target, body }: Read, headers: Record<string, string>) {
  return new Promise<{ status: number; bytes: number; text: string }>((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const type = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    const sent = request(
      {
        host: '127.0.0.1',
        port: served.port,
        path: target,
        method,
        agent,
        headers: { ...headers, ...(body !== undefined && type) },
      },
      (response) => {
        // Large bodies are only counted, because keeping them would slow down the probe in this process.
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes < 1_000_000) chunks.push(chunk)
        })
        response.on('end', () => {
          resolve({ status: response.statusCode!, bytes, text: Buffer.concat(chunks).toString() })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
