/** How the games of the last 30 days ended, in memory, by event. Written only by its changelog. */

import type { GameResultRow } from '../../../schemas/game-result.ts'
import { topics } from '../../../schemas/topics.ts'
import { keepRows, readTables, type TableView } from '../table.ts'

export interface GameResultsView extends TableView {
  find(eventId: string): GameResultRow | undefined
  all(): Iterable<GameResultRow>
}

export function createGameResultsView(): GameResultsView {
  const rows = new Map<string, GameResultRow>()
  return {
    ...readTables(keepRows(topics.gameResults, rows)),
    reset: () => rows.clear(),
    find: (eventId) => rows.get(eventId),
    all: () => rows.values(),
  }
}
