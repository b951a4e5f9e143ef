/**
 * The listener on uWebSockets.js, any build.
 *
 * The package parses a request as soon as it arrives, does not report its connection, and closes the connection if
 * the response before is incomplete. So a response that the socket has not taken is left incomplete
 * (`uws-unsent.ts`): a client that sends requests without reading is cut off.
 */

import { STATUS_CODES } from 'node:http'
import type { ConnectionCap } from '../connection-cap.ts'
import {
  type Handler,
  type Listener,
  leastCompressedMessage,
  type OpenListener,
  type Request,
  type Response,
  type Served,
  type Socket,
} from '../listener.ts'
import type { Unsent } from '../unsent.ts'
import type {
  App,
  HttpRequest,
  HttpResponse,
  Uws,
  WebSocket,
  WebSocketBehavior,
} from './uws-package.ts'
import { holdRest } from './uws-unsent.ts'

/** Without it, a second process on the same port would silently share its connections. */
const exclusivePort = 1

/** A connection without a complete request for this long is closed. */
const idleSeconds = 10

/** Makes the package leave its own name out of responses. */
const withoutMark = '999999990007'

const methodNames = {
  get: 'get',
  head: 'head',
  post: 'post',
  patch: 'patch',
  delete: 'del',
} as const

export const uwsListener =
  (uws: Uws): OpenListener =>
  async (address, served, unsent, cap) => {
    uws._cfg(withoutMark)
    const app = uws.App()
    app.setIdleTimeout?.(idleSeconds)
    app.setResponseTimeout?.(idleSeconds)
    const connections = countConnections(app, cap)
    const shared: Shared = { unsent, connections, isDraining: false }
    const handled = (handle: Handler, isHead: boolean) => {
      return (raw: HttpResponse, request: HttpRequest) => {
        const response = createResponse(raw, isHead, shared)
        if (isMisframed(request)) refuseLater(response, served.misframed)
        else handle(response, withAllHeaders(request))
        response.isInHandler = false
      }
    }
    for (const { method, path, handle } of served.paths) {
      app[methodNames[method]](path, handled(handle, method === 'head'))
    }
    // One compressor for all: one for each socket costs 256 KB each.
    const compression = served.websockets.isCompressing ? uws.SHARED_COMPRESSOR : uws.DISABLED
    for (const path of served.websocketPaths) {
      app.ws(path, websockets(served.websockets, shared, compression))
    }
    app.head('/*', handled(served.otherwise, true))
    app.any('/*', handled(served.otherwise, false))
    return listen(uws, app, shared, address)
  }

/** State shared by all responses of one listener. */
interface Shared {
  readonly unsent: Unsent
  readonly connections: Connections
  isDraining: boolean
}

async function listen(
  uws: Uws,
  app: App,
  shared: Shared,
  { host, port }: Parameters<OpenListener>[0],
): Promise<Listener | null> {
  const socket = await new Promise<object | false>((resolve) => {
    app.listen(host, port, exclusivePort, resolve)
  })
  if (!socket) return null
  return {
    port: uws.us_socket_local_port(socket),
    retire() {
      shared.isDraining = true
    },
    drain() {
      shared.isDraining = true
      uws.us_listen_socket_close(socket)
      return shared.connections.gone()
    },
    close: () => {
      app.close()
    },
  }
}

interface Connections {
  /** Called when a WebSocket has closed, which the package does not report like other connections. */
  closed(): void
  /** @returns resolves when none is open */
  gone(): Promise<void>
}

function countConnections(app: App, cap: ConnectionCap): Connections {
  let open = 0
  let notify = () => {}
  function closed() {
    open--
    if (open === 0) notify()
  }
  function changed(raw: HttpResponse, change: 1 | -1) {
    if (change === -1) return closed()
    open++
    if (!cap.takes(addressOf(raw), open)) raw.close()
  }
  app.filter(changed)
  return {
    closed,
    gone: () =>
      new Promise<void>((resolve) => {
        notify = resolve
        if (open === 0) resolve()
      }),
  }
}

// ---- requests

/**
 * Returns whether the end of a request is ambiguous to a proxy in front: the package uses the first of several
 * lengths, and reads any transfer coding as chunks.
 */
