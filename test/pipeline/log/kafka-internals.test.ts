/**
 * Each part of kafkajs that we use and that is not of its public interface, by name. When another version
 * fails here, `pipeline/log/kafka-internals.ts` is what to change.
 */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Kafka } from 'kafkajs'
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js'
import { expect, test } from 'vitest'
import { clusterOf, errorOfCode } from '../../../pipeline/log/kafka-internals.ts'
import { encodeRecordBatch } from '../../../pipeline/log/kafka-record-batch.ts'
import { projectRoot } from '../../../schemas/project-root.ts'

const require = createRequire(import.meta.url)
const source = (path: string) => require(`kafkajs/src/${path}`)
const kafka = new Kafka({ brokers: ['127.0.0.1:1'] })

test('kafkajs is the version whose private parts these are, exactly', () => {
  const { dependencies } = JSON.parse(readFileSync(`${projectRoot}/package.json`, 'utf8'))
  expect(dependencies.kafkajs).toBe('2.2.4')
  expect(require('kafkajs/package.json').version).toBe(dependencies.kafkajs)
})

test('a partition assigner is given the cluster, with what we call on it', () => {
  const cluster = clusterOf(kafka)
  const called = [
    'addMultipleTargetTopics',
    'connect',
    'disconnect',
    'findBroker',
    'findGroupCoordinator',
    'findLeaderForPartitions',
    'refreshMetadata',
    'removeBroker',
  ] as const
  for (const method of called) expect(cluster[method], method).toBeTypeOf('function')
})

test('a broker has the requests that its type leaves out', () => {
  const { prototype } = source('broker/index.js')
  const called = [
    'addOffsetsToTxn',
    'addPartitionsToTxn',
    'endTxn',
    'fetch',
    'initProducerId',
    'listOffsets',
    'txnOffsetCommit',
  ]
  for (const method of called) expect(prototype[method], method).toBeTypeOf('function')
})

test('the coordinator of a transactional id is looked for by this number', () => {
  expect(source('protocol/coordinatorTypes.js')).toEqual({ GROUP: 0, TRANSACTION: 1 })
})

test("a request is taken that is none of kafkajs's own", async () => {
  const body = Buffer.from([1, 2, 3])
  const createRequest = source('protocol/request.js')
  const { buffer } = await createRequest({
    correlationId: 7,
    clientId: 'c',
    request: { apiKey: 9, apiVersion: 7, encode: async () => ({ buf: body, buffer: body }) },
  })
  expect(buffer).toEqual(Buffer.from([0, 0, 0, 14, 0, 9, 0, 7, 0, 0, 0, 7, 0, 1, 99, 1, 2, 3]))
  expect(source('network/connectionPool.js').prototype.send).toBeTypeOf('function')
})

test("errors are told by Kafka's names, and whether they pass", () => {
  expect(createErrorFromCode).toBeTypeOf('function')
  const named = (code: number) => {
    const { type, retriable } = errorOfCode(code)
    return { type, retriable }
  }
  expect(named(6)).toEqual({ type: 'NOT_LEADER_FOR_PARTITION', retriable: true })
  expect(named(47)).toEqual({ type: 'INVALID_PRODUCER_EPOCH', retriable: false })
  expect(named(51)).toEqual({ type: 'CONCURRENT_TRANSACTIONS', retriable: true })
})

test('what is fetched says which records are of which transaction, and what was aborted', async () => {
  const records = encodeRecordBatch([{ key: 'k', value: Buffer.from('v') }], {
    ...{ producerId: '5', producerEpoch: 0, firstSequence: 0, timestamp: 0 },
  })
  const { decode } = source('protocol/requests/fetch/v4/response.js')
  const answer = await decode(
    Buffer.concat([
      ...[int32(0), int32(1), int16(1), Buffer.from('t'), int32(1)],
      ...[int32(2), int16(0), int64(20), int64(10)],
      ...[int32(1), int64(5), int64(8)],
      ...[int32(records.length), records],
    ]),
  )
  expect(answer.responses).toMatchObject([
    {
      topicName: 't',
      partitions: [
        {
          partition: 2,
          lastStableOffset: '10',
          abortedTransactions: [{ producerId: '5', firstOffset: '8' }],
          messages: [
            {
              offset: '0',
              key: Buffer.from('k'),
              value: Buffer.from('v'),
              isControlRecord: false,
              batchContext: {
                firstOffset: '0',
                lastOffsetDelta: 0,
                producerId: '5',
                inTransaction: true,
              },
            },
          ],
        },
      ],
    },
  ])
})

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}
