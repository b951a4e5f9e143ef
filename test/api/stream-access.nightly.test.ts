/**
 * Access to streams on both transports: refusals before the start, tiers and add-ons, authentication by frame, limits
 * of open streams, and rights that end or change while streams are open.
 */

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewAccount } from '../../api/access/accounts.ts'
import type { AddOn } from '../../schemas/account.ts'
import { type Tier, tierBooks } from '../../schemas/reference/tier-books.ts'
import { openStreamClient, type Transport } from '../clients/open-stream-client.ts'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'
import { createSteppedTimers } from './stepped-timers.ts'
import { type Block, eventually, type Frames, openEvents, openFrames } from './stream-reader.ts'

let service: InProcess
let liveEvent: string
beforeAll(async () => {
  service = await startInProcess()
  liveEvent = (await fillBoard(service)).live
  await fillOpportunities(service)
})
afterAll(() => service.close())

async function account(tier: Tier, addOns: readonly AddOn[] = [], more: Partial<NewAccount> = {}) {
  const { account, key, value } = await service.accounts.create({
    name: tier,
    tier,
    addOns,
    expiresAt: null,
    ...more,
  })
  return { accountId: account.id, keyId: key.id, key: value }
}

const keyOf = async (tier: Tier, addOns: readonly AddOn[] = []) => (await account(tier, addOns)).key

const sse = (path: string, key: string, headers: Record<string, string> = {}) =>
  openEvents(service.base + path, { ...(key !== '' && { 'X-API-Key': key }), ...headers })

const socket = (query: string, key: string) =>
  openFrames(`${service.base}/ws?${query}`, { headers: key === '' ? {} : { 'X-API-Key': key } })

async function usageOf(key: string): Promise<{ active: number; max: number }> {
  const { body } = await service.request('/account/usage', { headers: { 'X-API-Key': key } })
  return body.data.streams
}

/** A stream of either transport. */
interface Open {
  /** Waits until the snapshot is complete. */
  ready(): Promise<void>
  /** Returns the codes of the last error and of the close. */
  end(): Promise<readonly [code: string, close: number | null]>
  close(): void
}

async function openOne(transport: Transport, key: string, query = 'event=x'): Promise<Open> {
  if (transport === 'sse') {
    const events = await sse(`/stream/odds?${query}`, key)
    expect(events.refusal).toBeUndefined()
    return {
      ready: async () => void (await events.next('snapshot:complete')),
      async end() {
        await events.ended
        const last = events.blocks.findLast(({ event }) => event === 'error')
        return [last?.body.code ?? '', null]
      },
      close: events.close,
    }
  }
  const frames = await socket(`channels=odds&${query}`, key)
  return {
    ready: async () => void (await frames.next('snapshot:complete')),
    async end() {
      const { code } = await frames.closed
      return [frames.frames.findLast(({ type }) => type === 'error')?.code ?? '', code]
    },
    close: frames.close,
  }
}

/** Checks that frame numbers are consecutive. */
function expectNumbered({ frames }: Frames) {
  expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1))
}

