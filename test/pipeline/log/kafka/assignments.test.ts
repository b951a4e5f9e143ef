/** An assignment over fake connections; `kafka-log.kafka.test.ts` tests it with a broker. */

import type { Cluster, Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { openAssignment } from '../../../../pipeline/log/kafka/assignments.ts'
import type { Reader } from '../../../../pipeline/log/kafka/reader.ts'
import { topics } from '../../../../schemas/topics.ts'

/** A cluster without known brokers, whose coordinator lets any process commit. */
const cluster: Partial<Cluster> = {
  connect: async () => {},
  disconnect: async () => {},
  addMultipleTargetTopics: async () => {},
  refreshMetadata: async () => {},
  getNodeIds: () => [],
  findLeaderForPartitions: () => ({}),
  findGroupCoordinator: async () =>
    ({ initProducerId: async () => ({ producerId: '1', producerEpoch: 0 }) }) as never,
}

/** Passes its cluster to partition assigners as kafkajs does. */
const kafka = {
  consumer({ partitionAssigners: [assigner] }: { partitionAssigners: ((of: object) => object)[] }) {
    assigner!({ cluster })
    return {}
  },
} as unknown as Kafka

it('asks the current leaders where it continues, and not before it knows them', async () => {
  const asked: string[] = []
  let renewed = () => {}
  const control: Partial<Reader> = {
    renew: () =>
      new Promise<void>((resolve) => {
        renewed = resolve
      }),
    async committed() {
      asked.push('committed')
      return [3]
    },
    async offsets(_, at) {
      asked.push(String(at))
      return [0]
    },
  }
  const stop = new AbortController()
  const assignment = await openAssignment(
    {
      ...{ kafka, group: 'board', topics: [topics.feedOdds], topicName: ({ name }) => name },
      ...{ maxRecords: 10, control: control as Reader, shared: cluster as Cluster, written: [] },
      logger: { debug() {}, info() {}, warn() {} },
      encode: () => {
        throw new Error('nothing is written')
      },
      decode: async () => [],
    },
    { share: '0', ended: stop.signal, giveUp() {} },
  )
  expect(asked).toEqual([])
  renewed()
  await expect.poll(() => asked).toEqual(['committed', 'start'])
  stop.abort()
  await assignment.close()
})
