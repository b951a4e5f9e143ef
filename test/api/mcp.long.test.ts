/** The tools, called by the official client and held against the REST responses to the same queries. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  type CallToolResult,
  CallToolResultSchema,
  JSONRPCRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { tierRights, tiers } from '../../api/access/tiers.ts'
import { createMcpServer } from '../../api/mcp/mcp-server.ts'
import { createTools, type Tool } from '../../api/mcp/tools.ts'
import type { Admitted } from '../../api/route.ts'
import { mcpAnswer, mcpBody, mcpRefusal, mostMessages } from '../../schemas/http/mcp.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import { pushFutures } from './futures-said.ts'
import { type InProcess, type Reply, startInProcess } from './service-in-process.ts'
import { pushSplits } from './splits-said.ts'

let service: InProcess
let events: Awaited<ReturnType<typeof fillBoard>>
/** Id of an arbitrage. */
let arbitrage: string
let keyOf: Readonly<Record<Tier, string>>
const open: Client[] = []

beforeAll(async () => {
  service = await startInProcess()
  events = await fillBoard(service)
  await fillOpportunities(service)
  await pushFutures(service)
  await pushSplits(service)
  arbitrage = service.boards.opportunities.all('arbitrage')[0]!.row.id
  const made = tiers.map(async (tier) => [tier, await newKey(tier)] as const)
  keyOf = Object.fromEntries(await Promise.all(made)) as Record<Tier, string>
})
afterAll(() => service.close())
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

async function newKey(tier: Tier): Promise<string> {
  const { value } = await service.accounts.create({ name: tier, tier, addOns: [], expiresAt: null })
  return value
}

async function connect(key: string, path = '/api/v1/mcp'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const url = new URL(path, service.base)
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { 'X-API-Key': key } },
  })
  // The package's types are not compatible with exact optional properties.
  await client.connect(transport as Parameters<Client['connect']>[0])
  open.push(client)
  return client
}

