/**
 * The one loop where decisions meet I/O: restore the tables, then read, decide, append and commit.
 * The same for both logs, and starting and recovering are one path: when partitions move, the
 * assignment ends, its tables are dropped, and the next one restores its own.
 */

import type { Log } from './log/log.ts'
import type { Processor } from './processors/processor.ts'

export interface RunOptions {
  readonly signal: AbortSignal
  /** Largest batch that is decided and committed at once. */
  readonly maxRecords?: number
  /** Called after each commit, for metrics and progress. */
  readonly onCommit?: (batch: {
    readonly records: number
    readonly changes: number
    readonly counts: ReadonlyMap<string, number>
  }) => void
  /** Called when an assignment's tables are restored. */
  readonly onRestored?: (restored: {
    readonly partitions: readonly number[]
    readonly rows: number
    readonly durationMs: number
  }) => void
}

/** Runs until `signal` aborts. Rejects when the log does, or when an invariant broke. */
export async function run(processor: Processor, log: Log, options: RunOptions): Promise<void> {
  const { signal, maxRecords, onCommit, onRestored } = options
  const group = processor.name
  for await (const { partitions, batches } of log.join(processor.inputs, {
    group,
    signal,
    ...(maxRecords !== undefined && { maxRecords }),
  })) {
    const startedAt = performance.now()
    const state = processor.create()
    let rows = 0
    for (const table of processor.tables) {
      for await (const records of log.replay([table], { partitions, signal })) {
        for (const record of records) state.restore(record)
        rows += records.length
      }
    }
    if (signal.aborted) return
    onRestored?.({ partitions, rows, durationMs: performance.now() - startedAt })
    for await (const batch of batches) {
      const changes = state.decide(batch.records)
      await batch.commit(changes)
      onCommit?.({ records: batch.records.length, changes: changes.length, counts: state.counts })
    }
  }
}
