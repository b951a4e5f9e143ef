/** Streams on their sockets: frames handed over, full sockets, ends. What they say is `stream/`'s. */

import uws from 'uWebSockets.js'
import { createQueryReader } from '../../schemas/http/query.ts'
import { type SseChannel, sseChannelNames } from '../../schemas/stream/channels.ts'
import { sseQuery } from '../../schemas/stream/parameters.ts'
import { usageFamily } from '../../schemas/usage.ts'
import { createAddressLimiter } from '../access/limits.ts'
import { keylessUpgradesPerMinute } from '../access/tiers.ts'
import { readQuery } from '../ask/read-query.ts'
import type { Answer } from '../routes/route.ts'
import type { Connection } from '../stream/channel.ts'
import type { Streams } from '../stream/streams.ts'
import { allBytes, eachBytes } from '../stream/transports/frames.ts'
import { sseComment } from '../stream/transports/sse.ts'
import type { SseSession, Started } from '../stream/transports/sse-session.ts'
import type { WebsocketSession } from '../stream/transports/websocket-session.ts'
import type { Admission } from './admission.ts'
import { furtherHeaders, nextRequestId, type SentHeaders, send } from './answer.ts'
import { keyParameters, parameterNames, pathOf, presentedKey } from './request.ts'

export const websocketPaths = ['/', '/ws', '/api/v1/ws']

/** Paths of SSE, and the channel that one stands for. */
export const ssePaths: readonly { readonly path: string; readonly channel?: SseChannel }[] = [
  { path: '/api/v1/stream' },
  ...sseChannelNames.map((channel) => ({ path: `/api/v1/stream/${channel}`, channel })),
  { path: '/api/v1/stream/events/:eventId', channel: 'odds' },
]

const sseHeaders = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-cache, no-transform'],
  ['X-Accel-Buffering', 'no'],
  ['Access-Control-Allow-Origin', '*'],
] as const

/** Longer frames of a client end the connection; shorter ones are refused by the session. */
const mostFrameBytes = 128 * 1024

/** What is kept of a WebSocket. */
export interface Upgraded {
  readonly key: string
  readonly query: string
  session: WebsocketSession | null
  /** The socket is not to be used any more. */
  ended?: () => void
}

export interface StreamSocketOptions {
  readonly streams: Streams
  readonly admission: Admission
  readonly clock: () => number
  readonly failure: (error: unknown, requestId: string) => Answer
}

export interface StreamSockets {
  /** Answers `GET` on one of `ssePaths`. */
  sse(
    path: string,
    channel: SseChannel | undefined,
  ): (response: uws.HttpResponse, request: uws.HttpRequest) => void
  readonly websocket: uws.WebSocketBehavior<Upgraded>
}

/** What a stream that is opened counts as. */
const family = usageFamily('Streams')

