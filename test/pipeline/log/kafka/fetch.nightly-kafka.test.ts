/** Fetching from brokers that do not lead the partition, as a reader with outdated metadata does. */

import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findJava } from '../../../../infra/kafka-local/jars.ts'
import { startLocalKafka } from '../../../../infra/kafka-local/kafka-local.ts'
import type { LocalKafka } from '../../../../infra/kafka-local/local-kafka.ts'
import { fetchRequest } from '../../../../pipeline/log/kafka/fetch.ts'
import {
  brokerOf,
  byLeader,
  clusterOf,
  disconnect,
  errorOfCode,
  exchange,
} from '../../../../pipeline/log/kafka/internals.ts'

const hasJava = await findJava().then(
  () => true,
  () => false,
)

let kafka: LocalKafka
beforeAll(async () => {
  if (hasJava) kafka = await startLocalKafka({ nodeCount: 2 })
})
afterAll(() => kafka?.stop())

describe.skipIf(!hasJava)('a partition', () => {
  test('is read at its leader alone: a follower refuses, so that the leader is looked up again', async () => {
    const client = new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING })
    const [topic, partition] = ['copied', 0]
    const admin = client.admin()
    await admin.connect()
    await admin.createTopics({
      waitForLeaders: true,
      topics: [{ topic, numPartitions: 1, replicationFactor: 2 }],
    })
    await admin.disconnect()
    const cluster = clusterOf(client)
    await cluster.connect()
    await cluster.addMultipleTargetTopics([topic])
    const places = [{ topic, partition, offset: 0 }]
    const [leader] = byLeader(cluster, places).keys()
    const limits = { maxWaitMs: 0, maxBytes: 1_024, partitionBytes: 1_024 }
    const codes: Record<string, number | undefined> = {}
    for (const node of cluster.getNodeIds().map(String)) {
      const { partitions } = await exchange(
        await brokerOf(cluster, node),
        fetchRequest(places, limits),
      )
      codes[node === leader ? 'leader' : 'follower'] = partitions[0]?.errorCode
    }
    await disconnect(cluster)
    expect(Object.keys(codes).toSorted()).toEqual(['follower', 'leader'])
    expect(codes.leader).toBe(0)
    expect(errorOfCode(codes.follower!).type).toBe('NOT_LEADER_FOR_PARTITION')
  })
})
