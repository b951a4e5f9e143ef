/** Compressed responses, which must decode to the plain ones byte for byte. */

import { type IncomingHttpHeaders, request } from 'node:http'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkBudget } from '../../api/access/work-budget.ts'
import { acceptedCoding, plain } from '../../api/answer/codings.ts'
import { createCompressor } from '../../api/answer/compressor.ts'
import { createReads } from '../../api/answer/reads.ts'
import { createReadiness } from '../../api/readiness.ts'
import { openAction } from '../../api/route.ts'
import { chooseListener } from '../../api/server/listeners/choose-listener.ts'
import { openServer, type Server } from '../../api/server/server.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { appendText, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
import { fillBoard } from './filled-board.ts'
import { type InProcess, keys, startInProcess, testSettings } from './service-in-process.ts'

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Sends a request with a client that adds and decodes no codings by itself. */
function ask(port: number, path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<Got>((resolve, reject) => {
    const sent = request({ port, path, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, bytes: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject).end()
  })
}

const undone = ({ headers, bytes }: Got) =>
  headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)

describe('reads', () => {
  let service: InProcess
  const rows = '/api/v1/odds?limit=200'
  const get = (path: string, headers: Record<string, string> = {}, method?: string) =>
    ask(service.port, path, { 'X-API-Key': keys.sharp, ...headers }, method)

  beforeAll(async () => {
    service = await startInProcess()
    await fillBoard(service)
  })
  afterAll(() => service.close())

  it.each(['gzip', 'br'])('are sent as %s on request, equal in content', async (coding) => {
    const before = await get(rows)
    const got = await get(rows, { 'Accept-Encoding': coding })
    expect(got.headers['content-encoding']).toBe(coding)
    expect(undone(got)).toEqual(before.bytes)
    expect(got.bytes.length).toBeLessThan(before.bytes.length / 5)
    expect(Number(got.headers['content-length'])).toBe(got.bytes.length)
    expect(got.headers.vary).toContain('Accept-Encoding')
    // The second request finds it in the cache.
    const again = await get(rows, { 'Accept-Encoding': coding })
    expect(again.bytes).toEqual(got.bytes)
    expect(again.headers['x-cache-status']).toBe('HIT')
  })

  it('are plain for clients that do not ask, with a Vary line for caches', async () => {
    await get(rows, { 'Accept-Encoding': 'gzip' })
    for (const headers of [{}, { 'Accept-Encoding': 'gzip;q=0' }, { 'Accept-Encoding': '*;q=0' }]) {
      const got = await get(rows, headers)
      expect(got.headers).not.toHaveProperty('content-encoding')
      expect(got.headers.vary).toContain('Accept-Encoding')
      expect(JSON.parse(got.bytes.toString()).data.length).toBeGreaterThan(10)
    }
  })

  it('have a tag for each form, and each tag gets a 304', async () => {
    const { etag: strong = '' } = (await get(rows)).headers
    const { etag: tag = '' } = (await get(rows, { 'Accept-Encoding': 'gzip' })).headers
    expect(strong).toMatch(/^"sharp-[^"]+"$/)
    expect(tag).toBe(`${strong.slice(0, -1)}-gzip"`)
    for (const accepted of ['gzip', 'br', 'identity']) {
      for (const named of [strong, tag, `"other", W/${tag}`]) {
        const got = await get(rows, { 'If-None-Match': named, 'Accept-Encoding': accepted })
        expect(got.status).toBe(304)
        expect(got.bytes.length).toBe(0)
        expect(got.headers).not.toHaveProperty('content-encoding')
        expect(got.headers.etag).toBe(named === strong ? strong : tag)
        expect(got.headers.vary).toContain('Accept-Encoding')
      }
    }
    const other = await get(rows, { 'If-None-Match': '"sharp-x"', 'Accept-Encoding': 'gzip' })
    expect(other.status).toBe(200)
    expect(other.headers['content-encoding']).toBe('gzip')
  })

  it('respond to HEAD with the headers of GET', async () => {
    const headers = { 'Accept-Encoding': 'gzip' }
    const got = await get(rows, headers)
    const head = await get(rows, headers, 'HEAD')
    expect(head.bytes.length).toBe(0)
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) {
      expect(head.headers[name]).toBe(got.headers[name])
    }
  })

  it('are not compressed when they are small', async () => {
    const small = await get('/api/v1/odds?limit=1&fields=id', { 'Accept-Encoding': 'gzip' })
    expect(small.headers).not.toHaveProperty('content-encoding')
    expect(small.bytes.length).toBeLessThan(1_024)
    const refusing = await get('/api/v1/odds?limit=1&fields=id', {
      'Accept-Encoding': 'gzip, identity;q=0',
    })
    expect(undone(refusing)).toEqual(small.bytes)
  })

  it('compress refusals only if the plain form is refused', async () => {
    const path = '/api/v1/odds?limit=none'
    const refusal = await get(path, { 'Accept-Encoding': 'gzip' })
    expect(refusal.status).toBe(400)
    expect(refusal.headers).not.toHaveProperty('content-encoding')
    const coded = await get(path, { 'Accept-Encoding': 'br, *;q=0' })
    expect(coded.status).toBe(400)
    expect(JSON.parse(undone(coded).toString())).toMatchObject({
      error: { code: 'validation_error' },
    })
  })

  it('compress documents and responses to POST too', async () => {
    for (const path of ['/api/v1/openapi.json', '/api/v1/asyncapi.json']) {
      const whole = await get(path)
      const got = await get(path, { 'Accept-Encoding': 'gzip, deflate, br' })
      expect(got.headers['content-encoding']).toBe('br')
      expect(undone(got)).toEqual(whole.bytes)
    }
  })

  it('have a tag of the coding also if a body has the requests left in the minute', async () => {
    const whole = await get('/api/v1/markets')
    const got = await get('/api/v1/markets', { 'Accept-Encoding': 'gzip' })
    expect(got.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(undone(got).toString()).meta.rate_limit.limit).toBeGreaterThan(0)
    expect(got.headers.etag).toBe(`${whole.headers.etag!.slice(0, -1)}-gzip"`)
    const again = await get('/api/v1/markets', {
      'Accept-Encoding': 'gzip',
      'If-None-Match': got.headers.etag!,
    })
    expect(again.status).toBe(304)
  })

  it('follow the board, whatever was compressed before', async () => {
    const before = undone(await get(rows, { 'Accept-Encoding': 'gzip' }))
    await fillBoard(service)
    const after = await get(rows, { 'Accept-Encoding': 'gzip' })
    expect(undone(after)).not.toEqual(before)
    expect(undone(after)).toEqual((await get(rows)).bytes)
  })
})