/** Posts one message or several as raw JSON. */
function post(
  body: unknown,
  {
    key = keyOf.sharp,
    ...headers
  }: { readonly key?: string; readonly [name: string]: string | undefined } = {},
): Promise<Reply> {
  const sent = { 'Content-Type': 'application/json', Accept: 'application/json', ...headers }
  return service.request('/mcp', {
    method: 'POST',
    headers: { ...sent, ...(key !== '' && { 'X-API-Key': key }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const request = (method: string, params?: object, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
})

const callOf = (name: string, args: object = {}, id: unknown = 1) =>
  request('tools/call', { name, arguments: args }, id)

const initialize = (protocolVersion: string) =>
  request('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  })

function textOf({ content }: CallToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

/** Returns the parsed result of a tool. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function answerOf(called: unknown): any {
  const result = CallToolResultSchema.parse(called)
  // The result is sent once: as text.
  expect([result.isError, result.structuredContent]).toEqual([undefined, undefined])
  expect(result.content).toHaveLength(1)
  return JSON.parse(textOf(result))
}

/** REST fields that only lead elsewhere, or repeat another field under a different name. */
const ofNoUse: ReadonlySet<string> = new Set([
  'success',
  'meta',
  'deep_link',
  'deep_links',
  'external_ids',
  'numerical_id',
  'market_id',
  'sportsbook_name',
  'short_name',
  'features',
  'unlisted',
  'coming_soon',
  'retired',
  'books_available',
  'by_book',
  'as_of',
  'changed_in_board_at',
  'last_seen_at',
  'odds_changed_at',
])

/**
 * Holds a tool's result against the body of REST: it adds nothing, and skips no item in the order of
 * REST.
 */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function expectPartOf(short: any, whole: any, at: string, isCut = false) {
  if (typeof short !== 'object' || short === null) return expect(short, at).toBe(whole)
  if (!Array.isArray(short) && !isCut) {
    // A missing field must be null, repeat another field, or be of no use to a model.
    const shown = Object.values(short)
    const lost = Object.keys(whole).filter(
      (name) =>
        !(name in short) &&
        !ofNoUse.has(name) &&
        whole[name] !== null &&
        !shown.includes(whole[name]),
    )
    expect(lost, at).toEqual([])
  }
  if (Array.isArray(short)) {
    expect(short.length, at).toBeLessThanOrEqual(whole.length)
    for (const [i, item] of short.entries()) expectPartOf(item, whole[i], `${at}.${i}`)
    return
  }
  for (const [name, member] of Object.entries(short)) {
    if (name === 'more' || name === 'server_time' || name === 'position') continue
    if (name.endsWith('_left_out')) {
      const cut = name.slice(0, -'_left_out'.length)
      const left = Object.keys(whole[cut]).length - Object.keys(short[cut]).length
      expect(member, `${at}.${name}`).toBe(left)
    } else if (
      at === '.pagination' &&
      /^(count|limit|has_more|next_offset|next_cursor)$/.test(name)
    ) {
      expect(typeof member).toMatch(/number|boolean|string/)
    } else {
      expect(whole, at).toHaveProperty([name])
      const isCutHere = `${name}_left_out` in short || (at === '' && 'more' in short)
      expectPartOf(member, whole[name], `${at}.${name}`, isCutHere)
    }
  }
}

/** Returns the error of a failed tool call. */
function failureOf(called: unknown) {
  const result = CallToolResultSchema.parse(called)
  expect([result.isError, result.structuredContent]).toEqual([true, undefined])
  return JSON.parse(textOf(result))
}

/** Returns queries, as arguments of a tool and as a REST path. */
const questions = (): readonly [tool: string, args: object, rest: string][] => {
  const { upcoming, live } = events
  const since = '2026-11-20T11:00:00Z'
  return [
    ['get_sports', {}, '/sports'],
    ['get_sports', { include_empty: true }, '/sports?include_empty=true'],
    ['get_leagues', { sport: 'basketball' }, '/leagues?sport=basketball'],
    ['get_sportsbooks', { sharp: true, region: null }, '/sportsbooks?sharp=true'],
    [
      'get_markets',
      { sport: ['basketball', 'soccer'], limit: 90, offset: 5 },
      '/markets?sport=basketball,soccer&limit=90&offset=5',
    ],
    ['get_markets', {}, '/markets?limit=50'],
    [
      'get_events',
      { league: 'nba', live: false, limit: 2 },
      '/events?league=nba&live=false&limit=2',
    ],
    ['get_events', { team: 'knicks', date: '2026-11-20' }, '/events?team=knicks&date=2026-11-20'],
    [
      'get_odds',
      { event: [upcoming, live], limit: 200 },
      `/odds?event=${upcoming},${live}&limit=200`,
    ],
    ['get_odds', { market: 'main', sportsbook: '' }, '/odds?market=main'],
    ['get_odds', { books: ['fanduel', 'draftkings'] }, '/odds?books=fanduel,draftkings'],
    [
      'get_event_odds',
      { event_id: live, books: 'draftkings' },
      `/events/${live}/odds?books=draftkings`,
    ],
    [
      'get_odds_delta',
      { since, books: 'draftkings' },
      `/odds/delta?since=${since}&books=draftkings`,
    ],
    [
      'compare_odds',
      { event: live, books: 'draftkings,fanduel' },
      `/odds/comparison?event=${live}&books=draftkings,fanduel`,
    ],
    ['get_event_odds', { event_id: live, limit: 3 }, `/events/${live}/odds?limit=3`],
    ['get_odds_delta', { since, limit: 500 }, `/odds/delta?since=${since}&limit=500`],
    [
      'get_best_odds',
      { league: 'nba', market: 'moneyline', limit: 5 },
      '/odds/best?league=nba&market=moneyline&limit=5',
    ],
    ['compare_odds', { event: live }, `/odds/comparison?event=${live}`],
    ['compare_odds', { event_id: live }, `/odds/comparison?event_id=${live}`],
    ['get_closing_lines', { event_id: live }, `/odds/closing?event_id=${live}`],
    ['find_ev_opportunities', { min_ev: 0.5 }, '/opportunities/ev?min_ev=0.5'],
    [
      'find_arbitrage',
      { min_profit: -1, limit: 3 },
      '/opportunities/arbitrage?min_profit=-1&limit=3',
    ],
    ['find_middles', { sort: '-ev', min_size: 1 }, '/opportunities/middles?sort=-ev&min_size=1'],
    ['find_low_hold', { max_hold: 9 }, '/opportunities/low_hold?max_hold=9'],
    [
      'explain_opportunity',
      { opportunity_id: arbitrage, total: 500 },
      `/opportunities/${arbitrage}/explain?total=500`,
    ],
    ['get_splits', { market: ['spread'], limit: 2 }, '/splits?market=spread&limit=2'],
    ['get_futures_odds', { league: 'nba', limit: 2 }, '/futures/odds?league=nba&limit=2'],
    [
      'get_futures_odds',
      { future_id: 'nba_champion_2027' },
      '/futures/odds?future_id=nba_champion_2027',
    ],
    ['get_futures_odds', { market: 'champion' }, '/futures/odds?market=champion'],
    [
      'get_futures_odds',
      { league: 'nba', future_id: 'nba_champion_2027', sportsbook: 'fanduel' },
      '/futures/odds?league=nba&future_id=nba_champion_2027&sportsbook=fanduel',
    ],
    [
      'compare_futures_lines',
      { future_id: 'nba_champion_2027' },
      '/futures/comparison?future_id=nba_champion_2027',
    ],
    ['get_account_info', {}, '/account'],
  ]
}

describe('the official client', () => {
  it('gets our name and the list of tools', async () => {
    const client = await connect(keyOf.pro)
    expect(client.getServerVersion()).toMatchObject({
      name: 'overround',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    expect(client.getInstructions()).toContain('get_events')
    expect(await client.ping()).toEqual({})
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'get_sports',
      'get_leagues',
      'get_sportsbooks',
      'get_markets',
      'get_events',
      'get_odds',
      'get_event_odds',
      'get_odds_delta',
      'get_best_odds',
      'compare_odds',
      'get_closing_lines',
      'find_ev_opportunities',
      'find_arbitrage',
      'find_middles',
      'find_low_hold',
      'explain_opportunity',
      'get_game_state',
      'get_futures_odds',
      'compare_futures_lines',
      'get_closing_line_value',
      'get_historical_closing_lines',
      'get_splits',
      'get_bet_results',
      'get_account_info',
      'get_profile',
    ])
    for (const { description, annotations } of tools) {
      expect(description).toMatch(/\.$/)
      expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: true })
    }
    expect(tools.find(({ name }) => name === 'find_middles')!.description).toContain('pro tier')
  })

  it('gets the parameters of each tool', async () => {
    const { tools } = await (await connect(keyOf.hobby)).listTools()
    const ajv = new Ajv2020({ strict: false, formats: { date: true, 'date-time': true } })
    const takes = (name: string, args: object) =>
      ajv.validate(tools.find((tool) => tool.name === name)!.inputSchema, args)
    for (const [name, args] of questions()) {
      if ('event_id' in args && name === 'compare_odds') continue
      const given = Object.entries(args).filter(([, value]) => value !== null)
      expect(takes(name, Object.fromEntries(given)), name).toBe(true)
    }
    expect(takes('get_odds_delta', {})).toBe(false)
    expect(takes('compare_odds', {})).toBe(false)
    expect(takes('get_event_odds', {})).toBe(false)
    expect(takes('explain_opportunity', {})).toBe(false)
    expect(takes('get_sports', { spot: 'x' })).toBe(false)
    expect(takes('get_odds', { live: 'maybe' })).toBe(false)
    for (const { inputSchema, outputSchema } of tools) {
      expect(outputSchema).toBeUndefined()
      for (const about of Object.values(inputSchema.properties ?? {})) {
        expect(about).toHaveProperty('description')
        expect(JSON.stringify(about)).not.toContain('x-')
      }
    }
  })

  // The free tier runs last: its twelve requests a minute advance the clock, which ages prices.
  it.each(tiers.toReversed())('gets the content of REST for the same query: %s', async (tier) => {
    const key = keyOf[tier]
    const client = await connect(key)
    const counts = new Map<string, number>()
    for (const [name, args, path] of questions()) {
      if (tier === 'free') service.advance(11_000)
      service.boards.advance()
      const called = await client.callTool({ name, arguments: { ...args } })
      const result = CallToolResultSchema.parse(called)
      const rest = await service.request(path, { headers: { 'X-API-Key': key } })
      if (rest.status !== 200) {
        // For tools, a missing feature is reported as a missing tier.
        const told = JSON.parse(rest.text.replaceAll('feature_required', 'tier_restricted'))
        expect(failureOf(result), path).toEqual(told)
        continue
      }
      const answer = answerOf(result)
      expectPartOf(answer, rest.body, '')
      expect(Object.keys(answer.data).length, path).toBeGreaterThan(0)
      counts.set(name, Math.max(counts.get(name) ?? 0, [rest.body.data].flat().length))
    }
    const granted = { free: 11, hobby: 13, pro: 20, sharp: 20, enterprise: 20 }
    expect(counts.size).toBe(granted[tier])
    // Without any items the comparison would prove nothing.
    for (const [name, count] of counts) expect(count, name).toBeGreaterThan(0)
  })

  it('costs a model little: the list of tools, and responses without a limit', async () => {
    const { text } = await post(request('tools/list'))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(18_500)
    expect(text).not.toContain('/api/v1')
    for (const [name, args, path] of questions()) {
      const { limit, ...others } = args as { limit?: number }
      const usual = await post(callOf(name, others))
      expect(Buffer.byteLength(usual.text), path).toBeLessThanOrEqual(8_000)
      const asked = await post(callOf(name, { ...others, ...(limit && { limit: 200 }) }))
      expect(Buffer.byteLength(asked.text), path).toBeLessThanOrEqual(33_000)
      const called = await post(callOf(name, args))
      expect(called.text, path).not.toMatch(/"structuredContent"|api\/v1/)
    }
  })

  it('walks through lists that a route returns whole', async () => {
    const client = await connect(keyOf.sharp)
    const rest = await service.request('/sportsbooks', { headers: { 'X-API-Key': keyOf.sharp } })
    const ids: string[] = []
    let calls = 0
    for (let offset: number | undefined = 0; offset !== undefined; calls++) {
      const called = await client.callTool({ name: 'get_sportsbooks', arguments: { offset } })
      const { data, more } = answerOf(called)
      ids.push(...data.map(({ id }: { id: string }) => id))
      if (more) expect(more.left).toBe(rest.body.data.length - ids.length)
      offset = more?.offset
    }
    expect(ids).toEqual(rest.body.data.map(({ id }: { id: string }) => id))
    expect(calls).toBeGreaterThan(1)
  })

  it('walks through pages', async () => {
    const client = await connect(keyOf.sharp)
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const args = { league: 'nba', limit: 50, ...(cursor && { cursor }) }
      const result = await client.callTool({ name: 'get_odds', arguments: args })
      const { data, more } = answerOf(result)
      ids.push(...data.map(({ id }: { id: string }) => id))
      cursor = more?.cursor
    } while (cursor)
    const { body } = await service.request('/odds?league=nba', {
      headers: { 'X-API-Key': keyOf.sharp },
    })
    expect(new Set(ids).size).toBe(body.pagination.total)
    expect(ids.length).toBeGreaterThan(50)
  })

  it('walks each list with pages to its end by the arguments in `more`', async () => {
    const client = await connect(keyOf.enterprise)
    const { tools } = await client.listTools()
    const paged = tools.filter(({ inputSchema }) => 'limit' in inputSchema.properties!)
    const turned: string[] = []
    for (const { name, inputSchema } of paged) {
      const usual = questions().find(([tool]) => tool === name)?.[1]
      const isEvents = name === 'get_events'
      const first = isEvents ? { limit: 1 } : { ...usual, offset: null, limit: 40 }
      const shown: string[] = []
      let total: number | undefined
      for (let more: object | undefined = {}; more; ) {
        service.advance(1_000)
        const called = await client.callTool({ name, arguments: { ...first, ...more } })
        const answer = answerOf(called)
        const items = Object.values(answer.data).map((item) => JSON.stringify(item))
        shown.push(...items)
        total ??= answer.pagination?.total
        more = answer.more
        if (!more) break
        expect(items.length, name).toBeGreaterThan(0)
        expect(Object.keys(inputSchema.properties!), name).toEqual(
          expect.arrayContaining(Object.keys(more)),
        )
        if (!turned.includes(name)) turned.push(name)
      }
      if (total !== undefined) expect(shown.length, name).toBe(total)
    }
    expect(turned).toEqual(expect.arrayContaining(['get_events', 'get_odds', 'get_markets']))
  })

  it('reads the market types page by page, with their number', async () => {
    const client = await connect(keyOf.sharp)
    const rest = await service.request('/markets', { headers: { 'X-API-Key': keyOf.sharp } })
    const read: string[] = []
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const called = await client.callTool({ name: 'get_markets', arguments: { offset } })
      const { data, pagination, more } = answerOf(called)
      read.push(...data.map(({ id }: { id: string }) => id))
      expect(pagination.total).toBe(rest.body.data.length)
      offset = more?.offset
    }
    expect(read).toEqual(rest.body.data.map(({ id }: { id: string }) => id))
    const { tools } = await client.listTools()
    const { inputSchema, description } = tools.find(({ name }) => name === 'get_markets')!
    expect(inputSchema.properties?.limit).toMatchObject({ default: 25 })
    expect(description).toContain('pagination.total')
  })

  it('gets its mistake and the correct alternative', async () => {
    const client = await connect(keyOf.pro)
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      failureOf(await client.callTool({ name, arguments: args })).error
    expect(await call('get_odds', { league: 'moneyline' })).toMatchObject({
      code: 'invalid_filter',
      details: {
        did_you_mean: [{ field: 'league', value: 'moneyline', try: { market: 'moneyline' } }],
      },
    })
    expect(await call('get_odds', { sportsbook: 'pinnacle' })).toMatchObject({
      code: 'tier_restricted',
      required_tier: 'sharp',
    })
    expect(await call('get_odds', { leage: 'nba', limit: 'x' })).toMatchObject({
      code: 'validation_error',
      message:
        'limit is a whole number from 1; leage is not a parameter of this route (did you mean league?).',
      parameters: ['limit', 'leage'],
    })
    // The route has this parameter, the tool has not: it would change the shape of the response.
    expect(await call('get_odds', { group_by: 'event' })).toMatchObject({
      parameters: ['group_by'],
    })
    expect(await call('find_arbitrage', { format: 'csv' })).toMatchObject({
      parameters: ['format'],
    })
    expect(await call('get_odds', { league: { id: 'nba' } })).toMatchObject({
      parameters: ['league'],
    })
    expect(await call('get_odds', { league: [['nba']] })).toMatchObject({ parameters: ['league'] })
    expect(await call('get_odds_delta')).toMatchObject({
      code: 'validation_error',
      parameters: ['since'],
    })
    expect(await call('get_futures_odds')).toMatchObject({
      code: 'validation_error',
      parameters: ['future_id', 'market', 'league'],
    })
    expect(await call('get_event_odds')).toMatchObject({ parameters: ['event_id'] })
    expect(await call('explain_opportunity', { opportunity_id: 'zzz' })).toMatchObject({
      parameters: ['opportunity_id'],
    })
    expect(await call('get_event_odds', { event_id: '../account' })).toMatchObject({
      code: 'not_found',
    })
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`a${i}`, 1]))
    expect((await call('get_odds', many)).message).toContain('fewer than 50')
    expect(await call('compare_odds', { event: 'none' })).toMatchObject({ code: 'not_found' })
    await expect(client.callTool({ name: 'get_money' })).rejects.toThrow(/-32602.*get_money/)
  })

  it('gets the names near a misspelt one', async () => {
    const told = async (name: string) =>
      (await post(callOf(name))).body.error.message.replace(/^MCP error -32602: /, '')
    expect(await told('get_best_odd')).toBe(
      'There is no tool get_best_odd (did you mean get_best_odds?); tools/list has them.',
    )
    expect(await told('listEvents')).toContain('(did you mean get_events?)')
    expect(await told('sportbooks')).toContain('(did you mean get_sportsbooks?)')
    // Similar names of two tools.
    expect(await told('list_odds')).toContain('(did you mean get_odds or compare_odds?)')
    for (const far of ['get_money', 'get_', 'x', 'odds'.repeat(20)]) {
      expect(await told(far)).not.toContain('did you mean')
    }
  })

  it('reaches them at the short path too', async () => {
    const client = await connect(keyOf.pro, '/mcp')
    const account = answerOf(await client.callTool({ name: 'get_account_info' }))
    expect(account).toMatchObject({ data: { tier: 'pro' } })
  })

  it('gets no response without a key', async () => {
    await expect(connect('')).rejects.toMatchObject({ code: 401 })
    await expect(connect('sk_live_nobody')).rejects.toThrow('invalid_api_key')
  })
})

