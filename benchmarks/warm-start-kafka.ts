/**
 * From starting an API, and apart from it a pipeline, on Kafka to its readiness: over a board as it was
 * first written, and over the same board after many changes of every price; and the memory it has then. The broker
 * compacts as our topics ask for, and gets some seconds for what it had no time for while it took millions a minute.
 *
 *     node build/benchmarks/warm-start-kafka.js <directory made by million-rows.js> [changes of a price] [seconds]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../infra/kafka-local/jvm.ts'
import { resolveKafka } from '../infra/kafka-local/kafka-local.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded.ts'
import { openKafkaLog } from '../pipeline/log/kafka.ts'
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
const topicPrefix = `warm-${process.pid}.`
const log = await openKafkaLog({
  brokers: brokers.split(','),
  registryUrl,
  topicPrefix,
  clientId: 'bench',
})
const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const prices = await copyTables(path)
const results: Result[] = [...(await measured('as first written'))]
for (let change = 1; change <= changesPerPrice; change++) {
  await append(
    prices.map((record) => {
      const row = record.value as OddsRow
      const price = rounded(row.price + 0.01 * change, 2)
      const at = row.observedAt + change
      return { ...record, value: { ...row, price, observedAt: at, changedAt: at } }
    }),
  )
  process.stderr.write(`\r${change} of ${changesPerPrice} changes`)
}
process.stderr.write('\n')
await delay(1_000 * Number(restSeconds))
results.push(...(await measured(`after ${changesPerPrice} changes a price`)))
await log.close()
rmSync(workDir, { recursive: true, force: true })
printResults(results)
process.exit(0)

/** Copies all tables of an embedded log to Kafka; its prices. */
async function copyTables(directory: string): Promise<Append[]> {
  const embedded = await openEmbeddedLog({ path: directory })
  const tables = Object.values(topics).filter(({ retention }) => retention === 'compacted')
  const all = Array.from({ length: embedded.partitionCount }, (_, partition) => partition)
  const odds: Append[] = []
  const { signal } = new AbortController()
  for await (const records of embedded.replay(tables, { partitions: all, signal })) {
    const appends = records.map(({ topic, key, value }) => {
      const { league = key } = (value ?? {}) as { readonly league?: string }
      return { topic, key, value, partitionKey: league }
    })
    for (const record of appends) if (record.topic === topics.odds) odds.push(record)
    await append(appends)
  }
  await embedded.close()
  return odds
}

async function append(records: readonly Append[]) {
  for (let from = 0; from < records.length; from += appendRecords) {
    await log.append(records.slice(from, from + appendRecords))
  }
}

async function measured(history: string): Promise<Result[]> {
  const env = {
    OVERROUND_KAFKA_BROKERS: brokers,
    OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
    OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
    OVERROUND_FEEDS: 'none',
    OVERROUND_ARCHIVE: 'off',
    OVERROUND_DATA_DIR: workDir,
  }
  const port = String(await findFreePort())
  const starts: readonly [string, StartOptions, (service: Service) => Promise<boolean>][] = [
    ['an API', { env: { ...env, OVERROUND_ROLE: 'api' } }, ({ address }) => isReady(address)],
    [
      'a pipeline',
      { env: { ...env, OVERROUND_ROLE: 'pipeline', OVERROUND_HEALTH_PORT: port }, early: true },
      () => hasRestored(`http://127.0.0.1:${port}/health`),
    ],
  ]
  const found: Result[] = []
  for (const [role, options, isThere] of starts) {
    const seconds: number[] = []
    const megabytes: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = performance.now()
      const service = await startService(options)
      while (!(await isThere(service).catch(() => false))) await delay(20)
      seconds.push((performance.now() - before) / 1_000)
      megabytes.push(residentBytes(service.pid) / 1e6)
      await service.stop()
    }
    found.push({
      name: `warm start of ${role} on Kafka, ${prices.length.toLocaleString('en')} prices ${history}`,
      unit: 's',
      value: rounded(median(seconds), 1),
      figures: {
        'min..max': `${rounded(Math.min(...seconds), 1)}..${rounded(Math.max(...seconds), 1)}`,
        MB: rounded(median(megabytes)),
        load: rounded(loadavg()[0]!),
      },
      goal: prices.length > 500_000 ? '<= 8' : '<= 5',
    })
  }
  return found
}

async function isReady(address: string): Promise<boolean> {
  return (await fetch(`${address}/readyz`)).ok
}

/** Whether the pipeline has all partitions with all of their rows. */
async function hasRestored(health: string): Promise<boolean> {
  const { checks } = (await (await fetch(health)).json()) as {
    checks: { tables: { message?: string } }
  }
  const [, rows = 0] = /^(\d+) rows restored/.exec(checks.tables.message ?? '') ?? []
  return Number(rows) >= prices.length
}
