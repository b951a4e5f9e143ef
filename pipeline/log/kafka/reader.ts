/**
 * Reads partitions at offsets of our own, which a consumer group does not offer: for replays,
 * followers and restored group members.
 *
 * kafkajs has no `assign`, but its connections can fetch any partition without joining a group (`internals.ts`). This
 * file interprets the responses: which records belong to aborted transactions, and how far a response reaches;
 * transaction markers, aborted records and offsets lost to compaction count as read.
 *
 * All reads see only committed records. Offsets are numbers: they stay far below 2^53.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, Kafka } from 'kafkajs'
import { createRefusalLimit, type RefusalLimit } from '../../async/refusal-limit.ts'
import { connectPatiently, userOf } from './connection.ts'
import { type Attempt, errorAbout, failureOf } from './failures.ts'
import { type FetchLimits, fetchRequest, type PartitionFetch } from './fetch.ts'
import {
  brokerOf,
  clusterOf,
  coordinatorOf,
  disconnect,
  exchange,
  forgetHung,
  forgetLost,
  pauseAfter,
  typeOf,
  withoutError,
} from './internals.ts'
import {
  askAllBrokers,
  byLeader,
  groupByLeader,
  leaderEpoch,
  lookUpLeaders,
  noLeader,
} from './leaders.ts'
import { offsetFetch } from './offset-fetch.ts'
import type { Asker } from './outage-watch.ts'
import {
  byPartition,
  groupByTopic,
  type PartitionOffset,
  partitionId,
  type TopicPartition,
} from './partition-offsets.ts'
import { readRecords, type StoredRecord, storedBatches, undoesTransaction } from './record-batch.ts'
import { isDenied } from './rights.ts'

export interface Fetched extends PartitionOffset {
  /** In offset order; may be empty when everything fetched was skipped. */
  readonly records: readonly StoredRecord[]
  /** When the first batch with records was written (epoch ms); null where there are none. */
  readonly writtenAt: number | null
  /** The offset to continue from, after everything skipped. */
  readonly next: number
  /** How long ago the response before was (ms): its leader was away, or this process was. */
  readonly silentMs: number
}

/** The part of one response that is about a partition. */
type FetchedPart = Omit<Fetched, 'silentMs'>

/**
 * Which offset of a partition is requested: the oldest, after the last committed record, after the
 * last written record, or the first since a time (epoch ms).
 */
export type OffsetAt = 'start' | 'end' | 'written' | { readonly time: number }

export interface Reader {
  /** Returns records at `places`, waiting up to `maxWaitMs` for the first; empty when there are none. */
  fetch(places: readonly PartitionOffset[], maxWaitMs: number): Promise<Fetched[]>
  /**
   * Returns when the first record from there on was written (epoch ms); null if there is none.
   * Unlike `fetch` it rejects on a failure; on a refusal, at once.
   */
  writtenAt(place: PartitionOffset): Promise<number | null>
  /** @returns offsets in the order requested; null where no record is as recent as the requested time */
  offsets(partitions: readonly TopicPartition[], at: OffsetAt): Promise<(number | null)[]>
  /**
   * Returns the ends of partitions at a moment when no transaction was open in them, so that no
   * commit is there in part. Without that, it could be: a commit is acknowledged before its markers
   * are written, and a former holder may read markers of its successor. Waits as long as a
   * transaction is open.
   * @returns offsets in the order requested; null when `signal` has aborted
   */
  endsAtOnce(
    partitions: readonly TopicPartition[],
    signal: AbortSignal,
  ): Promise<(number | null)[] | null>
  /** Asks all brokers for the leaders again: a replaced leader may still accept requests. */
  renew(): Promise<void>
  /**
   * Returns the group's committed offsets (null for none), for a reader that continues from there.
   * Waits until no transaction is about to change them: up to 30 s after a process has died in a
   * commit, and as long as a transaction hangs. Null if `signal` has aborted.
   */
  committed(
    group: string,
    partitions: readonly TopicPartition[],
    signal: AbortSignal,
  ): Promise<(number | null)[] | null>
  /** Returns the same without waiting: offsets of open transactions are not counted. */
  committedNow(group: string, partitions: readonly TopicPartition[]): Promise<(number | null)[]>
  /**
   * Returns another reader on the same connections, for reads that do not wait for records. It ends
   * with this one at the latest.
   */
  beside(): Reader
  /** Connects to every broker, so that later requests need not wait for it; best effort. */
  warm(): Promise<void>
  close(): Promise<void>
}

