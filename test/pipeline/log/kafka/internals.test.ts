/**
 * Each part of kafkajs that we use outside its public interface, by name. If another version fails here,
 * `pipeline/log/kafka/internals.ts` has to change.
 */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { type Cluster, Kafka } from 'kafkajs'
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js'
import { expect, test } from 'vitest'
import {
  clusterOf,
  coordinatorOf,
  errorOfCode,
  exchange,
  forgetHung,
  knownTopics,
  refusedTopics,
} from '../../../../pipeline/log/kafka/internals.ts'
import { groupByLeader } from '../../../../pipeline/log/kafka/leaders.ts'
import { wireBody } from '../../../../pipeline/log/kafka/wire.ts'
import { projectRoot } from '../../../../schemas/project-root.ts'

const require = createRequire(import.meta.url)
const source = (path: string) => require(`kafkajs/src/${path}`)
const kafka = new Kafka({ brokers: ['127.0.0.1:1'] })

test('kafkajs is exactly the version whose private parts these are', () => {
  const { dependencies } = JSON.parse(readFileSync(`${projectRoot}/package.json`, 'utf8'))
  expect(dependencies.kafkajs).toBe('2.2.4')
  expect(require('kafkajs/package.json').version).toBe(dependencies.kafkajs)
})

test('a partition assigner gets the cluster, with the methods we call', () => {
  const cluster = clusterOf(kafka)
  const called = [
    'addMultipleTargetTopics',
    'connect',
    'disconnect',
    'findBroker',
    'findGroupCoordinator',
    'findTopicPartitionMetadata',
    'getNodeIds',
    'refreshMetadata',
    'removeBroker',
  ] as const
  for (const method of called) expect(cluster[method], method).toBeTypeOf('function')
})

test('a broker that does not answer in time is forgotten, and no other', () => {
  const cluster = clusterOf(kafka)
  const { brokers } = (cluster as unknown as { brokerPool: { brokers: Record<string, object> } })
    .brokerPool
  const disconnected: number[] = []
  const brokerAt = (port: number) => ({
    nodeId: port,
    connectionPool: { host: 'kafka', port },
    disconnect: async () => void disconnected.push(port),
  })
  Object.assign(brokers, { 1: brokerAt(1), 2: brokerAt(2) })
  Object.assign((cluster as never as { brokerPool: object }).brokerPool, { seedBroker: {} })
  const { KafkaJSRequestTimeoutError } = source('errors.js')
  forgetHung(cluster, new KafkaJSRequestTimeoutError('timed out', { broker: 'kafka:2' }))
  expect(Object.keys(brokers)).toEqual(['1'])
  expect(disconnected).toEqual([2])
  expect(source('broker/index.js').prototype.disconnect).toBeTypeOf('function')
})

test('a broker has the requests that its type leaves out', () => {
  const { prototype } = source('broker/index.js')
  const called = [
    'addOffsetsToTxn',
    'apiVersions',
    'endTxn',
    'findGroupCoordinator',
    'initProducerId',
    'listOffsets',
    'metadata',
    'txnOffsetCommit',
  ]
  for (const method of called) expect(prototype[method], method).toBeTypeOf('function')
})

test('the coordinator of a transactional id is looked for by this number', () => {
  expect(source('protocol/coordinatorTypes.js')).toEqual({ GROUP: 0, TRANSACTION: 1 })
})

test.each([
  ['a former one, cut off', { 1: 1, 2: 2, 3: 2 }, 2],
  ['nobody, being away', { 1: null, 2: 3, 3: 3 }, 3],
  ['whom kafkajs finds, where there is no majority', { 1: null, 2: 2, 3: 1 }, 9],
  ['whom kafkajs finds, of two brokers', { 1: 1, 2: 1 }, 9],
])(
  'of brokers of which one names %s, the majority says who coordinates',
  async (_, named, expected) => {
    const tells = named as Readonly<Record<string, number | null>>
    const brokerOfNode = (node: string) => ({
      node,
      async findGroupCoordinator() {
        const nodeId = tells[node]
        if (nodeId == null) throw new Error('no answer')
        return { coordinator: { nodeId } }
      },
    })
    const cluster = {
      getNodeIds: () => Object.keys(tells),
      findBroker: async ({ nodeId }: { nodeId: string }) => brokerOfNode(nodeId),
      findGroupCoordinator: async () => brokerOfNode('9'),
    } as unknown as Cluster
    expect(await coordinatorOf(cluster, 'transaction', 'board-0')).toMatchObject({
      node: String(expected),
    })
  },
)

