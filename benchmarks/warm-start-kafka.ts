/**
 * Start time and memory of an API and of a pipeline on Kafka: over a freshly written board, and over the same board
 * after many changes of every price. The broker compacts by our topics' settings, and gets some seconds to catch up.
 *
 *     node build/benchmarks/warm-start-kafka.js <directory made by million-rows.js> [changes of a price] [seconds]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../infra/kafka-local/jvm.ts'
import { resolveKafka } from '../infra/kafka-local/kafka-local.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import { openKafkaLog } from '../pipeline/log/kafka/kafka-log.ts'
import type { Append } from '../pipeline/log/log.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { topics } from '../schemas/topics.ts'
import { type Service, type StartOptions, startService } from '../test/service.ts'
import { median, printResults, type Result, rounded } from './measure.ts'
import { residentBytes } from './processes.ts'

const [, , path, times = '15', restSeconds = '60'] = process.argv
if (!path) throw new Error('usage: warm-start-kafka.js <directory> [changes of a price] [seconds]')
const changesPerPrice = Number(times)
const rounds = 3
const appendRecords = 4_000

const kafka = await resolveKafka()
if (kafka.kind === 'none') throw new Error(kafka.reason)
const { brokers, registryUrl } = await kafka.start()
const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const port = String(await findFreePort())

/** The boards, on the same brokers. Starts alternate between them, because the machine's pace drifts. */
const boards = [
  { history: 'as first written', topicPrefix: `first-${process.pid}.`, changes: 0 },
  {
    history: `after ${changesPerPrice} changes a price`,
    topicPrefix: `changed-${process.pid}.`,
    changes: changesPerPrice,
  },
]
let written = { prices: 0, partitions: 0 }
for (const board of boards) written = await writeBoard(path, board)
await delay(1_000 * Number(restSeconds))
printResults(await measured())
rmSync(workDir, { recursive: true, force: true })
process.exit(0)

/** Copies all tables of an embedded log to Kafka, and changes each price the given number of times. */
async function writeBoard(
  directory: string,
  { topicPrefix, changes }: { readonly topicPrefix: string; readonly changes: number },
): Promise<typeof written> {
  const log = await openKafkaLog({
    brokers: brokers.split(','),
    registryUrl,
    topicPrefix,
    clientId: 'bench',
  })
  async function append(records: readonly Append[]) {
    for (let from = 0; from < records.length; from += appendRecords) {
      await log.append(records.slice(from, from + appendRecords))
    }
  }
  const embedded = await openEmbeddedLog({ path: directory })
  // Without the deployment that wrote them: it had recorded prices, and would refuse these services.
  const tables = Object.values(topics).filter(
    (topic) => topic.retention === 'compacted' && topic !== topics.deployments,
  )
  const all = Array.from({ length: embedded.partitionCount }, (_, partition) => partition)
  const prices: Append[] = []
  const { signal } = new AbortController()
  for await (const records of embedded.replay(tables, { partitions: all, signal })) {
    const appends = records.map(({ topic, key, value }) => {
      const { league = key } = (value ?? {}) as { readonly league?: string }
      return { topic, key, value, partitionKey: league }
    })
    for (const record of appends) if (record.topic === topics.odds) prices.push(record)
    await append(appends)
  }
  await embedded.close()
  for (let change = 1; change <= changes; change++) {
    await append(
      prices.map((record) => {
        const row = record.value as OddsRow
        const price = rounded(row.price + 0.01 * change, 2)
        const at = row.observedAt + change
        return { ...record, value: { ...row, price, observedAt: at, changedAt: at } }
      }),
    )
    process.stderr.write(`\r${change} of ${changes} changes`)
  }
  await log.close()
  return { prices: prices.length, partitions: log.partitionCount }
}

async function measured(): Promise<Result[]> {
  const roles: readonly [
    string,
    Partial<StartOptions>,
    Record<string, string>,
    (service: Service) => Promise<boolean>,
  ][] = [
    ['an API', {}, { OVERROUND_ROLE: 'api' }, ({ address }) => isReady(address)],
    [
      'a pipeline',
      { early: true },
      { OVERROUND_ROLE: 'pipeline', OVERROUND_HEALTH_PORT: port },
      () => hasRestored(`http://127.0.0.1:${port}/health`),
    ],
  ]
  const found: Result[] = []
  // The APIs start first, because the first pipeline removes prices that have expired meanwhile.
  for (const [role, options, env, isThere] of roles) {
    const starts = boards.map((board) => ({
      ...board,
      seconds: [] as number[],
      MB: [] as number[],
    }))
    for (let round = 0; round < rounds; round++) {
      for (const { topicPrefix, seconds, MB } of starts) {
        const before = performance.now()
        const service = await startService({
          ...options,
          env: {
            ...env,
            OVERROUND_KAFKA_BROKERS: brokers,
            OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
            OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
            OVERROUND_FEEDS: 'none',
            OVERROUND_ARCHIVE: 'off',
            OVERROUND_DATA_DIR: workDir,
          },
        })
        let hasEnded = false
        service.ended.then(() => {
          hasEnded = true
        })
        while (!(await isThere(service).catch(() => false))) {
          if (hasEnded) throw new Error(`${role} ended before it was ready:\n${service.output()}`)
          await delay(20)
        }
        seconds.push((performance.now() - before) / 1_000)
        MB.push(residentBytes(service.pid) / 1e6)
        await service.stop()
      }
    }
    for (const { history, seconds, MB } of starts) {
      found.push({
        name: `warm start of ${role} on Kafka, ${written.prices.toLocaleString('en')} prices ${history}`,
        unit: 's',
        value: rounded(median(seconds), 1),
        figures: {
          'min..max': `${rounded(Math.min(...seconds), 1)}..${rounded(Math.max(...seconds), 1)}`,
          MB: rounded(median(MB)),
          load: rounded(loadavg()[0]!),
        },
        goal: written.prices > 500_000 ? '<= 8' : '<= 5',
      })
    }
  }
  return found
}

async function isReady(address: string): Promise<boolean> {
  return (await fetch(`${address}/readyz`)).ok
}

/** Returns whether the pipeline has restored all rows of all partitions. */
async function hasRestored(health: string): Promise<boolean> {
  const { checks } = (await (await fetch(health)).json()) as {
    checks: { tables: { message?: string } }
  }
  const [, held = ''] =
    /restored, of the partitions (.*)\.$/.exec(checks.tables.message ?? '') ?? []
  return held.split(', ').length === written.partitions
}
