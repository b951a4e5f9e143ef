import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, keys, oddsRecord, startInProcess } from './service-in-process.ts'

const maxBytes = 8 * 1024 * 1024

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
})
afterAll(() => service.close())

const line = () => JSON.stringify(oddsRecord(service.clock(), { sportsbook: 'pinnacle' }))
const bytesOf = (buffer: Buffer) => new Uint8Array(buffer)
const send = (body: Buffer, coding: string) =>
  service.ingest(bytesOf(body), {
    'Content-Encoding': coding,
    'Content-Type': 'application/x-ndjson',
  })

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync],
    ['GZip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('is read as the original: %s', async (coding, compress) => {
    const { status, body } = await send(compress(`${line()}\n${line()}\n`), coding)
    expect([status, body.data.accepted, body.data.rejected]).toEqual([202, 2, []])
  })

  it('may be several concatenated ones, as shippers append', async () => {
    const parts = [gzipSync(`${line()}\n`), gzipSync(`${line()}\n`)]
    expect((await send(Buffer.concat(parts), 'gzip')).body.data.accepted).toBe(2)
  })

  it('is accepted by every route with a body', async () => {
    const { status, body } = await service.request('/odds/batch', {
      method: 'POST',
      headers: { 'X-API-Key': keys.sharp, 'Content-Encoding': 'gzip' },
      body: bytesOf(gzipSync('{"event_ids":["none"]}')),
    })
    expect([status, body.missing]).toEqual([200, ['none']])
  })

  it('may be empty, and then counts as none', async () => {
    expect((await send(Buffer.alloc(0), 'gzip')).body.data.accepted).toBe(0)
  })

  it('expands to at most the limit of a plain one', async () => {
    const full = gzipSync(Buffer.alloc(maxBytes, '\n'))
    expect((await send(full, 'gzip')).status).toBe(202)
    for (const [coding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const bomb = compress(Buffer.alloc(16 * maxBytes, '\n'))
      expect(bomb.length).toBeLessThan(maxBytes / 16)
      const { status, body } = await send(bomb, coding)
      expect([coding, status, body.code]).toEqual([coding, 413, 'payload_too_large'])
    }
  })

  it('is refused if it is invalid or cut off', async () => {
    const whole = gzipSync(`${line()}\n`)
    for (const bytes of [Buffer.from(line()), whole.subarray(0, -4), whole.subarray(0, 12)]) {
      const { status, body } = await send(bytes, 'gzip')
      expect([status, body.code, body.error.message]).toEqual([
        400,
        'validation_error',
        'The body is not valid gzip, or is incomplete.',
      ])
    }
  })

  it.each(['zstd', 'gzip, gzip', 'gzip, br', 'compress', 'constructor'])(
    'is refused with the accepted form: %s',
    async (coding) => {
      const { status, body } = await send(gzipSync(line()), coding)
      expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
      expect(body.error.message).toContain('gzip, deflate, br')
    },
  )
})
