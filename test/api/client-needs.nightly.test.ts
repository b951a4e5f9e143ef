/**
 * Requests of the official Python and TypeScript clients and the fields they need (interface supplement 8.2 and 8.3):
 * every REST call of theirs that is served so far, at every tier, with the key sent in both their ways. Both send
 * `Content-Type: application/json` even where there is no body.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tierRights, tiers } from '../../api/access/tiers.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import { type InProcess, type Reply, startInProcess } from './service-in-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: models are held to their tables, not to types
type Json = any

/** The fields that a client's model requires, and those that it cannot take as null. */
interface Model {
  readonly required: readonly string[]
  readonly notNull?: readonly string[]
  /** Models of nested fields; for a list, of its items. */
  readonly members?: Readonly<Record<string, Model>>
  /** Fields with whole numbers. */
  readonly whole?: readonly string[]
}

const oddsLine: Model = {
  required: [
    'id',
    'sportsbook',
    'event_id',
    'sport',
    'league',
    'home_team',
    'away_team',
    'market_type',
    'selection',
    'odds_american',
    'odds_decimal',
    'probability',
  ],
  notNull: ['is_live', 'is_active'],
}
const reference: Model = { required: ['id', 'name', 'slug', 'active'] }
const event: Model = {
  required: ['id', 'sport', 'league', 'home_team', 'away_team'],
  notNull: ['is_live'],
}
const market: Model = { required: ['market_type'] }
const apiKey: Model = { required: ['id'] }
const evOpportunity: Model = {
  required: [
    'id',
    'sport',
    'league',
    'selection',
    'sportsbook',
    'odds_american',
    'odds_decimal',
    'ev_percentage',
    // Where a field has two names, a null in one would hide the other.
    ...['ev_percent', 'game_id', 'event_id', 'event_name', 'market_type', 'confidence'],
  ],
  notNull: ['is_live', 'is_player_prop', 'possibly_stale', 'warnings'],
}
const arbitrageOpportunity: Model = {
  required: ['id', 'event_name', 'sport', 'market_type', 'profit_percent', 'legs'],
  notNull: ['is_live', 'is_alternate_line', 'possibly_stale', 'is_player_prop', 'warnings'],
  members: {
    legs: {
      required: ['sportsbook', 'selection', 'odds_american', 'odds_decimal', 'stake_percent'],
    },
  },
}
const middleSide: Model = {
  required: ['book', 'selection', 'line', 'odds', 'odds_american', 'odds_decimal'],
  members: { odds: { required: ['american', 'decimal', 'probability'] } },
}
const middleOpportunity: Model = {
  required: ['id', 'event_name', 'sport', 'market_type', 'side1', 'side2'],
  notNull: ['is_guaranteed_profit', 'is_live', 'is_player_prop', 'warnings'],
  members: { side1: middleSide, side2: middleSide },
  whole: ['middle_numbers', 'key_numbers'],
}
const lowHoldSide: Model = {
  required: ['selection', 'odds', 'deep_links'],
  members: { odds: { required: ['american', 'decimal', 'probability'] } },
}
const lowHoldOpportunity: Model = {
  required: ['id', 'event_name', 'sport', 'market_type', 'hold_percentage', 'side1', 'side2'],
  notNull: ['is_live', 'is_alternate_line', 'is_player_prop', 'possibly_stale'],
  members: { side1: lowHoldSide, side2: lowHoldSide },
}
/** A model without required fields. */
const open: Model = { required: [] }

interface Call {
  readonly name: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** The path, with `{live}` for the id of an event. */
  readonly path: string
  readonly body?: object
  readonly data: 'list' | 'object'
  readonly model: Model
  /** The first tier that may call it, and the error code of lower tiers. */
  readonly from?: Tier
  readonly otherwise?: 'feature_required' | 'tier_restricted'
}

const opportunities =
  'sport=basketball&league=nba&sportsbook=draftkings&add_sportsbook=fanduel&date_range=today&live=false&limit=10&offset=0&max_odds_age=100000'
const ofPro = { from: 'pro', otherwise: 'feature_required' } as const

const odds = 'sportsbook=draftkings,fanduel&sport=basketball&league=nba&market=moneyline'
const event_ids = ['{live}', '{upcoming}']

