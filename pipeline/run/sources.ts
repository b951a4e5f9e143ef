/**
 * The live sources of this process: feeds report their health here, and this turns it into the table `sources`, log
 * lines, and the state of sportsbooks.
 *
 * - A sportsbook is down when all sources of its prices are, in any process. Only the owner sees
 *   its prices if one of these sources is for the owner alone. Both are published (`book_status`)
 *   before any price that they affect.
 * - A state is logged once, when it begins, with advice.
 * - A source that the operator pauses is stopped, and runs anew when it is resumed.
 * - A source that ends by itself has a bug. It is down with the reason `ended` and starts again
 *   after a wait, which doubles each time it ends without any result.
 * - A source that moves here from another process continues at that process's cursor. Records of a
 *   source are written under the lease of its feed: the broker refuses a former holder.
 * - Records that the log does not take, because it is away or the lease has moved, are published again by the next
 *   holder. If that is this process, it continues at its own cursor, so that it does not pay twice
 *   for a call.
 */

import type { Logger } from 'pino'
import type { BookStatusRecord, FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import {
  type Audience,
  isServing,
  type SourcePause,
  type SourceRow,
  type SourceState,
  sourceForgottenMs,
  sourceSilentMs,
  sourceWriteMs,
} from '../../schemas/source.ts'
import { topics } from '../../schemas/topics.ts'
import { aborted, sleep, unlessAborted } from '../async/abort-signals.ts'
import { createMutex } from '../async/mutex.ts'
import type { Credits, Feed, FeedSink, Skip, SourceDescription } from '../feeds/feed.ts'
import { adviceOn, type Health, nextHealth, startingHealth } from '../feeds/kit/source-health.ts'
import {
  type Append,
  type Lease,
  type Log,
  LogUnavailableError,
  NotHolderError,
} from '../log/log.ts'

export interface Sources {
  /**
   * Runs a feed that this process holds until `signal` aborts, while it is not paused, and again when it ends by itself.
   * Rejects when the sink does.
   * @throws LogUnavailableError also when the source's last row cannot be read
   */
  run(feed: Feed, holder: SourceHolder, signal: AbortSignal): Promise<void>
  /**
   * Stops a running source for good. Its sportsbooks are down unless another source has their
   * prices. Its row is deleted when its run has ended.
   */
  remove(name: string): Promise<void>
  /** Follows and writes the tables until `signal` aborts, even while the log is away. */
  keep(signal: AbortSignal): Promise<void>
}

/** The writing side of a feed's holder. */
export interface SourceHolder extends Pick<Lease, 'append'> {
  readonly sink: FeedSink
}

export interface SourcesOptions {
  /** A log whose `append` waits out an outage (`wait-for-room.ts`). */
  readonly log: Log
  readonly logger: Logger
  /** The name of this process in rows. */
  readonly self: string
  /** Epoch ms. */
  readonly clock: () => number
  /** The first wait before a source that ended by itself starts again (ms). */
  readonly endedRetryMs?: number
}

/** The rows of all sources are in one partition. */
const sourcesPartition = 0

/** A source of this process. */
interface Watched extends SourceDescription {
  readonly name: string
  readonly holder: SourceHolder
  health: Health
  credits: Credits | null
  cursor: string | null
  rows: number
  unmatched: number
  readonly skipped: Record<string, number>
  readonly sportsbooks: Set<string>
  /** When it was paused; null when it is not. */
  pausedAt: number | null
  isRemoved: boolean
  /** How many runs in a row ended by themselves without any result. */
  endedInRow: number
  /** Stops the feed when it is paused, and lets it restart when it is resumed. */
  changed: AbortController
}

/** The state that `book_status` publishes of a sportsbook. */
type BookState = Pick<BookStatusRecord, 'status'> & { readonly audience: Audience }

export function createSources(options: SourcesOptions): Sources {
  const { log, logger, self, clock, endedRetryMs = 30_000 } = options
  const watched = new Map<string, Watched>()
  /** The rows as last read, including those of other processes. */
  const rows = new Map<string, SourceRow>()
  const pauses = new Map<string, SourcePause>()
  const published = new Map<string, BookState>()
  /** Cursors of sources that have ended here. */
  const left = new Map<string, string | null>()
  const exclusively = createMutex()
  let isRead = false
  let markRead = () => {}
  const read = new Promise<void>((resolve) => {
    markRead = resolve
  })
  let wake = () => {}

  // ---- sportsbooks

  /** Returns the state of a sportsbook, from all sources of its prices. */
  function joined(sportsbook: string): BookState {
    let status: BookState['status'] = 'down'
    let audience: Audience = 'all'
    for (const row of allRows()) {
      if (!row.sportsbooks.includes(sportsbook)) continue
      if (row.audience === 'owner') audience = 'owner'
      const isRunning = watched.has(row.source) || clock() - row.updatedAt <= sourceSilentMs
      if (isRunning && isServing(row.state) && row.lastSuccessAt !== null) status = 'up'
    }
    return { status, audience }
  }

  const allRows = () => [
    ...[...rows.values()].filter(({ source }) => !watched.has(source)),
    ...[...watched.values()].map((one) => rowOf(one, self, clock())),
  ]

  /**
   * Publishes the states of our sportsbooks that have changed.
   * @param waiting the source whose prices wait for this call: it rejects if the log does not take
   *   its records
   */
  const tellSportsbooks = (waiting?: Watched) =>
    exclusively(async () => {
      for (const one of watched.values()) {
        const records: BookStatusRecord[] = []
        for (const sportsbook of one.sportsbooks) {
          const next = joined(sportsbook)
          const last = published.get(sportsbook)
          if (last?.status === next.status && last.audience === next.audience) continue
          published.set(sportsbook, next)
          records.push({ type: 'book_status', sportsbook, observedAt: clock(), ...next })
        }
        if (records.length === 0) continue
        try {
          await one.holder.sink.publish(records)
        } catch (error) {
          for (const { sportsbook } of records) published.delete(sportsbook)
          if (one === waiting || !isNotTaken(error)) throw error
        }
      }
    })

  // ---- sources

  /**
   * Returns the source's row from its last holder. The followed table may be a moment behind, so this reads the log.
   */
  async function formerRow(name: string, signal: AbortSignal): Promise<SourceRow | null> {
    let row: SourceRow | null = null
    const table = log.replay([topics.sources], { partitions: [sourcesPartition], signal })
    for await (const records of table) {
      for (const { key, value } of records) if (key === name) row = value as SourceRow
    }
    return row
  }

  async function begin(
    { name, source }: Feed,
    holder: SourceHolder,
    signal: AbortSignal,
  ): Promise<Watched> {
    const former = await formerRow(name, signal)
    // An earlier run of the same source may still be waiting for the log.
    const before = watched.get(name)
    if (before) end(before)
    const pause = pauses.get(name)
    const one: Watched = {
      name,
      holder,
      ...(source ?? { audience: 'all', isExperimental: false, passesOn: false }),
      health: startingAs(former, clock()),
      credits: null,
      cursor: cursorOf(name, former),
      rows: 0,
      unmatched: 0,
      skipped: {},
      // Prices from before this process are still on the board.
      sportsbooks: new Set(former?.sportsbooks),
      pausedAt: pause?.isPaused ? pause.at : null,
      isRemoved: false,
      endedInRow: 0,
      changed: new AbortController(),
    }
    watched.set(name, one)
    return one
  }

  /**
   * Returns the cursor. The one in memory may be newer than the log's, unless another process has run the source
   * since.
   */
  function cursorOf(name: string, former: SourceRow | null): string | null {
    const isFromHere = former === null || former.holder === self
    return (isFromHere ? left.get(name) : null) ?? former?.cursor ?? null
  }

  /** Drops a source that has moved. It may come back. */
  function end(one: Watched) {
    if (watched.get(one.name) !== one) return
    watched.delete(one.name)
    left.set(one.name, one.cursor)
    for (const sportsbook of one.sportsbooks) published.delete(sportsbook)
  }

  function report(one: Watched, health: Health, credits: Credits | null, cursor: string | null) {
    const before = one.health
    const isNews = cursor !== one.cursor
    one.health = health
    one.credits = credits
    one.cursor = cursor
    // After a crash the next run must not pay again for the same calls.
    if (isNews) wake()
    if (health.state === before.state && health.reason !== null) return
    tell(one, before)
    wake()
  }

  function tell({ name, health }: Watched, before: Health) {
    const { state, reason } = health
    if (state === before.state && before.reason !== 'starting') return
    const fields = { source: name, state, reason, before: before.state }
    const advice = adviceOn(health)
    if (state === 'up') {
      const lastedMs = before.reason === 'starting' ? undefined : clock() - before.since
      logger.info({ ...fields, lastedMs }, 'source is up')
    } else if (state === 'degraded') logger.warn(fields, 'source is degraded')
    else logger.error({ ...fields, nextTryAt: iso(health.nextTryAt), advice }, 'source is down')
  }

  function setPause({ source, isPaused, at }: SourcePause) {
    const one = watched.get(source)
    if (!one || one.isRemoved || (one.pausedAt !== null) === isPaused) return
    stopOrResume(one, isPaused ? at : null)
    logger.info({ source }, isPaused ? 'source is paused' : 'source is resumed')
    wake()
  }

  function stopOrResume(one: Watched, pausedAt: number | null) {
    one.pausedAt = pausedAt
    one.health = startingHealth(clock())
    const { changed } = one
    one.changed = new AbortController()
    changed.abort()
  }

  /**
   * Runs a source until `signal` aborts, or it ends by itself.
   * @throws what the sink rejected with
   */
  async function runOnce(feed: Feed, one: Watched, signal: AbortSignal) {
    let isRefused = false
    const { lastSuccessAt: was } = one.health
    const sink = guard(one, one.holder.sink, () => {
      isRefused = true
    })
    let err: unknown
    try {
      await feed.run(sink, signal, one.cursor)
    } catch (error) {
      if (isRefused || isNotTaken(error)) throw error
      err = error
    }
    if (signal.aborted) return
    logger.error({ source: one.name, err }, 'source ended by itself; it starts again')
    const ended = { kind: 'failed', reason: 'ended', notBefore: null } as const
    const policy = { downAfter: 1, retryMs: endedRetryMs }
    const { lastSuccessAt } = one.health
    one.endedInRow = lastSuccessAt !== null && lastSuccessAt !== was ? 0 : one.endedInRow + 1
    // Each run reports its own health from the start, without the failures of earlier ones.
    const before = { ...one.health, failures: Math.max(0, one.endedInRow - 1) }
    report(one, nextHealth(before, ended, clock(), policy), one.credits, one.cursor)
    await sleep(one.health.nextTryAt! - clock(), signal)
  }

  /**
   * Returns the sink of a source: it counts records, and publishes the states of sportsbooks before their prices.
   * @param onRefused called when the log does not take the records
   */
  const guard = (one: Watched, to: FeedSink, onRefused: () => void): FeedSink => ({
    async publish(records) {
      const about = new Set<string>()
      const rest: (FeedRecord | TickRecord)[] = []
      for (const record of records) {
        if (record.type !== 'tick') about.add(idOfSportsbook(record.sportsbook))
        if (record.type === 'book_status') continue
        const isOfPrices = record.type === 'odds' || record.type === 'futures'
        rest.push(one.passesOn && isOfPrices ? { ...record, via: one.name } : record)
        if (record.type === 'odds') one.rows += priceCount(record.markets)
      }
      const known = one.sportsbooks.size
      for (const sportsbook of about) one.sportsbooks.add(sportsbook)
      // Other processes read this source's sportsbooks from the row.
      if (one.sportsbooks.size > known) wake()
      try {
        await tellSportsbooks(one)
        if (rest.length > 0) await to.publish(rest)
      } catch (error) {
        onRefused()
        throw error
      }
    },
    skipped(sportsbook, skips) {
      countSkips(one, skips)
      to.skipped(sportsbook, skips)
    },
    report: (health, credits, cursor) => report(one, health, credits, cursor),
  })

  // ---- tables

  async function follow(signal: AbortSignal) {
    const tables = [topics.sourcePauses, topics.sources]
    for await (const { records, caughtUp } of log.follow(tables, { signal })) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.sourcePauses.name) {
          const pause = value as SourcePause | null
          if (!pause) continue
          pauses.set(key, pause)
          setPause(pause)
        } else if (value) rows.set(key, value as SourceRow)
        else rows.delete(key)
      }
      if (caughtUp && !isRead) {
        isRead = true
        markRead()
      }
      // Another process may run the only other source of one of our sportsbooks.
      if (isRead) await tellSportsbooks()
    }
  }

  async function write() {
    const now = clock()
    for (const one of watched.values()) {
      await one.holder.append([rowChange(one.name, rowOf(one, self, now))]).catch((error) => {
        if (!isNotTaken(error)) throw error
      })
    }
    const forgotten = [...rows.values()].filter(
      ({ source, updatedAt }) => !watched.has(source) && now - updatedAt > sourceForgottenMs,
    )
    if (forgotten.length > 0) {
      await log.append(forgotten.map(({ source }) => rowChange(source, null)))
    }
  }

  async function writeRegularly(signal: AbortSignal) {
    await unlessAborted(read, signal)
    signal.addEventListener('abort', () => wake(), { once: true })
    while (!signal.aborted) {
      // A change while rows are being written wakes the next round.
      const woken = new AbortController()
      wake = () => woken.abort()
      await tellSportsbooks()
      await write()
      if (!signal.aborted) {
        await sleep(sourceWriteMs, woken.signal)
      }
    }
  }

  return {
    async run(feed, holder, signal) {
      await unlessAborted(read, signal)
      if (signal.aborted) return
      const one = await begin(feed, holder, signal)
      if (signal.aborted) return end(one)
      wake()
      try {
        while (!signal.aborted) {
          const { changed } = one
          const whileThis = AbortSignal.any([signal, changed.signal])
          if (one.pausedAt === null) await runOnce(feed, one, whileThis)
          else await aborted(whileThis)
        }
      } finally {
        if (signal.aborted) end(one)
      }
      if (!one.isRemoved) return
      left.delete(one.name)
      await holder.append([rowChange(one.name, null)])
    },
    async remove(name) {
      const one = watched.get(name)
      if (!one) return
      one.isRemoved = true
      stopOrResume(one, clock())
      await tellSportsbooks(one)
    },
    async keep(signal) {
      await Promise.all([follow(signal), writeRegularly(signal)])
    },
  }
}

