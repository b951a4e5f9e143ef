/** A reader over fake connections; `kafka-log.kafka.test.ts` tests it with a broker. */

import { type Cluster, Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { errorOfCode } from '../../../../pipeline/log/kafka/internals.ts'
import { createOutageWatch } from '../../../../pipeline/log/kafka/outage-watch.ts'
import { openReader } from '../../../../pipeline/log/kafka/reader.ts'
import { encodeRecordBatch } from '../../../../pipeline/log/kafka/record-batch.ts'
import { LogSetupError } from '../../../../pipeline/log/log.ts'

const topicAuthorizationFailed = 29

/** Moves a partition from broker 1 to 2. Broker 1 still responds, with its old records. */
function movedPartition() {
  const ends: Readonly<Record<string, number>> = { 1: 10, 2: 25 }
  let leader = '1'
  const calledNodes: string[] = []
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
          calledNodes.push(nodeId)
          const partitions = [{ partition: 0, errorCode: 0, offset: String(ends[nodeId]) }]
          return { responses: [{ topic: 'odds', partitions }] }
        },
      }) as never,
  }
  return { cluster: cluster as Cluster, calledNodes }
}

it('asks the current leader once metadata is renewed, though the former one would respond', async () => {
  const { cluster, calledNodes } = movedPartition()
  const reader = await openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], { cluster })
  const place = { topic: 'odds', partition: 0 }
  expect(await reader.offsets([place], 'end')).toEqual([10])
  const beside = reader.beside()
  await beside.renew()
  expect(await beside.offsets([place], 'end')).toEqual([25])
  expect(calledNodes).toEqual(['1', '2'])
  await reader.close()
})

it('a caller that gives up during an outage is not waited for', async () => {
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

it('a leader that fails is away, though another one answers', async () => {
  const nothing = { errorCode: 0, lastStableOffset: 0, aborted: [], batches: Buffer.alloc(0) }
  const answer = { errorCode: 0, partitions: [{ topic: 'odds', partition: 2, ...nothing }] }
  const { cluster } = movedPartition()
  Object.assign(cluster, {
    findLeaderForPartitions: (_: string, [partition]: [number]) => ({ [partition]: [partition] }),
    refreshMetadata: async () => {},
    findBroker: async ({ nodeId }: { nodeId: string }) => ({
      connectionPool: {
        async send() {
          if (nodeId === '1') throw new Error('stands still')
          return answer
        },
      },
    }),
  })
  const outages = createOutageWatch({ logger: { info() {}, warn() {} } })
  const patience = new AbortController()
  const reader = await openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], {
    ...{ cluster, patientUntil: patience.signal, asker: outages.asker('read odds') },
  })
  const places = [1, 2].map((partition) => ({ topic: 'odds', partition, offset: 0 }))
  const away: (string | undefined)[] = []
  for (let round = 0; round < 6; round++) {
    await reader.fetch(places, 0)
    away.push(outages.outage()?.reason)
  }
  expect(new Set(away)).toEqual(new Set(['read odds: stands still']))
  await reader.close()
})

it('a reader that may not read a topic is told so at once, when it asks since when records wait', async () => {
  const { cluster } = movedPartition()
  let asked = 0
  cluster.findBroker = async () =>
    ({
      connectionPool: {
        async send() {
          asked++
          throw errorOfCode(topicAuthorizationFailed)
        },
      },
    }) as never
  const reader = await openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], { cluster })
  await expect(reader.writtenAt({ topic: 'odds', partition: 0, offset: 3 })).rejects.toThrow(
    LogSetupError,
  )
  expect(asked).toBe(1)
  await reader.close()
})

it('says since when a record waits behind the end of a transaction that was undone', async () => {
  const batchAt = (offset: number, timestamp: number) => {
    const bytes = encodeRecordBatch([{ key: '\0\0\0\0', value: null }], {
      ...{ producerId: '7', producerEpoch: 0, firstSequence: 0, timestamp },
      isInTransaction: false,
    })
    bytes.writeBigInt64BE(BigInt(offset))
    return bytes
  }
  const end = batchAt(3, 100)
  end.writeInt16BE(0x30, 21) // ends a transaction
  const batches = [end, batchAt(4, 200)]
  const { cluster } = movedPartition()
  cluster.findBroker = async () =>
    ({
      connectionPool: {
        async send() {
          const place = { topic: 'odds', partition: 0, errorCode: 0, lastStableOffset: 5 }
          return {
            errorCode: 0,
            partitions: [{ ...place, aborted: [], batches: batches.shift() ?? Buffer.alloc(0) }],
          }
        },
      },
    }) as never
  const reader = await openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], { cluster })
  expect(await reader.writtenAt({ topic: 'odds', partition: 0, offset: 3 })).toBe(200)
  await reader.close()
})
