/**
 * The port of an HTTP server: the least that routes, Server-Sent Events and WebSockets need. A listener routes
 * requests, frames responses, and reports whether a socket takes bytes; `server.ts` provides the handlers. Each
 * listener is a file of `listeners/`, which no other file knows. `test/listeners` is their contract.
 */

import type { ConnectionCap } from './connection-cap.ts'
import type { Unsent } from './unsent.ts'

/** A request. It is valid only during the call of its handler. */
export interface Request {
  /** Returns the method in lower case. */
  getMethod(): string
  /** Returns the path as sent, without the query. */
  getUrl(): string
  /** Returns the query string, without the question mark. */
  getQuery(): string | undefined
  /** Returns the names of all headers, in lower case. */
  headerNames(): string[]
  /** @param name in lower case @returns empty for an absent header */
  getHeader(name: string): string
  /** Returns all values of a repeated header in order, joined by commas. */
  getHeaders(name: string): string
  /** Returns the path's part for the route's nth `:name`, as sent. */
  getParameter(index: number): string | undefined
}

/**
 * The response to one request: call `send`, or `begin`, any number of `write`, then `end`. A handler that returns
 * before it has sent must have set `onAborted`.
 */
export interface Response {
  /** Whether the request is a HEAD: `send` then states the body's length but leaves the body out. */
  readonly isHead: boolean
  /** Whether the client sends the body only when `onData` requests it (`Expect: 100-continue`). */
  readonly isBodyWaiting: boolean
  /**
   * Sends the whole response. Until the socket has taken it, no further request of the connection is handled. A
   * client that takes nothing for a while is cut off.
   * @param head header lines, joined by CRLF; the listener adds Date and the body's length
   * @param body null for a response without body and length
   * @param isLast close the connection afterwards
   * @param account the account that it is for, see `Unsent`; undefined for none
   * @param isLasting whether the bytes never change; by default they are valid only during the call
   */
  send(
    status: number,
    head: string,
    body: string | Uint8Array | null,
    isLast: boolean,
    account?: string,
    isLasting?: boolean,
  ): void
  /** Sends status and headers of a response of unknown length. */
  begin(status: number, head: string): void
  /**
   * Sends a piece. The bytes are valid only during the call.
   * @returns false if some bytes are held back: send nothing more until `onWritable`
   */
  write(bytes: Uint8Array): boolean
  end(): void
  /** Cuts the connection, even in the middle of a response. */
  close(): void
  /** Called when the socket takes bytes again. Held bytes may go out only with the next write. */
  onWritable(handler: () => void): void
  /** Called once if the connection is lost before the response was sent. Do not use the response afterwards. */
  onAborted(handler: () => void): void
  /** Reads the request's body piece by piece. The bytes are valid only during the call. */
  onData(handler: (chunk: Uint8Array, isLast: boolean) => void): void
  getRemoteAddress(): string
}

export type Handler = (response: Response, request: Request) => void

/** Shorter messages fit into one packet uncompressed. */
export const leastCompressedMessage = 1_024

/** An open WebSocket. */
export interface Socket {
  /**
   * Sends text messages. The bytes are valid only during the call.
   * @param isCompressed compress messages of at least `leastCompressedMessage` bytes, if negotiated
   * @returns false if some bytes are held back: send nothing more until `drained`
   */
  send(messages: readonly Uint8Array[], isCompressed: boolean): boolean
  /** Closes it with a code. `closed` is called, possibly during the call. */
  end(code: number, reason: string): void
}

/** The handlers of WebSockets. @typeParam Kept the state of each socket */
export interface Websockets<State> {
  /** Longest message of a client, uncompressed. A longer one ends the connection. */
  readonly mostMessageBytes: number
  /** Whether to accept permessage-deflate. */
  readonly isCompressing: boolean
  /** @returns the socket's state; null if it has sent a response instead */
  upgrade(response: Response, request: Request): Upgrade<State> | null
  open(socket: Socket, state: State): void
  /** @param text null for a binary message */
  message(state: State, text: string | null): void
  /** Called when all held bytes have been sent. */
  drained(state: State): void
  /** Called once when the socket has closed, by either side. */
  closed(state: State): void
}

export interface Upgrade<State> {
  readonly state: State
  /** One of the offered subprotocols; empty for none. */
  readonly subprotocol: string
}

export interface ServedPath {
  readonly method: 'get' | 'head' | 'post' | 'patch' | 'delete'
  /** Path. `:name` stands for any non-empty part. Paths without it take precedence. */
  readonly path: string
  readonly handle: Handler
}

/** Everything that a listener serves. */
export interface Served<State> {
  readonly paths: readonly ServedPath[]
  /** Paths of upgrades. Other requests for them go to `paths`. */
  readonly websocketPaths: readonly string[]
  readonly websockets: Websockets<State>
  /** Handles requests that match no path. */
  readonly otherwise: Handler
  /** Responds to a request whose end is ambiguous, and closes the connection. */
  readonly misframed: (response: Response) => void
  /** Header lines, each after a line break, for a listener's own response to an unreadable request. */
  readonly unread: string
}

export interface Listener {
  readonly port: number
  /** Closes each connection after its next response. Still accepts new ones. */
  retire(): void
  /**
   * Accepts no more connections, and closes each after its next response.
   * @returns resolves when none is open
   */
  drain(): Promise<void>
  /** Closes all connections. */
  close(): void
}

/**
 * Listens on an address.
 * @param unsent holds responses that sockets have not taken
 * @param cap decides about each new connection
 * @returns null if it cannot listen on the address
 */
export type OpenListener = <State>(
  address: { readonly host: string; readonly port: number },
  served: Served<State>,
  unsent: Unsent,
  cap: ConnectionCap,
) => Promise<Listener | null>
