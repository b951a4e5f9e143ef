/** The listener on node:http and the package ws: it works wherever Node does. */

import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket as NetSocket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ConnectionCap } from '../connection-cap.ts'
import {
  type Listener,
  leastCompressedMessage,
  type OpenListener,
  type Request,
  type Response,
  type Served,
} from '../listener.ts'
import type { Unsent } from '../unsent.ts'
import { createRouter, type Routed } from './node-router.ts'

/** What has come of a head after so long is not waited for. */
const headTimeoutMs = 10_000
/** Nor of a request whose body nobody reads: one that is read has a time limit of its own (`receive`). */
const requestTimeoutMs = 45_000
const idleTimeoutMs = 10_000
/** A client that takes nothing of an answer for so long is cut off. */
const stalledMs = 20_000
const checkedEveryMs = 2_000
/** What a socket may hold back before a write says that it does. */
const heldBytes = 65_536
/** Requests of one connection that wait for the answer to an earlier one. */
const mostWaiting = 256
/** A WebSocket that has answered no ping for one to two of these is cut off. */
const pingEveryMs = 60_000

export const openNode: OpenListener = async (address, served, unsent, cap) => {
  const router = createRouter(served)
  const server = createServer({
    headersTimeout: headTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: checkedEveryMs,
    highWaterMark: heldBytes,
  })
  const shared: Shared = {
    unsent,
    closing: new WeakSet(),
    waiting: new WeakSet(),
    isDraining: false,
  }
  capConnections(server, cap)
  const queues = new WeakMap<NetSocket, Queue>()
  const take = (request: IncomingMessage, raw: ServerResponse) => {
    const { socket } = request
    const isWaiting = takeTurn(queues, socket, (next) => {
      raw.once('close', next)
      answer(request, raw)
    })
    // The server goes on reading when the socket has taken what there is.
    if (isWaiting) socket.pause()
  }
  server.on('request', take)
  // By itself the server asks for every body, also for one that is refused.
  server.on('checkContinue', (request, raw) => {
    shared.waiting.add(request)
    take(request, raw)
  })
  server.on('clientError', (error, socket) => refuse(error, socket, shared, served.unread))
  const websockets = openWebsockets(served, shared)
  server.on('upgrade', (request, duplex, head) => {
    const socket = duplex as NetSocket
    // The server has let go of the socket, also while it still sends an answer.
    socket.on('error', () => socket.destroy())
    takeTurn(queues, socket, (next) => {
      // Nothing waits behind an upgrade; one that is not taken comes back as a request.
      next()
      if (isUpgraded(request)) websockets.upgrade(request, socket, head)
      else withoutUpgrade(server, request, socket, head)
    })
  })
  return listen(server, address, shared, websockets.close)

  function isUpgraded(request: IncomingMessage): boolean {
    const isWebsocket = request.headers.upgrade?.toLowerCase() === 'websocket'
    return isWebsocket && served.websocketPaths.includes(pathOf(request))
  }

  function answer(request: IncomingMessage, raw: ServerResponse) {
    const routed = router(request.method ?? '', pathOf(request))
    const response = createResponse(request, raw, shared)
    if (isMisframed(request)) served.misframed(response)
    else routed.handle(response, createRequest(request, routed))
  }
}

/** What the answers of one listener have in common. */
interface Shared {
  readonly unsent: Unsent
  /** They have had their last answer. */
  readonly closing: WeakSet<Duplex>
  /** Their clients wait to be asked for the body. */
  readonly waiting: WeakSet<IncomingMessage>
  isDraining: boolean
}

async function listen(
  server: Server,
  { host, port }: Parameters<OpenListener>[0],
  shared: Shared,
  closeWebsockets: () => void,
): Promise<Listener | null> {
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ host, port, exclusive: true, backlog: 4_096 }, () => resolve(true))
  })
  if (!isListening) return null
  return {
    port: (server.address() as AddressInfo).port,
    retire() {
      shared.isDraining = true
    },
    drain() {
      shared.isDraining = true
      // The server's own `close` also ends connections that are between two requests.
      return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    },
    close() {
      closeWebsockets()
      server.closeAllConnections()
    },
  }
}

