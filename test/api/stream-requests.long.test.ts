/** Requests of stream clients: unknown filters, unknown events, fields, and the US state of links. */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOddsBook } from '../../api/clients/typescript/src/stream/odds-book.ts'
import {
  append,
  appendPlace,
  clearFrames,
  createFrames,
  eachBytes,
  endFrame,
  number,
} from '../../api/stream/framing/frames.ts'
import { completeLinks } from '../../api/stream/framing/state-links.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { clientFrames } from '../../schemas/stream/client-frames.ts'
import { filterSpellings } from '../../schemas/stream/filters.ts'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import { moneyline } from './hand-made-market.ts'
import { type InProcess, keys, oddsRecord, startInProcess } from './service-in-process.ts'
import { type Frames, openEvents, openFrames } from './stream-reader.ts'

let service: InProcess
let liveEvent: string
let key: string
beforeAll(async () => {
  service = await startInProcess()
  liveEvent = (await fillBoard(service)).live
  await fillOpportunities(service)
  key = await keyOf('enterprise')
})
afterAll(() => service.close())

async function keyOf(tier: Tier): Promise<string> {
  const account = { name: tier, tier, addOns: ['streaming'], expiresAt: null } as const
  return (await service.accounts.create(account)).value
}

const sse = (path: string, as = key) => openEvents(service.base + path, { 'X-API-Key': as })

const socket = (query: string) =>
  openFrames(`${service.base}/ws?${query}`, { headers: { 'X-API-Key': key } })

const rest = (path: string, as = key) => service.request(path, { headers: { 'X-API-Key': as } })

