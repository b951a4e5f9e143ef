/** The times of streams: each wait, to the millisecond of stepped time. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { knicks } from './small-board.ts'
import { sourceRow } from './source-row.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const dk = (price: number, more = {}) => ({ sportsbook: 'draftkings', price, ...more })

/** The longest tick with so few clients (ms). */
const tickMs = 10
/** Interval of the checks for heartbeats and stalls (ms). */
const lookMs = 250

let by: ReturnType<typeof createStreamsByHand>
type Client = ReturnType<typeof by.open>

beforeEach(() => {
  by = createStreamsByHand()
  by.event(knicks)
  by.odds(knicks, dk(1.9))
})
afterEach(() => by.close())

const complete = (client: Client, times = 1) =>
  by.until('the snapshot', () => client.of('snapshot:complete').length >= times)

/** Returns how long it takes until the condition holds, to 1 ms. */
async function waitFor(what: string, isSo: () => boolean): Promise<number> {
  const from = by.timers.now()
  await by.until(what, isSo)
  return by.timers.now() - from
}

function around(ms: number, atMost = ms + tickMs) {
  return { asymmetricMatch: (took: number) => took >= ms && took <= atMost }
}

describe('a client', () => {
  it('begins with the next tick', async () => {
    await complete(by.open('channels=odds'))
    const client = by.open('channels=odds')
    expect(await waitFor('the snapshot', () => client.of('initial').length > 0)).toEqual(around(1))
  })

  it('without a query gets everything after 250 ms, and with one at once', async () => {
    const silent = by.open('')
    await by.pass(249)
    expect(silent.of('subscribed')).toEqual([])
    await by.pass(1)
    expect(silent.of('subscribed')).toMatchObject([{ channels: null }])

    const quick = by.open('')
    quick.say({ type: 'subscribe', channels: ['odds'] })
    expect(quick.of('subscribed')).toMatchObject([{ channels: ['odds'] }])
    await by.pass(1_000)
    expect(quick.of('subscribed')).toHaveLength(1)
  })

  it.each(['channels=nonsense', 'channels=odds&min_odds=50'])(
    'gets heartbeats while it has to say better what it wants: %s',
    async (query) => {
      const client = by.open(`${query}&heartbeat_seconds=1`)
      const { channels } = client.of('connected')[0]
      expect(channels).toEqual(query === 'channels=nonsense' ? [] : ['odds'])
      await by.pass(3_000 + lookMs + tickMs)
      expect(client.of('heartbeat')).toHaveLength(3)
      expect(client.of('subscribed')).toEqual([])
      client.say({ type: 'subscribe', channels: ['odds'], filters: { min_odds: 100 } })
      await complete(client)
    },
  )

  it('without a key gets no heartbeats before connected', async () => {
    const client = by.open('channels=odds&heartbeat_seconds=1', 'sharp', '')
    await by.pass(3_000)
    expect(client.frames).toEqual([])
    client.say({ type: 'auth', token: 'sharp' })
    await by.pass(3_000)
    expect(client.frames[0]).toMatchObject({ type: 'connected' })
    expect(client.of('heartbeat').length).toBeGreaterThan(0)
  })

  it('with one query after another gets snapshots every 500 ms', async () => {
    const client = by.open('channels=odds')
    await complete(client)
    const starts: number[] = []
    for (let ms = 0; ms < 2_200; ms += 50) {
      // Each filter is new, so each is a further query.
      client.say({ type: 'filter', filters: { min_odds: -300 - ms } })
      const received = client.of('snapshot:complete').length
      await by.pass(50)
      if (client.of('snapshot:complete').length > received) starts.push(by.timers.now())
    }
    expect(starts.length).toBe(4)
    for (const [i, at] of starts.slice(1).entries())
      expect(at - starts[i]!).toEqual(around(500, 550))
  })

  it('that narrows its query continues, unless it has begun within 500 ms', async () => {
    const client = by.open('channels=odds')
    await complete(client)
    client.say({ type: 'filter', filters: { leagues: ['nba'] } })
    await complete(client, 2)
    await by.pass(500)
    client.say({ type: 'filter', filters: { leagues: ['nba'], sportsbooks: ['draftkings'] } })
    await by.pass(1_000)
    expect(client.of('subscribed')).toHaveLength(3)
    expect(client.of('snapshot:complete')).toHaveLength(2)
  })

  it('that narrows its query while it is behind gets the rest of the narrower one', async () => {
    by.odds(knicks, { sportsbook: 'fanduel', price: 1.8 })
    const client = by.open('channels=odds')
    await complete(client)
    await by.pass(500)
    client.state.isFull = true
    client.say({ type: 'ping' })
    by.advance(100)
    by.odds(knicks, dk(1.7), { sportsbook: 'fanduel', price: 1.6 })
    await by.pass(100)
    client.say({ type: 'filter', filters: { sportsbooks: ['fanduel'] } })
    const from = client.frames.length
    client.state.isFull = false
    client.session.drained()
    await by.pass(1_000)
    expect(client.frames.slice(from)).toMatchObject([{ type: 'odds:update', source: 'fanduel' }])
  })

  it('with a position ahead of the board waits 2 s for it', async () => {
    await by.pass(200)
    const here = by.streams.positions.now()!
    const ahead = here.replace(/\d+(-\d+){4}$/, '3-3-0-0-0')
    const open = () => by.open(`channels=odds&proof=true&resume_from=${ahead}`)
    const late = open()
    expect(await waitFor('the snapshot', () => late.of('resync').length > 0)).toEqual(around(2_000))
    expect(late.of('resync')).toMatchObject([{ reason: 'other_log' }])

    const early = open()
    await by.pass(1_900)
    expect(early.of('initial')).toEqual([])
    by.advance(200)
    by.odds(knicks, dk(1.8))
    await complete(early)
    expect(early.of('resync')).toEqual([])
    expect(early.of('snapshot:complete')).toMatchObject([{ resumed: true }])
  })

  it('gets heartbeats at its interval, but none before its first query', async () => {
    const client = by.open('channels=odds&heartbeat_seconds=2')
    const silent = by.open('heartbeat_seconds=1', 'sharp', '')
    await complete(client)
    await by.pass(10_000 - 1)
    expect(client.of('heartbeat').length).toBe(4)
    expect(silent.of('heartbeat')).toEqual([])
  })

  it('gets its heartbeat only with proven rows, and none during its snapshot', async () => {
    const client = by.open('channels=odds&heartbeat_seconds=1&proof=true')
    await complete(client)
    by.advance(100)
    by.odds(knicks, dk(1.7))
    await by.pass(1_000 + lookMs)
    const [beat] = client.of('heartbeat')
    expect(beat).toMatchObject({ rows: 1, position: by.streams.positions.now() })
    client.state.isFull = true
    client.say({ type: 'ping' })
    await by.pass(3_000)
    expect(client.of('heartbeat')).toHaveLength(1)
  })

  it('whose socket is full is held every 4 s, and closed after 30 s', async () => {
    const client = by.open('channels=odds')
    await complete(client)
    client.state.isFull = true
    client.say({ type: 'ping' })
    await by.pass(30_000)
    expect(client.state).toMatchObject({ closed: null, holds: 8 })
    await by.pass(lookMs)
    expect(client.state.closed).toBe(1013)
    expect(client.of('error')).toMatchObject([{ code: 'backpressure' }])
  })

  it('whose socket drains in time stays', async () => {
    const client = by.open('channels=odds')
    await complete(client)
    for (let round = 0; round < 3; round++) {
      client.state.isFull = true
      client.say({ type: 'ping' })
      await by.pass(29_000)
      client.state.isFull = false
      client.session.drained()
      await by.pass(100)
    }
    expect(client.state.closed).toBeNull()
  })

  it('whose socket is full during its snapshot gets the rest once it drains', async () => {
    const client = by.open('channels=odds,gamestate')
    await waitFor('the query', () => client.of('subscribed').length > 0)
    client.state.isFull = true
    await by.pass(1_000)
    expect(client.of('snapshot:complete')).toEqual([])
    client.state.isFull = false
    client.session.drained()
    await complete(client)
  })

  it('whose key is gone ends within a second', async () => {
    const client = by.open('channels=odds')
    await complete(client)
    by.revoke('sharp')
    expect(await waitFor('the end', () => client.state.closed !== null)).toBeLessThanOrEqual(1_000)
    expect(client.of('error')).toMatchObject([{ code: 'invalid_api_key' }])
  })

  it('without a key is closed after 10 s, and one with a key is not', async () => {
    const late = by.open('channels=odds', 'sharp', '')
    const inTime = by.open('channels=odds', 'sharp', '')
    await by.pass(9_999)
    expect(late.state.closed).toBeNull()
    inTime.say({ type: 'auth', token: 'sharp' })
    await by.pass(1)
    expect(late.state.closed).toBe(4001)
    await by.pass(1_000)
    expect(inTime.state.closed).toBeNull()
    expect(inTime.of('snapshot:complete')).toHaveLength(1)
  })

  it('may send 20 frames a second, and more in four seconds in a row', async () => {
    const client = by.open('channels=odds')
    await complete(client)
    await by.pass(1_000 - (by.timers.now() % 1_000))
    const say = (times: number) => {
      for (let i = 0; i < times; i++) client.say({ type: 'ping' })
    }
    say(20)
    expect(client.of('error')).toEqual([])
    for (let second = 0; second < 4; second++) {
      await by.pass(1_000)
      say(21)
    }
    expect(client.of('error')).toHaveLength(4)
    // After a second without excess, the count starts at none again.
    await by.pass(1_000)
    say(20)
    await by.pass(1_000)
    say(24)
    expect(client.state.closed).toBeNull()
    say(1)
    expect(client.state.closed).toBe(1008)
  })
})

