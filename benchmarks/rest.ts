/**
 * REST over a board of a million prices, with keys and all headers, compared with a static page (`rest-static.ts`)
 * and with common ways to build the same.
 *
 *     node build/benchmarks/rest.js <directory made by million-rows.js> [rounds=5] [seconds=2] [only=text]
 *
 * Needs `wrk`, and `redis-server` for the common ways. All servers run from the beginning, on core 0; wrk (one
 * thread) and Redis run on core 1. Variants alternate, A B C then C B A; first all rounds with 32 connections, then
 * all with 256. Each response is checked before it is timed. Figures are medians over rounds. A ratio is the median
 * of the rounds' ratios to a static page as long as the median response of its kind (prices, best, comparison,
 * events). `CPU` is user and system time of all threads of the server, including price changes.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { median, printResults, type Result, range, rounded } from './measure.ts'
import { option } from './options.ts'
import { cpuSeconds, hasCommand, pin, type Started, start } from './processes.ts'
import type { Applied, LeagueMarket, Order, ServedBoard } from './rest-server.ts'

const [, , path] = process.argv
if (!path) throw new Error('usage: rest.js <directory> [rounds=5] [seconds=2] [only=text]')
const rounds = Number(option('rounds') ?? 5)
const seconds = Number(option('seconds') ?? 2)
const only = option('only')
const connectionCounts = [32, 256] as const
const pageRows = 50
const popularCount = 20
const changesPerSecond = 50_000
const loadCore = 1

if (!hasCommand('wrk')) {
  console.error('wrk is not there: the REST figures are skipped (apt-get install wrk)')
  printResults([])
  process.exit(0)
}
const hasRedis = hasCommand('redis-server')
if (!hasRedis) {
  console.error(
    'redis-server is not there: "Fastify + Redis" and "Express + Redis" are skipped (apt-get install redis-server)',
  )
}
const hasTaskset = hasCommand('taskset')
const serverCore = hasTaskset ? 0 : null

interface Running {
  readonly pid: number
  readonly port: number
}

interface Query {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

type Page = 'prices' | 'best' | 'comparison' | 'events'

interface Variant {
  readonly name: string
  /** The goal of its rate, as a multiple of the static page's; absent without a goal. */
  readonly goal?: number | undefined
  /** The kind whose static page it is compared with. */
  readonly page: Page
  readonly server: Running
  readonly queries: readonly Query[]
  readonly status?: 200 | 304
  /** Number of items in every response. */
  readonly items?: number | undefined
  /** Whether prices change in the server meanwhile. */
  readonly isMoving?: boolean
  /** A process whose CPU counts too. */
  readonly helper?: Running
}

interface Measured {
  readonly perSecond: number
  readonly cpuMicros: number
  readonly helperMicros: number
  readonly p50: number
  readonly p99: number
  readonly changesPerSecond: number
}

const workDir = mkdtempSync(join(tmpdir(), 'overround-rest-'))
const servers: Started<unknown>[] = []
process.once('exit', () => rmSync(workDir, { recursive: true, force: true }))
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))

// ---- variants

const [served, plansOnly, changing] = await Promise.all([
  serve<ServedBoard>('rest-server.js', [path, join(workDir, 'served')]),
  serve<ServedBoard>('rest-server.js', [path, join(workDir, 'plans-only'), 'plans-only']),
  serve<ServedBoard>('rest-server.js', [path, join(workDir, 'moving'), 'moving']),
])
const board = served.ready
const headers = { 'X-API-Key': board.key }
const plansHeaders = { 'X-API-Key': plansOnly.ready.key }
const popular = board.leagueMarkets.slice(0, popularCount)
const filteredPath = ({ league, market }: LeagueMarket) =>
  `/api/v1/odds?league=${league}&market=${market}&sportsbook=${board.sportsbooks.join()}`