describe('the protocol', () => {
  it.each(SUPPORTED_PROTOCOL_VERSIONS)(
    'is spoken in the revision of the client: %s',
    async (revision) => {
      const { body, headers } = await post(initialize(revision))
      expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { protocolVersion: revision } })
      expect(headers.has('mcp-session-id')).toBe(false)
      const ping = await post(request('ping'), { 'MCP-Protocol-Version': revision })
      expect(ping.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    },
  )

  it('uses the newest revision if the client’s is unknown', async () => {
    const { body } = await post(initialize('2031-01-01'))
    expect(body.result.protocolVersion).toBe(SUPPORTED_PROTOCOL_VERSIONS[0])
    const other = await post(request('ping'), { 'MCP-Protocol-Version': '2031-01-01' })
    expect(other.status).toBe(400)
    expect(other.body).toMatchObject({ id: 1, error: { code: -32600 }, code: 'validation_error' })
  })

  it('accepts notifications and responses silently', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 7, result: {} },
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
    ]) {
      const { status, text } = await post(body)
      expect([status, text]).toEqual([202, ''])
    }
  })

  it('reports unknown methods', async () => {
    for (const method of ['resources/list', 'prompts/list', 'logging/setLevel', 'toString', 'x']) {
      const { status, body } = await post(request(method, {}, 'a'))
      expect([status, body.id, body.error.code]).toEqual([200, 'a', -32601])
    }
    for (const params of [undefined, {}, { name: 1 }, { name: 'get_odds', arguments: [] }]) {
      const { status, body } = await post(request('tools/call', params, 0))
      expect([status, body.id, body.error.code]).toEqual([200, 0, -32602])
    }
    expect((await post(request('initialize', {}))).body.error.code).toBe(-32602)
  })

  it('reports unreadable messages', async () => {
    const bodies: readonly [unknown, number, unknown][] = [
      ['', -32700, null],
      ['{"jsonrpc":', -32700, null],
      ['[]', -32600, null],
      [Array.from({ length: mostMessages + 1 }, () => request('ping')), -32600, null],
      ['3', -32600, null],
      [{ id: 4, method: 'ping' }, -32600, 4],
      [request('ping', undefined, null), -32600, null],
      [request('ping', undefined, 1.5), -32600, null],
    ]
    for (const [sent, code, id] of bodies) {
      const { status, body } = await post(sent)
      expect([status, body.id, body.error.code, body.code], JSON.stringify(sent)).toEqual([
        400,
        id,
        code,
        'validation_error',
      ])
      expect(mcpRefusal.safeParse(body).error?.issues).toBeUndefined()
    }
  })

  it('responds to a batch in order', async () => {
    const batch = [
      request('ping', undefined, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      callOf('get_account_info', {}, 2),
      request('nothing', undefined, 2),
      { jsonrpc: '2.0' },
      initialize('2025-03-26'),
      callOf('get_odds', { limit: 1 }, 'last'),
    ]
    const { status, body } = await post(batch)
    expect(status).toBe(200)
    expect(
      body.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code]),
    ).toEqual([
      ['a', undefined],
      [2, undefined],
      [2, -32601],
      [null, -32600],
      [1, -32600],
      ['last', undefined],
    ])
    expect(answerOf(body.at(-1).result).data).toHaveLength(1)
    expect(mcpBody.safeParse([request('ping')]).success).toBe(true)
    expect(mcpAnswer.safeParse(body).error?.issues).toBeUndefined()
  })

  it('is JSON if the client accepts it, else one event', async () => {
    for (const accept of [
      'application/json, text/event-stream',
      'text/event-stream;q=1, Application/JSON',
      '*/*',
      '',
      'application/*',
    ]) {
      const { headers, body } = await post(request('ping'), { Accept: accept })
      expect(headers.get('content-type'), accept).toBe('application/json; charset=utf-8')
      expect(body.result).toEqual({})
    }
    const { status, headers, text } = await post(callOf('get_sports'), {
      Accept: 'text/event-stream',
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const [, data] = /^event: message\ndata: (.*)\n\n$/.exec(text)!
    expect(answerOf(JSON.parse(data!).result).data.length).toBeGreaterThan(0)
  })

  it('has neither streams to open nor sessions to end', async () => {
    for (const path of ['/mcp', '/api/v1/mcp']) {
      for (const method of ['GET', 'DELETE']) {
        const response = await fetch(new URL(path, service.base), { method })
        const body = (await response.json()) as { code: string }
        expect([response.status, response.headers.get('allow'), body.code]).toEqual([
          405,
          'POST',
          'method_not_allowed',
        ])
      }
    }
  })

  it('is closed to pages of other origins', async () => {
    for (const origin of [
      'http://evil.example',
      'https://localhost.evil.example',
      'null',
      'http://127.0.0.1.evil.example:3000',
    ]) {
      const { status, body } = await post(request('ping'), { Origin: origin })
      expect([origin, status, body.code, body.error.data.code]).toEqual([
        origin,
        403,
        'forbidden',
        'forbidden',
      ])
    }
    for (const origin of ['http://localhost:6274', 'https://127.0.0.1', 'http://[::1]:3000']) {
      expect((await post(request('ping'), { Origin: origin })).status).toBe(200)
    }
  })
})

