/**
 * The cost of the four detectors: CPU of the pipeline on the embedded log (parse, check, append; read, match, compare,
 * commit) with and without them, in turns over the same lines. For the simulator's market, and for ladders by the
 * numbers of sportsbooks and lines. Also the price changes per second of one core with detectors.
 *
 *     taskset -c 0 node --expose-gc build/benchmarks/opportunities.js [rounds=3] [only=text]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseLine } from '../pipeline/feeds/push/parse.ts'
import { createSimulation } from '../pipeline/feeds/simulator/simulation.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import type { Log } from '../pipeline/log/log.ts'
import type { Processor } from '../pipeline/processors/processor.ts'
import { boardProcessor, serviceProcessor } from '../pipeline/processors/service-processor.ts'
import { sharpChain } from '../pipeline/rules/odds/sharp-books.ts'
import { run } from '../pipeline/run/run.ts'
import type { FeedRecord, OddsRecord } from '../schemas/feed-record.ts'
import { topics } from '../schemas/topics.ts'
import { toIngestLine } from '../test/ingest-lines.ts'
import { createLadderMarket } from './ladder-market.ts'
import { median, printResults, type Result, range, rounded } from './measure.ts'
import { option } from './options.ts'

const rounds = Number(option('rounds') ?? 3)
const only = option('only') ?? ''
const recordsPerBatch = 1_000
const startAt = Date.UTC(2026, 10, 20, 18)
const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))

/** Push lines, and the number of their prices. */
interface Load {
  readonly lines: readonly string[]
  readonly prices: number
}

interface Market {
  readonly opening: readonly string[]
  next(): Load
}

const isOdds = (record: FeedRecord): record is OddsRecord => record.type === 'odds'

function simulated(pricesPerRound: number): Market {
  const simulation = createSimulation({ seed: 1, startAt, changesPerSecond: 20_000 })
  let now = startAt
  const opening = simulation.step(now).filter(isOdds).map(toIngestLine)
  return {
    opening,
    next() {
      const lines: string[] = []
      let prices = 0
      while (prices < pricesPerRound) {
        now += 100
        for (const record of simulation.step(now)) {
          if (!isOdds(record) || record.mode === 'snapshot') continue
          lines.push(toIngestLine(record))
          prices += record.markets.reduce((sum, { selections }) => sum + selections.length, 0)
        }
      }
      return { lines, prices }
    },
  }
}

function ladders(books: number, rungs: number, pricesPerRound: number): Market {
  const games = Math.max(4, Math.round(60_000 / (books * (4 * rungs + 2))))
  const market = createLadderMarket({ games: Math.min(games, 400), books, rungs })
  let now = startAt
  return {
    opening: market.opening(now).map(toIngestLine),
    next() {
      now += 1_000
      const { records, prices } = market.moves(pricesPerRound, now)
      return { lines: records.map(toIngestLine), prices }
    },
  }
}

/** Opens a pipeline over its own log. */
async function open(name: string, processor: Processor) {
  const log: Log = await openEmbeddedLog({ path: join(workDir, name) })
  const sink = createSink(log, Date.now)
  const stop = new AbortController()
  let processed = 0
  let rows = 0
  const running = run(processor, log, {
    signal: stop.signal,
    maxRecords: recordsPerBatch,
    onCommit({ records }) {
      processed += records
    },
  })
  let published = 0
  return {
    /** @returns CPU microseconds until everything is committed */
    async take(lines: readonly string[]): Promise<number> {
      globalThis.gc?.()
      const before = process.cpuUsage()
      for (let from = 0; from < lines.length; from += recordsPerBatch) {
        const records = lines.slice(from, from + recordsPerBatch).map((line) => {
          const parsed = parseLine(line, Number.MAX_SAFE_INTEGER)
          if (!parsed.ok) throw new Error(`${parsed.code}: ${parsed.message}`)
          return parsed.record
        })
        await sink.publish(records)
        published += records.length
      }
      while (processed < published) await new Promise((resolve) => setTimeout(resolve, 1))
      const { user, system } = process.cpuUsage(before)
      return user + system
    },
    async listed(): Promise<number> {
      rows = 0
      const signal = AbortSignal.timeout(60_000)
      const partitions = Array.from({ length: log.partitionCount }, (_, i) => i)
      for await (const records of log.replay([topics.opportunities], { partitions, signal })) {
        rows += records.length
      }
      return rows
    },
    async close() {
      stop.abort()
      await running
      await log.close()
    },
  }
}

async function compare(name: string, market: Market, goal: string): Promise<Result> {
  const plain = await open(`${name}, without`, boardProcessor())
  const full = await open(`${name}, with`, serviceProcessor(sharpChain('pinnacle')))
  for (const pipeline of [plain, full]) await pipeline.take(market.opening)
  const warming = market.next()
  for (const pipeline of [plain, full]) await pipeline.take(warming.lines)
  const withMicros: number[] = []
  const withoutMicros: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { lines, prices } = market.next()
    const turns = round % 2 === 0 ? [plain, full] : [full, plain]
    for (const pipeline of turns) {
      const micros = (await pipeline.take(lines)) / prices
      if (pipeline === full) withMicros.push(micros)
      else withoutMicros.push(micros)
    }
  }
  const ratios = withMicros.map((micros, round) => micros / withoutMicros[round]!)
  const listed = await full.listed()
  await plain.close()
  await full.close()
  console.error(`${name}: ${rounded(median(ratios), 2)}`)
  return {
    name: `pipeline with the four detectors, ${name}`,
    unit: 'x the CPU without',
    value: rounded(median(ratios), 2),
    figures: {
      'min..max': `${rounded(Math.min(...ratios), 2)}..${rounded(Math.max(...ratios), 2)}`,
      'CPU us/price with': rounded(median(withMicros), 1),
      without: rounded(median(withoutMicros), 1),
      'prices/s of one core': rounded(1e6 / median(withMicros)),
      'range us with': range(withMicros),
      listed,
    },
    goal,
  }
}

const markets: readonly [name: string, goal: string, create: () => Market][] = [
  ['32 books, ladders of 10', '<= 1.35', () => ladders(32, 10, 100_000)],
  ['the simulator’s market', '', () => simulated(100_000)],
  ...[2, 8, 32].flatMap((books) =>
    [1, 10, 40]
      .filter((rungs) => books !== 32 || rungs !== 10)
      .map((rungs): [string, string, () => Market] => [
        `${books} books, ladders of ${rungs}`,
        '',
        () => ladders(books, rungs, 60_000),
      ]),
  ),
]
const results: Result[] = []
try {
  for (const [name, goal, create] of markets) {
    if (name.includes(only)) results.push(await compare(name, create(), goal))
  }
} finally {
  rmSync(workDir, { recursive: true, force: true })
}
printResults(results)
process.exit(0)