describe('a stream of Server-Sent Events that is refused', () => {
  it('names the fault of the key', async () => {
    const expired = await account('enterprise')
    await service.accounts.change(expired.accountId, { expiresAt: service.clock() - 1 })
    const disabled = await account('enterprise')
    await service.accounts.change(disabled.accountId, { isDisabled: true })
    for (const [key, code] of [
      ['', 'missing_api_key'],
      ['sk_live_nobody', 'invalid_api_key'],
      [expired.key, 'expired_api_key'],
      [disabled.key, 'disabled_api_key'],
    ] as const) {
      for (const path of ['/stream', '/stream/odds', `/stream/events/${liveEvent}`]) {
        const { status, refusal } = await sse(path, key)
        expect([path, status, refusal.code]).toEqual([path, 401, code])
        expect(typeof refusal.message).toBe('string')
      }
    }
  })

  it.each<[Tier, AddOn[]]>([
    ['free', []],
    ['free', ['streaming']],
    ['hobby', []],
    ['pro', ['game_state']],
    ['sharp', []],
  ])('names tier and add-on to %s with add-ons %j', async (tier, addOns) => {
    const key = await keyOf(tier, addOns)
    for (const path of ['/stream', '/stream/odds', '/stream/all', '/stream/gamestate']) {
      const { status, refusal } = await sse(path, key)
      expect([path, status, refusal.code, refusal.tier]).toEqual([
        path,
        403,
        'tier_restricted',
        tier,
      ])
      if (tier !== 'free') expect(refusal.addon).toBe('streaming')
    }
  })

  it('names the add-on of game states', async () => {
    const key = await keyOf('pro', ['streaming'])
    for (const path of ['/stream?channel=gamestate', '/stream/gamestate']) {
      const { status, refusal } = await sse(path, key)
      expect([status, refusal.code, refusal.addon]).toEqual([403, 'tier_restricted', 'game_state'])
    }
  })

  it.each([
    ['channel=nonsense', 400, 'validation_error'],
    ['channels=nonsense', 400, 'validation_error'],
    ['type=nonsense', 400, 'validation_error'],
    ['min_ev=much', 400, 'validation_error'],
    ['min_odds=much', 400, 'validation_error'],
    ['live=perhaps', 400, 'validation_error'],
    ['state=nowhere', 400, 'validation_error'],
    ['heartbeat_seconds=0', 400, 'validation_error'],
    ['resume_from=nonsense', 400, 'validation_error'],
    ['stranger=1', 400, 'validation_error'],
    ['sport=nonsense', 400, 'invalid_filter'],
    ['league=nonsense', 400, 'invalid_filter'],
    ['sportsbook=nonsense', 400, 'invalid_filter'],
    ['market=nonsense', 400, 'invalid_filter'],
    ['sportsbook=pinnacle', 403, 'tier_restricted'],
  ])('refuses ?%s with %i %s', async (query, status, code) => {
    const answer = await sse(`/stream?${query}`, await keyOf('pro', ['streaming']))
    expect([answer.status, answer.refusal?.code]).toEqual([status, code])
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
  })

  it.each([
    '/',
    '/?channel=odds',
    '/?channels=odds',
    '/api/v1?channel=odds',
    '/api/v1/?channel=odds',
  ])('names the paths of the streams when it requests %s', async (path) => {
    const address = `http://127.0.0.1:${service.port}`
    const { status, refusal } = await openEvents(address + path, {
      'X-API-Key': await keyOf('enterprise'),
    })
    if (path === '/') return expect(status).toBe(404)
    expect([status, refusal.code]).toEqual([400, 'validation_error'])
    expect(refusal.stream_endpoints).toEqual({
      sse: expect.stringContaining('/api/v1/stream'),
      websocket: expect.stringMatching(/^(wss?:|\/)/),
    })
  })
})

