/**
 * The simulator's market as a history: minutes of trading, then a long wait through starts, scores
 * and ends, and again. What the simulator knows about its listings is the truth.
 */

import type { Game } from '../../pipeline/feeds/simulator/game.ts'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import { createSimulation } from '../../pipeline/feeds/simulator/simulation.ts'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import type { BoardRecord, FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import type { History } from './statements.ts'

const second = 1_000
const minute = 60 * second
const startAt = Date.parse('2026-05-02T18:00:00Z')

export interface SimulatedOptions {
  readonly seed: number
  readonly events: number
  readonly changesPerSecond: number
  readonly books: readonly string[]
  /** Share of the statements that come twice, and share of those that others overtake. */
  readonly repeated: number
  readonly overtaken: number
}

/** How long the steps are, and how many of them: trading, an evening, two and a half days. */
const stretches: readonly (readonly [stepMs: number, count: number])[] = [
  [2 * second, 60],
  [5 * minute, 60],
  [2 * second, 30],
  [10 * minute, 360],
  [2 * second, 15],
]

export function simulateHistory(options: SimulatedOptions): History {
  const { repeated, overtaken, ...of } = options
  const simulation = createSimulation({ ...of, startAt })
  const games = new Map<number, Game>()
  const said: BoardRecord[] = []
  let now = startAt
  for (const [stepMs, count] of stretches) {
    for (let step = 0; step < count; step++) {
      for (const record of simulation.step(now)) {
        if (isOfBoard(record)) said.push(toAppend(record).value as BoardRecord)
      }
      for (const game of simulation.games()) games.set(game.number, game)
      said.push({ type: 'tick', observedAt: now })
      now += stepMs
    }
  }
  const gameOf = (sportsbook: string, externalId: string | null) => {
    const number = simulation.truth(sportsbook, externalId ?? '')
    if (number === undefined) throw new Error(`${sportsbook} has no listing ${externalId}`)
    return number
  }
  return {
    records: deliver(said, createRandom(options.seed), repeated, overtaken),
    meaningOf({ sportsbook, event }) {
      const number = gameOf(sportsbook, event.externalId)
      const isReversed = !games.get(number)?.home.names.includes(event.homeTeam)
      return { game: String(number), isReversed }
    },
    gameOf: ({ sportsbook, externalId }) => String(gameOf(sportsbook, externalId)),
  }
}

const isOfBoard = (record: FeedRecord | TickRecord): record is Exclude<BoardRecord, TickRecord> =>
  record.type === 'odds' || record.type === 'event_status' || record.type === 'book_status'

/** Some statements later than their turn, some twice. */
function deliver(
  said: readonly BoardRecord[],
  random: ReturnType<typeof createRandom>,
  repeated: number,
  overtaken: number,
): BoardRecord[] {
  const placed = said.flatMap((record, index) => {
    if (record.type === 'tick' || record.type === 'book_status') return [{ place: index, record }]
    const place = index + (random.chance(overtaken) ? random.below(40) : 0)
    const again = { place: place + random.below(100), record }
    return random.chance(repeated) ? [{ place, record }, again] : [{ place, record }]
  })
  return placed.sort((a, b) => a.place - b.place).map(({ record }) => record)
}
