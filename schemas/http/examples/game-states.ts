/** An example of the documents: what the routes of `/gamestate` answer. */

import { exampleGameState } from '../../stream/game-state.ts'
import { exampleObject } from './envelope.ts'

const { event_id: eventId, ...state } = exampleGameState

export const exampleGameStates = exampleObject({ [state.sport]: { [eventId]: state } })
