/** A leader that is cut off from the other brokers, but not from its clients. */

import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findJava } from '../../../../infra/kafka-local/jars.ts'
import { startLocalKafka } from '../../../../infra/kafka-local/kafka-local.ts'
import type { LocalKafka } from '../../../../infra/kafka-local/local-kafka.ts'
import { createAppender } from '../../../../pipeline/log/kafka/appender.ts'
import { clusterOf } from '../../../../pipeline/log/kafka/internals.ts'
import { groupByLeader } from '../../../../pipeline/log/kafka/leaders.ts'
import { createOutageWatch } from '../../../../pipeline/log/kafka/outage-watch.ts'
import { openReader } from '../../../../pipeline/log/kafka/reader.ts'
import { createRefusedWrites } from '../../../../pipeline/log/kafka/refused-writes.ts'
import { createNodePaths } from '../../../faults/network.ts'

const hasJava = await findJava().then(
  () => true,
  () => false,
)

const paths = createNodePaths()
let kafka: LocalKafka
beforeAll(async () => {
  if (hasJava) kafka = await startLocalKafka({ nodeCount: 3, amongNodes: paths.open })
})
afterAll(async () => {
  await kafka?.stop()
  await paths.close()
})

describe.skipIf(!hasJava)('a leader that is cut off', () => {
  test('is left for the newer one: all records are read, and none is refused', async () => {
    const client = new Kafka({
      ...{ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING, clientId: 'cut off' },
      requestTimeout: 3_000,
    })
    const [topic, partition] = ['moved', 0]
    const place = { topic, partition }
    const admin = client.admin()
    const appender = createAppender({
      ...{ kafka: client, withinMs: Number.POSITIVE_INFINITY, queueOf: () => 'all' },
      outages: createOutageWatch({ logger: { info() {}, warn() {} } }),
      refusedWrites: createRefusedWrites({ info() {}, warn() {} }),
    })
    const write = (values: readonly string[]) =>
      appender.append(values.map((value) => ({ ...place, key: 'k', value: Buffer.from(value) })))
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 3 }] })
    await admin.disconnect()
    const cluster = clusterOf(client)
    const stop = new AbortController()
    const reader = await openReader(client, [topic], { cluster, patientUntil: stop.signal })
    const leader = () => [...groupByLeader(cluster, [place]).led.keys()][0]
    const read: string[] = []
    let offset = 0
    async function readOn() {
      for (const { records, next } of await reader.fetch([{ ...place, offset }], 500)) {
        read.push(...records.map(({ value }) => String(value)))
        offset = next
      }
      return read
    }
    try {
      const before = Array.from({ length: 10 }, (_, n) => `before ${n}`)
      const after = Array.from({ length: 20 }, (_, n) => `after ${n}`)
      await write(before)
      await expect.poll(readOn).toEqual(before)
      const former = leader()
      const mend = paths.isolate(Number(former))
      await write(after)
      await expect.poll(readOn).toEqual([...before, ...after])
      expect(leader()).not.toBe(former)
      expect(await reader.offsets([place], 'end')).toEqual([30])
      // Nobody goes back to what the former leader tells.
      for (let round = 0; round < 10; round++) {
        await reader.renew()
        expect(leader()).not.toBe(former)
        expect(await reader.offsets([place], 'end')).toEqual([30])
      }
      mend()
    } finally {
      stop.abort()
      await reader.close()
      await appender.close()
    }
  })
})
