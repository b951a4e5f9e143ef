/** Reads tables from changelogs: the newest record of each key, and the replay up to one moment. */

import { setImmediate } from 'node:timers/promises'
import type { Topic } from '../../../schemas/topics.ts'
import { unlessAborted } from '../../async/abort-signals.ts'
import type { LogRecord } from '../log.ts'
import { createCursor } from './cursor.ts'
import {
  byPartition,
  type PartitionOffset,
  partitionId,
  partitionsOf,
} from './partition-offsets.ts'
import type { Fetched, Reader } from './reader.ts'
import type { StoredRecord } from './record-batch.ts'
import type { Rows } from './rows.ts'

/** Reads the records of some partitions up to their ends, a response at a time; null after the last. */
export type Reading = () => Promise<readonly Fetched[] | null>

/**
 * Sends the first request at once, and the next before each response is processed, so that brokers read meanwhile.
 * @param ends by place
 */
export function readTo(
  reader: Reader,
  places: readonly PartitionOffset[],
  ends: ReadonlyMap<string, number | null>,
): Reading {
  const cursor = createCursor(places)
  let fetching = fetchNext()

  function fetchNext() {
    const behind = cursor.places().filter((place) => place.offset < ends.get(partitionId(place))!)
    if (behind.length === 0) return null
    const next = reader.fetch(behind, 100)
    next.catch(() => {}) // fails where it is waited for
    return next
  }

  return async () => {
    if (!fetching) return null
    const taken = cursor.take(await fetching)
    fetching = fetchNext()
    await setImmediate() // lets the request be sent
    return taken
  }
}

/**
 * Returns the newest of each key before `ends`, without tombstones, by topic in the order of
 * offsets. Records are not decoded yet, because most of a long tail is superseded. Null when
 * `signal` has aborted.
 */
export async function newestOf(
  reading: Reading,
  ends: ReadonlyMap<string, number | null>,
  signal: AbortSignal,
): Promise<Map<string, StoredRecord[]> | null> {
  const newest = new Map<string, Map<string, KeptRecord>>()
  for (;;) {
    const answer = await unlessAborted(reading(), signal)
    if (signal.aborted) return null
    if (answer === null) break
    for (const { records, ...place } of answer) {
      const rows = newest.get(place.topic) ?? new Map<string, KeptRecord>()
      newest.set(place.topic, rows)
      keepNewest(rows, records, ends.get(partitionId(place))!)
    }
  }
  const byOffset = (a: StoredRecord, b: StoredRecord) => a.offset - b.offset
  return new Map([...newest].map(([topic, rows]) => [topic, [...rows.values()].sort(byOffset)]))
}

function keepNewest(rows: Map<string, KeptRecord>, records: readonly StoredRecord[], end: number) {
  for (const { offset, key, value } of records) {
    if (offset >= end) break
    if (value === null) {
      rows.delete(key)
      continue
    }
    // A copy, because one record would keep the whole response in memory. It overwrites the former
    // row if it fits.
    const former = rows.get(key)
    if (former?.value.length === value.length) {
      former.offset = offset
      value.copy(former.value)
    } else {
      rows.set(key, { offset, key, value: Buffer.from(value) })
    }
  }
}

/** The newest record of a key so far. */
interface KeptRecord extends StoredRecord {
  offset: number
  readonly value: Buffer
}

export interface ReplayOptions {
  /** The topics in the order of their rows, partition by partition. */
  readonly topics: readonly Topic[]
  readonly partitions: readonly number[]
  readonly topicName: (topic: Topic) => string
  readonly rows: Rows
  readonly signal: AbortSignal
}

/**
 * Yields all rows of tables as of one moment, from the current leaders of their partitions; ends
 * early when `signal` aborts.
 */
export async function* replayTables(
  reader: Reader,
  { topics, partitions, topicName, rows, signal }: ReplayOptions,
): AsyncGenerator<readonly LogRecord[]> {
  const all = partitionsOf(topics.map(topicName), partitions)
  await reader.renew()
  const [starts, ended] = await Promise.all([
    reader.offsets(all, 'start'),
    reader.endsAtOnce(all, signal),
  ])
  if (ended === null) return
  const ends = byPartition(all, ended)
  const wanted = all
    .map((place, index) => ({ ...place, offset: starts[index]! }))
    .filter((place) => place.offset < ends.get(partitionId(place))!)
  const read = (of: number | undefined) =>
    readTo(
      reader,
      wanted.filter(({ partition }) => partition === of),
      ends,
    )
  let reading = read(partitions[0])
  for (const [index, partition] of partitions.entries()) {
    const newest = await newestOf(reading, ends, signal)
    if (newest === null) return
    reading = read(partitions[index + 1])
    for (const topic of topics) {
      const raw = newest.get(topicName(topic)) ?? []
      yield* rows.chunks(topic, partition, raw, signal)
      if (signal.aborted) return
    }
  }
}