describe('a stream of Server-Sent Events that is opened', () => {
  it.each<[Tier, AddOn[]]>([
    ['hobby', ['streaming']],
    ['pro', ['streaming']],
    ['sharp', ['streaming']],
    ['enterprise', []],
  ])('begins alike for %s with add-ons %j, by every way to send a key', async (tier, addOns) => {
    const key = await keyOf(tier, addOns)
    for (const [query, headers] of [
      [`api_key=${key}`, {}],
      ['', { 'X-API-Key': key }],
      ['', { Authorization: `Bearer ${key}` }],
      ['api_key=sk_live_nobody', { 'X-API-Key': key, Authorization: 'Bearer sk_live_nobody' }],
    ] as const) {
      const events = await openEvents(`${service.base}/stream?${query}`, headers)
      expect(events.status).toBe(200)
      expect(events.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'x-tier': tier,
        'x-data-delay': '0',
        'x-ratelimit-limit': expect.any(String),
        'x-request-id': expect.any(String),
      })
      expect(events.headers['content-encoding']).toBeUndefined()
      const connected = await events.next('connected')
      await events.next('snapshot:complete')
      expect(events.text().startsWith('retry: 3000\nevent: connected\nid: evt_00001\n')).toBe(true)
      expect(connected.body).toMatchObject({
        stream_id: expect.stringMatching(/^stream_\d+/),
        channel: 'opportunities',
        reconnected: false,
        filters: { sport: null, league: null, sportsbook: null, market: null, event: null },
      })
      expect(connected.body.trial).toBeUndefined()
      expectIds(events.blocks)
      events.close()
    }
  })

  it('has the families of its tier, the empty ones too', async () => {
    const wanted: [Tier, string[]][] = [
      ['hobby', ['arbitrage']],
      ['pro', ['ev', 'arbitrage', 'middles', 'low_hold']],
    ]
    for (const [tier, families] of wanted) {
      const events = await sse('/stream', await keyOf(tier, ['streaming']))
      const { body } = await events.next('snapshot:complete')
      const shown = events.blocks.filter(({ event }) => event === 'snapshot')
      const names = shown.map((block) => Object.keys(block.body).find((name) => name !== 'count'))
      expect(new Set(names)).toEqual(new Set(families))
      expect(body.status).toBe('ready')
      events.close()
    }
  })

  it.each<[string, string, object]>([
    ['/stream', 'opportunities', {}],
    ['/stream?channel=odds', 'odds', {}],
    ['/stream?channels=odds,opportunities', 'all', {}],
    ['/stream?channel=odds,nonsense', 'odds', {}],
    ['/stream/odds?league=NBA', 'odds', { league: ['nba'] }],
    ['/stream/opportunities', 'opportunities', {}],
    ['/stream/gamestate', 'gamestate', {}],
    ['/stream/all?sport=basketball', 'all', { sport: ['basketball'] }],
    ['/stream/events/live', 'odds', {}],
    ['/stream?type=odds', 'odds', {}],
  ])('%s has the channel %s', async (path, channel, filters) => {
    const isOfEvent = path.endsWith('/live')
    const events = await sse(path.replace('/live', `/${liveEvent}`), await keyOf('enterprise'))
    const connected = await events.next('connected')
    expect(connected.body.channel).toBe(channel)
    expect(connected.body.filters).toMatchObject({
      ...filters,
      ...(isOfEvent && { event: [liveEvent] }),
    })
    events.close()
  })

  it('has game states in the channel all only with the right to them', async () => {
    for (const [addOns, has] of [
      [['streaming'], false],
      [['streaming', 'game_state'], true],
    ] as [AddOn[], boolean][]) {
      const events = await sse('/stream/all', await keyOf('pro', addOns))
      await events.next('snapshot:complete')
      expect(events.blocks.some(({ event }) => event === 'gamestate:snapshot')).toBe(has)
      events.close()
    }
  })

  it('reports a reconnection if the client declares one', async () => {
    const key = await keyOf('enterprise')
    for (const [query, headers, reconnected] of [
      ['', {}, false],
      ['', { 'Last-Event-ID': 'evt_00007' }, true],
      ['&last_event_id=evt_00007', {}, true],
    ] as const) {
      const events = await sse(`/stream/odds?event=${liveEvent}${query}`, key, headers)
      expect((await events.next('connected')).body.reconnected).toBe(reconnected)
      expect((await events.next('snapshot')).body.odds.length).toBeGreaterThan(0)
      events.close()
    }
  })

  it('shows the trial that allows it, and ends with it', async () => {
    const { accountId, key } = await account('pro')
    expect((await sse('/stream', key)).status).toBe(403)
    await service.accounts.change(accountId, { trialHours: 4 })
    const events = await sse('/stream', key)
    expect((await events.next('connected')).body.trial).toEqual({
      active: true,
      expires_at: new Date(service.clock() + 4 * 3_600_000).toISOString(),
      remaining_hours: 4,
      max_streams: 1,
    })
    expect(await usageOf(key)).toEqual({ active: 1, max: 1 })
    expect((await sse('/stream', key)).refusal.code).toBe('too_many_streams')
    service.advance(4 * 3_600_000 + 1)
    await events.ended
    expect(events.blocks.at(-1)).toMatchObject({
      event: 'error',
      body: { code: 'tier_restricted' },
    })
    expect((await sse('/stream', key)).refusal.code).toBe('tier_restricted')
  })
})

