/** The simulator's market with its pipeline and boards in one process, moved by hand. */

import { type Boards, createBoards } from '../api/boards.ts'
import { createSimulation } from '../pipeline/feeds/simulator/simulation.ts'
import { toAppend } from '../pipeline/feeds/sink.ts'
import type { Append, Log, LogRecord } from '../pipeline/log/log.ts'
import { serviceProcessor } from '../pipeline/processors/service-processor.ts'
import { noFees } from '../pipeline/rules/odds/fees.ts'
import { noReferences, sharpChain } from '../pipeline/rules/odds/sharp-books.ts'
import { topics } from '../schemas/topics.ts'

export interface SimulatedMarket {
  readonly boards: Boards
  readonly chain: ReturnType<typeof sharpChain>
  /** Epoch ms. */
  readonly clock: () => number
  /** Applies the next records of feeds. @returns price changes, and CPU of the pipeline and the board */
  step(ms: number): { readonly changes: number; readonly micros: number }
}

/** Opens a market that has run for 21 seconds. */
export function openSimulatedMarket(changesPerSecond: number): SimulatedMarket {
  const chain = sharpChain('pinnacle')
  let now = Date.UTC(2026, 10, 20, 18)
  const clock = () => now
  const log = { secret: 'of a benchmark' } as unknown as Log
  const rules = { chain, references: noReferences, mostSets: 32 }
  const boards = createBoards(log, clock, noFees, undefined, {}, rules)
  const simulation = createSimulation({ seed: 1, startAt: now, changesPerSecond })
  const state = serviceProcessor(chain).create()
  let offset = 0

  const logRecord = ({ topic, key, value }: Append): LogRecord => ({
    ...{ topic, partition: 0, offset: offset++, key, value },
  })

  function step(ms: number) {
    now += ms
    const tick = { type: 'tick', observedAt: now }
    const inputs = [
      ...simulation.step(now).map((record) => logRecord(toAppend(record))),
      { topic: topics.feedOdds, partition: 0, offset: offset++, key: 'tick', value: tick },
    ] as LogRecord[]
    let changes = 0
    const micros = cpuMicros(() => {
      const records = state.decide(inputs).map(logRecord)
      changes = records.filter(({ topic }) => topic.name === topics.odds.name).length
      boards.take({
        ...{ reset: false, records, caughtUp: true },
        position: { epoch: 'benchmark', offsets: {} },
      })
      boards.advance()
    })
    return { changes, micros }
  }

  for (let second = 0; second < 21; second++) step(1_000)
  return { boards, chain, clock, step }
}

export function cpuMicros(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
