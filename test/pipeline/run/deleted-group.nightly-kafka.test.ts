/** The consumer group of the pipelines is deleted while none runs: the next start says what it decides again. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, expect, inject, test } from 'vitest'
import { serviceProcessor } from '../../../pipeline/processors/service-processor.ts'
import { startService } from '../../service.ts'

const kafka = inject('kafka')
const why = 'reason' in kafka ? ` (skipped: ${kafka.reason})` : ''

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test.skipIf('reason' in kafka)(
  `a group that was deleted is told of, with the records that are read again${why}`,
  async () => {
    if ('reason' in kafka) return
    const { brokers, registryUrl } = kafka
    const topicPrefix = `deleted-${randomUUID().slice(0, 8)}.`
    const directory = mkdtempSync(join(tmpdir(), 'overround-deleted-'))
    closing.push(() => rmSync(directory, { recursive: true }))
    const start = async () => {
      const pipeline = await startService({
        early: true,
        env: {
          OVERROUND_ROLE: 'pipeline',
          OVERROUND_LOG_LEVEL: 'info',
          OVERROUND_FEEDS: 'simulator',
          OVERROUND_ARCHIVE: 'off',
          OVERROUND_DATA_DIR: directory,
          OVERROUND_KAFKA_BROKERS: brokers.join(','),
          OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
          OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
          OVERROUND_KAFKA_PARTITIONS: '1',
        },
      })
      closing.push(() => pipeline.kill())
      await expect.poll(pipeline.output).toContain('processor running')
      return pipeline
    }
    const forgotten = /"rows":[1-9]\d*,"records":[1-9]\d*,"msg":"the group has no offsets, although/
    const first = await start()
    expect(await first.stop()).toBe(0)
    const again = await start()
    expect(await again.stop()).toBe(0)
    expect(first.output() + again.output()).not.toMatch(/the group has no offsets/)

    const groupId = `${topicPrefix}${serviceProcessor([]).name}`
    const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await admin.deleteGroups([groupId])
    await admin.disconnect()
    const third = await start()
    await expect.poll(third.output).toMatch(forgotten)
    expect(await third.stop()).toBe(0)
  },
)
