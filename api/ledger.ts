/**
 * A table that this process follows and writes. A write resolves once this process has read it back from the log, so
 * that a client sees its own change at once. During a replay the previous table stays in use.
 *
 * Writes of one lane run one after another. If two processes write the same row at the same time, the last write wins;
 * `change` keeps the fields of both.
 */

import { randomUUID } from 'node:crypto'
import { createMutex } from '../pipeline/async/mutex.ts'
import type { Append, Log } from '../pipeline/log/log.ts'
import { putRow } from '../pipeline/views/table.ts'
import type { View } from '../pipeline/views/view.ts'
import type { Topic } from '../schemas/topics.ts'
import { ApiError, retryAfter } from './errors.ts'

export interface Ledger<Table> extends View {
  readonly table: Table
  /** Whether the table has been read from the log once. */
  readonly isReady: boolean
  /** Whether the log is being read from its start, so that `table` is the previous one. */
  readonly isReplaying: boolean
  readonly ready: Promise<void>
  /**
   * Appends records at once, and resolves once the awaited ones are read back: by default the last,
   * because records of one partition come in order. If the write fails because the embedded log is
   * full, none was stored. On brokers with several partitions, some may have been stored.
   * @throws ApiError service_unavailable
   */
  write(records: readonly Append[], awaited?: Awaited): Promise<void>
  /**
   * Changes some fields of a row, in its lane. If another process has written the row between
   * reading and writing, its changes of other fields are written again, and a deletion stands.
   * Until then readers do not see those changes. If `make` refuses the row that the other process
   * wrote, that row is written again whole. During a replay it waits for the new table.
   * @returns the row as written, in the table's own object; undefined if there is none
   * @throws ApiError service_unavailable, and what the change throws
   */
  change<Row extends Revised>(change: RowChange<Row>): Promise<Row | undefined>
  /**
   * Makes several such changes, of different rows, in one append together with the records of
   * `also`. If another process has written a row meanwhile, that row is written again by itself.
   * @returns the rows in the order of the changes
   * @throws ApiError service_unavailable, and what a change throws
   */
  changeAll<Row extends Revised>(
    changes: readonly RowChange<Row>[],
    also?: readonly Append[],
  ): Promise<readonly (Row | undefined)[]>
  /** Runs `work` after all earlier work of its lane, so that its checks still hold when it writes. */
  inTurn<Result>(lane: string, work: () => Promise<Result>): Promise<Result>
}

/** Keys of the records that a write waits for, each with a test that recognises the record. */
export type Awaited = ReadonlyMap<string, (row: unknown) => boolean>

/** A row whose revision is another with each write, so that the writer recognises its own. */
export interface Revised {
  readonly revision: string
  readonly updatedAt?: number
}

export interface RowChange<Row extends Revised> {
  /** Returns the row as the table has it now. */
  find(): Row | undefined
  /** Returns the row with its new fields, or throws if it may not have them. The ledger sets the revision. */
  make(before: Row): Row
  record(key: Row, value: Row | null): Append
}

/** A change in progress: written once, and again if other processes wrote the row meanwhile. */
interface Attempt<Row> {
  readonly before: Row
  readonly row: Row
  readonly written: Append
  /** The row that ours replaces in the log. */
  replaced: Row | null
}

export interface LedgerOptions<Table> {
  readonly topic: Topic
  empty(): Table
  /** Applies a record to the table. A null row is a deletion. */
  take(table: Table, key: string, row: unknown): void
  /** Called when the table has changed; after a replay `before` is the table that was replaced. */
  changed?(before: Table | null): void
  /** Called when following has ended: nothing more is read back. */
  ended?(): void
}

/** The table of a ledger that keeps rows by key. */
export const rowsByKey = <Row>() => ({
  empty: () => new Map<string, Row>(),
  take: (rows: Map<string, Row>, key: string, row: unknown) => putRow(rows, key, row as Row | null),
})

/** A write that is not read back within this time fails. */
const longestWaitMs = 10_000

const writtenUnread =
  'The change is written, but was not read back in time. Check it, then try again.'

export const unavailable = (message: string) =>
  new ApiError('service_unavailable', message, retryAfter(1))

interface Waiting {
  readonly missing: Map<string, (row: unknown) => boolean>
  isWritten: boolean
  /** Whether the end of the running replay ends it, whatever is missing. */
  endsWithReplay: boolean
  end(error?: ApiError): void
}