/**
 * Thrown if the requested offset is not in the partition: records are gone, or the topic was
 * created again. It is thrown again until the caller requests another offset.
 */
export class OffsetOutOfRangeError extends Error {
  override readonly name = 'OffsetOutOfRangeError'
}

const readUncommitted = 0
const readCommitted = 1
/** Pauses while a transaction is about to end: most end at once, some after half a minute, and a few hang. */
const firstSettlingMs = 5
const longestSettlingMs = 250
const limits = { maxBytes: 8 * 1024 * 1024, partitionBytes: 1024 * 1024 }
/** More bytes than any one record batch can have (`maxRecordBytes` in topics.ts). */
const wholeBatchBytes = 64 * 1024 * 1024
const wholeBatch = { maxWaitMs: 0, maxBytes: wholeBatchBytes, partitionBytes: wholeBatchBytes }
/**
 * Limits of retries. A reader gives up when both are exceeded, because a hung broker fails rarely,
 * and a refusing one often.
 */
const failuresAllowed = 12
const failingAllowedMs = 10_000
/**
 * How often in a row an offset must be refused before it counts as gone. A replaced leader may lack
 * records of the new one, so all brokers are asked for the leader between the refusals.
 */
const refusalsBelieved = 3
/** How often all brokers are asked for the leaders while nothing fails. */
const leadersKnownMs = 5_000

const isOutOfRange = (error: unknown) => typeOf(error) === 'OFFSET_OUT_OF_RANGE'

interface FailedFetch {
  readonly place: PartitionOffset
  readonly error: Error
}

interface FetchOutcome {
  readonly leader: string
  readonly places: readonly PartitionOffset[]
  readonly fetched: FetchedPart[]
  readonly failures: readonly FailedFetch[]
}

/** The failures of a request since its last answer. */
interface Failures {
  count: number
  readonly since: number
  readonly isDeniedTooLong: RefusalLimit
}

/** A partition whose fetches fail. */
interface Failing extends Failures {
  /** Whether it is left out until its recovery has ended. */
  isRecovering: boolean
}

const noFailures = (): Failures => ({
  count: 0,
  since: performance.now(),
  isDeniedTooLong: createRefusalLimit(),
})

const nobody: Asker = { asks() {}, answered() {}, failed() {}, gone() {} }

export interface ReaderOptions {
  /** Watches requests and responses. */
  readonly asker?: Asker
  /**
   * If set, failed requests are repeated until this aborts, however long an outage lasts. A read
   * rejects only then, when the reader is closed, or when a right is missing for some ten seconds.
   * If absent, any failure of that length rejects it.
   */
  readonly patientUntil?: AbortSignal
  /** The connections, where others share them; default its own. */
  readonly cluster?: Cluster
}

/** @param topics names of every topic to be read. @throws LogUnavailableError; LogSetupError for a missing right */
export async function openReader(
  kafka: Kafka,
  topics: readonly string[],
  { asker = nobody, patientUntil, cluster = clusterOf(kafka) }: ReaderOptions = {},
): Promise<Reader> {
  const user = userOf(kafka)
  const reader = readerOver(cluster, { asker, patientUntil, user })
  try {
    if (!patientUntil)
      await connectPatiently(() => cluster.connect()).catch(failed('connect to Kafka', { user }))
    await reader.learn(topics)
  } catch (error) {
    await close()
    throw error
  }
  return { ...reader, close }

  async function close() {
    await reader.close()
    await disconnect(cluster)
  }
}

const failed = (what: string, attempt: Attempt) => (cause: Error) => {
  throw failureOf(what, cause, attempt)
}

interface OverConnections extends Reader {
  /** Looks up the leaders of these topics' partitions. */
  learn(topics: readonly string[]): Promise<void>
}

