/**
 * Hanging transactions: a producer's records that arrived after its transaction had ended, so that no coordinator will
 * end them. Today's brokers prevent that. Those with older settings, or clients of transaction version 0 under load, do
 * not.
 */

import { randomUUID } from 'node:crypto'
import kafkajs, { type AclEntry, Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findJava } from '../../../../infra/kafka-local/jars.ts'
import { findFreePort } from '../../../../infra/kafka-local/jvm.ts'
import { startLocalKafka } from '../../../../infra/kafka-local/kafka-local.ts'
import type { LocalKafka } from '../../../../infra/kafka-local/local-kafka.ts'
import { runEach } from '../../../../pipeline/async/run-each.ts'
import { addPartitions } from '../../../../pipeline/log/kafka/add-partitions.ts'
import {
  brokerOf,
  clusterOf,
  coordinatorOf,
  exchange,
} from '../../../../pipeline/log/kafka/internals.ts'
import { type KafkaLogConfig, openKafkaLog } from '../../../../pipeline/log/kafka/kafka-log.ts'
import { byLeader } from '../../../../pipeline/log/kafka/leaders.ts'
import { offsetFetch } from '../../../../pipeline/log/kafka/offset-fetch.ts'
import type { TopicPartition } from '../../../../pipeline/log/kafka/partition-offsets.ts'
import { produceRequest } from '../../../../pipeline/log/kafka/produce.ts'
import { encodeRecordBatch } from '../../../../pipeline/log/kafka/record-batch.ts'
import { compareCluster } from '../../../../pipeline/log/kafka/setup.ts'
import {
  abortMarker,
  describeProducers,
  describeTransaction,
} from '../../../../pipeline/log/kafka/transaction-requests.ts'
import type { Append, Assignment, Log } from '../../../../pipeline/log/log.ts'
import { roles } from '../../../../pipeline/run/roles.ts'
import { readConfig } from '../../../../pipeline/settings/config.ts'
import { topics } from '../../../../schemas/topics.ts'

// kafkajs is CommonJS, so Node imports only some of its names.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

const hasJava = await findJava().then(
  () => true,
  () => false,
)
const { feedRejected, sportsbookStatus } = topics
const partitions = 2
const hung = 1

let kafka: LocalKafka
const stops: (() => Promise<unknown>)[] = []
const connect = () => new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING })

const user = 'odds-pipeline'
const password = 'of the pipeline'
/** Where it has to log in; on the other listener everybody may do everything. */
let securedAddress: string

beforeAll(async () => {
  if (!hasJava) return
  const port = await findFreePort()
  securedAddress = `127.0.0.1:${port}`
  kafka = await startLocalKafka({
    securedListener: { protocol: 'SASL_PLAINTEXT', port, users: { [user]: password } },
    settings: {
      'transaction.partition.verification.enable': 'false',
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:ANONYMOUS',
    },
  })
})

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

afterAll(() => kafka?.stop())

interface Line {
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

async function open(options: Partial<KafkaLogConfig> = {}) {
  const lines: Line[] = []
  const note = (fields: object, message: string) =>
    lines.push({ fields: fields as Line['fields'], message })
  const log = await openKafkaLog({
    brokers: kafka.brokers.split(','),
    registryUrl: kafka.registryUrl,
    clientId: 'overround-test',
    partitions,
    topics: [feedRejected, sportsbookStatus],
    topicPrefix: `hang-${randomUUID().slice(0, 8)}.`,
    logger: { debug() {}, info: note, warn: note },
    stuckAfterMs: 3_000,
    ...options,
  })
  stops.push(() => log.close())
  const said = (part: string) => lines.filter(({ message }) => message.includes(part))
  return { log, said }
}

const rejected = (number: number, partition: number): Append => ({
  topic: feedRejected,
  partitionKey: partition,
  key: `key ${number}`,
  value: { sportsbook: 'book', code: 'bad', message: '', receivedAt: number, text: '' },
})

async function eventually<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  let answer: { readonly is: Answer } | undefined
  await expect.poll(async () => (answer ??= { is: await attempt() })).toBeDefined()
  return answer!.is
}