export function createLedger<Table>(
  log: Pick<Log, 'append'>,
  { topic, empty, take, changed, ended }: LedgerOptions<Table>,
): Ledger<Table> {
  let table = empty()
  /** The table of a running replay; null otherwise. */
  let replayed: Table | null = null
  let isReady = false
  let markReady = () => {}
  const ready = new Promise<void>((resolve) => {
    markReady = resolve
  })
  const waiting = new Set<Waiting>()
  /** Lanes with work. */
  const lanes = new Map<string, { readonly run: ReturnType<typeof createMutex>; works: number }>()

  function markRead(key: string, row: unknown) {
    for (const { missing } of waiting) if (missing.get(key)?.(row)) missing.delete(key)
  }

  function resolveRead() {
    for (const one of waiting) if (one.missing.size === 0 || one.endsWithReplay) one.end()
  }

  /** Resolves once the work is done and all that is awaited was read. @param late the error after `longestWaitMs` */
  async function readBack(awaited: Awaited, work: () => Promise<void>, late: string) {
    let end: Waiting['end'] = () => {}
    const read = new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve())
    })
    const missing = new Map(awaited)
    const entry: Waiting = { missing, isWritten: false, endsWithReplay: false, end }
    waiting.add(entry)
    const timer = setTimeout(() => end(unavailable(late)), longestWaitMs)
    try {
      // Records may be read back before the log acknowledges them, so both events are awaited.
      const done = work().then(() => {
        entry.isWritten = true
      })
      await Promise.all([done, read])
    } finally {
      clearTimeout(timer)
      waiting.delete(entry)
    }
  }

  const write: Ledger<Table>['write'] = (records, awaited = lastOf(records)) =>
    readBack(awaited, () => log.append(records), writtenUnread)

  /** Waits for the end of a running replay, because the previous table may have an older row. */
  const replayEnds = (late: string) => readBack(new Map(), async () => {}, late)

  async function changeAll<Row extends Revised>(
    changes: readonly RowChange<Row>[],
    also: readonly Append[] = [],
  ) {
    while (replayed && changes.length > 0) {
      await replayEnds('The service reads its log anew. Try again.')
    }
    const attempts = changes.map((change) => attemptOf(change, change.make))
    const begun = attempts.flatMap((attempt) => attempt ?? [])
    const records = [...also, ...begun.map(({ written }) => written)]
    const awaited = [...(also.length > 0 ? lastOf(also) : []), ...begun.map(awaitedOf)]
    if (records.length > 0) await write(records, new Map(awaited))
    // All have ended before the caller's lane is free.
    const ends = await Promise.allSettled(changes.map((change, i) => finish(change, attempts[i])))
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason
      return end.value
    })
  }

  /** Returns a change of the row as it stands; undefined if there is none. */
  function attemptOf<Row extends Revised>(
    { find, record }: RowChange<Row>,
    make: (before: Row) => Row,
  ): Attempt<Row> | undefined {
    const before = find()
    if (!before) return undefined
    const row: Row = { ...make(before), revision: randomUUID() }
    return { before, row, written: record(row, row), replaced: before }
  }

  /** Writes an attempt again, until it has replaced no row of another process. */
  async function finish<Row extends Revised>(
    change: RowChange<Row>,
    first: Attempt<Row> | undefined,
  ): Promise<Row | undefined> {
    const { find, make, record } = change
    let refusal: { readonly error: unknown } | null = null
    let attempt = first
    while (attempt) {
      const { before, row, replaced } = attempt
      if (replaced === null) {
        await write([record(row, null)])
        return undefined
      }
      const lost = changedFields(before, replaced).filter((name) => isSame(row[name], before[name]))
      // A row that was deleted after our write is missing in a replay.
      if (lost.length === 0) {
        if (refusal) throw refusal.error
        const kept = find()
        return kept?.revision === row.revision ? kept : kept && row
      }
      refusal ??= refusalOf(() => make(replaced))
      const names = refusal ? changedFields(row, replaced) : lost
      while (replayed) await replayEnds(writtenUnread)
      attempt = attemptOf(change, (now) => {
        const open = names.filter((name) => isSame(now[name], row[name]))
        return { ...now, ...Object.fromEntries(open.map((name) => [name, replaced[name]])) }
      })
      if (attempt) await write([attempt.written], new Map([awaitedOf(attempt)]))
    }
    return undefined
  }

  /** Returns the test for the record of an attempt, which notes the row that it replaces. */
  function awaitedOf<Row extends Revised>(
    attempt: Attempt<Row>,
  ): readonly [string, (row: unknown) => boolean] {
    const isOurs = (read: unknown) => {
      if (revisionOf(read) === attempt.row.revision) return true
      attempt.replaced = read as Row | null
      return false
    }
    return [attempt.written.key, isOurs]
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
    get isReplaying() {
      return replayed !== null
    },
    reset() {
      replayed = empty()
      // The replay contains every acknowledged write, or a newer one of the same row. The waiting
      // writes still read it, because it has the row that theirs replaced.
      for (const one of waiting) one.endsWithReplay = one.isWritten
    },
    apply(records) {
      let isChanged = false
      for (const { topic: changed, key, value } of records) {
        if (changed.name !== topic.name) continue
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
      for (const one of waiting) one.end(unavailable('The service is stopping. Try again.'))
      ended?.()
    },

    write,
    changeAll,

    async change(change) {
      const [row] = await changeAll([change])
      return row
    },

    inTurn(lane, work) {
      const entry = lanes.get(lane) ?? { run: createMutex(), works: 0 }
      lanes.set(lane, entry)
      entry.works++
      return entry.run(work).finally(() => {
        entry.works--
        if (entry.works === 0) lanes.delete(lane)
      })
    },
  }
}

function refusalOf(make: () => unknown): { readonly error: unknown } | null {
  try {
    make()
    return null
  } catch (error) {
    return { error }
  }
}

/** Returns a test for the last record, by its revision. */
function lastOf(records: readonly Append[]): Awaited {
  const { key, value } = records.at(-1)!
  return new Map([[key, (row) => revisionOf(row) === revisionOf(value)]])
}

const revisionOf = (row: unknown) => (row as { readonly revision: string } | null)?.revision

/** Returns the names of the fields that differ, without those of every write. */
const changedFields = <Row extends Revised>(before: Row, after: Row) =>
  (Object.keys(after) as (keyof Row)[]).filter(
    (name) => name !== 'revision' && name !== 'updatedAt' && !isSame(before[name], after[name]),
  )

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