const largeLeagues = board.leagues.filter(({ rows }) => rows >= pageRows * board.allSportsbooks)
const eventPages = Math.floor(board.eventCount / pageRows)
const paths = {
  league: board.leagues.map(({ league }) => `/api/v1/odds?league=${league}`),
  popular: popular.map(filteredPath),
  uniform: board.leagueMarkets.map(filteredPath),
  mainLine: popular.map((page) => `${filteredPath(page)}&is_main_line=true`),
  best: largeLeagues.map(({ league }) => `/api/v1/odds/best?league=${league}`),
  comparison: board.events.map((id) => `/api/v1/odds/comparison?event=${id}`),
  events: Array.from({ length: eventPages }, (_, i) => `/api/v1/events?offset=${i * pageRows}`),
}
console.error(
  `${board.rows.toLocaleString('en')} rows, ${board.eventCount} events, ${paths.league.length} leagues and ${paths.uniform.length} league-markets of ${pageRows} rows or more, ${board.sportsbooks.length} of ${board.allSportsbooks} sportsbooks`,
)

const popularName = `filtered page, ${popularCount} popular league-markets`
const moving = `${changesPerSecond.toLocaleString('en')} changes/s`
const variants: Variant[] = [
  ...both({ name: 'league page', goal: 0.85, page: 'prices', items: pageRows }, paths.league),
  ...both({ name: popularName, goal: 0.7, page: 'prices', items: pageRows }, paths.popular),
  ...both(
    { name: 'filtered page, any league-market', goal: 0.4, page: 'prices', items: pageRows },
    paths.uniform,
  ),
  ...both({ name: 'filtered page, popular, main lines alone', page: 'prices' }, paths.mainLine),
  {
    name: 'the same filtered page again',
    goal: 0.9,
    page: 'prices',
    server: served,
    queries: queriesOf(paths.popular.slice(0, 1)),
    items: pageRows,
  },
  {
    name: '304 for a popular filtered page',
    goal: 1.2,
    page: 'prices',
    server: served,
    queries: queriesOf(paths.popular),
    status: 304,
  },
  ...both({ name: '/odds/best, a league', goal: 0.3, page: 'best', items: pageRows }, paths.best),
  ...both({ name: '/odds/comparison, an event', goal: 0.3, page: 'comparison' }, paths.comparison),
  ...both({ name: '/events, 50 of all', goal: 0.3, page: 'events', items: pageRows }, paths.events),
  {
    name: `filtered page, popular, ${moving}`,
    goal: 0.6,
    page: 'prices',
    server: changing,
    queries: queriesOf(paths.popular, { 'X-API-Key': changing.ready.key }),
    items: pageRows,
    isMoving: true,
  },
]
if (hasRedis) variants.push(...(await usualWays()))
const chosen = only ? variants.filter(({ name }) => name.includes(only)) : variants

/** Returns the variant as served, and without cached bodies. */
function both(
  of: Pick<Variant, 'name' | 'goal' | 'page' | 'items'>,
  urls: readonly string[],
): Variant[] {
  return [
    { ...of, server: served, queries: queriesOf(urls) },
    {
      ...of,
      name: `${of.name}; no body kept`,
      server: plansOnly,
      queries: queriesOf(urls, plansHeaders),
    },
  ]
}

const sizes = new Map<Page, number>()
for (const variant of chosen) {
  const bytes = await checked(variant)
  if (!sizes.has(variant.page) && variant.status !== 304) sizes.set(variant.page, bytes)
}
if (!sizes.has('prices')) sizes.set('prices', await checked(variants[0]!))

