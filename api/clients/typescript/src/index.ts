/**
 * The client of overround: reads over REST, and streams that resume after a break, check their rows against the
 * service's checksum and repair themselves. It needs only `fetch`.
 */

import type { StreamFilters } from './generated/stream-filters.ts'
import { createRest, type Rest } from './rest.ts'
import type { Message, Network } from './stream/connection.ts'
import { openKeyedSocket } from './stream/keyed-socket.ts'
import { createLiveBoard, type LiveBoard } from './stream/live-board.ts'
import { messagesOf } from './stream/messages.ts'
import { openStreamClient, type StreamClient, type StreamOptions } from './stream/stream-client.ts'

export { OverroundError, type Refusal } from './errors.ts'
export type { StreamFilters } from './generated/stream-filters.ts'
export type { Answer, Item, ListPath, Path, Query, ReadOptions, Rest, Routes } from './rest.ts'
export type { Ended, Message, SocketLike, Transport } from './stream/connection.ts'
export type { Channel, Family, GameState, HeldTables } from './stream/held-rows.ts'
export type { BoardChange, LiveBoard } from './stream/live-board.ts'
export type { OddsItem } from './stream/odds-book.ts'
export type { StreamClient, StreamCounts, StreamOptions } from './stream/stream-client.ts'

export interface ClientOptions {
  /** Base address of the service, such as `http://127.0.0.1:3000/api/v1`. */
  readonly base: string
  readonly key: string
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /**
   * Opens a WebSocket. Default: the platform's, which sends the key in the first frame. With the package `ws`:
   * `(url, key) => new WebSocket(url, { headers: { 'X-API-Key': key } })`.
   */
  readonly openSocket?: Network['openSocket']
  /** Retries of a read after a failure that may pass; default 2. */
  readonly retries?: number
  /** Timeout of each try of a read (ms); default 30,000. */
  readonly timeoutMs?: number
}

export interface Client extends Rest {
  /**
   * A live copy in memory of the prices that match the filters, equal to the responses of REST but for `last_seen_at` and
   * `timestamp`: a price that is only seen again is not sent.
   * @throws TypeError for an empty list or text among the filters, or a parameter that the client sets
   */
  board(filters?: StreamFilters, options?: Partial<StreamOptions>): LiveBoard
  /** The messages of a stream, one after another. A slow loop pauses the stream. */
  messages(
    options: Partial<StreamOptions> & Pick<StreamOptions, 'channels'>,
    signal?: AbortSignal,
  ): AsyncGenerator<Message, void>
  /** The stream that `board` and `messages` are built on. */
  stream(options: Partial<StreamOptions> & Pick<StreamOptions, 'channels'>): StreamClient
}

export function createClient(options: ClientOptions): Client {
  const { key, retries = 2, timeoutMs = 30_000, openSocket = openKeyedSocket } = options
  const base = options.base.replace(/\/+$/, '')
  // A browser's `fetch` fails if it is called as a method of another object.
  const own: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))
  const hasSockets = options.openSocket !== undefined || 'WebSocket' in globalThis
  const network: Network = { fetch: own, openSocket, hasSockets }
  const rest = createRest({ base, key, fetch: own, retries, timeoutMs })

  const stream: Client['stream'] = (streamOptions) =>
    openStreamClient({ transport: 'sse', ...streamOptions, base, key, network })
  return {
    ...rest,
    stream,
    board: (filters = {}, streamOptions = {}) =>
      createLiveBoard((own) =>
        stream({
          ...streamOptions,
          filters,
          channels: ['odds'],
          ...notifyBoth(own, streamOptions),
        }),
      ),
    messages: (streamOptions, signal) =>
      messagesOf((own) => stream({ ...streamOptions, ...notifyBoth(own, streamOptions) }), signal),
  }
}

type Callbacks = Pick<StreamOptions, 'onMessage' | 'onFailure'>

/** Calls our own callbacks first, then the caller's. */
const notifyBoth = (own: Callbacks, caller: Callbacks): Callbacks => ({
  onMessage(message) {
    own.onMessage?.(message)
    caller.onMessage?.(message)
  },
  onFailure(why) {
    own.onFailure?.(why)
    caller.onFailure?.(why)
  },
})
