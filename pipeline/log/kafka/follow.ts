/**
 * Follows topics in all partitions: their content, then each change. A partition keeps its order; records fetched
 * together come in the order of the topics.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Topic } from '../../../schemas/topics.ts'
import { unlessAborted } from '../../async/abort-signals.ts'
import type { Chunk, LogRecord, Position } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import { createCursor } from './cursor.ts'
import {
  byPartition,
  type PartitionOffset,
  partitionId,
  partitionsOf,
} from './partition-offsets.ts'
import { OffsetOutOfRangeError, type Reader } from './reader.ts'
import { chunkRecords, type Rows } from './rows.ts'
import { newestOf, readTo } from './tables.ts'

export interface FollowingOptions {
  readonly topics: readonly Topic[]
  readonly topicName: (topic: Pick<Topic, 'name'>) => string
  readonly partitionCount: number
  /** The epoch of the log. */
  readonly epoch: string
  /** Tombstones older than this may be gone. */
  readonly tombstonesKeptMs: number
  readonly rows: Rows
  readonly logger: KafkaLogger
}

/** After a silence of this share of `tombstonesKeptMs`, tombstones may be gone: that is checked. */
const longSilence = 0.5

/** Thrown when a partition had no response for so long that tombstones may be missing now. */
class LongSilenceError extends Error {
  override readonly name = 'LongSilenceError'

  constructor(silentMs: number) {
    super(`a partition had not been answered for ${Math.round(silentMs / 60_000)} minutes`)
  }
}

interface Tables {
  readonly places: readonly PartitionOffset[]
  readonly records: readonly LogRecord[]
  /** Whether none of their chunks has been returned yet. */
  readonly reset: boolean
}

/**
 * Yields chunks from a position on; with a reset from the beginning if changes after the position
 * may be missing. It ends when `signal` aborts.
 * @param reader a reader of all these topics
 */
