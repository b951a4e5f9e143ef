/**
 * Reading as a member of a group: each partition that the group gives to this process is one
 * assignment, with its own reader and committer, until the partition moves away. The reader
 * continues at the group's committed offsets.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, Kafka } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import { unlessAborted, within } from '../../async/abort-signals.ts'
import type { Append, Assignment, Batch, LogRecord } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import { createCursor } from './cursor.ts'
import type { PartitionOffset } from './partition-offsets.ts'
import { type Fetched, OffsetOutOfRangeError, openReader, type Reader } from './reader.ts'
import type { OutgoingRecord, StoredRecord } from './record-batch.ts'
import type { Closeable, ShareLease } from './share-leases.ts'
import { FencedError, openCommitter } from './transactions.ts'

/** How long a transaction may hold the offsets before that is logged, and logged again. */
const heldMs = 60_000
const offsetsAreHeld =
  'the group’s offsets of the partition are held by a transaction that does not end, and its new holder waits: kafka-transactions.sh find-hanging shows it, in __consumer_offsets'

const deletedUnread =
  'records were deleted before they were read: this group was behind for longer than the topic keeps them'
const lostTail =
  'the partition ends before what this group has read: the brokers have lost its newest records. Reading goes on at its end'

/** How long a moving partition waits for batches that are being decided. */
const idleWithinMs = 5_000

export interface AssignmentOptions {
  readonly kafka: Kafka
  readonly logger: KafkaLogger
  readonly group: string
  readonly topics: readonly Topic[]
  readonly topicName: (topic: Topic) => string
  readonly maxRecords: number
  /** A reader with open connections, which are used for single requests. */
  readonly control: Reader
  readonly shared: Cluster
  /** Topics that decisions may write. */
  readonly written: readonly string[]
  readonly encode: (append: Append) => OutgoingRecord
  /** Called with records that were deleted before the group had read them. */
  readonly deletedUnread: (topic: Topic, records: number) => void
  /** Called when another process has taken a partition over, but the group has not told us. */
  readonly takenOver: () => void
  /** Returns the rows of raw records. Those that cannot be decoded are reported and left out. */
  readonly decode: (
    topic: Topic,
    partition: number,
    raw: readonly StoredRecord[],
  ) => Promise<LogRecord[]>
}

