/** A reader over fake connections; `kafka-log.kafka.test.ts` tests it with a broker. */

import { type Cluster, Kafka } from 'kafkajs'
import { describe, expect, it, vi } from 'vitest'
import { errorOfCode } from '../../../../pipeline/log/kafka/internals.ts'
import { createOutageWatch } from '../../../../pipeline/log/kafka/outage-watch.ts'
import type { PartitionOffset } from '../../../../pipeline/log/kafka/partition-offsets.ts'
import { OffsetOutOfRangeError, openReader } from '../../../../pipeline/log/kafka/reader.ts'
import { encodeRecordBatch } from '../../../../pipeline/log/kafka/record-batch.ts'
import { wireReader } from '../../../../pipeline/log/kafka/wire.ts'
import { LogSetupError, LogUnavailableError } from '../../../../pipeline/log/log.ts'
import { ledBy, toldBy } from './fake-leaders.ts'

const offsetOutOfRange = 1
const topicAuthorizationFailed = 29
const storageError = 56

/** Moves a partition from broker 1 to 2. Broker 1 still responds, with its old records. */
function movedPartition() {
  const ends: Readonly<Record<string, number>> = { 1: 10, 2: 25 }
  let leader = 1
  const calledNodes: string[] = []
  const cluster: Partial<Cluster> = {
    connect: async () => {},
    disconnect: async () => {},
    addMultipleTargetTopics: async () => {},
    refreshMetadata: async () => {
      leader = 2
    },
    getNodeIds: () => [],
    ...ledBy(() => leader),
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

it('an offset that a partition does not have is null, and one that nobody answers for is an error', async () => {
  const { cluster } = movedPartition()
  const partitions = [{ partition: 0, offset: '-1' }]
  const leader = { listOffsets: async () => ({ responses: [{ topic: 'odds', partitions }] }) }
  cluster.findBroker = async () => leader as never
  const reader = await openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], { cluster })
  expect(await reader.offsets([{ topic: 'odds', partition: 0 }], { time: 0 })).toEqual([null])
  const unanswered = reader.offsets([{ topic: 'odds', partition: 1 }], 'end')
  await expect(unanswered).rejects.toThrow('no offset was given for odds-1')
  await reader.close()
})

it('the ends of partitions are waited for while a transaction is open', async () => {
  const { cluster } = movedPartition()
  let open = 3
  cluster.findBroker = async () =>
    ({
      async listOffsets({ isolationLevel }: { isolationLevel: number }) {
        const offset = isolationLevel === 1 && open-- > 0 ? 7 : 9
        return { responses: [{ topic: 'odds', partitions: [{ partition: 0, offset }] }] }
      },
    }) as never
  const reader = await openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], { cluster })
  const place = { topic: 'odds', partition: 0 }
  expect(await reader.endsAtOnce([place], new AbortController().signal)).toEqual([9])
  expect(open).toBeLessThan(0)
  expect(await reader.endsAtOnce([place], AbortSignal.abort())).toBeNull()
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
    ...ledBy((partition) => partition),
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

