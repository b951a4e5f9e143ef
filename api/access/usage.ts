/**
 * Counts the requests of each key in memory. They are written to the topic `usage` every few
 * seconds and at the end, and summed over all API processes and starts. Counts wait while the log
 * takes no writes. A process that is killed, or stops while the log is away, loses only its counts
 * since the last write.
 */

import type { Append, Log } from '../../pipeline/log/log.ts'
import { readTables, takeRows } from '../../pipeline/views/table.ts'
import type { View } from '../../pipeline/views/view.ts'
import { topics } from '../../schemas/topics.ts'
import { type UsageRow, usageKey } from '../../schemas/usage.ts'
import type { Caller } from './keys.ts'
import { countElsewhere, type Meter, type Meters } from './limits.ts'
import { createRepeatedAppend } from './repeated-append.ts'

export interface UsageCounter {
  /**
   * Counts one request. Sandbox keys are not counted.
   * @param family of the route, see `usageFamily`
   */
  count(caller: Caller, now: number, family: string): void
}

/** Requests of all keys of an account, deleted ones too, in UTC periods. */
export interface UsageTotals {
  readonly today: number
  /** Since Monday. */
  readonly thisWeek: number
  /** Since the first of the month. */
  readonly thisMonth: number
}

export interface Usage extends UsageCounter, View {
  totals(accountId: string, now: number): UsageTotals
  /** Resolves when all counts so far are in the log, or the log was full or away, or refused them. */
  flush(): Promise<void>
}

/** How often counts are written while there are new ones. */
export const flushEveryMs = 2_000

/** Most records per append: after a long pause, more rows expire at once than one append takes. */
const appendCount = 1_000

/** Days that rows are kept. The longest period is a month. */
const keptDays = 35
const dayMs = 86_400_000
const minuteMs = 60_000
/** 1970-01-01 was a Thursday, three days into its week. */
const firstWeekday = 3

/** Requests of one key on one day at this process. */
interface Tally {
  readonly keyId: string
  readonly accountId: string
  readonly day: number
  readonly meter: Meter
  requests: number
  readonly byFamily: Map<string, number>
}

export interface UsageOptions {
  /** Name of this process, as in `peers.ts`. */
  readonly writer: string
  readonly meters: Meters
  /** Epoch ms. */
  readonly clock: () => number
}