const bytesOf = [...sizes.values()]
const still = await serve<{ port: number }>('rest-static.js', bytesOf.map(String))
const within = { ...changing, port: await openStaticWithin(bytesOf) }
const statics = new Map<string, Variant>()
const staticKey = ({ page, isMoving }: Variant) => (isMoving ? `${page}, ${moving}` : page)
for (const variant of chosen) {
  const { page, isMoving } = variant
  const key = staticKey(variant)
  const bytes = sizes.get(page)!
  const size = `${bytes.toLocaleString('en')} bytes${isMoving ? `, ${moving}` : ''}`
  statics.set(key, {
    name: `static page of ${size}`,
    page,
    server: isMoving ? within : still,
    queries: queriesOf([`/static/${bytes}`]),
    ...(isMoving && { isMoving }),
  })
}
const all = [...statics.values(), ...chosen]

// ---- rounds

const measured = new Map<Variant, Map<number, Measured[]>>()
for (const variant of all) {
  measured.set(variant, new Map(connectionCounts.map((count) => [count, []])))
  await measure(variant, connectionCounts[0], 1)
}
for (const connections of connectionCounts) {
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? all : all.toReversed()) {
      measured
        .get(variant)!
        .get(connections)!
        .push(await measure(variant, connections, seconds))
    }
    console.error(`${connections} connections, round ${round + 1} of ${rounds}`)
  }
}
for (const variant of chosen) await checked(variant)

const results = [...statics.values(), ...chosen].map(resultOf)
const fastify = chosen.find(({ name }) => name.startsWith('Fastify'))
const express = chosen.find(({ name }) => name.startsWith('Express'))
for (const [name, other, goal] of [
  ['Fastify + Redis, ready pages', fastify, 2.5],
  ['Express + Redis, 50 rows parsed and written', express, 20],
] as const) {
  if (other) results.push(...against(name, other, goal))
}
table(results)
// Servers write until they end, so their directories are removed only then.
await Promise.all(servers.map(({ close }) => close()))
printResults(results)
process.exit(0)

function figure(variant: Variant, connections: number, figureOf: (measured: Measured) => number) {
  return median(measured.get(variant)!.get(connections)!.map(figureOf))
}

/** Returns the median over rounds of the ratio of two variants' figures in the same round. */
function ratio(variant: Variant, to: Variant, figureOf: (measured: Measured) => number): number {
  const [few] = connectionCounts
  const others = measured.get(to)!.get(few)!
  return median(
    measured
      .get(variant)!
      .get(few)!
      .map((one, round) => figureOf(one) / figureOf(others[round]!)),
  )
}

function resultOf(variant: Variant): Result {
  const [few, many] = connectionCounts
  const to = statics.get(staticKey(variant))!
  const isStatic = to === variant
  const perSecond = measured
    .get(variant)!
    .get(few)!
    .map((one) => one.perSecond)
  const figures: Record<string, number | string> = {
    'req/s': rounded(median(perSecond)),
    'min..max': range(perSecond),
    'CPU us': rounded(
      figure(variant, few, (one) => one.cpuMicros),
      1,
    ),
    ...(variant.helper && {
      'Redis CPU us': rounded(
        figure(variant, few, (one) => one.helperMicros),
        1,
      ),
    }),
    ...(!isStatic && {
      'CPU ratio': rounded(1 / ratio(variant, to, (one) => one.cpuMicros), 2),
    }),
    ...Object.fromEntries(
      [few, many].map((connections) => [
        `p50/p99 ms at ${connections}`,
        `${rounded(
          figure(variant, connections, (one) => one.p50),
          2,
        )}/${rounded(
          figure(variant, connections, (one) => one.p99),
          1,
        )}`,
      ]),
    ),
    [`req/s at ${many}`]: rounded(figure(variant, many, (one) => one.perSecond)),
    ...(variant.isMoving && {
      'changes/s': rounded(figure(variant, few, (one) => one.changesPerSecond)),
    }),
  }
  return {
    name: `REST, ${variant.name}`,
    unit: 'x static',
    value: isStatic
      ? 1
      : rounded(
          ratio(variant, to, (one) => one.perSecond),
          2,
        ),
    figures,
    goal: variant.goal === undefined ? '' : `>= ${variant.goal}`,
  }
}