describe('a key', () => {
  it('that is invalid is refused as on every route, and as JSON-RPC if the id is known', async () => {
    for (const [key, code] of [
      ['', 'missing_api_key'],
      ['sk_live_nobody', 'invalid_api_key'],
    ] as const) {
      const { status, body } = await post(request('tools/list', undefined, 'x'), { key })
      expect([status, body.code]).toEqual([401, code])
      expect(body).toMatchObject({
        jsonrpc: '2.0',
        id: 'x',
        error: { code: -32001, data: { code } },
      })
      expect(body.error.message).toBe(body.error.data.message)
      for (const unnamed of [
        'not json',
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        [request('ping')],
      ]) {
        const plain = await post(unnamed, { key })
        expect([plain.status, plain.body]).toEqual([401, { error: body.error.data, code }])
      }
    }
  })

  it('comes in any of the three ways', async () => {
    const body = JSON.stringify(request('ping'))
    const ways = [
      ['/mcp', { 'X-API-Key': keyOf.pro }],
      ['/mcp', { Authorization: `Bearer ${keyOf.pro}` }],
      [`/mcp?api_key=${keyOf.pro}`, {}],
    ] as const
    for (const [path, headers] of ways) {
      const reply = await service.request(path, { method: 'POST', headers, body })
      expect([reply.status, reply.headers.get('x-tier')]).toEqual([200, 'pro'])
    }
    const stray = await service.request('/mcp?key=1', { method: 'POST', body })
    expect(stray.status).toBe(400)
  })

  it('is charged by message for its queries, and no more', async () => {
    const key = await newKey('free')
    const { requestsPerMinute } = tierRights.free
    const left = async (body: unknown) => {
      const { headers } = await post(body, { key })
      return Number(headers.get('x-ratelimit-remaining'))
    }
    expect(await left(request('ping'))).toBe(requestsPerMinute)
    expect(await left(initialize('2025-03-26'))).toBe(11)
    expect(await left({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(11)
    expect(await left(request('tools/list'))).toBe(10)
    expect(await left(callOf('get_sports'))).toBe(9)
    expect(await left(callOf('find_middles'))).toBe(8)
    expect(await left(request('nothing'))).toBe(8)
    expect(await left([request('ping'), callOf('get_sports'), request('tools/list')])).toBe(6)
    const rest = await service.request('/account/usage', { headers: { 'X-API-Key': key } })
    expect(rest.body.data.requests).toMatchObject({ today: 7, limit: { remaining: 5 } })

    const batch = await post(
      Array.from({ length: 7 }, (_, i) => callOf('get_sports', {}, i)),
      { key },
    )
    expect(batch.status).toBe(200)
    expect(batch.body.map(({ code }: { code?: string }) => code)).toEqual([
      ...Array.from({ length: 5 }, () => undefined),
      'rate_limited',
      'rate_limited',
    ])
    const over = await post(callOf('get_sports', {}, 9), { key })
    expect(over.status).toBe(429)
    expect(over.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(over.body).toMatchObject({
      id: 9,
      code: 'rate_limited',
      retry_after: expect.any(Number),
      error: { code: -32001, data: { code: 'rate_limited' } },
    })
    expect((await post([callOf('get_sports')], { key })).status).toBe(429)
    expect((await post(request('ping'), { key })).status).toBe(200)
    service.advance(60_000)
    expect((await post(callOf('get_sports'), { key })).status).toBe(200)
  })
})

const bare = {
  path: '/api/v1/bare',
  inPath: {},
  definition: {
    name: 'bare',
    description: '',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
} as const

it('gets its own responses, whatever the ids', async () => {
  const tool: Tool = {
    ...bare,
    call: async (_, { caller }) => JSON.stringify({ tier: caller.tier }),
  }
  const server = createMcpServer({ version: '1.0.0', instructions: '', tools: [tool] })
  const call = JSONRPCRequestSchema.parse(callOf('bare'))
  const asked = tiers.map((tier) => server.ask(call, { caller: { tier } } as Admitted))
  const answers = await Promise.all(asked)
  expect(answers).toMatchObject(
    tiers.map((tier) => ({ id: 1, result: { content: [{ text: JSON.stringify({ tier }) }] } })),
  )
})

it('the account is charged for the whole of a tool, also after its route has answered', async () => {
  let depth = 0
  const charged: [what: string, isCharged: boolean][] = []
  const note = (what: string) => charged.push([what, depth > 0])
  const by = {
    caller: { tier: 'pro', features: {} },
    charged(work: () => unknown) {
      depth++
      try {
        return work()
      } finally {
        depth--
      }
    },
  } as unknown as Admitted
  const text = '{"data":{"tier":"pro"}}'
  const routes = service.routes.map((route) =>
    route.tool?.name === 'get_account_info'
      ? {
          ...route,
          async handle() {
            note('route')
            return { body: text }
          },
        }
      : route,
  )
  const tool = createTools(routes as typeof service.routes).find(
    ({ definition }) => definition.name === 'get_account_info',
  )!
  const { parse } = JSON
  vi.spyOn(JSON, 'parse').mockImplementation((given, reviver) => {
    if (given === text) note('shortening')
    return parse(given, reviver)
  })
  try {
    expect(parse(await tool.call({}, by))).toEqual({ data: { tier: 'pro' } })
  } finally {
    vi.restoreAllMocks()
  }
  expect(charged).toEqual([
    ['route', true],
    ['shortening', true],
  ])
})

describe('a fault of ours', () => {
  it('is no result of a tool', async () => {
    const fault = new TypeError('secret')
    const broken: Tool = {
      ...bare,
      async call() {
        throw fault
      },
    }
    const server = createMcpServer({ version: '1.0.0', instructions: '', tools: [broken] })
    const call = JSONRPCRequestSchema.parse(callOf('bare'))
    await expect(server.ask(call, {} as Admitted)).rejects.toBe(fault)
    const ping = JSONRPCRequestSchema.parse(request('ping', undefined, 'next'))
    expect(await server.ask(ping, {} as Admitted)).toEqual({
      jsonrpc: '2.0',
      id: 'next',
      result: {},
    })
  })

  it('is a tool of an undeclared route or parameter', () => {
    const without = (path: string) => service.routes.filter((route) => !route.path.endsWith(path))
    expect(() => createTools(without('/odds/best'))).toThrow('get_best_odds is no tool of a route')
    const narrowed = service.routes.map((route) =>
      route.path.endsWith('/sports') ? { ...route, query: {} } : route,
    )
    expect(() => createTools(narrowed)).toThrow('get_sports has no parameter include_empty')
  })
})
