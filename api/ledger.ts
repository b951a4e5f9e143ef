/**
 * A table that this process follows and writes: rows go to the log, and a write has ended once this process has read it
 * back, so that a client sees its own change at once. While a replay comes the table before it stays in force.
 *
 * Writes of one lane come one after the other. Two processes that change the same row within the moment it takes to hear
 * of each other end on the row written last.
 */

import type { Append, Log } from '../pipeline/log/log.ts'
import { createTurns } from '../pipeline/turns.ts'
import type { View } from '../pipeline/views/view.ts'
import type { Topic } from '../schemas/topics.ts'
import { ApiError, retryAfter } from './errors.ts'

export interface Ledger<Table> extends View {
  readonly table: Table
  /** Whether the table has been read from the log once. */
  readonly isReady: boolean
  readonly ready: Promise<void>
  /**
   * Appends records, and resolves once what is awaited has been read: by default the last of the records, as those of
   * one partition come in order.
   * @throws ApiError service_unavailable
   */
  write(records: readonly Append[], awaited?: Awaited): Promise<void>
  /** Runs `work` after all earlier work of its lane, so that what it has checked still holds when it writes. */
  inTurn<Result>(lane: string, work: () => Promise<Result>): Promise<Result>
}

/** Keys of the records that a write waits for, and what tells them from others under these keys. */
export type Awaited = ReadonlyMap<string, (row: unknown) => boolean>

export interface LedgerOptions<Table> {
  readonly topic: Topic
  empty(): Table
  /** Takes a record into the table; a null row is a deletion. */
  take(table: Table, key: string, row: unknown): void
  /** The table has changed; at the end of a replay `before` is the one that it replaces. */
  changed?(before: Table | null): void
}

/** After this long without reading a write back, it counts as failed. */
const longestWaitMs = 10_000
/** Records of one append. */
const appendCount = 1_000

export const unavailable = (message: string) =>
  new ApiError('service_unavailable', message, retryAfter(1))

interface Waiting {
  readonly missing: Map<string, (row: unknown) => boolean>
  isWritten: boolean
  end(error?: ApiError): void
}

export function createLedger<Table>(
  log: Pick<Log, 'append'>,
  { topic, empty, take, changed }: LedgerOptions<Table>,
): Ledger<Table> {
  let table = empty()
  /** A fresh replay, until it is whole. */
  let replayed: Table | null = null
  let isReady = false
  let markReady = () => {}
  const ready = new Promise<void>((resolve) => {
    markReady = resolve
  })
  const waiting = new Set<Waiting>()
  /** One for each lane that ever had work: there are at most as many as accounts. */
  const lanes = new Map<string, ReturnType<typeof createTurns>>()

  function markRead(key: string, row: unknown) {
    for (const { missing } of waiting) if (missing.get(key)?.(row)) missing.delete(key)
  }

  function resolveRead() {
    for (const one of waiting) if (one.missing.size === 0) one.end()
  }

  async function append(records: readonly Append[]) {
    for (let from = 0; from < records.length; from += appendCount) {
      await log.append(records.slice(from, from + appendCount))
    }
  }

  return {
    tables: [topic],
    ready,
    get table() {
      return table
    },
    get isReady() {
      return isReady
    },
    reset() {
      replayed = empty()
      // It holds every write made so far, or a newer one of the same row.
      for (const { isWritten, missing } of waiting) if (isWritten) missing.clear()
    },
    apply(records) {
      let isChanged = false
      for (const { topic: of, key, value } of records) {
        if (of.name !== topic.name) continue
        take(replayed ?? table, key, value)
        markRead(key, value)
        isChanged = true
      }
      if (replayed || !isChanged) return
      changed?.(null)
      resolveRead()
    },
    caughtUp() {
      if (!replayed) return
      const before = table
      table = replayed
      replayed = null
      isReady = true
      changed?.(before)
      resolveRead()
      markReady()
    },
    ended() {
      for (const one of waiting) one.end(unavailable('The service is ending.'))
    },

    async write(records, awaited = lastOf(records)) {
      const missing = new Map(awaited)
      let end: Waiting['end'] = () => {}
      const readBack = new Promise<void>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve())
      })
      const entry: Waiting = { missing, isWritten: false, end }
      waiting.add(entry)
      const timer = setTimeout(
        () => end(unavailable('The change is written but has not come back from the log.')),
        longestWaitMs,
      )
      try {
        // Records may be read back before the log acknowledges them: wait for both.
        const written = append(records).then(() => {
          entry.isWritten = true
        })
        await Promise.all([written, readBack])
      } finally {
        clearTimeout(timer)
        waiting.delete(entry)
      }
    },

    inTurn(lane, work) {
      const turns = lanes.get(lane) ?? createTurns()
      lanes.set(lane, turns)
      return turns(work)
    },
  }
}

/** Rows are told apart by their revisions. */
function lastOf(records: readonly Append[]): Awaited {
  const { key, value } = records.at(-1)!
  return new Map([[key, (row) => revisionOf(row) === revisionOf(value)]])
}

const revisionOf = (row: unknown) => (row as { readonly revision: string } | null)?.revision
