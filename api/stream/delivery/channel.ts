/**
 * The port behind which prices, opportunities and the state of games attach, and what of a client is
 * seen through it. The fan-out, subscriptions, `snapshot:complete`, heartbeats and rights follow from
 * the list of channels (`channels/all-channels.ts`) and know none of them by name.
 */

import type { Position } from '../../../pipeline/log/log.ts'
import type { AddOn } from '../../../schemas/account.ts'
import type { CloseCode, WebsocketChannel } from '../../../schemas/stream/channels.ts'
import type { Scope } from '../../access/scope.ts'
import type { Features } from '../../access/tiers.ts'
import type { Spender } from '../../access/work-budget.ts'
import type { Frames } from '../framing/frames.ts'
import type { Framing, Transport } from '../framing/framing.ts'
import type { ResyncReason } from '../timeline/positions.ts'
import type { NumberedTick } from '../timeline/timeline.ts'

// ---- what is asked for

/** What is the same of a channel in every process. */
export interface ChannelTraits {
  /** What clients call it: on SSE, and on the WebSocket, where it may have several names. */
  readonly names: readonly string[]
  /** The feature an account needs for it by this name; null for none. */
  feature(name: WebsocketChannel): keyof Features | null
  /** The add-on that has it, where one does. */
  readonly addOn?: AddOn
  /** Whether a client can come back with a position, and narrow what it asks for. */
  readonly isResumable: boolean
  /** What `snapshot:complete` says of it to those who do not ask for it. */
  noTotals(transport: Transport): object
}

/** What a channel is asked for. Whoever has equal keys asks the same and shares one encoding. */
export interface ChannelQuery {
  readonly type: ChannelTraits
  readonly key: string
}

export interface StreamQuery {
  /** Whose it is. */
  readonly scope: Scope
  /** Of each channel that something is asked of. */
  readonly queries: readonly ChannelQuery[]
  /** The filters in our ids, by their REST names; absent for all. */
  echo(): Readonly<Record<string, unknown>>
}

// ---- clients

/** A socket, as the fan-out sees it. */
export interface Connection {
  /**
   * Hands over frames, which are valid inside the call alone.
   * @returns false when the socket is full: nothing more until `Client.drained`
   */
  send(frames: Frames): boolean
  /** Keeps a full socket, which would be given up after some seconds otherwise. */
  hold(): void
  close(code: CloseCode, reason: string): void
}

export interface ClientOptions {
  /** Heartbeats tell what the client's book must come to. */
  readonly proof: boolean
  readonly heartbeatMs: number
  /** The US state that links lead to, lower case. */
  readonly state: string | undefined
  /** What a heartbeat says beside a proof. */
  readonly heartbeat: (now: string) => object
}

/** From where a client goes on. */
export type Start =
  | { readonly from: 'snapshot' }
  /** A position it was given. */
  | { readonly from: 'position'; readonly position: Position }
  /** The `global_seq` of a frame it was sent. */
  | { readonly from: 'sequence'; readonly globalSeq: number }
  /** From now on, without what there is. */
  | { readonly from: 'now' }

/** What is being done for a client. The table of what each phase does is in `client-phases.ts`. */
export type Phase =
  /** It has asked for nothing yet. */
  | { readonly kind: 'idle' }
  /** It has asked, and begins with the next tick. */
  | {
      readonly kind: 'waiting'
      /** When it asked (monotonic ms). */
      readonly since: number
      readonly query: StreamQuery
      readonly start: Start
    }
  /** The log is read for what it has missed. */
  | {
      readonly kind: 'reading'
      /** The seats that are given a snapshot as well. */
      readonly awaitSnapshot: readonly Subscription[]
      /** Aborts with the end of this phase: what is read then is for nobody. */
      readonly aborter: AbortController
    }
  /** It is being given what there is. */
  | {
      readonly kind: 'snapshot'
      /** A step a call; returns what is to be told of its completion once it has caught up. */
      readonly script: Iterator<void, object | null>
    }
  /** It knows the board as of an earlier stamp, which its seats have. */
  | {
      readonly kind: 'behind'
      /** Told when it has caught up; null when that has been told. */
      readonly completion: object | null
      /** When it had first been told everything while its proof was still worked on (ms, of the turn); null: not yet. */
      provingSince: number | null
    }
  /** It knows all up to the last tick. */
  | { readonly kind: 'live' }
  | { readonly kind: 'gone' }

export type PhaseKind = Phase['kind']

export interface Client {
  readonly connection: Connection
  readonly framing: Framing
  readonly options: ClientOptions
  nextNumber: number
  phase: Phase
  /** What it may see; null before it has asked for something. */
  scope: Scope | null
  /** Whose credit what it asks for is paid from; null before. */
  payer: Spender | null
  /** Of the channels it hears, in the order of their snapshots. */
  subscriptions: readonly Subscription[]
  /** Whether `resync` means something to it: others would keep what is gone. */
  knowsResync: boolean
  /** Since when (monotonic ms) the socket has been full; -1 when it takes frames. */
  fullSince: number
  /** Frames handed to a full socket. */
  heldFrames: number
  nextHeartbeatAt: number
  nextHoldAt: number
  /**
   * The earliest instant (monotonic ms) at which it may begin anew, however often it asks for something
   * else.
   */
  nextBeginAt: number
}

/** What a channel keeps of a client. */
export interface Subscription {
  readonly channel: Channel
  readonly client: Client
}

// ---- channels

/** Some work in one go; others wait until it is done. */
export interface Turn {
  /** When it began (monotonic ms). */
  readonly now: number
  /** Milliseconds since. */
  spent(): number
}

export interface Tick extends Turn {
  /** Epoch ms. */
  readonly time: number
  /** What has changed on the board; null for nothing. */
  readonly changes: NumberedTick | null
}

/** How a client of a channel begins. */
export type Beginning =
  /** With all there is. */
  | { readonly kind: 'whole' }
  /** With what came after the place it was at. */
  | { readonly kind: 'resumed' }
  /** With that, once the log has been read for it; null when nobody waits for it any more. */
  | { readonly kind: 'reads'; missed(signal: AbortSignal): Promise<ReadResult | null> }
  | { readonly kind: 'lost'; readonly reason: ResyncReason }

/** What reading the log came to: the seat has what was missed, or the reason why that is not known. */
export type ReadResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: ResyncReason }

export const whole: Beginning = { kind: 'whole' }
export const resumed: Beginning = { kind: 'resumed' }

/** A channel in the fan-out of one process. Only its own seats are given back to it. */
export interface Channel<
  Query extends ChannelQuery = ChannelQuery,
  Own extends Subscription = Subscription,
> {
  readonly type: ChannelTraits
  join(client: Client, query: Query): Own
  /** Takes its place where the client goes on; what it knew before is void. */
  begin(subscription: Own, start: Start): Beginning
  /** Tells all there is, a step at a time. @returns what `snapshot:complete` says of it */
  snapshot(subscription: Own): Generator<void, object>
  /** Tells those who are live. */
  tick(tick: Tick): void
  leave(subscription: Own): void
  /** Tells a piece of what came since its place. @returns whether it has been told all there is */
  catchUp?(subscription: Own): boolean
  /**
   * What a client's book must come to as of now; empty where that is not known, null where it will be once this
   * has been asked some times more.
   */
  proof?(subscription: Own): object | null
  /** Goes on with less than was asked for before. */
  narrow?(subscription: Own, query: Query): void
  /** The board has been replaced: all told so far is void. */
  restart?(): void
}
