/** The channels, in the order of their fields in `snapshot:complete`. */

import type { TableChannel } from '../../../schemas/stream/channels.ts'
import type { ChannelType } from './channel-type.ts'
import { gameStateChannel } from './game-state.ts'
import { oddsChannel } from './odds/odds-channel.ts'
import { opportunityChannel } from './opportunities/opportunity-channel.ts'

const ofTables: Readonly<Record<TableChannel, ChannelType>> = {
  gamestate: gameStateChannel,
}

export const channelTypes: readonly ChannelType[] = [
  oddsChannel,
  opportunityChannel,
  ...Object.values(ofTables),
]

/** Returns the channel with this name. */
export const channelNamed = (name: string) =>
  channelTypes.find(({ names }) => names.includes(name))!
