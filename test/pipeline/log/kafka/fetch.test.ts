/** Fetch requests and responses, encoded and decoded as kafkajs does for the same version. */

import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fetchRequest } from '../../../../pipeline/log/kafka/fetch.ts'
import { groupByTopic } from '../../../../pipeline/log/kafka/partition-offsets.ts'

const require = createRequire(import.meta.url)
const Encoder = require('kafkajs/src/protocol/encoder.js')
const kafkajsRequest = require('kafkajs/src/protocol/requests/fetch/v10/request.js')
const kafkajsResponse = require('kafkajs/src/protocol/requests/fetch/v10/response.js')

const offset = fc.nat({ max: 2 ** 40 })
const topic = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
const byPartition = { selector: ({ partition }: { partition: number }) => partition }

test('a request equals that of kafkajs for the same arguments, byte for byte', async () => {
  const places = fc.uniqueArray(
    fc.record({
      topic,
      partition: fc.nat(64),
      offset,
      leaderEpoch: fc.integer({ min: -1, max: 99 }),
    }),
    {
      minLength: 1,
      maxLength: 20,
    },
  )
  await fc.assert(
    fc.asyncProperty(places, fc.nat(9_000), fc.nat(2 ** 30), async (some, maxWaitMs, maxBytes) => {
      const partitionBytes = maxBytes >> 1
      const { apiKey, apiVersion, body } = fetchRequest(some, {
        ...{ maxWaitMs, maxBytes, partitionBytes },
      })
      const theirs = kafkajsRequest({
        ...{ replicaId: -1, minBytes: 1, isolationLevel: 1, maxWaitTime: maxWaitMs, maxBytes },
        topics: groupByTopic(some).map(([name, partitions]) => ({
          topic: name,
          partitions: partitions.map(({ partition, offset: fetchOffset, leaderEpoch }) => ({
            ...{
              partition,
              fetchOffset,
              currentLeaderEpoch: leaderEpoch,
              maxBytes: partitionBytes,
            },
          })),
        })),
      })
      expect([apiKey, apiVersion]).toEqual([theirs.apiKey, theirs.apiVersion])
      expect(body).toEqual((await theirs.encode()).buffer)
    }),
  )
})

test('a response is read as kafkajs reads it', async () => {
  const partition = fc.record({
    partition: fc.nat(64),
    errorCode: fc.integer({ min: -1, max: 99 }),
    stable: offset,
    aborted: fc.array(fc.record({ producerId: offset, firstOffset: offset }), { maxLength: 3 }),
  })
  const partitions = fc.uniqueArray(partition, { ...byPartition, maxLength: 4 })
  const answers = fc.uniqueArray(fc.tuple(topic, partitions), {
    selector: ([name]) => name,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(answers, fc.nat(99), fc.nat(5_000), async (topics, errorCode, throttle) => {
      const written = new Encoder().writeInt32(throttle).writeInt16(errorCode).writeInt32(7)
      written.writeArray(
        topics.map(([name, some]) =>
          new Encoder().writeString(name).writeArray(
            some.map(
              ({ aborted, ...of }) =>
                new Encoder()
                  .writeInt32(of.partition)
                  .writeInt16(of.errorCode)
                  .writeInt64(of.stable + 1)
                  .writeInt64(of.stable)
                  .writeInt64(0)
                  .writeArray(
                    aborted.map(({ producerId, firstOffset }) =>
                      new Encoder().writeInt64(producerId).writeInt64(firstOffset),
                    ),
                  )
                  .writeInt32(-1), // no batches
            ),
          ),
        ),
      )
      const bytes: Buffer = written.buffer
      const ours = fetchRequest([], { maxWaitMs: 0, maxBytes: 0, partitionBytes: 0 }).decode(bytes)
      const theirs = await kafkajsResponse.decode(bytes)
      expect(ours.errorCode).toBe(theirs.errorCode)
      expect(ours.clientSideThrottleTime).toBe(theirs.clientSideThrottleTime)
      expect(ours.partitions).toEqual(
        theirs.responses.flatMap(
          (response: { topicName: string; partitions: Record<string, unknown>[] }) =>
            response.partitions.map((of) => ({
              ...{ topic: response.topicName, partition: of.partition, errorCode: of.errorCode },
              lastStableOffset: Number(of.lastStableOffset),
              aborted: (of.abortedTransactions as Record<string, string>[]).map((one) => ({
                producerId: Number(one.producerId),
                firstOffset: Number(one.firstOffset),
              })),
              batches: Buffer.alloc(0),
            })),
        ),
      )
    }),
  )
})