function rowOf(one: Watched, holder: string, updatedAt: number): SourceRow {
  const { name, health, credits, pausedAt, skipped, rows, unmatched } = one
  const { audience, isExperimental } = one
  const isPaused = pausedAt !== null
  const state: SourceState = isPaused ? 'paused' : health.state
  return {
    source: name,
    state,
    reason: isPaused ? null : health.reason,
    since: isPaused ? pausedAt : health.since,
    lastSuccessAt: health.lastSuccessAt,
    nextTryAt: isPaused ? null : health.nextTryAt,
    rows,
    unmatched,
    skipped: { ...skipped },
    creditsLeft: credits?.left ?? null,
    creditsUsed: credits?.used ?? null,
    creditsPerMonth: credits?.perMonth ?? null,
    audience,
    isExperimental,
    sportsbooks: [...one.sportsbooks].sort(),
    holder,
    cursor: one.cursor,
    updatedAt,
  }
}

/**
 * Returns the first health of a source. One that moved while it was up keeps its sportsbooks up until its first round
 * here.
 */
function startingAs(former: SourceRow | null, now: number): Health {
  const health = startingHealth(now)
  const isGoingOn =
    former !== null && isServing(former.state) && now - former.updatedAt <= sourceSilentMs
  return isGoingOn ? { ...health, lastSuccessAt: former.lastSuccessAt } : health
}

/**
 * Returns whether the next holder of the lease, perhaps this process, publishes the records again.
 */
const isNotTaken = (error: unknown) =>
  error instanceof NotHolderError || error instanceof LogUnavailableError

const rowChange = (source: string, value: SourceRow | null): Append =>
  ({ topic: topics.sources, partitionKey: sourcesPartition, key: source, value }) as Append

const priceCount = (markets: readonly { readonly selections: readonly unknown[] }[]) =>
  markets.reduce((sum, { selections }) => sum + selections.length, 0)

function countSkips(one: Watched, skips: readonly Skip[]) {
  for (const { reason } of skips) {
    one.skipped[reason] = (one.skipped[reason] ?? 0) + 1
    if (isUnmatched.test(reason)) one.unmatched++
  }
}

/** Matches reasons for names that we do not know. Other reasons concern the payload itself. */
const isUnmatched = /^(unknown|unmapped|unsupported)_/

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
