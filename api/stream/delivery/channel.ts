/**
 * The port of a channel (prices, opportunities, game states), with the types of clients and queries that it uses.
 * Fan-out, queries, `snapshot:complete`, heartbeats and rights work on the list in `channels/all-channels.ts` and
 * name no channel.
 */

import type { AddOn } from '../../../schemas/account.ts'
import type { CloseCode, WebsocketChannel } from '../../../schemas/stream/channels.ts'
import type { Scope } from '../../access/scope.ts'
import type { Features } from '../../access/tiers.ts'
import type { Spender } from '../../access/work-budget.ts'
import type { Frames } from '../framing/frames.ts'
import type { Framing, Transport } from '../framing/framing.ts'
import type { ResyncReason, SeenPosition } from '../timeline/positions.ts'
import type { NumberedTick } from '../timeline/timeline.ts'

// ---- queries

/** The constant part of a channel. */
export interface ChannelTraits {
  /** Its names in addresses and frames. On a WebSocket it may have several. */
  readonly names: readonly string[]
  /** Returns the feature that an account needs for this name; null for none. */
  feature(name: WebsocketChannel): keyof Features | null
  /** The add-on that includes it, if any. */
  readonly addOn?: AddOn
  /** Whether a client can resume from a position. */
  readonly isResumable: boolean
  /**
   * Returns whether everything that matches `narrow` also matches `wide`, so that a client of `wide` needs no snapshot
   * to go on with `narrow`.
   */
  isNarrower(wide: ChannelQuery, narrow: ChannelQuery): boolean
  /** Returns its fields in the `snapshot:complete` of clients without it. */
  noTotals(transport: Transport): object
}

/** The query of one channel. Clients with equal keys share one encoding. */
export interface ChannelQuery {
  readonly type: ChannelTraits
  readonly key: string
}

export interface StreamQuery {
  readonly scope: Scope
  /** One query for each subscribed channel. */
  readonly queries: readonly ChannelQuery[]
  /** Returns the filters with our ids, by their REST names; absent for all. */
  echo(): Readonly<Record<string, unknown>>
}

// ---- clients

/** A socket as the fan-out uses it. */
export interface Connection {
  /**
   * Sends frames, which are valid during the call only.
   * @returns false when the socket is full: send nothing more until `ClientHandle.drained`
   */
  send(frames: Frames): boolean
  /** Keeps a full socket open; the listener closes it after some seconds otherwise. */
  hold(): void
  close(code: CloseCode, reason: string): void
}

export interface ClientOptions {
  /** Whether heartbeats carry a proof of the client's book. */
  readonly proof: boolean
  readonly heartbeatMs: number
  /**
   * The US state of deep links, lower case. If it comes from the profile, it is set before any
   * message, once the account is known.
   */
  state: string | undefined
  /** Returns the fields of a heartbeat besides its proof. @param now RFC 3339 */
  readonly heartbeat: (now: string) => object
}

/** The start of a client's stream. */
export type Start =
  | { readonly from: 'snapshot' }
  /** After a position that it received earlier. */
  | { readonly from: 'position'; readonly position: SeenPosition }
  /** After the frame with this `global_seq`. */
  | { readonly from: 'sequence'; readonly globalSeq: number }
  /** Now, without a snapshot. */
  | { readonly from: 'now' }