/** Checks that block numbers are consecutive. */
function expectIds(blocks: readonly Block[]) {
  expect(blocks.map(({ id }) => id)).toEqual(
    blocks.map((_, i) => `evt_${String(i + 1).padStart(5, '0')}`),
  )
}

describe('a WebSocket', () => {
  it.each(['/ws', '/api/v1/ws'])('is described at %s without an upgrade', async (path) => {
    const response = await fetch(`${new URL(service.base).origin}${path}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { code: 'validation_error', message: expect.stringContaining('upgrade') },
    })
  })

  it.each(['/', '/ws', '/api/v1/ws'])('opens at %s by every way to send a key', async (path) => {
    const key = await keyOf('pro', ['streaming'])
    for (const [query, headers] of [
      [`api_key=${key}`, {}],
      ['', { 'X-API-Key': key }],
      ['', { Authorization: `Bearer ${key}` }],
      ['api_key=sk_live_nobody', { 'X-API-Key': key, Authorization: 'Bearer sk_live_nobody' }],
    ] as const) {
      const frames = await openFrames(`http://127.0.0.1:${service.port}${path}?${query}`, {
        headers,
      })
      const complete = await frames.next('snapshot:complete')
      expect(complete).toMatchObject({ resumed: false, progressive: expect.any(Boolean) })
      const [connected, subscribed] = frames.frames
      expect(connected).toMatchObject({
        type: 'connected',
        seq: 1,
        stream_id: expect.stringMatching(/^ws_/),
        tier: 'pro',
        features: { ev: true, arbitrage: true, middles: true, low_hold: true },
        global_seq: expect.any(Number),
        books: { max: 15, allowed: expect.arrayContaining(['draftkings']) },
        timestamp: expect.stringMatching(/Z$/),
      })
      expect(subscribed).toMatchObject({ type: 'subscribed', min_ev: 2, min_profit: 0.5 })
      expectNumbered(frames)
      frames.close()
    }
  })

  it('chooses a subprotocol of those offered', async () => {
    const headers = { 'X-API-Key': await keyOf('enterprise') }
    for (const [protocols, chosen] of [
      [[], ''],
      [['first', 'odds-json-v1', 'other-v1'], 'odds-json-v1'],
      [['first', 'second'], 'first'],
    ] as [string[], string][]) {
      const frames = await openFrames(`${service.base}/ws`, { headers, protocols })
      expect(frames.protocol).toBe(chosen)
      frames.close()
    }
  })

  it('with an invalid key gets the reason and closes with 4001', async () => {
    const expired = await account('enterprise')
    await service.accounts.change(expired.accountId, { expiresAt: service.clock() - 1 })
    const disabled = await account('enterprise')
    await service.accounts.change(disabled.accountId, { isDisabled: true })
    for (const [key, code] of [
      ['sk_live_nobody', 'invalid_api_key'],
      [expired.key, 'expired_api_key'],
      [disabled.key, 'disabled_api_key'],
    ] as const) {
      const frames = await openFrames(`${service.base}/ws?api_key=${key}`)
      expect((await frames.closed).code).toBe(4001)
      expect(frames.frames).toMatchObject([{ type: 'error', code, message: expect.any(String) }])
    }
  })

  it.each<[Tier, AddOn[]]>([
    ['free', ['streaming']],
    ['hobby', []],
    ['sharp', []],
  ])('of %s with add-ons %j is closed with 4003', async (tier, addOns) => {
    const frames = await socket('', await keyOf(tier, addOns))
    expect((await frames.closed).code).toBe(4003)
    expect(frames.frames).toMatchObject([{ type: 'error', code: 'tier_restricted' }])
  })

  it('leaves out what its tier may not have, and reports only what was named', async () => {
    const key = await keyOf('hobby', ['streaming'])
    const unnamed = await socket('', key)
    await unnamed.next('snapshot:complete')
    const shown = unnamed.frames.filter(({ type }) => type === 'opportunities_snapshot')
    expect(shown.map(({ ev, arbitrage }) => [ev, Array.isArray(arbitrage)])).toEqual([
      [undefined, true],
    ])
    expect(unnamed.frames.filter(({ type }) => type === 'error')).toEqual([])
    unnamed.close()

    const named = await socket('channels=ev,arbitrage', key)
    expect(await named.next('error')).toMatchObject({ code: 'tier_restricted' })
    expect((await named.next('subscribed')).channels).toEqual(['arbitrage'])
    await named.next('snapshot:complete')
    expectNumbered(named)
    named.close()

    const none = await socket('channels=ev,gamestate', key)
    expect((await none.closed).code).toBe(4003)
    expect(none.frames.at(-1)).toMatchObject({ type: 'error', code: 'tier_restricted' })
  })

  it('takes the valid channels and filters of its address', async () => {
    const key = await keyOf('enterprise')
    const some = await socket('channels=odds,nonsense', key)
    expect((await some.next('subscribed')).channels).toEqual(['odds'])
    await some.next('snapshot:complete')
    expect(some.frames.filter(({ type }) => type === 'error')).toEqual([])
    some.close()

    const no = await socket('channels=nonsense', key)
    expect(await no.next('error')).toMatchObject({ code: 'missing_channels' })
    no.send({ type: 'subscribe', channels: ['odds'] })
    await no.next('snapshot:complete')
    expect((await no.next('subscribed')).channels).toEqual(['odds'])
    no.close()

    const partly = await socket('channels=odds&league=nba,nonsense', key)
    expect(await partly.next('error')).toMatchObject({ code: 'invalid_filter' })
    expect((await partly.next('subscribed')).leagues).toEqual(['nba'])
    await partly.next('snapshot:complete')
    expect(partly.frames.some(({ type }) => type === 'initial')).toBe(true)
    partly.close()

    const nothing = await socket('channels=odds&league=nonsense', key)
    expect(await nothing.next('error')).toMatchObject({ code: 'invalid_filter' })
    await nothing.next('snapshot:complete')
    expect(rowsIn(nothing)).toBe(0)
    nothing.close()
  })
})

