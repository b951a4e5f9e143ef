/**
 * Price changes per second through the board: records are read from the log, decoded, matched and compared, and changed
 * rows are committed with the offsets. Push ingest is measured apart: text is parsed, checked and appended. For both
 * logs.
 *
 *     taskset -c 0 node build/benchmarks/board.js [kafka]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseLine } from '../pipeline/feeds/push/parse.ts'
import { createSimulation } from '../pipeline/feeds/simulator/simulation.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import type { Log } from '../pipeline/log/log.ts'
import { boardProcessor } from '../pipeline/processors/service-processor.ts'
import { run } from '../pipeline/run/run.ts'
import type { FeedRecord, OddsRecord } from '../schemas/feed-record.ts'
import { topics } from '../schemas/topics.ts'
import { toIngestLine } from '../test/ingest-lines.ts'
import { ascending, median, percentile, printResults, range, rounded } from './measure.ts'

const onKafka = process.argv[2] === 'kafka'
const rounds = 5
const changesPerRound = onKafka ? 60_000 : 200_000
const recordsPerBatch = 1_000

const startAt = Date.UTC(2026, 10, 20, 18)
const simulation = createSimulation({ seed: 1, startAt, changesPerSecond: 20_000 })
let now = startAt

/** Returns the next simulated lines with at least this many prices. */
function nextLines(prices: number): { lines: string[]; prices: number } {
  const lines: string[] = []
  let count = 0
  while (count < prices) {
    now += 100
    for (const record of simulation.step(now)) {
      if (!isOdds(record) || record.mode === 'snapshot') continue
      lines.push(toIngestLine(record))
      count += record.markets.reduce((sum, { selections }) => sum + selections.length, 0)
    }
  }
  return { lines, prices: count }
}

const isOdds = (record: FeedRecord): record is OddsRecord => record.type === 'odds'

const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const log = onKafka ? await openKafka() : await openEmbeddedLog({ path: join(workDir, 'log') })
const sink = createSink(log, Date.now)
const stop = new AbortController()
let odds = 0
let processed = 0
const commits: number[] = []
let lastCommit = performance.now()
/** Closed while the log is filled, to time ingest and board separately. */
let gate: { readonly opened: Promise<void>; open(): void } = shutGate()
function shutGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

const counting: Log = {
  ...log,
  async *join(...args) {
    for await (const assignment of log.join(...args)) {
      yield {
        ...assignment,
        batches: (async function* () {
          for await (const batch of assignment.batches) {
            await gate.opened
            yield {
              ...batch,
              async commit(outputs: Parameters<typeof batch.commit>[0]) {
                const isWritten = await batch.commit(outputs)
                for (const { topic } of outputs) if (topic === topics.odds) odds++
                return isWritten
              },
            }
          }
        })(),
      }
    }
  },
}
const running = run(boardProcessor(), counting, {
  signal: stop.signal,
  maxRecords: recordsPerBatch,
  onCommit({ records }) {
    processed += records
    commits.push(performance.now() - lastCommit)
    lastCommit = performance.now()
  },
})

let published = 0
async function publish(lines: readonly string[]) {
  for (let from = 0; from < lines.length; from += recordsPerBatch) {
    const records = lines.slice(from, from + recordsPerBatch).map((line) => {
      const parsed = parseLine(line, Number.MAX_SAFE_INTEGER)
      if (!parsed.ok) throw new Error(`${parsed.code}: ${parsed.message}`)
      return parsed.record
    })
    await sink.publish(records)
    published += records.length
  }
}

async function processAll(): Promise<void> {
  lastCommit = performance.now()
  gate.open()
  while (processed < published) await new Promise((resolve) => setTimeout(resolve, 1))
  gate = shutGate()
}

/** Returns elapsed seconds and CPU microseconds of some work. */
async function timed(work: () => Promise<void>) {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  return { seconds: (performance.now() - before) / 1_000, cpuMicros: user + system }
}

// Fills the board first, so that only changes are counted.
await publish(
  simulation
    .step(now)
    .filter(isOdds)
    .map((record) => toIngestLine(record)),
)
await publish(nextLines(changesPerRound / 4).lines)
await processAll()

const boardRates: number[] = []
const boardCpu: number[] = []
const ingestRates: number[] = []
const ingestCpu: number[] = []
for (let round = 0; round < rounds; round++) {
  const { lines } = nextLines(changesPerRound)
  globalThis.gc?.()
  commits.length = 0
  odds = 0
  const ingest = await timed(() => publish(lines))
  const through = await timed(processAll)
  boardRates.push(odds / through.seconds)
  boardCpu.push(through.cpuMicros / odds)
  ingestRates.push(odds / ingest.seconds)
  ingestCpu.push(ingest.cpuMicros / odds)
  console.error(
    `round ${round + 1}: ${Math.round(odds / through.seconds)} price changes/s, ingest ${Math.round(odds / ingest.seconds)}/s`,
  )
}
stop.abort()
await running
await log.close()
rmSync(workDir, { recursive: true, force: true })

const sortedCommits = ascending(commits)
const logName = onKafka ? 'Kafka' : 'embedded log'
printResults([
  {
    name: `board, ${logName}: read, decode, match, compare, commit`,
    unit: 'price changes/s',
    value: rounded(median(boardRates)),
    figures: {
      'min..max': range(boardRates),
      'CPU us/change': rounded(median(boardCpu), 1),
      'commit p50 ms': rounded(percentile(sortedCommits, 0.5), 1),
      'commit p99 ms': rounded(percentile(sortedCommits, 0.99), 1),
    },
    goal: '>= 60,000',
  },
  {
    name: `push ingest, ${logName}: parse text, check, append`,
    unit: 'price changes/s',
    value: rounded(median(ingestRates)),
    figures: { 'min..max': range(ingestRates), 'CPU us/change': rounded(median(ingestCpu), 1) },
    goal: '',
  },
])
process.exit(0)

async function openKafka(): Promise<Log> {
  const { openKafkaLog } = await import('../pipeline/log/kafka/kafka-log.ts')
  const { resolveKafka } = await import('../infra/kafka-local/kafka-local.ts')
  const source = await resolveKafka()
  if (source.kind === 'none') throw new Error(source.reason)
  const { brokers, registryUrl } = await source.start()
  return openKafkaLog({
    brokers: brokers.split(','),
    registryUrl,
    clientId: 'bench',
    topicPrefix: `bench-${process.pid}-`,
    partitions: 4,
  })
}