/** The phase of a client. `fanout/client-phases.ts` has each phase's reaction to each event. */
export type Phase =
  /** It has no query yet. */
  | { readonly kind: 'idle' }
  /** It has a query and starts with the next tick in the channels where it has no subscription yet. */
  | {
      readonly kind: 'waiting'
      /** When the query arrived (monotonic ms). */
      readonly since: number
      readonly start: Start
    }
  /** The log is being read for the changes it missed. */
  | {
      readonly kind: 'reading'
      /** Subscriptions that need a snapshot as well. */
      readonly awaitSnapshot: readonly Subscription[]
      /** Aborts the reading when this phase ends. */
      readonly aborter: AbortController
    }
  /** Its snapshot is being sent. */
  | {
      readonly kind: 'snapshot'
      /** Sends one chunk per step. Returns the `snapshot:complete` to send later; null if sent already. */
      readonly script: Iterator<void, object | null>
    }
  /** It is behind the board. Its subscriptions hold its progress. */
  | {
      readonly kind: 'behind'
      /** The `snapshot:complete` to send once it has caught up; null if sent already. */
      readonly completion: object | null
      /** When it had caught up except for its proof (monotonic ms); null if it has not. */
      provingSince: number | null
    }
  /** It is up to date as of the last tick. */
  | { readonly kind: 'live' }
  | { readonly kind: 'gone' }

export type PhaseKind = Phase['kind']

export interface Client {
  readonly connection: Connection
  readonly framing: Framing
  readonly options: ClientOptions
  nextNumber: number
  phase: Phase
  /** Null before its first query. */
  query: StreamQuery | null
  /** The account that pays for its work; null before its first query. */
  payer: Spender | null
  /** One subscription for each channel, in the order of their snapshots. */
  subscriptions: readonly Subscription[]
  /** Whether it handles `resync`. A client that does not would keep removed rows. */
  knowsResync: boolean
  /** Since when the socket has been full (monotonic ms); -1 if it takes frames. */
  fullSince: number
  /** Frames sent while the socket is full. */
  heldFrames: number
  nextHeartbeatAt: number
  nextHoldAt: number
  /** Earliest time of its next start (monotonic ms), however often it changes its query. */
  nextBeginAt: number
}

/** A client's place in one channel. Each channel adds its own fields. */
export interface Subscription {
  readonly channel: Channel
  readonly client: Client
}

// ---- channels

/** One uninterrupted run of work. */
export interface Turn {
  /** When it started (monotonic ms). */
  readonly now: number
  /** Returns the ms since then. */
  spent(): number
}

export interface Tick extends Turn {
  /** Epoch ms. */
  readonly time: number
  /** The board's changes; null for none. */
  readonly changes: NumberedTick | null
}

/** The way a client starts in a channel. */
export type Beginning =
  /** With a snapshot. */
  | { readonly kind: 'whole' }
  /** With the changes since its start. */
  | { readonly kind: 'resumed' }
  /** With the missed changes, once the log has been read; null if `signal` aborted. */
  | { readonly kind: 'reads'; missed(signal: AbortSignal): Promise<ReadResult | null> }
  | { readonly kind: 'lost'; readonly reason: ResyncReason }

/** On success the subscription holds the missed changes. */
export type ReadResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: ResyncReason }

export const whole: Beginning = { kind: 'whole' }
export const resumed: Beginning = { kind: 'resumed' }

/** An open channel of the fan-out. It gets only its own subscriptions back. */
export interface Channel<
  Query extends ChannelQuery = ChannelQuery,
  Own extends Subscription = Subscription,
> {
  readonly type: ChannelTraits
  join(client: Client, query: Query): Own
  /** Moves the subscription to the start, discarding what it had before. */
  begin(subscription: Own, start: Start): Beginning
  /** Sends all rows, one chunk per step. @returns its fields of `snapshot:complete` */
  snapshot(subscription: Own): Generator<void, object>
  /** Sends the changes to its live clients. */
  tick(tick: Tick): void
  leave(subscription: Own): void
  /** Sends some of the missed changes, also those of a narrower query. @returns whether the client is up to date */
  catchUp?(subscription: Own): boolean
  /**
   * Returns the current proof of a client's book. Empty if the book is unknown, null until further calls complete it.
   */
  proof?(subscription: Own): object | null
  /** Continues with an equal or narrower query. The client catches up afterwards, even if it is still live now. */
  narrow?(subscription: Own, query: Query): void
}
