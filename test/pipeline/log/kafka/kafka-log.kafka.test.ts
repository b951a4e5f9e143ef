import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { SchemaRegistry } from '@kafkajs/confluent-schema-registry'
import type avro from 'avsc'
import { type Admin, ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { runEach } from '../../../../pipeline/async/run-each.ts'
import { createPartitioner, murmur2 } from '../../../../pipeline/log/kafka/codec.ts'
import { type KafkaLogConfig, openKafkaLog } from '../../../../pipeline/log/kafka/kafka-log.ts'
import { openReader } from '../../../../pipeline/log/kafka/reader.ts'
import type { PoisonRecord } from '../../../../pipeline/log/kafka/rows.ts'
import { compareCluster } from '../../../../pipeline/log/kafka/setup.ts'
import { openCommitter } from '../../../../pipeline/log/kafka/transactions.ts'
import {
  type Append,
  type Assignment,
  type Chunk,
  type Lease,
  type Log,
  type LogRecord,
  LogSetupError,
  LogUnavailableError,
  NotHolderError,
  type Position,
} from '../../../../pipeline/log/log.ts'
import { readConfig } from '../../../../pipeline/settings/config.ts'
import { createTopic, type Topic, topics } from '../../../../schemas/topics.ts'
import { batchesOfAll } from '../../../contracts/batches-of-all.ts'
import { logContract } from '../../../contracts/log.ts'
import '../../../kafka-setup.ts'

const kafka = inject('kafka')
const absent = 'reason' in kafka
const { brokers, registryUrl } = absent ? { brokers: [], registryUrl: '' } : kafka

const { feedRejected, sightings, sportsbookStatus } = topics
/** With the partitions of its input and never compacted, so that every record written can be counted. */
const outcomes: Topic = { ...feedRejected, name: 'outcomes' } as Topic

const ourTopics = [feedRejected, sightings, sportsbookStatus, outcomes]

const newPrefix = () => `test-${randomUUID().slice(0, 8)}.`

const openLog = (options: Partial<KafkaLogConfig> = {}) =>
  openKafkaLog({
    brokers,
    registryUrl,
    clientId: 'overround-test',
    partitions: 3,
    topics: ourTopics,
    sessionTimeoutMs: 2_000,
    ...options,
  })

const client = () => new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })

