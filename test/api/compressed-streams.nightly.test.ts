/** Streams in gzip and permessage-deflate, over sockets. */

import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openApp } from '../../api/app.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { fillBoard } from './filled-board.ts'
import { type InProcess, keys, startInProcess, testSettings } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await fillBoard(service)
})
afterAll(() => service.close())

const path = '/api/v1/stream?channel=odds'

interface Stream {
  readonly response: IncomingMessage
  /** Returns all bytes so far, as received. */
  bytes(): Buffer
  /** Returns the text decoded from them; for a plain stream the same. */
  text(): string
  readonly ended: Promise<unknown>
}

/** Opens a stream and resolves once its snapshot is complete. */
function openStream(port: number, accepted: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': keys.sharp, 'Accept-Encoding': accepted }
    const request = get({ port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      let text = ''
      const take = (chunk: Buffer) => {
        text += chunk.toString('latin1')
        if (text.includes('event: snapshot:complete')) resolve(stream)
      }
      const stream = {
        response,
        bytes: () => Buffer.concat(chunks),
        text: () => text,
        ended: new Promise((end) => response.on('close', end)),
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', () => {})
      const isGzip = response.headers['content-encoding'] === 'gzip'
      if (isGzip) response.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH })).on('data', take)
      else response.on('data', take)
    })
    request.on('error', reject)
  })
}

/** Removes the fields that differ between streams: their name and send times. */
const alike = (text: string) =>
  text.replace(/stream_\d+/g, 'stream').replace(/"timestamp":"[^"]*"/g, '"timestamp"')

