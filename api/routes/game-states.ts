/** GET /api/v1/gamestate and /gamestate/:sport: current states of games in play (interface 2.4, 4.12). */

import { appendText } from '../../pipeline/text/page-buffer.ts'
import { addTo } from '../../schemas/grouping.ts'
import { gameStateSports, gameStates } from '../../schemas/http/game-states.ts'
import { findSport, slugSport } from '../../schemas/reference/sports.ts'
import type { Scope } from '../access/scope.ts'
import { gamesVersion, type ShownGame, shownGames } from '../answer/game-states.ts'
import { objectHead, objectTail } from '../answer/json.ts'
import { type Prepared, type Route, readRoute } from '../route.ts'

const declared = {
  access: 'key',
  tag: 'events',
  requires: { feature: 'game_state', otherwise: 'tier_restricted', addOn: 'game_state' },
  query: {},
  answer: { description: 'Games by sport and event id.', schema: gameStates },
  errors: ['tier_restricted'],
} as const

export const createGameStateRoutes = (clock: () => number): readonly Route[] => [
  readRoute({
    ...declared,
    path: '/api/v1/gamestate',
    summary: 'Scores, periods and situations of games in play',
    description:
      'Merged reports of the sportsbooks of the tier: a score counts once two show it, and a single one that differs is rejected. Needs the add-on `game_state`, which enterprise has.',
    prepare: ({ scope }) => answerOf(scope, clock, () => true),
  }),
  readRoute({
    ...declared,
    path: '/api/v1/gamestate/:sport',
    summary: 'The same for one sport',
    description: `The sports ${gameStateSports.join(', ')} have their own lists; all others are under \`other\`. An unknown sport has no games.`,
    tool: {
      name: 'get_game_state',
      description:
        'Scores, periods and clocks of the games of one sport that are in play, by event id. ' +
        '`stale` says that the score has not been confirmed for ten seconds.',
      inputs: [],
      shape: { items: ['data', '*'] },
      inPath: { sport: 'sport' },
    },
    pathParameters: { sport: 'The sport, in any case: `basketball`, `ice_hockey`, `other`.' },
    prepare({ path, scope }) {
      const { sport: named = '' } = path
      const sport = findSport(named)?.id ?? slugSport(named)
      return answerOf(scope, clock, (game) => game.event.sport === sport || placeOf(game) === sport)
    },
  }),
]

const ownPlaces: ReadonlySet<string> = new Set(gameStateSports)
const placeOf = ({ event: { sport } }: ShownGame) => (ownPlaces.has(sport) ? sport : 'other')

function answerOf(
  scope: Scope,
  clock: () => number,
  isWanted: (game: ShownGame) => boolean,
): Prepared {
  return {
    version: () => gamesVersion(scope),
    write(page) {
      const { games, expiresAt } = shownGames(scope, clock())
      const byPlace = new Map<string, string[]>()
      let updatedAt = 0
      for (const game of games) {
        if (!isWanted(game)) continue
        updatedAt = Math.max(updatedAt, game.observedAt)
        const text = `${JSON.stringify(game.event.id)}:{${game.members}}`
        addTo(byPlace, placeOf(game), text)
      }
      const places = [...byPlace].map(([place, texts]) => `"${place}":{${texts.join()}}`)
      appendText(page, `${objectHead}{${places.join()}}${objectTail(updatedAt, {})}`)
      return { expiresAt }
    },
  }
}