/** Leaves a transaction of this id open in `place`, unknown to any coordinator. */
async function hang(place: TopicPartition, transactionalId: string) {
  const cluster = clusterOf(connect())
  await cluster.connect()
  await cluster.addMultipleTargetTopics([place.topic])
  const [leader] = byLeader(cluster, [place]).keys()
  const broker = await brokerOf(cluster, leader!)
  const coordinated = async () => {
    const coordinator = await coordinatorOf(cluster, 'transaction', transactionalId)
    const given = await coordinator.initProducerId({ transactionalId, transactionTimeout: 1_000 })
    return { coordinator, given }
  }
  // A broker that has just started is not a coordinator yet.
  const { coordinator, given } = await eventually(coordinated)
  const identity = { transactionalId, ...given }
  const produce = async (firstSequence: number) => {
    const record = { key: 'late', value: null }
    const options = { ...given, firstSequence, isInTransaction: true, timestamp: Date.now() }
    const bytes = encodeRecordBatch([record], options)
    const [outcome] = await exchange(broker, produceRequest(transactionalId, [{ ...place, bytes }]))
    expect(outcome!.errorCode).toBe(0)
  }
  const open = async () => {
    const { producers } = await exchange(broker, describeProducers(place))
    return producers.filter(({ openFrom }) => openFrom >= 0)
  }
  const added = await exchange(coordinator, addPartitions(identity, [place]))
  expect(added.errorCode).toBe(0)
  await produce(0)
  await coordinator.endTxn({ ...identity, transactionResult: false })
  // The response comes before the end marker is in the partition.
  await expect.poll(open).toEqual([])
  await produce(1)
  expect(await open()).toHaveLength(1)
  stops.push(() => cluster.disconnect())
  return {
    producerId: Number(given.producerId),
    open,
    async epoch() {
      const asked = await coordinatorOf(cluster, 'transaction', transactionalId)
      return (await exchange(asked, describeTransaction(transactionalId))).known!.producerEpoch
    },
    /** Aborts as `kafka-transactions.sh abort` does. */
    async abort() {
      const [producer] = await open()
      expect((await exchange(broker, abortMarker(place, producer!))).errorCode).toBe(0)
    },
  }
}

/** Returns the settings of a pipeline that logs in, with the rights of its role and no others. */
async function securedPipeline(topicPrefix: string): Promise<Partial<KafkaLogConfig>> {
  const { kafka: settings } = readConfig({
    OVERROUND_KAFKA_BROKERS: kafka.brokers,
    OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
    OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
    OVERROUND_KAFKA_PARTITIONS: String(partitions),
  })
  const principals = new Map([['pipeline', `User:${user}`]])
  const own = roles.filter(({ name }) => principals.has(name))
  expect(await compareCluster({ kafka: settings!, roles: own, principals }, true)).toEqual([])
  const sasl = { mechanism: 'scram-sha-512', username: user, password } as const
  return { brokers: [securedAddress], sasl, topicPrefix, topics: Object.values(topics) }
}

async function grantAlter() {
  const alter: AclEntry = {
    ...{ principal: `User:${user}`, host: '*' },
    ...{ resourceType: AclResourceTypes.CLUSTER, resourceName: 'kafka-cluster' },
    resourcePatternType: ResourcePatternTypes.LITERAL,
    ...{ operation: AclOperationTypes.ALTER, permissionType: AclPermissionTypes.ALLOW },
  }
  const admin = connect().admin()
  await admin.connect()
  await admin.createAcls({ acl: [alter] })
  await admin.disconnect()
}