describe('a stream of events', () => {
  it('has the same content in gzip, at once, in far fewer bytes', async () => {
    const plain = await openStream(service.port, '')
    const zipped = await openStream(service.port, 'gzip, deflate, br')
    expect(plain.response.headers).not.toHaveProperty('content-encoding')
    expect(zipped.response.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/event-stream; charset=utf-8',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(alike(zipped.text())).toBe(alike(plain.text()))
    expect(zipped.bytes().length).toBeLessThan(plain.bytes().length / 4)
    plain.response.destroy()
    zipped.response.destroy()
  })

  it.each(['', 'br', 'gzip;q=0', 'identity, gzip;q=0.1'])('is plain for %o', async (accepted) => {
    const stream = await openStream(service.port, accepted)
    expect(stream.response.headers).not.toHaveProperty('content-encoding')
    stream.response.destroy()
  })

  it('sends changes as they come', async () => {
    const streams = [
      await openStream(service.port, 'gzip'),
      await openStream(service.port, 'gzip'),
      await openStream(service.port, ''),
    ]
    const before = streams.map((stream) => stream.text().length)
    await fillBoard(service)
    const later = (i: number) => streams[i]!.text().slice(before[i])
    await expect
      .poll(() => [0, 1, 2].map((i) => later(i).includes('event: odds:update')))
      .toEqual([true, true, true])
    for (const stream of streams) stream.response.destroy()
  })

  it('is read by an EventSource that offers gzip', async () => {
    let coding: string | null = null
    const source = new EventSource(`http://127.0.0.1:${service.port}${path}`, {
      async fetch(url, init) {
        const headers = { ...init.headers, 'X-API-Key': keys.sharp, 'Accept-Encoding': 'gzip' }
        const response = await fetch(url, { ...init, headers })
        coding = response.headers.get('content-encoding')
        return response
      },
    })
    const rows = await new Promise<number>((resolve) => {
      let count = 0
      source.addEventListener('snapshot', ({ data }) => {
        count += JSON.parse(data).odds.length
      })
      source.addEventListener('snapshot:complete', () => resolve(count))
    })
    source.close()
    expect(coding).toBe('gzip')
    expect(rows).toBe((await service.get('/odds?limit=1')).body.pagination.total)
  })

  it('sends refusals plain, unless the plain form is refused', async () => {
    const refuse = (accepted: string) =>
      service.request('/stream?channel=none', {
        headers: { 'X-API-Key': keys.sharp, 'Accept-Encoding': accepted },
      })
    const refusal = await refuse('gzip')
    expect(refusal.headers.get('content-encoding')).toBeNull()
    const coded = await refuse('gzip, identity;q=0')
    expect(coded.headers.get('content-encoding')).toBe('gzip')
    expect(coded.status).toBe(400)
    expect(coded.body.error.code).toBe(refusal.body.error.code)
  })
})

describe('a stream whose service stops', () => {
  it('ends with the checksum of everything sent', async () => {
    const ending = await startInProcess()
    await fillBoard(ending)
    const stream = await openStream(ending.port, 'gzip')
    await ending.close()
    await stream.ended
    const text = gunzipSync(stream.bytes()).toString()
    expect(text).toContain('service_stopping')
    expect(text).toMatch(/^(retry|event): /)
  })
})

describe('a WebSocket', () => {
  const open = (port: number, perMessageDeflate: boolean) =>
    new Promise<{ socket: WebSocket; messages: string[] }>((resolve, reject) => {
      const messages: string[] = []
      const headers = { 'X-API-Key': keys.sharp }
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?channels=odds`, {
        perMessageDeflate: perMessageDeflate && { threshold: 0 },
        headers,
      })
      socket.on('error', reject)
      socket.on('message', (data) => {
        messages.push(String(data))
        if (String(data).includes('"snapshot:complete"')) resolve({ socket, messages })
      })
    })
  /** Returns the bytes received by the underlying socket. */
  const bytesOf = (socket: WebSocket) =>
    (socket as unknown as { _socket: { bytesRead: number } })._socket.bytesRead

  it('compresses its long messages if the client offers to decompress them', async () => {
    const plain = await open(service.port, false)
    const deflated = await open(service.port, true)
    expect(plain.socket.extensions).toBe('')
    expect(deflated.socket.extensions).toContain('permessage-deflate')
    const rowsOf = (messages: string[]) =>
      messages
        .map((text) => JSON.parse(text))
        .filter(({ type }) => type === 'initial')
        .map(({ data }) => data)
    expect(rowsOf(deflated.messages)).toEqual(rowsOf(plain.messages))
    expect(bytesOf(deflated.socket)).toBeLessThan(bytesOf(plain.socket) / 4)
    plain.socket.terminate()
    deflated.socket.terminate()
  })

  it('accepts compressed frames, but none that expand beyond the limit of a frame', async () => {
    const { socket, messages } = await open(service.port, true)
    socket.send(JSON.stringify({ type: 'ping' }))
    await expect.poll(() => messages.some((text) => text.includes('"pong"'))).toBe(true)
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    // A hundred megabytes compressed to some hundred kilobytes.
    socket.send(' '.repeat(100 * 1024 * 1024))
    expect([1006, 1009]).toContain(await closed)
    await delay(0)
    expect((await service.get('/odds?limit=1')).status).toBe(200)
  })
})

describe('with the setting off', () => {
  it('nothing is compressed for anybody', async () => {
    const { log, clock } = service
    const logger = createLogger(testSettings, 'test')
    const settings = { ...testSettings, compression: false, sandbox: true }
    const app = openApp({ log, clock, logger, settings })
    await app.ready
    const port = await app.listen()
    const headers = { 'X-API-Key': keys.sharp, 'Accept-Encoding': 'gzip' }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/odds?limit=100`, { headers })
    expect(answer.headers.get('content-encoding')).toBeNull()
    await answer.text()
    const stream = await openStream(port, 'gzip')
    expect(stream.response.headers).not.toHaveProperty('content-encoding')
    stream.response.destroy()
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers })
    await new Promise((resolve) => socket.on('open', resolve))
    expect(socket.extensions).toBe('')
    socket.terminate()
    await app.close()
  })
})
