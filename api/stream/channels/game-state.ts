/** The channel of games in play, with the rows of `/gamestate`. */

import { gamesVersion, shownGames } from '../../answer/game-states.ts'
import { createTableChannel } from './table-channel.ts'

export const gameStateChannel = createTableChannel({
  name: 'gamestate',
  feature: 'game_state',
  addOn: 'game_state',
  version: gamesVersion,
  shown(scope, now) {
    const { games, expiresAt } = shownGames(scope, now)
    const rows = games.map(({ event, members }) => {
      return { event, keyFields: { event_id: event.id }, members }
    })
    return { rows, expiresAt }
  },
})
