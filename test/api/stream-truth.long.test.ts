/**
 * Clients of both transports under a market with thousands of moves a second. They lose connections, read slowly and
 * change their queries. Whenever the market pauses, each has exactly REST's rows for its filter and tier, and was sent
 * nothing twice.
 *
 * STREAM_TRUTH_SECONDS makes it longer.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import { boardProcessor } from '../../pipeline/processors/service-processor.ts'
import type { AddOn } from '../../schemas/account.ts'
import { attributes } from '../../schemas/attributes.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import {
  type Channel,
  type Family,
  families,
  openStreamClient,
  type StreamClient,
  type StreamCounts,
  type StreamFilters,
  type Transport,
} from '../clients/open-stream-client.ts'
import { byRow } from '../oracle/memory.ts'
import { patienceMs } from '../patience.ts'
import { testSeed } from '../seed.ts'
import { fillBoard, withdrawLiveGame } from './filled-board.ts'
import { createMovingMarket, type MovingMarket } from './moving-market.ts'
import { type InProcess, oddsRecord, type Quote, startInProcess } from './service-in-process.ts'
import { openProxy } from './tcp-proxy.ts'

const seconds = Number(process.env.STREAM_TRUTH_SECONDS ?? 3)
const stepMs = 50

interface Watcher {
  readonly tier: Tier
  readonly transport: Transport
  readonly channels: readonly Channel[]
  readonly filters: StreamFilters
}

const odds: readonly Channel[] = ['odds']
const all: readonly Channel[] = ['odds', ...families]

/** In a filter `event` stands for the id of an event on the board, `today` for the date. */
const watchers: readonly Watcher[] = [
  { tier: 'enterprise', transport: 'sse', channels: odds, filters: {} },
  { tier: 'enterprise', transport: 'websocket', channels: odds, filters: {} },
  { tier: 'enterprise', transport: 'sse', channels: all, filters: {} },
  { tier: 'enterprise', transport: 'websocket', channels: all, filters: {} },
  { tier: 'enterprise', transport: 'websocket', channels: odds, filters: { event: ['event'] } },
  { tier: 'enterprise', transport: 'sse', channels: odds, filters: { event: ['event'] } },
  {
    tier: 'enterprise',
    transport: 'sse',
    channels: families,
    filters: { min_ev: 4, min_profit: 1.5 },
  },
  { tier: 'sharp', transport: 'sse', channels: odds, filters: { live: true } },
  {
    tier: 'sharp',
    transport: 'sse',
    channels: odds,
    filters: { live: false, market: ['moneyline'] },
  },
  {
    tier: 'sharp',
    transport: 'websocket',
    channels: odds,
    filters: { sportsbook: ['pinnacle', 'draftkings'] },
  },
  {
    tier: 'sharp',
    transport: 'websocket',
    channels: odds,
    filters: { min_odds: -120, max_odds: 120 },
  },
  { tier: 'sharp', transport: 'sse', channels: odds, filters: { min_odds: -110, max_odds: 105 } },
  {
    tier: 'sharp',
    transport: 'sse',
    channels: odds,
    filters: { market: ['total_points', 'point_spread'] },
  },
  { tier: 'sharp', transport: 'sse', channels: odds, filters: { is_main_line: true } },
  {
    tier: 'sharp',
    transport: 'sse',
    channels: odds,
    filters: { is_main_line: false, sportsbook: ['pinnacle', 'draftkings', 'fanduel'] },
  },
  { tier: 'sharp', transport: 'websocket', channels: odds, filters: { is_main_line: true } },
  { tier: 'enterprise', transport: 'sse', channels: odds, filters: { team: ['dijon', 'evora'] } },
  { tier: 'enterprise', transport: 'websocket', channels: odds, filters: { q: 'bremen home' } },
  { tier: 'enterprise', transport: 'sse', channels: odds, filters: { date: 'today' } },
  { tier: 'pro', transport: 'sse', channels: odds, filters: { league: ['nba'] } },
  {
    tier: 'pro',
    transport: 'websocket',
    channels: odds,
    filters: { league: ['nhl', 'england_-_premier_league'] },
  },
  { tier: 'pro', transport: 'sse', channels: families, filters: {} },
  { tier: 'pro', transport: 'websocket', channels: families, filters: {} },
  { tier: 'pro', transport: 'sse', channels: all, filters: { sport: ['basketball'] } },
  { tier: 'hobby', transport: 'sse', channels: all, filters: {} },
  { tier: 'hobby', transport: 'websocket', channels: ['odds', 'arbitrage'], filters: {} },
]

