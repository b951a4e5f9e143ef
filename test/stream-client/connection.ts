/** One connection to the streams, over either transport; what it brings looks alike. */

import { get, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { createEventStreamParser } from './event-stream.ts'

/** What the service says: a block of Server-Sent Events, or a frame of a WebSocket. */
export interface Message {
  /** The name of the event, the type of the frame; empty for an unnamed block. */
  readonly name: string
  /** Its number in the connection, from 1; null where it has none or no number that can be read. */
  readonly number: number | null
  /** An object or an array. */
  readonly body: unknown
}

/** Why a connection came to its end. */
export interface Ended {
  /** The HTTP status of a refusal, the close code of a socket, 0 for a loss. */
  readonly status: number
  readonly code: string
  readonly message: string
}

export interface ConnectionHandlers {
  message(message: Message): void
  /** What came is no message. */
  malformed(text: string): void
  /** The service says how long to wait before the next connection (ms). */
  retry(ms: number): void
  /** Called once. */
  ended(why: Ended): void
}

export interface Connection {
  /** Sends a frame; only a WebSocket can. */
  send(frame: object): void
  /** Reads no more until `resume`: what is sent waits on its way. */
  pause(): void
  resume(): void
  /** Ends it at once, as a network does that fails; `ended` follows. */
  drop(): void
}

export type Transport = 'sse' | 'websocket'

/** @param base of the service, such as `http://localhost:3000/api/v1` */
export function connect(
  transport: Transport,
  base: string,
  key: string,
  parameters: URLSearchParams,
  handlers: ConnectionHandlers,
): Connection {
  return transport === 'sse'
    ? connectSse(`${base}/stream?${parameters}`, key, handlers)
    : connectSocket(`${base.replace(/^http/, 'ws')}/ws?${parameters}`, key, handlers)
}

const lost: Ended = { status: 0, code: 'connection_lost', message: 'The connection was lost.' }

function connectSse(url: string, key: string, handlers: ConnectionHandlers): Connection {
  let isEnded = false
  let isPaused = false
  let response: IncomingMessage | undefined
  const end = (why: Ended) => {
    if (isEnded) return
    isEnded = true
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
  const headers = { 'X-API-Key': key, Accept: 'text/event-stream' }
  const request = get(url, { headers, agent: false }, (opened) => {
    response = opened
    if (opened.statusCode !== 200) {
      readRefusal(opened).then(end, () => end(lost))
      return
    }
    if (isPaused) opened.pause()
    opened.on('data', parse)
    opened.on('error', () => end(lost))
    opened.on('close', () => end(lost))
  })
  request.on('error', () => end(lost))
  return {
    send() {
      throw new Error('Server-Sent Events go one way')
    },
    pause() {
      isPaused = true
      response?.pause()
    },
    resume() {
      isPaused = false
      response?.resume()
    },
    drop() {
      request.destroy()
      end(lost)
    },
  }
}

async function readRefusal(response: IncomingMessage): Promise<Ended> {
  let text = ''
  for await (const bytes of response.setEncoding('utf8')) text += bytes
  const { error } = (parsedObject(text) ?? {}) as { error?: { code?: string; message?: string } }
  const status = response.statusCode ?? 0
  return { status, code: error?.code ?? 'internal_error', message: error?.message ?? text }
}

function connectSocket(url: string, key: string, handlers: ConnectionHandlers): Connection {
  const socket = new WebSocket(url, { headers: { 'X-API-Key': key }, perMessageDeflate: false })
  let isEnded = false
  let isPaused = false
  let error = { code: '', message: '' }
  socket.on('open', () => {
    if (isPaused) socket.pause()
  })
  socket.on('message', (data) => {
    if (isEnded) return
    const text = String(data)
    const body = parsedObject(text)
    if (!body || typeof body.type !== 'string') return handlers.malformed(text)
    const { type: name, seq } = body
    if (name === 'error') error = { code: String(body.code), message: String(body.message) }
    handlers.message({ name, number: Number.isInteger(seq) ? Number(seq) : null, body })
  })
  socket.on('error', () => {})
  socket.on('close', (status) => {
    if (isEnded) return
    isEnded = true
    handlers.ended(status === 1006 ? lost : { status, ...error })
  })
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    pause() {
      isPaused = true
      if (socket.readyState === WebSocket.OPEN) socket.pause()
    },
    resume() {
      isPaused = false
      if (socket.isPaused) socket.resume()
    },
    drop() {
      socket.terminate()
      if (isEnded) return
      isEnded = true
      handlers.ended(lost)
    },
  }
}

/** @returns undefined for what is not the JSON of an object or array */
function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isMessage = typeof value === 'object' && value !== null
    return isMessage ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
