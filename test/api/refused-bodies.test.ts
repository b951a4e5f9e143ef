/** Refused bodies: a client that is still sending can read the refusal. */

import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { testedListener } from '../tested-listener.ts'
import { type InProcess, ingestToken, startInProcess } from './service-in-process.ts'

const mostBytes = 8 * 1024 * 1024
const piece = Buffer.alloc(1024 * 1024, ' ')
const isNode = testedListener === 'node'
const health = 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
})
afterAll(() => service.close())

const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
  open.clear()
})

/** Opens a connection that sends in pieces, and records the received text. */
function begin(fields: string) {
  const socket = connect(service.port, '127.0.0.1')
  open.add(socket)
  const came = { text: '', isClosed: false }
  socket.on('data', (bytes) => {
    came.text += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    came.isClosed = true
  })
  const send = (bytes: string | Buffer) =>
    new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  const authorization = `Authorization: Bearer ${ingestToken}\r\nContent-Type: application/x-ndjson`
  const head = `POST /api/v1/ingest HTTP/1.1\r\nHost: a\r\n${authorization}\r\n${fields}\r\n\r\n`
  return { came, send, head }
}

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

const chunk = Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')])

it.each([
  ['a length', `Content-Length: ${12 * piece.length}`, piece, ''],
  ['chunks', 'Transfer-Encoding: chunked', chunk, '0\r\n\r\n'],
] as const)(
  'refuses a body that is too large, with %s, after its end',
  async (_, fields, part, end) => {
    const { came, send, head } = begin(fields)
    await send(head)
    for (let i = 0; i < 12; i++) {
      await send(part)
      // By this response the server has read, or is about to read, the bytes sent before on the other connection.
      if (i === 9) await service.get('/health')
    }
    await send(end)
    await expect.poll(() => statusesOf(came.text)).toEqual([413])
    expect(came.text).toContain('payload_too_large')
    // The connection stays usable.
    await send(health)
    await expect.poll(() => statusesOf(came.text)).toEqual([413, 200])
  },
)

it('does so too where a route takes little', async () => {
  const { came, send } = begin('')
  const key = 'X-API-Key: sk_test_sandbox_pro\r\nContent-Type: application/json'
  const length = 12 * piece.length
  await send(
    `POST /api/v1/odds/batch HTTP/1.1\r\nHost: a\r\n${key}\r\nContent-Length: ${length}\r\n\r\n`,
  )
  for (let i = 0; i < 12; i++) await send(piece)
  await send(health)
  await expect.poll(() => statusesOf(came.text)).toEqual([413, 200])
})

it('takes the largest body that a route takes', async () => {
  const answer = await service.ingest(Buffer.alloc(mostBytes, '\n'))
  expect(answer.status).toBe(202)
})

it('cuts off an endless body', async () => {
  const { came, send, head } = begin('Transfer-Encoding: chunked')
  await send(head)
  let sent = 0
  while (!came.isClosed && sent < 1_000) {
    await send(chunk)
    // A write to a closed connection returns at once, so without this pause the close event would never run.
    await new Promise(setImmediate)
    sent++
  }
  // A socket buffers some megabytes more.
  expect(sent).toBeGreaterThan(30)
  expect(sent).toBeLessThan(100)
})

it('refuses at once a body with an endless length', async () => {
  const { came, send, head } = begin(`Content-Length: ${1_000 * mostBytes}`)
  await send(head)
  await expect.poll(() => came.isClosed).toBe(true)
  expect(statusesOf(came.text)).toEqual([413])
})

it('sends no 100 Continue for a body that it refuses', async () => {
  const { came, send, head } = begin(`Content-Length: ${9 * piece.length}\r\nExpect: 100-continue`)
  await send(head)
  if (isNode) {
    await expect.poll(() => came.isClosed).toBe(true)
    expect(statusesOf(came.text)).toEqual([413])
    return
  }
  // The other listeners send 100 Continue before they hand over the request.
  await expect.poll(() => statusesOf(came.text)).toEqual([100])
  for (let i = 0; i < 9; i++) await send(piece)
  await expect.poll(() => statusesOf(came.text)).toEqual([100, 413])
})

it('sends no 100 Continue to a client without a token', async () => {
  const { came, send } = begin('')
  await send(
    'POST /api/v1/ingest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer no\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n',
  )
  const expected = isNode ? [401] : [100, 401]
  await expect.poll(() => statusesOf(came.text)).toEqual(expected)
})