describe('a response generated each time', () => {
  let service: InProcess
  let server: Server
  /** Sources of streamed responses, as passed to the compressor. */
  const sources: Readable[] = []
  const lines = 'one line of many, one line of many\n'.repeat(5_000)

  beforeAll(async () => {
    service = await startInProcess()
    const action = { access: 'public', tag: 'test', query: {}, answer: null, errors: [] } as const
    const streamed = (path: string, type: string, broken = false) =>
      openAction({
        ...action,
        method: 'get',
        path,
        summary: 'Streams',
        handle() {
          const source = Readable.from(
            (function* () {
              for (let at = 0; at < lines.length; at += 7_000)
                yield Buffer.from(lines.slice(at, at + 7_000))
              if (broken) throw new Error('the source broke')
            })(),
          )
          sources.push(source)
          return { headers: { 'Content-Type': type }, stream: source }
        },
      })
    const { boards, accounts, streams, clock } = service
    const { open: openListener } = await chooseListener(testSettings.listener)
    server = await openServer({
      budget: createWorkBudget(() => 0),
      openListener,
      host: '127.0.0.1',
      port: 0,
      routes: [
        streamed('/csv', 'text/csv; charset=utf-8'),
        streamed('/parquet', 'application/vnd.apache.parquet'),
        streamed('/broken', 'text/csv; charset=utf-8', true),
        openAction({
          ...action,
          method: 'get',
          path: '/later',
          summary: 'Answers later',
          handle: async () => ({ status: 201, body: { lines } }),
        }),
      ],
      boards,
      readiness: createReadiness({ boards, read: Promise.resolve() }),
      keyring: accounts.keyring,
      usage: accounts.usage,
      streams,
      tokens: { admin: null, ingest: null },
      clock,
      logger: createLogger(testSettings, 'test'),
      corsOrigins: '*',
      trustedProxies: [],
      hosts: null,
    })
  })
  afterAll(async () => {
    await server.close()
    await service.close()
  })

  const accepts = (coding: string) => ({ 'Accept-Encoding': coding })

  it.each(['gzip', 'br'])('is compressed to %s while it is sent', async (coding) => {
    const got = await ask(server.port, '/csv', accepts(coding))
    expect(got.headers['content-encoding']).toBe(coding)
    expect(undone(got).toString()).toBe(lines)
    expect(got.bytes.length).toBeLessThan(lines.length / 20)
  })

  it('is not compressed if it already is, or no client asks', async () => {
    const parquet = await ask(server.port, '/parquet', accepts('gzip'))
    expect(parquet.headers).not.toHaveProperty('content-encoding')
    expect(parquet.bytes.toString()).toBe(lines)
    const asked = await ask(server.port, '/csv', {})
    expect(asked.headers).not.toHaveProperty('content-encoding')
    expect(asked.bytes.toString()).toBe(lines)
  })

  it('is cut off when its source fails, in any form', async () => {
    await expect(ask(server.port, '/broken', accepts('gzip'))).rejects.toThrow('aborted')
    await expect(ask(server.port, '/broken', {})).rejects.toThrow('aborted')
  })

  it('ends its source on HEAD', async () => {
    const got = await ask(server.port, '/csv', accepts('gzip'), 'HEAD')
    expect(got.headers['content-encoding']).toBe('gzip')
    await expect.poll(() => sources.at(-1)!.destroyed).toBe(true)
  })

  it('keeps its status', async () => {
    const got = await ask(server.port, '/later', accepts('gzip'))
    expect(got.status).toBe(201)
    expect(JSON.parse(undone(got).toString())).toEqual({ lines })
  })
})