const rowsIn = ({ frames }: Frames) =>
  frames.reduce((sum, { type, count }) => sum + (type === 'initial' ? count : 0), 0)

describe('authentication by frame', () => {
  it('allows only auth and ping before it', async () => {
    const key = await keyOf('enterprise')
    const frames = await socket('channels=odds', '')
    for (const [sent, type, code] of [
      [{ type: 'ping' }, 'pong'],
      [{ type: 'subscribe', channels: ['odds'] }, 'error', 'not_authenticated'],
      [{ type: 'filter', filters: {} }, 'error', 'not_authenticated'],
      [{ type: 'refresh_token', token: key }, 'error', 'not_authenticated'],
      [{ type: 'auth' }, 'error', 'missing_token'],
      [{ type: 'auth', token: '' }, 'error', 'missing_token'],
    ] as [object, string, string?][]) {
      const from = frames.frames.length
      frames.send(sent)
      const answer = await frames.next(type, from)
      expect([sent, answer.code]).toEqual([sent, code])
    }
    frames.send({ type: 'auth', token: key })
    await frames.next('snapshot:complete')
    frames.send({ type: 'auth', token: key })
    expect(await frames.next('error', frames.frames.length)).toMatchObject({
      code: 'already_authenticated',
    })
    expectNumbered(frames)
    frames.close()
  })

  it('accepts the key as api_key too, and continues as if it had been in the address', async () => {
    const frames = await socket('channels=odds&league=nba', '')
    frames.send({ type: 'auth', api_key: await keyOf('enterprise') })
    expect(await frames.next('connected')).toMatchObject({ tier: 'enterprise' })
    expect(await frames.next('subscribed')).toMatchObject({ channels: ['odds'], leagues: ['nba'] })
    await frames.next('snapshot:complete')
    frames.close()
  })

  it('closes with 4001 on a bad key and 4003 without the right to stream', async () => {
    for (const [key, code, close] of [
      ['sk_live_nobody', 'invalid_api_key', 4001],
      [await keyOf('pro'), 'tier_restricted', 4003],
    ] as const) {
      const frames = await socket('', '')
      frames.send({ type: 'auth', token: key })
      expect((await frames.closed).code).toBe(close)
      expect(frames.frames.at(-1)).toMatchObject({ type: 'error', code })
    }
  })

  it('closes with 4001 when no key has come in time', async () => {
    const timers = createSteppedTimers()
    const other = await startInProcess({ streams: { timers } })
    try {
      const frames = await openFrames(`${other.base}/ws`)
      frames.send({ type: 'ping' })
      await frames.next('pong')
      await timers.pass(10_000)
      expect((await frames.closed).code).toBe(4001)
      expect(frames.frames.at(-1)).toMatchObject({ type: 'error', code: 'missing_api_key' })
    } finally {
      await other.close()
    }
  })

  it('accepts another key of the account, and no other', async () => {
    const { accountId, key } = await account('enterprise')
    const { value: second } = await service.accounts.grantKey(accountId, {
      name: 'second',
      maxStreams: null,
    })
    const frames = await socket('channels=odds', key)
    await frames.next('snapshot:complete')

    frames.send({ type: 'refresh_token' })
    expect((await frames.next('error')).code).toBe('missing_token')
    const from = frames.frames.length
    frames.send({ type: 'refresh_token', token: second })
    expect(await frames.next('subscribed', from)).toMatchObject({ channels: ['odds'] })
    await eventually('the stream counts for the new key', async () => {
      return (await usageOf(second)).active === 1 && (await usageOf(key)).active === 0
    })

    frames.send({ type: 'refresh_token', token: await keyOf('enterprise') })
    expect((await frames.closed).code).toBe(4001)
    expect(frames.frames.at(-1)).toMatchObject({ type: 'error', code: 'invalid_api_key' })
    expectNumbered(frames)
  })
})

