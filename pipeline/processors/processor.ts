/**
 * The processor port. A processor keeps tables: it reads records and decides which rows change. The
 * changes on the changelog topics are the tables. It reads no clock, writes no log line and draws
 * no random number, so the same records in the same order always end on the same rows; time arrives
 * as tick records.
 */

import type { Topic } from '../../schemas/topics.ts'
import type { Append, LogRecord } from '../log/log.ts'

export interface Processor {
  /** The consumer group and metric label. */
  readonly name: string
  readonly inputs: readonly Topic[]
  /** The tables it keeps; replayed into `restore` before the first batch. */
  readonly tables: readonly Topic[]
  /**
   * Creates empty tables, for the partitions just assigned.
   * @param counts the `counts` to continue, if these tables replace earlier ones
   */
  create(counts?: Map<string, number>): ProcessorState
}

export interface ProcessorState {
  /** Applies one changelog record of `tables`. */
  restore(record: LogRecord): void
  /**
   * Takes the records in order, updates the tables, and returns the changes.
   * @throws DecisionError for a record that it fails at. Then its state is half changed, and only a
   * newly restored state can go on
   */
  decide(records: readonly LogRecord[]): readonly Append[]
  /** Records left out and other incidents since the start, by code. */
  readonly counts: ReadonlyMap<string, number>
}

/** Thrown for a record that a processor fails at: a bug of ours, triggered by the content. */
export class DecisionError extends Error {
  override readonly name = 'DecisionError'
  readonly record: LogRecord

  constructor(record: LogRecord, { cause }: { readonly cause: unknown }) {
    const { topic, partition, offset } = record
    super(`${topic.name}, partition ${partition}, offset ${offset}: ${cause}`, { cause })
    this.record = record
  }
}