test('a request unknown to kafkajs is accepted', async () => {
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

test('a connection that is made again has nothing left of the response that was cut off', async () => {
  const Connection = source('network/connection.js')
  let connections = 0
  const server = createServer((socket) => {
    connections++
    // Half of the length of a response, which ends with the connection.
    if (connections === 1) return void socket.end(Buffer.from([0, 0]))
    socket.on('data', (request) => {
      const [correlationId, body] = [request.subarray(8, 12), Buffer.from([1, 2, 3])]
      socket.write(Buffer.concat([Buffer.from([0, 0, 0, 7]), correlationId, body]))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const log = { debug() {}, info() {}, warn() {}, error() {}, namespace: () => log }
  const connection = new Connection({
    ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, logger: log },
    socketFactory: source('network/socketFactory.js')(),
    ...{ requestTimeout: 60_000, connectionTimeout: 60_000 },
  })
  await connection.connect()
  await expect.poll(() => connection.isConnected()).toBe(false)
  // Requests that wait for it share it.
  await Promise.all([connection.connect(), connection.connect()])
  expect(connections).toBe(2)
  const request = { apiKey: 9, apiVersion: 7, apiName: 'OffsetFetch', body: Buffer.alloc(0) }
  const decode = (payload: Buffer) => [...payload]
  const answer = await exchange({ connectionPool: connection } as never, { ...request, decode })
  expect(answer).toEqual([1, 2, 3])
  await connection.disconnect()
  server.close()
})

test('a broker that has not said which requests it knows is not connected', async () => {
  const Broker = source('broker/index.js')
  const log = { debug() {}, info() {}, warn() {}, error() {}, namespace: () => log }
  const connection = {
    getSupportAuthenticationProtocol: () => true,
    authenticate: async () => {},
    sendAuthRequest: async () => {},
  }
  const connectionPool = {
    ...{ host: 'kafka', port: 1, connectionTimeout: 1_000 },
    isConnected: () => true,
    getConnection: async () => connection,
    setVersions() {},
    // The broker stands still while it is asked.
    send: async () => {
      throw new Error('timed out')
    },
  }
  const broker = new Broker({ connectionPool, logger: log })
  expect(broker.isConnected()).toBe(false)
  await expect(broker.connect()).rejects.toThrow()
  expect(broker.isConnected()).toBe(false)
  Object.assign(connectionPool, { send: async () => ({ apiVersions: [] }) })
  await broker.connect()
  expect(broker.isConnected()).toBe(true)
})

/**
 * A broker that tells of topics with these partitions.
 * @param errors by topic; 0 for none
 * @param newest the newest version of metadata that it knows; it answers as in 6
 */
async function createBroker(
  partitions: readonly { readonly leader: number; readonly errorCode: number }[],
  errors: Readonly<Record<string, number>> = { odds: 0 },
  newest = 6,
) {
  const server = createServer((socket) =>
    socket.on('data', (request) => {
      const port = (server.address() as AddressInfo).port
      const isMetadata = request.readInt16BE(4) === metadataKey
      if (isMetadata) expect(request.readInt16BE(6)).toBe(6)
      const body = wireBody((to) => {
        to.bytes(request.subarray(8, 12)) // correlation id
        if (!isMetadata) {
          to.int16(0)
          to.int32(2)
          for (const [key, version] of [
            [metadataKey, newest],
            [versionsKey, 0],
          ] as const) {
            to.int16(key)
            to.int16(0)
            to.int16(version)
          }
          return
        }
        to.int32(0) // throttled
        to.int32(1)
        to.int32(1) // broker 1
        to.text('127.0.0.1')
        to.int32(port)
        to.text('rack')
        to.text('cluster')
        to.int32(1) // controller
        to.int32(Object.keys(errors).length)
        for (const [topic, topicError] of Object.entries(errors)) {
          to.int16(topicError)
          to.text(topic)
          to.int8(0)
          const told = topicError === 0 ? partitions : []
          to.int32(told.length)
          for (const [partition, { leader, errorCode }] of told.entries()) {
            to.int16(errorCode)
            to.int32(partition)
            to.int32(leader)
            for (let list = 0; list < 3; list++) to.int32(0) // replicas
          }
        }
      })
      const length = Buffer.alloc(4)
      length.writeInt32BE(body.length)
      socket.write(Buffer.concat([length, body]))
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const brokers = [`127.0.0.1:${port}`]
  const cluster = clusterOf(new Kafka({ brokers, retry: { retries: 0 }, logLevel: 0 }))
  await cluster.connect()
  return {
    cluster,
    async close() {
      await cluster.disconnect()
      server.close()
    },
  }
}

const metadataKey = 3
const versionsKey = 18

test('metadata tell who leads the partitions beside one without a leader', async () => {
  const errorCode = 5
  const { cluster, close } = await createBroker([
    { leader: 1, errorCode: 0 },
    { leader: -1, errorCode },
  ])
  await cluster.addMultipleTargetTopics(['odds'])
  const [first, second, absent] = [0, 1, 2].map((partition) => ({ topic: 'odds', partition }))
  expect(groupByLeader(cluster, [first!, second!, absent!])).toEqual({
    led: new Map([['1', [first]]]),
    leaderless: [second, absent],
  })
  await close()
})

// Kafka 2.1 to 2.7: newer than kafkajs knows, older than ours.
test.each([7, 8, 9])('metadata are told by a broker that knows version %i', async (newest) => {
  const { cluster, close } = await createBroker([{ leader: 1, errorCode: 0 }], { odds: 0 }, newest)
  await cluster.addMultipleTargetTopics(['odds'])
  expect(cluster.findTopicPartitionMetadata('odds')).toMatchObject([{ leader: 1 }])
  await close()
})

test('metadata that refuse a topic are refused', async () => {
  const { cluster, close } = await createBroker([], { odds: 29 })
  await expect(cluster.addMultipleTargetTopics(['odds'])).rejects.toMatchObject({
    type: 'TOPIC_AUTHORIZATION_FAILED',
  })
  await close()
})

test('metadata tell of the topics beside one that was deleted', async () => {
  const errors: Record<string, number> = { odds: 0, bets: 0 }
  const { cluster, close } = await createBroker([{ leader: 1, errorCode: 0 }], errors)
  await cluster.addMultipleTargetTopics(['odds', 'bets'])
  expect(refusedTopics(cluster)).toEqual(new Set())
  errors.bets = 3
  await cluster.refreshMetadata()
  expect(refusedTopics(cluster)).toEqual(new Set(['bets']))
  const place = { topic: 'odds', partition: 0 }
  expect(groupByLeader(cluster, [place]).led).toEqual(new Map([['1', [place]]]))
  // One that nobody has told of yet is refused by name, and is not asked for again.
  errors.splits = 3
  await cluster.addMultipleTargetTopics(['bets'])
  await expect(cluster.addMultipleTargetTopics(['odds', 'splits'])).rejects.toMatchObject({
    type: 'UNKNOWN_TOPIC_OR_PARTITION',
    message: expect.stringMatching(/^splits: /),
  })
  expect(knownTopics(cluster)).toEqual(['odds', 'bets'])
  await close()
})

test.each(source('protocol/requests/metadata/index.js').versions as string[])(
  'metadata of version %s are not refused because of a partition',
  async (version) => {
    const { protocol } = source('protocol/requests/index.js').requests.Metadata
    const { response } = protocol({ version: Number(version) })({ topics: ['odds'] })
    const partitionMetadata = [{ partitionErrorCode: 5, partitionId: 0, leader: -1 }]
    const metadata = { topicMetadata: [{ topicErrorCode: 0, topic: 'odds', partitionMetadata }] }
    expect(await response.parse(metadata)).toEqual(metadata)
  },
)

test("errors have Kafka's names, and whether they pass", () => {
  expect(createErrorFromCode).toBeTypeOf('function')
  const named = (code: number) => {
    const { type, retriable } = errorOfCode(code)
    return { type, retriable }
  }
  expect(named(6)).toEqual({ type: 'NOT_LEADER_FOR_PARTITION', retriable: true })
  expect(named(47)).toEqual({ type: 'INVALID_PRODUCER_EPOCH', retriable: false })
  expect(named(51)).toEqual({ type: 'CONCURRENT_TRANSACTIONS', retriable: true })
})
