/** A reader over connections that are made up: what takes a broker is in `kafka-log.kafka.test.ts`. */

import { type Cluster, Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { createOutageWatch } from '../../../../pipeline/log/kafka/outage-watch.ts'
import { openReader } from '../../../../pipeline/log/kafka/reader.ts'

/** A partition that has moved from broker 1 to 2; broker 1 answers on, of what it had by then. */
function movedPartition() {
  const ends: Readonly<Record<string, number>> = { 1: 10, 2: 25 }
  let leader = '1'
  const asked: string[] = []
  const cluster: Partial<Cluster> = {
    connect: async () => {},
    disconnect: async () => {},
    addMultipleTargetTopics: async () => {},
    refreshMetadata: async () => {
      leader = '2'
    },
    findLeaderForPartitions: () => ({ [leader]: [0] }),
    findBroker: async ({ nodeId }) =>
      ({
        async listOffsets() {
          asked.push(nodeId)
          const partitions = [{ partition: 0, errorCode: 0, offset: String(ends[nodeId]) }]
          return { responses: [{ topic: 'odds', partitions }] }
        },
      }) as never,
  }
  return { cluster: cluster as Cluster, asked }
}

it('asks the leader of now once it is renewed, though the former one would answer', async () => {
  const { cluster, asked } = movedPartition()
  const reader = await openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], { cluster })
  const place = { topic: 'odds', partition: 0 }
  expect(await reader.offsets([place], 'end')).toEqual([10])
  const beside = reader.beside()
  await beside.renew()
  expect(await beside.offsets([place], 'end')).toEqual([25])
  expect(asked).toEqual(['1', '2'])
  await reader.close()
})

it('whoever gives up opening one in an outage is not waited for any more', async () => {
  const { cluster } = movedPartition()
  const outages = createOutageWatch({ logger: { info() {}, warn() {} } })
  const patience = new AbortController()
  cluster.addMultipleTargetTopics = async () => {
    throw new Error('no broker answers')
  }
  const opening = openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], {
    ...{ cluster, patientUntil: patience.signal, asker: outages.asker('read odds') },
  })
  await expect.poll(() => outages.outage()?.reason).toBe('read odds: no broker answers')
  patience.abort()
  await expect(opening).rejects.toThrow('read topic metadata')
  expect(outages.outage()).toBeNull()
})