export function createStreamSockets(options: StreamSocketOptions): StreamSockets {
  const { streams, admission, clock, failure } = options
  const keyless = createAddressLimiter(keylessUpgradesPerMinute)
  const admit = (value: string) => admission.key(value, clock(), { requestId: '' }, family)

  function sse(path: string, channel: SseChannel | undefined) {
    const read = createQueryReader(sseQuery, keyParameters)
    const names = parameterNames(path)
    return (response: uws.HttpResponse, request: uws.HttpRequest) => {
      const headers: SentHeaders = { requestId: nextRequestId() }
      let session: SseSession
      try {
        const raw = request.getQuery() ?? ''
        const key = presentedKey(request, raw)
        const { eventId } = pathOf(names, request)
        session = streams.sse({
          admit: () => admission.key(key, clock(), headers, family),
          key,
          query: readQuery(read, sseQuery, raw),
          path: { ...(channel && { channel }), ...(eventId !== undefined && { event: eventId }) },
          lastEventId: request.getHeader('last-event-id'),
        })
      } catch (error) {
        // Pages of other origins may read streams, so they may read refusals too.
        const refusal = failure(error, headers.requestId)
        const allowed = { ...refusal.headers, 'Access-Control-Allow-Origin': '*' }
        send(response, { ...refusal, headers: allowed }, headers)
        return
      }
      let isOpen = true
      response.onAborted(() => {
        isOpen = false
        session.end()
      })
      response.cork(() => {
        response.writeHeader('X-Request-Id', headers.requestId + furtherHeaders(headers, 200))
        for (const [name, value] of sseHeaders) response.writeHeader(name, value)
      })
      let client: Started | undefined
      client = session.start({
        send(frames) {
          let isTaken = true
          // One write, and with it one system call, for all that a tick has.
          response.cork(() => {
            isTaken = response.write(allBytes(frames))
          })
          return isTaken
        },
        hold: () => flush(),
        close() {
          if (!isOpen) return
          isOpen = false
          session.end()
          // What a socket holds back is given up by the server itself some seconds later.
          response.cork(() => response.end())
        },
      })
      // Once there is a handler, the server sends what it has buffered for a socket only with the next
      // write. The blank comment is such a write; its result tells whether anything is left.
      function flush() {
        if (!isOpen) return
        let isEmpty = false
        response.cork(() => {
          isEmpty = response.write(sseComment)
        })
        if (isEmpty && isOpen) client?.drained()
      }
      // A service that stops has ended it already.
      if (!isOpen) return
      response.onWritable(() => {
        flush()
        return true
      })
    }
  }

  /** Answers an upgrade of an address that has had too many. */
  function isAdmitted(response: uws.HttpResponse): boolean {
    const headers: SentHeaders = { requestId: nextRequestId() }
    try {
      admission.address(keyless, response, clock(), headers)
      return true
    } catch (error) {
      send(response, failure(error, headers.requestId), headers)
      return false
    }
  }

  const websocket: uws.WebSocketBehavior<Upgraded> = {
    compression: uws.DISABLED,
    maxPayloadLength: mostFrameBytes,
    idleTimeout: 120,
    sendPingsAutomatically: true,
    // No limit here: the sender stops as soon as a write says that the socket is full.
    maxBackpressure: 0,
    upgrade(response, request, context) {
      const query = request.getQuery() ?? ''
      const key = presentedKey(request, query)
      // With a key the session has its limits; without one it may wait some seconds for it.
      if (key === '' && !isAdmitted(response)) return
      const upgraded: Upgraded = { key, query, session: null }
      response.upgrade(
        upgraded,
        request.getHeader('sec-websocket-key'),
        subprotocol(request.getHeader('sec-websocket-protocol')),
        request.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    open(socket) {
      const { key, query } = socket.getUserData()
      let isOpen = true
      const connection: Connection = {
        send(frames) {
          const each = eachBytes(frames)
          const [first] = each
          if (first && each.length === 1) return socket.send(first, false) === 1
          let isTaken = true
          socket.cork(() => {
            for (const bytes of each) {
              if (socket.send(bytes, false) !== 1) isTaken = false
            }
          })
          return isTaken
        },
        hold() {},
        close(code, reason) {
          if (!isOpen) return
          isOpen = false
          socket.end(code, reason)
        },
      }
      const upgraded = socket.getUserData()
      upgraded.ended = () => {
        isOpen = false
      }
      upgraded.session = streams.websocket(admit, connection, key, query)
    },
    message(socket, message, isBinary) {
      const text = isBinary ? null : Buffer.from(message).toString('utf8')
      socket.getUserData().session?.receive(text)
    },
    drain(socket) {
      if (socket.getBufferedAmount() === 0) socket.getUserData().session?.drained()
    },
    close(socket) {
      const upgraded = socket.getUserData()
      upgraded.ended?.()
      upgraded.session?.end()
    },
  }

  return { sse, websocket }
}

/** The first offered that ends in `-v1`, else the first; none where none is offered. */
function subprotocol(offered: string): string {
  const names = offered.split(',').map((name) => name.trim())
  return names.find((name) => name.endsWith('-v1')) ?? names[0] ?? ''
}
