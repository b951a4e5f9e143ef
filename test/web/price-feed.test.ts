/** The page's source of prices while a stream is open but silent. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Link } from '../../api/web/client/data/connection.ts'
import { openPriceFeed } from '../../api/web/client/data/price-feed.ts'
import { createPriceStore } from '../../api/web/client/data/price-store.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'
import {
  boardNow,
  boardTimeAt,
  noteRecordedTime,
  noteServiceTime,
  serviceNow,
} from '../../api/web/client/data/service-time.ts'

const row = {
  id: '1',
  event_id: 'knicks_nets',
  sportsbook: 'draftkings',
  market_type: 'moneyline',
  selection_type: 'home',
  line: null,
  odds_decimal: 1.9,
  is_active: true,
}
const page = (data: readonly object[]) => ({
  data,
  pagination: { has_more: false },
  meta: { server_time: '2026-11-24T12:00:00.000Z' },
  removed: [],
})
const events = [
  `event: snapshot\ndata: ${JSON.stringify({ odds: [row], position: 'p1' })}\n\n`,
  'event: snapshot:complete\ndata: {"position":"p1"}\n\n',
]

const heartbeat = 'event: heartbeat\ndata: {"rows":1}\n\n'

/** A fake service, and a proxy that holds back streams or lets them through. */
let isHolding = true
let isSilent = false
let refusal: RefusedError | null = null
/** The error that the service ends a stream with. */
let ending: string | null = null
/** Whether requests for streams get no answer, as without a network. */
let isLost = false
/** Streams yet to come that end without an event, as behind a proxy whose service restarts. */
let cutShort = 0
let paths: string[] = []
let firstSince: string | null = null
function notePath(path: string) {
  paths.push(/^[a-z/]*/.exec(path)![0])
  firstSince ??= new URL(path, 'http://localhost').searchParams.get('since')
}

const service = {
  async get<Body>(path: string): Promise<Body> {
    notePath(path)
    return page(path.startsWith('/odds/delta') ? [] : [row]) as Body
  },
  async openStream(path: string, signal: AbortSignal) {
    notePath(path)
    if (refusal) throw refusal
    if (isLost) {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (cutShort > 0) {
          cutShort--
          return controller.close()
        }
        const write = (text: string) => controller.enqueue(new TextEncoder().encode(text))
        if (!isHolding) events.forEach(write)
        if (ending) {
          write(`event: error\ndata: {"code":"${ending}","message":"…"}\n\n`)
          return controller.close()
        }
        const beats = setInterval(() => isHolding || isSilent || write(heartbeat), 1_000)
        signal.addEventListener('abort', () => {
          clearInterval(beats)
          controller.error(signal.reason)
        })
      },
    })
    return new Response(body)
  },
}

