/** The request that adds partitions to a transaction: as kafkajs writes it, but with the cause of a refusal. */

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { addPartitions } from '../../../../pipeline/log/kafka/add-partitions.ts'
import { failureOf } from '../../../../pipeline/log/kafka/failures.ts'
import { errorOfCode } from '../../../../pipeline/log/kafka/internals.ts'

const require = createRequire(import.meta.url)
const Encoder = require('kafkajs/src/protocol/encoder.js')
const kafkajsRequest = require('kafkajs/src/protocol/requests/addPartitionsToTxn/v1/request.js')

const identity = { transactionalId: 'board-3', producerId: '1099511627776', producerEpoch: 7 }
const partitions = [
  { topic: 'events', partition: 3 },
  { topic: 'odds', partition: 3 },
  { topic: 'events', partition: 4 },
]

test('a request equals that of kafkajs for the same arguments, byte for byte', async () => {
  const { apiKey, apiVersion, body } = addPartitions(identity, partitions)
  const theirs = kafkajsRequest({
    ...identity,
    topics: [
      { topic: 'events', partitions: [3, 4] },
      { topic: 'odds', partitions: [3] },
    ],
  })
  expect([apiKey, apiVersion]).toEqual([theirs.apiKey, theirs.apiVersion])
  expect(body).toEqual((await theirs.encode()).buffer)
})

const answerOf = (...codes: readonly number[]) =>
  addPartitions(identity, partitions).decode(
    new Encoder()
      .writeInt32(12)
      .writeArray(
        codes.map((code, at) =>
          new Encoder()
            .writeString(`topic ${at}`)
            .writeArray([new Encoder().writeInt32(3).writeInt16(code)]),
        ),
      ).buffer,
  )

test('a response has the reason of the partition that was refused, not that of the others', () => {
  expect(answerOf(0, 0)).toEqual({ clientSideThrottleTime: 12, errorCode: 0 })
  // One topic that may not be written: the brokers say of the others that they were not attempted.
  const { errorCode } = answerOf(55, 55, 29)
  expect(failureOf('commit 3 of board', errorOfCode(errorCode)).message).toMatch(/lacks a right/)
  expect(answerOf(55, 55, 29).topic).toBe('topic 2')
  // A coordinator that does not know a partition yet, which passes.
  expect(errorOfCode(answerOf(55, 3, 55).errorCode).retriable).toBe(true)
  expect(answerOf(0, 55).errorCode).toBe(55)
})
