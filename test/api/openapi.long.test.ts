import { Validator } from '@seriousme/openapi-schema-validator'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusedPerMinute, tierRights, tiers } from '../../api/access/tiers.ts'
import { operationIdOf } from '../../api/describe/openapi.ts'
import { twinNames } from '../../api/describe/portable-schema.ts'
import { streamOperations } from '../../api/describe/stream-operations.ts'
import { errorCodes } from '../../api/errors.ts'
import { type ActionRoute, answersOf, type Route } from '../../api/route.ts'
import { ArchiveError } from '../../pipeline/archive/archive.ts'
import type { Append } from '../../pipeline/log/log.ts'
import { topics } from '../../schemas/topics.ts'
import { type EngineArchive, startEngineArchive } from '../pipeline/archive/engine-archive.ts'
import { answerJson, openSource } from '../pipeline/feeds/loopback-source.ts'
import {
  knicks as archivedKnicks,
  archivedPriceId,
  archivePrice,
  fillArchive,
} from './filled-archive.ts'
import { fillBoard, fillOpportunities } from './filled-board.ts'
import { pushFutures } from './futures-said.ts'
import { createScriptedArchive, type ScriptedArchive } from './scripted-archive.ts'
import {
  adminToken,
  type InProcess,
  ingestToken,
  keys,
  type Reply,
  startInProcess,
} from './service-in-process.ts'
import { sourceRow } from './source-row.ts'
import { pushSplits } from './splits-said.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that only it knows
type Json = any

interface Operation {
  readonly id: string
  readonly route: Route
  readonly method: string
  readonly path: string
  readonly described: Json
}

let service: InProcess
let engine: EngineArchive
let archive: ScriptedArchive
let events: Awaited<ReturnType<typeof fillBoard>>
/** Ids that every tier with such opportunities sees. */
let middleId: string
let arbitrageId: string
let text: string
let document: Json
let operations: readonly Operation[]
let validate: ReturnType<typeof createContract>

beforeAll(async () => {
  engine = await startEngineArchive()
  archive = createScriptedArchive(engine.archive)
  await fillArchive(engine.archive)
  await archivePrice(engine.archive)
  service = await startInProcess({ archive: archive.access })
  events = await fillBoard(service)
  await fillOpportunities(service)
  await pushFutures(service)
  await pushSplits(service)
  const idOf = async (list: string): Promise<string> => {
    const { body } = await service.get(`/opportunities/${list}?team=nuggets`, 'pro')
    return body.data[0].id
  }
  middleId = await idOf('middles')
  arbitrageId = await idOf('arbitrage')
  text = (await service.request('/openapi.json')).text
  document = JSON.parse(text)
  validate = createContract(document)
  operations = service.routes
    .filter(({ isHidden }) => !isHidden)
    .map((route) => {
      const path = route.path.slice('/api/v1'.length).replace(/:(\w+)/g, '{$1}')
      const described = document.paths[path]?.[route.method]
      return { id: operationIdOf(route), route, method: route.method, path, described }
    })
})
afterAll(async () => {
  await service.close()
  await engine.close()
})

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  it('has every route that is not hidden, and no other', () => {
    for (const { id, described } of operations) expect(described?.operationId).toBe(id)
    const described = Object.values<Json>(document.paths).flatMap((path) => Object.keys(path))
    expect(described).toHaveLength(operations.length + streamOperations.length)
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
    expect(text).not.toContain('/positive-ev')
    for (const { method, path } of operations) {
      const others = service.routes.filter(({ isHidden }) => isHidden)
      const isSame = (route: Route) => route.method === method && route.path === `/api/v1${path}`
      expect(others.find(isSame)).toBe(undefined)
    }
  })

  it('keeps the names of operations, which clients are generated from', () => {
    expect(operations.map(({ id }) => id)).toMatchInlineSnapshot(`
      [
        "getHealth",
        "getLivez",
        "getReadyz",
        "getSports",
        "getSport",
        "getLeagues",
        "getLeague",
        "getSportsbooks",
        "getSportsbook",
        "getMarkets",
        "getTeams",
        "getOdds",
        "getOddsDelta",
        "getOddsBest",
        "getOddsComparison",
        "getOddsClosing",
        "postOddsBatch",
        "getEvents",
        "getEvent",
        "getEventOdds",
        "getEventMarkets",
        "getGamestate",
        "getGamestateBySport",
        "getOddsHistory",
        "getEventHistory",
        "getHistoricalPrices",
        "getMovements",
        "getHistoricalChanges",
        "getHistoricalCloses",
        "getOpportunitiesEv",
        "getOpportunitiesArbitrage",
        "getOpportunitiesMiddles",
        "getOpportunitiesMiddlesSummary",
        "getOpportunitiesMiddle",
        "getOpportunitiesLowHold",
        "getOpportunitiesLives",
        "getOpportunityExplain",
        "getFutures",
        "getFuturesOdds",
        "getFuturesComparison",
        "getHistoricalClv",
        "getHistoricalOddsClosing",
        "getRecord",
        "getSplits",
        "getSplitsHistory",
        "getDeeplink",
        "getDeeplinks",
        "postDeeplinksBatch",
        "getAccount",
        "getAccountUsage",
        "getAccountKeys",
        "postAccountKeys",
        "deleteAccountKey",
        "postAccountKeyRotate",
        "getAccountProfile",
        "patchAccountProfile",
        "postAccountBets",
        "getAccountBets",
        "getAccountBetsClv",
        "getAccountBetsResults",
        "postAccountBetResult",
        "patchAccountBet",
        "deleteAccountBet",
        "postAccountAlerts",
        "getAccountAlerts",
        "getAccountAlertsDeliveries",
        "getAccountAlert",
        "patchAccountAlert",
        "deleteAccountAlert",
        "postAccountAlertPause",
        "postAccountAlertResume",
        "postAccountAlertTest",
        "getAccountAlertDeliveries",
        "postAccountAlertDeliveryRedeliver",
        "postToolsNoVig",
        "postToolsArbitrage",
        "postToolsMiddle",
        "postToolsKelly",
        "postToolsFreeBet",
        "postToolsHedge",
        "postToolsParlay",
        "postToolsOdds",
        "postAdminAccounts",
        "getAdminAccounts",
        "patchAdminAccount",
        "postAdminAccountKeys",
        "deleteAdminAccountKey",
        "getAdminUsage",
        "getAdminLogLevel",
        "patchAdminLogLevel",
        "getAdminAliases",
        "postAdminAliases",
        "deleteAdminAlias",
        "getSources",
        "getSourcesAvailable",
        "postSourcesTest",
        "postSources",
        "deleteSource",
        "patchSource",
        "getStatus",
        "postIngest",
        "getAsyncapiJson",
        "postMcp",
        "getOpenapiJson",
      ]
    `)
  })

  it('has every parameter, with what is known of it', () => {
    for (const { route, described } of operations) {
      const parameters = parametersOf(described)
      const inQuery = parameters.filter((parameter) => parameter.in === 'query')
      expect(inQuery.map(({ name }) => name)).toEqual(Object.keys(route.query))
      for (const { name, description, schema, required, 'x-aliases': aliases } of inQuery) {
        const meta: Json = route.query[name]?.meta()
        expect(description).toContain(meta.description)
        expect(schema.type).toMatch(/^(array|string|boolean|integer|number)$/)
        expect(schema.enum).toEqual(meta.enum)
        expect(schema.default).toEqual(meta.default)
        expect([schema.minimum, schema.maximum]).toEqual([meta.minimum, meta.maximum])
        expect(aliases).toEqual(meta['x-aliases'])
        expect(required).toBe(meta['x-required'] === true)
      }
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect(inPath.map(({ name }) => name)).toEqual(names)
      for (const { name, description } of inPath) expect(description).not.toBe(name)
      if (route.kind === 'read') {
        expect(parameters.map(({ name }) => name)).toContain('If-None-Match')
        expect(described.responses['304']).toBeDefined()
      }
    }
    expect(parameterOf('getOddsDelta', 'since').required).toBe(false)
    expect(parameterOf('getOddsComparison', 'event').required).toBe(true)
    expect(parameterOf('getOdds', 'event').required).toBe(false)
    expect(parameterOf('getOdds', 'limit').schema.default).toBe(50)
  })

  it('has every error code, in the introduction and with an example', () => {
    for (const [code, { status, means }] of Object.entries(errorCodes)) {
      expect(document.info.description).toContain(`| ${status} | \`${code}\` | ${means} |`)
      expect(document.components.examples[code].value.error.code).toBe(code)
    }
    for (const { route, described } of operations) {
      const told = new Set(codesOf(described).map(([, code]) => code))
      for (const code of route.errors) expect([...told]).toContain(code)
      for (const [status, code] of codesOf(described)) {
        expect(errorCodes[code as keyof typeof errorCodes].status).toBe(Number(status))
      }
    }
  })

  it('says how to be let in', () => {
    const schemesOf = (id: string) =>
      operationOf(id).described.security.map((scheme: object) => Object.keys(scheme)[0] ?? null)
    const anyKey = ['apiKeyHeader', 'apiKeyBearer', 'apiKeyQuery']
    expect(schemesOf('getOdds')).toEqual(anyKey)
    expect(schemesOf('getSports')).toEqual([...anyKey, null])
    expect(schemesOf('getHealth')).toEqual([])
    expect(schemesOf('postIngest')).toEqual(['ingestToken'])
    expect(schemesOf('getAdminAccounts')).toEqual(['adminToken'])
  })

  it('is numbered as the package, short enough to read, and one document', () => {
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(text.length / operations.length).toBeLessThan(5_700)
    expect(text).not.toContain('"$schema"')
    expect(text).not.toContain('"$id"')
    const refs = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref!)
    for (const ref of new Set(refs)) expect(resolve(ref)).toBeDefined()
  })

  it('has names for the variants of a record, and formats that need no further package, for generators', () => {
    for (const [name, { oneOf = [], anyOf = [] }] of Object.entries<Json>(
      document.components.schemas,
    )) {
      const variants: Json[] = [...oneOf, ...anyOf]
      expect(
        variants.filter(({ properties }) => properties),
        name,
      ).toEqual([])
    }
    const formats = [...text.matchAll(/"format":"([^"]*)"/g)].map(([, format]) => format!)
    expect([...new Set(formats)].sort()).toEqual(['binary', 'date', 'date-time', 'uri'])
  })

  it('has a chapter for every operation, each with a sentence', () => {
    const names = document.tags.map(({ name }: Json) => name)
    const described = Object.values<Json>(document.paths).flatMap((path) =>
      Object.values<Json>(path),
    )
    const used = new Set(described.flatMap(({ tags }) => tags))
    expect([...used].sort()).toEqual([...names].sort())
    for (const { description } of document.tags) expect(description).toMatch(/\.$/)
  })
})

