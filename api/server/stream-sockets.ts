/**
 * Connects streams with the listener's sockets: admission, sending, full sockets, ends. `stream/` owns their content.
 */

import { createQueryReader } from '../../schemas/http/query.ts'
import { type SseChannel, sseChannelNames } from '../../schemas/stream/channels.ts'
import { sseQueryAt } from '../../schemas/stream/parameters.ts'
import { usageFamily } from '../../schemas/usage.ts'
import { isSandboxKey, type RefusedSandboxKey } from '../access/keys.ts'
import { createAddressLimiter } from '../access/limits.ts'
import { keylessUpgradesPerMinute } from '../access/tiers.ts'
import { type Accepted, acceptedCoding } from '../answer/codings.ts'
import { readQuery } from '../ask/read-query.ts'
import type { Answer } from '../route.ts'
import type { Connection } from '../stream/delivery/channel.ts'
import { type CompressionTime, createCompressionTime } from '../stream/framing/compression-time.ts'
import { allBytes, eachBytes } from '../stream/framing/frames.ts'
import { createGzipStreams } from '../stream/framing/gzip-stream.ts'
import { sseComment } from '../stream/framing/sse-framing.ts'
import type { SseSession, Started } from '../stream/sessions/sse-session.ts'
import type { WebsocketSession } from '../stream/sessions/websocket-session.ts'
import type { Admit } from '../stream/sessions/websocket-state.ts'
import type { Streams } from '../stream/streams.ts'
import type { Admission } from './admission.ts'
import { firstLine, furtherHeaders, headersOfOne, type Send, type SentHeaders } from './answer.ts'
import type { ClientOf } from './client.ts'
import type { CorsPolicy } from './cors.ts'
import type { Front } from './front.ts'
import {
  type Handler,
  leastCompressedMessage,
  type Request,
  type Response,
  type Socket,
  type Websockets,
} from './listener.ts'
import { keyParameters, parameterNames, pathOf } from './request.ts'
import type { SandboxDoor } from './sandbox-door.ts'

export const websocketPaths = ['/', '/ws', '/api/v1/ws']

/** Paths of SSE, with the channel of each. */
export const ssePaths: readonly { readonly path: string; readonly channel?: SseChannel }[] = [
  { path: '/api/v1/stream' },
  ...sseChannelNames.map((channel) => ({ path: `/api/v1/stream/${channel}`, channel })),
  { path: '/api/v1/stream/events/:eventId', channel: 'odds' },
]

const sseLines = [
  '',
  'Content-Type: text/event-stream; charset=utf-8',
  'Cache-Control: no-cache, no-transform',
  'X-Accel-Buffering: no',
].join('\r\n')
const sseGzipLines = `${sseLines}\r\nContent-Encoding: gzip`
const sseBlank = Buffer.from(sseComment)

/**
 * Longest frame of a client. A longer one ends the connection. The session refuses shorter frames
 * that are still too long.
 */
const mostFrameBytes = 128 * 1024

/** The state of a WebSocket. */
export interface Upgraded {
  readonly key: string
  readonly query: string
  readonly address: string
  /** The value that replaces a sandbox key in its messages; null if such keys work here. */
  readonly refusedKey: RefusedSandboxKey | null
  /** Whether its messages may be compressed. */
  readonly isCompressing: boolean
  session: WebsocketSession | null
}

export interface StreamSocketOptions {
  readonly streams: Streams
  readonly admission: Admission
  readonly cors: CorsPolicy
  readonly clientOf: ClientOf
  readonly door: SandboxDoor
  readonly clock: () => number
  /** Whether to compress for clients that accept it. */
  readonly isCompressing: boolean
  readonly failure: (error: unknown, headers: SentHeaders) => Answer
  readonly send: Send
  readonly begun: Front['begun']
}

/** Python's `requests` always accepts gzip, but `sseclient` on top of it reads the raw bytes. */
const readsRaw = (request: Request) =>
  request.getHeader('user-agent').startsWith('python-requests/')

export interface StreamSockets {
  /** Creates the handler of `GET` on one of `ssePaths`. */
  sse(path: string, channel: SseChannel | undefined): Handler
  readonly websockets: Websockets<Upgraded>
}

/** Family of opened streams for usage. */
const family = usageFamily('Streams')

