/** Pipelines side by side on Kafka: one of them runs a source, and another takes over when it goes. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { openKafkaLog } from '../../../pipeline/log/kafka/kafka-log.ts'
import type { Log } from '../../../pipeline/log/log.ts'
import type { SourceRow } from '../../../schemas/source.ts'
import { topics } from '../../../schemas/topics.ts'
import { type Service, startService } from '../../service.ts'
import { openSource } from '../feeds/loopback-source.ts'

const kafka = inject('kafka')
const why = 'reason' in kafka ? ` (skipped: ${kafka.reason})` : ''
const often = { interval: 50 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Opens a source that counts credits, as a paid one reports them. */
async function openMeteredSource() {
  let calls = 0
  let spent = 0
  const source = await openSource((path, response) => {
    if (path.includes('/odds')) {
      calls++
      spent += 3
    }
    response.setHeader('x-requests-used', String(spent))
    response.setHeader('x-requests-remaining', String(500 - spent))
    response.end('[]')
  })
  const directory = mkdtempSync(join(tmpdir(), 'overround-holders-'))
  closing.push(source.close, () => rmSync(directory, { recursive: true }))
  const settings = { apiKey: 'k', sports: ['basketball_nba'], baseUrl: source.baseUrl }
  const file = join(directory, 'feeds.json')
  writeFileSync(file, JSON.stringify({ 'the-odds-api': settings }))
  return { file, directory, calls: () => calls }
}

async function sourceRow(log: Log): Promise<SourceRow | undefined> {
  const options = { partitions: [0], signal: new AbortController().signal }
  for await (const records of log.replay([topics.sources], options)) {
    return records[0]?.value as SourceRow
  }
  return undefined
}

const countOf = (text: string, words: string) => text.split(words).length - 1

/** Returns whether a pipeline's log says that it holds the source. */
function holdsSource(pipeline: Service | undefined): boolean {
  const told = (message: string) =>
    countOf(pipeline?.output() ?? '', `"name":"the-odds-api","msg":"${message}"`)
  return told('name held') > told('name given up')
}

const runs = (row: SourceRow | undefined, { pid }: Service) => row?.holder?.endsWith(` ${pid}`)

test.skipIf('reason' in kafka)(
  `a metered source has one holder, which may be killed or paused, and is paid for once${why}`,
  async () => {
    if ('reason' in kafka) return
    const { brokers, registryUrl } = kafka
    const topicPrefix = `holders-${randomUUID().slice(0, 8)}.`
    const source = await openMeteredSource()
    const log = await openKafkaLog({
      brokers,
      registryUrl,
      topicPrefix,
      partitions: 2,
      clientId: 'holders-test',
    })
    closing.push(() => log.close())
    const env = {
      OVERROUND_ROLE: 'pipeline',
      OVERROUND_LOG_LEVEL: 'info',
      OVERROUND_FEEDS: 'the-odds-api',
      OVERROUND_FEEDS_FILE: source.file,
      OVERROUND_DATA_DIR: source.directory,
      OVERROUND_KAFKA_BROKERS: brokers.join(','),
      OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
      OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
      OVERROUND_KAFKA_PARTITIONS: '2',
    }
    const start = async () => {
      const pipeline = await startService({ env, early: true })
      closing.push(() => pipeline.kill())
      await expect.poll(pipeline.output, often).toContain('tables restored')
      return pipeline
    }
    const pipelines = [await start(), await start()]
    const holder = async () => {
      const row = await sourceRow(log)
      return pipelines.find((pipeline) => runs(row, pipeline))
    }
    await expect.poll(async () => (await sourceRow(log))?.creditsUsed, often).toBe(3)

    const killed = (await holder())!
    await killed.kill()
    pipelines.splice(pipelines.indexOf(killed), 1)
    await expect.poll(async () => (await holder())?.pid, often).toBe(pipelines[0]!.pid)
    expect((await sourceRow(log))!.creditsUsed).toBe(3)

    const come = await start()
    pipelines.push(come)
    // It gets one of the two shares. Until that has moved, the row may name the former holder.
    await expect.poll(() => countOf(come.output(), 'name held'), often).toBeGreaterThan(0)
    await expect.poll(async () => holdsSource(await holder()), often).toBe(true)
    const paused = (await holder())!
    const other = pipelines.find((pipeline) => pipeline !== paused)!
    const heldBefore = countOf(paused.output(), 'name held')
    process.kill(paused.pid, 'SIGSTOP')
    await expect.poll(async () => (await holder())?.pid, often).toBe(other.pid)
    process.kill(paused.pid, 'SIGCONT')
    // It joins again, and takes no share from the other until it has rested.
    await expect.poll(paused.output, often).toContain('took this process for dead')
    expect(countOf(paused.output(), 'name held')).toBe(heldBefore)
    expect((await holder())?.pid).toBe(other.pid)

    const stopped = (await holder())!
    const left = pipelines.find((pipeline) => pipeline !== stopped)!
    expect(await stopped.stop()).toBe(0)
    // No other pipeline is left.
    await expect.poll(async () => (await holder())?.pid, often).toBe(left.pid)
    expect((await sourceRow(log))!.creditsUsed).toBe(3)
    expect(source.calls()).toBe(1)
    expect(await left.stop()).toBe(0)
  },
)
