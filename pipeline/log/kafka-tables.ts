/**
 * What tables come to: the newest record of each key, and the replay of tables up to one moment.
 */

import type { Topic } from '../../schemas/topics.ts'
import { createCursor } from './kafka-cursor.ts'
import { byPlace, type Place, placeKey, placesOf } from './kafka-places.ts'
import type { Reader } from './kafka-reader.ts'
import type { StoredRecord } from './kafka-record-batch.ts'
import type { Rows } from './kafka-rows.ts'
import type { LogRecord } from './log.ts'
import { unlessAborted } from './signals.ts'

/**
 * The newest of each key from `places` on to before `ends`, without tombstones, by topic. Nothing is decoded
 * yet: most of a long tail is superseded. Null when `signal` has aborted.
 */
export async function newestOf(
  reader: Reader,
  places: readonly Place[],
  ends: ReadonlyMap<string, number | null>,
  signal: AbortSignal,
): Promise<Map<string, StoredRecord[]> | null> {
  const cursor = createCursor(places)
  const newest = new Map<string, Map<string, KeptRecord>>()
  for (const { topic } of places) newest.set(topic, new Map())
  for (;;) {
    const behind = cursor.places().filter((place) => place.offset < ends.get(placeKey(place))!)
    if (behind.length === 0) break
    const fetched = await unlessAborted(reader.fetch(behind, 100), signal)
    if (fetched === null) return null
    for (const { records, ...place } of cursor.take(fetched)) {
      const rows = newest.get(place.topic)!
      const end = ends.get(placeKey(place))!
      for (const { offset, key, value } of records) {
        if (offset >= end) break
        if (value === null) {
          rows.delete(key)
          continue
        }
        // A copy, since one record would keep the whole response in memory; over the former where it fits.
        const former = rows.get(key)
        if (former?.value.length === value.length) {
          former.offset = offset
          value.copy(former.value)
        } else {
          rows.set(key, {
            offset,
            key,
            value: Buffer.from(value),
          })
        }
      }
    }
  }
  const byOffset = (a: StoredRecord, b: StoredRecord) => a.offset - b.offset
  return new Map([...newest].map(([topic, rows]) => [topic, [...rows.values()].sort(byOffset)]))
}

/** The newest record of a key so far. */
interface KeptRecord extends StoredRecord {
  offset: number
  readonly value: Buffer
}

export interface ReplayOptions {
  /** In the order in which they are given, partition by partition. */
  readonly topics: readonly Topic[]
  readonly partitions: readonly number[]
  readonly topicName: (topic: Topic) => string
  readonly rows: Rows
  readonly signal: AbortSignal
}

/** All rows of tables as they are at one moment, of those who lead their partitions now; ends early when `signal` aborts. */
export async function* replayTables(
  reader: Reader,
  { topics, partitions, topicName, rows, signal }: ReplayOptions,
): AsyncGenerator<readonly LogRecord[]> {
  const all = placesOf(topics.map(topicName), partitions)
  await reader.renew()
  const [starts, ended] = await Promise.all([
    reader.offsets(all, 'start'),
    reader.endsAtOnce(all, signal),
  ])
  if (ended === null) return
  const ends = byPlace(all, ended)
  const wanted = all
    .map((place, index) => ({ ...place, offset: starts[index]! }))
    .filter((place) => place.offset < ends.get(placeKey(place))!)
  for (const partition of partitions) {
    const ofPartition = wanted.filter((place) => place.partition === partition)
    const newest = await newestOf(reader, ofPartition, ends, signal)
    if (newest === null) return
    for (const topic of topics) {
      const raw = newest.get(topicName(topic)) ?? []
      yield* rows.chunks(topic, partition, raw, signal)
      if (signal.aborted) return
    }
  }
}
