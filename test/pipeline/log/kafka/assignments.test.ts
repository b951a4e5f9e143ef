/** An assignment over fake connections; `kafka-log.kafka.test.ts` tests it with a broker. */

import type { Cluster, Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { openAssignment } from '../../../../pipeline/log/kafka/assignments.ts'
import type { Reader } from '../../../../pipeline/log/kafka/reader.ts'
import { encodeRecordBatch } from '../../../../pipeline/log/kafka/record-batch.ts'
import { wireBody, wireReader } from '../../../../pipeline/log/kafka/wire.ts'
import type { Batch } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'
import { ledBy } from './fake-leaders.ts'

/** The only partition, whose leader answers a fetch with one record, or refuses an offset that it does not have. */
const log = { start: 0, end: 0 }

const outOfRange = 1

const leader = {
  connectionPool: {
    async send({ request, response }: Exchange) {
      // As a network does, it lets others work.
      await new Promise(setImmediate)
      const { int16, bytes, int32, int64 } = wireReader((await request.encode()).buf)
      bytes(4 + 4 + 4 + 4 + 1 + 4 + 4 + 4) // to the first topic
      const topic = bytes(int16()).toString()
      bytes(4 + 4) // one partition
      int32() // epoch
      const offset = int64()

      const isThere = offset >= log.start && offset <= log.end
      const answer = wireBody((to) => {
        to.int32(0) // throttled
        to.int16(0)
        to.int32(0) // session
        to.int32(1)
        to.text(topic)
        to.int32(1)
        to.int32(0) // partition
        to.int16(isThere ? 0 : outOfRange)
        to.int64(log.end)
        to.int64(log.end)
        to.int64(log.start)
        to.int32(-1) // aborted transactions
        const batch = isThere && offset < log.end ? batchAt(offset) : Buffer.alloc(0)
        to.int32(batch.length)
        to.bytes(batch)
      })
      return response.parse(await response.decode(answer))
    },
  },
}

interface Exchange {
  readonly request: { encode(): Promise<{ buf: Buffer }> }
  readonly response: {
    decode(payload: Buffer): Promise<unknown>
    parse(decoded: unknown): Promise<unknown>
  }
}

function batchAt(offset: number) {
  const bytes = encodeRecordBatch([{ key: `record ${offset}`, value: null }], {
    ...{ producerId: '1', producerEpoch: 0, firstSequence: 0, isInTransaction: false },
    timestamp: 0,
  })
  bytes.writeBigInt64BE(BigInt(offset), 0)
  return bytes
}

/** A control reader of a group that has read up to `committed`. */
const controlAt = (committed: number): Partial<Reader> => ({
  renew: async () => {},
  committed: async () => [committed],
  offsets: async (_, at) => [at === 'start' ? log.start : log.end],
})

/** Returns the offsets of the next batch. */
async function nextOffsets(batches: AsyncIterator<Batch>) {
  const { value } = await batches.next()
  return (value as Batch).records.map(({ offset }) => offset)
}

/** A coordinator that lets any process commit, and the offset that was committed last. */
const group = { committed: null as string | null }
const coordinator = {
  initProducerId: async () => ({ producerId: '1', producerEpoch: 0 }),
  addOffsetsToTxn: async () => {},
  async txnOffsetCommit({ topics }: { topics: { partitions: { offset: string }[] }[] }) {
    group.committed = topics[0]!.partitions[0]!.offset
  },
  endTxn: async () => {},
}

/** A cluster with one broker. */
const cluster: Partial<Cluster> = {
  connect: async () => {},
  disconnect: async () => {},
  addMultipleTargetTopics: async () => {},
  refreshMetadata: async () => {},
  getNodeIds: () => [],
  ...ledBy(() => 1),
  findBroker: async () => leader as never,
  findGroupCoordinator: async () => coordinator as never,
}

/** Passes a cluster to partition assigners as kafkajs does. */
const kafkaOf = (cluster: Partial<Cluster>) =>
  ({
    consumer({
      partitionAssigners: [assigner],
    }: {
      partitionAssigners: ((of: object) => object)[]
    }) {
      assigner!({ cluster })
      return {}
    },
  }) as unknown as Kafka

/** @param clusters its own connections, and those that it shares with others */
async function openWith(
  control: Partial<Reader>,
  ended: AbortSignal,
  { own = cluster, shared = cluster }: { own?: Partial<Cluster>; shared?: Partial<Cluster> } = {},
) {
  const warnings: object[] = []
  const deleted: object[] = []
  const assignment = await openAssignment(
    {
      ...{ kafka: kafkaOf(own), group: 'board' },
      ...{ topics: [topics.feedOdds], topicName: ({ name }) => name, maxRecords: 10 },
      ...{ control: control as Reader, shared: shared as Cluster, written: [] },
      takenOver() {},
      deletedUnread: ({ name }, records) => void deleted.push({ topic: name, records }),
      logger: { debug() {}, info() {}, warn: (fields) => void warnings.push(fields) },
      encode: () => {
        throw new Error('nothing is written')
      },
      decode: async (topic, partition, raw) =>
        raw.map(({ offset, key }) => ({ topic, partition, offset, key, value: key })),
    },
    { share: '0', ended, restored() {}, giveUp() {} },
  )
  return { assignment, warnings, deleted }
}

it('asks the current leaders where it continues, and not before it knows them', async () => {
  const asked: string[] = []
  let renewed = () => {}
  const control: Partial<Reader> = {
    renew: () =>
      new Promise<void>((resolve) => {
        renewed = resolve
      }),
    async committed() {
      asked.push('committed')
      return [3]
    },
    async offsets(_, at) {
      asked.push(String(at))
      return [0]
    },
  }
  const stop = new AbortController()
  const { assignment } = await openWith(control, stop.signal)
  expect(asked).toEqual([])
  renewed()
  await expect.poll(() => asked).toEqual(['start', 'written', 'committed'])
  stop.abort()
  await assignment.close()
})

it('fails where its batches are read when it cannot connect while the partition is taken over', async () => {
  let takeOver = () => {}
  const takingOver = new Promise<void>((resolve) => {
    takeOver = resolve
  })
  const refused = Object.assign(new Error('refused'), { name: 'KafkaJSSASLAuthenticationError' })
  let connections = 0
  const connect = async () => {
    connections++
    throw refused
  }
  const initProducerId = () => takingOver.then(coordinator.initProducerId)
  const shared = {
    ...cluster,
    findGroupCoordinator: async () => ({ ...coordinator, initProducerId }) as never,
  }
  const stop = new AbortController()
  const own = { ...cluster, connect }
  const opening = openWith(controlAt(0), stop.signal, { own, shared })
  await expect.poll(() => connections).toBeGreaterThan(0)
  // A rejection that nobody awaits ends the process in the turn after it.
  await new Promise(setImmediate)
  takeOver()
  const { assignment } = await opening
  await expect(nextOffsets(assignment.batches[Symbol.asyncIterator]())).rejects.toThrow(
    'connect to Kafka',
  )
  stop.abort()
  await assignment.close()
})

it('continues behind all commits, though a coordinator that has just read its group knows none', async () => {
  Object.assign(log, { start: 0, end: 11 })
  const steps: string[] = []
  const shared = {
    ...cluster,
    findGroupCoordinator: async () =>
      ({
        ...coordinator,
        async addOffsetsToTxn() {
          steps.push('begun')
        },
        async endTxn({ transactionResult }: { transactionResult: boolean }) {
          steps.push(transactionResult ? 'committed' : 'aborted')
        },
      }) as never,
  }
  // The second transaction begins when the end of the first is written, and shows all before it.
  const isFinal = () => steps.filter((step) => step === 'begun').length > 1
  const control = { ...controlAt(10), committed: async () => [isFinal() ? 10 : null] }
  const stop = new AbortController()
  const { assignment } = await openWith(control, stop.signal, { shared })
  expect(await nextOffsets(assignment.batches[Symbol.asyncIterator]())).toEqual([10])
  expect(steps).toEqual(['begun', 'aborted', 'begun', 'aborted'])
  stop.abort()
  await assignment.close()
})

it('goes on at the end of a partition that has lost the records which the group has read', async () => {
  Object.assign(log, { start: 0, end: 100 })
  const stop = new AbortController()
  const { assignment, warnings } = await openWith(controlAt(120), stop.signal)
  await expect.poll(() => warnings).toMatchObject([{ offset: 120, end: 100, records: 20 }])
  log.end = 101
  expect(await nextOffsets(assignment.batches[Symbol.asyncIterator]())).toEqual([100])
  stop.abort()
  await assignment.close()
})

it('begins at the oldest record that is left, counts those that were deleted unread, and tells of them once', async () => {
  Object.assign(log, { start: 40, end: 41 })
  const stop = new AbortController()
  const { assignment, warnings, deleted } = await openWith(controlAt(12), stop.signal)
  expect(await nextOffsets(assignment.batches[Symbol.asyncIterator]())).toEqual([40])
  expect(warnings).toMatchObject([{ offset: 12, start: 40, records: 28 }])
  expect(deleted).toEqual([{ topic: topics.feedOdds.name, records: 28 }])
  // The next holder begins there, also where no record has come meanwhile.
  expect(group.committed).toBe('40')
  stop.abort()
  await assignment.close()
})

it('goes on where it was when the leader that lacked its next record gets it', async () => {
  Object.assign(log, { start: 0, end: 11 })
  const stop = new AbortController()
  let looks = 0
  const control: Partial<Reader> = {
    ...controlAt(10),
    // The control reader asks the newer leader, which has all records.
    async offsets(_, at) {
      if (at === 'start') return [0]
      // The look is at the opening, the next ones after refusals.
      if (looks++ > 1) log.end = 12
      return [12]
    },
  }
  const { assignment, warnings } = await openWith(control, stop.signal)
  const batches = assignment.batches[Symbol.asyncIterator]()
  expect(await nextOffsets(batches)).toEqual([10])
  log.end = 5
  expect(await nextOffsets(batches)).toEqual([11])
  expect(looks).toBeGreaterThan(1)
  expect(warnings).toEqual([])
  stop.abort()
  await assignment.close()
})

it.each([
  ['records that it has not read yet are deleted', { start: 40, end: 50 }, 40],
  ['the partition loses records that it has read', { start: 0, end: 5 }, 5],
])('goes on where there are records when %s', async (_what, changed, from) => {
  Object.assign(log, { start: 0, end: 11 })
  const stop = new AbortController()
  const { assignment, warnings } = await openWith(controlAt(10), stop.signal)
  const batches = assignment.batches[Symbol.asyncIterator]()
  expect(await nextOffsets(batches)).toEqual([10])
  expect(warnings).toEqual([])
  Object.assign(log, changed)
  const next = nextOffsets(batches)
  await expect.poll(() => warnings).toMatchObject([{ offset: 11 }])
  log.end = Math.max(log.end, from + 1)
  expect((await next)[0]).toBe(from)
  stop.abort()
  await assignment.close()
})

it('reads records again from an offset before the group’s, and not from one after it', async () => {
  Object.assign(log, { start: 0, end: 20 })
  for (const [from, next] of [
    [7, 7],
    [15, 12],
  ] as const) {
    const ended = new AbortController()
    const { assignment } = await openWith(controlAt(12), ended.signal)
    assignment.readAgain(new Map([[topics.feedOdds.name, from]]))
    const batches = assignment.batches[Symbol.asyncIterator]()
    expect((await nextOffsets(batches))[0]).toBe(next)
    ended.abort()
    await assignment.close()
  }
})