describe('replays of the log', () => {
  it('run one after the other, and a client that has waited 5 s gets a snapshot', async () => {
    const readingMs = 2_000
    by.slowLog(readingMs)
    const position = 'v3:e:0-0-0-0-0'
    const clients = Array.from({ length: 5 }, () =>
      by.open(`channels=odds&proof=true&resume_from=${position}`),
    )
    await by.pass(10_000)
    const ends = clients.map((client) => [
      client.of('resync').map(({ reason }) => reason),
      client.of('snapshot:complete').map(({ resumed }) => resumed),
    ])
    const [received, sentAll] = [
      [[], [true]],
      [['too_many'], [false]],
    ]
    expect(ends).toEqual([received, received, sentAll, sentAll, sentAll])
  })

  it('end after 5 s in an outage of the log, for later clients too, and continue after it', async () => {
    by.slowLog(Number.POSITIVE_INFINITY)
    const position = 'v3:e:0-0-0-0-0'
    const resume = () => by.open(`channels=odds&proof=true&resume_from=${position}`)
    const first = resume()
    await by.until('the log is asked', () => by.readers() === 1)
    first.session.end()
    const second = resume()
    await by.pass(3_000)
    const third = resume()
    await by.pass(2_500)
    const endOf = (client: typeof first) => [
      client.of('resync').map(({ reason }) => reason),
      client.of('snapshot:complete').map(({ resumed }) => resumed),
    ]
    const sentAll = [['too_many'], [false]]
    expect([endOf(first), endOf(second), endOf(third)]).toEqual([[[], []], sentAll, [[], []]])
    await by.pass(2_600)
    expect(endOf(third)).toEqual(sentAll)
    expect(by.readers()).toBe(0)
    by.slowLog(10)
    const fourth = resume()
    await by.pass(100)
    expect(endOf(fourth)).toEqual([[], [true]])
  })
})

