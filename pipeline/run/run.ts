/**
 * The one loop where decisions meet I/O: restore the tables, then read, decide, append and commit. It is the same for
 * both logs. Each partition has its own loop: while one restores or waits for a commit, the others go on. A partition
 * that is behind decides a batch while the one before is committed. Its commit begins after that
 * one has succeeded, so no decision is written that builds on a failed commit. Starting and
 * recovering are one path: when a partition moves, its assignment ends, its tables are dropped, and
 * the next process restores them.
 *
 * A record on which a decision throws would fail again at every start. It is left out, and its
 * batch's commit writes a dead letter for it. The tables in memory may be half changed, so they are
 * restored from the log, which has none of the batch's changes yet. That takes as long as a start.
 */

import { runEach } from '../async/run-each.ts'
import { createDeadLetters } from '../feeds/dead-letters.ts'
import type { Append, Assignment, Batch, Log, LogRecord } from '../log/log.ts'
import { DecisionError, type Processor, type ProcessorState } from '../processors/processor.ts'
import { type Traces, tracesOf } from './traces.ts'

export interface RunOptions {
  readonly signal: AbortSignal
  /** Largest batch that is decided and committed at once; default 1,000. */
  readonly maxRecords?: number
  /** Returns the time of dead letters; default: the system's. */
  readonly clock?: () => number
  /** Called for a batch with pushes that have an id, before it is committed. */
  readonly onDecided?: (decided: Decided) => void
  /** Called after each commit, for metrics and progress. */
  readonly onCommit?: (batch: Committed) => void
  /** Called instead of `onCommit` when a batch was not written, because its partition had moved. */
  readonly onLeft?: (batch: Left) => void
  /** Called when a partition was assigned, before its tables are restored. */
  readonly onAssigned?: (assigned: Assigned) => void
  /** Called when the tables of a partition are restored. */
  readonly onRestored?: (restored: Restored) => void
  /** Called when a partition has rows but its group no offsets: all records are read again. */
  readonly onOffsetsGone?: (gone: OffsetsGone) => void
  /** Called when a partition has moved. */
  readonly onReleased?: (assigned: Assigned) => void
  /** Called for a record that is left out because a decision threw: a bug of ours. */
  readonly onLeftOut?: (error: DecisionError) => void
}

export interface Decided {
  readonly partition: number
  readonly traces: Traces
  /** How long deciding took. */
  readonly tookMs: number
}

export interface Committed {
  readonly partition: number
  readonly records: number
  readonly changes: number
  /** The pushes with an id in it; null where there was none. */
  readonly traces: Traces | null
  readonly counts: ReadonlyMap<string, number>
}

/** A batch that the partition's new process decides again. */
export type Left = Pick<Committed, 'partition' | 'records' | 'traces'>

/** One assignment of a partition, told from others by its identity: two may overlap for a while. */
export interface Assigned {
  readonly partition: number
}

export interface Restored {
  readonly assigned: Assigned
  readonly rows: number
  readonly durationMs: number
}

export interface OffsetsGone {
  readonly partition: number
  /** The number of rows restored. */
  readonly rows: number
  /** The number of records that are read again. */
  readonly records: number
}

/** The most dead letters for one sportsbook; further records are only counted. */
const lettersMax = 100

