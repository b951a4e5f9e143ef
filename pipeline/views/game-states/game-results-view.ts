/** How the games of the last 30 days ended, in memory, by event. Written only by its changelog. */

import type { GameResultRow } from '../../../schemas/game-result.ts'
import { topics } from '../../../schemas/topics.ts'
import type { View } from '../view.ts'

export interface GameResultsView extends View {
  find(eventId: string): GameResultRow | undefined
}

export function createGameResultsView(): GameResultsView {
  const rows = new Map<string, GameResultRow>()
  return {
    tables: [topics.gameResults],
    reset: () => rows.clear(),
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name !== topics.gameResults.name) continue
        if (value === null) rows.delete(key)
        else rows.set(key, value as GameResultRow)
      }
    },
    find: (eventId) => rows.get(eventId),
  }
}
