/**
 * The live sources of this process under watch: the one place where what feeds say of themselves
 * becomes the table `sources`, the log lines about it, and what it means for sportsbooks.
 *
 * - A sportsbook is down when all sources that gave its prices are, in whichever process they run; its
 *   prices are the owner's alone when one of these sources is. Both are said (`book_status`) before any
 *   price that they are about.
 * - A state is logged when it begins, with what can be done about it, and not again while it lasts.
 * - A source that the operator pauses is stopped, and runs anew when he resumes it.
 * - A source that comes from another process goes on with what that one has left of it (its cursor). All
 *   that is said of a source is said as the holder of its feed: a former holder is refused.
 * - What the log does not take, because it is away or the name has moved, is said again by whoever holds the
 *   name then. Where that is this process, what it has paid for meanwhile is not forgotten.
 */

import { setTimeout as delay } from 'node:timers/promises'
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
import { aborted, unlessAborted } from '../async/abort-signals.ts'
import { createMutex } from '../async/mutex.ts'
import type { Credits, Feed, FeedSink, Skip, SourceDescription } from '../feeds/feed.ts'
import { adviceOn, type Health, startingHealth } from '../feeds/kit/source-health.ts'
import {
  type Append,
  type Lease,
  type Log,
  LogUnavailableError,
  NotHolderError,
} from '../log/log.ts'

export interface Sources {
  /**
   * Runs a feed that this process holds until `signal` aborts, as long as it is not paused. Rejects when
   * the sink does.
   * @throws LogUnavailableError too, when it cannot be read where the source was left
   */
  run(feed: Feed, holder: SourceHolder, signal: AbortSignal): Promise<void>
  /** Follows and writes the tables until `signal` aborts, whether the log is there meanwhile or not. */
  keep(signal: AbortSignal): Promise<void>
}

/** What the holder of a feed writes by. */
export interface SourceHolder extends Pick<Lease, 'append'> {
  readonly sink: FeedSink
}

export interface SourcesOptions {
  /** One whose `append` outlasts an outage (`wait-for-room.ts`). */
  readonly log: Log
  readonly logger: Logger
  /** This process, as rows name it. */
  readonly self: string
  /** Epoch ms. */
  readonly clock: () => number
}

/** All sources are in one partition. */
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
  /** Stops the feed when it is paused, and lets it begin again when it is resumed. */
  changed: AbortController
}

/** What is said of a sportsbook. */
type BookState = Pick<BookStatusRecord, 'status'> & { readonly audience: Audience }

export function createSources({ log, logger, self, clock }: SourcesOptions): Sources {
  const watched = new Map<string, Watched>()
  /** As they were last read, those of other processes among them. */
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

  /** What all sources that give its prices come to. */
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
   * Says of each sportsbook of ours what has changed.
   * @param waiting whose prices wait for it: it rejects when what that one says is not taken
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

  /** As its last holder left it, who cannot write it any more: what was followed may be a moment behind. */
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
    // It may be waiting for the log still, as the holder that it was.
    const before = watched.get(name)
    if (before) end(before)
    const pause = pauses.get(name)
    const one: Watched = {
      name,
      holder,
      ...(source ?? { audience: 'all', isExperimental: false }),
      health: startingAs(former, clock()),
      credits: null,
      cursor: cursorOf(name, former),
      rows: 0,
      unmatched: 0,
      skipped: {},
      // What it gave before this process began is still on the board.
      sportsbooks: new Set(former?.sportsbooks),
      pausedAt: pause?.isPaused ? pause.at : null,
      changed: new AbortController(),
    }
    watched.set(name, one)
    return one
  }

  /** What is known here may be newer than what the log took; unless another process has run it meanwhile. */
  function cursorOf(name: string, former: SourceRow | null): string | null {
    const isFromHere = former === null || former.holder === self
    return (isFromHere ? left.get(name) : null) ?? former?.cursor ?? null
  }

  /** It has moved to another process, or may come back to this one. */
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
    // Whoever goes on after a crash must not pay for what has been paid for.
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
    if (!one || (one.pausedAt !== null) === isPaused) return
    one.pausedAt = isPaused ? at : null
    one.health = startingHealth(clock())
    const { changed } = one
    one.changed = new AbortController()
    changed.abort()
    logger.info({ source }, isPaused ? 'source is paused' : 'source is resumed')
    wake()
  }

  /** The sink of a source: counts what passes, and says what sportsbooks are before their prices. */
  const guard = (one: Watched, to: FeedSink): FeedSink => ({
    async publish(records) {
      const about = new Set<string>()
      const rest: (FeedRecord | TickRecord)[] = []
      for (const record of records) {
        if (record.type !== 'tick') about.add(idOfSportsbook(record.sportsbook))
        if (record.type === 'book_status') continue
        rest.push(record)
        if (record.type === 'odds') one.rows += priceCount(record.markets)
      }
      const known = one.sportsbooks.size
      for (const sportsbook of about) one.sportsbooks.add(sportsbook)
      // Other processes have to know whose prices come from here too.
      if (one.sportsbooks.size > known) wake()
      await tellSportsbooks(one)
      if (rest.length > 0) await to.publish(rest)
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
      // Another process may have the only other source of one of our sportsbooks.
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
      // From here on: what changes while the rows are written is written next.
      const woken = new AbortController()
      wake = () => woken.abort()
      await tellSportsbooks()
      await write()
      if (!signal.aborted) {
        await delay(sourceWriteMs, undefined, { signal: woken.signal }).catch(() => {})
      }
    }
  }

  return {
    async run(feed, holder, signal) {
      await unlessAborted(read, signal)
      if (signal.aborted) return
      const one = await begin(feed, holder, signal)
      if (signal.aborted) return end(one)
      const guarded = guard(one, holder.sink)
      wake()
      try {
        while (!signal.aborted) {
          const { changed } = one
          const whileThis = AbortSignal.any([signal, changed.signal])
          if (one.pausedAt === null) {
            await feed.run(guarded, whileThis, one.cursor)
            // A feed that ends by itself has nothing more to say.
            if (!whileThis.aborted) return
          } else await aborted(whileThis)
        }
      } finally {
        if (signal.aborted) end(one)
      }
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

/** A source that has moved while it gave prices goes on giving them: its sportsbooks are not down meanwhile. */
function startingAs(former: SourceRow | null, now: number): Health {
  const health = startingHealth(now)
  const isGoingOn =
    former !== null && isServing(former.state) && now - former.updatedAt <= sourceSilentMs
  return isGoingOn ? { ...health, lastSuccessAt: former.lastSuccessAt } : health
}

/** Whether it is for whoever holds the name next, who may be this process again. */
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

/** Reasons that say: nothing of ours stands for this. The others are of what the source sent. */
const isUnmatched = /^(unknown|unmapped|unsupported)_/

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
