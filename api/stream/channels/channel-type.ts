/** The type of a channel and the parts it is opened with. `all-channels.ts` lists one for each channel. */

import type { Chains } from '../../../pipeline/rules/odds/chains.ts'
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

/** A channel before it is open: makes its queries and opens it. */
export interface ChannelType extends ChannelTraits {
  /** @returns null if the request leaves the channel out @throws ApiError invalid_filter, tier_restricted */
  query(request: StreamRequest): ChannelQuery | null
  open(parts: ChannelParts): Channel
}

/** A client's request, from which each channel makes its query. */
export interface StreamRequest {
  readonly scope: Scope
  /** Names of the WebSocket's channels. An SSE channel stands for several of them. */
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
  /** The chain of each game. */
  readonly chain: Chains
  readonly tokens: PositionTokens
  /** A live client's socket was full at a tick. The channel has noted where it must continue. */
  passedBy(client: Client): void
  /** The client cannot continue from its position. */
  lost(client: Client, reason: ResyncReason): void
}
