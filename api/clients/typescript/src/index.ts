/**
 * A client of overround: reads over REST, and streams that resume after a break, prove what they hold, and
 * heal when it is not right. It needs nothing but `fetch`.
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
export type { BoardChange, LiveBoard } from './stream/live-board.ts'
export type { OddsItem } from './stream/odds-book.ts'
export type {
  Channel,
  Family,
  GameState,
  StreamClient,
  StreamCounts,
  StreamOptions,
} from './stream/stream-client.ts'

export interface ClientOptions {
  /** Of the service, such as `http://127.0.0.1:3000/api/v1`. */
  readonly base: string
  readonly key: string
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch
  /**
   * Opens a WebSocket, where one is asked for. By default the platform's, which says its key in the first frame;
   * with the package `ws`: `(url, key) => new WebSocket(url, { headers: { 'X-API-Key': key } })`.
   */
  readonly openSocket?: Network['openSocket']
  /** Further tries of a read that was limited, or could not be answered for the moment; default 2. */
  readonly retries?: number
  /** Of one try of a read (ms); default 30,000. */
  readonly timeoutMs?: number
}

export interface Client extends Rest {
  /** The prices that filters show, as they are now: kept in memory, and equal to what REST answers. */
  board(filters?: StreamFilters, options?: Partial<StreamOptions>): LiveBoard
  /** The messages of a stream, one after the other; a loop that is slow holds the stream back. */
  messages(
    options: Partial<StreamOptions> & Pick<StreamOptions, 'channels'>,
    signal?: AbortSignal,
  ): AsyncGenerator<Message, void>
  /** What both are made of. */
  stream(options: Partial<StreamOptions> & Pick<StreamOptions, 'channels'>): StreamClient
}

export function createClient(options: ClientOptions): Client {
  const { key, retries = 2, timeoutMs = 30_000, openSocket = openKeyedSocket } = options
  const base = options.base.replace(/\/+$/, '')
  // Called as a method of something else, `fetch` of a browser refuses.
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

/** What watches a stream for us comes first, then the caller. */
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