describe('the examples', () => {
  it('stand with every answer and body in JSON', () => {
    for (const { route, described } of operations) {
      for (const { status = 200, schema } of answersOf(route)) {
        if (!schema) continue
        const [media] = Object.values<Json>(described.responses[status].content)
        expect(media, `${route.path} ${status}`).toHaveProperty('example')
      }
      for (const media of Object.values<Json>(described.requestBody?.content ?? {})) {
        expect(media).toHaveProperty('example')
      }
    }
  })

  it('are of the schemas they illustrate', () => {
    let count = 0
    visit(document.paths, ['paths'])
    visit(document.components.responses, ['components', 'responses'])
    expect(count).toBeGreaterThan(60)

    /** Visits every node with a schema and examples: media types and parameters. */
    function visit(node: Json, at: readonly string[]) {
      if (typeof node !== 'object' || node === null || at.at(-1) === 'example') return
      if ('schema' in node) {
        const named = Object.values<Json>(node.examples ?? {}).map(
          (example) => resolve(example.$ref).value,
        )
        for (const example of [...('example' in node ? [node.example] : []), ...named]) {
          expect(validate([...at, 'schema'], example), at.join(' ')).toEqual([])
          count++
        }
      }
      for (const [name, child] of Object.entries(node)) visit(child, [...at, name])
    }
  })
})

