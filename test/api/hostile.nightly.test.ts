/**
 * Hostile requests made from our own OpenAPI document: every response is one of those described,
 * the process lives, and the responses to others do not change.
 */

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { type ErrorCode, errorCodes } from '../../api/errors.ts'
import { patienceMs } from '../patience.ts'
import { type EngineArchive, startEngineArchive } from '../pipeline/archive/engine-archive.ts'
import { testSeed } from '../seed.ts'
import { testedListener } from '../tested-listener.ts'
import { fillArchive } from './filled-archive.ts'
import { fillBoard } from './filled-board.ts'
import { openConnection, type RawAnswer, type RawConnection } from './raw-connection.ts'
import {
  adminToken,
  type InProcess,
  ingestToken,
  keys,
  startInProcess,
} from './service-in-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that only it knows
type Json = any

/** Node rejects some malformed requests by itself, and accepts some that the others reject. */
const isNode = testedListener === 'node'
const batches = 200
const batchSize = 100
const connectionCount = 12
/** Media types that an operation with the parameter `format` may return. */
const fileTypes = /^(text\/csv|application\/x-ndjson|application\/vnd\.apache\.parquet)/
const bodyTimeoutMs = 1_500
/** The clock advances with every batch, so that no minute's allowance is used up. */
const pauseMs = 2_000

/** One request as sent, with its expected properties. */
interface Hostile {
  readonly bytes: Buffer
  readonly method: string
  /** The documented operation of the request, if any. Its response must be described there. */
  readonly operation: Operation | undefined
  readonly isConditional: boolean
  /** The body is over the route's limit and may be cut off while it is sent. */
  readonly isOversized: boolean
}

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Json[]
  readonly security: readonly object[]
  readonly statuses: ReadonlySet<string>
  readonly media: readonly string[]
  readonly bodySchema: Json
  readonly bodyExample: unknown
  readonly maxBytes: number
}

let service: InProcess
let engine: EngineArchive
let events: Awaited<ReturnType<typeof fillBoard>>
let document: Json
/** The key of an enterprise account. */
let key: string
let keyIds: readonly string[]

beforeAll(async () => {
  engine = await startEngineArchive()
  await fillArchive(engine.archive)
  const archive = createArchiveAccess(engine.archive)
  service = await startInProcess({ archive, server: { bodyTimeoutMs } })
  events = await fillBoard(service)
  document = (await service.request('/openapi.json')).body
  const { accounts } = service
  const wanted = { name: 'h', tier: 'enterprise', addOns: [], expiresAt: null } as const
  const { value, account } = await accounts.create(wanted)
  key = value
  const spare = [1, 2, 3].map((n) =>
    accounts.grantKey(account.id, { name: `spare ${n}`, maxStreams: null }),
  )
  keyIds = (await Promise.all(spare)).map((issued) => issued.key.id)
})
afterAll(async () => {
  await service.close()
  await engine.close()
})

describe('hostile requests', () => {
  it(`get no answer but those described, ${batches * batchSize} times over`, async () => {
    const connections = Array.from({ length: connectionCount }, () => openConnection(service.port))
    const statuses = new Map<string, number>()
    const hostileRequest = anyRequest()
    try {
      for (let batch = 0; batch < batches; batch++) {
        // Without new prices the clock would make them inactive, and the service down.
        if (batch % 50 === 0) events = await fillBoard(service)
        service.advance(pauseMs)
        const plain = await plainAnswers()
        const waiting = fc.sample(hostileRequest, { seed: testSeed + batch, numRuns: batchSize })

        const run = async (connection: RawConnection) => {
          for (let next = waiting.pop(); next; next = waiting.pop()) {
            const isHead = next.method.toUpperCase() === 'HEAD'
            const answer = await connection.exchange(next.bytes, isHead)
            if (answer?.headers.get('connection') === 'close') connection.close()
            const kind = check(next, answer)
            statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
          }
        }
        await Promise.all(connections.map(run)).catch((cause) => {
          throw new Error(`batch ${batch} of seed ${testSeed}`, { cause })
        })
        expect(await plainAnswers(), `after batch ${batch} of seed ${testSeed}`).toEqual(plain)
      }
    } finally {
      for (const connection of connections) connection.close()
    }
    // If one reason refused all requests, the test would prove nothing.
    for (const kind of ['200', '201', '202', '304', '400', '401', '403', '404', '405', '413']) {
      expect(
        statuses.get(kind) ?? 0,
        `${kind} of ${JSON.stringify([...statuses])}`,
      ).toBeGreaterThan(9)
    }
    expect(statuses.get('200')).toBeGreaterThan((batches * batchSize) / 20)
  })

  /** Returns the responses that an honest client reads, tags included. */
  async function plainAnswers() {
    const paths = ['/odds?sportsbook=draftkings&league=nba', `/events/${events.live}`]
    const replies = await Promise.all(
      paths.map((path) => service.request(path, { headers: { 'X-API-Key': key } })),
    )
    return replies.map(({ status, text, headers }) => [status, text, headers.get('etag')])
  }
})