describe('of partitions with the same leader', () => {
  const placeOf = (partition: number, offset = 0) => ({ topic: 'odds', partition, offset })
  const record = encodeRecordBatch([{ key: 'nba', value: null }], {
    ...{ producerId: '1', producerEpoch: 0, firstSequence: 0, isInTransaction: false },
    timestamp: 0,
  })

  /** A leader of partitions with one record each, that answers for some with an error; others it does not lead now. */
  function createLeader() {
    const errors = new Map<number, number>()
    const leaderless = new Set<number>()
    const { cluster } = movedPartition()
    const fetches: number[][] = []

    function answerTo({ partition, offset }: PartitionOffset) {
      const batches = offset === 0 ? record : Buffer.alloc(0)
      const errorCode = errors.get(partition) ?? 0
      const data = { lastStableOffset: 1, aborted: [], batches }
      const nothing = { lastStableOffset: -1, aborted: [], batches: Buffer.alloc(0) }
      return { topic: 'odds', partition, errorCode, ...(errorCode === 0 ? data : nothing) }
    }

    async function send({ request }: { request: { encode(): Promise<{ buf: Buffer }> } }) {
      await new Promise(setImmediate)
      const places = placesIn((await request.encode()).buf)
      fetches.push(places.map(({ partition }) => partition).toSorted())
      return { errorCode: 0, partitions: places.map(answerTo) }
    }

    Object.assign(cluster, {
      refreshMetadata: async () => {},
      ...ledBy((partition) => (leaderless.has(partition) ? -1 : 1)),
      findBroker: async () => ({ connectionPool: { send } }),
    })
    return { cluster, errors, leaderless, fetches }
  }

  /** Returns the places of a fetch of one topic. */
  function placesIn(body: Buffer): PartitionOffset[] {
    const { int16, int32, int64, bytes } = wireReader(body)
    bytes(4 + 4 + 4 + 4 + 1 + 4 + 4 + 4) // to the first topic
    bytes(int16())
    return Array.from({ length: int32() }, () => {
      const partition = int32()
      bytes(4) // epoch
      const offset = int64()
      bytes(8 + 4) // start of a follower's log, limit
      return placeOf(partition, offset)
    })
  }

  function openOver(cluster: Cluster, patientUntil?: AbortSignal) {
    const outages = createOutageWatch({ logger: { info() {}, warn() {} } })
    const opening = openReader(new Kafka({ brokers: ['127.0.0.1:1'] }), ['odds'], {
      ...{ cluster, asker: outages.asker('read odds') },
      ...(patientUntil && { patientUntil }),
    })
    return { outages, opening }
  }

  it.each([
    ['fails', 'Disk error when trying to access log file on the disk'],
    ['has no leader', 'odds-2 has no leader'],
  ])(
    'all others are read while one %s, which is reported until it is read too',
    async (what, reason) => {
      const { cluster, errors, leaderless } = createLeader()
      if (what === 'fails') errors.set(2, storageError)
      else leaderless.add(2)
      const { outages, opening } = openOver(cluster, new AbortController().signal)
      const reader = await opening
      const read: Record<number, number> = { 1: 0, 2: 0 }
      const reasons: (string | undefined)[] = []
      async function readOn() {
        const places = [placeOf(1, read[1]), placeOf(2, read[2])]
        for (const { partition, next } of await reader.fetch(places, 0)) read[partition] = next
        reasons.push(outages.outage()?.reason)
        return read
      }
      await expect.poll(readOn).toEqual({ 1: 1, 2: 0 })
      for (let round = 0; round < 10; round++) await readOn()
      expect(new Set(reasons)).toEqual(new Set([`read odds: ${reason}`]))
      errors.clear()
      leaderless.clear()
      await expect.poll(readOn).toEqual({ 1: 1, 2: 1 })
      expect(outages.outage()).toBeNull()
      await reader.close()
    },
  )

  it('are read at the newer leader soon, though the former one is cut off and answers without an error', async () => {
    const { cluster } = createLeader()
    const newer = await cluster.findBroker({ nodeId: '2' })
    const cutOff = { connectionPool: { send: async () => ({ errorCode: 0, partitions: [] }) } }
    let isCut = false
    const ledAt = (partitionId: number, leader: number, leaderEpoch: number) => ({
      ...{ partitionErrorCode: 0, partitionId, leader, leaderEpoch, topicId: 'a' },
    })
    Object.assign(cluster, {
      // Metadata are only ever refreshed from the one that is cut off.
      ...toldBy((partition) => ledAt(partition, 1, 5)),
      getNodeIds: () => ['1', '2'],
      findBroker: async ({ nodeId }: { nodeId: string }) => ({
        ...(nodeId === '2' ? newer : cutOff),
        metadata: async () => ({
          topicMetadata: [
            {
              topic: 'odds',
              partitionMetadata: [nodeId === '2' && isCut ? ledAt(1, 2, 6) : ledAt(1, 1, 5)],
            },
          ],
        }),
      }),
    })
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { outages, opening } = openOver(cluster)
      const reader = await opening
      isCut = true
      let seconds = 0
      while (seconds < 60 && (await reader.fetch([placeOf(1)], 0)).length === 0) {
        vi.advanceTimersByTime(1_000)
        seconds++
      }
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThan(30)
      expect(outages.outage()).toBeNull()
      await reader.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('one that fails is asked for with pauses, and the others without', async () => {
    const { cluster, errors, fetches } = createLeader()
    errors.set(2, storageError)
    let refreshed = () => {}
    cluster.refreshMetadata = () =>
      new Promise<void>((resolve) => {
        refreshed = resolve
      })
    const reader = await openOver(cluster, new AbortController().signal).opening
    const reading = (async () => {
      for (let round = 0; round < 10; round++) await reader.fetch([placeOf(1), placeOf(2)], 0)
    })()
    const others = Array.from({ length: 9 }, () => [1])
    await expect.poll(() => fetches).toEqual([[1, 2], ...others])
    refreshed()
    await reading
    await reader.close()
  })

  it('one that fails for too long ends the patience of a reader that has an end to it', async () => {
    const { cluster, errors } = createLeader()
    errors.set(2, storageError)
    const reader = await openOver(cluster).opening
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const fetch = () => reader.fetch([placeOf(1), placeOf(2)], 0)
      let fetched = await fetch()
      const readOn = async () => {
        for (;;) {
          fetched = await fetch()
          vi.advanceTimersByTime(1_000)
        }
      }
      await expect(readOn()).rejects.toThrow(LogUnavailableError)
      expect(fetched.map(({ partition }) => partition)).toEqual([1])
    } finally {
      vi.useRealTimers()
    }
    await reader.close()
  })

  it.each([
    ['may not be read', topicAuthorizationFailed, true],
    ['cannot be read', storageError, false],
  ])(
    'one that %s against a reader that outlasts outages: error %i, ends it: %s',
    async (_what, code, ends) => {
      const { cluster, errors } = createLeader()
      errors.set(2, code)
      const patience = new AbortController()
      const reader = await openOver(cluster, patience.signal).opening
      vi.useFakeTimers({ toFake: ['performance'] })
      try {
        const readOn = async () => {
          for (let round = 0; round < 40; round++) {
            await reader.fetch([placeOf(2)], 0)
            vi.advanceTimersByTime(1_000)
          }
        }
        const failure = await readOn().catch((error: Error) => error)
        if (!ends) return expect(failure).toBeUndefined()
        expect(failure).toBeInstanceOf(LogSetupError)
        expect(failure?.message).toMatch(
          /^fetch: this user lacks the right Read on the topic odds; overround topics apply/,
        )
      } finally {
        vi.useRealTimers()
        await reader.close()
      }
    },
  )

  it('one that may not be read for a moment, before or after an outage, does not end it', async () => {
    const { cluster, errors } = createLeader()
    const reader = await openOver(cluster, new AbortController().signal).opening
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const fail = async (code: number, rounds: number) => {
        errors.set(2, code)
        for (let round = 0; round < rounds; round++) {
          await reader.fetch([placeOf(2)], 0)
          vi.advanceTimersByTime(1_000)
        }
      }
      await fail(topicAuthorizationFailed, 8)
      await fail(storageError, 24)
      await fail(topicAuthorizationFailed, 2)
    } finally {
      vi.useRealTimers()
      await reader.close()
    }
  })

  it('one that lacks the offset at a leader that is replaced is read at the newer one', async () => {
    const { cluster, errors } = createLeader()
    errors.set(1, offsetOutOfRange)
    // The newer leader has it.
    cluster.refreshMetadata = async () => void errors.clear()
    const reader = await openOver(cluster, new AbortController().signal).opening
    const read: number[] = []
    for (let rounds = 0; rounds < 100 && read.length === 0; rounds++) {
      for (const { next } of await reader.fetch([placeOf(1)], 0)) read.push(next)
    }
    expect(read).toEqual([1])
    await reader.close()
  })

  it('one that lacks the offset is told of, and the records of the others are there for the next fetch', async () => {
    const { cluster, errors } = createLeader()
    errors.set(2, offsetOutOfRange)
    errors.set(3, storageError)
    const { outages, opening } = openOver(cluster, new AbortController().signal)
    const reader = await opening
    const places = [1, 2, 3].map((partition) => placeOf(partition))
    const refusal = () =>
      reader.fetch(places, 0).then(
        () => null,
        (error) => error,
      )
    await expect.poll(refusal).toBeInstanceOf(OffsetOutOfRangeError)
    expect(outages.outage()?.reason).toMatch(/^read odds: Disk error/)
    errors.delete(2)
    const read = new Set<number>()
    const readOn = async () => {
      for (const { partition, records } of await reader.fetch(places, 0)) {
        expect(records).toHaveLength(1)
        read.add(partition)
      }
      return [...read].toSorted()
    }
    // It is asked for again after a pause.
    await expect.poll(readOn).toEqual([1, 2])
    await reader.close()
  })
})
