/** Boards of a given size for load tests: how many games give this many prices. */
import type { SimulationOptions } from './simulation.ts'

/**
 * Prices on offer per game, over all sportsbooks and stages: measured in November. In summer, when
 * the sports with the most lines pause, it is a quarter less.
 */
const rowsPerGame = 560
/** The same with pregame ladders four times as long. */
const rowsPerDeepGame = 1000
const manyGames = 400

/**
 * Returns options for about this many live rows (within a fifth in autumn) from all sportsbooks and leagues. Large
 * boards get longer ladders, not thousands of games, and are listed over some seconds.
 */
export function sizeFor(
  rows: number,
): Required<Pick<SimulationOptions, 'events' | 'ladderDepth' | 'openingMs'>> {
  if (!(rows >= 1)) throw new RangeError(`a board of ${rows} rows`)
  const events = Math.ceil(rows / rowsPerGame)
  const openingMs = rows > 200_000 ? Math.round(rows / 100) : 0
  if (events <= manyGames) return { events, ladderDepth: 1, openingMs }
  return { events: Math.ceil(rows / rowsPerDeepGame), ladderDepth: 4, openingMs }
}
