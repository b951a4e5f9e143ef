/** The contract of every listener by `listener.ts`, apart from the framing of requests. */

import { once as emitted } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Handler, Response, ServedPath, Websockets } from '../../api/server/listener.ts'
import { createUnsent } from '../../api/server/unsent.ts'
import { allListeners, type Bare, type BareOptions, openBare } from './each-listener.ts'
import { sendParts } from './raw-http.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const upgrade = (path: string, to: string) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${to}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
const big = Buffer.alloc(1_000_000, 'b')
const sendBig: Handler = (response) => response.send(200, 'X-A: b', big, false)
const sendSmall: Handler = (response) => response.send(200, 'X-A: b', 'small', false)

const quiet: Websockets<unknown> = {
  mostMessageBytes: 100,
  isCompressing: false,
  upgrade: () => ({ state: null, subprotocol: '' }),
  open() {},
  message() {},
  drained() {},
  closed() {},
}

describe.each(allListeners)('the listener $name', ({ name, missing }) => {
  const test = it.skipIf(missing !== null)
  const because = missing === null ? '' : ` (skipped: ${missing})`
  let listener: Bare
  afterEach(() => listener?.close())

  async function open(options: BareOptions) {
    listener = await openBare(name, options)
    return listener.port
  }

  test(`routes by method and path, and hands over the parts it names${because}`, async () => {
    const said: Handler = (response, request) => {
      const parts = [request.getParameter(0), request.getParameter(1), request.getHeader('x-c')]
      response.send(201, 'X-A: b\r\nX-D: e', parts.join(), false)
    }
    const port = await open({
      paths: [{ method: 'post', path: '/of/:one/and/:two', handle: said }],
    })
    const at = (path: string, method: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'X-C': 'd', Connection: 'close' },
      })
    const answer = await at('/of/a%20b/and/c?d=e', 'POST')
    expect([answer.status, answer.headers.get('x-a'), answer.headers.get('x-d')]).toEqual([
      201,
      'b',
      'e',
    ])
    expect(answer.headers.get('date')).not.toBe(null)
    expect(answer.headers.get('uwebsockets')).toBe(null)
    expect(await answer.text()).toBe('a%20b,c,d')
    for (const [path, method] of [
      ['/of/a/and/b', 'GET'],
      ['/of//and/b', 'POST'],
      ['/of/a/and/b/', 'POST'],
      ['/of/a', 'POST'],
    ] as const) {
      const other = await at(path, method)
      expect([other.status, await other.text()]).toEqual([
        404,
        `no ${method.toLowerCase()} ${path}`,
      ])
    }
  })

  test(`says of a HEAD how long the body is, and leaves it out${because}`, async () => {
    const port = await open({
      paths: [
        { method: 'head', path: '/big', handle: sendBig },
        { method: 'get', path: '/small', handle: sendSmall },
      ],
    })
    const came = await sendParts(port, [get('/big').replace('GET', 'HEAD') + get('/small')], {
      until: (text) => text.endsWith('small'),
    })
    expect(came.statuses).toEqual([200, 200])
    expect(came.text).toContain('Content-Length: 1000000')
    expect(came.text).not.toContain('bbb')
  })

  test(`sends an answer after its handler has returned${because}`, async () => {
    const port = await open({
      paths: [
        {
          method: 'get',
          path: '/later',
          handle(response) {
            response.onAborted(() => {})
            setImmediate(() => response.send(200, 'X-A: b', big, true))
          },
        },
      ],
    })
    const answer = await fetch(`http://127.0.0.1:${port}/later`)
    expect((await answer.arrayBuffer()).byteLength).toBe(big.length)
    expect(answer.headers.get('connection')).toBe('close')
  })

  test(`tells once that a client has gone${because}`, async () => {
    let gone = 0
    const asked = createOutcome<void>()
    const port = await open({
      paths: [
        {
          method: 'get',
          path: '/never',
          handle(response) {
            response.onAborted(() => {
              gone++
            })
            asked.resolve()
          },
        },
      ],
    })
    const socket = connect(port, '127.0.0.1', () => socket.write(get('/never')))
    await asked.promise
    socket.destroy()
    await expect.poll(() => gone).toBe(1)
  })

  test(`holds one answer of a connection that does not read, whatever is asked on it${because}`, async () => {
    let handled = 0
    const unsent = createUnsent()
    const port = await open({
      unsent,
      paths: [
        {
          method: 'get',
          path: '/big',
          handle(response, request) {
            handled++
            sendBig(response, request)
          },
        },
      ],
    })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    // The listener may cut off the connection.
    for (let i = 0; i < 50 && !socket.destroyed; i++) {
      socket.write(get('/big').repeat(20))
      await delay(1)
    }
    // Sockets buffer some megabytes. The request on another connection shows that no more is handled.
    const other = await sendParts(port, [get('/big')], {
      until: (text) => text.length > big.length,
    })
    expect(other.statuses).toEqual([200])
    expect(handled).toBeLessThan(20)
    socket.destroy()
    await unsent.whenEmpty()
  })

  test(`refuses nobody while somebody reads slowly, and sends it all${because}`, async () => {
    const port = await open({
      paths: [
        {
          method: 'get',
          path: '/huge',
          handle(response) {
            response.send(200, 'X-A: b', Buffer.alloc(20_000_000, 'h'), false)
          },
        },
        { method: 'get', path: '/small', handle: sendSmall },
      ],
    })
    let came = 0
    const socket = connect(port, '127.0.0.1', () => socket.write(get('/huge')))
    socket.pause()
    await delay(50)
    expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200)
    socket.on('data', (bytes) => {
      came += bytes.length
    })
    socket.resume()
    await expect.poll(() => came).toBeGreaterThan(20_000_000)
    await listener.unsent.whenEmpty()
    // The connection stays usable afterwards.
    socket.write(get('/small'))
    const before = came
    await expect.poll(() => came).toBeGreaterThan(before)
    socket.destroy()
  })

  test(`cuts off who leaves most unread, and nobody else${because}`, async () => {
    const huge = Buffer.alloc(20_000_000, 'h')
    const cut: string[] = []
    const port = await open({
      unsent: createUnsent(2.5 * huge.length, (holder) => cut.push(holder)),
      paths: ['many', 'one'].map((account) => ({
        method: 'get',
        path: `/${account}`,
        handle: (response) => response.send(200, 'X-A: b', huge, false, account),
      })),
    })
    function ask(path: string) {
      const came = { bytes: 0, isClosed: false }
      const socket = connect(port, '127.0.0.1', () => socket.write(get(path)))
      socket.pause()
      socket.on('error', () => {})
      socket.on('close', () => {
        came.isClosed = true
      })
      socket.on('data', (bytes) => {
        came.bytes += bytes.length
      })
      return { socket, came }
    }
    const one = ask('/one')
    const many = Array.from({ length: 6 }, () => ask('/many'))
    await expect.poll(() => cut).toEqual(['many'])
    for (const { socket } of [one, ...many]) socket.resume()
    await expect.poll(() => one.came.bytes).toBeGreaterThan(huge.length)
    await expect
      .poll(() => many.filter(({ came }) => came.isClosed && came.bytes < huge.length).length)
      .toBeGreaterThan(0)
    for (const { socket } of [one, ...many]) socket.destroy()
    await listener.unsent.whenEmpty()
  })

  test(`holds no copy of bytes that never change${because}`, async () => {
    const huge = Buffer.alloc(20_000_000, 'h')
    const port = await open({
      unsent: createUnsent(0),
      paths: [
        {
          method: 'get',
          path: '/huge',
          handle: (response) => response.send(200, 'X-A: b', huge, false, undefined, true),
        },
      ],
    })
    let came = 0
    const socket = connect(port, '127.0.0.1', () => socket.write(get('/huge')))
    socket.pause()
    // An answer on another connection comes after the first has filled its socket.
    await sendParts(port, [get('/')], { until: (text) => text.includes('no get') })
    socket.on('data', (bytes) => {
      came += bytes.length
    })
    socket.resume()
    await expect.poll(() => came).toBeGreaterThan(huge.length)
    socket.destroy()
    await listener.unsent.whenEmpty()
  })

  test(`says when a socket takes no more of a stream, and when it does again${because}`, async () => {
    const began = createOutcome<Response>()
    let writable = 0
    const port = await open({
      paths: [
        {
          method: 'get',
          path: '/stream',
          handle(response) {
            response.onAborted(() => {})
            response.onWritable(() => {
              writable++
            })
            response.begin(200, 'X-A: b')
            began.resolve(response)
          },
        },
      ],
    })
    let came = 0
    const socket = connect(port, '127.0.0.1', () => socket.write(get('/stream')))
    socket.pause()
    const response = await began.promise
    const piece = Buffer.alloc(100_000, 'p')
    let sent = 0
    while (response.write(piece)) {
      sent += piece.length
      // A socket buffers a few megabytes at most.
      expect(sent).toBeLessThan(100_000_000)
      await new Promise(setImmediate)
    }
    sent += piece.length
    expect(writable === 0 || name === 'node').toBe(true)
    socket.on('data', (bytes) => {
      came += bytes.length
    })
    socket.resume()
    await expect.poll(() => writable).toBeGreaterThan(0)
    response.end()
    await expect.poll(() => came).toBeGreaterThan(sent)
    socket.destroy()
  })

  test(`opens WebSockets, with the subprotocol that was chosen${because}`, async () => {
    const told: unknown[] = []
    const websockets: Websockets<{ readonly said: string }> = {
      mostMessageBytes: 100,
      isCompressing: true,
      upgrade(response, request) {
        if (request.getQuery() === 'no') {
          response.send(403, 'X-A: b', 'no', false)
          return null
        }
        return { state: { said: request.getQuery() ?? '' }, subprotocol: 'b' }
      },
      open(socket, { said }) {
        told.push(['open', said])
        // The bytes are overwritten right after they are passed on.
        const bytes = Buffer.from('one')
        expect(socket.send([bytes, Buffer.from('two')], false)).toBe(true)
        bytes.fill('x')
        if (said === 'end') setImmediate(() => socket.end(4_001, 'why'))
      },
      message: (_, text) => told.push(['message', text]),
      drained() {},
      closed: ({ said }) => told.push(['closed', said]),
    }
    const port = await open({ websockets: websockets as Websockets<unknown> })
    const address = `ws://127.0.0.1:${port}/ws`
    const refused = new WebSocket(`${address}?no`)
    refused.on('error', () => {})
    const [answer] = await once<{ statusCode: number }>(refused, 'unexpected-response', 1)
    expect(answer!.statusCode).toBe(403)

    const socket = new WebSocket(`${address}?a=b`, ['a', 'b'])
    const messages = await once<Buffer>(socket, 'message', 0, 2)
    expect(messages.map(String)).toEqual(['one', 'two'])
    expect(socket.protocol).toBe('b')
    socket.send('text 東京')
    socket.send(Buffer.from('binary'), { binary: true })
    await expect.poll(() => told.length).toBe(3)
    socket.send('x'.repeat(200))
    await once(socket, 'close', 0)
    await expect.poll(() => told.length).toBe(4)
    const ended = new WebSocket(`${address}?end`, ['b'])
    const [code] = await once<number>(ended, 'close', 0)
    expect(code).toBe(4_001)
    await expect
      .poll(() => told)
      .toEqual([
        ['open', 'a=b'],
        ['message', 'text 東京'],
        ['message', null],
        ['closed', 'a=b'],
        ['open', 'end'],
        ['closed', 'end'],
      ])
  })

  test(`hands over an upgrade that it does not take as a request with that header${because}`, async () => {
    const port = await open({
      paths: [
        {
          method: 'get',
          path: '/small',
          handle: (response, request) =>
            response.send(200, 'X-A: b', `to ${request.getHeader('upgrade')}.`, false),
        },
      ],
    })
    for (const to of ['websocket', 'h2c']) {
      const came = await sendParts(port, [upgrade('/small', to)], {
        until: (text) => text.endsWith('.'),
      })
      expect([came.statuses, came.text]).toEqual([[200], expect.stringContaining(`to ${to}.`)])
    }
  })

  test(`takes an upgrade behind an answer under way, or closes the connection${because}`, async () => {
    const later: Handler = (response) => {
      const timer = setTimeout(() => response.send(200, 'X-A: b', 'small', false), 20)
      response.onAborted(() => clearTimeout(timer))
    }
    let heard = ''
    const websockets: Websockets<unknown> = {
      ...quiet,
      open: (socket) => void socket.send([Buffer.from('opened')], false),
      message: (_, text) => {
        heard = text ?? ''
      },
    }
    const paths: ServedPath[] = [
      { method: 'get', path: '/later', handle: later },
      { method: 'get', path: '/small', handle: sendSmall },
    ]
    const port = await open({ paths, websockets })
    const masked = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
    const opened = await sendParts(
      port,
      [
        Buffer.concat([
          Buffer.from(get('/later') + get('/later') + upgrade('/ws', 'websocket')),
          masked,
        ]),
      ],
      { until: () => heard !== '' },
    )
    const refused = await sendParts(
      port,
      [get('/later') + upgrade('/small', 'h2c') + upgrade('/small', 'h2c') + get('/small')],
      { until: (text) => text.split('small').length > 4 },
    )
    if (name === 'node') {
      expect([opened.statuses, heard]).toEqual([[200, 200, 101], 'hi'])
      expect(refused.statuses).toEqual([200, 200, 200, 200])
    } else expect([opened.end, refused.end]).toEqual(['closed', 'closed'])
    expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200)
  })

  test(`says when a WebSocket takes no more, and when all has gone out${because}`, async () => {
    let drained = 0
    const opened = createOutcome<Parameters<Websockets<null>['open']>[0]>()
    const websockets: Websockets<null> = {
      mostMessageBytes: 100,
      isCompressing: true,
      upgrade: () => ({ state: null, subprotocol: '' }),
      open: (socket) => opened.resolve(socket),
      message() {},
      drained() {
        drained++
      },
      closed() {},
    }
    const port = await open({ websockets: websockets as Websockets<unknown> })
    const client = new WebSocket(`ws://127.0.0.1:${port}/ws`)
    await once(client, 'open', 0)
    client.pause()
    const socket = await opened.promise
    const piece = Buffer.alloc(100_000, 'p')
    let sent = 1
    while (socket.send([piece], false)) {
      sent++
      expect(sent).toBeLessThan(1_000)
      await new Promise(setImmediate)
    }
    const drainedBefore = drained
    let came = 0
    client.on('message', () => {
      came++
    })
    client.resume()
    await expect.poll(() => came).toBe(sent)
    await expect.poll(() => drained).toBeGreaterThan(drainedBefore)
    client.terminate()
  })

  test(`closes at once a connection that is one too many${because}`, async () => {
    const asked: [string, number][] = []
    const cap = {
      takes(address: string, open: number) {
        asked.push([address, open])
        return open < 3
      },
    }
    const port = await open({ paths: [{ method: 'get', path: '/small', handle: sendSmall }], cap })
    const first = connect(port, '127.0.0.1')
    await emitted(first, 'connect')
    const state = connect(port, '127.0.0.1')
    state.write(get('/small'))
    await emitted(state, 'data')
    const third = connect(port, '127.0.0.1').on('error', () => {})
    await emitted(third, 'close')
    expect(asked).toEqual([
      ['127.0.0.1', 1],
      ['127.0.0.1', 2],
      ['127.0.0.1', 3],
    ])
    // Closed connections no longer count.
    first.destroy()
    await expect
      .poll(async () => {
        const later = connect(port, '127.0.0.1').on('error', () => {})
        later.write(get('/small'))
        const isAnswered = await Promise.race([
          emitted(later, 'data').then(() => true),
          emitted(later, 'close').then(() => false),
        ])
        later.destroy()
        return isAnswered
      })
      .toBe(true)
    state.destroy()
  })

  test(`closes each connection behind its next answer once it drains${because}`, async () => {
    const port = await open({ paths: [{ method: 'get', path: '/small', handle: sendSmall }] })
    let answered = 0
    const loops = Array.from({ length: 40 }, () =>
      askUntilClosed(port, get('/small'), () => answered++),
    )
    await expect.poll(() => answered).toBe(40)
    const gone = listener.drain()
    const ends = await Promise.all(loops)
    expect(ends.map(({ end }) => end)).toEqual(ends.map(() => 'told'))
    await gone
    expect((await sendParts(port, [get('/small')])).statuses).toEqual([])
  })

  test(`has drained where only a WebSocket has come and gone${because}`, async () => {
    const port = await open({ websockets: quiet })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
    await emitted(socket, 'open')
    socket.close()
    await emitted(socket, 'close')
    await listener.drain()
  })
})

/** Creates a promise that is resolved from outside. */
function createOutcome<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((whenResolved) => {
    resolve = whenResolved
  })
  return { promise, resolve }
}

/** Sends requests one after the other on one connection, and returns how that ended. */
function askUntilClosed(port: number, request: string, onFirst: () => void) {
  return new Promise<{ readonly end: 'told' | 'reset' | 'closed'; readonly answers: number }>(
    (resolve) => {
      let answers = 0
      let isTold = false
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      let text = ''
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1')
        if (!text.endsWith('small')) return
        if (answers++ === 0) onFirst()
        isTold = /^connection: close/im.test(text)
        text = ''
        if (isTold) socket.end()
        else socket.write(request)
      })
      socket.on('error', () => resolve({ end: 'reset', answers }))
      socket.on('close', () => resolve({ end: isTold ? 'told' : 'closed', answers }))
    },
  )
}

/** Waits for `count` events and returns the nth argument of each. */
function once<T>(socket: WebSocket, event: string, argument: number, count = 1): Promise<T[]> {
  const came: T[] = []
  return new Promise((resolve) => {
    socket.on(event, (...values: unknown[]) => {
      came.push(values[argument] as T)
      if (came.length === count) resolve(came)
    })
  })
}
