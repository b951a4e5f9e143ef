/**
 * The simulator's market as a history: minutes of trading, an evening of starts, scores and ends,
 * and two days without records. The simulator knows the truth about its listings.
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
  /** Share of repeated statements, and share of overtaken ones. */
  readonly repeated: number
  readonly overtaken: number
}

interface Stretch {
  readonly stepMs: number
  readonly count: number
  readonly isHeard: boolean
}

const stretches: readonly Stretch[] = [
  { stepMs: 2 * second, count: 60, isHeard: true },
  { stepMs: 5 * minute, count: 24, isHeard: true },
  { stepMs: 2 * second, count: 30, isHeard: true },
  { stepMs: 15 * minute, count: 210, isHeard: false },
  { stepMs: 2 * second, count: 15, isHeard: true },
]

export function simulateHistory(options: SimulatedOptions): History {
  const { repeated, overtaken, ...of } = options
  const simulation = createSimulation({ ...of, startAt })
  const games = new Map<number, Game>()
  const said: BoardRecord[] = []
  let now = startAt
  for (const { stepMs, count, isHeard } of stretches) {
    for (let step = 0; step < count; step++) {
      for (const record of simulation.step(now)) {
        if (isHeard && isOfBoard(record)) said.push(toAppend(record).value as BoardRecord)
      }
      for (const game of simulation.games()) games.set(game.number, game)
      if (isHeard) said.push({ type: 'tick', observedAt: now })
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

/** Delivers some statements late and some twice. */
function deliver(
  said: readonly BoardRecord[],
  random: ReturnType<typeof createRandom>,
  repeated: number,
  overtaken: number,
): BoardRecord[] {
  const placed: { readonly place: number; readonly record: BoardRecord }[] = []
  for (const [index, record] of said.entries()) {
    const isStatement = record.type === 'odds' || record.type === 'event_status'
    const place = index + (isStatement && random.chance(overtaken) ? random.below(40) : 0)
    placed.push({ place, record })
    if (isStatement && random.chance(repeated)) {
      placed.push({ place: place + random.below(100), record })
    }
  }
  return placed.sort((a, b) => a.place - b.place).map(({ record }) => record)
}
