/** Types of the used part of uWebSockets.js. The package is optional, and its own types are incomplete. */

export type Text = string | ArrayBuffer | Uint8Array

export interface HttpRequest {
  getMethod(): string
  getUrl(): string
  getQuery(): string | undefined
  getHeader(name: string): string
  getParameter(index: number): string | undefined
  forEach(each: (name: string, value: string) => void): void
}

/** The package's response. It throws on use after it has been sent or aborted. */
export interface HttpResponse {
  writeStatus(status: string): HttpResponse
  writeHeader(name: string, value: string): HttpResponse
  write(chunk: Text): boolean
  end(body?: Text, closeConnection?: boolean): HttpResponse
  endWithoutBody(): HttpResponse
  tryEnd(body: Text, totalBytes: number): [isTaken: boolean, isDone: boolean]
  getWriteOffset(): number
  pause(): void
  resume(): void
  close(): HttpResponse
  cork(write: () => void): HttpResponse
  onWritable(handler: (offset: number) => boolean): HttpResponse
  onAborted(handler: () => void): HttpResponse
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): HttpResponse
  getRemoteAddressAsText(): ArrayBuffer
  upgrade<Data>(
    data: Data,
    key: string,
    protocol: string,
    extensions: string,
    context: object,
  ): void
}

export interface WebSocket<Data> {
  getUserData(): Data
  /** @returns 1 if everything was sent */
  send(message: Uint8Array, isBinary: boolean, compress: boolean): number
  cork(write: () => void): void
  getBufferedAmount(): number
  /** Calls the behaviour's `close` during the call. */
  end(code: number, reason: string): void
}

export interface WebSocketBehavior<Data> {
  readonly compression: number
  readonly maxPayloadLength: number
  /** Seconds. */
  readonly idleTimeout: number
  readonly sendPingsAutomatically: boolean
  readonly maxBackpressure: number
  upgrade(response: HttpResponse, request: HttpRequest, context: object): void
  open(socket: WebSocket<Data>): void
  message(socket: WebSocket<Data>, message: ArrayBuffer, isBinary: boolean): void
  drain(socket: WebSocket<Data>): void
  close(socket: WebSocket<Data>): void
}

type Serve = (path: string, handler: (response: HttpResponse, request: HttpRequest) => void) => App

export interface App
  extends Readonly<Record<'get' | 'head' | 'post' | 'patch' | 'del' | 'any', Serve>> {
  ws<Data>(path: string, behaviour: WebSocketBehavior<Data>): App
  listen(host: string, port: number, options: number, opened: (socket: object | false) => void): App
  /** @param changed called with 1 when a connection opens, with -1 when one closes */
  filter(changed: (response: HttpResponse, change: 1 | -1) => void): App
  close(): App
  /** Only in the newer build; the older one has ten seconds. @param seconds without a complete request */
  setIdleTimeout?(seconds: number): void
  /** Only in the newer build. @param seconds after a response */
  setResponseTimeout?(seconds: number): void
}

export interface Uws {
  App(): App
  readonly DISABLED: number
  readonly SHARED_COMPRESSOR: number
  us_listen_socket_close(socket: object): void
  us_socket_local_port(socket: object): number
  _cfg(setting: string): void
}
