/** Stream readers for tests, with every block and frame as received. */

import { get } from 'node:http'
import { WebSocket } from 'ws'
import {
  createEventStreamParser,
  type EventBlock,
} from '../../api/clients/typescript/src/stream/event-stream.ts'
import { patienceMs } from '../patience.ts'

/** The longest wait of a test (ms). Less than a test's timeout, so that the failure names the cause. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
type Body = any

export interface Block extends EventBlock {
  readonly body: Body
}

export interface Events {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body of a refusal. */
  readonly refusal: Body
  readonly blocks: readonly Block[]
  /** Returns all bytes so far, as text. */
  text(): string
  /** Waits for the first block of a name. @param from index to start at */
  next(name: string, from?: number): Promise<Block>
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>
  close(): void
}

/** Opens a stream of Server-Sent Events. Resolves with the response's head. */
export function openEvents(url: string, headers: Record<string, string> = {}): Promise<Events> {
  const waiting = createWaiting()
  const blocks: Block[] = []
  let text = ''
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, async (response) => {
      const status = response.statusCode ?? 0
      const parse = createEventStreamParser({
        block(block) {
          blocks.push({ ...block, body: JSON.parse(block.data) })
          waiting.wake()
        },
      })
      const ended = new Promise<void>((end) => {
        response.on('close', end)
      })
      const isStream = status === 200
      response.on('error', () => {})
      response.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1')
        if (isStream) parse(bytes)
      })
      if (!isStream) await ended
      resolve({
        status,
        headers: response.headers,
        refusal: isStream ? undefined : JSON.parse(text).error,
        blocks,
        text: () => text,
        next: (name, from = 0) =>
          waiting.until(
            () => blocks.slice(from).find(({ event }) => event === name),
            () => `${name} among ${blocks.map(({ event }) => event).join()}`,
          ),
        get ended() {
          return within(ended, () => 'the end of the stream')
        },
        close: () => request.destroy(),
      })
    })
    request.on('error', reject)
  })
}

export interface Frames {
  /** The subprotocol chosen. */
  readonly protocol: string
  readonly frames: readonly Body[]
  /** Waits for the first frame of a type. @param from index to start at */
  next(type: string, from?: number): Promise<Body>
  /** Resolves when the service has closed the socket. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  /** Sends a frame; text and bytes as they are. */
  send(frame: object | string | Buffer): void
  close(): void
}

export interface SocketOptions {
  readonly headers?: Record<string, string>
  readonly protocols?: string[]
}

/** Opens a WebSocket. Resolves once it is open, rejects when it is refused. */
export function openFrames(url: string, options: SocketOptions = {}): Promise<Frames> {
  const { headers = {}, protocols = [] } = options
  const waiting = createWaiting()
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, { headers })
  const frames: Body[] = []
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    waiting.wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () =>
      resolve({
        protocol: socket.protocol,
        frames,
        next: (type, from = 0) =>
          waiting.until(
            () => frames.slice(from).find((frame) => frame.type === type),
            () => `${type} among ${frames.map((frame) => frame.type).join()}`,
          ),
        get closed() {
          return within(closed, () => `a close after ${JSON.stringify(frames.at(-1))}`)
        },
        send: (frame) =>
          socket.send(
            typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame),
          ),
        close: () => socket.terminate(),
      }),
    )
  })
}

/** Waits until the condition holds. @throws Error if it never does */
export async function eventually(what: string, isSo: () => boolean | Promise<boolean>) {
  const deadline = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Resolves waiting tests when messages come. */
function createWaiting() {
  const waiting = new Set<() => void>()
  return {
    wake() {
      for (const look of waiting) look()
    },
    until<T>(find: () => T | undefined, name: () => string): Promise<T> {
      let look = () => {}
      const found = new Promise<T>((resolve) => {
        look = () => {
          const value = find()
          if (value !== undefined) resolve(value)
        }
      })
      waiting.add(look)
      look()
      return within(found, name).finally(() => waiting.delete(look))
    },
  }
}

function within<T>(promise: Promise<T>, name: () => string): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`never came: ${name()}`)), patienceMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
