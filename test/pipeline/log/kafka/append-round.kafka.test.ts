/** A real broker refuses one of several appends that are sent together. `appender.test.ts` has the cases. */

import { randomUUID } from 'node:crypto'
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { expect, inject, test } from 'vitest'
import { openKafkaLog } from '../../../../pipeline/log/kafka/kafka-log.ts'
import { type Append, LogUnavailableError } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'
import { batchesOfAll } from '../../../contracts/batches-of-all.ts'
import '../../../kafka-setup.ts'

const kafka = inject('kafka')
const absent = 'reason' in kafka
const topic = topics.feedRejected

const record = (key: string, length: number, partition = 0): Append => ({
  ...{ topic, partitionKey: partition, key },
  value: { sportsbook: 'b', code: 'c', message: '', receivedAt: 0, text: 'x'.repeat(length) },
})

test.skipIf(absent)(
  `an append that a broker refuses fails alone${absent ? ` (${kafka.reason})` : ''}`,
  async () => {
    if (absent) return
    const { brokers, registryUrl } = kafka
    const topicPrefix = `test-${randomUUID().slice(0, 8)}.`
    const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const log = await openKafkaLog({
      ...{ brokers, registryUrl, topicPrefix },
      ...{ clientId: 'overround-test', partitions: 2, topics: [topic] },
    })
    try {
      await admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: ConfigResourceTypes.TOPIC,
            name: `${topicPrefix}${topic.name}`,
            configEntries: [{ name: 'max.message.bytes', value: '10000' }],
          },
        ],
      })
      const probe = () => log.append([record('probe', 20_000, 1)]).catch((error: Error) => error)
      await expect.poll(probe).toBeInstanceOf(LogUnavailableError)

      // The first append has a round of its own. All others are together in the next, and in one batch too large.
      const keys = Array.from({ length: 9 }, (_, index) => `key ${index}`)
      const appends = ['first', ...keys].map((key) => [record(key, 3_000)])
      appends.splice(5, 0, [record('large', 20_000)])
      const outcomes = await Promise.allSettled([
        ...appends.map((records) => log.append(records)),
        log.append([record('of another partition', 10, 1)]),
      ])
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
        outcomes.map((_, index) => index !== 5),
      )
      const read: string[] = []
      const stop = new AbortController()
      for await (const { records } of batchesOfAll(
        log.join([topic], { group: 'g', signal: stop.signal }),
      )) {
        for (const { partition, key } of records) if (partition === 0) read.push(key)
        if (read.length >= keys.length + 1) stop.abort()
      }
      expect(read).toEqual(['first', ...keys])
    } finally {
      await log.close()
      const names = (await admin.listTopics()).filter((name) => name.startsWith(topicPrefix))
      await admin.deleteTopics({ topics: names })
      await admin.disconnect()
    }
  },
)
