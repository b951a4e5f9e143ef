/**
 * The cost of chosen sets of sportsbooks in an API process: CPU per price change, with some sets read once a second
 * and without any; memory of a set; and the first read of a set. Over the simulator's market.
 *
 *     taskset -c 0 node --expose-gc build/benchmarks/book-sets.js [rounds=5]
 */

import { createBoards } from '../api/boards.ts'
import { createRandom } from '../pipeline/feeds/simulator/random.ts'
import { createSimulation } from '../pipeline/feeds/simulator/simulation.ts'
import { toAppend } from '../pipeline/feeds/sink.ts'
import type { Append, Log, LogRecord } from '../pipeline/log/log.ts'
import { serviceProcessor } from '../pipeline/processors/service-processor.ts'
import { noFees } from '../pipeline/rules/odds/fees.ts'
import { noReferences, sharpChain } from '../pipeline/rules/odds/sharp-books.ts'
import type { OpportunityView } from '../pipeline/views/opportunities/opportunity-view.ts'
import { opportunityKinds } from '../schemas/opportunity.ts'
import { topics } from '../schemas/topics.ts'
import { median, printResults, type Result, range, rounded } from './measure.ts'
import { option } from './options.ts'

const rounds = Number(option('rounds') ?? 5)
const secondsOfRound = 10
const booksOfSet = 6
const chain = sharpChain('pinnacle')
let now = Date.UTC(2026, 10, 20, 18)

const log = { secret: 'of a benchmark' } as unknown as Log
const boards = createBoards(
  log,
  () => now,
  noFees,
  undefined,
  {},
  {
    ...{ chain, references: noReferences, mostSets: 32 },
  },
)
const simulation = createSimulation({ seed: 1, startAt: now, changesPerSecond: 1_000 })
const state = serviceProcessor(chain).create()
let offset = 0

const logRecord = ({ topic, key, value }: Append): LogRecord => ({
  ...{ topic, partition: 0, offset: offset++, key, value },
})

/** Applies the feeds' records of one second, as the API reads them. @returns price changes, and CPU microseconds */
function second(views: readonly OpportunityView[]) {
  now += 1_000
  const tick = { type: 'tick', observedAt: now }
  const inputs = [
    ...simulation.step(now).map((record) => logRecord(toAppend(record))),
    { topic: topics.feedOdds, partition: 0, offset: offset++, key: 'tick', value: tick },
  ] as LogRecord[]
  const records = state.decide(inputs).map(logRecord)
  const changes = records.filter(({ topic }) => topic.name === topics.odds.name).length
  const before = process.cpuUsage()
  const position = { epoch: 'benchmark', offsets: {} }
  boards.take({ reset: false, records, position, caughtUp: true })
  boards.advance()
  for (const view of views) for (const kind of opportunityKinds) view.list(kind, 2, now)
  const { user, system } = process.cpuUsage(before)
  return { changes, micros: user + system }
}

function perChange(views: readonly OpportunityView[]): number {
  let micros = 0
  let changes = 0
  for (let count = 0; count < secondsOfRound; count++) {
    const of = second(views)
    micros += of.micros
    changes += of.changes
  }
  return micros / changes
}

function heapBytes(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

second([])
for (let count = 0; count < 20; count++) second([])
const names = [...boards.live.sportsbooksWithRows()].sort()
const random = createRandom(7)

function newSet(): OpportunityView {
  const sportsbooks = new Set<string>()
  while (sportsbooks.size < booksOfSet) sportsbooks.add(random.pick(names))
  return boards.bookSets.of({ sportsbooks, fees: noFees, isOwners: false })
}

const plainMicros: number[] = []
for (let round = 0; round < rounds; round++) plainMicros.push(perChange([]))
const plain = median(plainMicros)
const results: Result[] = []
const views: OpportunityView[] = []
const firstMs: number[] = []
let before = heapBytes()
let bytesShared = 0
for (const sets of [1, 8, 32]) {
  while (views.length < sets) {
    const view = newSet()
    views.push(view)
    const began = performance.now()
    for (const kind of opportunityKinds) view.list(kind, 2, now)
    firstMs.push(performance.now() - began)
    if (views.length > 1) continue
    bytesShared = heapBytes() - before
    before = heapBytes()
  }
  const micros: number[] = []
  for (let round = 0; round < rounds; round++) micros.push(perChange(views))
  const bytes = sets === 1 ? Number.NaN : (heapBytes() - before) / (sets - 1)
  results.push({
    name: `${sets} sets of ${booksOfSet} of ${names.length} sportsbooks, each read once a second`,
    unit: 'us CPU a change and set',
    value: rounded((median(micros) - plain) / sets, 2),
    figures: {
      'us a change in all': rounded(median(micros), 1),
      'range in all': range(micros),
      'without sets': rounded(plain, 1),
      'MB a set': Number.isNaN(bytes)
        ? `${rounded(bytesShared / 1e6, 1)} with all shared`
        : rounded(bytes / 1e6, 1),
      'first read ms': rounded(sets === 1 ? firstMs[0]! : median(firstMs.slice(1)), 1),
      rows: boards.live.rows.size,
    },
    goal: '',
  })
  console.error(results.at(-1))
}
printResults(results)
process.exit(0)