describe('opportunities', () => {
  const legs = [dk(2.1), { sportsbook: 'fanduel', price: 2.1, selectionType: 'away' }] as const

  it('are checked every 100 ms', async () => {
    by.odds(knicks, ...legs)
    const client = by.open('channels=arbitrage')
    await complete(client)
    by.arbitrage(knicks, ...legs)
    const took = await waitFor('it is told', () => client.of('arb:detected').length > 0)
    expect(took).toBeLessThanOrEqual(100 + tickMs)
    // Right after a tick of opportunities, the next comes a full interval later.
    by.odds(knicks, dk(1.1))
    const expired = () => client.of('arb:expired').length > 0
    expect(await waitFor('it is gone', expired)).toEqual(around(100 - tickMs, 100 + tickMs))
  })

  it('of a client that is behind come after its prices, each in its current state', async () => {
    by.odds(knicks, ...legs)
    const client = by.open('channels=odds,arbitrage')
    await complete(client)
    await by.pass(100)
    client.state.isFull = true
    client.say({ type: 'ping' })
    by.advance(100)
    by.arbitrage(knicks, ...legs)
    by.odds(knicks, dk(2.15))
    await by.pass(1_000)
    expect(client.of('arb:detected')).toEqual([])
    client.state.isFull = false
    client.session.drained()
    await by.pass(100 + tickMs)
    const received = client.frames.map(({ type }) => type)
    expect(received.slice(-2)).toEqual(['odds:update', 'arb:detected'])
  })
})

describe('news of a source', () => {
  it('follows the clock, whatever the time of a recording', async () => {
    for (const recordedAt of [by.clock() + 86_400_000, by.clock() - 86_400_000]) {
      by.replaying(recordedAt)
      const client = by.open('channels=odds')
      await complete(client)
      const updatedAt = by.clock()
      by.source(sourceRow({ state: 'degraded', reason: 'http_500', since: updatedAt, updatedAt }))
      await by.until('the news', () => client.of('source:status').length > 0)
      expect(client.of('source:status')).toMatchObject([{ state: 'degraded' }])
      by.advance(60_000)
      by.source(sourceRow({ updatedAt }))
      await by.until('the news', () => client.of('source:status').length > 1)
      // The source's process has been silent for a minute.
      expect(client.of('source:status')[1]).toMatchObject({ state: 'down' })
    }
  })
})
