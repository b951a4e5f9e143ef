/** The states of a WebSocket session; `websocket-session.ts` moves between them. */

import type { ClientFrame } from '../../../schemas/stream/client-frames.ts'
import type { Caller } from '../../access/keys.ts'
import type { ClientOptions, Start, StreamQuery } from '../delivery/channel.ts'
import type { ClientHandle } from '../fanout/fanout.ts'
import type { Timer } from '../timeline/timers.ts'
import type { FrameRate } from './frame-rate.ts'
import type { StreamRight } from './rights.ts'
import type { Address } from './websocket-address.ts'
import type { Wanted } from './websocket-wanted.ts'

/**
 * Counts one request of the key's minute, unless `isCounted` is false, and a refused key.
 * @throws ApiError for a refused key, rate_limited
 */
export type Admit = (key: string, isCounted?: boolean) => Caller

/** A connection without a key so far. */
export interface Keyless {
  readonly kind: 'keyless'
  readonly address: Address
  /** Options of the client. They get the account's own state once the key is known. */
  readonly options: ClientOptions
  /** Ends the connection. */
  timer: Timer | undefined
}

/** A connection with a key and no query so far. */
export interface Connected {
  readonly kind: 'connected'
  readonly right: StreamRight
  readonly start: Start
  /** The number in `connected`. */
  readonly globalSeq: number
  /** Subscribes the connection to everything. */
  timer: Timer | undefined
}

/** A connection that presented a key before the service was ready. */
export interface Held {
  readonly kind: 'held'
  /** Frames received since. */
  readonly frames: ClientFrame[]
  /** Releases the connection. */
  readonly leave: () => void
}

export interface Subscribed {
  readonly kind: 'subscribed'
  readonly right: StreamRight
  readonly query: StreamQuery
}

export type State = Keyless | Held | Connected | Subscribed | { readonly kind: 'ended' }

export const ended: State = { kind: 'ended' }

/** The state of a connection. There are many, so the check of keys is the only function in it. */
export interface Session {
  readonly admit: Admit
  readonly client: ClientHandle
  state: State
  wanted: Wanted
  /** Null until it sends a frame. */
  rate: FrameRate | null
  /** The account whose key it presented; null before. */
  payer: Caller | null
  /** Ends its view in `past-views.ts`; null before its first query. */
  leaveView: ((until: number) => void) | null
}