const calls: readonly Call[] = [
  { name: 'odds.get', path: '/odds', data: 'list', model: oddsLine },
  {
    name: 'odds.get, filtered',
    path: `/odds?${odds}&add_sportsbook=fanduel&event={live}&live=true&sort=-odds_american&limit=5&offset=1`,
    data: 'list',
    model: oddsLine,
  },
  {
    name: 'odds.get, main lines of the TypeScript client',
    path: '/odds?main=true&limit=100&offset=0',
    data: 'list',
    model: oddsLine,
  },
  {
    name: 'odds.get, some fields',
    path: `/odds?fields=${oddsLine.required.join(',')}`,
    data: 'list',
    model: { required: oddsLine.required },
  },
  {
    name: 'odds.get, grouped',
    path: '/odds?group_by=event&limit=200',
    data: 'list',
    model: { required: ['event_id', 'odds'], notNull: ['is_live'] },
  },
  { name: 'odds.best', path: '/odds/best', data: 'list', model: oddsLine },
  {
    name: 'odds.best, filtered',
    path: `/odds/best?${odds}&add_sportsbook=fanduel&event={upcoming}&live=false&sort=odds_decimal&group_by=event&fields=id&limit=5&offset=0&main=true`,
    data: 'list',
    model: oddsLine,
  },
  {
    name: 'odds.comparison of the Python client',
    path: '/odds/comparison?event_id={live}&market=moneyline',
    data: 'object',
    model: oddsLine,
  },
  {
    name: 'odds.comparison of the TypeScript client',
    path: `/odds/comparison?${odds}&event={upcoming}&live=false&sort=odds_decimal&limit=5&offset=0&main=true`,
    data: 'object',
    model: oddsLine,
  },
  {
    name: 'odds.batch',
    method: 'POST',
    path: '/odds/batch',
    body: { event_ids },
    data: 'object',
    model: oddsLine,
  },
  {
    ...{ name: 'ev.get', path: '/opportunities/ev', data: 'list', model: evOpportunity },
    ...ofPro,
  },
  {
    name: 'ev.get, filtered',
    path: `/opportunities/ev?${opportunities}&market=moneyline&min_ev=0.5&max_ev=50&min_market_width=0&max_market_width=9&sort=-ev`,
    data: 'list',
    model: evOpportunity,
    ...ofPro,
  },
  {
    name: 'arbitrage.get',
    path: '/opportunities/arbitrage',
    data: 'list',
    model: arbitrageOpportunity,
    ...{ from: 'hobby', otherwise: 'feature_required' },
  },
  {
    name: 'arbitrage.get, filtered',
    path: `/opportunities/arbitrage?${opportunities}&market=moneyline&min_profit=0.1&group=best&sort=-profit`,
    data: 'list',
    model: arbitrageOpportunity,
    ...{ from: 'hobby', otherwise: 'feature_required' },
  },
  {
    name: 'middles.get',
    path: '/opportunities/middles',
    data: 'list',
    model: middleOpportunity,
    ...{ from: 'pro', otherwise: 'tier_restricted' },
  },
  {
    name: 'middles.get, filtered',
    path: `/opportunities/middles?${opportunities}&market=total_points&min_size=1&state=nj&sort=-ev`,
    data: 'list',
    model: middleOpportunity,
    ...{ from: 'pro', otherwise: 'tier_restricted' },
  },
  {
    name: 'low_hold.get',
    path: '/opportunities/low_hold',
    data: 'list',
    model: lowHoldOpportunity,
    ...ofPro,
  },
  {
    name: 'low_hold.get, filtered',
    path: `/opportunities/low_hold?${opportunities}&market=moneyline&max_hold=4&state=nj&sort=hold`,
    data: 'list',
    model: lowHoldOpportunity,
    ...ofPro,
  },
  { name: 'sports.list', path: '/sports', data: 'list', model: reference },
  { name: 'sports.get', path: '/sports/basketball', data: 'object', model: reference },
  { name: 'leagues.list', path: '/leagues', data: 'list', model: reference },
  {
    name: 'leagues.list of a sport',
    path: '/leagues?sport=soccer',
    data: 'list',
    model: reference,
  },
  { name: 'leagues.get', path: '/leagues/nba', data: 'object', model: reference },
  { name: 'sportsbooks.list', path: '/sportsbooks', data: 'list', model: reference },
  { name: 'sportsbooks.get', path: '/sportsbooks/draftkings', data: 'object', model: reference },
  { name: 'events.list', path: '/events', data: 'list', model: event },
  {
    name: 'events.list, filtered',
    path: '/events?sport=basketball&league=nba&live=true&limit=10&offset=0',
    data: 'list',
    model: event,
  },
  { name: 'events.get', path: '/events/{live}', data: 'object', model: event },
  { name: 'events.markets', path: '/events/{upcoming}/markets', data: 'list', model: market },
  { name: 'account.me', path: '/account', data: 'object', model: open },
  { name: 'account.usage', path: '/account/usage', data: 'object', model: open },
  { name: 'keys.list', path: '/account/keys', data: 'list', model: apiKey },
]

