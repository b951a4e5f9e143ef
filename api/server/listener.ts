/**
 * The port behind which an HTTP server attaches: what the routes, Server-Sent Events and WebSockets need
 * of one, and no more. A listener routes requests, frames answers, and says whether a socket takes bytes;
 * what is answered is `server.ts`'s. Each listener is a file of `listeners/`, and no other file knows which
 * one it is. `test/listeners` is the contract that all of them keep.
 */

import type { ConnectionCap } from './connection-cap.ts'
import type { Unsent } from './unsent.ts'

/** A request as it came in. It is valid inside the call of its handler alone. */
export interface Request {
  /** In lower case. */
  getMethod(): string
  /** The path as it was sent, without the query. */
  getUrl(): string
  /** What stands behind the question mark. */
  getQuery(): string | undefined
  /** Of the headers that were sent, in lower case. */
  headerNames(): string[]
  /** @returns an empty text for a header that was not sent. @param name in lower case */
  getHeader(name: string): string
  /** All values of a header that may come more than once, joined by commas in their order. */
  getHeaders(name: string): string
  /** The path's part at the place of the route's nth `:name`, as it was sent. */
  getParameter(index: number): string | undefined
}

/**
 * The answer to one request: `send` alone, or `begin`, then `write` any number of times, then `end`. A
 * handler that returns before it has sent must have set `onAborted`.
 */
export interface Response {
  /** The request is a HEAD: `send` says how long the body is, and leaves it out. */
  readonly isHead: boolean
  /** The client waits to be asked for the body (`Expect: 100-continue`), which `onData` does. */
  readonly isBodyWaiting: boolean
  /**
   * Sends the whole answer. While a socket has not taken it, no further request of its connection is taken
   * up; a client that takes nothing of it for a while is cut off. A body of bytes is valid inside the call
   * alone.
   * @param head lines of headers, joined by CRLF; the listener adds Date and the length of the body
   * @param body null for an answer that has none and says no length
   * @param isLast the connection closes behind it
   */
  send(status: number, head: string, body: string | Uint8Array | null, isLast: boolean): void
  /** Sends status and headers of an answer whose length is not known. */
  begin(status: number, head: string): void
  /**
   * Sends a piece. The bytes are valid inside the call alone.
   * @returns false when some of it is held back: nothing more until `onWritable`
   */
  write(bytes: Uint8Array): boolean
  end(): void
  /** Cuts the connection, wherever the answer is. */
  close(): void
  /** Called when the socket takes bytes again. What was held back may go out only with the next write. */
  onWritable(handler: () => void): void
  /** Called once, when the connection has gone before the answer was sent: it may not be used any more. */
  onAborted(handler: () => void): void
  /** Hands over the body of the request, piece by piece. The bytes are valid inside the call alone. */
  onData(handler: (chunk: Uint8Array, isLast: boolean) => void): void
  getRemoteAddress(): string
}

export type Handler = (response: Response, request: Request) => void

/** A shorter message fits into one packet as it is. */
export const leastCompressedMessage = 1_024

/** A WebSocket that is open. */
export interface Socket {
  /**
   * Sends each as a text message of its own. The bytes are valid inside the call alone.
   * @param isCompressed those of at least `leastCompressedMessage` bytes are compressed, where the two
   *   sides have agreed on it
   * @returns false when some of it is held back: nothing more until `drained`
   */
  send(messages: readonly Uint8Array[], isCompressed: boolean): boolean
  /** Closes it with a code. `closed` is called, maybe inside. */
  end(code: number, reason: string): void
}

/** What a WebSocket path does with its sockets. @typeParam Kept what it keeps of each */
export interface Websockets<Kept> {
  /** Longer messages of a client, also once they are unpacked, end the connection. */
  readonly mostMessageBytes: number
  /** Whether permessage-deflate is agreed to. */
  readonly isCompressing: boolean
  /** @returns what to keep of the socket; null for a request that it has answered instead */
  upgrade(response: Response, request: Request): Upgrade<Kept> | null
  open(socket: Socket, kept: Kept): void
  /** @param text null for a binary message */
  message(kept: Kept, text: string | null): void
  /** All that was held back has gone out. */
  drained(kept: Kept): void
  /** It has closed, whoever closed it. Called once. */
  closed(kept: Kept): void
}

export interface Upgrade<Kept> {
  readonly kept: Kept
  /** Of those that were offered; empty for none. */
  readonly subprotocol: string
}

export interface ServedPath {
  readonly method: 'get' | 'head' | 'post' | 'patch' | 'delete'
  /** With `:name` for a part that may be anything but empty. A path without comes before one with. */
  readonly path: string
  readonly handle: Handler
}

/** What is served. */
export interface Served<Kept> {
  readonly paths: readonly ServedPath[]
  /** Upgrades; what is no upgrade goes to `paths`. */
  readonly websocketPaths: readonly string[]
  readonly websockets: Websockets<Kept>
  /** Whatever the paths do not take. */
  readonly otherwise: Handler
  /** Answers a request whose end cannot be told for sure, and closes the connection. */
  readonly misframed: (response: Response) => void
  /** Lines of headers, each after a line break, of a listener's own answer to what is no request. */
  readonly unread: string
}

export interface Listener {
  readonly port: number
  /** Closes each connection behind its next answer, and goes on to take new ones. */
  retire(): void
  /**
   * Takes no more connections, and closes each that is open behind its next answer.
   * @returns resolves when none is open any more
   */
  drain(): Promise<void>
  /** Closes all connections. */
  close(): void
}

/**
 * The address and what is served on it.
 * @param unsent told of answers that a socket has not taken whole
 * @param cap asked about each connection that comes
 * @returns null when the address cannot be listened on
 */
export type OpenListener = <Kept>(
  address: { readonly host: string; readonly port: number },
  served: Served<Kept>,
  unsent: Unsent,
  cap: ConnectionCap,
) => Promise<Listener | null>