/** Returns ratios of our popular filtered page, as served and without cached bodies, to another server's. */
function against(name: string, other: Variant, goal: number): Result[] {
  return chosen
    .filter((variant) => variant.name.startsWith(popularName))
    .map((variant) => ({
      name: `REST, ${variant.name}, against ${name}`,
      unit: 'x',
      value: rounded(
        ratio(variant, other, (one) => one.perSecond),
        1,
      ),
      figures: {
        'CPU ratio': rounded(1 / ratio(variant, other, (one) => one.cpuMicros), 1),
      },
      goal: `>= ${goal}`,
    }))
}

function table(of: readonly Result[]) {
  for (const { name, value, unit, goal, figures } of of) {
    const further = Object.entries(figures).map(([what, is]) => `${what} ${is}`)
    console.error(`${value.toFixed(2)} ${unit} (${goal})\t${name}\t${further.join(', ')}`)
  }
}

// ---- requests

function queriesOf(
  of: readonly string[],
  sent: Readonly<Record<string, string>> = headers,
): Query[] {
  return of.map((url) => ({ path: url, headers: sent }))
}

/** Returns the variant's queries with current ETags. */
async function current({ server, queries: of, status }: Variant): Promise<readonly Query[]> {
  if (status !== 304) return of
  return Promise.all(
    of.map(async (query) => {
      const answer = await fetch(urlOf(server, query), { headers: query.headers })
      await answer.arrayBuffer()
      return {
        ...query,
        headers: { ...query.headers, 'If-None-Match': answer.headers.get('etag')! },
      }
    }),
  )
}

function urlOf({ port }: Running, query: Query): string {
  return `http://127.0.0.1:${port}${query.path}`
}

/**
 * @returns the median size of the bodies
 * @throws Error for a wrong response
 */
async function checked(variant: Variant): Promise<number> {
  const { name, server, status = 200, items } = variant
  const bytes: number[] = []
  for (const query of await current(variant)) {
    const answer = await fetch(urlOf(server, query), { headers: query.headers })
    const text = await answer.text()
    bytes.push(Buffer.byteLength(text))
    if (answer.status !== status) {
      throw new Error(`${name}: ${query.path} answers ${answer.status} ${text.slice(0, 200)}`)
    }
    if (status === 304) continue
    const { data } = JSON.parse(text) as { data: unknown }
    const count = Array.isArray(data) ? data.length : Number(data !== undefined)
    if (count === 0 || (items !== undefined && count !== items)) {
      throw new Error(`${name}: ${query.path} has ${count} items, not ${items ?? 'some'}`)
    }
  }
  return median(bytes)
}

async function measure(
  variant: Variant,
  connections: number,
  forSeconds: number,
): Promise<Measured> {
  const { server, helper, isMoving } = variant
  if (isMoving) await order({ changesPerSecond })
  const before = cpuSeconds(server.pid)
  const helperBefore = helper ? cpuSeconds(helper.pid) : 0
  const summary = await wrk(variant, connections, forSeconds)
  const cpu = cpuSeconds(server.pid) - before
  const helperCpu = helper ? cpuSeconds(helper.pid) - helperBefore : 0
  const applied = isMoving
    ? await order<Applied>({ changesPerSecond: 0 })
    : { changes: 0, seconds: 1 }
  if (summary.refused > 0) throw new Error(`${variant.name}: ${summary.refused} requests refused`)
  if (summary.lost > 0) console.error(`${variant.name}: ${summary.lost} requests were lost`)
  return {
    perSecond: summary.requests / (summary.microseconds / 1e6),
    cpuMicros: (1e6 * cpu) / summary.requests,
    helperMicros: (1e6 * helperCpu) / summary.requests,
    p50: summary.p50 / 1_000,
    p99: summary.p99 / 1_000,
    changesPerSecond: applied.changes / applied.seconds,
  }
}

