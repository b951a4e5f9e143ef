/** Decodes raw records into rows, by the schemas that they were written with. */

import type { Topic } from '../../../schemas/topics.ts'
import { sleep, unlessAborted } from '../../async/abort-signals.ts'
import { type LogRecord, LogUnavailableError, type Missed } from '../log.ts'
import { createMissedCount } from '../missed.ts'
import type { Codec } from './codec.ts'
import type { Asker } from './outage-watch.ts'
import type { StoredRecord } from './record-batch.ts'

/** The place of a record that cannot be decoded. */
export interface PoisonRecord {
  readonly topic: Topic
  readonly partition: number
  readonly offset: number
  readonly key: string
  readonly value: Buffer
}

export interface Rows {
  /** Returns the records left out so far. */
  undecodable(): Missed
  /** Decodes all at once. Undecodable records are reported and left out. */
  decode(topic: Topic, partition: number, raw: readonly StoredRecord[]): Promise<LogRecord[]>
  /** Decodes a chunk at a time, so that the process serves others meanwhile; ends early when `signal` aborts. */
  chunks(
    topic: Topic,
    partition: number,
    raw: readonly StoredRecord[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly LogRecord[]>
}

export interface RowsOptions {
  readonly codecOf: (topic: Topic) => Codec
  /** Watches the requests to the registry. */
  readonly registry: Asker
  /** Calls wait for the registry until this aborts. */
  readonly patientUntil: AbortSignal
  readonly onPoison: (record: PoisonRecord, error: Error) => void
  /** Monotonic ms. */
  readonly now?: () => number
}

/** The most rows or changes that are decoded and yielded at once. */
export const chunkRecords = 2_000
const registryPauseMs = 1_000

export function createRows(options: RowsOptions): Rows {
  const { codecOf, registry, patientUntil, onPoison, now } = options
  const undecodable = createMissedCount(now)

  function leaveOut(record: PoisonRecord, error: Error) {
    undecodable.add(record.topic.name, 1)
    onPoison(record, error)
  }

  /** Waits for the registry when a record has a schema that this process does not know. */
  async function preparePatiently(codec: Codec, raw: readonly StoredRecord[]) {
    for (;;) {
      try {
        await codec.prepare(raw.map(({ value }) => value))
        return registry.answered()
      } catch (error) {
        if (!(error instanceof LogUnavailableError) || patientUntil.aborted) throw error
        registry.failed(error)
        await sleep(registryPauseMs, patientUntil)
      }
    }
  }

  async function decode(topic: Topic, partition: number, raw: readonly StoredRecord[]) {
    const codec = codecOf(topic)
    await preparePatiently(codec, raw)
    const records: LogRecord[] = []
    for (const { offset, key, value } of raw) {
      try {
        const row = value === null ? null : codec.decode(value)
        records.push({ topic, partition, offset, key, value: row })
      } catch (error) {
        leaveOut({ topic, partition, offset, key, value: value! }, error as Error)
      }
    }
    return records
  }

  return {
    undecodable: undecodable.told,
    decode,
    async *chunks(topic, partition, raw, signal) {
      for (let from = 0; from < raw.length; from += chunkRecords) {
        const some = raw.slice(from, from + chunkRecords)
        const records = await unlessAborted(decode(topic, partition, some), signal)
        if (records === null || signal.aborted) return
        if (records.length > 0) yield records
      }
    },
  }
}