describe('a connection that behaves badly', () => {
  const authorized = () => `Host: x\r\nX-API-Key: ${key}\r\n`

  it('is cut off while its body comes byte by byte', async () => {
    const startedAt = performance.now()
    const { text, isClosed } = await talk(
      `POST /api/v1/odds/batch HTTP/1.1\r\n${authorized()}Content-Length: 1000\r\n\r\n`,
      { drip: '{', everyMs: 100, withinMs: patienceMs },
    )
    expect(performance.now() - startedAt).toBeGreaterThan(bodyTimeoutMs - 100)
    expect(text).toContain('HTTP/1.1 400')
    expect(text).toContain('"validation_error"')
    expect(isClosed).toBe(true)
    await expectHealthy()
  })

  it('is cut off when more comes than a body may have', async () => {
    const { text } = await talk(
      `POST /api/v1/account/keys HTTP/1.1\r\n${authorized()}Transfer-Encoding: chunked\r\n\r\n`,
      {
        drip: `400\r\n${'x'.repeat(1_024)}\r\n`,
        everyMs: 10,
        withinMs: patienceMs,
        until: (all) => all.includes('payload_too_large'),
      },
    )
    expect(text).toContain('HTTP/1.1 413')
    expect(text).toContain('"payload_too_large"')
    await expectHealthy()
  })

  it('is ended when its head is too large', async () => {
    const { text, isClosed } = await talk(
      `GET /api/v1/health HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(300_000)}`,
      { withinMs: patienceMs },
    )
    // The response may be lost while the rest of the head is still being sent.
    expect(text).toMatch(/^$|^HTTP\/1\.1 431 /)
    expect(isClosed).toBe(true)
    await expectHealthy()
  })

  // Bytes that do not become a request within about ten seconds.
  it.concurrent.each([
    ['its head does not end', 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n'],
    [
      'its head has a control character',
      'GET /api/v1/health HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n',
    ],
    [
      'it has a field that goes on in the next line',
      'GET /api/v1/health HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
    ],
    ...(isNode
      ? []
      : [
          [
            'it has more fields than anybody needs',
            `GET /api/v1/health HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(500)}\r\n`,
          ],
        ]),
    ['it says nothing', ''],
  ])('is closed when %s', async (_, bytes) => {
    const { text, isClosed } = await talk(bytes, { withinMs: patienceMs })
    expect(text).not.toMatch(/^HTTP\/1\.1 [235]/)
    expect(isClosed).toBe(true)
  })

  it('may speak no HTTP at all', async () => {
    const heads = [
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
      'HELO example.org\r\n\r\n',
      'GET /api/v1/\x01 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /api/v1/health HTTP/1.1\r\n\r\n',
      'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST /api/v1/odds/batch HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      'POST /api/v1/odds/batch HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
      'POST /api/v1/odds/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      `POST /api/v1/odds/batch HTTP/1.1\r\n${authorized()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ]
    // Node serves these as meant; test/listeners/framing.test.ts describes how.
    const served = [
      'GET /api/v1/health HTTP/1.0\r\n\r\n',
      'GET /api/v1/health HTTP/2.0\r\nHost: x\r\n\r\n',
      'GET http://x/api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    ]
    for (const head of isNode ? heads : [...heads, ...served]) {
      const { text } = await talk(head, { withinMs: 500 })
      // The server itself rejects the head, before there is a request.
      expect(text, head).toMatch(/^$|^HTTP\/1\.1 (400|505)/)
    }
    await expectHealthy()
  })

  it('does no harm by going away in the middle', async () => {
    const bodied = `POST /api/v1/odds/batch HTTP/1.1\r\n${authorized()}Content-Length: 100\r\n\r\n{"event`
    const pushed = `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestToken}\r\nContent-Length: 10\r\n\r\n{}\n{}\n{}\n{`
    const read = `GET /api/v1/odds?limit=200 HTTP/1.1\r\n${authorized()}\r\n`
    for (const bytes of [bodied, pushed, read, read.slice(0, 40)]) {
      const leaving = Array.from({ length: 50 }, (_, i) => leave(bytes, i % 5))
      await Promise.all(leaving)
    }
    await expectHealthy()

    function leave(bytes: string, afterMs: number): Promise<void> {
      return new Promise((resolve) => {
        const socket = connect(service.port, '127.0.0.1', () => {
          socket.write(bytes)
          setTimeout(() => socket.resetAndDestroy(), afterMs)
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })
    }
  })

  it('may ask whether to continue', async () => {
    const body = JSON.stringify({ event_ids: [events.live] })
    const { text } = await talk(
      `POST /api/v1/odds/batch HTTP/1.1\r\n${authorized()}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
      {
        drip: body,
        everyMs: 200,
        withinMs: patienceMs,
        until: (all) => all.includes('"missing_events"'),
      },
    )
    expect(text).toMatch(/^(HTTP\/1\.1 100 [^\r]*\r\n\r\n)?HTTP\/1\.1 200 OK/)
  })

  it('gets no more by odd methods and pipelining', async () => {
    for (const method of ['PUT', 'TRACE', isNode ? 'MKCOL' : 'BREW']) {
      const { text } = await talk(
        `${method} /api/v1/account/keys HTTP/1.1\r\n${authorized()}\r\n`,
        {
          withinMs: patienceMs,
          until: (all) => all.includes('method_not_allowed'),
        },
      )
      expect(text).toContain('HTTP/1.1 405')
      expect(text).toMatch(/\r\nAllow: GET, HEAD, POST\r\n/)
    }
    // A HEAD response has no body, so the next response follows at once.
    const head = `HEAD /api/v1/odds HTTP/1.1\r\n${authorized()}\r\n`
    const next = `GET /api/v1/nothing HTTP/1.1\r\n${authorized()}\r\n`
    const { text } = await talk(head + next, {
      withinMs: patienceMs,
      until: (all) => all.includes('"not_found"'),
    })
    const [first, second] = text.split('\r\n\r\n')
    expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(first).toMatch(/\r\nContent-Length: [1-9]\d+/)
    expect(second).toMatch(/^HTTP\/1\.1 404 /)
  })

  async function expectHealthy() {
    const { status, body } = await service.request('/odds?limit=1', {
      headers: { 'X-API-Key': key },
    })
    expect([status, body.data.length]).toEqual([200, 1])
  }
})

interface Talk {
  /** Text sent again after every `everyMs`. */
  readonly drip?: string
  readonly everyMs?: number
  readonly withinMs: number
  /** Whether the received text is enough. */
  readonly until?: (text: string) => boolean
}

/** Sends bytes and reads until the other side closes or time is up. */
async function talk(bytes: string, { drip, everyMs = 0, withinMs, until }: Talk) {
  const socket = connect(service.port, '127.0.0.1')
  let text = ''
  let isClosed = false
  const ended = new AbortController()
  socket.on('data', (data) => {
    text += data.toString('latin1')
    if (until?.(text)) ended.abort()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    ended.abort()
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  const dripping = drip && setInterval(() => socket.write(drip), everyMs)
  await delay(withinMs, undefined, { signal: ended.signal }).catch(() => {})
  if (dripping) clearInterval(dripping)
  socket.destroy()
  return { text, isClosed }
}

/** Returns the decompressed body. */
function decoded({ headers, body }: RawAnswer): Buffer {
  const coding = headers.get('content-encoding')
  if (body.length === 0 || coding === undefined) return body
  return coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
}

/** 204 is the response to OPTIONS. */
const bodiless = new Set([204, 302, 304])

function check(request: Hostile, answer: RawAnswer | undefined): string {
  const { method, operation, isConditional, isOversized } = request
  const shown = () =>
    `${request.bytes.toString('latin1').slice(0, 2_000)}\n→ ${answer?.status} ${answer?.body.toString('utf8', 0, 1_000)}`
  if (!answer) {
    if (!isOversized) throw new Error(`closed without an answer: ${shown()}`)
    return 'cut off'
  }
  const { status, headers } = answer
  const body = decoded(answer)
  if (isNode && status === 400 && body.length === 0 && headers.get('connection') === 'close') {
    return 'no request'
  }
  if (status >= 500) throw new Error(shown())
  if (operation && !operation.statuses.has(String(status))) {
    throw new Error(`${operation.id} has no ${status}: ${shown()}`)
  }
  if (status === 304 && !isConditional) throw new Error(`nothing was conditional: ${shown()}`)
  if (!headers.get('x-request-id')) throw new Error(`without a request id: ${shown()}`)
  if (method.toUpperCase() === 'HEAD' || bodiless.has(status)) return String(status)
  const mediaType = headers.get('content-type')
  // Lists that can also be requested as files.
  const isFileToo = operation?.parameters.some(({ name }) => name === 'format')
  if (isFileToo && fileTypes.test(mediaType ?? '')) {
    if (status !== 200) throw new Error(shown())
    return String(status)
  }
  // For clients that do not accept JSON.
  if (mediaType?.startsWith('text/event-stream') && operation?.id === 'postMcp') {
    if (status !== 200) throw new Error(shown())
    return String(status)
  }
  if (!mediaType?.startsWith('application/json')) throw new Error(shown())
  const parsed = JSON.parse(body.toString('utf8'))
  if (status >= 400) {
    // An error of JSON-RPC has our error in its data.
    const { code, message } = (parsed.jsonrpc ? parsed.error?.data : parsed.error) ?? {}
    const isKnown = errorCodes[code as ErrorCode]?.status === status && parsed.code === code
    if (!isKnown || typeof message !== 'string' || message === '') throw new Error(shown())
    if (status === 405 && !headers.get('allow')) throw new Error(`without Allow: ${shown()}`)
    if (status === 429 && !headers.get('retry-after')) throw new Error(shown())
    if (body.length > 64 * 1024) throw new Error(`an error of ${body.length} bytes: ${shown()}`)
  }
  return String(status)
}

// ---- requests

function anyRequest(): fc.Arbitrary<Hostile> {
  const operations = readOperations()
  // Bodies and accounts are few. Lists with many parameters are where most can go wrong.
  const weighted = operations.map((operation) => ({
    weight: 2 + Math.min(8, operation.parameters.length),
    arbitrary: requestOf(operation),
  }))
  return fc.oneof(...weighted, { weight: 6, arbitrary: strayRequest() })
}

/** Returns all operations but streams, whose responses do not end. */
function readOperations(): Operation[] {
  const paths = Object.entries<Json>(document.paths)
  const others = paths.filter(([path]) => !path.startsWith('/stream'))
  return others.flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]) => {
      const content = Object.entries<Json>(described.requestBody?.content ?? {})
      const own = described.parameters ?? []
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path: `/api/v1${path}`,
        parameters: own.map((parameter: Json) =>
          parameter.$ref ? resolve(parameter.$ref) : parameter,
        ),
        security: described.security,
        statuses: new Set(Object.keys(described.responses)),
        media: content.map(([media]) => media),
        bodySchema: content.at(-1)?.[1].schema,
        bodyExample: content.at(-1)?.[1].example,
        maxBytes: Number(/(\d+) bytes/.exec(described.requestBody?.description)?.[1] ?? 0),
      }
    }),
  )
}

const resolve = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((node: Json, part) => node?.[part], document)

function requestOf(operation: Operation): fc.Arbitrary<Hostile> {
  const { method, path, parameters } = operation
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const segments = path
    .split('/')
    .map((part) => (part.startsWith('{') ? pathValue : fc.constant(part)))
  const isBodied = operation.media.length > 0
  return fc
    .record({
      path: fc.tuple(...segments).map((parts) => parts.join('/')),
      query: queryOf(inQuery),
      method: mostly(19, fc.constant(method), oddMethod),
      auth: authOf(operation),
      headers: fc.array(header, { maxLength: 3 }),
      tag: mostly(4, fc.constant(undefined), ifNoneMatch),
      body: isBodied ? bodyOf(operation) : mostly(19, fc.constant(undefined), strayBody),
      mediaType: mostly(
        6,
        fc.constantFrom(...(isBodied ? operation.media : ['application/json'])),
        oddMediaType,
      ),
      isChunked: mostly(9, fc.constant(false), fc.constant(true)),
    })
    .map(({ path, query, method: sent, auth, headers, tag, body, mediaType, isChunked }) => {
      const fields = [
        ['Host', 'localhost'],
        ...auth.headers,
        ...headers,
        ...(tag === undefined ? [] : [['If-None-Match', tag]]),
        ...(body || isBodied ? [['Content-Type', mediaType]] : []),
      ] as [string, string][]
      const search = [...query, ...auth.query].join('&')
      const isDescribed =
        sent === method && path.split('/').length === operation.path.split('/').length
      return {
        bytes: written(sent, search === '' ? path : `${path}?${search}`, fields, body, isChunked),
        method: sent,
        operation:
          isDescribed && !path.includes('//') && !path.endsWith('/') ? operation : undefined,
        isConditional: fields.some(([name]) => name.toLowerCase() === 'if-none-match'),
        isOversized: (body?.length ?? 0) > operation.maxBytes,
      }
    })
}

/** Requests of no route. */
const strayRequest = () =>
  fc
    .record({
      path: fc.oneof(
        fc.array(
          mostly(2, fc.constantFrom('api', 'v1', 'odds', 'events', '..', '.', ''), pathValue),
          {
            maxLength: 6,
          },
        ),
        fc.constantFrom(
          ['api', 'v1', 'positive-ev'],
          ['api', 'v1', 'me'],
          ['api', 'v1', 'odds', ''],
        ),
      ),
      query: fc.array(weird.map(escaped), { maxLength: 3 }),
      method: oddMethod,
      headers: fc.array(header, { maxLength: 3 }),
      body: mostly(3, fc.constant(undefined), strayBody),
    })
    .map(({ path, query, method, headers, body }): Hostile => {
      const target = `/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
      const fields: [string, string][] = [['Host', 'localhost'], ...headers]
      return {
        bytes: written(method, target, fields, body, false),
        method,
        operation: undefined,
        isConditional: fields.some(([name]) => name.toLowerCase() === 'if-none-match'),
        isOversized: body !== undefined,
      }
    })

function written(
  method: string,
  target: string,
  fields: readonly (readonly [string, string])[],
  body: Buffer | undefined,
  isChunked: boolean,
): Buffer {
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  if (body) lines.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`)
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
    'latin1',
  )
  if (!body) return head
  return Buffer.concat([head, isChunked ? chunked(body) : body])
}

function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < body.length; from += 777) {
    const chunk = body.subarray(from, from + 777)
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

const mostly = <A, B>(weight: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other })

// ---- texts

/** Texts that often break programs. */
const weird = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
    'prototype',
    'null',
    'undefined',
    'NaN',
    '-0',
    '1e999',
    '0x10',
    '٣',
    '9'.repeat(400),
    '-1',
    '0',
    '1.5',
    '+50',
    '',
    ' ',
    ',',
    ',,,,',
    '*',
    '\u0000',
    '\r\nX-Injected: 1\r\n',
    '../../etc/passwd',
    "' OR 1=1 --",
    '{{7*7}}',
    '<script>',
    '\ud800',
    '\u202e',
    '\ufeff',
    'İ',
    'ß',
    '👨‍👩‍👧‍👦',
    'a'.repeat(3_000),
    Array.from({ length: 1_000 }, (_, i) => `x${i}`).join(','),
    'nba,'.repeat(800),
    '2026-02-30',
    '2026-11-20T25:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '9999-12-31T23:59:59.999999999Z',
    '0000-01-01T00:00:00Z',
    'true,false',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

/** Percent-encodes a text, with lone surrogates replaced. */
function escaped(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

const badEscapes = fc.constantFrom(
  '%',
  '%zz',
  '%2',
  '%C3%28',
  '%ff',
  '%00',
  '%E0%A4%A',
  '%u0041',
  '\xe9\xff',
  '&&=',
  '=',
  '[]=1',
  '%25%32%35',
)

/** Valid values by parameter. Other parameters follow their schema. */
const known: Readonly<Record<string, readonly string[]>> = {
  sport: ['basketball', 'soccer', 'Basketball', 'football'],
  league: ['nba', 'NBA', 'england_-_premier_league', 'nfl'],
  sportsbook: ['draftkings', 'FanDuel', 'pinnacle', 'betmgm', 'corner_shop_bets'],
  add_sportsbook: ['draftkings', 'bet365'],
  market: ['moneyline', 'main', 'props', 'spread', 'total', 'player_points'],
  team: ['knicks', 'arsenal', 'bulls'],
  q: ['knicks', 'arsenal chelsea', 'nba'],
  fields: ['id', 'odds_american', 'line', 'selection'],
  state: ['nj', 'PA'],
  sportId: ['basketball', 'Soccer'],
  leagueId: ['nba', 'NFL'],
  bookId: ['draftkings', 'corner_shop_bets'],
}

function textOf({ name, schema }: Json): fc.Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as string[]))
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false', '1', '0', 'TRUE')
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = 1_000 } = schema
    return fc.integer({ min: minimum, max: maximum }).map(String)
  }
  if (schema.type === 'number')
    return fc.double({ min: -1_000, max: 1_000, noNaN: true }).map((n) => n.toFixed(2))
  if (schema.format === 'date') return fc.constantFrom('2026-11-20', '2026-11-21', '2024-02-29')
  if (schema.format === 'date-time') {
    return fc.constantFrom(
      '2026-11-20T12:00:30Z',
      '2026-11-20T12:00:30.123456+01:00',
      '2020-01-01T00:00:00Z',
    )
  }
  const ids = name === 'keyId' ? keyIds : [events.upcoming, events.live]
  const one = fc.constantFrom(...(known[name] ?? ids))
  return schema.type === 'array'
    ? fc
        .array(one, { minLength: 1, maxLength: name === 'event' ? 1 : 3 })
        .map((all) => all.join(','))
    : one
}

function queryOf(parameters: readonly Json[]): fc.Arbitrary<string[]> {
  if (parameters.length === 0) return fc.array(stray, { maxLength: 1 })
  const of = parameters.map((parameter) => {
    const { name, required, 'x-aliases': aliases = [] } = parameter
    const pair = fc
      .tuple(fc.constantFrom(name, name, ...aliases), mostly(19, textOf(parameter), weird))
      .map(([spelling, value]) => [`${spelling}=${escaped(value)}`])
    const none = fc.constant<string[]>([])
    return required ? mostly(9, pair, none) : mostly(7, none, pair)
  })
  const strays = mostly(9, fc.constant([]), fc.array(stray, { maxLength: 3 }))
  return fc.tuple(...of, strays).map((parts) => parts.flat())
}

/** An unknown parameter, a broken one, or a repeated one. */
const stray = fc.oneof(
  fc.tuple(weird, weird).map(([name, value]) => `${escaped(name)}=${escaped(value)}`),
  fc
    .tuple(fc.constantFrom('limit', 'q', 'league', 'event', 'api_key'), badEscapes)
    .map((pair) => pair.join('=')),
  badEscapes,
  fc.constant('limit=1&limit=2&limit=3'),
  fc.constant('league[]=nba&sport[x]=y'),
)

const pathValue = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('basketball', 'nba', 'draftkings', '100000000000000') },
  {
    weight: 6,
    arbitrary: fc.nat(10).map((n) => [events.upcoming, events.live, ...keyIds][n % 5]!),
  },
  { weight: 2, arbitrary: weird.map(escaped) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%', '%zz', '%00', '%2F', '%C3%28', '\xe9', '..', '%2e%2e'),
  },
)

// ---- heads

const oddMethod = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'get',
  'BREW',
)

/** Values of a header: without control characters, which end the head. */
const fieldText = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    ',',
    '"',
    '""',
    'x',
    'a'.repeat(2_000),
    '\xe9\xff',
    '__proto__',
    '0',
    '-1',
    '1e9',
  ),
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    maxLength: 40,
  }),
)

const ifNoneMatch = fc.oneof(
  fc.constant('*'),
  fc.constantFrom(
    '""',
    '"x"',
    'W/"x"',
    '"a", "b", W/"c"',
    ',,,',
    '"',
    '*, *',
    'x'.repeat(2_000),
    '"enterprise-',
  ),
  fieldText,
)

const header = fc.oneof(
  fc.tuple(fc.constant('If-None-Match'), ifNoneMatch),
  fc.tuple(
    fc.constantFrom(
      'If-Match',
      'If-Modified-Since',
      'If-Range',
      'Range',
      'Accept',
      'Accept-Encoding',
      'Accept-Charset',
      'Accept-Language',
      'Content-Encoding',
      'Cookie',
      'Origin',
      'Referer',
      'Upgrade',
      'TE',
      'X-Forwarded-For',
      'X-HTTP-Method-Override',
      'X-Original-URL',
      'Cache-Control',
      'User-Agent',
      'X-Request-Id',
      'constructor',
      'a',
    ),
    fieldText,
  ),
  fc.tuple(fc.constantFrom('X-API-Key', 'Authorization'), fieldText),
)

interface Auth {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: readonly string[]
}

function authOf({ security }: Operation): fc.Arbitrary<Auth> {
  const names = security.flatMap((scheme) => Object.keys(scheme))
  const right = (): Auth['headers'] => {
    if (names.includes('adminToken')) return [['Authorization', `Bearer ${adminToken}`]]
    if (names.includes('ingestToken')) return [['Authorization', `Bearer ${ingestToken}`]]
    return [['X-API-Key', key]]
  }
  const token = fc.constantFrom(
    key,
    keys.free,
    keys.pro,
    adminToken,
    'sk_live_wrong',
    '',
    '__proto__',
    'a'.repeat(500),
    '\xe9',
  )
  const wrong = fc
    .record({
      header: fc.array(token, { maxLength: 2 }),
      bearer: fc.array(fc.tuple(fc.constantFrom('Bearer', 'bearer', 'Basic', ''), token), {
        maxLength: 2,
      }),
      query: fc.array(token, { maxLength: 2 }),
    })
    .map(
      ({ header: sent, bearer, query }): Auth => ({
        headers: [
          ...sent.map((value) => ['X-API-Key', value] as const),
          ...bearer.map(([scheme, value]) => ['Authorization', `${scheme} ${value}`] as const),
        ],
        query: query.map((value) => `api_key=${escaped(value)}`),
      }),
    )
  const lower = fc
    .constantFrom(keys.pro, keys.sharp, keys.free)
    .map((value): Auth => ({ headers: [['X-API-Key', value]], query: [] }))
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant(0).map((): Auth => ({ headers: right(), query: [] })) },
    { weight: 2, arbitrary: lower },
    { weight: 2, arbitrary: wrong },
  )
}

// ---- bodies

const oddMediaType = fc.constantFrom(
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  '',
  ';',
  'application/x-ndjson',
)

const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '')

const strayBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      '',
      '{',
      '[',
      'null',
      '0',
      '"x"',
      '[]',
      '{}',
      '\ufeff{}',
      'NaN',
      '{"a":1}{"b":2}',
      '['.repeat(3_000),
      `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
      '{"a":'.repeat(3_000),
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"name":"a","name":"b"}',
      '1e400',
    )
    .map((text) => Buffer.from(text)),
  fc.jsonValue().map(json),
)

function bodyOf(operation: Operation): fc.Arbitrary<Buffer | undefined> {
  const { bodyExample, maxBytes, media } = operation
  const example = Array.isArray(bodyExample) ? bodyExample[0] : bodyExample
  const usual = fc.constant(example).map(json)
  const changed = fc
    .record({
      member: fc.constantFrom(
        ...Object.keys(example as object),
        '__proto__',
        'constructor',
        'more',
      ),
      value: fc.oneof(
        weird,
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom(events.live, [events.live], []),
      ),
    })
    .map(({ member, value }) =>
      Buffer.from(
        JSON.stringify({ ...(example as object), [`_${member}`]: value }).replace('"_', '"'),
      ),
    )
  const cut = fc.nat(100).map((end) => json(example).subarray(0, end))
  // Eight megabytes for every few requests would test the memory, not the service.
  const huge =
    maxBytes > 1e6
      ? fc.constant(Buffer.from('x\n'.repeat(5_000)))
      : fc.nat(2_000).map((more) => Buffer.alloc(maxBytes + 1 + more, 'a'))
  const lines = fc
    .array(fc.oneof(usual, changed, strayBody), { maxLength: 5 })
    .map((all) => Buffer.concat(all.flatMap((line) => [line, Buffer.from('\n')])))
  return fc.oneof(
    { weight: 4, arbitrary: usual },
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: huge },
    { weight: 3, arbitrary: strayBody },
    { weight: media.length > 1 ? 6 : 1, arbitrary: lines },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}