/** Creates a reader over connections that stay open when it is closed. */
function readerOver(
  cluster: Cluster,
  {
    asker,
    patientUntil,
    user,
  }: { asker: Asker; patientUntil: AbortSignal | undefined; user: string | undefined },
): OverConnections {
  const reading = { user, right: 'Read' } as const
  let closed = false
  /**
   * Counts an error. With `patientUntil` only a missing right ends the retries, because an outage
   * ends by itself.
   */
  const givesUp = (error: Error, failures: Failures) => {
    failures.count++
    const isDeniedTooLong = failures.isDeniedTooLong(isDenied(error))
    if (closed || patientUntil?.aborted) return true
    if (patientUntil) return isDeniedTooLong
    return failures.count > failuresAllowed && performance.now() - failures.since > failingAllowedMs
  }

  /**
   * Repeats `attempt` after errors such as stale metadata and lost connections, then gives up; at
   * once if `isFinal`.
   */
  async function retrying<T>(
    attempt: () => Promise<T>,
    what: string,
    isFinal: (error: Error) => boolean = () => false,
  ): Promise<T> {
    const failures = noFailures()
    for (;;) {
      asker.asks()
      try {
        const answer = await attempt()
        asker.answered()
        return answer
      } catch (error) {
        asker.failed(error)
        if (isFinal(error as Error) || givesUp(error as Error, failures)) {
          failed(what, reading)(error as Error)
        }
        await recover([error as Error], failures.count)
      }
    }
  }

  async function recover(errors: readonly Error[], failures: number) {
    for (const error of errors) {
      forgetLost(cluster, error)
      forgetHung(cluster, error)
    }
    await delay(pauseAfter(failures))
    // A failed refresh shows in the next attempt. A closed reader opens no connections.
    if (!closed) await lookUpLeaders(cluster).catch(() => {})
  }

  /**
   * Returns the records of each place with a response, and whether it had any data; and the places
   * that failed, which do not concern the others.
   */
  async function fetchFrom(
    leader: string,
    places: readonly PartitionOffset[],
    limits: FetchLimits,
  ) {
    const broker = await brokerOf(cluster, leader)
    const asked = places.map((place) => ({ ...place, leaderEpoch: leaderEpoch(cluster, place) }))
    const { partitions } = withoutError(await exchange(broker, fetchRequest(asked, limits)))
    const answered = byPartition(partitions, partitions)
    const fetched: (FetchedPart & { readonly any: boolean; readonly stable: number })[] = []
    const failures: FailedFetch[] = []
    for (const place of places) {
      const of = answered.get(partitionId(place))
      if (!of) continue
      try {
        if (of.errorCode !== 0) throw errorAbout(of.errorCode, place.topic)
        const read = readable(place, of)
        fetched.push({ ...place, ...read, stable: of.lastStableOffset })
      } catch (error) {
        failures.push({ place, error: error as Error })
      }
    }
    return { fetched, failures }
  }

  let turn = 0
  async function fetchEach(leader: string, places: readonly PartitionOffset[], maxWaitMs: number) {
    // A response fills up in the requested order: a different partition comes first each time.
    const first = turn++ % places.length
    const rotated = [...places.slice(first), ...places.slice(0, first)]
    const { fetched, failures } = await fetchFrom(leader, rotated, { ...limits, maxWaitMs })
    if (fetched.some(({ any }) => any)) {
      return { fetched: fetched.filter(({ any }) => any), failures }
    }
    // No data at all, although the place is before the end. Either compaction has emptied the
    // batches there, or the next batch did not fit behind an empty one. A request for this place
    // alone, with room for any batch, decides.
    const found: FetchedPart[] = []
    for (const place of fetched.filter(({ offset, stable }) => offset < stable)) {
      const alone = await fetchFrom(leader, [place], wholeBatch)
      for (const one of alone.fetched) found.push(one.any ? one : { ...one, next: one.stable })
      failures.push(...alone.failures)
    }
    return { fetched: found, failures }
  }

  /**
   * Returns the records of all places, for a caller that needs all of them. @throws Error of a
   * place that fails
   */
  async function fetchAll(leader: string, places: readonly PartitionOffset[], maxWaitMs: number) {
    const { fetched, failures } = await fetchEach(leader, places, maxWaitMs)
    if (failures[0]) throw failures[0].error
    return fetched
  }

  async function offsets(partitions: readonly TopicPartition[], at: OffsetAt) {
    const timestamp = typeof at === 'object' ? at.time : at === 'start' ? -2 : -1
    const isolationLevel = at === 'written' ? readUncommitted : readCommitted
    const lists = await retrying(
      () =>
        Promise.all(
          [...byLeader(cluster, partitions)].map(async ([leader, some]) => {
            const { responses } = await (await brokerOf(cluster, leader)).listOffsets({
              replicaId: -1,
              isolationLevel,
              topics: groupByTopic(some).map(([topic, places]) => ({
                topic,
                partitions: places.map(({ partition }) => ({ partition, timestamp })),
              })),
            })
            return responses.flatMap(({ topic, partitions: listed }) =>
              listed.map(({ partition, offset }) => ({ topic, partition, offset: Number(offset) })),
            )
          }),
        ),
      'list offsets',
    )
    return offsetsInOrder(partitions, lists.flat())
  }

  function askCommitted(group: string, partitions: readonly TopicPartition[], isStable: boolean) {
    return retrying(async () => {
      const coordinator = await coordinatorOf(cluster, 'group', group)
      return await exchange(coordinator, offsetFetch(group, partitions, isStable))
    }, `read committed offsets of ${group}`)
  }

  /** The fetch in progress of each leader, at most one, so that a quiet leader does not hold up the others. */
  const pending = new Map<string, Promise<FetchOutcome>>()
  /** The partitions that fail, by id. Responses for others do not end their failure. */
  const failing = new Map<string, Failing>()
  /** Recoveries in progress. Each resolves to null, and wakes a fetch that waits. */
  const recoveries = new Set<Promise<null>>()
  /**
   * When each partition last had a response, by id (`Date.now`, which counts the machine's sleep).
   */
  const answeredAt = new Map<string, number>()
  const openedAt = Date.now()
  let leadersAskedAt = performance.now()

  async function askForLeaders() {
    leadersAskedAt = performance.now()
    await lookUpLeaders(cluster)
  }

  function beginFetches(places: readonly PartitionOffset[], maxWaitMs: number) {
    const wanted = new Set(places.map(partitionId))
    for (const id of failing.keys()) if (!wanted.has(id)) failing.delete(id)
    const able = places.filter((place) => !failing.get(partitionId(place))?.isRecovering)
    const { led, leaderless } = groupByLeader(cluster, able)
    for (const [leader, some] of led) {
      if (pending.has(leader)) continue
      const fetching = fetchEach(leader, some, maxWaitMs).then(
        (outcome) => ({ leader, places: some, ...outcome }),
        (error: Error) => {
          const failures = some.map((place) => ({ place, error }))
          return { leader, places: some, fetched: [], failures }
        },
      )
      pending.set(leader, fetching)
    }
    beginRecovery(leaderless.map((place) => ({ place, error: noLeader(place) })))
  }

  /**
   * Leaves places out of fetches while they recover.
   * @throws LogUnavailableError, LogSetupError once one has failed for too long
   */
  function beginRecovery(failures: readonly FailedFetch[]) {
    if (failures.length === 0) return
    const recovering = failures.map(({ place, error }) => {
      // A leader that lacks an offset is not away.
      if (!isOutOfRange(error)) asker.failed(error)
      const id = partitionId(place)
      const one = failing.get(id) ?? { ...noFailures(), isRecovering: false }
      failing.set(id, one)
      if (givesUp(error, one)) failed('fetch', reading)(error)
      return one
    })
    for (const one of recovering) one.isRecovering = true
    const errors = new Set(failures.map(({ error }) => error))
    const most = Math.max(...recovering.map(({ count }) => count))
    const recovery = recover([...errors], most).then(() => {
      for (const one of recovering) one.isRecovering = false
      recoveries.delete(recovery)
      return null
    })
    recoveries.add(recovery)
  }

  return {
    learn: (topics) =>
      retrying(async () => {
        await cluster.connect()
        await cluster.addMultipleTargetTopics([...topics])
        await askAllBrokers(cluster)
      }, 'read topic metadata'),
    async fetch(places, maxWaitMs) {
      asker.asks()
      if (performance.now() - leadersAskedAt > leadersKnownMs) askForLeaders().catch(() => {})
      beginFetches(places, maxWaitMs)
      const outcome = await Promise.race([...pending.values(), ...recoveries])
      if (outcome === null) return []
      pending.delete(outcome.leader)
      const failedIds = new Set(outcome.failures.map(({ place }) => partitionId(place)))
      const now = Date.now()
      const fetched = outcome.fetched.map((part) => ({
        ...part,
        silentMs: now - (answeredAt.get(partitionId(part)) ?? openedAt),
      }))
      for (const id of outcome.places.map(partitionId)) {
        if (failedIds.has(id)) continue
        failing.delete(id)
        answeredAt.set(id, now)
      }
      beginRecovery(outcome.failures)
      if (failing.size === 0) asker.answered()
      const outOfRange = outcome.failures.find(
        ({ place, error }) =>
          isOutOfRange(error) && failing.get(partitionId(place))!.count >= refusalsBelieved,
      )
      if (!outOfRange) return fetched
      const { error } = outOfRange
      throw new OffsetOutOfRangeError(error.message, { cause: error })
    },
    writtenAt: (place) =>
      retrying(
        async () => {
          const [leader] = byLeader(cluster, [place]).keys()
          // A response may have only aborted records.
          for (let { offset } = place; ; ) {
            const [fetched] = await fetchAll(leader!, [{ ...place, offset }], 0)
            if (!fetched || fetched.writtenAt !== null) return fetched?.writtenAt ?? null
            offset = fetched.next
          }
        },
        'read when a record was written',
        (error) => isDenied(error) || isOutOfRange(error),
      ),
    offsets,
    endsAtOnce(partitions, signal) {
      return settled(signal, async () => {
        const ends = await offsets(partitions, 'end')
        const written = await offsets(partitions, 'written')
        // If they are equal, all partitions had these ends between the two responses.
        return ends.every((end, i) => end === written[i]) ? ends : null
      })
    },
    renew: () => retrying(askForLeaders, 'refresh metadata'),
    committed(group, partitions, signal) {
      return settled(signal, async () => {
        const answer = await askCommitted(group, partitions, true)
        return answer.unstable ? null : offsetsInOrder(partitions, answer.offsets)
      })
    },
    async committedNow(group, partitions) {
      const answer = await askCommitted(group, partitions, false)
      return offsetsInOrder(partitions, answer.offsets)
    },
    beside: () => readerOver(cluster, { asker: nobody, patientUntil: undefined, user }),
    async warm() {
      const ask = async (id: string) => {
        const broker = await brokerOf(cluster, id)
        // kafkajs has a separate connection for fetches.
        await exchange(broker, fetchRequest([], { ...wholeBatch, maxBytes: 0 }))
      }
      await Promise.allSettled(cluster.getNodeIds().map(String).map(ask))
    },
    async close() {
      closed = true
      asker.gone()
    },
  }
}

