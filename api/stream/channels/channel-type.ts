/** How a channel attaches: `channels/all-channels.ts` lists one of these for each. */

import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import type { WebsocketChannel } from '../../../schemas/stream/channels.ts'
import type { Scope } from '../../access/scope.ts'
import type { RequestedOdds } from '../../ask/odds-filter.ts'
import type { Channel, ChannelQuery, ChannelTraits, Client } from '../delivery/channel.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { LogReplay } from '../timeline/log-replay.ts'
import type { PositionTokens, ResyncReason } from '../timeline/positions.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { StreamFilters } from './filters.ts'

/** A channel before it is in a fan-out: what can be asked of it, and how it is opened. */
export interface ChannelType extends ChannelTraits {
  /** Null where nothing is asked of it. @throws ApiError invalid_filter, tier_restricted */
  query(request: StreamRequest): ChannelQuery | null
  open(parts: ChannelParts): Channel
}

/** What a subscription asks, before the channels take their part of it. */
export interface StreamRequest {
  readonly scope: Scope
  /** The channels of the WebSocket, whose names SSE's stand for several of. */
  readonly names: readonly WebsocketChannel[]
  readonly filters: StreamFilters
  readonly requested: RequestedOdds
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
  readonly tokens: PositionTokens
  /** A tick went by a live client whose socket was full: the channel knows where it stands. */
  passedBy(client: Client): void
  /** What the client knows cannot be gone on from. */
  lost(client: Client, reason: ResyncReason): void
}