export function createStreamSockets(options: StreamSocketOptions): StreamSockets {
  const { streams, admission, cors, clientOf, door, clock, isCompressing } = options
  const { begun, failure, send } = options
  const compressionTime = createCompressionTime(() => performance.now())
  const gzip = createGzipStreams(compressionTime)
  const keyless = createAddressLimiter(keylessUpgradesPerMinute)

  const isZipped = (accepted: Accepted | undefined) =>
    accepted?.takesGzip === true && (accepted.isPlainRefused || compressionTime.isLeft())

  function sse(path: string, channel: SseChannel | undefined): Handler {
    const shape = sseQueryAt(path)
    const read = createQueryReader(shape, keyParameters)
    const names = parameterNames(path)
    return (response, request) => {
      const headers = headersOfOne(cors.lines(request), family)
      if (isCompressing && !readsRaw(request)) {
        headers.accepted = acceptedCoding(request.getHeader('accept-encoding'))
      }
      let session: SseSession
      try {
        const raw = request.getQuery() ?? ''
        const key = door.keyOf(request, raw)
        const from = clientOf(response, request)
        const { eventId } = pathOf(names, request)
        session = streams.sse({
          admit: (isCounted) => admission.key(key, clock(), headers, family, from, isCounted),
          key,
          query: () => readQuery(read, shape, raw),
          path: { ...(channel && { channel }), ...(eventId !== undefined && { event: eventId }) },
          lastEventId: request.getHeader('last-event-id'),
        })
      } catch (error) {
        send(response, failure(error, headers), headers)
        return
      }
      let isOpen = true
      response.onAborted(() => {
        isOpen = false
        session.end()
      })
      begun(headers)
      const zipped = isZipped(headers.accepted) ? gzip.open() : null
      const lines = zipped ? sseGzipLines : sseLines
      response.begin(200, firstLine + headers.requestId + furtherHeaders(headers, 200) + lines)
      if (zipped) response.write(gzip.head)
      const write = (bytes: Uint8Array) =>
        response.write(zipped ? gzip.bytes(zipped, bytes) : bytes)
      let client: Started | undefined
      client = session.start({
        // One write, so one system call, for a whole tick.
        send: (frames) => response.write(zipped ? gzip.frames(zipped, frames) : allBytes(frames)),
        hold: () => flush(),
        close() {
          if (!isOpen) return
          isOpen = false
          session.end()
          if (zipped) response.write(gzip.end(zipped))
          response.end()
        },
      })
      // Held bytes may be sent only with the next write. The empty comment is such a write, and its result shows
      // whether bytes are still held.
      function flush() {
        if (!isOpen) return
        if (write(sseBlank) && isOpen) client?.drained()
      }
      // A stopping service has already ended it.
      if (!isOpen) return
      response.onWritable(flush)
    }
  }

  /** Refuses an upgrade without a key if its address has made too many. */
  function isAdmitted(response: Response, request: Request): boolean {
    const headers = headersOfOne(cors.lines(request))
    try {
      admission.address(keyless, clientOf(response, request), clock(), headers)
      return true
    } catch (error) {
      send(response, failure(error, headers), headers)
      return false
    }
  }

  const websockets: Websockets<Upgraded> = {
    mostMessageBytes: mostFrameBytes,
    isCompressing,
    upgrade(response, request) {
      const query = request.getQuery() ?? ''
      const key = door.keyOf(request, query)
      // A session with a key has that key's limits. One without a key may wait some seconds for it.
      if (key === '' && !isAdmitted(response, request)) return null
      const offered = request.getHeader('sec-websocket-protocol')
      const extensions = request.getHeader('sec-websocket-extensions')
      const state = {
        key,
        query,
        address: clientOf(response, request).getRemoteAddress(),
        refusedKey: door.refusedKey(request),
        isCompressing: isCompressing && extensions.includes('permessage-deflate'),
        session: null,
      }
      return { state, subprotocol: subprotocol(offered) }
    },
    open(socket, upgraded) {
      const { key, query, address } = upgraded
      const admit: Admit = (value, isCounted) => {
        const key = (isSandboxKey(value) && upgraded.refusedKey) || value
        const from = { getRemoteAddress: () => address }
        return admission.key(key, clock(), headersOfOne('', family), family, from, isCounted)
      }
      const connection = upgraded.isCompressing
        ? compressedConnection(socket, compressionTime)
        : plainConnection(socket)
      upgraded.session = streams.websocket(admit, connection, key, query)
    },
    message({ session }, text) {
      session?.receive(text)
    },
    drained({ session }) {
      session?.drained()
    },
    closed({ session }) {
      session?.end()
    },
  }

  return { sse, websockets }
}

const plainConnection = (socket: Socket): Connection => ({
  send: (frames) => socket.send(eachBytes(frames), false),
  hold() {},
  close: (code, reason) => socket.end(code, reason),
})

/** Returns a connection whose messages are compressed separately, and sent plain without compression time left. */
const compressedConnection = (socket: Socket, time: CompressionTime): Connection => ({
  ...plainConnection(socket),
  send(frames) {
    const isWorthIt = frames.page.length >= leastCompressedMessage
    if (!isWorthIt || !time.isLeft()) return socket.send(eachBytes(frames), false)
    return time.spend(() => socket.send(eachBytes(frames), true))
  },
})

/** Returns the first offered one that ends in `-v1`, else the first; empty for none. */
function subprotocol(offered: string): string {
  const names = offered.split(',').map((name) => name.trim())
  return names.find((name) => name.endsWith('-v1')) ?? names[0] ?? ''
}
