/**
 * The one loop where decisions meet I/O: restore the tables, then read, decide, append and commit.
 * The same for both logs, and starting and recovering are one path: when partitions move, the
 * assignment ends, its tables are dropped, and the next one restores its own.
 *
 * A record that a decision fails at would fail again at every start. It is left out, with a dead
 * letter in the commit that settles it. What the failure left half changed is undone by restoring
 * the tables, which nothing of the batch has reached; that takes as long as a start, and is worth it
 * because it is the one way back that can forget nothing.
 */

import { createDeadLetters } from './feeds/dead-letters.ts'
import type { Append, Batch, Log, LogRecord } from './log/log.ts'
import { DecisionError, type Processor, type ProcessorState } from './processors/processor.ts'

export interface RunOptions {
  readonly signal: AbortSignal
  /** Largest batch that is decided and committed at once. */
  readonly maxRecords?: number
  /** For when a dead letter was written, default the system's. */
  readonly clock?: () => number
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
  /** Called for a record that is left out because a decision failed at it: a mistake of ours. */
  readonly onLeftOut?: (error: DecisionError) => void
}

/** Dead letters of one sportsbook, at most; the counter goes on. */
const lettersMax = 100

/** Runs until `signal` aborts. Rejects when the log does, or when an invariant broke. */
export async function run(processor: Processor, log: Log, options: RunOptions): Promise<void> {
  const { signal, maxRecords, clock = Date.now, onCommit, onRestored, onLeftOut } = options
  const group = processor.name
  const letters = createDeadLetters(clock)
  const counts = new Map<string, number>()
  for await (const { partitions, batches } of log.join(processor.inputs, {
    group,
    signal,
    ...(maxRecords !== undefined && { maxRecords }),
  })) {
    let state = await restore(partitions)
    if (signal.aborted) return
    for await (const batch of batches) {
      const changes = await decide(batch)
      if (changes === null) return
      await batch.commit(changes)
      onCommit?.({ records: batch.records.length, changes: changes.length, counts })
    }

    /** The changes of a batch without the records that decisions fail at; null when told to stop. */
    async function decide({ records }: Batch): Promise<readonly Append[] | null> {
      for (let left = records; ; ) {
        try {
          const changes = state.decide(left)
          return left === records ? changes : [...changes, ...letters.take()]
        } catch (error) {
          if (!(error instanceof DecisionError)) throw error
          leaveOut(error)
          left = left.filter((record) => record !== error.record)
          state = await restore(partitions)
          if (signal.aborted) return null
        }
      }
    }
  }

  /** The tables as they were committed; half of them when `signal` has aborted. */
  async function restore(partitions: readonly number[]): Promise<ProcessorState> {
    const startedAt = performance.now()
    const state = processor.create(counts)
    let rows = 0
    for (const table of processor.tables) {
      for await (const records of log.replay([table], { partitions, signal })) {
        for (const record of records) state.restore(record)
        rows += records.length
      }
    }
    if (signal.aborted) return state
    onRestored?.({ partitions, rows, durationMs: performance.now() - startedAt })
    return state
  }

  function leaveOut(error: DecisionError) {
    const code = 'decision_failed'
    counts.set(code, (counts.get(code) ?? 0) + 1)
    const sportsbook = sportsbookOf(error.record)
    letters.write(
      { sportsbook, code, message: String(error.cause) },
      () => JSON.stringify(error.record.value),
      lettersMax,
    )
    onLeftOut?.(error)
  }
}

const sportsbookOf = ({ value }: LogRecord) =>
  (value as { readonly sportsbook?: string } | null)?.sportsbook ?? 'unknown'
