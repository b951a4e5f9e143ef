/** The listener on `node:http` and the package `ws`. It works wherever Node does. */

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

/** Time limit of a request's head. */
const headTimeoutMs = 10_000
/** Time limit of a request with an unread body. A body that is read has its own limit (`receive`). */
const requestTimeoutMs = 45_000
const idleTimeoutMs = 10_000
/** A client that takes nothing of a response for this long is cut off. */
const stalledMs = 20_000
const checkedEveryMs = 2_000
/** Bytes that a socket may hold before a write returns false. */
const heldBytes = 65_536
/** Most requests of one connection that wait for an earlier response. */
const mostWaiting = 256
/** Interval of pings. A WebSocket without a pong for one to two intervals is cut off. */
const pingEveryMs = 60_000
/** From 26 on, Node hands over an upgrade without the body of its request, which `withoutUpgrade` needs. */
const keepsBody = Number.parseInt(process.versions.node, 10) >= 26

export const openNode: OpenListener = async (address, served, unsent, cap) => {
  const router = createRouter(served)
  const options = {
    headersTimeout: headTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: checkedEveryMs,
    highWaterMark: heldBytes,
    // Node may refuse an upgrade itself only if the request has a body: when it refuses one, it
    // drops requests that were sent before the response.
    shouldUpgradeCallback: (request: IncomingMessage) =>
      !keepsBody || !hasBody(request) || isUpgraded(request),
  }
  const server = createServer(options)
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
    // The server resumes reading when the socket has taken the response.
    if (isWaiting) socket.pause()
  }
  server.on('request', take)
  // By default the server would request every body, even one that will be refused.
  server.on('checkContinue', (request, raw) => {
    shared.waiting.add(request)
    take(request, raw)
  })
  server.on('clientError', (error, socket) => refuse(error, socket, shared, served.unread))
  const websockets = openWebsockets(served, shared)
  server.on('upgrade', (request, duplex, head) => {
    const socket = duplex as NetSocket
    // The server has released the socket, even while it still sends a response.
    socket.on('error', () => socket.destroy())
    takeTurn(queues, socket, (next) => {
      // Nothing waits after an upgrade; a refused one comes back as a request.
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

/** State shared by all responses of one listener. */
interface Shared {
  readonly unsent: Unsent
  /** Sockets that have received their last response. */
  readonly closing: WeakSet<Duplex>
  /** Requests whose clients wait until the body is requested. */
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
      // The server's own `close` would also end idle connections.
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
    // A refused upgrade comes back as a connection (`withoutUpgrade`).
    if (seen.has(socket)) return
    seen.add(socket)
    open++
    socket.once('close', () => open--)
    if (!cap.takes(socket.remoteAddress ?? '', open)) socket.destroy()
  })
}

// ---- turns

/** The requests of one connection, handled one at a time. */
interface Queue {
  isAnswering: boolean
  readonly waiting: (() => void)[]
}

/**
 * Runs `answer` once the socket has taken the connection's earlier responses.
 * @param answer calls `next` once its own response has been taken
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

/** Splits an address. An address in absolute form counts as this server's, whatever its host. */
function splitAddress({ url = '/' }: IncomingMessage): { path: string; query: string } {
  const relative = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = relative.indexOf('?')
  const path = mark < 0 ? relative : relative.slice(0, mark)
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : relative.slice(mark + 1) }
}

/**
 * Returns whether the end of a request is ambiguous. Node itself refuses several lengths, and a length with a coding.
 */
const isMisframed = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined &&
  headers['transfer-encoding'].toLowerCase() !== 'chunked'

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

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

/** Responds to an unreadable request, if the socket is still writable. */
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

// ---- responses

function createResponse(request: IncomingMessage, raw: ServerResponse, shared: Shared): Response {
  const isHead = request.method === 'HEAD'
  const isBodyWaiting = shared.waiting.has(request)
  let isBodyRequested = false
  let isSent = false
  // Writes to a lost connection fail; `onAborted` reports the loss.
  raw.on('error', () => {})
  return {
    isHead,
    isBodyWaiting,
    send(status, head, body, isLastWanted, account, isLasting = false) {
      if (raw.destroyed) return
      isSent = true
      const headers = linesOf(head)
      // A client whose body was not requested may send it or not, so the connection must close.
      const isLast = isLastWanted || (isBodyWaiting && !isBodyRequested)
      if (isLast || shared.isDraining) {
        shared.closing.add(request.socket)
        headers.push('Connection', 'close')
      }
      // Copied, because the socket may take the bytes after the call.
      const bytes =
        isLasting || typeof body === 'string' || body === null ? body : Buffer.from(body)
      const length = bytes === null ? 0 : Buffer.byteLength(bytes)
      if (bytes !== null && status !== 204) headers.push('Content-Length', String(length))
      raw.writeHead(status, headers)
      if (bytes === null || isHead) raw.end()
      else holdUntilSent(raw, isLasting ? 0 : length, account, shared.unsent, () => raw.end(bytes))
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

/** Holds a response that the socket does not take at once, and cuts off a client that takes nothing. */
function holdUntilSent(
  raw: ServerResponse,
  bytes: number,
  account: string | undefined,
  unsent: Unsent,
  end: () => void,
) {
  const { socket } = raw
  end()
  if (raw.writableFinished || !socket || socket.writableLength === 0) return
  const cut = () => void socket.destroy()
  const release = unsent.hold({ bytes, account, address: socket.remoteAddress ?? '', cut })
  socket.setTimeout(stalledMs, cut)
  raw.once('close', () => {
    release()
    socket.off('timeout', cut)
    socket.setTimeout(0)
  })
}

/** Returns names and values alternately, for `writeHead`. */
function linesOf(head: string): string[] {
  return head.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 2)]
  })
}

// ---- upgrades

/**
 * Handles a request as if its unknown upgrade were any other header: without `Connection` Node sees no upgrade in it.
 * The server has released the socket, so it gets the socket back with the head rewritten.
 */
function withoutUpgrade(server: Server, request: IncomingMessage, socket: NetSocket, rest: Buffer) {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  const { rawHeaders } = request
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (!/^connection$/i.test(name)) lines.push(`${name}: ${rawHeaders[i + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]))
  server.emit('connection', socket)
}

function openWebsockets<State>({ websockets: handlers }: Served<State>, shared: Shared) {
  const subprotocols = new WeakMap<IncomingMessage, string>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    // Without context takeover, which would cost each socket hundreds of kilobytes.
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
        openSocket(handlers, upgrade.state, opened, socket)
      })
    },
    close() {
      clearInterval(pings)
      for (const socket of server.clients) socket.terminate()
    },
  }
}

function openSocket<State>(
  handlers: Served<State>['websockets'],
  state: State,
  opened: WebSocket,
  socket: Duplex,
) {
  opened.on('error', () => {})
  opened.on('message', (data: Buffer, isBinary) => {
    handlers.message(state, isBinary ? null : data.toString('utf8'))
  })
  socket.on('drain', () => handlers.drained(state))
  opened.once('close', () => handlers.closed(state))
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
    state,
  )
}
