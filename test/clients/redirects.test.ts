/** What a client says of an address that is redirected, and of a connection that was lost. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient, type SocketLike } from '../../api/clients/typescript/src/index.ts'
import { openSocket } from './open-stream-client.ts'
import { createScriptedService } from './scripted-service.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts a proxy that redirects everything to https. @returns its address */
async function redirecting(): Promise<string> {
  const server = createServer(({ url }, response) => {
    response.writeHead(301, { Location: `https://odds.example.com${url}` }).end()
  })
  server.on('upgrade', ({ url }, socket) => {
    const location = `Location: https://odds.example.com${url}`
    socket.end(`HTTP/1.1 301 Moved Permanently\r\n${location}\r\nContent-Length: 0\r\n\r\n`)
  })
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
}

/** As of a platform, which says nothing of the response. */
const silentSocket = (): SocketLike => {
  const socket: SocketLike = {
    ...{ readyState: 0, onopen: null, onmessage: null, onclose: null, onerror: null },
    send() {},
    close() {},
  }
  setImmediate(() => {
    socket.onerror?.({ type: 'error' } as never)
    socket.onclose?.({ code: 1006 } as never)
  })
  return socket
}

const redirected = (path: string) => ({
  status: 301,
  code: 'redirected',
  message: `The address is redirected to https://odds.example.com/api/v1${path}: state the address of the service itself.`,
})

describe('a redirect', () => {
  it('is the final error of a read', async () => {
    const client = createClient({ base: await redirecting(), key: 'k' })
    const read = client.get('/odds', { query: { league: ['nba'] } })
    await expect(read).rejects.toMatchObject(redirected('/odds'))
  })

  it.each([
    ['sse', openSocket, '/stream'],
    ['websocket', openSocket, '/livez'],
    ['websocket', silentSocket, '/livez'],
  ] as const)('is the final error of a stream over %s (%o)', async (transport, socket, path) => {
    const client = createClient({ base: await redirecting(), key: 'k', openSocket: socket })
    const board = client.board({}, { transport, reconnectMs: 1 })
    closers.push(board.close)
    await expect(board.ready).rejects.toMatchObject(redirected(path))
    const { counts, failure, lastFault } = board.stream
    expect(counts.connections).toBe(1)
    expect(failure()).toMatchObject(redirected(path))
    expect(lastFault()).toBe(redirected(path).message)
    const messages = client.messages({ channels: ['odds'], transport })
    await expect(messages.next()).rejects.toMatchObject(redirected(path))
  })

  it('is final too where a browser hides its status and address', async () => {
    const hidden = new Response(null)
    Object.defineProperty(hidden, 'type', { value: 'opaqueredirect' })
    Object.defineProperty(hidden, 'ok', { value: false })
    Object.defineProperty(hidden, 'status', { value: 0 })
    const { network } = createScriptedService({ answer: () => hidden })
    const client = createClient({ base: 'http://x', key: 'k', ...network })
    const error = { status: 302, code: 'redirected', message: expect.stringContaining('another') }
    await expect(client.get('/odds')).rejects.toMatchObject(error)
    const board = client.board()
    await expect(board.ready).rejects.toMatchObject(error)
  })
})

describe('a lost connection', () => {
  const nobody = 'http://127.0.0.1:1/api/v1'

  it('of a read says why', async () => {
    const client = createClient({ base: nobody, key: 'k', retries: 0 })
    await expect(client.get('/odds')).rejects.toMatchObject({
      status: 0,
      code: 'connection_lost',
      message: expect.stringMatching(/^The connection was lost: .*(?:ECONNREFUSED|bad port)/),
    })
    const late = createClient({
      base: 'http://x',
      key: 'k',
      retries: 0,
      timeoutMs: 1,
      fetch: (_, init) =>
        new Promise((_, reject) => {
          const signal = init?.signal
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    await expect(late.get('/odds')).rejects.toThrow('The connection was lost: no answer in 1 ms')
  })

  it.each(['sse', 'websocket'] as const)('of a stream over %s says why', async (transport) => {
    const client = createClient({ base: nobody, key: 'k', openSocket })
    const { stream, close } = client.board({}, { transport, reconnectMs: 1 })
    closers.push(close)
    await expect
      .poll(stream.lastFault)
      .toMatch(/^The connection was lost: .*(?:ECONNREFUSED|bad port)/)
    expect(stream.failure()).toBe(null)
  })

  it.each(['sse', 'websocket'] as const)(
    'over %s that the service has given a reason for is told by that',
    async (transport) => {
      const error = { code: 'service_stopping', message: 'Back soon.' }
      const { network, served } = createScriptedService({
        begin(connection) {
          if (served.length > 1) connection.say('error', error)
          connection.lose()
        },
      })
      const client = createClient({ base: 'http://x', key: 'k', ...network })
      const { stream, close } = client.board({}, { transport, reconnectMs: 200 })
      closers.push(close)
      await expect.poll(stream.lastFault).toBe('The connection was lost.')
      await expect.poll(stream.lastFault).toContain('"message":"Back soon."')
    },
  )

  it('that the caller dropped is no fault', async () => {
    const { network, served } = createScriptedService({
      begin: (connection) => connection.say('connected', { resumed: false }),
    })
    const client = createClient({ base: 'http://x', key: 'k', ...network })
    const { stream, close } = client.board({}, { reconnectMs: 1 })
    closers.push(close)
    await expect.poll(() => stream.counts.messages).toBe(1)
    stream.drop()
    await expect.poll(() => stream.counts.messages).toBe(2)
    expect([served[0]!.isOpen(), stream.lastFault()]).toEqual([false, null])
  })
})