/** Leaves a commit of offsets open, unknown to any coordinator: of a record that is still to be read. */
async function hangOffsets({ topic, partition }: TopicPartition, groupId: string) {
  const cluster = clusterOf(connect())
  await cluster.connect()
  const transactionalId = `${groupId}-${partition}`
  const asked = async () => {
    const coordinator = await coordinatorOf(cluster, 'transaction', transactionalId)
    const group = await coordinatorOf(cluster, 'group', groupId)
    const given = await coordinator.initProducerId({ transactionalId, transactionTimeout: 1_000 })
    return { coordinator, group, given }
  }
  const { coordinator, group, given } = await eventually(asked)
  const identity = { transactionalId, ...given }
  const topics = [{ topic, partitions: [{ partition, offset: '1' }] }]
  const isHeld = async () =>
    (await exchange(group, offsetFetch(groupId, [{ topic, partition }], true))).unstable
  await coordinator.addOffsetsToTxn({ ...identity, groupId })
  await group.txnOffsetCommit({ ...identity, groupId, topics })
  await coordinator.endTxn({ ...identity, transactionResult: false })
  await expect.poll(isHeld).toBe(false)
  await group.txnOffsetCommit({ ...identity, groupId, topics })
  stops.push(() => cluster.disconnect())
  return { isHeld }
}

/** Restores the table of each partition and then commits new records, as a pipeline does. */
function work(log: Log, group: string) {
  const stop = new AbortController()
  const restored: number[] = []
  const committed: number[] = []
  async function restoreAndRead({ partition, batches }: Assignment, signal: AbortSignal) {
    const replay = log.replay([sportsbookStatus], { partitions: [partition], signal })
    for await (const _ of replay);
    if (signal.aborted) return
    restored.push(partition)
    for await (const batch of batches) {
      if (await batch.commit([])) for (const _ of batch.records) committed.push(partition)
    }
  }
  const join = (signal: AbortSignal) => log.join([feedRejected], { group, signal })
  let failure: unknown = null
  const ended = runEach(join, restoreAndRead, stop.signal).catch((error) => {
    failure = error
  })
  stops.push(() => {
    stop.abort()
    return ended
  })
  return { restored, committed, failure: () => failure }
}