describe('real answers are as described, without a member that is not:', () => {
  /** A key of each tier, and keys of accounts that were disabled, expired or used up. */
  let keyOf: Record<(typeof tiers)[number] | 'disabled' | 'expired' | 'exhausted', string>
  /** Id of a second key of the enterprise account. */
  let spareKeyId: string
  /** `<operation> <status> <code or ok>` of all responses so far. */
  const seen = new Set<string>()

  beforeAll(async () => {
    const { accounts } = service
    const create = async (tier: (typeof tiers)[number]) =>
      accounts.create({ name: `of ${tier}`, tier, addOns: [], expiresAt: null })
    const [free, hobby, pro, sharp, enterprise] = await Promise.all(tiers.map(create))
    const [disabled, expired, exhausted] = await Promise.all([
      create('pro'),
      create('pro'),
      create('free'),
    ])
    await accounts.change(disabled!.account.id, { isDisabled: true })
    await accounts.change(expired!.account.id, { expiresAt: service.clock() })
    keyOf = {
      free: free!.value,
      hobby: hobby!.value,
      pro: pro!.value,
      sharp: sharp!.value,
      enterprise: enterprise!.value,
      disabled: disabled!.value,
      expired: expired!.value,
      exhausted: exhausted!.value,
    }
    spareKeyId = (
      await accounts.grantKey(enterprise!.account.id, {
        name: 'spare',
        maxStreams: null,
      })
    ).key.id
  })

  /** Calls an operation and validates the response against the description of its status. */
  async function call(id: string, suffix = '', init: RequestInit = {}, key?: string | null) {
    const { route, method, path } = operationOf(id)
    const token = { admin: adminToken, ingest: ingestToken }[route.access as string]
    const headers = new Headers(init.headers)
    if (key === undefined && token) headers.set('Authorization', `Bearer ${token}`)
    else if (key !== null && !token) headers.set('X-API-Key', key ?? keyOf.enterprise)
    const values: Record<string, string> = {
      eventId: events.upcoming,
      sportId: 'basketball',
      leagueId: 'nba',
      bookId: 'draftkings',
      keyId: spareKeyId,
      accountId: 'acct_none',
      id: id === 'getOpportunityExplain' ? arbitrageId : middleId,
    }
    const at = suffix.startsWith('/')
      ? suffix
      : path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? 'none') + suffix
    const request = { redirect: 'manual', ...init, method: method.toUpperCase(), headers } as const
    const reply = await service.request(at, request)
    hold(id, reply)
    return reply
  }

  function hold(id: string, reply: Reply) {
    const { method, path, described } = operationOf(id)
    const status = String(reply.status)
    const answer = described.responses[status]
    expect(answer, `${id} answered ${status}: ${reply.text.slice(0, 300)}`).toBeDefined()
    const { content, 'x-error-codes': codes } = answer.$ref ? resolve(answer.$ref) : answer
    const unchanged = described.responses['304']
    const headers: Json = unchanged ? resolve(unchanged.$ref).headers : {}
    if (codes) expect(codes, `${id} ${status}`).toContain(reply.body.code)
    seen.add(`${id} ${status} ${reply.body?.code ?? 'ok'}`)
    expect(reply.headers.get('x-request-id')).toMatch(/.+/)
    if (reply.status < 400) {
      const isWithKey = reply.headers.has('x-tier')
      for (const name of Object.keys(headers)) {
        if (!isWithKey && /^X-(Tier|Data-Delay)$/.test(name)) continue
        expect(reply.headers.get(name), `${id} ${status} ${name}`).toMatch(/.+/)
      }
    }
    if (!content) return expect(reply.text).toBe('')
    const isCsv = reply.headers.get('content-type') === 'text/csv; charset=utf-8'
    if (isCsv) return expect(content).toHaveProperty('text/csv')
    const [mediaType = ''] = reply.headers.get('content-type')?.split(';') ?? []
    const isFile = reply.headers.has('content-disposition')
    if (isFile) return expect(content).toHaveProperty([mediaType])
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const at = answer.$ref
      ? [...answer.$ref.slice(2).split('/')]
      : ['paths', path, method, 'responses', status]
    const problems = validate([...at, 'content', 'application/json', 'schema'], reply.body)
    expect(problems, `${id} ${status}: ${reply.text.slice(0, 500)}`).toEqual([])
  }

  /** Returns the parameters that a read requires. */
  const suffixOf = (id: string, event: string) =>
    ({
      getOddsDelta: '?since=2026-11-20T12:00:30Z',
      getOddsComparison: `?event=${event}`,
      getOddsClosing: `?event_id=${event}`,
      getDeeplinks: `?id=${arbitrageId}`,
      getFuturesOdds: '?league=nba',
      getFuturesComparison: '?future_id=nba_champion_2027',
    })[id] ?? ''

  const json = (body: unknown): RequestInit => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

  const listTools = json({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

  /** Returns the body that an operation requires. */
  const bodyOf = (id: string) => (id === 'postMcp' ? listTools : {})

  it('reads at every tier', async () => {
    for (const tier of tiers) {
      // The free tier has twelve requests a minute.
      for (const { id, route } of operations) {
        if (route.kind !== 'read') continue
        if (tier === 'free') service.advance(6_000)
        const event = tier === 'free' ? events.live : events.upcoming
        const { status } = await call(id, suffixOf(id, event), {}, keyOf[tier])
        const { requires } = route
        const isOpen = !requires || tierRights[tier].features[requires.feature]
        expect(status, id).toBe(isOpen ? 200 : 403)
      }
    }
    const odds = await call('getOdds', '?limit=200')
    expect(odds.body.data.length).toBeGreaterThan(100)
    const isRow = validate.of('OddsItem')
    for (const row of odds.body.data) expect(isRow(row)).toEqual([])
  })

  it('reads with every parameter', async () => {
    const { upcoming, live } = events
    const odds = [
      'sport=basketball,soccer&league=nba&sportsbook=draftkings&add_sportsbook=fanduel&live=true',
      `event=${upcoming},${live}&market=main&is_main_line=true&min_odds=-300&max_odds=300`,
      'sort=-odds_american&limit=3',
      'fields=id,line,odds_american&limit=3',
      'group_by=event',
      'group_by=event&fields=id',
      'state=nj&limit=2',
      'team=knicks&date=2026-11-20&q=nets',
      'market=props',
      'league=wnba',
      'offset=500',
    ]
    for (const query of odds) expect((await call('getOdds', `?${query}`)).status).toBe(200)
    const { body } = await call('getOdds', '?limit=2')
    const cursor = body.meta.pagination.next_cursor
    expect((await call('getOdds', `?limit=2&cursor=${cursor}`)).body.data).toHaveLength(2)
    const since = 'since=2026-11-20T12:00:30Z'
    const delta = [
      since,
      `${since}&limit=2&offset=2&sort=odds_decimal`,
      `${since}&fields=id&live=true`,
      'since=2020-01-01T00:00:00Z',
      'since=2027-01-01T00:00:00Z',
    ]
    for (const query of delta) expect((await call('getOddsDelta', `?${query}`)).status).toBe(200)
    expect((await call('getOddsDelta', `?${since}`)).body.removed.length).toBeGreaterThan(0)
    for (const query of ['live=true', 'market=props', 'league=wnba', 'min_odds=100&limit=1']) {
      expect((await call('getOddsBest', `?${query}`)).status).toBe(200)
    }
    for (const query of ['', '&market=props', '&sportsbook=novig', '&live=true']) {
      expect((await call('getOddsComparison', `?event_id=${upcoming}${query}`)).status).toBe(200)
    }
    for (const query of [
      'has_score=false',
      'has_score=true',
      'live=true&team=bulls',
      'league=wnba',
    ]) {
      expect((await call('getEvents', `?${query}`)).status).toBe(200)
    }
    const common = `sport=basketball&league=nba&event=${upcoming}&team=knicks&live=false`
    const priced = `${common}&sportsbook=draftkings&market=main&min_odds=-500&max_odds=500&date_range=week`
    const opportunities = {
      Ev: [
        'max_hold=10&min_ev=-1&max_ev=90&sort=-kelly',
        'devig_book=circa&player=x&stat_category=points&selection=over',
        'min_kelly=0&min_confidence=1&is_player_prop=false&arb_available=true&max_odds_age=9',
      ],
      Arbitrage: ['min_profit=-1&sort=time', 'group=best&max_odds_age=900', 'format=csv'],
      Middles: ['min_size=2&state=nj&sort=ev', 'sort=-probability&max_odds_age=5'],
      LowHold: ['max_hold=9&sort=-hold&state=pa', 'limit=1&offset=1'],
    }
    for (const [name, queries] of Object.entries(opportunities)) {
      for (const query of ['', priced, ...queries]) {
        const { status } = await call(`getOpportunities${name}`, `?${query}`)
        expect(status, `${name} ${query}`).toBe(200)
      }
      const { body } = await call(`getOpportunities${name}`)
      expect(body.data.length, name).toBeGreaterThan(0)
    }
    for (const query of ['sport=basketball', 'league=wnba']) {
      expect((await call('getOpportunitiesMiddlesSummary', `?${query}`)).status).toBe(200)
    }
    for (const query of ['market=props&limit=1', 'sportsbook=pinnacle', 'live=true']) {
      expect((await call('getEventOdds', `?${query}`)).status).toBe(200)
    }
    const lists = [
      ['getSports', 'include_empty=true'],
      ['getLeagues', 'include_empty=true&sport=basketball'],
      ['getSportsbooks', 'catalog=true&include_inactive=true&include_unlisted=true'],
      ['getSportsbooks', 'region=US&sharp=false'],
      ['getMarkets', 'sport=soccer'],
      ['getTeams', 'sport=basketball&q=knicks&league=nba'],
      ['getFutures', 'sport=basketball&league=nba&sportsbook=fanduel&future_type=TEAM&offset=1'],
      ['getFuturesOdds', 'market=champion,total_wins&add_sportsbook=fanduel&limit=2'],
      ['getFuturesComparison', 'future_id=nba_champion_2027&sportsbook=fanduel'],
    ] as const
    for (const [id, query] of lists) expect((await call(id, `?${query}`)).status).toBe(200)
    for (const id of ['getSports', 'getMarkets'])
      expect((await call(id, '', {}, null)).status).toBe(200)
    const unlisted = '/sportsbooks/corner_shop_bets'
    expect((await call('getSportsbook', unlisted)).status).toBe(200)
  })

  it('copies that still stand', async () => {
    for (const { id, route } of operations) {
      if (route.kind !== 'read') continue
      const suffix = suffixOf(id, events.live)
      const { headers } = await call(id, suffix)
      const etag = headers.get('etag')!
      const weak = etag.startsWith('W/') ? etag : `W/${etag}`
      for (const tags of [etag, `"other", ${weak}`, '*']) {
        const { status } = await call(id, suffix, { headers: { 'If-None-Match': tags } })
        expect(status, `${id} ${tags}`).toBe(304)
      }
    }
  })

  /** Requests of the archive that return a page or a file. */
  const ofHistory = [
    ['getOddsHistory', `/odds/${archivedPriceId}/history`],
    ['getEventHistory', `/events/${archivedKnicks.id}/history`],
    ['getMovements', '/movements?from=2026-11-19T12:00:00Z&to=2026-11-20T00:00:00Z&min_books=2'],
    [
      'getOpportunitiesLives',
      '/opportunities/lives?from=2026-11-19T12:00:00Z&to=2026-11-20T00:00:00Z',
    ],
    [
      'getHistoricalChanges',
      '/historical/changes?from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z',
    ],
    ['getHistoricalCloses', '/historical/closes?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z'],
  ] as const

  it('actions', async () => {
    const plain = [
      'getHealth',
      'getLivez',
      'getReadyz',
      'getOpenapiJson',
      'getAsyncapiJson',
      'getAccount',
      'getAccountUsage',
    ]
    for (const id of plain) {
      expect((await call(id)).status).toBe(200)
    }
    for (const tier of tiers)
      expect((await call('getAccount', '', {}, keyOf[tier])).status).toBe(200)
    const archived = [
      ['getHistoricalPrices', `event=${archivedKnicks.id}&points=40`],
      ['getHistoricalClv', 'from=2026-11-01T00:00:00Z&group_by=day&sport=basketball&league=nba'],
      ['getHistoricalClv', 'to=2026-11-20&sportsbook=fanduel'],
      ['getHistoricalClv', 'league=epl'],
      ['getRecord', 'from=2026-11-19&to=2026-11-20&kind=ev'],
      ['getHistoricalOddsClosing', 'date=2026-11-20&sport=basketball&league=nba'],
      ['getHistoricalOddsClosing', 'date=2026-11-19&sport=basketball&league=nba'],
    ] as const
    for (const [id, path] of ofHistory) expect((await call(id, path)).status, id).toBe(200)
    for (const [id, query] of archived) expect((await call(id, `?${query}`)).status).toBe(200)
    const { upcoming, live } = events
    const bodies = [
      { event_ids: [upcoming, live, 'none'] },
      { event_ids: [live], sportsbook: 'draftkings', market: 'spread' },
      { event_ids: ['none'] },
    ]
    for (const body of bodies)
      expect((await call('postOddsBatch', '', json(body))).status).toBe(200)

    const [first] = (await service.get('/odds?sportsbook=draftkings&limit=1')).body.data
    const linked = await call('getDeeplink', first.deep_link.replace('/api/v1', ''), {}, null)
    expect(linked.status).toBe(302)

    const ids = [arbitrageId, first.id, 'none']
    expect((await call('postDeeplinksBatch', '', json({ ids }))).status).toBe(200)

    expect((await call('getAccountKeys', '?limit=1')).status).toBe(200)
    const made = await call('postAccountKeys', '', json({ name: 'third' }))
    expect(made.status).toBe(201)
    const { id } = made.body.data
    const later = json({ gracePeriodHours: 2, name: 'renamed' })
    expect((await call('postAccountKeyRotate', `/account/keys/${id}/rotate`, later)).status).toBe(
      200,
    )
    expect((await call('postAccountKeyRotate')).status).toBe(200)
    expect((await call('deleteAccountKey', `/account/keys/${id}`)).status).toBe(200)

    const { example: profile } = (operationOf('patchAccountProfile').route as ActionRoute).body!
    expect((await call('patchAccountProfile', '', json(profile))).status).toBe(200)
    expect((await call('getAccountProfile')).body.data.sportsbooks).toHaveLength(2)

    const { example, csv } = (operationOf('postAccountBets').route as ActionRoute).body!
    expect((await call('getAccountBetsClv')).body.data.total.bets).toBe(0)
    const kept = await call('postAccountBets', '', json(example))
    expect(kept.body.data).toMatchObject({ accepted: 1, rejected: [] })
    const file = { headers: { 'Content-Type': 'text/csv' }, body: csv! }
    expect((await call('postAccountBets', '', file)).body.data.rejected_count).toBe(1)
    expect((await call('getAccountBets')).body.data).toHaveLength(1)
    expect((await call('getAccountBets', '?format=csv')).text).toContain('slip-1042')
    // The bet's event is not on the board, so the archive is queried.
    archive.answer(() => Promise.reject(new ArchiveError('unavailable', 'as scripted', null)))
    expect((await call('getAccountBetsClv')).body.code).toBe('not_ready')
    const open = await call('getAccountBetsResults')
    expect(open.body.data.open_reasons).toEqual({ not_started: 1 })
    archive.answer(null)
    const betPath = `/account/bets/${kept.body.data.bets[0].id}`
    const { example: correction } = (operationOf('patchAccountBet').route as ActionRoute).body!
    expect((await call('patchAccountBet', betPath, json(correction))).body.data).toMatchObject({
      ...{ reference: 'slip-1042', odds_decimal: 1.91, stake: 40 },
    })
    expect((await call('patchAccountBet', betPath, json({ stake: 50 }))).status).toBe(200)
    const lost = json({ outcome: 'lost', reason: 'by hand' })
    expect((await call('postAccountBetResult', `${betPath}/result`, lost)).status).toBe(200)
    const results = await call('getAccountBetsResults', '?state=settled')
    expect(results.body.data.total).toMatchObject({ lost: 1, profit: -50 })
    for (const { id, route } of operations) {
      if (!route.path.startsWith('/api/v1/tools/')) continue
      const { example: question } = (route as ActionRoute).body!
      expect((await call(id, '', json(question))).status, id).toBe(200)
      expect((await call(id, '', json({}))).status, id).toBe(400)
    }
    expect((await call('deleteAccountBet', betPath)).status).toBe(200)

    const toWebhook = { type: 'webhook', url: 'http://127.0.0.1:9/closed' }
    const rule = { name: 'A', kind: 'ev', filters: { min_ev: 90 }, target: toWebhook }
    const alert = await call('postAccountAlerts', '', json(rule))
    expect(alert.status).toBe(201)
    expect((await call('getAccountAlerts')).body.data).toHaveLength(1)
    const alertPath = `/account/alerts/${alert.body.data.id}`
    expect((await call('getAccountAlert', alertPath)).status).toBe(200)
    const rename = json({ name: 'B' })
    expect((await call('patchAccountAlert', alertPath, rename)).body.data.name).toBe('B')
    const tried = await call('postAccountAlertTest', `${alertPath}/test`)
    expect(tried.body.data.state).toBe('failed')
    const sent = `${alertPath}/deliveries`
    expect((await call('getAccountAlertDeliveries', sent)).body.data).toHaveLength(1)
    const all = '/account/alerts/deliveries?target=webhook'
    expect((await call('getAccountAlertsDeliveries', all)).body.data).toHaveLength(1)
    const again = `${sent}/${tried.body.data.id}/redeliver`
    expect((await call('postAccountAlertDeliveryRedeliver', again)).status).toBe(200)
    for (const [id, word] of [
      ['postAccountAlertPause', 'pause'],
      ['postAccountAlertResume', 'resume'],
    ] as const) {
      expect((await call(id, `${alertPath}/${word}`)).status, id).toBe(200)
    }
    const refused = { ...rule, filters: { sportsbook: 'pinacle' } }
    for (const [id, at] of [
      ['postAccountAlerts', ''],
      ['patchAccountAlert', alertPath],
    ] as const) {
      const { body } = await call(id, at, json(refused))
      expect([id, body.code]).toEqual([id, 'invalid_filter'])
    }
    const early = await call('postAccountAlerts', '', json(rule), keyOf.free)
    expect(early.body.code).toBe('feature_required')
    const own = await call('postAccountAlerts', '', json(rule), keyOf.pro)
    const ownPath = `/account/alerts/${own.body.data.id}`
    const hidden = json({ ...rule, filters: { sportsbook: 'pinnacle' } })
    for (const [id, at] of [
      ['postAccountAlerts', ''],
      ['patchAccountAlert', ownPath],
    ] as const) {
      const { body } = await call(id, at, hidden, keyOf.pro)
      expect([id, body.code]).toEqual([id, 'tier_restricted'])
    }
    const least = json({ ...rule, kind: 'arbitrage', filters: {} })
    const ofHobby = await call('postAccountAlerts', '', least, keyOf.hobby)
    const hobbyPath = `/account/alerts/${ofHobby.body.data.id}`
    const late = await call('patchAccountAlert', hobbyPath, json({ kind: 'ev' }), keyOf.hobby)
    expect(late.body.code).toBe('feature_required')
    expect((await call('deleteAccountAlert', alertPath)).status).toBe(200)

    const wanted = {
      name: 'A',
      tier: 'pro',
      addons: ['streaming'],
      expires_at: '2030-01-01T00:00:00Z',
    }
    const account = await call('postAdminAccounts', '', json(wanted))
    expect(account.status).toBe(201)
    const path = `/admin/accounts/${account.body.data.account_id}`
    const change = json({ tier: 'sharp', addons: [], streaming_trial_hours: 4 })
    expect((await call('patchAdminAccount', path, change)).status).toBe(200)
    expect((await call('getAdminAccounts')).status).toBe(200)
    const granted = await call('postAdminAccountKeys', `${path}/keys`, json({ name: 'x' }))
    expect(granted.status).toBe(201)
    const grantedPath = `${path}/keys/${granted.body.data.id}`
    expect((await call('deleteAdminAccountKey', grantedPath)).status).toBe(200)
    const alias = { league: 'nba', spelling: 'Gotham', team: 'New York Knicks', state: 'confirmed' }
    const aliases = await call('postAdminAliases', '', json({ aliases: [alias] }))
    expect(aliases.status).toBe(200)
    expect((await call('getAdminAliases')).body.data).toHaveLength(1)
    const aliasPath = `/admin/aliases/${aliases.body.data.aliases[0].id}`
    expect((await call('deleteAdminAlias', aliasPath)).status).toBe(200)
    const trying = account.body.data.key
    expect((await call('getAccount', '', {}, trying)).body.data.streaming_trial.active).toBe(true)

    const sports = { name: 'get_sports', arguments: {} }
    for (const message of [
      { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: sports },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
      [{ jsonrpc: '2.0', id: 3, method: 'ping' }, {}],
    ]) {
      expect((await call('postMcp', '', json(message))).status).toBe(200)
    }
    const notified = json({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await call('postMcp', '', notified)).status).toBe(202)

    const pushed = await call('postIngest', '', { body: '{"type":"none"}\nnot json' })
    expect(pushed.status).toBe(202)
    expect(pushed.body.data.rejected).toHaveLength(2)
  })

  it('files of many prices in every form, of the media types that are described', async () => {
    const files = ofHistory.filter(([id]) => id.startsWith('getHistorical'))
    expect(files.length).toBe(2)
    for (const [id, path] of files) {
      const answered = new Set<string>()
      for (const format of parameterOf(id, 'format').schema.enum) {
        const { status, headers } = await call(id, `${path}&format=${format}`)
        expect([id, format, status]).toEqual([id, format, 200])
        answered.add(headers.get('content-type')!.split(';')[0]!)
      }
      const { content } = operationOf(id).described.responses['200']
      expect([id, [...answered].sort()]).toEqual([id, Object.keys(content).sort()])
    }
  })

  it('calls that are not let in', async () => {
    service.advance(60_000)
    for (let i = 0; i < 12; i++)
      await service.request('/account', { headers: { 'X-API-Key': keyOf.exhausted } })
    for (const { id, route } of operations) {
      const { access } = route
      if (access === 'admin' || access === 'ingest') {
        expect((await call(id, '', {}, null)).status).toBe(401)
      } else if (access !== 'public' || 'takesKey' in route) {
        for (const key of ['wrong', keyOf.disabled, keyOf.expired]) {
          expect((await call(id, '', bodyOf(id), key)).status).toBe(401)
        }
        if (access === 'key') expect((await call(id, '', {}, null)).status).toBe(401)
        const { status, headers } = await call(id, '', bodyOf(id), keyOf.exhausted)
        expect(status).toBe(429)
        expect(headers.get('retry-after')).toMatch(/^\d+$/)
      }
    }
  })

  it('calls that ask for what is not there, or not to be had', async () => {
    service.advance(60_000)
    for (const { id, route } of operations) {
      expect((await call(id, '?no_parameter=1')).status, id).toBe(400)
      if (route.kind === 'action' && route.body) {
        const body = ' '.repeat(route.body.maxBytes + 1)
        expect((await call(id, '', { body })).status, id).toBe(413)
        const coded = { ...bodyOf(id), headers: { 'Content-Encoding': 'zstd' } }
        expect((await call(id, '', coded)).status, id).toBe(415)
        if (route.body.as === 'json') {
          expect((await call(id, '', json([]))).status).toBe(400)
        }
      }
    }
    for (const id of ['getOdds', 'getOddsBest', 'getEvents', 'getEventOdds', 'getOddsComparison']) {
      const event = id === 'getOddsComparison' ? `&event=${events.live}` : ''
      expect((await call(id, `?sportsbook=pinnacle${event}`, {}, keyOf.pro)).status).toBe(403)
    }
    for (const name of ['Ev', 'Arbitrage', 'Middles', 'LowHold']) {
      const id = `getOpportunities${name}`
      const { body } = await call(id, '?sportsbook=pinnacle', {}, keyOf.pro)
      expect([id, body.code]).toEqual([id, 'tier_restricted'])
      expect((await call(id, '?offset=5001')).status).toBe(400)
    }
    for (const [id, path] of [
      ['getOpportunitiesMiddle', '/opportunities/middles/0123456789abcdef'],
      ['getOpportunityExplain', '/opportunities/0123456789abcdef/explain'],
    ] as const) {
      const restricted = await call(id, `${path}?books=pinnacle`, {}, keyOf.pro)
      expect([id, restricted.body.code]).toEqual([id, 'tier_restricted'])
      const unknown = await call(id, `${path}?books=pinacle`)
      expect([id, unknown.body.error.code]).toEqual([id, 'invalid_filter'])
    }
    for (const { id, route } of operations) {
      if (!route.requires) continue
      service.advance(6_000)
      const { body } = await call(id, '', {}, keyOf.free)
      expect([id, body.code]).toEqual([id, route.requires.otherwise])
    }
    const restricted = json({ event_ids: [events.live], sportsbook: 'pinnacle' })
    expect((await call('postOddsBatch', '', restricted, keyOf.pro)).status).toBe(403)
    const unknown = json({ event_ids: [events.live], sportsbook: 'pinacle' })
    expect((await call('postOddsBatch', '', unknown)).body.error.code).toBe('invalid_filter')
    const misspelt = json({ sportsbooks: [{ sportsbook: 'pinacle' }] })
    expect((await call('patchAccountProfile', '', misspelt)).body.error.code).toBe('invalid_filter')
    const since = '?since=2026-11-20T12:00:30Z'
    expect((await call('getOddsDelta', '?resume_from=another:1-1')).body.error.reason).toBe(
      'other_log',
    )
    expect((await call('getOddsDelta', `${since}&sportsbook=pinnacle`, {}, keyOf.pro)).status).toBe(
      403,
    )
    expect((await call('getOddsDelta', `${since}&offset=501`)).body.error.max_offset).toBe(500)
    expect((await call('getOdds', '?offset=501')).body.max_offset).toBe(500)
    const filters = [
      ['getOdds', 'league=moneyline'],
      ['getOddsDelta', `${since.slice(1)}&league=moneyline`],
      ['getOddsBest', 'market=spred'],
      ['getOddsComparison', `event=${events.live}&market=spred`],
      ['getEvents', 'sport=basketbal'],
      ['getEventOdds', 'market=spred'],
      ['getLeagues', 'sport=basketbal'],
      ['getMarkets', 'sport=basketbal'],
      ['getTeams', 'league=nbaa'],
      ['getOpportunitiesEv', 'devig_book=pinacle'],
      ['getOpportunitiesArbitrage', 'league=nbaa'],
      ['getOpportunitiesMiddles', 'market=spred'],
      ['getOpportunitiesMiddlesSummary', 'sport=basketbal'],
      ['getOpportunitiesLowHold', 'sportsbook=pinacle'],
      ['getFutures', 'sport=basketbal'],
      ['getFuturesOdds', 'market=champoin'],
      ['getFuturesComparison', 'future_id=nba_champion_2027&sportsbook=pinacle'],
      ['getHistoricalClv', 'league=nbaa'],
      ['getHistoricalOddsClosing', 'date=2026-11-19&sport=basketbal&league=nba'],
      ['getOddsClosing', 'event_id=none&sportsbook=pinacle'],
      ['getMovements', 'league=nbaa'],
      ['getOpportunitiesLives', 'league=nbaa'],
      ['getRecord', 'league=nbaa'],
      ['getHistoricalChanges', 'league=nbaa&from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z'],
      ['getHistoricalCloses', 'league=nbaa&from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z'],
      ['getEventHistory', 'sportsbook=pinacle'],
      ['getHistoricalPrices', 'event=none&sportsbook=pinacle'],
      ['getSplits', 'sportsbook=pinacle'],
      ['getSplitsHistory', 'event_id=none&sportsbook=pinacle'],
    ] as const
    for (const [id, query] of filters) {
      expect((await call(id, `?${query}`)).body.error.code, id).toBe('invalid_filter')
    }
    const absent = [
      ['getSport', '/sports/none'],
      ['getLeague', '/leagues/none'],
      ['getSportsbook', '/sportsbooks/none'],
      ['getEvent', '/events/none'],
      ['getEventOdds', '/events/none/odds'],
      ['getEventMarkets', '/events/none/markets'],
      ['getOddsComparison', '/odds/comparison?event=none'],
      ['getOpportunitiesMiddle', '/opportunities/middles/0123456789abcdef'],
      ['getOpportunityExplain', '/opportunities/0123456789abcdef/explain'],
      ['getFuturesOdds', '/futures/odds?future_id=none'],
      ['getFuturesComparison', '/futures/comparison?future_id=none'],
      ['getSplitsHistory', '/splits/history?event_id=none'],
      ['getOddsHistory', '/odds/100000000000000/history'],
      ['getEventHistory', '/events/none/history'],
      ['getDeeplink', '/deeplink/100000000000000'],
      ['getDeeplinks', '/deeplinks?id=100000000000000'],
      ['deleteAccountKey', '/account/keys/none'],
      ['postAccountKeyRotate', '/account/keys/none/rotate'],
      ['deleteAdminAlias', '/admin/aliases/none'],
      ['deleteAccountBet', '/account/bets/none'],
      ['getAccountAlert', '/account/alerts/none'],
      ['deleteAccountAlert', '/account/alerts/none'],
      ['postAccountAlertPause', '/account/alerts/none/pause'],
      ['postAccountAlertResume', '/account/alerts/none/resume'],
      ['postAccountAlertTest', '/account/alerts/none/test'],
      ['getAccountAlertDeliveries', '/account/alerts/none/deliveries'],
      ['postAccountAlertDeliveryRedeliver', '/account/alerts/none/deliveries/none/redeliver'],
    ] as const
    for (const [id, path] of absent) expect((await call(id, path)).status, id).toBe(404)
    expect((await call('patchAdminAccount', '', json({ tier: 'pro' }))).status).toBe(404)
    const lost = json({ outcome: 'lost' })
    const noAlert = await call('patchAccountAlert', '/account/alerts/none', json({ name: 'B' }))
    expect(noAlert.body.code).toBe('not_found')
    const noBet = await call('postAccountBetResult', '/account/bets/none/result', lost)
    expect(noBet.status).toBe(404)
    const noCorrection = await call('patchAccountBet', '/account/bets/none', json({ stake: 1 }))
    expect(noCorrection.status).toBe(404)
    const source = sourceRow({ updatedAt: service.clock() })
    const row = { topic: topics.sources, partitionKey: 0, key: source.source, value: source }
    await service.log.append([row as Append])
    await service.settled()
    await expect.poll(async () => (await call('getSources')).body.data.length).toBe(1)
    const paused = json({ paused: true })
    const level = json({ level: 'silent' })
    expect((await call('patchAdminLogLevel', '/admin/log-level', level)).status).toBe(200)
    expect((await call('getAdminLogLevel', '/admin/log-level')).status).toBe(200)
    expect((await call('patchSource', `/sources/${source.source}`, paused)).status).toBe(202)
    expect((await call('patchSource', '/sources/none', paused)).status).toBe(404)
    const live = await openSource(answerJson([]))
    const stated = { source: 'bovada', settings: { leagues: ['/soccer'], baseUrl: live.baseUrl } }
    expect((await call('getSourcesAvailable')).status).toBe(200)
    expect((await call('postSourcesTest', '', json(stated))).body.data.state).toBe('up')
    await live.close()
    expect((await call('postSources', '', json({ ...stated, source: source.source }))).status).toBe(
      400,
    )
    expect((await call('postSources', '', json(stated))).status).toBe(202)
    await expect.poll(async () => (await call('deleteSource', '/sources/bovada')).status).toBe(202)
    expect((await call('deleteSource', '/sources/none')).status).toBe(404)
    const nobody = json({ source: 'nobody', settings: {} })
    expect((await call('postSources', '', nobody)).status).toBe(404)
    expect((await call('postSourcesTest', '', nobody)).status).toBe(404)
    const metered = { source: source.source, settings: { apiKey: 'x', sports: ['x'] } }
    expect((await call('postSources', '', json(metered))).status).toBe(403)
    for (const [id, path] of [
      ['getDeeplink', '/deeplink/100000000000000'],
      ['getOpenapiJson', '/openapi.json'],
      ['getAsyncapiJson', '/asyncapi.json'],
      ['getStatus', '/status'],
    ] as const) {
      let asked = 0
      for (let status = 0; status !== 429 && asked < 100; asked++) {
        status = (await call(id, path)).status
      }
      expect(asked).toBeLessThan(100)
    }
    for (const [account, status] of [
      ['none', 404],
      ['acct_sandbox_pro', 403],
    ] as const) {
      const path = `/admin/accounts/${account}/keys`
      expect((await call('postAdminAccountKeys', path, json({ name: 'x' }))).status).toBe(status)
      expect((await call('deleteAdminAccountKey', `${path}/none`)).status).toBe(status)
    }

    const sandbox = keys.pro
    expect((await call('postAccountKeys', '', json({ name: 'x' }), sandbox)).status).toBe(403)
    expect((await call('deleteAccountKey', '', {}, sandbox)).status).toBe(403)
    expect((await call('postAccountKeyRotate', '', {}, sandbox)).status).toBe(403)
    const { accounts } = service
    const renewed = { name: 'x', tier: 'enterprise', addOns: [], expiresAt: null } as const
    const { key, value: former } = await accounts.create(renewed)
    const by = accounts.keyring.authenticate(former, service.clock())
    await accounts.rotateKey(by, key.id, { graceMs: 3_600_000 })
    for (const { id, route } of operations) {
      if (!('needsCurrentValue' in route)) continue
      expect([id, (await call(id, '', {}, former)).status]).toEqual([id, 403])
    }
    const elsewhere = { ...listTools, headers: { Origin: 'https://example.org' } }
    expect((await call('postMcp', '', elsewhere)).status).toBe(403)
    expect((await call('postMcp', '', json([]))).body.id).toBe(null)
    const many = Array.from({ length: 11 }, (_, i) => `e${i}`)
    const tooMany = await call('postOddsBatch', '', json({ event_ids: many }), keyOf.hobby)
    expect(tooMany.body.error.max_batch).toBe(10)
    const notUtf8 = await call('postAccountKeys', '', {
      body: Buffer.from('{"name":"\xff"}', 'latin1'),
    })
    expect(notUtf8.body.error.message).toBe('The body is not UTF-8.')
    const full = await call('postAccountKeys', '', json({ name: 'x' }), keyOf.pro)
    expect(full.body.error.max_keys).toBe(1)
  })

  it('of an archive that fails, or is asked too much', async () => {
    const ask = () => call('getSplitsHistory', `?event_id=${events.upcoming}`)
    const askUsage = () => call('getAdminUsage')
    const failing = (code: ArchiveError['code']) => () =>
      Promise.reject(new ArchiveError(code, 'as scripted', null))
    expect((await ask()).body.meta).toMatchObject({ total: 0, books: [], oldest: null })
    expect((await askUsage()).body.meta).toMatchObject({ total: 0, requests: 0 })
    archive.answer(failing('unavailable'))
    expect((await ask()).headers.get('retry-after')).toBe('1')
    expect((await askUsage()).status).toBe(503)
    archive.answer(failing('too_much'))
    expect([(await ask()).status, (await askUsage()).status]).toEqual([422, 422])
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    archive.answer(() => released.then(() => []))
    const held: Promise<Reply>[] = []
    // A caller may have two queries running and eight waiting: the eleventh is refused at once.
    for (const one of [ask, askUsage]) {
      const asked = Array.from({ length: 11 }, one)
      expect((await Promise.race(asked)).status).toBe(429)
      held.push(...asked)
    }
    release()
    await Promise.all(held)
    archive.answer(null)
  })

  it('of an address with too many refused tokens', async () => {
    service.advance(120_000)
    const withToken = operations.filter(({ route }) =>
      ['admin', 'ingest'].includes(route.access as string),
    )
    for (const { id } of withToken) {
      const wrong = { ...bodyOf(id), headers: { Authorization: 'Bearer wrong' } }
      let reply = await call(id, '', wrong, null)
      for (let asked = 0; reply.status !== 429 && asked <= refusedPerMinute; asked++) {
        expect(reply.status).toBe(401)
        reply = await call(id, '', wrong, null)
      }
      expect(reply.status, id).toBe(429)
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    service.advance(120_000)
  })

  it('of every operation, status and code that can be brought about', () => {
    const expected = operations.flatMap(({ id, described }) => {
      const statuses = Object.keys(described.responses).filter((status) => Number(status) < 400)
      const codes = codesOf(described)
      return [
        ...statuses.map((status) => `${id} ${status} ok`),
        ...codes.map(([status, code]) => `${id} ${status} ${code}`),
      ]
    })
    // These need a fault or a start of the service, or a proxy in between.
    const isUnprovoked = (answer: string) =>
      /getStatus 401|internal_error|service_unavailable|storage_full|work_limited|too_many_book_sets|answer_too_large|archive_busy|not_ready/.test(
        answer,
      )
    const unseen = expected.filter((answer) => !seen.has(answer) && !isUnprovoked(answer))
    expect(unseen).toEqual([])
  })
})

// ---- the document

function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

function parameterOf(id: string, name: string): Json {
  return parametersOf(operationOf(id).described).find((parameter) => parameter.name === name)
}

const parametersOf = (described: Json): Json[] =>
  (described.parameters ?? []).map((parameter: Json) =>
    parameter.$ref ? resolve(parameter.$ref) : parameter,
  )

const resolve = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((node: Json, part) => node?.[part], document)

/** Returns the error codes that an operation may return, by status. */
const codesOf = (described: Json): [status: string, code: string][] =>
  Object.entries<Json>(described.responses).flatMap(([status, answer]) => {
    if (!answer.$ref) return []
    const { 'x-error-codes': codes = [] } = resolve(answer.$ref)
    return codes.map((code: string) => [status, code])
  })

/**
 * Validates values against schemas of the document in which every object takes only its named
 * fields: fields that the document leaves open for later versions may not occur in this one.
 */
function createContract(of: Json) {
  const closed = structuredClone(of)
  close(closed.components)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(closed, 'document')
  const compiled = new Map<string, ValidateFunction>()

  function validate(at: readonly string[], value: unknown): readonly string[] {
    const escaped = at.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const $ref = `document#/${escaped.join('/')}`
    if (!compiled.has($ref)) compiled.set($ref, ajv.compile({ $ref }))
    const check = compiled.get($ref)!
    if (check(value)) return []
    return (check.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath} ${message} ${JSON.stringify(params)}`
    })
  }
  return Object.assign(validate, {
    of: (name: string) => (value: unknown) => validate(['components', 'schemas', name], value),
  })
}

function close(node: Json) {
  if (typeof node !== 'object' || node === null) return
  if (node.properties) {
    for (const member of Object.values<Json>(node.properties)) {
      for (const name of member[twinNames] ?? []) node.properties[name] = structuredClone(member)
    }
    const isObject = [node.type].flat().includes('object')
    if (isObject && !('additionalProperties' in node)) node.additionalProperties = false
  }
  for (const child of Object.values(node)) close(child)
}