const ways = {
  'X-API-Key': (key: string) => ({ 'X-API-Key': key }),
  'bearer token': (key: string) => ({ Authorization: `Bearer ${key}` }),
} as const

let service: InProcess
let events: Awaited<ReturnType<typeof fillBoard>>
const keyOf = new Map<Tier, string>()
const idOf = new Map<Tier, string>()

beforeAll(async () => {
  service = await startInProcess()
  for (const tier of tiers) {
    const wanted = { name: `of ${tier}`, tier, addOns: [], expiresAt: null }
    const { value, key } = await service.accounts.create(wanted)
    keyOf.set(tier, value)
    idOf.set(tier, key.id)
  }
})
afterAll(() => service.close())

interface Sent {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
}

function send({ method = 'GET', path, body }: Sent, auth: Record<string, string>): Promise<Reply> {
  const withIds = (text: string) =>
    text.replaceAll('{live}', events.live).replaceAll('{upcoming}', events.upcoming)
  return service.request(withIds(path), {
    method,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...auth },
    ...(body && { body: withIds(JSON.stringify(body)) }),
  })
}

/** Twelve requests a minute are one every five seconds. */
const freePauseMs = 5_000

describe.each(tiers)('at the %s tier', (tier) => {
  describe.each(Object.keys(ways) as (keyof typeof ways)[])('with the key as %s', (way) => {
    // Best prices must be fresh, and the free tier's calls advance the clock.
    beforeAll(async () => {
      events = await fillBoard(service)
      await fillOpportunities(service)
    })

    it.each(calls)('$name finds what it needs', async (call) => {
      if (tier === 'free') service.advance(freePauseMs)
      const reply = await send(call, ways[way](keyOf.get(tier)!))
      const { status, body } = reply
      if (call.from && tiers.indexOf(tier) < tiers.indexOf(call.from)) {
        expectError(reply, 403, call.otherwise!)
        expect(body).toMatchObject({ tier, required_tier: call.from })
        return
      }
      expect(status, JSON.stringify(body)).toBe(200)
      expectEnvelope(body, call.data)
      const items: Json[] = call.data === 'list' ? body.data : [body.data]
      expect(items.length).toBeGreaterThan(0)
      for (const item of items) expectModel(item, call.model)
    })
  })

  it('reads the rights of the account', async () => {
    const { body } = await send({ path: '/account' }, ways['X-API-Key'](keyOf.get(tier)!))
    const { features, key, limits, add_ons, addons } = body.data
    for (const enabled of Object.values(features)) expect(enabled).toBeTypeOf('boolean')
    expect(Object.keys(features)).toEqual(
      expect.arrayContaining(['ev', 'arbitrage', 'middles', 'streaming']),
    )
    expect(key).toMatchObject({ id: idOf.get(tier), tier })
    for (const limit of Object.values(limits)) expect(Number.isInteger(limit)).toBe(true)
    expect(add_ons).toEqual(addons)
    expect(add_ons).toEqual([])
  })

  it('gets arbitrage as a file', async () => {
    service.advance(60_000)
    const path = `/opportunities/arbitrage?${opportunities}&format=csv`
    const reply = await send({ path }, ways['X-API-Key'](keyOf.get(tier)!))
    if (tier === 'free') return expectError(reply, 403, 'feature_required')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8',
    ])
    const [head, first] = reply.text.split('\r\n')
    expect(head).toMatch(
      /^event,sport,market,line,profit%,implied_total,book1,selection1,odds1,stake1%,book2,selection2,odds2,stake2%,is_live,is_alternate_line,possibly_stale,warnings,detected_at/,
    )
    expect(first).toMatch(/^Utah Jazz @ Denver Nuggets,basketball,moneyline,,/)
  })

  it('manages keys', async () => {
    service.advance(60_000)
    const auth = () => ways['X-API-Key'](keyOf.get(tier)!)
    const created = await send(
      { method: 'POST', path: '/account/keys', body: { name: 'ci' } },
      auth(),
    )
    if (tierRights[tier].keysPerAccount === 1) {
      expectError(created, 400, 'validation_error')
    } else {
      expect(created.status).toBe(201)
      expectEnvelope(created.body, 'object')
      expectModel(created.body.data, apiKey)
      expect(created.body.data.key).toMatch(/^sk_live_/)
      const path = `/account/keys/${created.body.data.id}`
      const rotated = await send({ method: 'POST', path: `${path}/rotate` }, auth())
      expect(rotated.status).toBe(200)
      expectModel(rotated.body.data, apiKey)
      expectModel(rotated.body.data.new_key, { required: ['id', 'key'] })
      expect(rotated.body.data.old_key).toBeTypeOf('object')
      const revoked = await send({ method: 'DELETE', path }, auth())
      expect(revoked.status).toBe(200)
      expect(revoked.body).toMatchObject({ deleted: true, key_id: created.body.data.id })
      expect(revoked.body.data).toMatchObject({ deleted: true, key_id: created.body.data.id })
      expectError(await send({ method: 'DELETE', path }, auth()), 404, 'not_found')
    }
    const own = `/account/keys/${idOf.get(tier)}`
    expectError(await send({ method: 'DELETE', path: own }, auth()), 400, 'validation_error')
    const before = auth()
    const { status, body } = await send({ method: 'POST', path: `${own}/rotate` }, before)
    expect(status).toBe(200)
    expect(body.data.id).toBe(idOf.get(tier))
    keyOf.set(tier, body.data.key)
    expectError(await send({ path: '/account' }, before), 401, 'invalid_api_key')
    expect((await send({ path: '/account' }, auth())).status).toBe(200)
  })
})

