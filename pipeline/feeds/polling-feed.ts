/**
 * The loop of a polled feed: asks every target in turn, publishes what its reader yields, and says
 * what only a loop can know. That is when the source is down or back (`book_status`), and which
 * events a sportsbook has stopped offering (an empty snapshot each, because most sources withdraw
 * by silence). What a target is and how its payload reads is the client's.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { FeedRecord, FuturesRecord, OddsRecord } from '../../schemas/feed-record.ts'
import type { Feed, FeedSink, Parsed } from './feed.ts'
import {
  createHttpSource,
  FetchError,
  type GetJson,
  type HttpSourceOptions,
} from './http-source.ts'

export interface PollingFeedOptions<Target> {
  readonly name: string
  /** The sportsbooks that are down when the source is. Those that records name are added. */
  readonly sportsbooks: readonly string[]
  /** What is asked each round, one after the other: leagues, sports, tabs. */
  readonly targets: readonly Target[]
  /** From the start of one round to the start of the next. */
  readonly intervalMs: number
  /**
   * Reads one target, yielding as answers arrive; each yield is published at once. It throws when
   * anything it should have read failed (after yielding the rest): events that it did not name are
   * taken for withdrawn only after it has ended well.
   */
  readonly read: (target: Target, get: GetJson) => AsyncIterable<Parsed>
  /** The reader itself names what was withdrawn (`withdrawals.ts`), so an event that is missing means nothing. */
  readonly namesWithdrawals?: boolean
  /** Rounds in which every target failed before the source counts as down. Default 3. */
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  /** For the logger: one target failed this round. The feed itself goes on. */
  readonly onFailure?: (target: Target, error: unknown) => void
}

/** Runs until `signal` aborts; rejects only when the sink does. */
export function createPollingFeed<Target>(options: PollingFeedOptions<Target>): Feed {
  const { name, sportsbooks, targets, intervalMs, read, downAfterRounds = 3 } = options
  const now = options.http?.now ?? Date.now
  const sleep =
    options.http?.sleep ??
    ((ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }) as Promise<void>)

  return {
    name,
    async run(sink, signal) {
      const http = createHttpSource(options.http)
      const lastSeen = createLastSeen()
      const known = new Set(sportsbooks)
      // At the start neither is known: an earlier process may have said "down".
      let status: 'up' | 'down' | 'unknown' = 'unknown'
      let failedRounds = 0

      async function say(next: 'up' | 'down', observedAt: number) {
        if (status === next) return
        status = next
        const records = [...known].map(
          (sportsbook) => ({ type: 'book_status', sportsbook, observedAt, status: next }) as const,
        )
        if (records.length > 0) await sink.publish(records)
      }

      /** @returns whether the target was read to its end */
      async function readTarget(target: Target, index: number): Promise<boolean> {
        let receivedAt: number | null = null
        const get: GetJson = async (url, request) => {
          const answer = await http.getJson(url, signal, request)
          receivedAt = answer.receivedAt
          return answer
        }
        const seen: Offering[] = []
        let recordCount = 0
        let unreadCount = 0
        const reading = read(target, get)[Symbol.asyncIterator]()
        for (;;) {
          let step: IteratorResult<Parsed>
          try {
            step = await reading.next()
          } catch (error) {
            if (signal.aborted) return false
            options.onFailure?.(target, error)
            count(sink, error)
            return false
          }
          if (step.done) break
          const { records, skipped } = step.value
          const unread = skipped.filter(({ reason }) => unreadable.has(reason)).length
          unreadCount += unread
          recordCount += records.length
          // An answer in which nothing could be read does not tell whether the sportsbook is up.
          const said = unread === 0 || records.length > 0
          if (said && receivedAt !== null) await say('up', receivedAt)
          for (const record of records) {
            if (record.type !== 'odds' && record.type !== 'futures') continue
            known.add(record.sportsbook)
            if (record.mode === 'snapshot' && !options.namesWithdrawals) seen.push(record)
          }
          if (skipped.length > 0) sink.skipped(countedAs(), skipped)
          if (records.length > 0) await sink.publish(records)
        }
        if (unreadCount > 0) return recordCount > 0
        const withdrawn = lastSeen.replace(index, seen, receivedAt ?? now())
        if (withdrawn.length > 0) await sink.publish(withdrawn)
        return true
      }

      // Skips name no sportsbook: those of a source with several count under the feed's own name.
      const countedAs = () => (sportsbooks.length === 1 ? (sportsbooks[0] as string) : name)

      function count(to: FeedSink, error: unknown) {
        const reason = error instanceof FetchError ? `fetch_${error.reason}` : 'reader_failed'
        const detail = error instanceof Error ? error.message : String(error)
        to.skipped(countedAs(), [{ reason, detail }])
      }

      while (!signal.aborted) {
        const startedAt = now()
        let readCount = 0
        for (const [index, target] of targets.entries()) {
          if (signal.aborted) return
          if (await readTarget(target, index)) readCount++
        }
        if (signal.aborted) return
        failedRounds = readCount === 0 && targets.length > 0 ? failedRounds + 1 : 0
        if (failedRounds >= downAfterRounds) await say('down', now())
        await sleep(Math.max(0, startedAt + intervalMs - now()), signal).catch(() => {})
      }
    },
  }
}

/** Skips that may hide a whole event: after one of them a missing event is not taken as withdrawn. */
const unreadable: ReadonlySet<string> = new Set([
  'malformed',
  'error_answer',
  'unsupported_version',
  'wrong_odds_format',
  'outdated_answer',
])

/** What a sportsbook offers on an event or on a season. */
type Offering = OddsRecord | FuturesRecord

/**
 * Who offered what, per target, at its last complete reading. An event moves between targets
 * (upcoming to live) without being withdrawn: it is gone when no target has it.
 */
export function createLastSeen() {
  const byTarget = new Map<unknown, Map<string, Offering>>()
  return {
    /** Puts a complete reading in place of the last; gives an empty snapshot for what is gone. */
    replace(target: unknown, records: readonly Offering[], observedAt: number): FeedRecord[] {
      const before = byTarget.get(target)
      const after = new Map(records.map((record) => [keyOf(record), record]))
      byTarget.set(target, after)
      if (!before) return []
      const gone: FeedRecord[] = []
      for (const [key, record] of before) {
        if ([...byTarget.values()].some((seen) => seen.has(key))) continue
        gone.push(nothingOf(record, observedAt))
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