/** Runs until `signal` aborts. Rejects when the log does, or when an invariant broke. */
export async function run(processor: Processor, log: Log, options: RunOptions): Promise<void> {
  const { maxRecords = 1_000, onCommit, onLeft, onOffsetsGone } = options
  const { name: group, inputs } = processor
  const counts = new Map<string, number>()

  async function runPartition({ partition, batches, ended }: Assignment, whileAll: AbortSignal) {
    const assigned: Assigned = { partition }
    options.onAssigned?.(assigned)
    try {
      await process(assigned, batches, AbortSignal.any([whileAll, ended]))
    } finally {
      options.onReleased?.(assigned)
    }
  }

  /**
   * Returns how many records a group without offsets has to read; 0 if it has some or is unknown.
   */
  async function waitingWithoutOffsets(partition: number): Promise<number> {
    const places = await log.places(inputs, group, partition).catch(() => [])
    if (places.some(({ committed }) => committed !== null)) return 0
    return places.reduce((sum, { oldest, end }) => sum + end - oldest, 0)
  }

  async function process(assigned: Assigned, batches: AsyncIterable<Batch>, signal: AbortSignal) {
    const { partition } = assigned
    const leftOut = createLeftOut(counts, options)
    let rows = 0
    const restored = () =>
      restore(processor, log, assigned, counts, {
        ...{ ...options, signal },
        onRestored(restored) {
          rows = restored.rows
          options.onRestored?.(restored)
        },
      })
    const waiting = onOffsetsGone ? waitingWithoutOffsets(partition) : null
    let state = await restored()
    if (signal.aborted) return
    void waiting?.then((records) => {
      if (rows > 0 && records > 0) onOffsetsGone?.({ partition, rows, records })
    })
    /** The commit of the batch before. */
    let committing: Promise<void> = Promise.resolve()
    const iterator = batches[Symbol.asyncIterator]()
    try {
      await decideAll()
    } finally {
      // Ends the reading. Batches that are not committed by now never will be.
      void iterator.return?.()
    }

    async function decideAll() {
      for (;;) {
        const next = iterator.next()
        next.catch(() => {})
        // A failed commit ends the work on the partition, even while it waits for the next batch.
        const { done, value: batch } = await Promise.race([next, committing.then(() => next)])
        if (done) return await committing
        const began = performance.now()
        const changes = await decide(batch)
        if (changes === null) return
        const traces = tracesOf(batch.records)
        if (traces) options.onDecided?.({ partition, traces, tookMs: performance.now() - began })
        await committing
        committing = batch
          .commit(traces ? [...changes, traces.append] : changes)
          .then((isWritten) => {
            const { length: records } = batch.records
            if (!isWritten) onLeft?.({ partition, records, traces })
            else onCommit?.({ partition, records, changes: changes.length, traces, counts })
          })
        // Reads on during the commit only while behind: otherwise new records would wait for a second commit.
        if (batch.records.length < maxRecords) await committing
        else committing.catch(() => {})
      }
    }

    /** Returns the changes of a batch, without the records on which decisions throw; null when stopped. */
    async function decide({ records }: Batch): Promise<readonly Append[] | null> {
      for (let left = records; ; ) {
        try {
          const changes = state.decide(left)
          return left === records ? changes : [...changes, ...leftOut.letters()]
        } catch (error) {
          if (!(error instanceof DecisionError)) throw error
          leftOut.add(error)
          left = left.filter((record) => record !== error.record)
          await committing
          state = await restored()
          if (signal.aborted) return null
        }
      }
    }
  }

  await runEach(
    (signal) => log.join(inputs, { group, signal, maxRecords }),
    runPartition,
    options.signal,
  )
}

/** Returns the committed tables of a partition; incomplete when `signal` has aborted. */
async function restore(
  processor: Processor,
  log: Log,
  assigned: Assigned,
  counts: Map<string, number>,
  { signal, onRestored }: RunOptions,
): Promise<ProcessorState> {
  const startedAt = performance.now()
  const partitions = [assigned.partition]
  const state = processor.create(counts)
  let rows = 0
  for await (const records of log.replay(processor.tables, { partitions, signal })) {
    for (const record of records) state.restore(record)
    rows += records.length
  }
  if (signal.aborted) return state
  onRestored?.({ assigned, rows, durationMs: performance.now() - startedAt })
  return state
}

/** Counts and reports the records on which decisions threw, and writes them as dead letters. */
function createLeftOut(counts: Map<string, number>, { clock = Date.now, onLeftOut }: RunOptions) {
  const letters = createDeadLetters(clock)
  const code = 'decision_failed'
  return {
    add(error: DecisionError) {
      const { record, cause } = error
      counts.set(code, (counts.get(code) ?? 0) + 1)
      letters.write(
        { sportsbook: sportsbookOf(record), code, message: String(cause) },
        () => JSON.stringify(record.value),
        lettersMax,
      )
      onLeftOut?.(error)
    },
    /** Returns the dead letters written since the last call. */
    letters: () => letters.take(),
  }
}

const sportsbookOf = ({ value }: LogRecord) =>
  (value as { readonly sportsbook?: string } | null)?.sportsbook ?? 'unknown'
