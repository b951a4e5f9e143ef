/** The channel of games in play, with the rows of `/gamestate`. */

import { gamesVersion, type ShownGame, shownGames } from '../../answer/game-states.ts'
import { createTableChannel, type TableRow } from './table-channel.ts'

export const gameStateChannel = createTableChannel({
  name: 'gamestate',
  feature: 'game_state',
  addOn: 'game_state',
  version: gamesVersion,
  shown(scope, now) {
    const { games, expiresAt } = shownGames(scope, now)
    return { rows: games.map(rowOf), expiresAt }
  },
})

const rowOf = ({ event, members }: ShownGame): TableRow => ({
  key: event.id,
  event,
  json: `{"event_id":${JSON.stringify(event.id)},${members}}`,
})
