/**
 * The state of games, which nothing keeps yet: whoever asks is told that there is none. The smallest
 * channel there is.
 */

import { type Asked, type Channel, whole } from '../channel.ts'
import type { ChannelParts, ChannelType } from '../channel-type.ts'

const none = { events: [], count: 0, total: 0, offset: 0, has_more: false }

export const gameStateChannel: ChannelType = {
  names: ['gamestate'],
  feature: () => 'game_state',
  addOn: 'game_state',
  isResumable: false,
  noTotals: {},
  asked: ({ names }): Asked | null =>
    names.includes('gamestate') ? { type: gameStateChannel, key: '' } : null,
  open: openGameState,
}

function openGameState({ delivery }: ChannelParts): Channel {
  const channel: Channel = {
    type: gameStateChannel,
    join: (member) => ({ channel, member }),
    begin: () => whole,
    *snapshot({ member }) {
      delivery.sendOwn(member, (frames, width, now) =>
        member.framing.snapshot(frames, 'gamestate:snapshot', none, width, now),
      )
      return {}
    },
    tick() {},
    leave() {},
  }
  return channel
}