export function createUsage(log: Log, { writer, meters, clock }: UsageOptions): Usage {
  const append = createRepeatedAppend(log)
  /** The tally of the newest day of each key. */
  const current = new Map<string, Tally>()
  const tallies = createAccountMap<Tally>()
  const unwritten = new Set<Tally>()
  /** Rows of other writers, by key. */
  let others = createAccountMap<UsageRow>()
  /** Rows of a replay until it is complete. */
  let replayed: AccountMap<UsageRow> | null = null
  let sweptDay = 0
  let writing = Promise.resolve()

  function startTally({ keyId, accountId, meter }: Caller, day: number): Tally {
    const tally: Tally = { keyId, accountId, day, meter, requests: 0, byFamily: new Map() }
    current.set(keyId, tally)
    tallies.set(usageKey({ keyId, day, writer }), tally)
    return tally
  }

  const rowOf = ({ accountId, keyId, day, requests, meter, byFamily }: Tally): UsageRow => ({
    accountId,
    keyId,
    day,
    writer,
    requests,
    minute: meter.window,
    minuteRequests: meter.used,
    byFamily: Object.fromEntries(byFamily),
  })

  /** Returns tombstones for rows of expired days. */
  function expired(today: number): Append[] {
    const oldest = today - keptDays
    const tombstones: Append[] = []
    const bury = (accountId: string, key: string) =>
      tombstones.push({ topic: topics.usage, partitionKey: accountId, key, value: null })
    for (const [key, row] of others.all()) if (row.day < oldest) bury(row.accountId, key)
    for (const [key, tally] of tallies.all()) {
      // Yesterday's tally is kept: the clock may step back over midnight.
      if (tally.day < today - 1 && current.get(tally.keyId) === tally) current.delete(tally.keyId)
      if (tally.day >= oldest) continue
      tallies.delete(key)
      unwritten.delete(tally)
      bury(tally.accountId, key)
    }
    return tombstones
  }

  async function appendAll(records: readonly Append[]): Promise<boolean> {
    for (let from = 0; from < records.length; from += appendCount) {
      if (!(await append(records.slice(from, from + appendCount)))) return false
    }
    return true
  }

  async function write() {
    const written = [...unwritten]
    unwritten.clear()
    const today = Math.floor(clock() / dayMs)
    const records: Append[] = written.map((tally) => {
      const row = rowOf(tally)
      return {
        topic: topics.usage,
        partitionKey: tally.accountId,
        key: usageKey(row),
        value: row,
      }
    })
    if (today > sweptDay) for (const tombstone of expired(today)) records.push(tombstone)
    let isWritten = false
    try {
      isWritten = await appendAll(records)
    } finally {
      if (isWritten) sweptDay = today
      // A row holds the whole count of its day, so the next write repairs a lost one, and a repeated one does no harm.
      else for (const tally of written) unwritten.add(tally)
    }
  }

  /** Counts another process's requests of the current minute. Deleted keys have no meter. */
  function report({ keyId, writer, minute, minuteRequests }: UsageRow, current: number) {
    const meter = minute >= current ? meters.find(keyId) : undefined
    if (meter) countElsewhere(meter, writer, minute, minuteRequests)
  }

  return {
    count(caller, now, family) {
      if (caller.isTest) return
      const day = Math.floor(now / dayMs)
      let tally = current.get(caller.keyId)
      // After a clock step back over midnight, counting continues in the newer day.
      if (!tally || tally.day < day) tally = startTally(caller, day)
      tally.requests++
      tally.byFamily.set(family, (tally.byFamily.get(family) ?? 0) + 1)
      unwritten.add(tally)
    },

    totals(accountId, now) {
      const today = Math.floor(now / dayMs)
      const monday = today - ((today + firstWeekday) % 7)
      const first = Math.floor(monthStart(now) / dayMs)
      const totals = { today: 0, thisWeek: 0, thisMonth: 0 }
      const add = ({ day, requests }: { day: number; requests: number }) => {
        if (day >= today) totals.today += requests
        if (day >= monday) totals.thisWeek += requests
        if (day >= first) totals.thisMonth += requests
      }
      for (const row of others.of(accountId)) add(row)
      for (const tally of tallies.of(accountId)) add(tally)
      return totals
    },

    ...readTables(
      takeRows(topics.usage, (row, key) => {
        const rows = replayed ?? others
        if (row === null) return rows.delete(key)
        if (row.writer === writer) return
        rows.set(key, row)
        if (!replayed) report(row, Math.floor(clock() / minuteMs))
      }),
    ),
    reset() {
      replayed = createAccountMap()
    },
    caughtUp() {
      if (!replayed) return
      // Not earlier: a replay may bring usage before its key.
      const minute = Math.floor(clock() / minuteMs)
      for (const [, row] of replayed.all()) report(row, minute)
      others = replayed
      replayed = null
    },

    flush() {
      // In sequence: an older count must not overwrite a newer one.
      const written = writing.then(write)
      writing = written.catch(() => {})
      return written
    },
  }
}

interface AccountMap<Row> {
  set(key: string, row: Row): void
  delete(key: string): void
  all(): Iterable<[key: string, row: Row]>
  of(accountId: string): Iterable<Row>
}

/** Creates a map of rows by key, with an index by account. */
function createAccountMap<Row extends { readonly accountId: string }>(): AccountMap<Row> {
  const rows = new Map<string, Row>()
  const byAccount = new Map<string, Map<string, Row>>()
  return {
    set(key, row) {
      rows.set(key, row)
      const ofAccount = byAccount.get(row.accountId)
      if (ofAccount) ofAccount.set(key, row)
      else byAccount.set(row.accountId, new Map([[key, row]]))
    },
    delete(key) {
      const row = rows.get(key)
      if (!row) return
      rows.delete(key)
      const ofAccount = byAccount.get(row.accountId)
      ofAccount?.delete(key)
      if (ofAccount?.size === 0) byAccount.delete(row.accountId)
    },
    all: () => rows.entries(),
    of: (accountId) => byAccount.get(accountId)?.values() ?? [],
  }
}

/** Returns the start of the UTC month, `months` later (epoch ms). */
export function monthStart(now: number, months = 0): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)
}
