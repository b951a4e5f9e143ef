/** Metadata requests and responses, byte by byte as Kafka's protocol has them; every broker test uses them. */

import { expect, test } from 'vitest'
import { decodeMetadata, encodeMetadataRequest } from '../../../../pipeline/log/kafka/metadata.ts'
import { wireBody } from '../../../../pipeline/log/kafka/wire.ts'

const none = Array.from({ length: 16 }, () => 0)

test('a request names its topics, or all', () => {
  const tags = 0
  const rights = [0, 0]
  expect([...encodeMetadataRequest(['odds'], false)]).toEqual([
    ...[tags, 2, ...none, 5, ...Buffer.from('odds'), tags],
    ...[0, ...rights, tags],
  ])
  expect([...encodeMetadataRequest([], true)]).toEqual([tags, 0, 1, ...rights, tags])
})

test.each([
  ['has', Buffer.from('00112233445566778899aabbccddeeff', 'hex')],
  ['lacks', Buffer.from(none)],
])('a response of a broker that %s ids of topics', (what, id) => {
  const payload = wireBody((to) => {
    const compact = (value: string) => {
      to.int8(value.length + 1)
      to.bytes(Buffer.from(value))
    }
    const numbers = (...values: number[]) => {
      to.int8(values.length + 1)
      for (const value of values) to.int32(value)
    }
    to.int8(0) // tags
    to.int32(9) // throttled
    to.int8(2) // one broker
    to.int32(3)
    compact('kafka')
    to.int32(9_092)
    to.int8(0) // no rack
    to.int8(1) // a tag
    to.int8(7)
    to.int8(2)
    to.bytes(Buffer.from('xx'))
    compact('cluster')
    to.int32(3) // controller
    to.int8(2) // one topic
    to.int16(0)
    compact('odds')
    to.bytes(id)
    to.int8(1) // internal
    to.int8(2) // one partition
    to.int16(5)
    to.int32(4)
    to.int32(-1)
    to.int32(17)
    numbers(1, 2)
    numbers(2)
    numbers()
    to.int8(0)
    to.int32(-2_147_483_648)
    to.int8(0)
    to.int32(-2_147_483_648)
    to.int8(0)
  })
  expect(decodeMetadata(payload)).toEqual({
    throttleTime: 0,
    clientSideThrottleTime: 9,
    brokers: [{ nodeId: 3, host: 'kafka', port: 9_092, rack: null }],
    clusterId: 'cluster',
    controllerId: 3,
    topicMetadata: [
      {
        topicErrorCode: 0,
        topic: 'odds',
        isInternal: true,
        partitionMetadata: [
          {
            ...{ partitionErrorCode: 5, partitionId: 4, leader: -1, leaderEpoch: 17 },
            ...(what === 'has' && { topicId: id.toString('hex') }),
            ...{ replicas: [1, 2], isr: [2], offlineReplicas: [] },
          },
        ],
      },
    ],
  })
})