beforeEach(() => {
  isHolding = true
  isSilent = false
  refusal = null
  ending = null
  isLost = false
  cutShort = 0
  firstSince = null
  paths = []
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

function open(isStreaming: boolean) {
  const store = createPriceStore()
  const phases: string[] = []
  const links: Link[] = []
  const feed = openPriceFeed({
    service,
    store,
    query: 'league=nba',
    isStreaming,
    pollMs: 1_000,
    onLink: (link) => {
      links.push(link)
      phases.push(link.phase)
    },
    onReady: () => {},
    onRefused: (error) => {
      throw error
    },
  })
  return { store, phases, links, close: feed.close }
}

it('a stream that is held back twice yields to polling, and is tried again minutes later', async () => {
  const { store, phases, close } = open(true)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(store.rows.size).toBe(0)
  await vi.advanceTimersByTimeAsync(14_000)
  expect(paths.filter((path) => path === '/stream/odds')).toHaveLength(2)
  expect(paths.filter((path) => path === '/odds/delta').length).toBeGreaterThan(2)
  expect([store.rows.size, phases.at(-1)]).toEqual([1, 'live'])

  isHolding = false
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  paths = []
  await vi.advanceTimersByTimeAsync(4_000)
  expect([paths, store.rows.size, phases.at(-1)]).toEqual([[], 1, 'live'])
  close()
})

it('a stream that falls silent after messages is resumed as a stream', async () => {
  isHolding = false
  isSilent = true
  const { store, close } = open(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(store.rows.size).toBe(1)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(paths).toEqual(['/stream/odds', '/stream/odds'])
  close()
})

it('streams that end by themselves are resumed as streams: nothing holds them back', async () => {
  isHolding = false
  cutShort = 4
  const { store, links, close } = open(true)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(new Set(paths)).toEqual(new Set(['/stream/odds']))
  expect(links.at(-1)).toMatchObject({ phase: 'live', noStream: null })
  expect(store.rows.size).toBe(1)
  close()
})

it('streams that pass only their snapshot are held back', async () => {
  isHolding = false
  isSilent = true
  const { links, close } = open(true)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(paths.filter((path) => path === '/stream/odds')).toHaveLength(2)
  expect(links.at(-1)).toMatchObject({ phase: 'live', noStream: 'blocked' })
  close()
})

it('streams that fall silent long after their snapshot are not held back', async () => {
  isHolding = false
  const { links, close } = open(true)
  for (let i = 0; i < 3; i++) {
    isSilent = false
    await vi.advanceTimersByTimeAsync(20_000)
    isSilent = true
    await vi.advanceTimersByTimeAsync(7_000)
  }
  isSilent = false
  await vi.advanceTimersByTimeAsync(4_000)
  expect(paths).toEqual(Array.from({ length: 4 }, () => '/stream/odds'))
  expect(links.at(-1)).toMatchObject({ phase: 'live', noStream: null })
  close()
})

it('a lost network does not hold back a stream that has flowed', async () => {
  isHolding = false
  const { links, close } = open(true)
  await vi.advanceTimersByTimeAsync(5_000)
  isSilent = isLost = true
  await vi.advanceTimersByTimeAsync(60_000)
  isSilent = isLost = false
  await vi.advanceTimersByTimeAsync(20_000)
  expect(new Set(paths)).toEqual(new Set(['/stream/odds']))
  expect(links.at(-1)).toMatchObject({ phase: 'live', noStream: null })
  close()
})

it('a proxy that never answers a stream holds it back', async () => {
  isLost = true
  const { links, close } = open(true)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(paths.filter((path) => path === '/stream/odds')).toHaveLength(2)
  expect(links.at(-1)).toMatchObject({ phase: 'live', noStream: 'blocked' })
  close()
})

it.each([
  [429, 'too_many_streams', 'in_use'],
  [404, 'not_found', 'blocked'],
  [405, 'method_not_allowed', 'blocked'],
  [501, 'unknown', 'blocked'],
])(
  'a stream refused with %i %s yields to polling, and is tried again minutes later',
  async (status, code, noStream) => {
    isHolding = false
    refusal = new RefusedError(status, { error: { code } }, 30)
    const { store, links, close } = open(true)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(paths.slice(0, 4)).toEqual(['/stream/odds', '/odds/delta', '/odds', '/odds/delta'])
    expect(links.at(-1)).toMatchObject({ phase: 'live', noStream })
    expect([paths.filter((path) => path === '/stream/odds').length, store.rows.size]).toEqual([
      1, 1,
    ])

    refusal = null
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    paths = []
    await vi.advanceTimersByTimeAsync(4_000)
    expect(paths).toEqual([])
    expect(links.at(-1)).toMatchObject({ phase: 'live', noStream: null })
    close()
  },
)

it.each(['too_many_streams', 'displaced'])(
  'a stream that the service ends with %s, because others hold them all, yields to polling',
  async (code) => {
    isHolding = false
    ending = code
    const { links, close } = open(true)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(paths.slice(0, 3)).toEqual(['/stream/odds', '/odds/delta', '/odds'])
    expect(links.at(-1)).toMatchObject({ phase: 'live', noStream: 'in_use' })
    // One that was displaced would displace another in turn.
    await vi.advanceTimersByTimeAsync(6 * 60_000)
    const streams = paths.filter((path) => path === '/stream/odds').length
    expect(streams > 1).toBe(code === 'too_many_streams')
    close()
  },
)

it('a stream refused by the rate limit is tried again as a stream', async () => {
  isHolding = false
  refusal = new RefusedError(429, { error: { code: 'rate_limited' } }, 1)
  const { close } = open(true)
  await vi.advanceTimersByTimeAsync(2_500)
  expect(new Set(paths)).toEqual(new Set(['/stream/odds']))
  close()
})

it.each([-11 * 60_000, 60_000])(
  'polling begins at the time of the service, with a clock off by %i ms',
  async (offMs) => {
    const time = Date.parse('2026-11-24T12:00:00.000Z')
    vi.setSystemTime(time + offMs)
    noteServiceTime(new Date(time).toUTCString())
    expect(serviceNow()).toBe(time)
    const { close } = open(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(firstSince).toBe('2026-11-24T12:00:00.000Z')
    close()
    // The age of a response that the browser kept, or no time at all, changes nothing.
    noteServiceTime(new Date(Date.now() - 12_000).toUTCString())
    noteServiceTime(null)
    expect(serviceNow()).toBe(Date.now())
  },
)

it('the board has the time of a recording while one is replayed', () => {
  const time = Date.parse('2026-11-24T12:00:00.000Z')
  vi.setSystemTime(time)
  noteRecordedTime('2019-08-09T19:00:00.000Z')
  expect(new Date(boardNow()).toISOString()).toBe('2019-08-09T19:00:00.000Z')
  expect(boardTimeAt(serviceNow() - 1_000)).toBe(boardNow() - 1_000)
  expect(serviceNow()).toBe(time)
  noteRecordedTime(null)
  expect(boardNow()).toBe(time)
})

it('a key without streams polls from the start', async () => {
  const { store, close } = open(false)
  await vi.advanceTimersByTimeAsync(3_500)
  expect(paths.slice(0, 3)).toEqual(['/odds/delta', '/odds', '/odds/delta'])
  expect([paths.includes('/stream/odds'), store.rows.size]).toEqual([false, 1])
  close()
})

it('a feed that is closed leaves the store to the next one', async () => {
  const store = createPriceStore()
  const links: Link[] = []
  const open = (onLink: (link: Link) => void) =>
    openPriceFeed({
      ...{ service, store, query: 'market=moneyline', isStreaming: false, pollMs: 5_000 },
      ...{ onLink, onReady: () => {}, onRefused: () => {} },
    })
  const first = open((link) => links.push(link))
  await vi.advanceTimersByTimeAsync(7_000)
  const told = links.length
  expect(told).toBeGreaterThan(0)
  first.close()
  // The snapshot of another feed is under way.
  store.snapshot([{ ...row, id: '2', sportsbook: 'fanduel' }])
  await vi.advanceTimersByTimeAsync(20_000)
  store.endSnapshot()
  expect([...store.rows.keys()]).toEqual(['2'])
  expect(links).toHaveLength(told)
})
