/**
 * The loop of a polled feed: reads every target in turn, publishes its reader's results, and
 * reports three things. These are the source's health (`source-health.ts`), its sportsbooks'
 * changes to down and back (`book_status`), and events that are no longer offered. Each such event
 * gets an empty snapshot, because most sources just stop listing it. The client defines targets and
 * reads their payloads.
 *
 * One call at a time is in progress. A source that has failed is tried with one call of one target; when the key, the
 * credits or the pace are refused, the round ends, as the rest would be refused too. The next round continues with
 * the targets that are longest unread.
 */

import { z } from 'zod'
import type { FeedRecord, FuturesRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { sleep as sleepUnlessAborted } from '../../async/abort-signals.ts'
import { pushAll } from '../../memory/push-all.ts'
import { expiryMs } from '../../rules/odds/freshness.ts'
import type { Credits, Feed, FeedSink, Parsed, Skip } from '../feed.ts'
import { begunMeanwhile } from './ask.ts'
import {
  createHttpSource,
  FetchError,
  type GetJson,
  type HttpSource,
  type HttpSourceOptions,
} from './http-source.ts'
import { jsonIn } from './json-text.ts'
import { createSelfReport, type SelfReport } from './self-report.ts'
import { endsRound, hiccupMs, longestRetryMs, type Outcome } from './source-health.ts'

/**
 * Reads one target, yielding as responses arrive; each yield is published at once. It throws when any required read
 * failed (after yielding the rest): events that it did not name count as withdrawn only after it has ended without an
 * error.
 */
export type TargetReader<Target> = (target: Target, get: GetJson) => AsyncIterable<Parsed>

export interface PollingFeedOptions<Target> {
  readonly name: string
  /** The sportsbooks that are down when the source is. Those that records name are added. */
  readonly sportsbooks: readonly string[]
  /** The parts of one round, read one after the other: leagues, sports, tabs. */
  readonly targets: readonly Target[]
  /** From the start of one round to the start of the next. */
  readonly intervalMs: number
  /**
   * Opens the reader of one run. Its memory ends with that run: the next starts anew, because the
   * sink may have failed, or another process may have run the feed meanwhile.
   */
  readonly openReader: () => TargetReader<Target>
  /**
   * Returns the time of a target's next call after one at `askedAt` (epoch ms; -Infinity for none).
   * Default: `intervalMs` later. It is asked again at least every hour, because a plan changes with
   * time. A target that failed is tried again regardless, unless it has spent credits (`spent`).
   */
  readonly dueAt?: (target: Target, askedAt: number) => number
  /**
   * Returns the credits spent so far. After a reading that spent some, the next call waits until it
   * is due, even if the reading failed.
   */
  readonly spent?: () => number
  /** The allowance of a metered source. */
  readonly credits?: () => Credits
  /**
   * State that a metered source saves (credits used, games known). The next process resumes from it and
   * makes no paid call early.
   */
  readonly memory?: {
    readonly state: () => unknown
    readonly resume: (state: unknown) => void
  }
  /** Whether the reader itself removes prices (`withdrawals.ts`): a missing event means nothing. */
  readonly namesWithdrawals?: boolean
  /**
   * Returns the time of the withdrawal of an offer that a reading at `readAt` lacks. For sources
   * whose records are older than their responses: a withdrawal must not be newer than later
   * records. Default `readAt`.
   */
  readonly withdrawnAt?: (last: Offering, readAt: number) => number
  /** Rounds in which every target failed before the source counts as down. Default 3. */
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  /** For the logger: one target failed this round. The feed itself goes on. */
  readonly onFailure?: (target: Target, error: unknown) => void
}

/** The longest sleep: timers cannot last a month, and the clock may be set meanwhile. */
const longestSleepMs = 3_600_000

/** Runs until `signal` aborts; rejects only when the sink does. */
export function createPollingFeed<Target>(options: PollingFeedOptions<Target>): Feed {
  const { name, targets, intervalMs, downAfterRounds = 3 } = options
  const now = options.http?.now ?? Date.now
  const sleep = options.http?.sleep ?? sleepUnlessAborted
  const policy = { downAfter: downAfterRounds, retryMs: Math.min(intervalMs, longestRetryMs) }

  return {
    name,
    async run(sink, signal, cursor = null) {
      const http = createHttpSource({
        ...options.http,
        onRetry({ reason, calledAt, nextAt }) {
          if (nextAt - calledAt >= hiccupMs) self.retries(reason, nextAt)
        },
      })
      const askedAt = resumed(options, cursor)
      const self = createSelfReport({
        sportsbooks: options.sportsbooks,
        policy,
        now,
        report: sink.report?.bind(sink),
        publish: (records) => sink.publish(records),
        ...(options.credits && { credits: options.credits }),
        cursor: () => cursorOf(options, askedAt),
      })
      self.report()
      /** The outcome of each target's last reading. `failed` cost no credits. */
      const last = targets.map((): 'unread' | 'answered' | 'failed' | 'paid_in_vain' => 'unread')

      const hasAnswered = targets.map(() => false)

      function dueAt(index: number): number {
        const at = askedAt[index]!
        if (last[index] === 'failed' || !options.dueAt) return at + intervalMs
        const planned = options.dueAt(targets[index]!, at)
        // As long as a target has never answered, its plan knows none of its games.
        const isUnknown = last[index] === 'paid_in_vain' && !hasAnswered[index]
        return isUnknown ? Math.min(planned, at + unansweredMs) : planned
      }

      /**
       * Returns when a target may be read. While the source fails, it is at once, unless that may
       * cost credits.
       */
      function readableAt(index: number, isProbing = self.health().failures > 0): number {
        const mayProbe = last[index] === 'failed' || !options.dueAt
        return isProbing && mayProbe ? Number.NEGATIVE_INFINITY : dueAt(index)
      }

      /** Returns whether the last reading of a metered target that is not due now was answered. */
      const hasOthers = (due: readonly number[]) =>
        options.dueAt !== undefined &&
        last.some((outcome, index) => outcome === 'answered' && !due.includes(index))

      const earliest = (timeOf: (index: number) => number) =>
        targets.reduce((at, _, index) => Math.min(at, timeOf(index)), Infinity)

      /** Reads the targets that are due, the longest unread first. */
      async function playRound() {
        const startedAt = now()
        const isProbing = self.health().failures > 0
        const due = targets
          .map((_, index) => index)
          .filter((index) => readableAt(index) <= startedAt)
          .sort((a, b) => askedAt[a]! - askedAt[b]! || a - b)
        if (due.length === 0) return
        let answered = 0
        let failure: Failure | null = null
        for (const index of due) {
          // The start of the round, so that all targets keep one pace.
          askedAt[index] = startedAt
          // No retries for a failing source. One that worked a moment ago may just have had a
          // hiccup.
          const retries = self.health().failures > 0 ? 0 : undefined
          const spentBefore = options.spent?.() ?? 0
          const failed = await reader.read(index, http, retries, signal)
          if (signal.aborted) return
          const isPaid = (options.spent?.() ?? 0) > spentBefore
          // The paid part of the answer has come, so the source is not down for the rest.
          const isEnough =
            !failed ||
            failed.isPartly ||
            (isPaid && failed.hasPublished && !endsRound(failed.reason))
          last[index] = isEnough ? 'answered' : isPaid ? 'paid_in_vain' : 'failed'
          if (options.memory) self.report()
          hasAnswered[index] ||= isEnough
          if (isEnough) answered++
          if (!failed) continue
          failure ??= failed
          if (endsRound(failed.reason)) failure = failed
          if (endsRound(failed.reason) || (isProbing && answered === 0)) break
        }
        const probeAt = earliest((index) => readableAt(index, true))
        // Metered targets that are not due and answered last show that the source works in part.
        const isPartly = answered > 0 || (hasOthers(due) && !(failure && endsRound(failure.reason)))
        await self.hear(outcomeOf(isPartly, failure, earliest(dueAt), probeAt))
      }

      const reader = createTargetReader(options, sink, now, self)
      while (!signal.aborted) {
        if (self.heldUntil() <= now()) await playRound()
        if (signal.aborted) return
        const until = Math.max(
          self.heldUntil(),
          earliest((index) => readableAt(index)),
        )
        const waitMs = Math.min(longestSleepMs, Math.max(0, until - now()))
        await sleep(waitMs, signal).catch(() => {})
      }
    },
  }
}

/** The state that a feed with a memory saves: its own, and the time of each target's last call. */
const cursorShape = z.object({ own: z.unknown(), askedAt: z.record(z.string(), z.number()) })

/** Returns the time of each target's last call from a saved state; -Infinity if unreadable. */
function resumed<Target>(
  { targets, memory }: PollingFeedOptions<Target>,
  cursor: string | null,
): number[] {
  const never = targets.map(() => Number.NEGATIVE_INFINITY)
  if (!memory || cursor === null) return never
  const read = cursorShape.safeParse(jsonIn(cursor))
  if (!read.success) return never
  memory.resume(read.data.own)
  return targets.map((target, index) => read.data.askedAt[nameOf(target)] ?? never[index]!)
}

function cursorOf<Target>(
  { targets, memory }: PollingFeedOptions<Target>,
  askedAt: readonly number[],
): string | null {
  if (!memory) return null
  const calledAt = targets
    .map((target, index) => [nameOf(target), askedAt[index]!] as const)
    .filter(([, at]) => Number.isFinite(at))
  return JSON.stringify({ own: memory.state(), askedAt: Object.fromEntries(calledAt) })
}

const nameOf = (target: unknown) => JSON.stringify(target)

/** Why a target was not read to its end. */
interface Failure {
  readonly reason: string
  readonly notBefore: number | null
  /** Whether records of the reading had been published before it failed. */
  readonly hasPublished: boolean
  /** Whether its prices arrived, and only parts of it are missing or unreadable. */
  readonly isPartly: boolean
}

function outcomeOf(
  isPartly: boolean,
  failure: Failure | null,
  nextAt: number,
  probeAt: number,
): Outcome {
  if (!failure) return { kind: 'answered', nextAt }
  const { reason, notBefore } = failure
  if (isPartly) return { kind: 'partly', reason, notBefore, nextAt }
  return { kind: 'failed', reason, notBefore, nextAt: probeAt }
}

/** Longest wait for a target that has spent credits and never answered in this run (ms). */
const unansweredMs = 3 * 3_600_000

/** Reads targets into the sink, for one run. */
function createTargetReader<Target>(
  options: PollingFeedOptions<Target>,
  sink: FeedSink,
  now: () => number,
  self: SelfReport,
) {
  const { name, sportsbooks, targets } = options
  const readTarget = options.openReader()
  const lastSeen = createLastSeen(options.withdrawnAt)
  // Skips name no sportsbook: if a source has several, they count under the feed's name.
  const countedAs = sportsbooks.length === 1 ? (sportsbooks[0] as string) : name

  function count(error: unknown, hasPublished: boolean): Failure {
    const isFetch = error instanceof FetchError
    const reason = isFetch ? error.reason : 'reader_failed'
    const detail = error instanceof Error ? error.message : String(error)
    sink.skipped(countedAs, [{ reason: isFetch ? `fetch_${reason}` : reason, detail }])
    const notBefore = isFetch ? error.notBefore : null
    return { reason, notBefore, hasPublished, isPartly: false }
  }

  return {
    /** @returns null unless the target failed */
    async read(
      index: number,
      http: HttpSource,
      retries: number | undefined,
      signal: AbortSignal,
    ): Promise<Failure | null> {
      const target = targets[index]!
      let receivedAt: number | null = null
      const get: GetJson = async (url, request) => {
        const sent = retries === undefined ? request : { ...request, retries }
        const answer = await http.getJson(url, signal, sent)
        receivedAt = answer.receivedAt
        return answer
      }
      const seen: Offering[] = []
      let recordCount = 0
      const unread: Skip[] = []
      let missed: Failure | null = null
      const reading = readTarget(target, get)[Symbol.asyncIterator]()
      for (;;) {
        let step: IteratorResult<Parsed>
        try {
          step = await reading.next()
        } catch (error) {
          if (!signal.aborted) options.onFailure?.(target, error)
          lastSeen.add(index, seen)
          return signal.aborted ? null : count(error, recordCount > 0)
        }
        if (step.done) break
        const { records, skipped, failure } = step.value
        const unreadNow = skipped.filter(({ reason }) => unreadable.has(reason))
        pushAll(unread, unreadNow)
        recordCount += records.length
        // A response without any readable part does not show that the sportsbook is up.
        const isReadable =
          records.length > 0 || unreadNow.every(({ reason }) => leftOut.has(reason))
        if (isReadable && receivedAt !== null) await self.answered(receivedAt)
        for (const record of records) {
          if (record.type !== 'odds' && record.type !== 'futures') continue
          self.names(record.sportsbook)
          if (record.mode === 'snapshot' && !options.namesWithdrawals) seen.push(record)
        }
        if (skipped.length > 0) sink.skipped(countedAs, skipped)
        if (records.length > 0) await sink.publish(records)
        if (failure) {
          options.onFailure?.(target, failure)
          missed = { ...count(failure, recordCount > 0), isPartly: true }
        }
      }
      const isUnread = recordCount === 0 && unread.some(({ reason }) => !leftOut.has(reason))
      if (isUnread) lastSeen.add(index, seen)
      else {
        const isHidden = (offering: Offering) => unread.some((skip) => mayHide(skip, offering))
        const withdrawn = lastSeen.replace(index, seen, receivedAt ?? now(), isHidden)
        if (withdrawn.length > 0) await sink.publish(withdrawn)
      }
      const isPartly = !isUnread && unread.some(({ reason }) => !readable.has(reason))
      return isUnread || isPartly
        ? { reason: 'unreadable', notBefore: null, hasPublished: recordCount > 0, isPartly }
        : missed
    },
  }
}

/** Skips that may hide a whole event, which then does not count as withdrawn. */
const unreadable: ReadonlySet<string> = new Set([
  'malformed',
  'error_answer',
  'unsupported_version',
  'wrong_odds_format',
  'outdated_answer',
  'too_old',
  begunMeanwhile,
])

/** Those skips of `unreadable` that are no fault of the source. */
const readable: ReadonlySet<string> = new Set(['outdated_answer', 'too_old', begunMeanwhile])

/** Skips of parts that could be read, but were left out because of their time. */
const leftOut: ReadonlySet<string> = new Set(['too_old', begunMeanwhile])

/** The offer of a sportsbook on an event or on a season. */
export type Offering = OddsRecord | FuturesRecord

/** Returns whether an offer that a reading lacks may be in the part that was skipped. */
function mayHide({ hides }: Skip, offering: Offering): boolean {
  if (!hides) return true
  const { externalId } = offering.type === 'odds' ? offering.event : offering.future
  if (externalId !== null && externalId !== hides.externalId) return false
  return hides.sportsbook === undefined || hides.sportsbook === offering.sportsbook
}

/**
 * Remembers the offers of each target in its last complete reading. An event that moves between
 * targets (upcoming to live) is not withdrawn: it is gone only when no target has it.
 */
export function createLastSeen(
  withdrawnAt: NonNullable<PollingFeedOptions<unknown>['withdrawnAt']> = (_, readAt) => readAt,
) {
  const byTarget = new Map<unknown, Map<string, Offering>>()
  return {
    /** Adds offers to the last reading: they are gone when the next one lacks them. */
    add(target: unknown, records: readonly Offering[]) {
      const seen = byTarget.get(target) ?? new Map<string, Offering>()
      byTarget.set(target, seen)
      for (const record of records) seen.set(keyOf(record), record)
      const newestAt = records.reduce((at, record) => Math.max(at, record.observedAt), 0)
      for (const [key, { observedAt }] of seen) {
        if (newestAt - observedAt > 2 * expiryMs(false)) seen.delete(key)
      }
    },
    /**
     * Replaces the last reading by the next one.
     * @param isHidden returns whether an offer may be in a part that could not be read; then it
     * stays until it expires
     * @returns an empty snapshot for each offer that is gone
     */
    replace(
      target: unknown,
      records: readonly Offering[],
      observedAt: number,
      isHidden: (offering: Offering) => boolean = () => false,
    ): FeedRecord[] {
      const before = byTarget.get(target)
      const after = new Map(records.map((record) => [keyOf(record), record]))
      byTarget.set(target, after)
      if (!before) return []
      const gone: FeedRecord[] = []
      for (const [key, record] of before) {
        if ([...byTarget.values()].some((seen) => seen.has(key))) continue
        if (!isHidden(record)) gone.push(nothingOf(record, withdrawnAt(record, observedAt)))
        else if (observedAt - record.observedAt <= expiryMs(false)) after.set(key, record)
      }
      return gone
    },
  }
}

function nothingOf(record: Offering, observedAt: number): FeedRecord {
  if (record.type === 'futures') return { ...record, mode: 'snapshot', observedAt, prices: [] }
  const { type, sportsbook, event } = record
  return { type, sportsbook, mode: 'snapshot', observedAt, event, markets: [] }
}

function keyOf(record: Offering): string {
  const { sportsbook } = record
  if (record.type === 'futures') {
    const { externalId, league, name, subject, season } = record.future
    return JSON.stringify([sportsbook, externalId ?? [league, name, subject, season]])
  }
  const { externalId, homeTeam, awayTeam, startsAt } = record.event
  return [sportsbook, externalId ?? `${awayTeam}@${homeTeam}@${startsAt}`].join('|')
}