/** Takes the partition over: from here on, a commit of another process makes ours fail. */
export async function openAssignment(
  options: AssignmentOptions,
  { share, ended, restored, giveUp }: ShareLease,
): Promise<Assignment & Closeable> {
  const { kafka, logger, group, topics, topicName, maxRecords, encode, decode } = options
  const { control, shared, written, takenOver } = options
  const partition = Number(share)
  const places = topics.map((topic) => ({ topic: topicName(topic), partition }))
  // The reader has its own connections, because a read waits for records. Tables are restored
  // meanwhile.
  const reading = openReader(kafka, topics.map(topicName))
  const renewed = control.renew()
  // Both may fail before they are awaited; their errors surface there.
  for (const early of [reading, renewed]) early.catch(() => {})
  const committer = await openCommitter(kafka, {
    group,
    share,
    shared,
    topics: written,
  }).catch((error) => {
    void closeReader()
    throw error
  })
  // The former holder's last commit has ended, so the group's offsets are final.
  const beginning = beginningOf()
  beginning.catch(() => {})
  let closed = false
  let uncommitted = 0
  /** Whether the reader of the batches has stopped. */
  let isLeft = false
  let againFrom: ReadonlyMap<string, number> = new Map()
  let wake = () => {}
  logger.info({ group, partition }, 'partition assigned')

  async function closeReader() {
    await reading.then((reader) => reader.close()).catch(() => {})
  }

  /** Returns the first offsets and the fetch from there, which runs while tables are restored. */
  async function beginningOf() {
    await renewed
    const start = await startOf()
    if (!start) return null
    const cursor = createCursor(start.places)
    const reader = await reading
    return { cursor, moved: start.moved, reader, fetching: fetchAhead(reader, cursor.places()) }
  }

  /** Returns the offsets after the group's commits; the oldest ones in a new group. */
  async function startOf() {
    const [committed, bounds] = await Promise.all([committedOffsets(), boundsNow()])
    return committed && withinLog(committed, bounds)
  }

  /** Returns the group's offsets once they are final and no transaction holds them. */
  async function committedOffsets() {
    while (await unlessFenced(() => committer.settleOffsets())) {
      const waiting = within(heldMs, ended)
      const committed = await control
        .committed(group, places, waiting.signal)
        .finally(waiting.forget)
      if (committed || ended.aborted) return committed
      logger.warn({ group, partition }, offsetsAreHeld)
    }
    return null
  }

  async function boundsNow() {
    const [starts, ends] = await Promise.all([
      control.offsets(places, 'start'),
      control.offsets(places, 'written'),
    ])
    return { starts, ends }
  }

  /**
   * Moves offsets to where the partitions have records now. Records before the start were deleted
   * unread. If a partition ends before an offset, it has lost its newest records (brokers may, in a
   * power cut). New records get these offsets, and reading goes on with them.
   * @param offsets null: the oldest
   * @returns the places, and those of them that had to be moved
   */
  async function withinLog(
    offsets: readonly (number | null)[],
    bounds: Awaited<ReturnType<typeof boundsNow>>,
  ): Promise<{ places: PartitionOffset[]; moved: PartitionOffset[] }> {
    const isBeyond = ({ ends }: typeof bounds) =>
      offsets.some((offset, index) => offset !== null && offset > ends[index]!)
    let known = bounds
    if (isBeyond(known)) {
      // A former leader that is cut off would also have fewer records.
      await control.renew()
      known = await boundsNow()
    }
    const within = places.map((place, index) => {
      const start = known.starts[index]!
      const end = known.ends[index]!
      const offset = offsets[index] ?? start
      const at = { group, ...place, offset }
      if (offset < start) {
        logger.warn({ ...at, start, records: start - offset }, deletedUnread)
        options.deletedUnread(topics[index]!, start - offset)
      }
      if (offset > end) logger.warn({ ...at, end, records: offset - end }, lostTail)
      return { ...place, offset: Math.min(Math.max(offset, start), end) }
    })
    const moved = within.filter(({ offset }, index) => offset !== (offsets[index] ?? offset))
    return { places: within, moved }
  }

  /** Fetches ahead. An error surfaces when the result is awaited. */
  function fetchAhead(reader: Reader, from: readonly PartitionOffset[]) {
    const fetching = reader.fetch(from, 500)
    fetching.catch(() => {})
    return fetching
  }

  /** @returns whether it was written */
  async function tryCommit(
    outputs: readonly OutgoingRecord[],
    offsets: readonly PartitionOffset[],
  ) {
    // The partition has moved: its new holder reads the batch again.
    if (closed || !(await unlessFenced(() => committer.commit(outputs, offsets)))) return false
    // A commit shows that the tables are restored.
    restored()
    return true
  }

  /** @returns whether it was done; otherwise the partition has a new holder */
  async function unlessFenced(transaction: () => Promise<void>) {
    try {
      await transaction()
      return true
    } catch (error) {
      if (!(error instanceof FencedError)) throw error
      logger.info({ group, partition, err: error }, 'commit left to the new owner of the partition')
      if (!ended.aborted) takenOver()
      giveUp()
      return false
    }
  }

  /**
   * Cuts fetched records into batches of at most `maxRecords`, each with the offsets after it. An
   * empty batch moves the offsets past records that cannot be decoded.
   */
  async function* inBatches(parts: readonly { topic: Topic; fetched: Fetched }[]) {
    let records: LogRecord[] = []
    let offsets = new Map<string, PartitionOffset>()
    for (const { topic, fetched } of parts) {
      const { records: raw, next } = fetched
      let from = 0
      do {
        const some = raw.slice(from, from + maxRecords - records.length)
        const decoded = await unlessAborted(decode(topic, partition, some), ended)
        if (decoded === null) return
        for (const record of decoded) records.push(record)
        from += some.length
        const offset = from < raw.length ? some.at(-1)!.offset + 1 : next
        offsets.set(fetched.topic, { topic: fetched.topic, partition, offset })
        if (records.length < maxRecords) continue
        yield { records, offsets: [...offsets.values()] }
        records = []
        offsets = new Map()
      } while (from < raw.length)
    }
    if (offsets.size > 0) yield { records, offsets: [...offsets.values()] }
  }

  function batchOf(records: readonly LogRecord[], offsets: readonly PartitionOffset[]): Batch {
    let committed = false
    uncommitted++
    return {
      records,
      async commit(outputs) {
        if (committed) throw new Error('a batch can be committed once only')
        const records = outputs.map(encode)
        committed = true
        const isWritten = await tryCommit(records, offsets)
        uncommitted--
        wake()
        return isWritten
      },
    }
  }

  let idling: Promise<void> | null = null

  async function untilIdle() {
    const until = performance.now() + idleWithinMs
    while (uncommitted > 0 && !isLeft && performance.now() < until) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, delay(until - performance.now(), undefined, { ref: false })])
    }
  }

  async function* batches(): AsyncGenerator<Batch, void> {
    try {
      yield* batchesFromCommit()
    } catch (error) {
      // When the partition moves, its reader is closed and its requests fail.
      if (!ended.aborted) throw error
    } finally {
      isLeft = true
      wake()
    }
  }

  async function* batchesFromCommit(): AsyncGenerator<Batch, void> {
    const begun = await unlessAborted(beginning, ended)
    if (begun === null) return
    const { reader, moved } = begun
    // Otherwise the next holder would tell of the same records, until their topic gets another one.
    if (moved.length > 0 && !(await tryCommit([], moved))) return
    // The earlier cursor drops records that were fetched ahead from a later offset.
    let cursor = createCursor(earlier(begun.cursor.places()))
    let ahead: Promise<Fetched[]> | null = begun.fetching
    while (!ended.aborted) {
      const fetching: Promise<Fetched[]> = ahead ?? fetchAhead(reader, cursor.places())
      let fetched: Fetched[] | null
      try {
        fetched = await unlessAborted(fetching, ended)
      } catch (error) {
        if (!(error instanceof OffsetOutOfRangeError)) throw error
        cursor = await cursorWithinLog(reader, cursor.places())
        ahead = null
        continue
      }
      if (fetched === null) return
      const taken = cursor.take(fetched)
      const count = taken.reduce((sum, { records }) => sum + records.length, 0)
      // Fetches ahead only while behind: otherwise new records would wait for a second commit.
      ahead = count < maxRecords ? null : fetchAhead(reader, cursor.places())
      const parts = topics.flatMap((topic) =>
        taken
          .filter((part) => part.topic === topicName(topic))
          .map((fetched) => ({ topic, fetched })),
      )
      for await (const { records, offsets } of inBatches(parts)) {
        if (ended.aborted) return
        if (records.length > 0) yield batchOf(records, offsets)
        // Only skipped offsets (such as aborted or undecodable records): no decision.
        else if (uncommitted === 0) await tryCommit([], offsets)
      }
    }
  }

  function earlier(offsets: readonly PartitionOffset[]): PartitionOffset[] {
    return offsets.map((place, index) => {
      const from = againFrom.get(topics[index]!.name) ?? place.offset
      return { ...place, offset: Math.min(place.offset, from) }
    })
  }

  /** Returns a cursor within the log; unchanged if the new leaders have the refused offset. */
  async function cursorWithinLog(reader: Reader, from: PartitionOffset[]) {
    await Promise.all([reader.renew(), control.renew()])
    const offsets = from.map(({ offset }) => offset)
    const { places } = await withinLog(offsets, await boundsNow())
    return createCursor(places)
  }

  return {
    partition,
    ended,
    batches: batches(),
    readAgain(from) {
      againFrom = from
    },
    whenIdle() {
      idling ??= untilIdle()
      return idling
    },
    async close() {
      closed = true
      await Promise.all([closeReader(), committer.close()])
    },
  }
}