function isMisframed(request: HttpRequest): boolean {
  const length = request.getHeader('content-length')
  const coding = request.getHeader('transfer-encoding')
  if (length === '' && coding === '') return false
  let framings = 0
  request.forEach((name) => {
    if (name === 'content-length' || name === 'transfer-encoding') framings++
  })
  return framings > 1 || (coding !== '' && coding.toLowerCase() !== 'chunked')
}

/**
 * Refuses after the handler has returned. If it responded at once, the package would read the remaining bytes as the
 * next request; this way it closes the connection.
 */
function refuseLater(response: UwsResponse, refuse: (response: Response) => void) {
  let isGone = false
  response.raw.onAborted(() => {
    isGone = true
  })
  setImmediate(() => {
    if (!isGone) refuse(response)
  })
}

// ---- responses

/** A response. Its functions are shared, because closures would cost every request some percent. */
interface UwsResponse extends Response {
  readonly raw: HttpResponse
  readonly shared: Shared
  /** Whether the handler is still running: the package collects writes until it returns. */
  isInHandler: boolean
}

const createResponse = (raw: HttpResponse, isHead: boolean, shared: Shared): UwsResponse => ({
  raw,
  shared,
  isHead,
  // The package itself requests every body.
  isBodyWaiting: false,
  isInHandler: true,
  send,
  begin,
  write,
  end,
  close,
  onWritable,
  onAborted,
  onData,
  getRemoteAddress,
})

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
)

type Body = string | Uint8Array | null

function send(
  this: UwsResponse,
  status: number,
  head: string,
  body: Body,
  isLast: boolean,
  account?: string,
  isLasting = false,
) {
  if (this.isInHandler) sendNow(this, status, head, body, isLast, account, isLasting)
  else sendLater(this, status, head, body, isLast, account, isLasting)
}

/** A separate function, because a closure slows its function even if it is not created. */
function sendLater(
  response: UwsResponse,
  status: number,
  head: string,
  body: Body,
  isLast: boolean,
  account: string | undefined,
  isLasting: boolean,
) {
  response.raw.cork(() => sendNow(response, status, head, body, isLast, account, isLasting))
}

/**
 * Checking whether the socket takes a body costs a short response some percent, so only a random share of those is
 * checked. That finds a socket that takes nothing before it holds many responses.
 */
const alwaysCheckedBytes = 4_096
const checkedShare = 0.1

function sendNow(
  { raw, isHead, shared }: UwsResponse,
  status: number,
  head: string,
  body: Body,
  isLastWanted: boolean,
  account: string | undefined,
  isLasting: boolean,
) {
  const isLast = isLastWanted || shared.isDraining
  writeHead(raw, status, head)
  if (body === null || isHead) sendWithoutBody(raw, body, isLast)
  else if (isLast || (body.length < alwaysCheckedBytes && Math.random() > checkedShare)) {
    raw.end(body, isLast)
  } else {
    const totalBytes = Buffer.byteLength(body)
    const [, isDone] = raw.tryEnd(body, totalBytes)
    if (isDone) return
    const of = { account, address: addressOf(raw) }
    holdRest(raw, body, totalBytes, isLasting, shared.unsent, of)
  }
}

/**
 * Given a length, the package would wait for the body, and it closes the connection only with an argument. So headers
 * state the length and ask the client to close.
 */
function sendWithoutBody(raw: HttpResponse, body: Body, isLast: boolean) {
  if (isLast) raw.writeHeader('Connection', 'close')
  if (body !== null) raw.writeHeader('Content-Length', String(Buffer.byteLength(body)))
  raw.endWithoutBody()
}

/**
 * Writes status and headers in one call, as the package writes a status unchanged. Each call costs as much as copying
 * a page of rows.
 */
function writeHead(raw: HttpResponse, status: number, head: string) {
  raw.writeStatus(`${statusLines.get(status) ?? status}\r\n${head}`)
}

function begin(this: UwsResponse, status: number, head: string) {
  if (this.isInHandler) writeHead(this.raw, status, head)
  else this.raw.cork(() => writeHead(this.raw, status, head))
}

function write(this: UwsResponse, bytes: Uint8Array): boolean {
  let isTaken = true
  // One system call.
  this.raw.cork(() => {
    isTaken = this.raw.write(bytes)
  })
  return isTaken
}