function capConnections(server: Server, cap: ConnectionCap) {
  const seen = new WeakSet<NetSocket>()
  let open = 0
  server.on('connection', (socket: NetSocket) => {
    // An upgrade that is not taken comes back as a connection (`withoutUpgrade`).
    if (seen.has(socket)) return
    seen.add(socket)
    open++
    socket.once('close', () => open--)
    if (!cap.takes(socket.remoteAddress ?? '', open)) socket.destroy()
  })
}

// ---- turns

/** The requests of one connection: one is answered at a time. */
interface Queue {
  isAnswering: boolean
  readonly waiting: (() => void)[]
}

/**
 * Answers a request, or takes an upgrade, when the answers before it, on its connection, have been taken
 * whole.
 * @param answer calls `next` once it has been taken itself
 * @returns whether it waits
 */
function takeTurn(
  queues: WeakMap<NetSocket, Queue>,
  socket: NetSocket,
  answer: (next: () => void) => void,
): boolean {
  let queue = queues.get(socket)
  if (!queue) {
    queue = { isAnswering: false, waiting: [] }
    queues.set(socket, queue)
  }
  const { waiting } = queue
  const next = () => {
    queue.isAnswering = false
    if (socket.writable) waiting.shift()?.()
    else waiting.length = 0
  }
  const begin = () => {
    queue.isAnswering = true
    answer(next)
  }
  if (!queue.isAnswering) {
    begin()
    return false
  }
  if (waiting.length < mostWaiting) waiting.push(begin)
  else socket.destroy()
  return true
}

// ---- requests

const pathOf = (request: IncomingMessage) => splitAddress(request).path

/** An address in absolute form is of this server, whatever it says. */
function splitAddress({ url = '/' }: IncomingMessage): { path: string; query: string } {
  const relative = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = relative.indexOf('?')
  const path = mark < 0 ? relative : relative.slice(0, mark)
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : relative.slice(mark + 1) }
}

/** Node itself refuses several lengths, and lengths beside a coding; other codings it hands over. */
const isMisframed = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined &&
  headers['transfer-encoding'].toLowerCase() !== 'chunked'

function createRequest(raw: IncomingMessage, { parameters }: Routed): Request {
  const { path, query } = splitAddress(raw)
  return {
    getMethod: () => (raw.method ?? '').toLowerCase(),
    getUrl: () => path,
    getQuery: () => query,
    getHeader(name) {
      const value = raw.headers[name]
      return typeof value === 'string' ? value : (value?.[0] ?? '')
    },
    headerNames: () => Object.keys(raw.headers),
    getHeaders: (name) => raw.headersDistinct[name]?.join() ?? '',
    getParameter: (index) => parameters[index],
  }
}

/** What is no request gets a short answer, as far as one can be read. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, { closing }: Shared, lines: string) {
  if (error.code === 'ECONNRESET' || !socket.writable || closing.has(socket)) {
    socket.destroy()
    return
  }
  const status = refusals[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0${lines}\r\n\r\n`)
}

const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

// ---- answers

function createResponse(request: IncomingMessage, raw: ServerResponse, shared: Shared): Response {
  const isHead = request.method === 'HEAD'
  const isBodyWaiting = shared.waiting.has(request)
  let isBodyRequested = false
  let isSent = false
  // Whoever writes to a connection that has just gone learns it from `onAborted`.
  raw.on('error', () => {})
  return {
    isHead,
    isBodyWaiting,
    send(status, head, body, isLastWanted) {
      if (raw.destroyed) return
      isSent = true
      const headers = linesOf(head)
      // Whoever is answered without having been asked for the body may send it or not.
      const isLast = isLastWanted || (isBodyWaiting && !isBodyRequested)
      if (isLast || shared.isDraining) {
        shared.closing.add(request.socket)
        headers.push('Connection', 'close')
      }
      // The bytes may be needed after the call, where the socket does not take them all.
      const bytes = typeof body === 'string' || body === null ? body : Buffer.from(body)
      const length = bytes === null ? 0 : Buffer.byteLength(bytes)
      if (bytes !== null && status !== 204) headers.push('Content-Length', String(length))
      raw.writeHead(status, headers)
      if (bytes === null || isHead) raw.end()
      else holdUntilSent(raw, length, shared.unsent, () => raw.end(bytes))
    },
    begin(status, head) {
      if (!raw.destroyed) raw.writeHead(status, linesOf(head)).flushHeaders()
    },
    write: (bytes) => raw.write(Buffer.from(bytes)),
    end() {
      if (shared.isDraining) raw.once('finish', () => request.socket.end())
      raw.end()
    },
    close: () => void request.socket.destroy(),
    onWritable: (handler) => void raw.on('drain', handler),
    onAborted(handler) {
      raw.once('close', () => {
        if (!isSent && !raw.writableFinished) handler()
      })
    },
    onData(handler) {
      if (isBodyWaiting) raw.writeContinue()
      isBodyRequested = true
      request.on('data', (chunk: Buffer) => handler(chunk, false))
      request.once('end', () => handler(noBytes, true))
    },
    getRemoteAddress: () => request.socket.remoteAddress ?? '',
  }
}

const noBytes = new Uint8Array()

/** Counts an answer that the socket does not take at once, and cuts off who takes nothing of it. */
function holdUntilSent(raw: ServerResponse, bytes: number, unsent: Unsent, end: () => void) {
  const { socket } = raw
  end()
  if (raw.writableFinished || !socket || socket.writableLength === 0) return
  unsent.hold(bytes)
  const cut = () => socket.destroy()
  socket.setTimeout(stalledMs, cut)
  raw.once('close', () => {
    unsent.release(bytes)
    socket.off('timeout', cut)
    socket.setTimeout(0)
  })
}