/** Returns a response's committed records from the requested offset on, and the offset after it. */
function readable(place: PartitionOffset, { aborted, batches }: PartitionFetch) {
  const byStart = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset)
  const undone = new Set<number>()
  const records: StoredRecord[] = []
  let next = place.offset
  let writtenAt: number | null = null
  let begun = 0
  let any = false
  for (const batch of storedBatches(batches)) {
    any = true
    while (begun < byStart.length && byStart[begun]!.firstOffset <= batch.lastOffset) {
      undone.add(byStart[begun++]!.producerId)
    }
    if (batch.isControl) {
      if (undoesTransaction(batch)) undone.delete(batch.producerId)
    } else if (!(batch.isInTransaction && undone.has(batch.producerId))) {
      readRecords(batch, place.offset, records)
      if (records.length > 0) writtenAt ??= batch.writtenAt
    }
    next = Math.max(next, batch.lastOffset + 1)
  }
  return { records, next, writtenAt, any }
}

/** Asks again until no open transaction prevents an answer; null if `signal` has aborted. */
async function settled<Answer>(signal: AbortSignal, ask: () => Promise<Answer | null>) {
  for (let pauseMs = firstSettlingMs; !signal.aborted; pauseMs *= 1.02) {
    const answer = await ask()
    if (answer !== null) return answer
    await delay(Math.min(pauseMs, longestSettlingMs))
  }
  return null
}

/** Returns the offsets in the order of the requested partitions; null for none. */
function offsetsInOrder(
  partitions: readonly TopicPartition[],
  answered: readonly PartitionOffset[],
): (number | null)[] {
  const offsets = byPartition(answered, answered)
  return partitions.map((place) => {
    const { topic, partition } = place
    const offset = offsets.get(partitionId(place))?.offset
    if (offset === undefined) throw new Error(`no offset was given for ${topic}-${partition}`)
    return offset < 0 ? null : offset
  })
}