describe('frames of a client', () => {
  it.each<[string, object | string | Buffer]>([
    ['invalid_message', 'no json'],
    ['invalid_message', '[]'],
    ['invalid_message', 'null'],
    ['invalid_message', {}],
    ['invalid_message', { type: 5 }],
    ['invalid_message', Buffer.from('{"type":"ping"}')],
    ['invalid_message', { type: 'subscribe', filters: 5 }],
    ['invalid_message', { type: 'subscribe', filters: { leagues: 5 } }],
    ['invalid_message', { type: 'subscribe', filters: { min_ev: 'much' } }],
    ['unknown_message_type', { type: 'nonsense' }],
    ['missing_channels', { type: 'subscribe', channels: [] }],
    ['missing_channels', { type: 'subscribe', channels: ['nonsense'] }],
    ['missing_channels', { type: 'subscribe', channels: 5 }],
    ['invalid_filter', { type: 'subscribe', filters: { leagues: ['nonsense'] } }],
    ['tier_restricted', { type: 'subscribe', channels: ['odds', 'gamestate'] }],
  ])('that are invalid get the error %s, and the socket stays open: %j', async (code, frame) => {
    const frames = await socket('channels=odds&event_id=x', await keyOf('pro', ['streaming']))
    await frames.next('snapshot:complete')
    frames.send(frame)
    expect((await frames.next('error')).code).toBe(code)
    frames.send({ type: 'ping' })
    await frames.next('pong')
    expectNumbered(frames)
    frames.close()
  })

  it('are limited to 20 a second, and the socket closed with 1008 when that does not help', async () => {
    const frames = await socket('channels=odds&event_id=x', await keyOf('enterprise'))
    await frames.next('snapshot:complete')
    for (let i = 0; i < 200; i++) frames.send({ type: 'ping' })
    expect((await frames.closed).code).toBe(1008)
    const limited = frames.frames.filter(({ code }) => code === 'rate_limited')
    expect(limited.length).toBeGreaterThan(0)
    expect(limited.length).toBeLessThan(10)
    expectNumbered(frames)
  })

  it('change channels and filters: more is sent, less is only confirmed', async () => {
    const frames = await socket('channels=odds&league=nba', await keyOf('enterprise'))
    await frames.next('snapshot:complete')
    const rows = rowsIn(frames)
    expect(rows).toBeGreaterThan(0)

    const from = frames.frames.length
    frames.send({ type: 'filter', filters: { sportsbook: 'draftkings', minEv: 3 } })
    expect(await frames.next('subscribed', from)).toMatchObject({
      channels: ['odds'],
      leagues: ['nba'],
      sportsbooks: ['draftkings'],
      min_ev: 3,
    })
    frames.send({ type: 'ping' })
    await frames.next('pong')
    expect(frames.frames.slice(from).map(({ type }) => type)).toEqual(['subscribed', 'pong'])

    const further = frames.frames.length
    frames.send({
      type: 'subscribe',
      channels: ['odds', 'arbitrage'],
      filters: { leagues: null, books: [] },
    })
    expect(await frames.next('subscribed', further)).toMatchObject({
      channels: expect.arrayContaining(['odds', 'arbitrage']),
      leagues: null,
      sportsbooks: null,
    })
    await frames.next('snapshot:complete', further)
    const shown = frames.frames.slice(further)
    expect(shown.some(({ arbitrage }) => arbitrage)).toBe(true)
    const shownRows = shown.reduce(
      (sum, { type, count }) => sum + (type === 'initial' ? count : 0),
      0,
    )
    expect(shownRows).toBeGreaterThan(rows)
    expectNumbered(frames)
    frames.close()
  })
})