describe('a frame with filters', () => {
  /** Returns the frames sent in response to a frame, up to the reply to a ping. */
  async function answersTo(frames: Frames, frame: object) {
    const from = frames.frames.length
    frames.send(frame)
    frames.send({ type: 'ping' })
    await frames.next('pong', from)
    return frames.frames.slice(from, -1)
  }

  it('that are unknown are answered with the names and the known ones, and have no effect', async () => {
    const frames = await socket('channels=odds&league=nba')
    await frames.next('snapshot:complete')
    for (const type of ['subscribe', 'filter']) {
      const filters = { leages: ['nhl'], sports: 'soccer', state: 'nj' }
      const [error, ...others] = await answersTo(frames, { type, filters })
      expect(others).toEqual([])
      expect(error).toMatchObject({ type: 'error', code: 'validation_error' })
      expect(error.message).toContain('leages (did you mean leagues?), state;')
      for (const name of new Set(filterSpellings.values())) expect(error.message).toContain(name)
    }
    // If the refused filter had counted, soccer would be in the query.
    const [subscribed] = await answersTo(frames, { type: 'filter', filters: {} })
    expect(subscribed).toMatchObject({ type: 'subscribed', sports: null, leagues: ['nba'] })
    frames.close()
  })

  it.each([
    ['Sport-Books', 'sportsbooks'],
    ['evnt', 'eventIds'],
    ['minProft', 'min_profit'],
    ['MARKETS', 'markets'],
    ['max_ev', undefined],
    ['status', undefined],
    ['', undefined],
  ])('named %j get the suggestion %s', async (name, meant) => {
    const frames = await socket('channels=odds&event_id=x')
    await frames.next('snapshot:complete')
    const [{ message }] = await answersTo(frames, { type: 'filter', filters: { [name]: 'x' } })
    expect(/did you mean (\w+)\?/.exec(message)?.[1]).toBe(meant)
    expect(message.length).toBeLessThan(400)
    frames.close()
  })

  it('with many or long unknown names get a few of them, in part', async () => {
    const frames = await socket('channels=odds&event_id=x')
    await frames.next('snapshot:complete')
    const filters = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x${i}`, i]))
    const [{ message }] = await answersTo(frames, { type: 'filter', filters })
    expect(message).toContain('x4 and 995 more')
    expect(message.length).toBeLessThan(400)
    const long = { type: 'filter', filters: { ['sports'.repeat(1_000)]: 'x' } }
    const [{ message: ofLong }] = await answersTo(frames, long)
    expect(ofLong).toContain(`filter ${'sports'.repeat(10)}…;`)
    expect(ofLong.length).toBeLessThan(400)
    frames.close()
  })

  it('in any of their spellings are accepted', async () => {
    const frames = await socket('channels=odds&event_id=x')
    await frames.next('snapshot:complete')
    for (const example of clientFrames.subscribe.examples) {
      expect(await answersTo(frames, example)).toContainEqual(
        expect.objectContaining({ type: 'subscribed' }),
      )
    }
    const all = Object.fromEntries([...filterSpellings.keys()].map((spelling) => [spelling, null]))
    expect((await answersTo(frames, { type: 'filter', filters: all }))[0]?.type).toBe('subscribed')
    frames.close()
  })
})

describe('a WebSocket with an invalid query', () => {
  /** Longer than the wait of a client without a query for its snapshot (ms). */
  const later = 400

  async function isQuiet(frames: Frames) {
    await new Promise((resolve) => setTimeout(resolve, later))
    const types = new Set(frames.frames.map(({ type }) => type))
    for (const type of ['connected', 'error', 'pong']) types.delete(type)
    expect([...types]).toEqual([])
  }

  it.each([
    [{ channels: ['arb'] }, 'invalid_message'],
    [{ type: 'subscribe', channels: ['arb'] }, 'missing_channels'],
    [{ type: 'subscribe', channels: 'odds' }, 'missing_channels'],
    [{ type: 'subscribe', chanels: ['odds'] }, 'validation_error'],
    [{ type: 'subscribe', leauges: ['nba'] }, 'validation_error'],
    [{ type: 'subscribe', filters: { leauges: ['nba'] } }, 'validation_error'],
    [{ type: 'subscribe', filters: { min_odds: 'much' } }, 'invalid_message'],
    [{ type: 'subscribe', filters: { kinds: ['arb'] } }, 'invalid_message'],
    [{ type: 'subscrbe', channels: ['odds'] }, 'unknown_message_type'],
  ])('%j gets %s, and no data before its next query', async (frame, code) => {
    const frames = await socket('')
    frames.send(frame)
    expect((await frames.next('error')).code).toBe(code)
    await isQuiet(frames)
    frames.send({ type: 'subscribe', channels: ['odds'], filters: { leagues: ['nba'] } })
    await frames.next('snapshot:complete')
    expect((await frames.next('subscribed')).channels).toEqual(['odds'])
    frames.close()
  })

  it.each([
    ['channels=arb', 'missing_channels', { type: 'filter', filters: { leagues: 'nba' } }, {}],
    [
      'channels=odds&leauge=nba',
      'validation_error',
      { type: 'subscribe', channels: ['odds'] },
      { filters: { leagues: 'nba' } },
    ],
    [
      'channels=odds&min_odds=much',
      'validation_error',
      { type: 'subscribe' },
      { filters: { min_odds: 100 } },
    ],
    ['kinds=arb', 'validation_error', { type: 'subscribe' }, { filters: { kinds: ['ev'] } }],
  ])(
    'in its address %s gets %s, until a frame corrects it',
    async (query, code, silent, correction) => {
      const frames = await socket(query)
      expect((await frames.next('error')).code).toBe(code)
      await isQuiet(frames)
      const from = frames.frames.length
      frames.send(silent)
      expect((await frames.next('error', from)).code).toBe(code)
      await isQuiet(frames)
      frames.send({ type: 'subscribe', channels: ['odds', 'ev'], ...correction })
      await frames.next('snapshot:complete')
      frames.close()
    },
  )

  it('continues if only its resume data is malformed', async () => {
    const frames = await socket('channels=odds&league=nba&resume_from=x&heartbeat_seconds=0')
    expect((await frames.next('error')).code).toBe('validation_error')
    await frames.next('snapshot:complete')
    frames.close()
  })
})

describe('an event stream', () => {
  it.each(['kinds=arb', 'channel=arb', 'leauge=nba', 'min_age_ms=x', 'event_cooldown_ms=-1'])(
    'is refused %s',
    async (query) => {
      const { status, refusal } = await sse(`/stream?${query}`)
      expect([status, refusal.code]).toEqual([400, 'validation_error'])
    },
  )

  it('is refused for its key first, then for its parameters, with the limits of the key', async () => {
    const path = '/stream?leauge=nba'
    for (const [as, status] of [
      ['', 401],
      ['no key', 401],
      [keys.free, 403],
    ] as const) {
      expect((await sse(path, as)).status).toBe(status)
    }
    const own = await keyOf('enterprise')
    const [first, second] = [await sse(path, own), await sse(path, own)]
    expect([first.status, first.refusal.code]).toEqual([400, 'validation_error'])
    expect(first.headers).toMatchObject({ 'x-tier': 'enterprise', 'x-data-delay': '0' })
    const left = (of: typeof first) => Number(of.headers['x-ratelimit-remaining'])
    expect(left(second)).toBe(left(first) - 1)
  })

  it('gives the time to reconnect in its first block', async () => {
    const events = await sse('/stream')
    await events.next('snapshot:complete')
    expect(events.text()).toMatch(/^retry: 3000\nevent: connected\nid: evt_00001\ndata: /)
    expect(events.text().match(/retry:/g)).toHaveLength(1)
    events.close()
  })

  it('without names has its data only', async () => {
    const events = await sse('/stream?type=all&heartbeat_seconds=1')
    await events.next('heartbeat')
    const types = new Set(
      events.blocks.filter(({ event }) => event === '').map(({ body }) => body.type),
    )
    expect([...types]).toEqual(['initial'])
    const named = new Set(events.blocks.map(({ event }) => event))
    expect([...named]).toEqual(
      expect.arrayContaining(['connected', 'snapshot', 'snapshot:complete', '']),
    )
    events.close()
  })
})

describe('the stream of an event', () => {
  it('that does not exist is refused like the event', async () => {
    const own = await keyOf('enterprise')
    for (const id of ['nobody', '__proto__', 'x'.repeat(90), 'nba_a_b_2026-11-20']) {
      const refused = await sse(`/stream/events/${id}`, own)
      const { status, body } = await rest(`/events/${id}`, own)
      expect([refused.status, refused.refusal]).toEqual([status, body.error])
      expect(refused.refusal.code).toBe('not_found')
    }
    // Refused streams keep no slot.
    expect((await rest('/account/usage', own)).body.data.streams.active).toBe(0)
  })

  it('that the account does not see is refused alike, and opened for one that does', async () => {
    const record = oddsRecord(service.clock(), {
      sportsbook: 'pinnacle',
      home: 'Phoenix Suns',
      away: 'Orlando Magic',
    })
    await service.ingest([record])
    await service.settled()
    const { body } = await rest('/events?team=suns')
    const [{ id }] = body.data
    const hobby = await keyOf('hobby')
    const [hidden, absent] = [
      await sse(`/stream/events/${id}`, hobby),
      await sse('/stream/events/nobody', hobby),
    ]
    expect(hidden.status).toBe(404)
    const text = JSON.stringify(hidden.refusal).replaceAll(id, 'nobody')
    expect(JSON.parse(text)).toEqual(absent.refusal)

    const seen = await sse(`/stream/events/${id}`)
    expect((await seen.next('snapshot')).body.odds.length).toBeGreaterThan(0)
    seen.close()
  })

  it('can be requested by an id without its end, like the event', async () => {
    const older = liveEvent.replace(/_b\d.*$/, '')
    expect(older).not.toBe(liveEvent)
    expect((await rest(`/events/${older}`)).body.data.id).toBe(liveEvent)
    const events = await sse(`/stream/events/${older}`)
    expect((await events.next('connected')).body.filters.event).toEqual([liveEvent])
    const { odds } = (await events.next('snapshot')).body
    expect(odds.length).toBeGreaterThan(0)
    expect(new Set(odds.map((row: { event_id: string }) => row.event_id))).toEqual(
      new Set([liveEvent]),
    )
    events.close()
  })
})

describe('the fields of a stream', () => {
  const requested = 'league=nba&sportsbook=draftkings'
  const membersOf = (rows: readonly object[]) => [
    ...new Set(rows.map((row) => Object.keys(row).join())),
  ]

  it('are the only ones in rows beside the id, in snapshots and later, for each client its own', async () => {
    const some = await sse(`/stream/odds?${requested}&fields=odds_decimal,home_team`)
    const others = await sse(`/stream/odds?${requested}&fields=is_active,id`)
    const frames = await socket(`channels=odds&${requested}&fields=line,home_team`)
    const readers = [some, others, frames]
    for (const reader of readers) await reader.next('snapshot:complete')
    const game = { sportsbook: 'draftkings', home: 'Orlando Magic', away: 'Chicago Bulls' }
    const say = (price: number) =>
      service.ingest([oddsRecord(service.clock(), { ...game, markets: [moneyline(price, 1.8)] })])
    await say(2.1)
    const whole = (await some.next('odds:update')).body.odds
    expect(membersOf(whole)).toEqual(['id,odds_decimal,home_team'])
    expect(membersOf((await others.next('odds:update')).body.odds)).toEqual(['is_active,id'])
    expect(membersOf((await frames.next('odds:update')).data)).toEqual(['id,line,home_team'])
    const from = some.blocks.length
    await say(2.2)
    const [moved] = (await some.next('odds:update', from)).body.odds
    expect(moved).toEqual({ id: moved.id, odds_decimal: 2.2 })
    const snapshot = some.blocks.filter(({ event }) => event === 'snapshot')
    expect(membersOf(snapshot.flatMap(({ body }) => body.odds))).toEqual([
      'id,odds_decimal,home_team',
    ])
    const initial = frames.frames.filter(({ type }) => type === 'initial')
    expect(membersOf(initial.flatMap(({ data }) => data))).toEqual(['id,line,home_team'])
    for (const reader of readers) reader.close()
  })

  it('are refused if rows have no such field, over SSE as by REST', async () => {
    const { status, refusal } = await sse('/stream/odds?fields=id,price')
    const { body } = await rest('/odds/delta?since=2026-11-20T11:00:00Z&fields=id,price')
    expect([status, refusal.code, refusal.message]).toEqual([
      400,
      body.error.code,
      body.error.message,
    ])
    expect(body.error.code).toBe('validation_error')
    const frames = await socket('channels=odds&event_id=x&fields=price,line')
    expect(await frames.next('error')).toMatchObject({
      code: 'validation_error',
      message: expect.stringMatching(/^fields names price;/),
    })
    expect(await frames.next('subscribed')).toMatchObject({ fields: ['line'] })
    frames.close()
  })

  it('prove a book if they include those of the checksum', async () => {
    const fields = 'odds_decimal,odds_american,line,is_live,is_active'
    const events = await sse(`/stream/odds?${requested}&proof=true&fields=${fields}`)
    const { rows, checksum } = (await events.next('snapshot:complete')).body
    const book = createOddsBook()
    for (const { body } of events.blocks) {
      for (const row of body.odds ?? []) book.merge({ ...row, sportsbook: '', event_id: '' })
    }
    expect([book.rows.size, book.checksum()]).toEqual([rows, checksum])
    events.close()
  })
})

describe('the opportunities of a stream', () => {
  const families = ['ev', 'arbitrage', 'middles', 'low_hold']

  it('are counted as they are sent, family by family, the best first', async () => {
    const events = await sse('/stream?min_profit=0&min_ev=0')
    const { total_opportunities } = (await events.next('snapshot:complete')).body
    const chunks = events.blocks.filter(({ event }) => event === 'snapshot')
    const named = chunks.map(({ body }) => families.find((family) => family in body)!)
    expect([...new Set(named)]).toEqual(families)
    let sum = 0
    for (const family of families) {
      const ofFamily = chunks.filter(({ body }) => family in body).map(({ body }) => body)
      const items = ofFamily.flatMap((body) => body[family])
      let offset = 0
      for (const { count, total, offset: sentOffset, has_more, [family]: sent } of ofFamily) {
        expect([count, total, sentOffset]).toEqual([sent.length, items.length, offset])
        offset += count
        expect(has_more).toBe(offset < total)
      }
      sum += items.length
      if (family !== 'low_hold') continue
      const holds = items.map(({ hold_percentage }) => hold_percentage)
      expect(new Set(holds).size).toBeGreaterThan(1)
      expect(holds).toEqual(holds.toSorted((a, b) => a - b))
    }
    expect([sum, sum > 0]).toEqual([total_opportunities, true])
    events.close()
  })

  it('and the prices beside them come with their number', async () => {
    const events = await sse('/stream/all')
    const { total_odds, total_opportunities } = (await events.next('snapshot:complete')).body
    const sent = { odds: 0, opportunities: 0 }
    for (const { event, body } of events.blocks) {
      if (event !== 'snapshot') continue
      const name = ['odds', ...families].find((one) => one in body)!
      expect([body.offset + body.count <= body.total, body.count]).toEqual([
        true,
        body[name].length,
      ])
      sent[name === 'odds' ? 'odds' : 'opportunities'] += body.count
    }
    expect(sent).toEqual({ odds: total_odds, opportunities: total_opportunities })
    expect(Math.min(total_odds, total_opportunities)).toBeGreaterThan(0)
    events.close()

    const frames = await socket('channels=ev,odds,arbitrage')
    const complete = await frames.next('snapshot:complete')
    const initial = frames.frames.filter(({ type }) => type === 'initial')
    const rows = initial.flatMap(({ data }) => data)
    expect([complete.total_odds, rows.length]).toEqual([total_odds, total_odds])
    expect([...complete.books].sort()).toEqual(
      [...new Set(initial.map(({ source }) => source))].sort(),
    )
    const received = frames.frames.filter(({ type }) => type === 'opportunities_snapshot')
    expect(received.map((frame) => families.find((one) => one in frame))).toEqual([
      'ev',
      'arbitrage',
    ])
    frames.close()
  })

  it('are of the kinds it names', async () => {
    const events = await sse('/stream?kinds=ARBITRAGE,ev')
    await events.next('snapshot:complete')
    const chunks = events.blocks.filter(({ event }) => event === 'snapshot')
    expect(chunks.map(({ body }) => families.find((family) => family in body))).toEqual([
      'ev',
      'arbitrage',
    ])
    events.close()
    const frames = await socket('kinds=low_hold')
    await frames.next('snapshot:complete')
    const kinds = frames.frames.filter(({ type }) => type === 'opportunities_snapshot')
    expect(kinds.every((frame) => 'low_hold' in frame)).toBe(true)
    expect(await frames.next('subscribed')).toMatchObject({ kinds: ['low_hold'] })
    frames.close()
  })

  it.each([
    ['only=odds,gamestate', ['gamestate:snapshot', 'odds']],
    ['only=gamestate', ['gamestate:snapshot']],
    ['only=ODDS,ev', ['ev', 'odds']],
    ['channel=odds&only=arbitrage', ['arbitrage']],
    ['only=ev,odds,gamestate&kinds=ev', ['ev', 'gamestate:snapshot', 'odds']],
  ])('with %s are exactly those channels', async (query, wanted) => {
    const events = await sse(`/stream?${query}`, await keyOf('enterprise'))
    await events.next('snapshot:complete')
    const told = events.blocks.flatMap(({ event, body }) =>
      event === 'snapshot'
        ? ['odds', ...families].filter((name) => name in body)
        : event === 'gamestate:snapshot'
          ? [event]
          : [],
    )
    expect([...new Set(told)].toSorted()).toEqual(wanted)
    expect(events.blocks[0]).toMatchObject({ event: 'connected', body: { channel: 'all' } })
    expect(events.blocks.map(({ event }) => event)).not.toContain('error')
    events.close()
  })

  it('of an exact list that the tier lacks are reported, or refused where it has none', async () => {
    const hobby = await keyOf('hobby')
    const events = await sse('/stream?only=odds,ev,gamestate', hobby)
    expect((await events.next('error')).body).toMatchObject({
      code: 'tier_restricted',
      message: expect.stringMatching(/does not include \+EV and states of games/),
    })
    await events.next('snapshot:complete')
    const rows = events.blocks.filter(({ event }) => event === 'snapshot')
    expect(rows.every(({ body }) => 'odds' in body)).toBe(true)
    events.close()
    const { status, refusal } = await sse('/stream?only=gamestate', hobby)
    expect([status, refusal.code, refusal.addon]).toEqual([403, 'tier_restricted', 'game_state'])
    expect((await sse('/stream?only=arb', hobby)).refusal.code).toBe('validation_error')
    expect((await sse('/stream/odds?only=odds', hobby)).refusal.code).toBe('validation_error')
  })

  it('of a kind that the tier lacks are refused, or reported', async () => {
    const hobby = await keyOf('hobby')
    const { status, refusal } = await sse('/stream?kinds=ev', hobby)
    expect([status, refusal.code]).toEqual([403, 'tier_restricted'])
    const frames = await openFrames(`${service.base}/ws?kinds=ev,arbitrage`, {
      headers: { 'X-API-Key': hobby },
    })
    expect((await frames.next('error')).code).toBe('tier_restricted')
    await frames.next('snapshot:complete')
    const [shown] = frames.frames.filter(({ type }) => type === 'opportunities_snapshot')
    expect(shown).toHaveProperty('arbitrage')
    frames.close()
  })

  it('may be of an age, in lists as in streams', async () => {
    const list = (ms: number) => rest(`/opportunities/arbitrage?min_profit=0&min_age_ms=${ms}`)
    const all = (await rest('/opportunities/arbitrage?min_profit=0')).body.pagination.total
    const old = (await list(3_600_000)).body
    expect([all > 0, old.pagination.total, old.meta.filters.min_age_ms]).toEqual([
      true,
      0,
      3_600_000,
    ])
    expect((await list(0)).body.pagination.total).toBe(all)
    const events = await sse('/stream?kinds=arbitrage&min_profit=0&min_age_ms=3600000')
    expect((await events.next('snapshot')).body).toMatchObject({ arbitrage: [], total: 0 })
    events.close()
  })
})

describe('the filters of /odds', () => {
  const filters = 'team=knicks&date=2026-11-20&q=nets&is_main_line=true&live=false'

  it('are accepted by both transports, by a frame too, and confirmed', async () => {
    const { body } = await rest(`/odds?${filters}`)
    const events = await sse(`/stream/odds?${filters}`)
    const { total } = (await events.next('snapshot')).body
    expect(total).toBe(body.pagination.total)
    events.close()
    const frames = await socket('channels=odds&league=nba')
    await frames.next('snapshot:complete')
    const sent = {
      leagues: null,
      teams: ['knicks'],
      date: '2026-11-20',
      q: 'nets',
      is_main_line: true,
      is_stale_pregame_price: false,
      live: false,
      add_sportsbooks: ['draftkings'],
      fields: ['line'],
    }
    const from = frames.frames.length
    frames.send({ type: 'filter', filters: sent })
    expect(await frames.next('subscribed', from)).toMatchObject({ ...sent, leagues: null })
    const none = Object.fromEntries(Object.keys(sent).map((name) => [name, null]))
    const again = frames.frames.length
    frames.send({ type: 'filter', filters: none })
    const subscribed = await frames.next('subscribed', again)
    for (const name of Object.keys(sent))
      expect([name, subscribed[name] ?? null]).toEqual([name, null])
    frames.close()
  })

  it.each([
    [{ date: '2026-13-01' }, 'date is a day'],
    [{ is_main_line: 'yes' }, 'is_main_line is true, false or null'],
    [{ teams: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'teams names at most 20 values'],
    [{ q: 'x'.repeat(201) }, 'q has at most 200 characters'],
  ])('that are invalid are reported: %j', async (filters, message) => {
    const frames = await socket('channels=odds&event_id=x')
    await frames.next('snapshot:complete')
    frames.send({ type: 'filter', filters })
    expect(await frames.next('error')).toMatchObject({
      code: 'invalid_message',
      message: expect.stringContaining(message),
    })
    frames.close()
  })
})

describe('a path that fixes the channel', () => {
  it.each([
    '/stream/odds?channel=all',
    '/stream/all?channels=odds',
    '/stream/opportunities?type=odds',
    '/stream/events/x?event=y',
    '/stream/events/x?event_id=y',
  ])('refuses another channel: %s', async (path) => {
    const [name] = new URL(path, service.base).searchParams.keys()
    const { status, refusal } = await sse(path)
    expect([status, refusal.code, refusal.parameters]).toEqual([400, 'validation_error', [name]])
  })
})

describe('the state of a stream', () => {
  /** Returns all links in a value of any shape. */
  const linksIn = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"(\/api\/v1\/deeplink\/[^"]*)"/g)].map(([, link]) => link!)

  const isOfJersey = (link: string) =>
    /^\/api\/v1\/deeplink\/\d{15}-[0-9a-f]{12}\?state=nj$/.test(link)

  it('is on the links of prices and opportunities, over both transports', async () => {
    const events = await sse('/stream/all?state=NJ')
    const frames = await socket('state=nj')
    await events.next('snapshot:complete')
    await frames.next('snapshot:complete')
    for (const [messages, form] of [
      [events.blocks.map(({ body }) => body), 'odds'],
      [frames.frames, 'data'],
    ] as const) {
      for (const name of [form, 'ev', 'arbitrage', 'middles']) {
        const links = messages.flatMap((message) => linksIn(message[name] ?? []))
        expect([name, links.length > 0, links.every(isOfJersey)]).toEqual([name, true, true])
      }
    }
    const shown = events.blocks.flatMap(({ body }) => body.odds ?? [])
    const { body } = await rest('/odds?state=NJ&limit=200')
    const linkOf = new Map(shown.map(({ id, deep_link }) => [id, deep_link]))
    expect(body.data.length).toBeGreaterThan(100)
    for (const { id, deep_link } of body.data) expect(linkOf.get(id)).toBe(deep_link)
    events.close()
    frames.close()
  })

  it('is on the links of later rows', async () => {
    const events = await sse('/stream/odds?state=nj&league=nba&sportsbook=draftkings')
    const frames = await socket('channels=odds&state=nj&league=nba&sportsbook=draftkings')
    await events.next('snapshot:complete')
    await frames.next('snapshot:complete')
    const game = { sportsbook: 'draftkings', home: 'Miami Heat', away: 'Detroit Pistons' }
    await service.ingest([oddsRecord(service.clock(), game)])
    const { odds } = (await events.next('odds:update')).body
    const { data } = await frames.next('odds:update')
    for (const rows of [odds, data]) {
      expect(linksIn(rows).length).toBe(2)
      expect(linksIn(rows).every(isOfJersey)).toBe(true)
    }
    events.close()
    frames.close()
  })

  it('is absent unless named, and refused if invalid', async () => {
    const events = await sse('/stream/odds')
    await events.next('snapshot:complete')
    const links = events.blocks.flatMap(({ body }) => linksIn(body))
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link).toMatch(/\/\d{15}-[0-9a-f]{12}$/)
    events.close()

    for (const path of ['/stream?state=1!', '/stream/odds?state=x', '/stream/odds?state=njx']) {
      const { status, refusal } = await sse(path)
      expect([status, refusal.code, refusal.parameters]).toEqual([
        400,
        'validation_error',
        ['state'],
      ])
    }
    const frames = await socket('channels=odds&event_id=x&state=1!')
    expect(await frames.next('error')).toMatchObject({
      code: 'validation_error',
      message: expect.stringMatching(/^state is one of/),
    })
    frames.close()
  })

  it('is on the links of the lists that take one', async () => {
    const middles = '/opportunities/middles?limit=50'
    const plain = linksIn((await rest(middles)).body.data)
    const led = linksIn((await rest(`${middles}&state=NJ`)).body.data)
    expect(plain.length).toBeGreaterThan(0)
    expect(led).toEqual(plain.map((link) => `${link}?state=nj`))
    // The links of low hold lead directly to the sportsbooks.
    const { body } = await rest('/opportunities/low_hold?max_hold=10&state=NJ')
    expect(JSON.stringify(body.data)).toMatch(/"deep_links":\{"\w+":"https:/)
    expect(linksIn(body.data)).toEqual([])
  })

  it('changes nothing else of any frame', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom(':"/api/v1/deeplink/1"', '"deep_link":"/api/v1/deeplink/1"', 'é:', '\\'),
    )
    const row = fc.record(
      { player_name: texts, deep_link: fc.constant('/api/v1/deeplink/482107733915460') },
      { requiredKeys: [] },
    )
    const rows = fc.array(row, { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 5 }), (contents) => {
        const frames = createFrames()
        clearFrames(frames)
        for (const content of contents) {
          appendPlace(frames, 2)
          append(frames, ` ${JSON.stringify(content)}`)
          endFrame(frames)
        }
        const before = Buffer.from(frames.page.bytes.subarray(0, frames.page.length))
        const completed = createFrames()
        completeLinks(frames, 'nj', completed)
        // The frames still have places for numbers.
        expect(number(completed, 7, 2, true)).toBe(7 + contents.length)
        const sent = eachBytes(completed).map((bytes, i) => {
          const [, digits, json] = /^(\d\d) (.*)$/s.exec(Buffer.from(bytes).toString())!
          expect(Number(digits)).toBe(7 + i)
          return JSON.parse(json!)
        })
        const meant = contents.map((content) =>
          content.map(({ deep_link, ...others }) => ({
            ...others,
            ...(deep_link !== undefined && { deep_link: `${deep_link}?state=nj` }),
          })),
        )
        // Text that UTF-8 cannot encode comes back as the replacement character.
        expect(sent).toEqual(JSON.parse(Buffer.from(JSON.stringify(meant)).toString()))
        expect(frames.page.bytes.subarray(0, frames.page.length).equals(before)).toBe(true)
      }),
    )
  })
})