async function administer<Value>(work: (admin: Admin) => Promise<Value>) {
  const admin = client().admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

const deleteTopics = (prefix: string) =>
  administer(async (admin) => {
    const names = (await admin.listTopics()).filter((name) => name.startsWith(prefix))
    await admin.deleteTopics({ topics: names })
  })

const deleteTopic = (name: string) => administer((admin) => admin.deleteTopics({ topics: [name] }))

/** Compares the topics as `overround topics diff` does. @param applying not null: as `overround topics apply` */
async function topicsOn(prefix: string, applying: { anew?: boolean } | null = null) {
  const { kafka: settings } = readConfig({
    OVERROUND_KAFKA_BROKERS: brokers.join(','),
    OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
    OVERROUND_KAFKA_TOPIC_PREFIX: prefix,
    OVERROUND_KAFKA_PARTITIONS: '3',
  })
  const notes: string[] = []
  const note = (text: string) => notes.push(text)
  const options = { kafka: settings!, roles: [], principals: new Map(), topics: ourTopics }
  const all = await compareCluster({ ...options, ...applying, note }, applying !== null)
  return { found: all.filter(({ kind }) => kind === 'topic'), notes }
}

const status = (sportsbook: string, since: number, partition = 0): Append => ({
  topic: sportsbookStatus,
  partitionKey: partition,
  key: sportsbook,
  value: { sportsbook, status: 'up', since },
})

const rejected = (topic: Topic, number: number, partition = 0): Append => ({
  topic,
  partitionKey: partition,
  key: `key ${number}`,
  value: { sportsbook: 'book', code: 'bad', message: '', receivedAt: number, text: '' },
})

const numberOf = ({ value }: LogRecord) => (value as { receivedAt: number }).receivedAt
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const never = () => new AbortController().signal

async function contentOf(log: Log, topic: Topic) {
  const records: LogRecord[] = []
  const partitions = numbers(log.partitionCount)
  for await (const some of log.replay([topic], { partitions, signal: never() })) {
    records.push(...some)
  }
  return records
}

async function* batchesOf(log: Log, topic: Topic, group: string, signal: AbortSignal) {
  yield* batchesOfAll(log.join([topic], { group, signal }))
}

/** Reads `topic` with its own group until it has `count` records, and a little longer. */
async function readAll(log: Log, topic: Topic, count: number) {
  const controller = new AbortController()
  const records: LogRecord[] = []
  for await (const batch of batchesOf(log, topic, randomUUID(), controller.signal)) {
    records.push(...batch.records)
    await batch.commit([])
    if (records.length >= count) setTimeout(() => controller.abort(), 500)
  }
  return records
}

async function waitFor(condition: () => boolean | Promise<boolean>) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('the partition of a key', () => {
  test('follows from the hash that the Java client computes', () => {
    // Source: org.apache.kafka.common.utils.UtilsTest.testMurmur2
    expect(
      [
        '21',
        'foobar',
        'a-little-bit-long-string',
        'a-little-bit-longer-string',
        'lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8',
        'abc',
      ].map(murmur2),
    ).toEqual([-973932308, -790332482, -985981536, -1486304829, -58897971, 479470107])
  })

  test('can be named by its number, if it exists', () => {
    const partitionOf = createPartitioner(4)
    expect(partitionOf(3)).toBe(3)
    expect(() => partitionOf(4)).toThrow(RangeError)
    expect(() => partitionOf(-1)).toThrow(RangeError)
  })
})

describe.skipIf(absent)(`the Kafka log${'reason' in kafka ? ` (${kafka.reason})` : ''}`, () => {
  const opened: Log[] = []
  const prefixes: string[] = []

  async function open(options: Partial<KafkaLogConfig> = {}) {
    const topicPrefix = options.topicPrefix ?? newPrefix()
    const log = await openLog({ ...options, topicPrefix })
    opened.push(log)
    prefixes.push(topicPrefix)
    return { log, topicPrefix }
  }

  afterEach(async () => {
    for (const log of opened.splice(0)) await log.close()
    for (const prefix of new Set(prefixes.splice(0))) await deleteTopics(prefix)
  })

  logContract(
    'kafka',
    async () => {
      const topicPrefix = newPrefix()
      let log = await openLog({ topicPrefix })
      return {
        log,
        async reopen() {
          await log.close()
          log = await openLog({ topicPrefix })
          return log
        },
        async destroy() {
          await log.close()
          await deleteTopics(topicPrefix)
        },
      }
    },
    { wholeCommits: false, timeoutMs: 30_000 },
  )

  test('two members share the partitions, and when one leaves nothing is lost or doubled', async () => {
    const { log: first, topicPrefix } = await open({ partitions: 4 })
    const { log: second } = await open({ partitions: 4, topicPrefix })
    const owned: { first: number[]; second: number[] } = { first: [], second: [] }
    const lives: string[] = []
    let restarts = 0
    const stops = { first: new AbortController(), second: new AbortController() }
    const member = async (name: 'first' | 'second', log: Log) => {
      for (let starts = 1; ; starts++) {
        try {
          return await membership(name, log)
        } catch (error) {
          // A broker may fail at a commit. The process then ends, and starts again from the committed state.
          if (!(error instanceof LogUnavailableError) || starts === 3) throw error
          console.log(error)
          restarts++
        }
      }
    }
    const membership = async (name: 'first' | 'second', log: Log) => {
      const joining = { group: 'shared', signal: stops[name].signal, maxRecords: 20 }
      const copying = async ({ partition, batches }: Assignment) => {
        owned[name].push(partition)
        lives.push(`${name} ${partition}`)
        try {
          for await (const { records, commit } of batches) {
            await commit(
              records.map((record) => rejected(outcomes, numberOf(record), record.partition)),
            )
          }
        } finally {
          owned[name] = owned[name].filter((one) => one !== partition)
        }
      }
      const joined = (signal: AbortSignal) => log.join([feedRejected], { ...joining, signal })
      await runEach(joined, copying, joining.signal)
    }
    const running = [member('first', first)]
    await waitFor(() => owned.first.length === 4)
    let count = 0
    const feeding = setInterval(() => {
      const some = numbers(40).map((index) => rejected(feedRejected, count + index, index % 4))
      count += some.length
      void first.append(some)
    }, 20)
    running.push(member('second', second))
    await waitFor(() => owned.first.length === 2 && owned.second.length === 2)
    expect([...owned.first, ...owned.second].sort()).toEqual([0, 1, 2, 3])
    await new Promise((resolve) => setTimeout(resolve, 500))
    stops.first.abort()
    await waitFor(() => owned.second.length === 4)
    await new Promise((resolve) => setTimeout(resolve, 500))
    clearInterval(feeding)
    await first.append([])
    await waitFor(async () => (await second.lag([feedRejected], 'shared')) === 0)
    stops.second.abort()
    await Promise.all(running)
    // The first member kept two of its four partitions, and no partition was assigned twice.
    if (restarts === 0) expect(lives).toHaveLength(8)
    const written = (await readAll(second, outcomes, count)).map(numberOf)
    expect(written.sort((a, b) => a - b)).toEqual(numbers(count))
  })

  test('when a member is killed in mid-work, another ends its work exactly once', async () => {
    const { log, topicPrefix } = await open()
    const count = 6_000
    await log.append(numbers(count).map((index) => rejected(feedRejected, index, index % 3)))
    // A process of its own, so that it can be killed at once. It commits until then.
    const script = `
      import { openKafkaLog } from './pipeline/log/kafka/kafka-log.ts'
      import { topics } from './schemas/topics.ts'
      import { batchesOfAll } from './test/contracts/batches-of-all.ts'
      const outcomes = { ...topics.feedRejected, name: 'outcomes' }
      const log = await openKafkaLog({
        brokers: ${JSON.stringify(brokers)}, registryUrl: ${JSON.stringify(registryUrl)},
        clientId: 'victim', partitions: 3, topicPrefix: '${topicPrefix}', sessionTimeoutMs: 2000,
        topics: [topics.feedRejected, topics.sightings, topics.sportsbookStatus, outcomes],
      })
      const joining = { group: 'mortal', signal: new AbortController().signal, maxRecords: 20 }
      for await (const { records, commit } of batchesOfAll(log.join([topics.feedRejected], joining))) {
        await commit(records.map(({ partition, key, value }) =>
          ({ topic: outcomes, partitionKey: partition, key, value })))
        process.stdout.write('.')
      }`
    const victim = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let commits = 0
    victim.stdout.on('data', (dots: Buffer) => {
      commits += dots.length
      if (commits >= 20) victim.kill('SIGKILL')
    })
    await once(victim, 'exit')
    const left = await log.lag([feedRejected], 'mortal')
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(count)

    const controller = new AbortController()
    const ending = (async () => {
      for await (const batch of batchesOf(log, feedRejected, 'mortal', controller.signal)) {
        const { records, commit } = batch
        await commit(
          records.map((record) => rejected(outcomes, numberOf(record), record.partition)),
        )
      }
    })()
    await waitFor(async () => (await log.lag([feedRejected], 'mortal')) === 0)
    controller.abort()
    await ending
    const written = (await readAll(log, outcomes, count)).map(numberOf)
    expect(written.sort((a, b) => a - b)).toEqual(numbers(count))
  })

  test('a member whose partition was taken over commits nothing, and reads the batch again', async () => {
    const { log, topicPrefix } = await open({ partitions: 1 })
    await log.append(numbers(10).map((index) => rejected(feedRejected, index)))
    const controller = new AbortController()
    const joining = { group: 'fenced', signal: controller.signal }
    const seen: number[][] = []
    const written: boolean[] = []
    let assignments = 0
    for await (const { batches } of log.join([feedRejected], joining)) {
      assignments++
      for await (const { records, commit } of batches) {
        seen.push(records.map(numberOf))
        if (seen.length === 1) {
          const usurper = { group: `${topicPrefix}fenced`, share: '0' }
          await (await openCommitter(client(), usurper)).close()
        }
        written.push(await commit(records.map((record) => rejected(outcomes, numberOf(record)))))
        if (seen.length === 2) controller.abort()
      }
    }
    expect(assignments).toBe(2)
    expect(seen).toEqual([numbers(10), numbers(10)])
    expect(written).toEqual([false, true])
    expect((await readAll(log, outcomes, 10)).map(numberOf)).toEqual(numbers(10))
  })

  test('a commit that does not end holds up its successor, and no query for a figure', async () => {
    const { log, topicPrefix } = await open({ partitions: 1 })
    await log.append(numbers(10).map((index) => rejected(feedRejected, index)))
    const group = `${topicPrefix}stuck`
    // A broker that has just started has no group coordinator yet, and kafkajs would not wait for it.
    expect(await log.committed([feedRejected], 'stuck')).toEqual([0])
    const place = { topic: `${topicPrefix}${feedRejected.name}`, partition: 0 }
    const beginCommit = async (offset: number) => {
      const producer = client().producer({ transactionalId: randomUUID(), maxInFlightRequests: 1 })
      await producer.connect()
      const transaction = await producer.transaction()
      const partitions = [{ partition: 0, offset: String(offset) }]
      const topics = [{ topic: place.topic, partitions }]
      await transaction.sendOffsets({ consumerGroupId: group, topics })
      return async () => {
        await transaction.commit()
        await producer.disconnect()
      }
    }
    await (await beginCommit(2))()
    await waitFor(async () => (await log.lag([feedRejected], 'stuck')) === 8)
    const endCommit = await beginCommit(4)
    const reader = await openReader(client(), [place.topic])
    let goesOnFrom: readonly (number | null)[] = []
    const goingOn = reader.committed(group, [place], never()).then((offsets) => {
      goesOnFrom = offsets!
    })
    expect(await log.committed([feedRejected], 'stuck')).toEqual([2])
    expect(await log.lagByPartition([feedRejected], 'stuck')).toEqual([8])
    expect(await log.lag([feedRejected], 'stuck')).toBe(8)
    expect(goesOnFrom).toEqual([])
    await endCommit()
    await goingOn
    expect(goesOnFrom).toEqual([4])
    expect(await log.committed([feedRejected], 'stuck')).toEqual([4])
    expect(await log.lag([feedRejected], 'stuck')).toBe(6)
    await reader.close()
  })

  test('members share names evenly, and what one leaves goes to the others', async () => {
    const { log: first, topicPrefix } = await open()
    const { log: second } = await open({ topicPrefix })
    const names = ['a', 'b', 'c', 'd']
    const held = { first: [] as string[], second: [] as string[] }
    const stops = { first: new AbortController(), second: new AbortController() }
    const lease = (name: 'first' | 'second', log: Log) =>
      runEach(
        (signal) => log.lease(names, { group: 'feeds', signal }),
        async ({ name: one, ended }) => {
          held[name].push(one)
          await new Promise((resolve) => ended.addEventListener('abort', resolve))
          held[name] = held[name].filter((other) => other !== one)
        },
        stops[name].signal,
      )
    const running = [lease('first', first)]
    await waitFor(() => held.first.length === 4)
    running.push(lease('second', second))
    await waitFor(() => held.first.length === 2 && held.second.length === 2)
    expect([...held.first, ...held.second].sort()).toEqual(names)
    const kept = [...held.second]
    stops.first.abort()
    await waitFor(() => held.second.length === 4)
    expect(held.second.slice(0, 2)).toEqual(kept)
    expect([...held.second].sort()).toEqual(names)
    stops.second.abort()
    await Promise.all(running)
  })

  test('a former holder appends nothing, even where it has not noticed', async () => {
    const { log, topicPrefix } = await open({ partitions: 1 })
    const controller = new AbortController()
    const leases = log.lease(['feed'], { group: 'feeds', signal: controller.signal })
    const next = async () => (await leases[Symbol.asyncIterator]().next()).value as Lease
    const former = await next()
    await former.append([rejected(feedRejected, 1)])
    await (await openCommitter(client(), { group: `${topicPrefix}feeds`, share: 'feed' })).close()
    await expect(former.append([rejected(feedRejected, 2)])).rejects.toThrow(NotHolderError)
    expect(former.ended.aborted).toBe(true)
    await expect(former.append([rejected(feedRejected, 3)])).rejects.toThrow(NotHolderError)
    // The group still lists the name as ours, so it is taken over again after a while.
    const again = await next()
    await again.append([rejected(feedRejected, 4)])
    expect((await readAll(log, feedRejected, 2)).map(numberOf)).toEqual([1, 4])
    controller.abort()
  })

  test('a session shorter than the brokers allow is made as long as they want', async () => {
    const { log } = await open({ sessionTimeoutMs: 500 })
    await log.append([rejected(feedRejected, 1)])
    expect((await readAll(log, feedRejected, 1)).map(numberOf)).toEqual([1])
  })

  test('aborted transactions are invisible, interleaved ones too, and a replay ends after them', async () => {
    const seen: string[] = []
    const onPoison = ({ key }: PoisonRecord) => void seen.push(key)
    const { log, topicPrefix } = await open({ partitions: 1, onPoison })
    await log.append([status('before', 1)])
    const topic = `${topicPrefix}${sportsbookStatus.name}`
    const unreadable = (key: string) => [{ key, value: 'never decoded', partition: 0 }]
    const begin = async () => {
      const producer = client().producer({
        transactionalId: randomUUID(),
        maxInFlightRequests: 1,
        createPartitioner: () => () => 0,
      })
      await producer.connect()
      return { producer, transaction: await producer.transaction() }
    }
    const controller = new AbortController()
    const { signal } = controller
    const followed: string[] = []
    const following = (async () => {
      for await (const { records } of log.follow([sportsbookStatus], { signal })) {
        followed.push(...records.map(({ key }) => key))
      }
    })()
    const [one, other] = [await begin(), await begin()]
    for (let round = 0; round < 3; round++) {
      await one.transaction.send({ topic, messages: unreadable(`one ${round}`) })
      await other.transaction.send({ topic, messages: unreadable(`other ${round}`) })
    }
    await one.transaction.abort()
    await log.append([status('between', 2)])
    await waitFor(() => followed.length > 0)
    expect(followed).toEqual(['before'])
    await other.transaction.abort()
    await log.append([status('after', 3)])
    const last = await one.producer.transaction()
    await last.send({ topic, messages: unreadable('at the tail') })
    await last.abort()
    const late = await contentOf(log, sportsbookStatus)
    expect(late.map(({ key }) => key)).toEqual(['before', 'between', 'after'])
    await waitFor(() => followed.includes('after'))
    expect(followed).toEqual(['before', 'between', 'after'])

    // Resumes among the aborted records, where a reader may have stopped.
    const position = { epoch: log.epoch, offsets: { [sportsbookStatus.name]: [4] } }
    for await (const chunk of log.follow([sportsbookStatus], { signal, from: position })) {
      if (chunk.records.length === 0) continue
      expect(chunk.records.map(({ key }) => key)).toEqual(['between', 'after'])
      controller.abort()
    }
    await following
    expect(seen).toEqual([])
    await Promise.all([one, other].map(({ producer }) => producer.disconnect()))
  })

  test('a group skips unreadable records with a report, and is not behind afterwards', async () => {
    const poison: (PoisonRecord & { reason: string })[] = []
    const onPoison = (record: PoisonRecord, { message }: Error) =>
      void poison.push({ ...record, reason: message })
    const { log, topicPrefix } = await open({ partitions: 1, onPoison })
    const producer = client().producer({ createPartitioner: () => () => 0 })
    await producer.connect()
    const spoil = (topic: Topic, value: Buffer) =>
      producer.send({ topic: `${topicPrefix}${topic.name}`, messages: [{ key: 'bad', value }] })
    await log.append([rejected(feedRejected, 1)])
    await spoil(feedRejected, Buffer.from('plain text'))
    await spoil(feedRejected, Buffer.from([0, 0x7f, 0xff, 0xff, 0xff, 1]))
    await log.append([rejected(feedRejected, 2)])
    expect((await readAll(log, feedRejected, 2)).map(numberOf)).toEqual([1, 2])
    expect(poison.map(({ topic, offset, key }) => [topic, offset, key])).toEqual([
      [feedRejected, 1, 'bad'],
      [feedRejected, 2, 'bad'],
    ])
    expect(poison[1]!.reason).toMatch(/schema 2147483647 is not in the registry/)
    expect(log.undecodable().counts).toEqual(new Map([[feedRejected.name, 2]]))

    await spoil(feedRejected, Buffer.from('alone'))
    const controller = new AbortController()
    const reading = (async () => {
      for await (const { commit } of batchesOf(log, feedRejected, 'sick', controller.signal)) {
        await commit([])
      }
    })()
    await waitFor(async () => (await log.lag([feedRejected], 'sick')) === 0)
    await spoil(feedRejected, Buffer.from('alone again'))
    await waitFor(async () => (await log.lag([feedRejected], 'sick')) === 0 && poison.length === 6)
    controller.abort()
    await reading

    poison.length = 0
    await log.append([status('good', 1)])
    await spoil(sportsbookStatus, Buffer.from('bad'))
    expect((await contentOf(log, sportsbookStatus)).map(({ key }) => key)).toEqual(['good'])
    expect(poison).toHaveLength(1)
    await producer.disconnect()
  })

  test('a follower that begins late gets the newest of every key, once', async () => {
    const { log } = await open({ partitions: 3 })
    for (const round of numbers(4)) {
      await log.append(numbers(60).map((index) => status(`book-${index}`, 100 * round + index)))
    }
    await log.append(numbers(10).map((index) => ({ ...status(`book-${index}`, 0), value: null })))
    const records: LogRecord[] = []
    for await (const chunk of log.follow([sportsbookStatus], { signal: never() })) {
      records.push(...chunk.records)
      if (chunk.caughtUp) break
    }
    const since = ({ value }: LogRecord) => (value as { since: number } | null)?.since
    expect(records.map(({ key }) => key).sort()).toEqual(
      numbers(60)
        .slice(10)
        .map((index) => `book-${index}`)
        .sort(),
    )
    expect(records.every((record) => since(record)! >= 300)).toBe(true)
  })

  test('records of an older and of a newer schema are read as this one', async () => {
    const fields = [{ name: 'id', type: 'string' }]
    const note = { name: 'note', type: 'string', default: 'none' }
    const ofSchema = (all: object[]): Topic => {
      const schema = { type: 'record', name: 'Versioned', namespace: 'test', fields: all }
      return createTopic('versioned', schema as avro.Schema, 'compacted')
    }
    const [older, newer] = [ofSchema(fields), ofSchema([...fields, note])]
    const append = (topic: Topic, value: { id: string; note?: string }) => ({
      topic,
      partitionKey: 0,
      key: value.id,
      value,
    })
    const before = await open({ topics: [older] })
    await before.log.append([append(older, { id: 'old' })])
    const after = await open({ topics: [newer], topicPrefix: before.topicPrefix })
    await after.log.append([append(newer, { id: 'new', note: 'said' })])
    expect((await contentOf(after.log, newer)).map(({ value }) => value)).toEqual([
      { id: 'old', note: 'none' },
      { id: 'new', note: 'said' },
    ])
    expect((await contentOf(before.log, older)).map(({ value }) => value)).toEqual([
      { id: 'old' },
      { id: 'new' },
    ])

    const breaking = ofSchema([...fields, { name: 'required', type: 'string' }])
    const refused = openLog({ topics: [breaking], topicPrefix: before.topicPrefix })
    await expect(refused).rejects.toThrow(LogSetupError)
  })

  test.each([
    'BACKWARD',
    'BACKWARD_TRANSITIVE',
    'FORWARD',
    'FORWARD_TRANSITIVE',
    'FULL',
    'FULL_TRANSITIVE',
    'NONE',
  ])('a registry with the policy %s is accepted, and only NONE gets a warning', async (policy) => {
    const configUrl = `${registryUrl}/config`
    const { compatibilityLevel: before } = (await (await fetch(configUrl)).json()) as {
      compatibilityLevel: string
    }
    const set = (compatibility: string) =>
      fetch(configUrl, {
        method: 'PUT',
        headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
        body: JSON.stringify({ compatibility }),
      })
    const warnings: string[] = []
    const warn = (_fields: object, message: string) => void warnings.push(message)
    await set(policy)
    try {
      const fields = [{ name: 'id', type: 'string' }]
      const note = { name: 'note', type: 'string', default: 'none' }
      const ofSchema = (all: object[]): Topic => {
        const schema = { type: 'record', name: 'Versioned', namespace: 'test', fields: all }
        return createTopic('versioned', schema as avro.Schema, 'compacted')
      }
      const { topicPrefix } = await open({ topics: [ofSchema(fields)] })
      const logger = { debug() {}, info() {}, warn }
      await open({ topics: [ofSchema([...fields, note])], topicPrefix, logger })
    } finally {
      await set(before)
    }
    const ofPolicy = warnings.filter((message) => message.includes('compatibility'))
    expect(ofPolicy).toHaveLength(policy === 'NONE' ? 1 : 0)
  })

  test('a registry that has lost the schemas of existing records is refused, and gets no new one', async () => {
    const { topicPrefix, log } = await open({})
    await log.append([status('pinnacle', 1)])
    const ours = async () => {
      const subjects = (await (await fetch(`${registryUrl}/subjects`)).json()) as string[]
      return subjects.filter((subject) => subject.startsWith(topicPrefix))
    }
    const forgotten = await ours()
    expect(forgotten).toHaveLength(ourTopics.length)
    for (const subject of forgotten) {
      for (const query of ['', '?permanent=true']) {
        const url = `${registryUrl}/subjects/${subject}${query}`
        expect((await fetch(url, { method: 'DELETE' })).status).toBe(200)
      }
    }
    const refusal = new RegExp(
      `hold records \\(${topicPrefix}${sportsbookStatus.name}\\).*lost its data`,
    )
    await expect(openLog({ topicPrefix })).rejects.toThrow(refusal)
    await expect(topicsOn(topicPrefix, {})).rejects.toThrow(refusal)
    expect(await ours()).toEqual([])
  })

  test.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)(
    'records that brokers compress with %s are read as written',
    async (compression) => {
      const { log } = await open({ partitions: 1, compression })
      // Some compress well and some do not, in batches larger than any compression block.
      const text = (index: number) =>
        index % 2 === 0 ? 'x'.repeat(5_000) : randomBytes(3_000).toString('base64')
      const appends = numbers(120).map((index) => {
        const { value, ...rest } = rejected(feedRejected, index)
        return { ...rest, value: { ...(value as object), text: text(index) } }
      })
      for (let from = 0; from < appends.length; from += 40) {
        await log.append(appends.slice(from, from + 40))
      }
      const records = await readAll(log, feedRejected, appends.length)
      expect(records.map(({ value }) => value)).toEqual(appends.map(({ value }) => value))
    },
  )

  test('values are what the schema registry client itself would write', async () => {
    const { log, topicPrefix } = await open({ partitions: 1 })
    await log.append([status('book', 7)])
    const registry = new SchemaRegistry({ host: registryUrl })
    const consumer = client().consumer({ groupId: `${topicPrefix}other client` })
    await consumer.connect()
    await consumer.subscribe({
      topics: [`${topicPrefix}${sportsbookStatus.name}`],
      fromBeginning: true,
    })
    const value = await new Promise<Buffer>((resolve) => {
      void consumer.run({ eachMessage: async ({ message }) => resolve(message.value!) })
    })
    await consumer.disconnect()
    const row = { sportsbook: 'book', status: 'up', since: 7, audience: 'all' }
    expect({ ...(await registry.decode(value)) }).toEqual(row)
    const subject = `${topicPrefix}${sportsbookStatus.name}-value`
    const id = await registry.getLatestSchemaId(subject)
    expect((await registry.encode(id, row)).equals(value)).toBe(true)
  })

  test('a position older than the kept tombstones leads to a fresh replay', async () => {
    const { log, topicPrefix } = await open({ tombstonesKeptMs: 4_000 })
    const follow = async (from?: Position, by = log) => {
      const options = { signal: never(), ...(from && { from }) }
      for await (const chunk of by.follow([sportsbookStatus], options)) {
        if (chunk.caughtUp) return chunk
      }
      throw new Error('ended')
    }
    await log.append([status('one', 1)])
    const { position } = await follow()
    await new Promise((resolve) => setTimeout(resolve, 4_200))
    expect((await follow(position)).reset).toBe(false)
    await log.append([status('two', 2)])
    expect((await follow(position)).reset).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 4_200))
    expect((await follow(position)).records).toHaveLength(2)
    // The topics' settings count, not those given to another process.
    const { log: other } = await open({ topicPrefix })
    expect((await follow(position, other)).records).toHaveLength(2)
  })

  test('a partition that compaction has thinned out, or emptied, is read to its end', async () => {
    const { log, topicPrefix } = await open({ partitions: 1, tombstonesKeptMs: 1 })
    const admin = client().admin()
    await admin.connect()
    const hasty = {
      'segment.ms': 200,
      'min.cleanable.dirty.ratio': 0.001,
      'delete.retention.ms': 1,
    }
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: `${topicPrefix}${sportsbookStatus.name}`,
          configEntries: Object.entries({
            ...hasty,
            'cleanup.policy': 'compact',
            'max.compaction.lag.ms': 200,
          }).map(([name, value]) => ({ name, value: String(value) })),
        },
      ],
    })
    await admin.disconnect()
    const gone = { ...status('gone', 0), value: null }
    await log.append(numbers(30).map((index) => rejected(feedRejected, index)))
    const controller = new AbortController()
    const joining = { group: 'writer', signal: controller.signal, maxRecords: 1 }
    for await (const { batches } of log.join([feedRejected], joining)) {
      for await (const { records, commit } of batches) {
        const number = numberOf(records[0]!)
        // Each commit is its own batch, and compaction leaves little of most.
        await commit([status('kept', number), number % 2 ? gone : status('gone', number)])
        if (number === 29) controller.abort()
      }
    }
    const readEveryWay = async () => {
      const replayed = (await contentOf(log, sportsbookStatus)).map(({ key }) => key)
      let followed = 0
      for await (const chunk of log.follow([sportsbookStatus], { signal: never() })) {
        followed += chunk.records.length
        if (chunk.caughtUp) break
      }
      return { replayed, followed }
    }
    expect((await readEveryWay()).replayed).toEqual(['kept'])
    await new Promise((resolve) => setTimeout(resolve, 300))
    await log.append([{ ...status('kept', 0), value: null }])
    await waitFor(async () => {
      const { replayed, followed } = await readEveryWay()
      expect(replayed).toEqual([])
      return followed < 30
    })
    const reading = new AbortController()
    const group = (async () => {
      for await (const batch of batchesOf(log, sportsbookStatus, 'late', reading.signal)) {
        await batch.commit([])
      }
    })()
    await waitFor(async () => (await log.lag([sportsbookStatus], 'late')) === 0)
    reading.abort()
    await group
  })

  test('records whose time the brokers refuse are reported as the fault of a clock', async () => {
    const { log, topicPrefix } = await open({ partitions: 1 })
    await log.append([rejected(feedRejected, 1)])
    const admin = client().admin()
    await admin.connect()
    const setTime = async (topic: Topic) => {
      await admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: ConfigResourceTypes.TOPIC,
            name: `${topicPrefix}${topic.name}`,
            // By the brokers' clock every record is from the past.
            configEntries: [{ name: 'message.timestamp.before.max.ms', value: '0' }],
          },
        ],
      })
    }
    await setTime(outcomes)
    await setTime(sportsbookStatus)
    await admin.disconnect()
    const isRefused = async () => {
      const refusal = await log.append([status('book', 1)]).catch((error: Error) => error.message)
      return typeof refusal === 'string' ? refusal : ''
    }
    await expect.poll(isRefused).toMatch(/append to .*: .*the clock of this machine says \d{4}-/)
    let failure: unknown
    const committing = async () => {
      for await (const { commit } of batchesOf(log, feedRejected, 'late', never())) {
        await commit([rejected(outcomes, 1)])
      }
    }
    await committing().catch((error) => {
      failure = error
    })
    expect(failure).toBeInstanceOf(LogSetupError)
    expect((failure as Error).message).toMatch(/the clock of this machine says/)
  })

  test('a replay has a commit whole or not at all, also of a partition held by another', async () => {
    const other = { ...sportsbookStatus, name: 'other_status' } as typeof sportsbookStatus
    const options = { partitions: 1, topics: [feedRejected, sportsbookStatus, other] }
    const { log, topicPrefix } = await open(options)
    const { log: former } = await open({ ...options, topicPrefix })
    const count = 200
    await log.append(numbers(count).map((index) => rejected(feedRejected, index)))
    let committed = 0
    const lease = (async () => {
      const controller = new AbortController()
      const joining = { group: 'board', signal: controller.signal, maxRecords: 1 }
      for await (const batch of batchesOfAll(log.join([feedRejected], joining))) {
        const first = status('book', ++committed)
        await batch.commit([first, { ...first, topic: other }])
        if (committed === count) controller.abort()
      }
    })()
    await waitFor(() => committed > 1)
    const torn: number[][] = []
    while (committed < count) {
      const since: number[] = []
      const asked = { partitions: [0], signal: never() }
      for await (const records of former.replay([sportsbookStatus, other], asked)) {
        for (const { value } of records) since.push((value as { since: number }).since)
      }
      if (since[0] !== since[1]) torn.push(since)
    }
    expect(torn).toEqual([])
    await lease
  })

  test('processes that open a new log at once agree on its epoch', async () => {
    const topicPrefix = newPrefix()
    const logs = await Promise.all(numbers(3).map(() => open({ topicPrefix })))
    const later = await open({ topicPrefix })
    const epochs = [...logs, later].map(({ log }) => log.epoch)
    expect(new Set(epochs).size).toBe(1)
    expect(new Set([...logs, later].map(({ log }) => log.secret)).size).toBe(1)
    expect((await open()).log.epoch).not.toBe(epochs[0])
  })

  test('large records and large appends arrive', async () => {
    const { log } = await open({ partitions: 1 })
    const text = 'x'.repeat(3_000_000)
    const value = { sportsbook: 'b', code: 'c', message: '', receivedAt: 0, text }
    const large = { topic: feedRejected, partitionKey: 0, key: 'large', value }
    const small = numbers(20_000).map((index) => rejected(feedRejected, index))
    await log.append([...small, large, ...small])
    const records = await readAll(log, feedRejected, 40_001)
    expect(records).toHaveLength(40_001)
    expect((records[20_000]!.value as { text: string }).text.length).toBe(text.length)
  })

  test('a topic with another number of partitions is refused', async () => {
    const { topicPrefix } = await open({ partitions: 2 })
    await expect(openLog({ topicPrefix, partitions: 5 })).rejects.toThrow(
      /sightings: partitions is 2, not 5/,
    )
  })

  test('a topic may have more partitions than are used, until one of these has a record', async () => {
    const { topicPrefix, log } = await open({ partitions: 2 })
    await log.append([status('pinnacle', 1)])
    const topic = `${topicPrefix}${sportsbookStatus.name}`
    await administer((admin) => admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] }))
    const warned: object[] = []
    const warn = (fields: object) => warned.push(fields)
    const logger = { debug() {}, info() {}, warn }
    const opened = await open({ topicPrefix, partitions: 2, logger })
    expect(await contentOf(opened.log, sportsbookStatus)).toHaveLength(1)
    expect(warned).toContainEqual(
      expect.objectContaining({ setting: 'partitions', is: '3', wanted: '2', topics: [topic] }),
    )
    const producer = client().producer()
    await producer.connect()
    await producer.send({ topic, messages: [{ partition: 2, key: 'pinnacle', value: null }] })
    await producer.disconnect()
    await expect(openLog({ topicPrefix, partitions: 2 })).rejects.toThrow(
      /sportsbook-status: partitions is 3, not 2: the others have had records/,
    )
  })

  test('another number of partitions is refused, also where every topic has been given it', async () => {
    const { topicPrefix } = await open({ partitions: 2 })
    await administer(async (admin) => {
      const names = (await admin.listTopics()).filter((name) => name.startsWith(topicPrefix))
      const grown = names.filter((name) => name !== `${topicPrefix}meta`)
      const topicPartitions = grown.map((topic) => ({ topic, count: 4 }))
      await admin.createPartitions({ topicPartitions })
    })
    // New partitions have no leader for a moment.
    const opened = (partitions: number) =>
      open({ topicPrefix, partitions }).then(
        () => 'opened',
        ({ message }: Error) => message,
      )
    await expect
      .poll(() => opened(4))
      .toMatch(/spread over 2 partitions, and OVERROUND_KAFKA_PARTITIONS is 4/)
    await expect.poll(() => opened(2)).toBe('opened')
  })

  test('the number of partitions that a log keeps is compared as a start compares it', async () => {
    const { topicPrefix } = await open({ partitions: 2 })
    await administer(async (admin) => {
      const names = (await admin.listTopics()).filter((name) => name.startsWith(topicPrefix))
      const grown = names.filter((name) => name !== `${topicPrefix}meta`)
      const topicPartitions = grown.map((topic) => ({ topic, count: 3 }))
      await admin.createPartitions({ topicPartitions })
    })
    // New partitions have no leader for a moment.
    const refused = (applying: object | null) =>
      topicsOn(topicPrefix, applying).then(
        ({ found }) => found.filter(({ gravity }) => gravity === 'refused'),
        ({ message }: Error) => message,
      )
    for (const applying of [null, {}]) {
      await expect
        .poll(() => refused(applying))
        .toMatchObject([
          { name: `${topicPrefix}meta`, setting: 'kept partitions', is: '2', wanted: '3' },
        ])
    }
    const { topicPrefix: other } = await open({ partitions: 3 })
    expect((await topicsOn(other)).found.filter(({ gravity }) => gravity === 'refused')).toEqual([])
  })

  test('a topic that was deleted from a log in use is not made anew unasked', async () => {
    const { topicPrefix, log } = await open()
    await log.append([status('pinnacle', 1)])
    const topic = `${topicPrefix}${sportsbookStatus.name}`
    await deleteTopic(topic)
    const refusal = /sportsbook-status: it was deleted from a log in use/
    for (const setup of ['create', 'check'] as const) {
      await expect(openLog({ topicPrefix, setup })).rejects.toThrow(refusal)
    }
    const { found } = await topicsOn(topicPrefix)
    expect(found).toEqual([
      expect.objectContaining({ name: topic, setting: 'gone topic', gravity: 'refused' }),
    ])
    await expect(topicsOn(topicPrefix, {})).rejects.toThrow(
      /log in use, and their records with them: \S+sportsbook-status\. Nothing was changed/,
    )
    expect((await topicsOn(topicPrefix, { anew: true })).found).toEqual([])
    const { log: again } = await open({ topicPrefix })
    expect(again.epoch).toBe(log.epoch)
    expect(await contentOf(again, sportsbookStatus)).toEqual([])
    // Without its identity the log is another one, and makes what it lacks.
    for (const name of [topic, `${topicPrefix}meta`]) await deleteTopic(name)
    // A broker may list it for a moment still. Then the log is away, and a service opens it again.
    const another = await open({ topicPrefix }).catch((error) => {
      if (!(error instanceof LogUnavailableError)) throw error
      return open({ topicPrefix })
    })
    expect(another.log.epoch).not.toBe(log.epoch)
  })

  test('work moves and goes on while another topic is deleted, whose follower begins again when it is made anew', async () => {
    const { topicPrefix, log } = await open({ topicsEveryMs: 100 })
    const { log: other } = await open({ topicPrefix })
    const topic = `${topicPrefix}${sportsbookStatus.name}`
    await log.append([status('pinnacle', 1)])
    const chunks: Chunk[] = []
    const stop = new AbortController()
    const following = (async () => {
      for await (const chunk of log.follow([sportsbookStatus], { signal: stop.signal })) {
        chunks.push(chunk)
      }
    })()
    const done: number[] = []
    async function work(by: Log, signal: AbortSignal) {
      for await (const { records, commit } of batchesOf(by, feedRejected, 'work', signal)) {
        await commit(records.map((record) => rejected(outcomes, numberOf(record))))
        done.push(...records.map(numberOf))
      }
    }
    const first = new AbortController()
    const firstWork = work(log, first.signal)
    await log.append([rejected(feedRejected, 1)])
    await waitFor(() => done.length === 1 && chunks.at(-1)?.caughtUp === true)

    await deleteTopic(topic)
    await expect
      .poll(() => log.topicFaults())
      .toEqual([expect.objectContaining({ topic, setting: 'gone topic' })])
    first.abort()
    await firstWork
    const secondWork = work(other, stop.signal)
    await log.append([rejected(feedRejected, 2)])
    await waitFor(() => done.length === 2)
    expect(done).toEqual([1, 2])

    await topicsOn(topicPrefix, { anew: true })
    await expect.poll(() => chunks.map(({ reset }) => reset)).toEqual([true, true])
    await log.append([status('pinnacle', 2)])
    await waitFor(() => chunks.at(-1)!.records.length === 1)
    expect(chunks.map(({ records }) => records.length)).toEqual([1, 0, 1])
    await expect.poll(() => log.topicFaults()).toEqual([])
    stop.abort()
    await Promise.all([following, secondWork])
  })

  test('a cleanup policy that is changed in a running log is told, and when it is set back, what is not', async () => {
    const lines: (readonly [string, object])[] = []
    const note = (fields: object, message: string) => lines.push([message, fields])
    const logger = { debug() {}, info: note, warn: note }
    const { topicPrefix, log } = await open({ topicsEveryMs: 100, logger })
    const name = `${topicPrefix}${sportsbookStatus.name}`
    const configEntries = [
      { name: 'cleanup.policy', value: 'delete' },
      { name: 'retention.ms', value: '60000' },
    ]
    const resources = [{ type: ConfigResourceTypes.TOPIC, name, configEntries }]
    await administer((admin) => admin.alterConfigs({ validateOnly: false, resources }))
    const why =
      'rows that do not change are deleted by age, and do not come back when it is set back'
    const fault = { topic: name, setting: 'cleanup.policy', is: 'delete', wanted: 'compact', why }
    await expect.poll(() => log.topicFaults()).toEqual([expect.objectContaining(fault)])
    expect(lines).toContainEqual(['a topic in use was deleted or changed', fault])
    expect((await topicsOn(topicPrefix, {})).notes).toEqual([
      `${name}: cleanup.policy was delete: ${why}`,
    ])
    await expect.poll(() => log.topicFaults()).toEqual([])
    expect(lines).toContainEqual([
      'a topic is as wanted again; what it lost is not back',
      { topic: name, setting: 'cleanup.policy', why },
    ])
  })

  test('a table whose records are deleted under a follower is read again, with what is left of it', async () => {
    const warnings: string[] = []
    const note = (_fields: object, message: string) => warnings.push(message)
    const logger = { debug() {}, info() {}, warn: note }
    const { topicPrefix, log } = await open({ logger })
    const topic = `${topicPrefix}${sportsbookStatus.name}`
    await log.append([status('before', 1)])
    const stop = new AbortController()
    const chunks = log.follow([sportsbookStatus], { signal: stop.signal })
    const following = chunks[Symbol.asyncIterator]()
    const read = async () => {
      const { value } = await following.next()
      const { reset, records } = value as Chunk
      return { reset, keys: records.map(({ key }) => key) }
    }
    expect(await read()).toEqual({ reset: true, keys: ['before'] })

    await log.append([status('deleted', 2)])
    await administer(async (admin) => {
      const ends = await admin.fetchTopicOffsets(topic)
      const offset = ends.find(({ partition }) => partition === 0)!.high
      const partitions = [{ partition: 0, offset }]
      const deleting = () => admin.deleteTopicRecords({ topic, partitions })
      // Brokers delete nothing of a table before its policy is changed.
      await expect(deleting()).rejects.toThrow()
      const configEntries = [{ name: 'cleanup.policy', value: 'compact,delete' }]
      const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries }]
      await admin.alterConfigs({ validateOnly: false, resources })
      await expect
        .poll(() =>
          deleting().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
    })
    await log.append([status('after', 3)])
    expect(await read()).toEqual({ reset: true, keys: ['after'] })
    expect(warnings).toContain('followed records are gone; reading everything again')
    stop.abort()
    await following.return?.()
  })

  test.each([
    ['that is right', 0],
    ['100 s ahead', 100_000],
    ['two hours behind', -7_200_000],
  ])('a clock %s is compared with the broker', async (_what, aheadMs) => {
    const compared = { clock: () => Date.now() + aheadMs, group: 'feeds' }
    const { log } = await open({ compared })
    await expect.poll(log.clockDifferenceMs).not.toBeNull()
    // It is known within the time of a request.
    expect(Math.abs(log.clockDifferenceMs()! - aheadMs)).toBeLessThan(90_000)
    if (aheadMs === 0) expect(Math.abs(log.clockDifferenceMs()!)).toBeLessThan(5_000)
    else expect(Math.sign(log.clockDifferenceMs()!)).toBe(Math.sign(aheadMs))
    // Members of the group go on, and nothing hangs.
    const stop = new AbortController()
    for await (const lease of log.lease(['clock'], { group: 'feeds', signal: stop.signal })) {
      await lease.append([status('book', 1)])
      stop.abort()
    }
    expect(await contentOf(log, sportsbookStatus)).toHaveLength(1)
  })

  test('without brokers or registry there is no log, and the error names it', async () => {
    const nobody = ['127.0.0.1:1']
    await Promise.all([
      expect(openLog({ brokers: nobody })).rejects.toThrow(LogUnavailableError),
      expect(openLog({ registryUrl: 'http://127.0.0.1:1' })).rejects.toThrow(LogUnavailableError),
    ])
  })
})