interface Summary {
  readonly requests: number
  readonly microseconds: number
  /** Responses with a status of 400 or above. */
  readonly refused: number
  /** Requests without a response in time. */
  readonly lost: number
  /** Microseconds. */
  readonly p50: number
  readonly p99: number
}

/** Runs wrk with a script that sends the requests in scattered order. */
async function wrk(variant: Variant, connections: number, forSeconds: number): Promise<Summary> {
  const script = join(workDir, 'requests.lua')
  writeFileSync(script, luaOf(await current(variant)))
  const args = ['-t1', `-c${connections}`, `-d${forSeconds}s`, '--timeout', '10s', '-s', script]
  const url = `http://127.0.0.1:${variant.server.port}`
  const pinned = hasTaskset ? ['taskset', '-c', String(loadCore)] : []
  const [command, ...rest] = [...pinned, 'wrk', ...args, url]
  const child = spawn(command!, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const text of child.stdout) output += text
  const line = output.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Error(`${variant.name}: wrk says ${output}`)
  return JSON.parse(line) as Summary
}

function luaOf(of: readonly Query[]): string {
  // A step that is coprime to the count visits each once.
  const shuffled = of.map((_, i) => of[(i * 7_919) % of.length]!)
  const quoted = (text: string) => JSON.stringify(text)
  const formatted = shuffled.map(({ path: url, headers: sent }) => {
    const lines = Object.entries(sent).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`)
    return `wrk.format("GET", ${quoted(url)}, {Host="localhost", ${lines.join(', ')}})`
  })
  return `
local requests = {}
local at = 0
init = function()
${formatted.map((text) => `  requests[#requests + 1] = ${text}`).join('\n')}
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"microseconds":%d,"refused":%d,"lost":%d,"p50":%f,"p99":%f}\\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`
}

// ---- servers

async function serve<Ready extends { readonly port: number }>(
  file: string,
  args: readonly string[],
): Promise<Running & { readonly ready: Ready; readonly started: Started<Ready> }> {
  const started = await start<Ready>(file, args, serverCore)
  servers.push(started)
  const { pid, ready } = started
  return { pid, port: ready.port, ready: ready, started }
}

function order<Answer>(message: Order): Promise<Answer> {
  return changing.started.order(message)
}

async function openStaticWithin(of: readonly number[]): Promise<number> {
  const { port } = await order<{ port: number }>({ static: of })
  return port
}

/** Opens Fastify and Express with the popular filtered pages in a Redis. */
async function usualWays(): Promise<Variant[]> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', workDir]
  const redis = spawn('redis-server', args, { stdio: 'ignore' })
  process.once('exit', () => redis.kill('SIGKILL'))
  const client = new Redis(port, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  // It listens after a moment.
  client.on('error', () => {})
  await client.ping()
  for (const of of popular) {
    const answer = await fetch(urlOf(served, { path: filteredPath(of), headers }), { headers })
    const text = await answer.text()
    const { data, ...rest } = JSON.parse(text) as { data: { id: string }[] }
    const name = `${of.league}:${of.market}`
    await client.set(`page:${name}`, text)
    await client.set(`rest:${name}`, JSON.stringify(rest))
    for (const row of data) {
      await client.set(`row:${row.id}`, JSON.stringify(row))
      await client.rpush(`ids:${name}`, row.id)
    }
  }
  await client.quit()
  const helper = { pid: redis.pid!, port }
  const fastifyServer = await serve<{ port: number }>('rest-fastify-redis.js', [String(port)])
  const expressServer = await serve<{ port: number }>('rest-express-redis.js', [String(port)])
  if (hasTaskset) pin(helper.pid, loadCore)
  const same = {
    page: 'prices' as const,
    queries: queriesOf(paths.popular),
    items: pageRows,
    helper,
  }
  return [
    { ...same, name: 'Fastify + Redis, the popular filtered pages ready', server: fastifyServer },
    { ...same, name: 'Express + Redis MGET, the popular filtered pages', server: expressServer },
  ]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  await delay(10)
  return port
}
