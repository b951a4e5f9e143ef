/**
 * A pipeline whose clock libfaketime sets: it warns, and goes on by its clock. Once it is stopped, the time is sent by
 * one whose clock is right.
 */

import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { openKafkaLog } from '../../../pipeline/log/kafka/kafka-log.ts'
import { topics } from '../../../schemas/topics.ts'
import { batchesOfAll } from '../../contracts/batches-of-all.ts'
import { type Service, startService } from '../../service.ts'

const kafka = inject('kafka')
const library = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
].find(existsSync)
const why =
  'reason' in kafka ? ` (skipped: ${kafka.reason})` : library ? '' : ' (skipped: no libfaketime)'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function ask(pipeline: Service, path: string) {
  const port = /"port":(\d+),"msg":"health port listening"/.exec(pipeline.output())![1]
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text()
}

test.skipIf('reason' in kafka || !library).each([
  ['+100s', 100],
  ['-2h', -7_200],
])(
  `a pipeline at %s warns and goes on, until one whose clock is right takes over${why}`,
  async (offset, aheadSeconds) => {
    if ('reason' in kafka) return
    const { brokers, registryUrl } = kafka
    const topicPrefix = `clock-${randomUUID().slice(0, 8)}.`
    const directory = mkdtempSync(join(tmpdir(), 'overround-clock-'))
    closing.push(() => rmSync(directory, { recursive: true }))
    const log = await openKafkaLog({
      ...{ brokers, registryUrl, topicPrefix, partitions: 2, clientId: 'clock-test' },
    })
    closing.push(() => log.close())
    const start = async (env: Record<string, string>) => {
      const pipeline = await startService({
        early: true,
        env: {
          OVERROUND_ROLE: 'pipeline',
          OVERROUND_LOG_LEVEL: 'info',
          OVERROUND_FEEDS: 'none',
          OVERROUND_ARCHIVE: 'off',
          OVERROUND_HEALTH_PORT: '0',
          OVERROUND_DATA_DIR: directory,
          OVERROUND_KAFKA_BROKERS: brokers.join(','),
          OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
          OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
          OVERROUND_KAFKA_PARTITIONS: '2',
          ...env,
        },
      })
      closing.push(() => pipeline.kill())
      await expect.poll(pipeline.output).toContain('tables restored')
      return pipeline
    }
    /** Waits for ticks that are so far ahead of our clock. */
    const ticksAt = async (aheadMs: number, withinMs: number) => {
      const stop = new AbortController()
      const group = `reading-${randomUUID()}`
      let count = 0
      for await (const batch of batchesOfAll(
        log.join([topics.feedOdds], { group, signal: stop.signal }),
      )) {
        for (const { value } of batch.records) {
          const { observedAt } = value as { observedAt: number }
          if (Math.abs(observedAt - Date.now() - aheadMs) < withinMs) count++
        }
        if (count >= 3) stop.abort()
      }
    }
    const wrong = await start({
      LD_PRELOAD: library!,
      FAKETIME: offset,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    })
    const warning = 'the clock of this process differs from that of the brokers'
    await expect.poll(wrong.output).toContain(warning)
    await expect.poll(wrong.output).toContain('"name":"clock","msg":"name held"')
    const { status, checks } = JSON.parse(await ask(wrong, '/health'))
    expect([status, checks.clock.status]).toEqual(['degraded', 'degraded'])
    const [, figure] = /^overround_log_clock_ahead_seconds (.+)$/m.exec(
      await ask(wrong, '/metrics'),
    )!
    expect(Math.abs(Number(figure) - aheadSeconds)).toBeLessThan(90)

    await ticksAt(aheadSeconds * 1_000, 90_000)
    expect(await wrong.stop()).toBe(0)

    const right = await start({})
    await expect.poll(right.output).toContain('"name":"clock","msg":"name held"')
    await ticksAt(0, 5_000)
    expect(await right.stop()).toBe(0)
  },
)