describe('when a call fails, the clients find a code and a message', () => {
  it.each(calls)('for $name without a known key', async (call) => {
    expectError(await send(call, ways['X-API-Key']('sk_live_nobody')), 401, 'invalid_api_key')
  })

  it('for an unknown id', async () => {
    const auth = ways['bearer token'](keyOf.get('sharp')!)
    for (const path of [
      '/sports/x',
      '/leagues/x',
      '/sportsbooks/x',
      '/events/x',
      '/events/x/markets',
    ]) {
      expectError(await send({ path }, auth), 404, 'not_found')
    }
    expectError(await send({ path: '/odds/comparison?event_id=x' }, auth), 404, 'not_found')
  })

  it('for a tier that is too low', async () => {
    service.advance(60_000)
    const auth = ways['X-API-Key'](keyOf.get('free')!)
    const reply = await send({ path: '/odds?sportsbook=pinnacle' }, auth)
    expectError(reply, 403, 'tier_restricted')
    expect(reply.body).toMatchObject({ required_tier: 'sharp', error: { required_tier: 'sharp' } })
  })

  it('for a call to retry later', async () => {
    const auth = ways['X-API-Key'](keyOf.get('free')!)
    service.advance(60_000)
    for (let i = 0; i < 12; i++) await service.request('/account', { headers: auth })
    const reply = await service.request('/account', { headers: auth })
    expectError(reply, 429, 'rate_limited')
    const seconds = Number(reply.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(reply.body).toMatchObject({
      retry_after: seconds,
      error: { retryAfter: seconds, retry_after: seconds },
    })
    service.advance(60_000)
  })

  it('for a batch of unknown ids, which finds nothing', async () => {
    const auth = ways['X-API-Key'](keyOf.get('pro')!)
    const sent = { method: 'POST', path: '/odds/batch', body: { event_ids: ['x'] } } as const
    const { status, body } = await send(sent, auth)
    expect(status).toBe(200)
    expect(body.data).toEqual({ events: [], missing_events: ['x'] })
  })
})

function expectModel(item: Json, { required, notNull = [], members = {}, whole = [] }: Model) {
  for (const [member, model] of Object.entries(members)) {
    for (const part of [item[member]].flat()) expectModel(part, model)
  }
  for (const member of whole) {
    for (const number of item[member]) expect(Number.isInteger(number)).toBe(true)
  }
  for (const link of Object.values(item.deep_links ?? {})) expect(link).toBeTypeOf('string')
  for (const member of required) expect(item[member], member).not.toBeOneOf([undefined, null])
  for (const member of notNull) expect(item[member], member).not.toBe(null)
}

function expectEnvelope(body: Json, data: 'list' | 'object') {
  expect(body.success).toBe(true)
  expect(Array.isArray(body.data)).toBe(data === 'list')
  expect(body.meta).toHaveProperty('updated')
  for (const member of ['timestamp', 'tier']) {
    if (member in body) expect(body[member]).toBeTypeOf('string')
  }
  const { pagination, filters, summary } = body.meta
  for (const member of [filters, summary]) {
    if (member !== undefined) {
      expect(member).toBeTypeOf('object')
      expect(member).not.toBeNull()
    }
  }
  if (data === 'object') return
  for (const place of [pagination, body.pagination]) {
    expect(Number.isInteger(place.limit)).toBe(true)
    expect(Number.isInteger(place.offset)).toBe(true)
    expect(place.has_more).toBeTypeOf('boolean')
  }
  expect(filters).toBeTypeOf('object')
}

function expectError({ status, body }: Reply, wanted: number, code: string) {
  expect(status, JSON.stringify(body)).toBe(wanted)
  expect(body.error.code).toBe(code)
  expect(body.error.message).toBeTypeOf('string')
  expect(body.error.message).not.toBe('')
  expect(body.code).toBe(code)
}
