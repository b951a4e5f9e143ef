/**
 * The listener on uWebSockets.js, whichever build of it.
 *
 * The package takes a request apart as soon as it is there, does not say which connection it is of, and
 * closes the connection where the answer before it is not complete. So an answer that its socket has not
 * taken is left incomplete (`uws-unsent.ts`): a client that goes on asking without reading is cut off.
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
import { sendBody } from './uws-unsent.ts'

/** Without it, a second process on the same port would silently share its connections. */
const exclusivePort = 1

/** A connection that brings no whole request for so long is closed. */
const idleSeconds = 10

/** By which the package leaves a header with its own name out of every answer. */
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
    // One compressor for all: sockets that keep one each cost 256 KB each.
    const compression = served.websockets.isCompressing ? uws.SHARED_COMPRESSOR : uws.DISABLED
    for (const path of served.websocketPaths) {
      app.ws(path, websockets(served.websockets, shared, compression))
    }
    app.head('/*', handled(served.otherwise, true))
    app.any('/*', handled(served.otherwise, false))
    return listen(uws, app, shared, address)
  }

/** What the answers of one listener have in common. */
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
  /** A WebSocket has closed, of which the package does not tell as of other connections. */
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
 * Whether a proxy in front could see another end of the request than the package does: it reads the first
 * of several lengths, and takes any transfer coding for chunks.
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
 * The package would take what came with the request for the next one, if this one were answered at once.
 * While it is not, the package closes the connection instead.
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

// ---- answers

/** An answer on its way. Its functions are shared: a closure each would cost every request some percent. */
interface UwsResponse extends Response {
  readonly raw: HttpResponse
  readonly shared: Shared
  /** The handler has not returned: the package gathers what is written until it has. */
  isInHandler: boolean
}

const createResponse = (raw: HttpResponse, isHead: boolean, shared: Shared): UwsResponse => ({
  raw,
  shared,
  isHead,
  // The package asks for every body before it hands the request over.
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

function send(this: UwsResponse, status: number, head: string, body: Body, isLast: boolean) {
  if (this.isInHandler) sendNow(this, status, head, body, isLast)
  else sendLater(this, status, head, body, isLast)
}

/** By itself, because a closure costs its function something even where it is not made. */
function sendLater(
  response: UwsResponse,
  status: number,
  head: string,
  body: Body,
  isLast: boolean,
) {
  response.raw.cork(() => sendNow(response, status, head, body, isLast))
}

/**
 * To ask whether the socket takes a body costs a short answer some percent. Of those a share is asked for,
 * by chance: a socket that takes nothing is found before it holds back many.
 */
const alwaysCheckedBytes = 4_096
const checkedShare = 0.1

function sendNow(
  { raw, isHead, shared }: UwsResponse,
  status: number,
  head: string,
  body: Body,
  isLastWanted: boolean,
) {
  const isLast = isLastWanted || shared.isDraining
  writeHead(raw, status, head)
  if (body === null || isHead) sendWithoutBody(raw, body, isLast)
  else if (isLast || (body.length < alwaysCheckedBytes && Math.random() > checkedShare)) {
    raw.end(body, isLast)
  } else sendBody(raw, body, shared.unsent)
}

/**
 * With a length as an argument the package waits for bytes that do not come; and it closes behind an
 * argument only. The client closes where it is told to.
 */
function sendWithoutBody(raw: HttpResponse, body: Body, isLast: boolean) {
  if (isLast) raw.writeHeader('Connection', 'close')
  if (body !== null) raw.writeHeader('Content-Length', String(Buffer.byteLength(body)))
  raw.endWithoutBody()
}

/**
 * Each call into the package costs as much as copying a page of rows: status and headers go in one, as
 * it writes what it is given for a status as it is.
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
  // One write, and with it one system call.
  this.raw.cork(() => {
    isTaken = this.raw.write(bytes)
  })
  return isTaken
}

/**
 * The end of an answer in pieces. Told to close the connection too, the package writes that header behind
 * the pieces, which no client can read: so the connection stays until the listener closes.
 */
function end(this: UwsResponse) {
  // What a socket holds back is given up by the package itself some seconds later.
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

/** The package's request is one of ours but for a header that comes twice, of which it gives the first. */
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

interface Opened<Kept> {
  readonly kept: Kept
  socket: UwsSocket | null
}

function websockets<Kept>(
  handlers: Served<Kept>['websockets'],
  shared: Shared,
  compression: number,
): WebSocketBehavior<Opened<Kept>> {
  return {
    compression,
    maxPayloadLength: handlers.mostMessageBytes,
    idleTimeout: 120,
    sendPingsAutomatically: true,
    // No limit here: the sender stops as soon as a write says that the socket is full.
    maxBackpressure: 0,
    upgrade(raw, request, context) {
      const upgrade = handlers.upgrade(createResponse(raw, false, shared), withAllHeaders(request))
      if (upgrade === null) return
      raw.upgrade<Opened<Kept>>(
        { kept: upgrade.kept, socket: null },
        request.getHeader('sec-websocket-key'),
        upgrade.subprotocol,
        request.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    open(raw) {
      const opened = raw.getUserData()
      opened.socket = { raw, isOpen: true, send: sendMessages, end: endSocket }
      handlers.open(opened.socket, opened.kept)
    },
    message(raw, message, isBinary) {
      const text = isBinary ? null : Buffer.from(message).toString('utf8')
      handlers.message(raw.getUserData().kept, text)
    },
    drain(raw) {
      if (raw.getBufferedAmount() === 0) handlers.drained(raw.getUserData().kept)
    },
    close(raw) {
      const { kept, socket } = raw.getUserData()
      if (socket) socket.isOpen = false
      shared.connections.closed()
      handlers.closed(kept)
    },
  }
}

/** Sockets are many and quiet: their functions are shared. */
interface UwsSocket extends Socket {
  readonly raw: WebSocket<unknown>
  /** The package may not be asked anything of a socket that has closed. */
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