describe('cached bodies', () => {
  const text = 'the same row again and again '.repeat(200)
  let writes = 0
  let version = 1
  const prepare = () => ({
    version: () => version,
    tag: () => `v${version}`,
    write(page: PageBuffer) {
      writes++
      appendText(page, `${version} ${text}`)
      return { tag: `v${version}` }
    },
  })
  const gzip = acceptedCoding('gzip')

  it('are compressed once for many simultaneous requests', async () => {
    let count = 0
    const compressor = createCompressor()
    const store = createReads({
      bodyBytes: 1 << 20,
      compressor: {
        ...compressor,
        compress(...of) {
          count++
          return compressor.compress(...of)
        },
      },
    }).openStore('pro')
    const asked = Array.from({ length: 20 }, () =>
      store.answer(store.plan('q', prepare), '', 0, gzip),
    )
    const bodies = await Promise.all(asked.map(({ body }) => body))
    expect(count).toBe(1)
    expect(writes).toBe(1)
    expect(gunzipSync(bodies[7]!).toString()).toBe(`1 ${text}`)
    const kept = store.answer(store.plan('q', prepare), '', 0, gzip)
    expect(kept).toMatchObject({ etag: '"pro-v1-gzip"', coding: 'gzip', isKept: true })
    expect(kept.body).toBeInstanceOf(Uint8Array)
    expect(count).toBe(1)
    // Another query overwrites the page. The cached body must not share its memory.
    store.answer(store.plan('other', prepare), '', 0, plain)
    version++
    const next = store.answer(store.plan('q', prepare), '', 0, gzip)
    expect(gunzipSync((await next.body)!).toString()).toBe(`2 ${text}`)
  })

  it('count towards the limit of their memory', async () => {
    const body = Buffer.alloc(100_000, 'incompressible?')
    const store = createReads({
      bodyBytes: 250_000,
      compressor: {
        // A body of this size in any coding.
        compress: async () => body,
        compressStream: () => null,
      },
    }).openStore('pro')
    const isKept = (key: string) => store.answer(store.plan(key, prepare), '', 0, gzip).isKept
    for (const key of ['a', 'b', 'c', 'd'])
      await store.answer(store.plan(key, prepare), '', 0, gzip).body
    expect(isKept('d')).toBe(true)
    expect(isKept('a')).toBe(false)
  })

  it('go out plain while too many bytes wait to be compressed', async () => {
    const compressor = createCompressor(10_000)
    const first = compressor.compress('gzip', Buffer.alloc(9_000), false)
    expect(compressor.compress('gzip', Buffer.alloc(9_000), false)).toBeNull()
    // A client that accepts no plain form still gets a compressed one.
    expect(compressor.compress('gzip', Buffer.alloc(9_000), true)).not.toBeNull()
    await first
  })
})