/** The next queries of a WebSocket that has only odds. */
const otherFilters: readonly StreamFilters[] = [
  {},
  { league: ['nba'] },
  { sport: ['soccer', 'basketball'] },
  { sportsbook: ['draftkings', 'fanduel'] },
  { market: ['moneyline', 'point_spread'] },
  { min_odds: -115, max_odds: 130 },
  { is_main_line: true, league: ['nba'] },
  { is_main_line: false, market: ['point_spread', 'total_points'] },
  { live: false, q: 'home' },
]

/** Returns the families that a tier sees. */
const familiesOf = (tier: Tier): readonly Family[] => (tier === 'hobby' ? ['arbitrage'] : families)

/** Fields that a row may lack. An update sets a lost one to null. */
const mayGo = new Set(['withheld', ...Object.values(attributes).map(({ json }) => json)])

/** Returns the row content that streams promise: without the time of the last sighting. */
const contentOf = byRow(({ last_seen_at, timestamp, ...row }: Record<string, unknown>) =>
  JSON.stringify(
    Object.entries(row)
      .filter(([member, value]) => value !== null || !mayGo.has(member))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
)

type Row = Record<string, unknown> & { id: string }

interface Watching {
  readonly watcher: Watcher
  readonly client: StreamClient
  filters: StreamFilters
  /** The step at which it starts to read again. */
  pausedUntil: number
}

describe('clients of the streams', () => {
  let service: InProcess
  let market: MovingMarket
  beforeAll(async () => {
    console.log(`stream truth: seed ${testSeed}, ${seconds} s`)
    service = await startInProcess()
    market = await createMovingMarket(service, {
      seed: testSeed,
      events: 8,
      changesPerSecond: 5_000,
    })
    await whenCaughtUp(service)
  })
  afterAll(() => service.close())

  it('end equal to REST, through losses, slow reading and other filters', async () => {
    const random = createRandom(testSeed)
    const truth = createTruth(service)
    const events = service.boards.live.events('*')
    const event = events.find(({ row }) => row.homeTeam.startsWith('Bremen'))!.id
    const today = new Date(service.clock()).toISOString().slice(0, 10)
    const watching = await Promise.all(
      watchers.map(async (watcher): Promise<Watching> => {
        const filters = {
          ...watcher.filters,
          ...(watcher.filters.event && { event: [event] }),
          ...(watcher.filters.date && { date: today }),
        }
        const key = await createKey(service, watcher.tier, ['streaming'])
        return {
          watcher,
          filters,
          client: open(service.base, key, watcher, filters),
          pausedUntil: 0,
        }
      }),
    )
    try {
      const steps = Math.round((seconds * 1_000) / stepMs)
      let subscriptions = 0
      let pauses = 0
      for (let step = 1; step <= steps; step++) {
        const due = performance.now() + stepMs
        await market.step(stepMs)
        for (const one of watching) {
          if (random.chance(0.015)) one.client.drop()
          if (random.chance(0.015) && one.pausedUntil < step) {
            one.pausedUntil = step + 4 + random.below(30)
            one.client.pause()
            pauses++
          }
          if (one.pausedUntil === step) one.client.resume()
          if (random.chance(0.08) && mayResubscribe(one)) {
            one.filters = random.pick(otherFilters)
            one.client.subscribe(odds, one.filters)
            subscriptions++
          }
        }
        if (step % Math.ceil(steps / 3) === 0) await expectEqual()
        await delay(due - performance.now())
      }
      await expectEqual()

      const total = sumOf(watching.map(({ client }) => client.counts))
      console.log(
        `stream truth: ${market.changes()} changes; ${subscriptions} subscriptions, ${pauses} pauses;`,
        JSON.stringify(total),
      )
      for (const happened of Object.values(market.done)) expect(happened).toBeGreaterThan(0)
      expect(subscriptions).toBeGreaterThan(0)
      expect(total.resumed).toBeGreaterThan(5)
      expect(total.resyncs).toBeLessThan(total.resumed)
      for (const count of ['updates', 'removals', 'detected', 'expired', 'proofs'] as const) {
        expect([count, total[count] > 100]).toEqual([count, true])
      }
    } finally {
      for (const { client } of watching) client.close()
    }

    /** Waits until every client has REST's rows, without moving prices. */
    async function expectEqual() {
      await whenCaughtUp(service)
      for (const { client } of watching) client.resume()
      for (const one of watching) {
        one.pausedUntil = 0
        const left = await difference(one, truth)
        const who = JSON.stringify([one.watcher, one.filters, left, faultsOf(one.client)])
        expect(left, who).toEqual(none)
        expect(faultsOf(one.client), who).toEqual(noFaults)
      }
      truth.clear()
    }
  })

  it('recover when something was changed on its way, and only then', async () => {
    const truth = createTruth(service)
    const key = await createKey(service, 'enterprise', [])
    for (const transport of ['sse', 'websocket'] as const) {
      const proxy = await openProxy(service.port)
      const watcher: Watcher = { tier: 'enterprise', transport, channels: odds, filters: {} }
      const one: Watching = {
        watcher,
        filters: {},
        client: open(`http://127.0.0.1:${proxy.port}/api/v1`, key, watcher, {}),
        pausedUntil: 0,
      }
      try {
        await within(20_000, () => one.client.counts.proofs > 1)
        expect(faultsOf(one.client)).toEqual(noFaults)
        await within(20_000, async () => {
          // Changes the last digit of a price. It goes unnoticed if the next update changes the same row at once.
          const sent = proxy.change(/("odds_decimal":\d\.\d*)(\d)/, (_, head, last) => {
            return `${head}${(Number(last) + 1) % 10}`
          })
          while (!sent.isChanged()) await market.step(stepMs)
          await within(3_000, () => one.client.counts.mismatches > 0)
          return one.client.counts.mismatches > 0
        })
        expect(one.client.counts.mismatches).toBe(1)
        await whenCaughtUp(service)
        expect(await difference(one, truth)).toEqual(none)
        expect(one.client.counts.mismatches).toBe(1)
      } finally {
        one.client.close()
        await proxy.close()
      }
      truth.clear()
    }
  })

  it('come back after longer than the board remembers removals, and miss nothing', async () => {
    const small = await startInProcess()
    try {
      const { upcoming } = await fillBoard(small)
      // No price may go stale in the minutes that pass, because that is not in the log.
      await withdrawLiveGame(small)
      const truth = createTruth(small)
      const key = await createKey(small, 'enterprise', [])
      const options = { base: small.base, key, channels: odds, heartbeatSeconds: 1 }
      const left = await Promise.all(
        (['sse', 'websocket'] as const).map(async (transport) => {
          const client = openStreamClient({ ...options, transport })
          await within(10_000, () => client.position() !== null)
          client.close()
          const resumeFrom = { position: client.position()!, odds: [...client.odds.values()] }
          return { ...options, transport, resumeFrom }
        }),
      )
      // A known game goes, a price of another changes, and a game comes and goes again.
      const { homeTeam, awayTeam } = small.boards.live.find(upcoming)!.row
      const game = { home: homeTeam, away: awayTeam }
      const passing = {
        home: 'Utah Jazz',
        away: 'Denver Nuggets',
        startsAt: '2026-11-22T00:30:00Z',
      }
      const say = async (...quotes: Quote[]) => {
        await small.ingest(quotes.map((quote) => oddsRecord(small.clock(), quote)))
        await small.settled()
      }
      await say({ sportsbook: 'pinnacle', externalId: '4-1', ...game, markets: [] })
      await say({ sportsbook: 'pinnacle', ...passing }, { sportsbook: 'fanduel', ...passing })
      await say({ sportsbook: 'fanduel', ...passing, markets: [] })
      small.advance(11 * 60_000)
      small.boards.advance()
      await say({ sportsbook: 'fanduel', externalId: '1-1', ...game, mode: 'delta' })
      for (const before of left) {
        const watcher: Watcher = { tier: 'enterprise', filters: {}, ...before }
        const one = { watcher, filters: {}, client: openStreamClient(before), pausedUntil: 0 }
        expect(await difference(one, truth)).toEqual(none)
        expect(one.client.counts).toMatchObject({ connections: 1, resumed: 1, resyncs: 0 })
        expect(one.client.counts.removals).toBeGreaterThan(5)
        expect(faultsOf(one.client)).toEqual(noFaults)
        one.client.close()
      }
    } finally {
      await small.close()
    }
  })

  it.each([
    ['within what the board remembers', 1],
    ['after longer', 4],
  ])('come back to prices that went stale while the log stood still, %s', async (_, pauses) => {
    const small = await startInProcess()
    try {
      await fillBoard(small)
      const truth = createTruth(small)
      const key = await createKey(small, 'enterprise', [])
      const left = await Promise.all(
        (['sse', 'websocket'] as const).map(async (transport) => {
          const options = { base: small.base, key, transport, channels: odds, heartbeatSeconds: 1 }
          const client = openStreamClient(options)
          await within(10_000, () => client.position() !== null)
          client.close()
          const resumeFrom = { position: client.position()!, odds: [...client.odds.values()] }
          return { ...options, resumeFrom }
        }),
      )
      for (let i = 0; i < pauses; i++) {
        small.advance(4 * 60_000)
        small.boards.advance()
      }
      for (const before of left) {
        const client = openStreamClient(before)
        const watcher: Watcher = { tier: 'enterprise', filters: {}, ...before }
        const one = { watcher, filters: {}, client, pausedUntil: 0 }
        expect(await difference(one, truth)).toEqual(none)
        expect(client.counts.connections).toBe(1)
        expect(faultsOf(client)).toEqual(noFaults)
        client.close()
      }
    } finally {
      await small.close()
    }
  })

  it('are informed and get everything when they resume from elsewhere', async () => {
    const key = await createKey(service, 'enterprise', [])
    for (const transport of ['sse', 'websocket'] as const) {
      const options = { base: service.base, key, transport, channels: odds }
      const before = openStreamClient(options)
      await within(10_000, () => before.isReady())
      const position = before.position()?.replace(/:[^:]*/, ':another') ?? ''
      before.close()
      expect(position).toMatch(/^v3:another:/)
      const [row] = before.odds.values()

      const messages: unknown[] = []
      const client = openStreamClient({
        ...options,
        // A row that does not exist must be dropped.
        resumeFrom: { position, odds: [{ ...row!, id: 'gone' }] },
        onMessage({ name, body }) {
          const { resumed, reason } = body as { resumed?: boolean; reason?: string }
          if (name !== 'initial' && name !== 'subscribed') messages.push([name, resumed ?? reason])
        },
      })
      await within(10_000, () => client.isReady())
      client.close()
      expect(messages.slice(0, 2)).toEqual([
        ['connected', false],
        ['resync', 'other_log'],
      ])
      expect(client.odds.size).toBe(service.boards.live.rows.size)
      expect(faultsOf(client)).toEqual(noFaults)
    }
  })
})

// ---- clients

function open(base: string, key: string, watcher: Watcher, filters: StreamFilters) {
  const { transport, channels } = watcher
  return openStreamClient({
    base,
    key,
    transport,
    channels,
    filters,
    heartbeatSeconds: 1,
    reconnectMs: 20,
    // Silence is that of a machine with too little CPU: nothing holds these streams back.
    silenceMs: patienceMs,
  })
}

async function createKey(service: InProcess, tier: Tier, addOns: readonly AddOn[]) {
  const account = { name: tier, tier, addOns, expiresAt: null }
  return (await service.accounts.create(account)).value
}

/** Returns whether a client has only odds, is connected and reads. */
const mayResubscribe = ({ watcher, filters, client, pausedUntil }: Watching) =>
  watcher.transport === 'websocket' &&
  watcher.tier === 'sharp' &&
  filters.event === undefined &&
  pausedUntil === 0 &&
  client.isReady()

const faults = ['errors', 'gaps', 'malformed', 'strays', 'repeats', 'mismatches'] as const
const faultsOf = ({ counts, failure, lastFault }: StreamClient) => [
  failure(),
  lastFault(),
  ...faults.map((fault) => [fault, counts[fault]]),
]
const noFaults = [null, null, ...faults.map((fault) => [fault, 0])]

function sumOf(counts: readonly Readonly<StreamCounts>[]): StreamCounts {
  const total = { ...counts[0]! }
  for (const name of Object.keys(total) as (keyof StreamCounts)[]) {
    total[name] = counts.reduce((sum, of) => sum + of[name], 0)
  }
  return total
}

// ---- comparison

/** Content by id; for opportunities the family, because their figures are of their detection. */
type Held = ReadonlyMap<string, string>

function heldBy({ watcher, client }: Watching): Held {
  const held = new Map<string, string>()
  if (watcher.channels.includes('odds')) {
    for (const [id, row] of client.odds) held.set(id, contentOf(row))
  }
  for (const family of families) {
    for (const id of client.opportunities[family].keys()) held.set(id, family)
  }
  return held
}

/** Returns the difference to REST's rows that remains after some time. */
async function difference(one: Watching, truth: Truth) {
  let left: ReturnType<typeof differenceOf> | undefined
  await within(20_000, async () => {
    truth.pass(100)
    const wanted = await truth.of(one)
    const held = heldBy(one)
    const isDone = one.client.isReady() && isEqual(held, wanted)
    left = isDone ? none : differenceOf(held, wanted)
    return isDone
  })
  return left
}

const isEqual = (held: Held, wanted: Held) =>
  held.size === wanted.size && [...wanted].every(([id, content]) => held.get(id) === content)

const none: ReturnType<typeof differenceOf> = {
  held: '',
  missing: [],
  surplus: [],
  different: [],
}

/** Returns the first few differences of each kind. */
function differenceOf(held: Held, wanted: Held) {
  const missing = [...wanted].filter(([id]) => !held.has(id))
  const surplus = [...held].filter(([id]) => !wanted.has(id))
  const different = [...wanted]
    .filter(([id, content]) => held.has(id) && held.get(id) !== content)
    .map(([id, content]) => ({ wanted: content, held: held.get(id) }))
  const count = missing.length + surplus.length + different.length
  return {
    held: `${held.size} of ${wanted.size}, ${count} differ`,
    missing: missing.slice(0, 2),
    surplus: surplus.slice(0, 2),
    different: different.slice(0, 2),
  }
}

type Truth = ReturnType<typeof createTruth>

/** Reads REST's rows. Prices are cached until `clear`; opportunities change by time alone. */
function createTruth(service: InProcess) {
  const keys = new Map<Tier, string>()
  const known = new Map<string, Promise<Row[]>>()

  async function get(tier: Tier, path: string) {
    for (;;) {
      const key = keys.get(tier) ?? (await createKey(service, tier, []))
      keys.set(tier, key)
      const { status, body } = await service.request(path, { headers: { 'X-API-Key': key } })
      // A new key avoids the rate limit without advancing the clock.
      if (status === 429) keys.delete(tier)
      else if (status === 200) return body
      else throw new Error(`${path} ${status} ${JSON.stringify(body)}`)
    }
  }

  function walk(tier: Tier, path: string): Promise<Row[]> {
    const key = `${tier} ${path}`
    const walked = known.get(key) ?? walkNow(tier, path)
    known.set(key, walked)
    return walked
  }

  async function walkNow(tier: Tier, path: string): Promise<Row[]> {
    const rows: Row[] = []
    let place = ''
    for (;;) {
      const { data, pagination } = await get(tier, `${path}&limit=200${place}`)
      rows.push(...data)
      if (!pagination.has_more) return rows
      const { next_cursor, next_offset } = pagination
      place = next_cursor ? `&cursor=${next_cursor}` : `&offset=${next_offset}`
    }
  }

  return {
    clear: () => known.clear(),
    pass: service.advance,
    async of({ watcher, filters }: Watching): Promise<Held> {
      const { tier, channels } = watcher
      const { min_ev, min_profit, ...others } = filters
      const query = new URLSearchParams(
        Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const wanted = new Map<string, string>()
      if (channels.includes('odds')) {
        for (const row of await walk(tier, `/odds?${query}`)) wanted.set(row.id, contentOf(row))
      }
      for (const family of familiesOf(tier)) {
        if (!channels.includes(family)) continue
        const least =
          family === 'ev'
            ? `&min_ev=${min_ev ?? 2}`
            : family === 'arbitrage'
              ? `&min_profit=${min_profit ?? 0.5}`
              : ''
        for (const { id } of await walkNow(tier, `/opportunities/${family}?${query}${least}`)) {
          wanted.set(id, family)
        }
      }
      return wanted
    },
  }
}

/** Waits until all records so far are on the live board. */
async function whenCaughtUp({ log, boards }: InProcess) {
  let before = ''
  await within(30_000, async () => {
    const { inputs, name } = boardProcessor()
    if ((await log.lag(inputs, name)) > 0) return false
    await delay(50)
    const now = JSON.stringify(boards.live.position)
    const stands = now === before
    before = now
    return stands
  })
}

/** Waits until the condition holds. Does not throw if it never does: the comparison then says more. */
async function within(ms: number, isSo: () => boolean | Promise<boolean>) {
  const deadline = performance.now() + ms
  while (!(await isSo()) && performance.now() < deadline) await delay(20)
}
