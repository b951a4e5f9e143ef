/** Every channel, in the order in which `snapshot:complete` speaks of them. */

import type { ChannelType } from './channel-type.ts'
import { gameStateChannel } from './game-state.ts'
import { oddsChannel } from './odds/odds-channel.ts'
import { opportunityChannel } from './opportunities/opportunity-channel.ts'

export const channelTypes: readonly ChannelType[] = [
  oddsChannel,
  opportunityChannel,
  gameStateChannel,
]

/** The channel that a client calls by this name. */
export const channelNamed = (name: string) =>
  channelTypes.find(({ names }) => names.includes(name))!
