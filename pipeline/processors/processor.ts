/**
 * The processor port. A processor keeps tables: it reads records, decides which rows change, and
 * those changes on the changelog topics are the tables. It reads no clock, writes no log line and
 * draws no random number, so the same records in the same order always end on the same rows;
 * time arrives as tick records.
 */

import type { Topic } from '../../schemas/topics.ts'
import type { Append, LogRecord } from '../log/log.ts'

export interface Processor {
  /** Consumer group and metric label. */
  readonly name: string
  readonly inputs: readonly Topic[]
  /** The tables it keeps; replayed into `restore` before the first batch. */
  readonly tables: readonly Topic[]
  /**
   * Empty tables, for the partitions just assigned.
   * @param counts the `counts` to go on with, where the tables before were given up
   */
  create(counts?: Map<string, number>): ProcessorState
}

export interface ProcessorState {
  /** Applies one changelog record of `tables`. */
  restore(record: LogRecord): void
  /**
   * Takes the records in order, moves the tables, and returns the changes that did.
   * @throws DecisionError for a record it fails at; then what it holds is half changed, and only a
   * new state, restored, can go on
   */
  decide(records: readonly LogRecord[]): readonly Append[]
  /** Records left out and other incidents since the start, by code. */
  readonly counts: ReadonlyMap<string, number>
}

/** A record that a processor failed at: our mistake, brought out by what the record says. */
export class DecisionError extends Error {
  override readonly name = 'DecisionError'
  readonly record: LogRecord

  constructor(record: LogRecord, { cause }: { readonly cause: unknown }) {
    const { topic, partition, offset } = record
    super(`${topic.name}, partition ${partition}, offset ${offset}: ${cause}`, { cause })
    this.record = record
  }
}
