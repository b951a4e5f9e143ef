/**
 * A channel of the streams: the port behind which prices, opportunities and the state of games attach.
 * The fan-out, subscriptions, `snapshot:complete`, heartbeats and rights follow from the list of
 * channels (`channels/all-channels.ts`) and know none of them by name.
 */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { WebsocketChannel } from '../../schemas/stream/channels.ts'
import type { Scope } from '../access/scope.ts'
import type { Features } from '../access/tiers.ts'
import type { RequestedOdds } from '../ask/odds-filter.ts'
import type { Delivery } from './delivery.ts'
import type { StreamFilters } from './filters.ts'
import type { LogReplay } from './log-replay.ts'
import type { Member, Start } from './member.ts'
import type { ResyncReason } from './positions.ts'
import type { NumberedTick, Timeline } from './timeline.ts'

/** What a channel is asked for. Whoever has equal keys asks the same and shares one encoding. */
export interface Asked {
  readonly type: ChannelType
  readonly key: string
}

/** What a subscription asks, before the channels take their part of it. */
export interface Asking {
  readonly scope: Scope
  /** The channels of the WebSocket, whose names SSE's stand for several of. */
  readonly names: readonly WebsocketChannel[]
  readonly filters: StreamFilters
  readonly requested: RequestedOdds
}

/** A channel as far as it is the same in every process. */
export interface ChannelType {
  /** What a client calls it: on the WebSocket, of which there may be several, and on SSE. */
  readonly names: readonly string[]
  /** The feature an account needs for it by this name; null for none. */
  feature(name: WebsocketChannel): keyof Features | null
  /** The add-on that has it, where one does. */
  readonly addOn?: string
  /** Whether a client can come back with a position, and narrow what it asks for. */
  readonly isResumable: boolean
  /** What `snapshot:complete` says of it to those who do not ask for it. */
  readonly noTotals: object
  /** Null where nothing is asked of it. @throws ApiError invalid_filter, tier_restricted */
  asked(asking: Asking): Asked | null
  open(parts: ChannelParts): Channel
}

export interface ChannelParts {
  readonly view: BoardView
  readonly timeline: Timeline
  readonly delivery: Delivery
  readonly logReplay: LogReplay
  /** Epoch ms. */
  readonly clock: () => number
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  /** A tick went by a live client whose socket was full: the channel knows where it stands. */
  passedBy(member: Member): void
  /** What the client knows cannot be gone on from. */
  lost(member: Member, reason: ResyncReason): void
}

/** What a channel keeps of a client. */
export interface Seat {
  readonly channel: Channel
  readonly member: Member
}

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
  /** With that, once it is known; null where nobody waits for it any more. */
  | { readonly kind: 'reads'; missed(isWanted: () => boolean): Promise<Answer | null> }
  | { readonly kind: 'lost'; readonly reason: ResyncReason }

/** Of the log: the seat has what was missed, or why that cannot be told. */
export type Answer = { readonly ok: true } | { readonly ok: false; readonly reason: ResyncReason }

export const whole: Beginning = { kind: 'whole' }
export const resumed: Beginning = { kind: 'resumed' }

/** A channel in the fan-out of one process. Only its own seats are given back to it. */
export interface Channel<Ask extends Asked = Asked, Own extends Seat = Seat> {
  readonly type: ChannelType
  join(member: Member, asked: Ask): Own
  /** Takes its place where the client goes on; what it knew before is void. */
  begin(seat: Own, start: Start): Beginning
  /** Tells all there is, a step at a time. @returns what `snapshot:complete` says of it */
  snapshot(seat: Own): Generator<void, object>
  /** Tells those who are live. */
  tick(tick: Tick): void
  leave(seat: Own): void
  /** Tells a piece of what came since its place. @returns whether it has been told all there is */
  catchUp?(seat: Own): boolean
  /** What a client's book must come to as of now; empty where that is not known. */
  proof?(seat: Own): object
  /** Goes on with less than was asked for before. */
  narrow?(seat: Own, asked: Ask): void
  /** The board has been replaced: all told so far is void. */
  restart?(): void
}