/** Names and values in turn, as `writeHead` takes them. */
function linesOf(head: string): string[] {
  return head.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 2)]
  })
}

// ---- upgrades

/**
 * Goes on as if the upgrade had not been offered, which is what a server does with one that it does not
 * know. The server has let go of the socket: it is handed back with the head and without its offer.
 */
function withoutUpgrade(server: Server, request: IncomingMessage, socket: NetSocket, rest: Buffer) {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  const { rawHeaders } = request
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (!/^(upgrade|connection)$/i.test(name)) lines.push(`${name}: ${rawHeaders[i + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]))
  server.emit('connection', socket)
}

function openWebsockets<Kept>({ websockets: handlers }: Served<Kept>, shared: Shared) {
  const subprotocols = new WeakMap<IncomingMessage, string>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    // Without a history of their own, which would cost each socket hundreds of kilobytes.
    perMessageDeflate: handlers.isCompressing && {
      threshold: leastCompressedMessage,
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
    },
    maxPayload: handlers.mostMessageBytes,
    handleProtocols: (_, request) => subprotocols.get(request) || false,
  })
  const answering = new WeakSet<WebSocket>()
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (!answering.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, pingEveryMs)
  pings.unref()
  const routed: Routed = { handle: () => {}, parameters: [] }
  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const raw = new ServerResponse(request)
      const response = createResponse(request, raw, shared)
      raw.shouldKeepAlive = false
      raw.assignSocket(socket as NetSocket)
      raw.once('finish', () => socket.end())
      const upgrade = handlers.upgrade(response, createRequest(request, routed))
      if (upgrade === null) return
      raw.detachSocket(socket as NetSocket)
      subprotocols.set(request, upgrade.subprotocol)
      server.handleUpgrade(request, socket, head, (opened) => {
        answering.add(opened)
        opened.on('pong', () => answering.add(opened))
        openSocket(handlers, upgrade.kept, opened, socket)
      })
    },
    close() {
      clearInterval(pings)
      for (const socket of server.clients) socket.terminate()
    },
  }
}

function openSocket<Kept>(
  handlers: Served<Kept>['websockets'],
  kept: Kept,
  opened: WebSocket,
  socket: Duplex,
) {
  opened.on('error', () => {})
  opened.on('message', (data: Buffer, isBinary) => {
    handlers.message(kept, isBinary ? null : data.toString('utf8'))
  })
  socket.on('drain', () => handlers.drained(kept))
  opened.once('close', () => handlers.closed(kept))
  handlers.open(
    {
      send(messages, isCompressed) {
        if (opened.readyState !== opened.OPEN) return true
        socket.cork()
        for (const bytes of messages) {
          opened.send(Buffer.from(bytes), { binary: false, compress: isCompressed })
        }
        socket.uncork()
        return !socket.writableNeedDrain
      },
      end: (code, reason) => opened.close(code, reason),
    },
    kept,
  )
}
