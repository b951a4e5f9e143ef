/** The listener on uWebSockets.js. */

import uws from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
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

/** Without it, a second process on the same port would silently share its connections. */
const exclusivePort = 1

const methodNames = {
  get: 'get',
  head: 'head',
  post: 'post',
  patch: 'patch',
  delete: 'del',
} as const

export const openUwebsockets: OpenListener = async (address, served) => {
  const app = uws.App()
  for (const { method, path, handle } of served.paths) {
    app[methodNames[method]](path, handled(handle, method === 'head'))
  }
  for (const path of served.websocketPaths) app.ws(path, websockets(served.websockets))
  const others = handled(served.otherwise, false)
  const headOfOthers = handled(served.otherwise, true)
  app.head('/*', headOfOthers)
  app.any('/*', others)
  return listen(app, address)
}

async function listen(
  app: uws.TemplatedApp,
  { host, port }: Parameters<OpenListener>[0],
): Promise<Listener | null> {
  // The package takes options after the host too, but its types do not say so.
  const listenOn = app.listen.bind(app) as unknown as (
    host: string,
    port: number,
    options: number,
    opened: (socket: uws.us_listen_socket | false) => void,
  ) => void
  const socket = await new Promise<uws.us_listen_socket | false>((resolve) => {
    listenOn(host, port, exclusivePort, resolve)
  })
  if (!socket) return null
  return {
    port: uws.us_socket_local_port(socket),
    refuseConnections: () => uws.us_listen_socket_close(socket),
    close: () => app.close(),
  }
}

// ---- requests and answers

/** An answer on its way. Its functions are shared: a closure each would cost every request some percent. */
interface UwsResponse extends Response {
  readonly raw: uws.HttpResponse
  /** The handler has not returned: the package gathers what is written until it has. */
  isInHandler: boolean
}

function handled(handle: Handler, isHead: boolean) {
  return (raw: uws.HttpResponse, request: uws.HttpRequest) => {
    const response = createResponse(raw, isHead)
    handle(response, withAllHeaders(request))
    response.isInHandler = false
  }
}

/** The package's request is one of ours but for a header that comes twice, of which it gives the first. */
function withAllHeaders(request: uws.HttpRequest): Request {
  const own = request as uws.HttpRequest & Request
  own.getHeaders = getHeaders
  return own
}

function getHeaders(this: uws.HttpRequest, name: string): string {
  const values: string[] = []
  this.forEach((key, value) => {
    if (key === name) values.push(value)
  })
  return values.join()
}

const createResponse = (raw: uws.HttpResponse, isHead: boolean): UwsResponse => ({
  raw,
  isHead,
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

function send(
  this: UwsResponse,
  status: number,
  head: string,
  body: string | Uint8Array | null,
  isLast: boolean,
) {
  if (this.isInHandler) sendNow(this, status, head, body, isLast)
  else sendLater(this, status, head, body, isLast)
}

/** By itself, because a closure costs its function something even where it is not made. */
function sendLater(
  response: UwsResponse,
  status: number,
  head: string,
  body: string | Uint8Array | null,
  isLast: boolean,
) {
  response.raw.cork(() => sendNow(response, status, head, body, isLast))
}

function sendNow(
  { raw, isHead }: UwsResponse,
  status: number,
  head: string,
  body: string | Uint8Array | null,
  isLast: boolean,
) {
  writeHead(raw, status, head)
  if (body !== null && !isHead) {
    raw.end(body, isLast)
    return
  }
  // With a length as an argument, even an undefined one, the package waits for bytes that do not come;
  // and it closes behind an argument only. The client closes where it is told to.
  if (isLast) raw.writeHeader('Connection', 'close')
  if (body !== null) raw.writeHeader('Content-Length', String(byteLength(body)))
  raw.endWithoutBody()
}

const byteLength = (body: string | Uint8Array) =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength

/**
 * Each call into the package costs as much as copying a page of rows: status and headers go in one, as
 * it writes what it is given for a status as it is.
 */
function writeHead(raw: uws.HttpResponse, status: number, head: string) {
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
  return Buffer.from(this.raw.getRemoteAddressAsText()).toString('latin1')
}

// ---- WebSockets

function websockets<Kept>(
  handlers: Served<Kept>['websockets'],
): uws.WebSocketBehavior<{ readonly kept: Kept; socket: UwsSocket | null }> {
  return {
    // One compressor for all: sockets that keep one each cost 256 KB each.
    compression: handlers.isCompressing ? uws.SHARED_COMPRESSOR : uws.DISABLED,
    maxPayloadLength: handlers.mostMessageBytes,
    idleTimeout: 120,
    sendPingsAutomatically: true,
    // No limit here: the sender stops as soon as a write says that the socket is full.
    maxBackpressure: 0,
    upgrade(raw, request, context) {
      const upgrade = handlers.upgrade(createResponse(raw, false), withAllHeaders(request))
      if (upgrade === null) return
      raw.upgrade(
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
      handlers.closed(kept)
    },
  }
}

/** Sockets are many and quiet: their functions are shared. */
interface UwsSocket extends Socket {
  readonly raw: uws.WebSocket<unknown>
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