describe('streams at once', () => {
  it.each<[Tier, AddOn[], number]>([
    ['pro', ['streaming'], 10],
    ['enterprise', [], 50],
  ])('%s with add-ons %j has %i of both transports together', async (tier, addOns, most) => {
    const key = await keyOf(tier, addOns)
    const open: Open[] = []
    for (let i = 0; i < most; i++) open.push(await openOne(i % 2 ? 'sse' : 'websocket', key))
    await Promise.all(open.map((stream) => stream.ready()))
    expect(await usageOf(key)).toEqual({ active: most, max: most })

    const refused = await sse('/stream/odds', key)
    expect([refused.status, refused.refusal.code]).toEqual([429, 'too_many_streams'])
    const closed = await socket('', key)
    expect((await closed.closed).code).toBe(4029)
    expect(closed.frames).toMatchObject([{ type: 'error', code: 'too_many_streams' }])
    const byFrame = await socket('', '')
    byFrame.send({ type: 'auth', token: key })
    expect((await byFrame.closed).code).toBe(4029)
    expect((await usageOf(key)).active).toBe(most)

    open.shift()?.close()
    await eventually('a slot is free', async () => (await usageOf(key)).active === most - 1)
    const again = await openOne('sse', key)
    await again.ready()
    for (const stream of [again, ...open]) stream.close()
    await eventually('all slots are free', async () => (await usageOf(key)).active === 0)
  })

  it('none remains of 10,000 that were connected and aborted at every moment', async () => {
    const key = await keyOf('enterprise')
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n'
    const request = (path: string, more = '') =>
      `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${more}\r\n`
    const kinds = [
      request(`/stream/odds?event=${liveEvent}`),
      request('/stream/odds'),
      request('/stream/all?proof=true'),
      request(`/ws?channels=odds&event_id=${liveEvent}`, upgrade),
      request('/ws', upgrade),
    ]
    const answers = new Map<string, number>()
    let begun = 0

    /** @param moment when to abort. 0: when sent; 1: at the first byte; more: after this many bytes */
    const abort = (bytes: string, moment: number) =>
      new Promise<void>((resolve) => {
        const socket = connect(service.port, '127.0.0.1', () => {
          socket.write(bytes, () => moment === 0 && socket.destroy())
        })
        let received = 0
        socket.on('data', (data) => {
          if (received === 0) {
            const status = data.toString('latin1', 9, 12)
            answers.set(status, (answers.get(status) ?? 0) + 1)
          }
          received += data.length
          if (received >= moment) socket.destroy()
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })

    async function abortMany() {
      while (begun < 10_000) {
        const i = begun++
        // A minute's step stays within the rate limits.
        if (i % 1_000 === 0) service.advance(60_000)
        await abort(kinds[i % kinds.length]!, [0, 1, 1, 3_000][i % 4]!)
      }
    }
    await Promise.all(Array.from({ length: 40 }, abortMany))
    await eventually('all slots are free', async () => (await usageOf(key)).active === 0)
    expect(answers.get('200') ?? 0).toBeGreaterThan(2_000)
    expect(answers.get('101') ?? 0).toBeGreaterThan(2_000)
    const open = await openOne('sse', key)
    await open.ready()
    expect((await usageOf(key)).active).toBe(1)
    open.close()
  })
})

describe('an open stream', () => {
  const ends: [string, string, number, (of: Awaited<ReturnType<typeof account>>) => unknown][] = [
    [
      'whose account is disabled',
      'disabled_api_key',
      4001,
      ({ accountId }) => service.accounts.change(accountId, { isDisabled: true }),
    ],
    [
      'whose account expires by the clock',
      'expired_api_key',
      4001,
      async ({ accountId }) => {
        await service.accounts.change(accountId, { expiresAt: service.clock() + 1_000 })
        service.advance(1_001)
      },
    ],
    [
      'whose key is deleted',
      'invalid_api_key',
      4001,
      ({ accountId, keyId }) => service.accounts.revokeKey(accountId, keyId),
    ],
    [
      'whose key is rotated without grace',
      'invalid_api_key',
      4001,
      ({ key, keyId }) => rotate(key, keyId, 0),
    ],
    [
      'whose key was rotated and the grace is over',
      'expired_api_key',
      4001,
      async ({ key, keyId }) => {
        await rotate(key, keyId, 3_600_000)
        service.advance(3_600_001)
      },
    ],
    [
      'whose add-on ends',
      'tier_restricted',
      4003,
      ({ accountId }) => service.accounts.change(accountId, { addOns: [] }),
    ],
    [
      'whose account is of the free tier now',
      'tier_restricted',
      4003,
      ({ accountId }) => service.accounts.change(accountId, { tier: 'free' }),
    ],
  ]

  const rotate = (key: string, keyId: string, graceMs: number) =>
    service.accounts.rotateKey(service.accounts.keyring.authenticate(key, service.clock()), keyId, {
      graceMs,
    })

  it.each(ends)('%s ends with %s (%i)', async (_, code, close, change) => {
    const of = await account('pro', ['streaming'])
    const streams = await Promise.all([openOne('sse', of.key), openOne('websocket', of.key)])
    for (const stream of streams) await stream.ready()
    await change(of)
    expect(await Promise.all(streams.map((stream) => stream.end()))).toEqual([
      [code, null],
      [code, close],
    ])
  })

  it('goes on while the grace of its rotated key lasts', async () => {
    const { key, keyId } = await account('pro', ['streaming'])
    const events = await sse(`/stream/odds?event=x&heartbeat_seconds=1`, key)
    await events.next('snapshot:complete')
    await rotate(key, keyId, 3_600_000)
    // The second heartbeat comes after the key was checked, which happens every second.
    await events.next('heartbeat', events.blocks.length)
    await events.next('heartbeat', events.blocks.length)
    expect(events.blocks.some(({ event }) => event === 'error')).toBe(false)
    events.close()
  })

  it.each<[Tier, Tier]>([
    ['enterprise', 'hobby'],
    ['hobby', 'sharp'],
  ])('shows the view of its tier when that changes from %s to %s', async (before, after) => {
    for (const transport of ['sse', 'websocket'] as const) {
      const { accountId, key } = await account(before, ['streaming'])
      const client = openStreamClient({
        base: service.base,
        key,
        transport,
        channels: ['odds'],
        heartbeatSeconds: 1,
        reconnectMs: 20,
      })
      const books = () =>
        [...new Set([...client.odds.values()].map((row) => row.sportsbook))].sort()
      const isOf = (tier: Tier) => (book: string) => tierBooks[tier]?.has(book) ?? true
      const onBoard = [...service.boards.live.sportsbooksWithRows()].sort()
      await eventually('a snapshot', () => client.isReady())
      expect(books()).toEqual(onBoard.filter(isOf(before)))
      await service.accounts.change(accountId, { tier: after })
      await eventually(`the sportsbooks of ${after}`, () => {
        return client.isReady() && books().join() === onBoard.filter(isOf(after)).join()
      })
      expect(client.failure()).toBeNull()
      client.close()
    }
  })
})
