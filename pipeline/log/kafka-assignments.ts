/**
 * Reading as a member of a group: each partition that the group gives to this process is an assignment of
 * its own, with a reader and a committer, and ends alone when the partition goes. The reader goes on
 * behind what the group has committed.
 */

import type { Kafka } from 'kafkajs'
import type { Topic } from '../../schemas/topics.ts'
import type { KafkaLogger } from './kafka-connection.ts'
import { createCursor } from './kafka-cursor.ts'
import type { Place, TopicPartition } from './kafka-places.ts'
import { type Fetched, openReader, type Reader } from './kafka-reader.ts'
import type { OutgoingRecord, StoredRecord } from './kafka-record-batch.ts'
import type { Tenure } from './kafka-tenures.ts'
import { FencedError, openCommitter } from './kafka-transactions.ts'
import type { Append, Assignment, Batch, LogRecord } from './log.ts'
import { unlessAborted } from './signals.ts'

export interface AssignmentOptions {
  readonly kafka: Kafka
  readonly logger: KafkaLogger
  readonly group: string
  readonly topics: readonly Topic[]
  readonly topicName: (topic: Topic) => string
  readonly maxRecords: number
  readonly encode: (append: Append) => OutgoingRecord
  /** The rows of raw records; what cannot be decoded is reported and left out. */
  readonly decode: (
    topic: Topic,
    partition: number,
    raw: readonly StoredRecord[],
  ) => Promise<LogRecord[]>
}

/** Takes the partition over; from here on nobody else can commit it without our noticing. */
export async function openAssignment(
  options: AssignmentOptions,
  { share, ended, giveUp }: Tenure,
): Promise<Assignment & { close(): Promise<void> }> {
  const { kafka, logger, group, topics, topicName, maxRecords, encode, decode } = options
  const partition = Number(share)
  const opened = await Promise.allSettled([
    openReader(kafka, topics.map(topicName)),
    openCommitter(kafka, { group, share }),
  ])
  let closed = false
  const close = async () => {
    closed = true
    await Promise.all(
      opened.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)),
    )
  }
  const [reading, committing] = opened
  if (reading.status === 'rejected' || committing.status === 'rejected') {
    await close()
    throw (opened.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason
  }
  const reader = reading.value
  const committer = committing.value
  let uncommitted = 0
  logger.info({ group, partition }, 'partition assigned')

  async function settle(outputs: readonly OutgoingRecord[], offsets: readonly Place[]) {
    // The partition has gone: whoever has it now reads the batch again.
    if (closed) return
    try {
      await committer.commit(outputs, offsets)
    } catch (error) {
      if (!(error instanceof FencedError)) throw error
      logger.info({ group, partition, err: error }, 'commit left to the new owner of the partition')
      giveUp()
    }
  }

  /**
   * Cuts what was fetched into batches of at most `maxRecords`, each with the offsets behind it. Without
   * records when nothing of it can be read.
   */
  async function* inBatches(parts: readonly { topic: Topic; fetched: Fetched }[]) {
    let records: LogRecord[] = []
    let offsets = new Map<string, Place>()
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

  function batchOf(records: readonly LogRecord[], offsets: readonly Place[]): Batch {
    let committed = false
    uncommitted++
    return {
      records,
      async commit(outputs) {
        if (committed) throw new Error('a batch can be committed once only')
        const records = outputs.map(encode)
        committed = true
        await settle(records, offsets)
        uncommitted--
      },
    }
  }

  async function* batches(): AsyncGenerator<Batch, void> {
    try {
      yield* batchesFromCommit()
    } catch (error) {
      // A reader that is closed because the partition has gone fails at whatever it was asked.
      if (!ended.aborted) throw error
    }
  }

  async function* batchesFromCommit(): AsyncGenerator<Batch, void> {
    const places = topics.map((topic) => ({ topic: topicName(topic), partition }))
    const cursor = createCursor(await startOf(reader, group, places))
    while (!ended.aborted) {
      const fetched = await unlessAborted(reader.fetch(cursor.places(), 500), ended)
      if (fetched === null) return
      const taken = cursor.take(fetched)
      const parts = topics.flatMap((topic) =>
        taken
          .filter((part) => part.topic === topicName(topic))
          .map((fetched) => ({ topic, fetched })),
      )
      for await (const { records, offsets } of inBatches(parts)) {
        if (ended.aborted) return
        if (records.length > 0) yield batchOf(records, offsets)
        // Only skipped offsets, such as aborted or undecodable records: nothing to decide.
        else if (uncommitted === 0) await settle([], offsets)
      }
    }
  }

  return { partition, batches: batches(), close }
}

/** Where the group goes on: behind its commits; in a new group, or if those are gone, the oldest. */
async function startOf(reader: Reader, group: string, partitions: readonly TopicPartition[]) {
  const committed = await reader.committed(group, partitions)
  const starts = await reader.offsets(partitions, 'start')
  return partitions.map((place, index) => ({
    ...place,
    offset: Math.max(committed[index] ?? 0, starts[index]!),
  }))
}
