/**
 * The two boards the API reads, both written by the changelog alone: `live`, and `delayed`, which
 * is what the free tier sees: its sportsbooks, as they were a minute ago. The delayed board is a
 * second view fed late, never a filter on newer rows.
 */

import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type { Chunk, Log, LogRecord } from '../pipeline/log/log.ts'
import { type BoardView, createBoardView } from '../pipeline/views/board/board-view.ts'
import {
  createOpportunityView,
  type OpportunityView,
} from '../pipeline/views/opportunities/opportunity-view.ts'
import type { EventRow } from '../schemas/event.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { tierBooks } from '../schemas/reference/tier-books.ts'
import type { Sighting } from '../schemas/sighting.ts'
import { topics } from '../schemas/topics.ts'
import { freeDelaySeconds } from './access/tiers.ts'

export interface Boards {
  readonly live: BoardView
  readonly delayed: BoardView
  /** What the live board's prices come to; the delayed one is for a tier that has none of it. */
  readonly opportunities: OpportunityView
  /** Resolves when the boards hold what the log held at the start. */
  readonly ready: Promise<void>
  readonly isReady: () => boolean
  /** Takes the next chunk of the log. */
  take(chunk: Chunk): void
  /** Lets the clock's time pass on both boards. */
  advance(): void
  /** Follows the log until `signal` aborts. Rejects when the log does. */
  follow(signal: AbortSignal): Promise<void>
}

const tables = [
  topics.events,
  topics.sightings,
  topics.odds,
  topics.sportsbookStatus,
  topics.opportunities,
]
/** Not for the delayed board. */
const liveOnly: ReadonlySet<string> = new Set([
  topics.sportsbookStatus.name,
  topics.opportunities.name,
])
const delayMs = freeDelaySeconds * 1_000
/** How often the delayed board takes what has come of age. */
const advanceEveryMs = 100
/**
 * What is at hand is taken for so long before requests and streams have their turn, and for so many
 * times as long as they last had: however busy they are, the board is not left behind.
 */
const takingMs = 5
const followerShare = 3

export function createBoards(log: Log, clock: () => number): Boards {
  const live = createBoardView()
  const opportunities = createOpportunityView()
  const freeBooks = tierBooks.free ?? undefined
  const delayed = createBoardView(freeBooks ? { books: freeBooks } : {})
  const line = createDelayLine(delayed, delayMs, freeBooks)
  let ready = false
  let markReady = () => {}
  const whenReady = new Promise<void>((resolve) => {
    markReady = resolve
  })

  function advance() {
    const now = clock()
    live.advance(now)
    line.advance(now)
  }

  function take(chunk: Chunk) {
    const now = clock()
    if (chunk.reset) {
      // Until it is whole again the board answers nothing rather than a part.
      ready = false
      live.reset(now)
      opportunities.reset()
    }
    live.apply(chunk.records, chunk.position, now)
    opportunities.apply(chunk.records)
    line.take(chunk, now, !ready)
    if (chunk.caughtUp && !ready) {
      ready = true
      line.advance(now)
      markReady()
    }
  }

  return {
    live,
    delayed,
    opportunities,
    ready: whenReady,
    isReady: () => ready,
    take,
    advance,
    async follow(signal) {
      const timer = setInterval(advance, advanceEveryMs)
      let since = performance.now()
      let turnMs = takingMs
      try {
        for await (const chunk of log.follow(tables, { signal })) {
          take(chunk)
          const until = performance.now()
          if (until - since < turnMs) continue
          await turnOfOthers()
          since = performance.now()
          turnMs = Math.max(takingMs, followerShare * (since - until))
        }
      } finally {
        clearInterval(timer)
      }
    },
  }
}

interface DelayLine {
  /** @param replayed the chunk is content of before the start: its own instants tell its age */
  take(chunk: Chunk, now: number, replayed: boolean): void
  advance(now: number): void
}

/** Holds changes until they are `delayMs` old, then applies them in order. */
export function createDelayLine(
  view: BoardView,
  delayMs: number,
  kept: ReadonlySet<string> | undefined,
): DelayLine {
  let queue: { dueAt: number; chunk: Chunk }[] = []
  let head = 0
  /** Keys with a replayed record in the queue. */
  const waiting = new Set<string>()

  return {
    take(chunk, now, replayed) {
      const records = chunk.records.filter(
        (record) => !liveOnly.has(record.topic.name) && (!kept || isOf(record, kept)),
      )
      if (!replayed) {
        waiting.clear()
        queue.push({ dueAt: now + delayMs, chunk: { ...chunk, records } })
        return
      }
      if (chunk.reset) {
        view.reset(now - delayMs)
        queue = []
        head = 0
        waiting.clear()
      }
      // What was there before the start is as old as its own instant says. The rest has to wait;
      // what stood in its place a minute ago is not known, so until then nothing is shown. Records
      // of one key keep their order: behind one that waits, the later ones wait too.
      const old: LogRecord[] = []
      const young: LogRecord[] = []
      for (const record of records) {
        const key = `${record.topic.name} ${record.key}`
        if (waiting.has(key) || instantOf(record) + delayMs > now) {
          waiting.add(key)
          young.push(record)
        } else old.push(record)
      }
      view.apply(old, chunk.position, now - delayMs)
      if (young.length > 0) {
        queue.push({ dueAt: now + delayMs, chunk: { ...chunk, reset: false, records: young } })
      }
    },
    advance(now) {
      while (head < queue.length && queue[head]!.dueAt <= now) {
        const { chunk, dueAt } = queue[head++]!
        if (chunk.reset) view.reset(dueAt - delayMs)
        // Its stamps are those of the live board, so that a client which changes tier loses nothing.
        view.apply(chunk.records, chunk.position, dueAt - delayMs)
      }
      view.advance(now - delayMs)
      if (head > 1_024 && 2 * head > queue.length) {
        queue = queue.slice(head)
        head = 0
      }
    },
  }
}

/** Events are kept whoever offers them: one without a row of the view's sportsbooks is not listed. */
function isOf({ topic, value }: LogRecord, kept: ReadonlySet<string>): boolean {
  if (value === null || topic.name === topics.events.name) return true
  return kept.has((value as OddsRow | Sighting).sportsbook)
}

/**
 * When a row came to be what it is (epoch ms). A tombstone says no time and counts as old: what it
 * ended is then not shown, rather than shown for a minute more.
 */
function instantOf({ topic, value }: LogRecord): number {
  if (value === null) return Number.NEGATIVE_INFINITY
  if (topic.name === topics.odds.name) return (value as OddsRow).observedAt
  if (topic.name === topics.sightings.name) return (value as Sighting).lastSeenAt
  return (value as EventRow).updatedAt
}