export async function* followTopics(
  reader: Reader,
  from: Position | undefined,
  options: FollowingOptions,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const { topics, topicName, partitionCount, epoch, tombstonesKeptMs, rows, logger } = options
  const all = partitionsOf(
    topics.map(topicName),
    Array.from({ length: partitionCount }, (_, partition) => partition),
  )
  /** The offsets up to which all is yielded; null while the tables are incomplete. */
  let reached: Map<string, number> | null = null
  const position = () =>
    positionOf(all.map((place) => ({ ...place, offset: reached!.get(partitionId(place))! })))
  await reader.renew()
  let places = from ? await resume(from) : null
  for (let doubted: Position | null = null; ; ) {
    try {
      return yield* followFrom(places)
    } catch (error) {
      if (!(error instanceof OffsetOutOfRangeError || error instanceof LongSilenceError))
        throw error
      // A former leader that is cut off may have fewer records.
      await reader.renew()
      const at: Position | null = reached && position()
      places = at && !isDeepStrictEqual(at, doubted) ? await resume(at) : null
      doubted = at
      if (!places)
        logger.warn({ err: error }, 'followed records are gone; reading everything again')
    }
  }

  /** @param resumed where to continue; null: from the beginning, with a reset */
  async function* followFrom(resumed: readonly PartitionOffset[] | null): AsyncGenerator<Chunk> {
    reached = null
    const tables = resumed ? { places: resumed, records: [], reset: false } : yield* tablesNow()
    if (tables === null) return
    const { places } = tables
    const cursor = createCursor(places)
    const ends = resumed && byPartition(places, await reader.offsets(places, 'end'))
    const offsets = byPartition(
      places,
      places.map(({ offset }) => offset),
    )
    reached = offsets
    let wasCaughtUp = false
    let { reset, records }: { reset: boolean; records: readonly LogRecord[] } = tables
    for (;;) {
      const behind = new Set(
        cursor
          .places()
          .filter((place) => place.offset < (ends?.get(partitionId(place)) ?? 0))
          .map(({ topic }) => topic),
      )
      const caughtUp = behind.size === 0
      if (records.length > 0 || caughtUp !== wasCaughtUp) {
        yield { reset, records, position: position(), caughtUp }
        reset = false
        wasCaughtUp = caughtUp
      }
      if (signal.aborted) return
      // Until caught up, one topic after the other, so that rows come before rows that refer to
      // them.
      const first = caughtUp ? undefined : topics.map(topicName).find((name) => behind.has(name))
      const wanted = cursor.places().filter(({ topic }) => first === undefined || topic === first)
      const fetched = await unlessAborted(reader.fetch(wanted, caughtUp ? 500 : 50), signal)
      if (fetched === null) return
      const silentMs = Math.max(0, ...fetched.map((answer) => answer.silentMs))
      if (silentMs > tombstonesKeptMs * longSilence) throw new LongSilenceError(silentMs)
      const taken = cursor.take(fetched)
      let changes: LogRecord[] = []
      for (const topic of topics) {
        for (const { records: raw, next, ...place } of taken) {
          if (place.topic !== topicName(topic)) continue
          // Lets the process serve others between chunks.
          for (let from = 0; from < raw.length; from += chunkRecords) {
            const some = raw.slice(from, from + chunkRecords)
            const decoded = await unlessAborted(rows.decode(topic, place.partition, some), signal)
            if (decoded === null) return
            for (const record of decoded) changes.push(record)
            offsets.set(partitionId(place), some.at(-1)!.offset + 1)
            if (changes.length < chunkRecords) continue
            yield { reset: false, records: changes, position: position(), caughtUp: wasCaughtUp }
            changes = []
          }
          offsets.set(partitionId(place), next)
        }
      }
      records = changes
    }
  }

  /**
   * Yields the current content, the newest record of each key. Topics come one after the other, so
   * that rows come before rows that refer to them. So do partitions, because the rows of one are in
   * memory twice.
   * @returns where to continue, and the last rows, which are not yielded yet; null if `signal` has
   * aborted
   */
  async function* tablesNow(): AsyncGenerator<Chunk, Tables | null> {
    const ends = byPartition(all, await reader.offsets(all, 'end'))
    const starts = await reader.offsets(all, 'start')
    const from = all.map((place, index) => ({ ...place, offset: starts[index]! }))
    // With incomplete tables, a reader can only begin again.
    const position = positionOf(from)
    let last: readonly LogRecord[] = []
    let reset = true
    const inOrder = topics.flatMap((topic) =>
      from.filter((place) => place.topic === topicName(topic)).map((place) => ({ topic, place })),
    )
    const read = (index: number) =>
      readTo(
        reader,
        inOrder.slice(index, index + 1).map(({ place }) => place),
        ends,
      )
    let reading = read(0)
    for (const [index, { topic, place }] of inOrder.entries()) {
      const newest = await newestOf(reading, ends, signal)
      if (newest === null) return null
      reading = read(index + 1)
      const raw = newest.get(place.topic) ?? []
      for await (const records of rows.chunks(topic, place.partition, raw, signal)) {
        if (last.length > 0) {
          yield { reset, records: last, position, caughtUp: false }
          reset = false
        }
        last = records
      }
      if (signal.aborted) return null
    }
    const places = from.map((place) => ({ ...place, offset: ends.get(partitionId(place))! }))
    return { places, records: last, reset }
  }

  /** @param places of all partitions, in the order of `partitionsOf` */
  function positionOf(places: readonly PartitionOffset[]): Position {
    const offsets: Record<string, number[]> = {}
    for (const topic of topics) offsets[topic.name] = []
    places.forEach(({ offset }, index) => {
      offsets[topics[index % topics.length]!.name]!.push(offset)
    })
    return { epoch, offsets }
  }

  /** Returns the places of a position, or null if changes after it may be missing. */
  async function resume(from: Position): Promise<readonly PartitionOffset[] | null> {
    if (from.epoch !== epoch) return null
    if (topics.some(({ name }) => from.offsets[name]?.length !== partitionCount)) return null
    const places = all.map((place, index) => ({
      ...place,
      offset: from.offsets[topics[index % topics.length]!.name]![place.partition]!,
    }))
    const starts = await reader.offsets(places, 'start')
    const ends = await reader.offsets(places, 'end')
    // After an older position tombstones may be gone, so removals would be missed.
    const time = Date.now() - tombstonesKeptMs
    const youngs = await reader.offsets(places, { time })
    const whole = places.every(({ offset }, index) => {
      const [start, end] = [starts[index]!, ends[index]!]
      const young = Math.min(youngs[index] ?? end, end)
      return Number.isInteger(offset) && offset >= start && offset <= end && offset >= young
    })
    return whole ? places : null
  }
}
