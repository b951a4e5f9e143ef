/**
 * The embedded log alone, on rows of the topic `odds`: changes per second through `Batch.commit` with compaction, records
 * per second of a replay, and the delay from a commit to a follower in another thread.
 *
 *     node build/benchmarks/embedded-log.js [rows]
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import type { Append } from '../pipeline/log/log.ts'
import { noAttributes } from '../schemas/attributes.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { topics } from '../schemas/topics.ts'

const batchRecords = 1_000
const latencyCommits = 2_000

const row = (index: number, round: number): OddsRow => ({
  id: 100_000_000_000_000 + index,
  eventId: `nba_20261120_lakers_celtics_${index % 5_000}`,
  league: 'nba',
  sportsbook: 'draftkings',
  marketType: 'player_points',
  selection: 'Sample Guard Over',
  selectionType: 'over',
  line: 22.5,
  playerName: 'Sample Guard',
  statCategory: 'points',
  price: 1.5 + (round % 100) / 100,
  isLive: false,
  isActive: true,
  observedAt: 1_800_000_000_000 + round,
  changedAt: 1_800_000_000_000 + round,
  ...noAttributes,
})

const change = (index: number, round: number): Append<OddsRow> => {
  const value = row(index, round)
  return { topic: topics.odds, partitionKey: value.league, key: String(value.id), value }
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6)
const perSecond = (count: number, ms: number) => Math.round((count / ms) * 1_000)

const directoryBytes = (path: string) =>
  readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0)

async function measure(rows: number) {
  const path = mkdtempSync(join(tmpdir(), 'overround-bench-'))
  const log = await openEmbeddedLog({ path })
  const report = (name: string, value: unknown) => console.log(`${name}: ${value}`)
  const { sportsbookStatus, odds } = topics

  // One input record per batch of outputs, so that the outputs are timed.
  const batches = Math.ceil((4 * rows) / batchRecords)
  await log.append(
    Array.from({ length: batches }, (_, since) => ({
      topic: sportsbookStatus,
      partitionKey: 'book',
      key: `${since}`,
      value: { sportsbook: 'book', status: 'up' as const, since },
    })),
  )
  const controller = new AbortController()
  const options = { group: 'bench', signal: controller.signal, maxRecords: 1 }
  let batchNumber = 0
  const commitMs: number[] = []
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  let roundAt = startedAt
  for await (const assignment of log.join([sportsbookStatus], options)) {
    for await (const batch of assignment.batches) {
      const first = batchNumber++ * batchRecords
      const round = Math.floor(first / rows)
      const outputs = Array.from({ length: batchRecords }, (_, step) => {
        // The first round writes every row; later rounds pick rows in random order.
        const index = round === 0 ? first + step : Math.floor(Math.random() * rows)
        return change(index, round)
      })
      const at = performance.now()
      await batch.commit(outputs)
      commitMs.push(performance.now() - at)
      if ((batchNumber * batchRecords) % rows === 0) {
        const now = performance.now()
        report(`round ${round}, changes/s`, perSecond(rows, now - roundAt))
        roundAt = now
      }
      if (batchNumber === batches) controller.abort()
    }
  }
  const elapsed = performance.now() - startedAt
  report('changes/s through commit', perSecond(batches * batchRecords, elapsed))
  const { user, system } = process.cpuUsage(cpuBefore)
  report('CPU us a change, all threads', ((user + system) / (batches * batchRecords)).toFixed(2))
  report('commit ms', quantiles(commitMs))
  report('directory MB', megabytes(directoryBytes(path)))
  report('writer RSS MB', megabytes(process.memoryUsage().rss))

  for (let run = 0; run < 3; run++) {
    const at = performance.now()
    let count = 0
    const { signal } = new AbortController()
    for await (const records of log.replay([odds], { partitions: [0], signal })) {
      count += records.length
    }
    report(`replay of ${count} records/s`, perSecond(count, performance.now() - at))
  }

  const delays: number[] = []
  const worker = new Worker(new URL(import.meta.url), { workerData: path })
  let ready = () => {}
  worker.on('message', (message: number | 'ready') => {
    if (message === 'ready') ready()
    else delays.push(message)
  })
  await new Promise<void>((resolve) => {
    ready = resolve
  })
  for (let index = 0; index < latencyCommits; index++) {
    await log.append([
      {
        topic: topics.events,
        partitionKey: 'nba',
        key: 'event',
        value: {
          id: 'event',
          sport: 'basketball',
          league: 'nba',
          leagueMapped: true,
          homeTeam: 'a',
          awayTeam: 'b',
          flipped: false,
          startsAt: 0,
          status: 'upcoming',
          isLive: false,
          // Whole microseconds: the column takes integers.
          updatedAt: Math.round(1e3 * (performance.timeOrigin + performance.now())),
        },
      },
    ])
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  await worker.terminate()
  report('append to follower in another thread, ms', quantiles(delays))
  await log.close()
  rmSync(path, { recursive: true })
}

function quantiles(values: number[]) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(2)
  return `p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)} (${sorted.length})`
}

async function follow(path: string) {
  const log = await openEmbeddedLog({ path })
  const { signal } = new AbortController()
  for await (const { records, caughtUp } of log.follow([topics.events], { signal })) {
    const now = performance.timeOrigin + performance.now()
    for (const { value } of records) {
      parentPort!.postMessage(now - (value as { updatedAt: number }).updatedAt / 1e3)
    }
    if (caughtUp && records.length === 0) parentPort!.postMessage('ready')
  }
}

await (isMainThread ? measure(Number(process.argv[2] ?? 1_000_000)) : follow(workerData as string))
