/** Fetching from brokers that do not lead the partition, as a reader with outdated metadata does. */

import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findJava } from '../../../../infra/kafka-local/jars.ts'
import { startLocalKafka } from '../../../../infra/kafka-local/kafka-local.ts'
import type { LocalKafka } from '../../../../infra/kafka-local/local-kafka.ts'
import { fetchRequest } from '../../../../pipeline/log/kafka/fetch.ts'
import {
  brokerOf,
  clusterOf,
  disconnect,
  errorOfCode,
  exchange,
} from '../../../../pipeline/log/kafka/internals.ts'
import { byLeader } from '../../../../pipeline/log/kafka/leaders.ts'

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
    const cluster = clusterOf(client)
    const places = [{ topic, partition, offset: 0, leaderEpoch: -1 }]
    const limits = { maxWaitMs: 0, maxBytes: 1_024, partitionBytes: 1_024 }
    async function answersBy() {
      await cluster.refreshMetadata()
      const [leader] = byLeader(cluster, places).keys()
      const answers: Record<string, string> = {}
      for (const node of cluster.getNodeIds().map(String)) {
        const broker = await brokerOf(cluster, node)
        const { partitions } = await exchange(broker, fetchRequest(places, limits))
        const { errorCode } = partitions[0]!
        const said = errorCode === 0 ? 'records' : String(errorOfCode(errorCode).type)
        answers[node === leader ? 'leader' : 'follower'] = said
      }
      return answers
    }
    try {
      await admin.connect()
      await admin.createTopics({
        topics: [{ topic, numPartitions: 1, replicationFactor: 2 }],
      })
      await cluster.connect()
      await cluster.addMultipleTargetTopics([topic])
      // Each broker learns of the topic by itself.
      await expect
        .poll(() => answersBy().catch(({ message }) => message))
        .toEqual({ leader: 'records', follower: 'NOT_LEADER_FOR_PARTITION' })
    } finally {
      await admin.disconnect()
      await disconnect(cluster)
    }
  })
})