/**
 * Ends a response in pieces. The connection stays open: if it were to close, the package would write that header
 * after the pieces.
 */
function end(this: UwsResponse) {
  // The package closes a socket that still holds bytes after some seconds.
  this.raw.cork(() => this.raw.end())
}

function close(this: UwsResponse) {
  this.raw.close()
}

function onWritable(this: UwsResponse, handler: () => void) {
  this.raw.onWritable(() => {
    handler()
    return true
  })
}

function onAborted(this: UwsResponse, handler: () => void) {
  this.raw.onAborted(handler)
}

function onData(this: UwsResponse, handler: (chunk: Uint8Array, isLast: boolean) => void) {
  this.raw.onData((chunk, isLast) => handler(new Uint8Array(chunk), isLast))
}

function getRemoteAddress(this: UwsResponse): string {
  return addressOf(this.raw)
}

const addressOf = (raw: HttpResponse) =>
  Buffer.from(raw.getRemoteAddressAsText()).toString('latin1')

/**
 * Adds the functions that the package's request lacks. The package returns only the first value of
 * a repeated header.
 */
function withAllHeaders(request: HttpRequest): Request {
  const own = request as HttpRequest & Request
  own.getHeaders = getHeaders
  own.headerNames = headerNames
  return own
}

function getHeaders(this: HttpRequest, name: string): string {
  const values: string[] = []
  this.forEach((key, value) => {
    if (key === name) values.push(value)
  })
  return values.join()
}

function headerNames(this: HttpRequest): string[] {
  const names: string[] = []
  this.forEach((name) => {
    names.push(name)
  })
  return names
}

// ---- WebSockets

interface Opened<State> {
  readonly state: State
  socket: UwsSocket | null
}

function websockets<State>(
  handlers: Served<State>['websockets'],
  shared: Shared,
  compression: number,
): WebSocketBehavior<Opened<State>> {
  return {
    compression,
    maxPayloadLength: handlers.mostMessageBytes,
    idleTimeout: 120,
    sendPingsAutomatically: true,
    // No limit: the sender stops as soon as a write reports a full socket.
    maxBackpressure: 0,
    upgrade(raw, request, context) {
      const upgrade = handlers.upgrade(createResponse(raw, false, shared), withAllHeaders(request))
      if (upgrade === null) return
      raw.upgrade<Opened<State>>(
        { state: upgrade.state, socket: null },
        request.getHeader('sec-websocket-key'),
        upgrade.subprotocol,
        request.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    open(raw) {
      const opened = raw.getUserData()
      opened.socket = { raw, isOpen: true, send: sendMessages, end: endSocket }
      handlers.open(opened.socket, opened.state)
    },
    message(raw, message, isBinary) {
      const text = isBinary ? null : Buffer.from(message).toString('utf8')
      handlers.message(raw.getUserData().state, text)
    },
    drain(raw) {
      if (raw.getBufferedAmount() === 0) handlers.drained(raw.getUserData().state)
    },
    close(raw) {
      const { state, socket } = raw.getUserData()
      if (socket) socket.isOpen = false
      shared.connections.closed()
      handlers.closed(state)
    },
  }
}

/** A WebSocket. There are many, so their functions are shared. */
interface UwsSocket extends Socket {
  readonly raw: WebSocket<unknown>
  /** A closed socket must not be used. */
  isOpen: boolean
}

function sendMessages(
  this: UwsSocket,
  messages: readonly Uint8Array[],
  isCompressed: boolean,
): boolean {
  const { raw } = this
  const [first] = messages
  if (first && messages.length === 1) return sendMessage(raw, first, isCompressed)
  let isTaken = true
  raw.cork(() => {
    for (const bytes of messages) {
      if (!sendMessage(raw, bytes, isCompressed)) isTaken = false
    }
  })
  return isTaken
}

const sendMessage = (raw: UwsSocket['raw'], bytes: Uint8Array, isCompressed: boolean) =>
  raw.send(bytes, false, isCompressed && bytes.length >= leastCompressedMessage) === 1

function endSocket(this: UwsSocket, code: number, reason: string) {
  if (this.isOpen) this.raw.end(code, reason)
}
