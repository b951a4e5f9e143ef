/** One connection to the streams. Messages look the same over both transports. */

import { lostBy, lostConnection, refusalOf } from '../errors.ts'
import { createEventStreamParser } from './event-stream.ts'

/** A Server-Sent Event, or a WebSocket frame in the form of one. */
export interface Message {
  /** Name of the event; empty for an unnamed block. */
  readonly name: string
  /** Its number in the connection, from 1; null without a valid number. */
  readonly number: number | null
  /** An object or an array. */
  readonly body: unknown
}

/** The reason why a connection ended. */
export interface Ended {
  /** The HTTP status of a refusal, the close code of a WebSocket, or 0 for a lost connection. */
  readonly status: number
  readonly code: string
  readonly message: string
  /** The wait before the next connection (ms); null if the service states none. */
  readonly retryAfterMs: number | null
}

export interface ConnectionHandlers {
  message(message: Message): void
  /** Called with text that is not a message. */
  malformed(text: string): void
  /** Called when the service sets the wait before the next connection (ms). */
  retry(ms: number): void
  /** Called after bytes of any kind have been read. */
  heard(): void
  /** Called once. */
  ended(why: Ended): void
}

export interface Connection {
  /** Sends a frame; absent for Server-Sent Events, which go one way. */
  send?(frame: object): void
  /** Whether `pause` stops the messages. The platform's WebSockets have no means to. */
  readonly canPause: boolean
  /** Stops reading until `resume`; data waits in the network. */
  pause(): void
  resume(): void
  /** Ends it at once, like a network failure. `ended` is not called. */
  drop(): void
}

export type Transport = 'sse' | 'websocket'

/** The parts of a WebSocket that are used; the package `ws` also has `pause` and `resume`. */
export interface SocketLike {
  readonly readyState: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(): void
  terminate?(): void
  pause?(): void
  resume?(): void
}

/** The means to open connections. */
export interface Network {
  readonly fetch: typeof fetch
  /** Opens a socket that sends the key, in a header or in the first frame. */
  readonly openSocket: (url: string, key: string) => SocketLike
  /** Whether `openSocket` works; default true. */
  readonly hasSockets?: boolean
}

/** @param base address of the service, such as `http://127.0.0.1:3000/api/v1` */
export function connect(
  transport: Transport,
  base: string,
  key: string,
  parameters: URLSearchParams,
  network: Network,
  handlers: ConnectionHandlers,
): Connection {
  return transport === 'sse'
    ? connectSse(`${base}/stream?${parameters}`, key, network, handlers)
    : connectSocket(`${base.replace(/^http/, 'ws')}/ws?${parameters}`, key, network, handlers)
}

const lost: Ended = lostConnection
const longestProbeMs = 5_000

/** Sends a short request. @returns why the service does not respond to it; null if it does */
export const probe = (base: string, { fetch }: Network): Promise<Ended | null> =>
  fetch(`${base}/livez`, { redirect: 'manual', signal: AbortSignal.timeout(longestProbeMs) })
    .then(async (response) => {
      if (!response.ok) return refusalOf(response)
      await response.body?.cancel()
      return null
    })
    .catch(lostBy)

function connectSse(
  url: string,
  key: string,
  { fetch }: Network,
  handlers: ConnectionHandlers,
): Connection {
  const stop = new AbortController()
  let isEnded = false
  let resumed: Promise<void> | null = null
  let wake = () => {}

  const end = (why: Ended) => {
    if (isEnded) return
    isEnded = true
    stop.abort()
    wake()
    handlers.ended(why)
  }
  const parse = createEventStreamParser({
    block({ event, id, data }) {
      if (isEnded) return
      const body = parsedObject(data)
      const number = /^evt_(\d{5,})$/.exec(id ?? '')?.[1]
      if (!body) handlers.malformed(data)
      else handlers.message({ name: event, number: number ? Number(number) : null, body })
    },
    retry: (ms) => handlers.retry(ms),
  })

  async function read() {
    const response = await fetch(url, {
      headers: { 'X-API-Key': key, Accept: 'text/event-stream' },
      redirect: 'manual',
      signal: stop.signal,
    })
    if (!response.ok || !response.body) return end(await refusalOf(response))
    const reader = response.body.getReader()
    // An abort alone leaves the connection of a compressed body open until more data arrives.
    stop.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
    for (;;) {
      await resumed
      const { done, value } = await reader.read()
      if (done) return end(lost)
      parse(value)
      handlers.heard()
    }
  }
  read().catch((cause) => end(lostBy(cause)))

  return {
    canPause: true,
    pause() {
      resumed ??= new Promise((resolve) => {
        wake = resolve
      })
    },
    resume() {
      resumed = null
      wake()
    },
    drop() {
      isEnded = true
      stop.abort()
      wake()
    },
  }
}

const open = 1
/** The close code of a stream above the key's limit. */
export const tooManyStreams = 4029
/** The wait that the service asks of event streams above the limit (ms). */
const slotRetryMs = 10_000

function connectSocket(
  url: string,
  key: string,
  { openSocket }: Network,
  handlers: ConnectionHandlers,
): Connection {
  const socket = openSocket(url, key)
  let isEnded = false
  let isPaused = false
  /** That of the last frame, if it was an error: the service says why before it closes. */
  let error: Pick<Ended, 'code' | 'message'> | undefined
  const onOpen = socket.onopen
  socket.onopen = (event) => {
    onOpen?.(event)
    if (isPaused) socket.pause?.()
  }
  socket.onmessage = ({ data }: { readonly data: unknown }) => {
    if (isEnded) return
    const text = String(data)
    const body = parsedObject(text)
    if (!body || typeof body.type !== 'string') return handlers.malformed(text)
    const { type: name, seq } = body
    error =
      name === 'error' ? { code: String(body.code), message: String(body.message) } : undefined
    const number = Number.isInteger(seq) ? Number(seq) : null
    handlers.message({ name: eventNames[name] ?? name, number, body: eventBody(name, body) })
  }
  let failed = lost
  socket.onerror = (event: { readonly message?: unknown }) => {
    // Browsers do not say why.
    if (event.message) failed = lostBy(event)
  }
  socket.onclose = ({
    code: status,
    reason,
  }: {
    readonly code: number
    readonly reason: string
  }) => {
    if (isEnded) return
    isEnded = true
    if (status === 1006) return handlers.ended(failed)
    const code = /^\w+$/.test(reason) ? reason : 'closed'
    const message = reason || `closed with ${status}`
    const retryAfterMs = status === tooManyStreams ? slotRetryMs : null
    handlers.ended({ status, ...(error ?? { code, message }), retryAfterMs })
  }
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    canPause: socket.pause !== undefined,
    pause() {
      isPaused = true
      if (socket.readyState === open) socket.pause?.()
    },
    resume() {
      isPaused = false
      if (socket.readyState === open) socket.resume?.()
    },
    drop() {
      isEnded = true
      if (socket.terminate) socket.terminate()
      else socket.close()
    },
  }
}

const eventNames: Readonly<Record<string, string>> = {
  initial: 'snapshot',
  opportunities_snapshot: 'snapshot',
}

/** Converts the body of a frame, with rows in `data`, to that of an event. */
function eventBody(type: string, { data, ...others }: Readonly<Record<string, unknown>>): unknown {
  if (data === undefined) return others
  return type === 'initial' || type.startsWith('odds:') ? { odds: data, ...others } : data
}

/** @returns undefined unless the text is JSON of an object or array */
function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isMessage = typeof value === 'object' && value !== null
    return isMessage ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