describe.skipIf(!hasJava)('a transaction that hangs', () => {
  test('holds up only its partition, is reported, and once it is ended the partition continues', async () => {
    const topicPrefix = `hang-${randomUUID().slice(0, 8)}.`
    const { log, said } = await open({ topicPrefix })
    const place = { topic: `${topicPrefix}${sportsbookStatus.name}`, partition: hung }
    const hanging = await hang(place, `stranger-${randomUUID()}`)
    await log.append([rejected(1, 0), rejected(2, hung)])
    const { restored, committed, failure } = work(log, 'board')
    await expect.poll(() => committed).toEqual([0])
    await expect.poll(log.stuck).toEqual([{ ...place, forMs: expect.any(Number) }])
    await expect.poll(() => said('stands still')).toHaveLength(1)
    const [{ fields }] = said('stands still') as [Line]
    expect(fields).toMatchObject({ ...place, producerId: hanging.producerId })
    expect(fields.command).toMatch(
      /^kafka-transactions.sh --bootstrap-server 127.* abort --topic hang-.*sportsbook.* --partition 1 --start-offset \d+$/,
    )
    expect(Date.parse(String(fields.since))).toBeGreaterThan(0)

    // Longer than a transaction may stay open by itself, and no reader gives up.
    await expect.poll(() => log.stuck()[0]!.forMs).toBeGreaterThan(40_000)
    await log.append([rejected(3, 0), rejected(4, hung)])
    await expect.poll(() => committed).toEqual([0, 0])
    expect([restored, failure()]).toEqual([[0], null])
    expect(said('stands still')).toHaveLength(1)
    expect(await log.lagByPartition([feedRejected], 'board')).toEqual([0, 2])

    await hanging.abort()
    await expect.poll(() => committed).toEqual([0, 0, hung, hung])
    await expect.poll(log.stuck).toEqual([])
    expect(said('moves again')).toHaveLength(1)
    expect(await log.lag([feedRejected], 'board')).toBe(0)
  })

  test.each([
    ['that waits to be restored', sportsbookStatus],
    ['of what is read', feedRejected],
  ])(
    'of our own is ended by a pipeline once it is older than its time limit, in a partition %s',
    async (_where, topic) => {
      const topicPrefix = `hang-${randomUUID().slice(0, 8)}.`
      const { log, said } = await open({ topicPrefix })
      const place = { topic: `${topicPrefix}${topic.name}`, partition: hung }
      const transactionalId = `${topicPrefix}board-${hung}`
      const { producerId } = await hang(place, transactionalId)
      await log.append([rejected(1, 0), rejected(2, hung)])
      // An API joins no group, so it aborts nothing.
      await expect.poll(() => said('stands still')).toHaveLength(1)
      expect(said('stands still')[0]!.fields).toMatchObject({
        ...{ transactionalId, leftBecause: 'it is of no group that this process works for' },
      })
      const { committed } = work(log, 'board')
      await expect.poll(() => committed.toSorted()).toEqual([0, hung])
      expect(said('was ended')).toHaveLength(1)
      expect(said('was ended')[0]!.fields).toEqual({ ...place, producerId, transactionalId })
      await expect.poll(log.stuck).toEqual([])
    },
  )

  test('of our own waits for the right to end it, which is named, and holds up only its partition', async () => {
    const topicPrefix = `hang-${randomUUID().slice(0, 8)}.`
    const { log, said } = await open(await securedPipeline(topicPrefix))
    const place = { topic: `${topicPrefix}${sportsbookStatus.name}`, partition: hung }
    const transactionalId = `${topicPrefix}board-${hung}`
    const { producerId } = await hang(place, transactionalId)
    await log.append([rejected(1, 0), rejected(2, hung)])
    const { restored, committed, failure } = work(log, 'board')
    const reason = `User:${user} lacks the right Alter on the cluster `
    await expect.poll(() => said('stands still').at(-1)?.fields.leftBecause).toContain(reason)
    expect(said('stands still').at(-1)!.fields).toMatchObject({
      ...{ ...place, producerId, transactionalId },
      command: expect.stringMatching(
        / abort --topic hang-.*sportsbook.* --partition 1 --start-offset \d+$/,
      ),
    })
    await expect.poll(() => committed).toEqual([0])
    await log.append([rejected(3, 0)])
    await expect.poll(() => committed).toEqual([0, 0])
    expect([restored, failure()]).toEqual([[0], null])
    expect(said('was ended')).toEqual([])

    await grantAlter()
    await expect.poll(() => committed).toEqual([0, 0, hung])
    expect(said('was ended')[0]!.fields).toEqual({ ...place, producerId, transactionalId })
    await expect.poll(log.stuck).toEqual([])
  })

  test('in the offsets of a group is ended by the next holder of the partition', async () => {
    const topicPrefix = `hang-${randomUUID().slice(0, 8)}.`
    const { log, said } = await open({ topicPrefix })
    const place = { topic: `${topicPrefix}${feedRejected.name}`, partition: hung }
    const hanging = await hangOffsets(place, `${topicPrefix}board`)
    await log.append([rejected(1, 0), rejected(2, hung)])
    expect(await hanging.isHeld()).toBe(true)
    const { committed, failure } = work(log, 'board')
    await expect.poll(() => committed.toSorted()).toEqual([0, hung])
    expect([await hanging.isHeld(), failure()]).toEqual([false, null])
    expect(said('offsets of the partition are held')).toEqual([])
    expect(await log.lagByPartition([feedRejected], 'board')).toEqual([0, 0])
  })

  test('of an unused id is fenced before it is ended', async () => {
    const topicPrefix = `hang-${randomUUID().slice(0, 8)}.`
    const { log, said } = await open({ topicPrefix })
    const place = { topic: `${topicPrefix}${feedRejected.name}`, partition: hung }
    const hanging = await hang(place, `${topicPrefix}board-a feed of old`)
    const [before] = await hanging.open()
    work(log, 'board')
    await expect.poll(() => said('was ended')).toHaveLength(1)
    expect(await hanging.open()).toEqual([])
    expect(await hanging.epoch()).toBe(before!.producerEpoch + 1)
  })
})
