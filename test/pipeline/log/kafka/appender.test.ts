/** An appender over brokers in memory; `kafka-log.kafka.test.ts` tests it with a broker. */

import type { Cluster, Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { isRefused } from '../../../../pipeline/log/kafka/append-round.ts'
import { createAppender } from '../../../../pipeline/log/kafka/appender.ts'
import { silent } from '../../../../pipeline/log/kafka/connection.ts'
import { createOutageWatch } from '../../../../pipeline/log/kafka/outage-watch.ts'
import {
  readRecords,
  type StoredRecord,
  storedBatches,
} from '../../../../pipeline/log/kafka/record-batch.ts'
import { createRefusedWrites } from '../../../../pipeline/log/kafka/refused-writes.ts'
import { wireBody, wireReader } from '../../../../pipeline/log/kafka/wire.ts'
import { LogSetupError, LogUnavailableError } from '../../../../pipeline/log/log.ts'
import { ledBy } from './fake-leaders.ts'

const topic = 'feed.odds'
const messageTooLarge = 10
const topicDenied = 29
const invalidTimestamp = 32
const outOfOrder = 45

interface Exchange {
  readonly request: { encode(): Promise<{ buf: Buffer }> }
  readonly response: { decode(payload: Buffer): Promise<unknown> }
}

/** A partition that accepts batches by their sequence, as brokers do for a producer without transactions. */
function createPartition() {
  const keys: string[] = []
  /** The sequence that follows, by producer. */
  const next = new Map<number, number>()
  const partition = {
    keys,
    /** The most bytes of a batch. */
    limit: Number.POSITIVE_INFINITY,
    /** @returns Kafka's error code */
    append(bytes: Buffer): number {
      if (bytes.length > partition.limit) return messageTooLarge
      const [batch] = storedBatches(bytes)
      const records: StoredRecord[] = []
      readRecords(batch!, 0, records)
      const firstSequence = bytes.readInt32BE(53)
      const expected = next.get(batch!.producerId) ?? 0
      if (firstSequence + records.length === expected) return 0
      if (firstSequence !== expected) return outOfOrder
      next.set(batch!.producerId, expected + records.length)
      for (const { key } of records) keys.push(key)
      return 0
    },
  }
  return partition
}

/** A cluster whose partition 0 has leader 1, and partition 1 leader 2, until metadata tells of another. */
function createCluster() {
  const partitions = [createPartition(), createPartition()]
  const leaders = ['1', '2']
  let producers = 0
  /** Runs before a broker appends a request; what it throws fails the request. */
  const before = { append: async (_nodeId: string) => {} }
  /** Runs after a broker has appended; what it throws is the lost response. */
  const after = { append: async (_nodeId: string) => {} }
  const refreshed = { run: () => {} }

  async function send(nodeId: string, { request, response }: Exchange) {
    await before.append(nodeId)
    const { int16, int32, bytes } = wireReader((await request.encode()).buf)
    bytes(int16()) // no transactional id
    bytes(2 + 4) // acknowledgements, timeout
    const outcomes: { partition: number; errorCode: number }[] = []
    for (let topics = int32(); topics > 0; topics--) {
      bytes(int16())
      for (let some = int32(); some > 0; some--) {
        const partition = int32()
        outcomes.push({ partition, errorCode: partitions[partition]!.append(bytes(int32())) })
      }
    }
    await after.append(nodeId)
    const answer = wireBody((to) => {
      to.int32(1)
      to.text(topic)
      to.int32(outcomes.length)
      for (const { partition, errorCode } of outcomes) {
        to.int32(partition)
        to.int16(errorCode)
        to.bytes(Buffer.alloc(24))
      }
    })
    return response.decode(answer)
  }

  const cluster: Partial<Cluster> = {
    connect: async () => {},
    disconnect: async () => {},
    addMultipleTargetTopics: async () => {},
    refreshMetadata: async () => refreshed.run(),
    getNodeIds: () => ['1', '2'] as never,
    ...ledBy((partition) => Number(leaders[partition] ?? -1)),
    findBroker: async ({ nodeId }) =>
      ({
        initProducerId: async () => ({ producerId: String(++producers), producerEpoch: 0 }),
        connectionPool: { send: (exchange: Exchange) => send(nodeId, exchange) },
      }) as never,
  }
  return { cluster, partitions, leaders, before, after, refreshed }
}

function appenderOver(cluster: Partial<Cluster>, refusedWrites = createRefusedWrites(silent)) {
  /** Passes its cluster to partition assigners as kafkajs does. */
  const kafka = {
    consumer({
      partitionAssigners: [assigner],
    }: {
      partitionAssigners: ((of: object) => object)[]
    }) {
      assigner!({ cluster })
      return {}
    },
  } as unknown as Kafka
  return createAppender({
    kafka,
    outages: createOutageWatch({ logger: { info() {}, warn() {} } }),
    refusedWrites,
    withinMs: Number.POSITIVE_INFINITY,
    queueOf: () => 'feeds',
  })
}

const record = (partition: number, key: string, bytes = key.length) => ({
  ...{ topic, partition, key },
  value: Buffer.alloc(bytes),
})

/** Appends in one round: behind a first append, which takes a round of its own. @returns whether each was accepted */
async function inOneRound(
  appender: ReturnType<typeof appenderOver>,
  ...appends: ReturnType<typeof record>[][]
) {
  const first = appender.append([record(0, 'first')])
  const others = await Promise.allSettled(appends.map((records) => appender.append(records)))
  await first
  return others.map(({ status }) => status === 'fulfilled')
}

it('a record is written once where another leader fails while it is written', async () => {
  const { cluster, partitions, before } = createCluster()
  let isAway = true
  let fail = () => {}
  const failed = new Promise<void>((resolve) => {
    fail = resolve
  })
  before.append = async (nodeId) => {
    // Broker 1 appends once broker 2 has failed.
    if (nodeId === '1') return failed
    if (!isAway) return
    isAway = false
    fail()
    throw new Error('refused')
  }
  const appender = appenderOver(cluster)
  await appender.append([record(0, 'nba'), record(1, 'nfl')])
  await appender.append([record(0, 'mlb'), record(1, 'nhl')])
  expect(partitions.map(({ keys }) => keys)).toEqual([
    ['nba', 'mlb'],
    ['nfl', 'nhl'],
  ])
  await appender.close()
})

it('a record whose acknowledgement is lost is written once, and those behind it in order', async () => {
  const { cluster, partitions, after } = createCluster()
  let lost = 0
  after.append = async () => {
    if (lost++ % 2 === 0) throw new Error('the response is lost')
  }
  const appender = appenderOver(cluster)
  const keys = Array.from({ length: 10 }, (_, index) => `key ${index}`)
  await Promise.all(keys.map((key) => appender.append([record(0, key)])))
  expect(partitions[0]!.keys).toEqual(keys)
  await appender.close()
})

it('asks who leads after a leader that does not answer', async () => {
  const { cluster, partitions, leaders, before, refreshed } = createCluster()
  before.append = async (nodeId) => {
    if (nodeId === '2') throw new Error('Request Produce timed out')
  }
  refreshed.run = () => {
    leaders[1] = '1'
  }
  const appender = appenderOver(cluster)
  await appender.append([record(0, 'nba'), record(1, 'nfl')])
  expect(partitions.map(({ keys }) => keys)).toEqual([['nba'], ['nfl']])
  await appender.close()
})

it('goes on as another producer where the broker expects another sequence', async () => {
  const { cluster, partitions } = createCluster()
  const appender = appenderOver(cluster)
  await appender.append([record(0, 'nba')])
  const { append } = partitions[0]!
  let refusals = 0
  partitions[0]!.append = (bytes) => (refusals++ === 0 ? outOfOrder : append(bytes))
  await appender.append([record(0, 'mlb'), record(1, 'nfl')])
  await appender.append([record(0, 'nhl'), record(1, 'wnba')])
  expect(partitions.map(({ keys }) => keys)).toEqual([
    ['nba', 'mlb', 'nhl'],
    ['nfl', 'wnba'],
  ])
  await appender.close()
})

it('fails the append whose record is too large, and writes the others of its round', async () => {
  const { cluster, partitions } = createCluster()
  partitions[0]!.limit = 1_000_000
  const appender = appenderOver(cluster)
  const accepted = await inOneRound(
    appender,
    [record(0, 'nba 1')],
    [record(0, 'too large', 2_000_000), record(0, 'behind it')],
    [record(1, 'nfl')],
    [record(0, 'nba 2')],
  )
  await appender.append([record(0, 'nba 3')])
  expect(accepted).toEqual([true, false, true, true])
  expect(partitions.map(({ keys }) => keys)).toEqual([
    ['first', 'nba 1', 'nba 2', 'nba 3'],
    ['nfl'],
  ])
  await appender.close()
})

it('finds the append that a batch of many is refused for, and keeps the order of the others', async () => {
  const { cluster, partitions } = createCluster()
  partitions[0]!.limit = 10_000
  const { append } = partitions[0]!
  const answered = new Set<number>()
  partitions[0]!.append = (bytes) => {
    const code = append(bytes)
    answered.add(code)
    return code
  }
  const appender = appenderOver(cluster)
  const keys = Array.from({ length: 9 }, (_, index) => `key ${index}`)
  const appends = keys.map((key) => [record(0, key, 2_000), record(0, `${key}, again`, 2_000)])
  appends.splice(5, 0, [record(0, 'small'), record(0, 'large', 20_000)])
  const accepted = await inOneRound(appender, ...appends)
  expect(accepted).toEqual(appends.map((_, index) => index !== 5))
  // No sequence is missing after a refusal.
  expect([...answered]).toEqual([0, messageTooLarge])
  expect(partitions[0]!.keys).toEqual(['first', ...keys.flatMap((key) => [key, `${key}, again`])])
  await appender.close()
})

it('goes on with what is not acknowledged, unchanged, beside a refused record', async () => {
  const { cluster, partitions, after } = createCluster()
  partitions[0]!.limit = 1_000
  let isLost = false
  after.append = async (nodeId) => {
    if (nodeId !== '2' || isLost) return
    isLost = true
    throw new Error('the response is lost')
  }
  const appender = appenderOver(cluster)
  const accepted = await inOneRound(appender, [record(0, 'large', 2_000)], [record(1, 'nfl')])
  await appender.append([record(0, 'nba'), record(1, 'nhl')])
  expect(accepted).toEqual([false, true])
  expect(partitions.map(({ keys }) => keys)).toEqual([
    ['first', 'nba'],
    ['nfl', 'nhl'],
  ])
  await appender.close()
})

it('fails each append with a record where a right is missing, asking once', async () => {
  const { cluster, partitions } = createCluster()
  let asked = 0
  partitions[1]!.append = () => {
    asked++
    return topicDenied
  }
  const appender = appenderOver(cluster)
  const accepted = await inOneRound(
    appender,
    [record(1, 'nfl')],
    [record(0, 'nba')],
    [record(1, 'nhl'), record(0, 'mlb')],
  )
  expect(accepted).toEqual([false, true, false])
  expect(asked).toBe(1)
  expect(partitions[0]!.keys).toEqual(['first', 'nba', 'mlb'])
  await appender.close()
})

it.each([
  [
    'a right is missing',
    topicDenied,
    /^append to feeds: .* lacks the right Write on the topic feed/,
  ],
  ['our clock is wrong', invalidTimestamp, /^append to feeds: the brokers refuse the time of our/],
])('where %s it says so, until a record of the topic is written', async (_what, code, reason) => {
  const { cluster, partitions } = createCluster()
  const refusedWrites = createRefusedWrites(silent)
  const appender = appenderOver(cluster, refusedWrites)
  const { append } = partitions[0]!
  partitions[0]!.append = () => code
  const refused = appender.append([record(0, 'nba')])
  await expect(refused).rejects.toThrow(LogSetupError)
  await expect(refused).rejects.toThrow(reason)
  expect(refusedWrites.longest()?.reason).toMatch(reason)
  partitions[0]!.append = append
  await appender.append([record(0, 'mlb')])
  expect(refusedWrites.longest()).toBeNull()
  await appender.close()
})

it('a record that is too large is no fault of the set-up', async () => {
  const { cluster, partitions } = createCluster()
  partitions[0]!.limit = 1_000
  const refusedWrites = createRefusedWrites(silent)
  const appender = appenderOver(cluster, refusedWrites)
  await expect(appender.append([record(0, 'large', 2_000)])).rejects.toThrow(LogUnavailableError)
  expect(refusedWrites.longest()).toBeNull()
  await appender.close()
})

it('a record is written while a partition of its round has no leader, and the other once it has one', async () => {
  const { cluster, partitions, leaders, refreshed } = createCluster()
  leaders[1] = '-1'
  const before: string[][] = []
  refreshed.run = () => {
    before.push(...partitions.map(({ keys }) => [...keys]))
    leaders[1] = '2'
  }
  const appender = appenderOver(cluster)
  await appender.append([record(0, 'nba'), record(1, 'nfl')])
  expect(before).toEqual([['nba'], []])
  expect(partitions.map(({ keys }) => keys)).toEqual([['nba'], ['nfl']])
  await appender.close()
})

it('repeats what may pass, and not what is a bug of ours', () => {
  expect(isRefused(new Error('connection lost'))).toBe(false)
  expect(isRefused(new Error('attempt 3', { cause: new RangeError('out of range') }))).toBe(true)
})
