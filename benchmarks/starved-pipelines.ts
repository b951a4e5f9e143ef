/**
 * Two pipelines on Kafka that share a large board and a machine with far too much to do: how long records of a
 * partition wait to be decided, and how often one pipeline takes over from the other.
 *
 *     node build/benchmarks/starved-pipelines.js [rows] [hogs of a core] [minutes]
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import { findFreePort } from '../infra/kafka-local/jvm.ts'
import { resolveKafka } from '../infra/kafka-local/kafka-local.ts'
import { sizeFor } from '../pipeline/feeds/simulator/load.ts'
import { createSimulation } from '../pipeline/feeds/simulator/simulation.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import { openKafkaLog } from '../pipeline/log/kafka/kafka-log.ts'
import { serviceProcessor } from '../pipeline/processors/service-processor.ts'
import { topics } from '../schemas/topics.ts'
import { type Service, startService } from '../test/service.ts'
import { printResults, rounded } from './measure.ts'

const [, , rows = '1000000', hogsOfCore = '4', minutes = '10'] = process.argv
const stepMs = 100
const publishedAtOnce = 1_000
/** Records that the pipelines may be behind while the board is filled. */
const mostBehind = 20_000

const kafka = await resolveKafka()
if (kafka.kind === 'none') throw new Error(kafka.reason)
const { brokers, registryUrl } = await kafka.start()
const topicPrefix = `starved-${process.pid}.`
const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const services: Service[] = []
let isOver = false
const origins = await Promise.all(['first', 'second'].map(startPipeline))
const log = await openKafkaLog({
  ...{ brokers: brokers.split(','), registryUrl, topicPrefix, clientId: 'bench' },
})
const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
await admin.connect()
const sink = createSink(log, Date.now)

const size = sizeFor(Number(rows))
const begunAt = Date.now()
const simulation = createSimulation({
  ...{ seed: 1, startAt: begunAt - size.openingMs, changesPerSecond: 200 },
  ...size,
})
for (let elapsed = 0; elapsed <= size.openingMs; elapsed += stepMs) {
  await publish(begunAt - size.openingMs + elapsed)
  if (elapsed % 1_000 !== 0) continue
  process.stderr.write(`\r${elapsed / 1_000} of ${size.openingMs / 1_000} s of listings`)
  while (sum((await backlog()).map(({ records }) => records)) > mostBehind) await delay(100)
}
await caughtUp()
process.stderr.write('\n')

const quiet = await watched(1)
const hogs: ChildProcess[] = Array.from({ length: Number(hogsOfCore) * cpus().length }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
process.once('exit', endHogs)
const starved = await watched(Number(minutes))
endHogs()
const after = await watched(1)
printResults(
  [
    { when: 'without hogs', ...quiet, goal: '' },
    { when: `${hogs.length} hogs on ${cpus().length} cores`, ...starved, goal: '<= 30' },
    { when: 'after them', ...after, goal: '' },
  ].map(({ when, longestSeconds, takeovers, assignments, load, goal }) => ({
    name: `two pipelines of ${Number(rows).toLocaleString('en')} prices, ${when}: a record waits for at most`,
    unit: 's',
    value: rounded(longestSeconds, 1),
    figures: { takeovers, assignments, load: rounded(load) },
    goal,
  })),
)
isOver = true
await Promise.all(services.map((service) => service.kill()))
rmSync(workDir, { recursive: true, force: true })
process.exit(0)

async function startPipeline(name: string): Promise<string> {
  const port = String(await findFreePort())
  const service = await startService({
    early: true,
    env: {
      ...{ OVERROUND_ROLE: 'pipeline', OVERROUND_HEALTH_PORT: port },
      OVERROUND_KAFKA_BROKERS: brokers,
      OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
      OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
      ...{ OVERROUND_FEEDS: 'none', OVERROUND_ARCHIVE: 'off' },
      OVERROUND_DATA_DIR: join(workDir, name),
    },
  })
  services.push(service)
  service.ended.then(() => {
    if (!isOver) throw new Error(`the ${name} pipeline ended:\n${service.output()}`)
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/readyz`).catch(() => null))?.ok) await delay(100)
  return origin
}

function endHogs() {
  for (const hog of hogs) hog.kill('SIGKILL')
}

async function publish(at: number) {
  const records = simulation.step(at)
  for (let from = 0; from < records.length; from += publishedAtOnce) {
    await sink.publish(records.slice(from, from + publishedAtOnce))
  }
}

/** Returns the records of each partition that are published and not decided. */
async function backlog() {
  const topic = `${topicPrefix}${topics.feedOdds.name}`
  const groupId = `${topicPrefix}${serviceProcessor([]).name}`
  const [ends, [decided]] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ])
  return ends.map(({ partition, high }) => {
    const offset = decided?.partitions.find((one) => one.partition === partition)?.offset ?? '0'
    return { partition, offset, records: Number(high) - Math.max(0, Number(offset)) }
  })
}

async function caughtUp() {
  while (sum((await backlog()).map(({ records }) => records)) > publishedAtOnce) await delay(100)
}

/** Plays the simulation in real time, and measures meanwhile. */
async function watched(forMinutes: number) {
  const before = await counters()
  const until = performance.now() + forMinutes * 60_000
  let isPlaying = true
  const playing = (async () => {
    while (isPlaying) {
      await publish(Date.now())
      await delay(stepMs)
    }
  })()
  /** By partition, its offset and since when records wait there without a decision. */
  const waiting = new Map<number, { offset: string; since: number }>()
  let longestMs = 0
  const loads: number[] = []
  while (performance.now() < until) {
    const now = performance.now()
    for (const { partition, offset, records } of await backlog()) {
      const known = waiting.get(partition)
      if (!known || records === 0 || known.offset !== offset) {
        waiting.set(partition, { offset, since: now })
      } else longestMs = Math.max(longestMs, now - known.since)
    }
    loads.push(loadavg()[0]!)
    await delay(500)
  }
  isPlaying = false
  await playing
  const now = await counters()
  return {
    longestSeconds: longestMs / 1_000,
    takeovers: now.takeovers - before.takeovers,
    assignments: now.assignments - before.assignments,
    load: Math.max(...loads),
  }
}

/** Returns counters of both pipelines, summed. */
async function counters() {
  const texts = await Promise.all(
    origins.map(async (origin) => (await fetch(`${origin}/metrics`)).text()),
  )
  const total = (name: string) =>
    sum(
      texts.flatMap((text) =>
        [...text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))].map(([, n]) => Number(n)),
      ),
    )
  return {
    takeovers: total('overround_pipeline_takeovers_total'),
    assignments: total('overround_pipeline_partitions_assigned_total'),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
