/**
 * How far clients have been told of the board. Every live client knows it up to the stamp **head**, and
 * `globalSeq` numbers what they are told. Numbers follow from the time alone, however much has changed: of changes
 * that a client does not see it learns nothing by its numbers. This file remembers which stamp a number or
 * a position stands for, for clients that come back with one.
 */

import { randomInt } from 'node:crypto'
import type { Position } from '../../pipeline/log/log.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { type OddsTick, oddsTick } from './channels/odds/odds-tick.ts'
import { createPositionHistory, isAhead } from './positions.ts'

/** How long frames can be told again by `global_seq`. */
const replayMs = 120_000

export interface NumberedTick {
  readonly changed: OddsTick
  /** The last number before it. */
  readonly seqBefore: number
  /** Each sportsbook's change in a tick has a number of its own. */
  globalSeqOf(book: number): number
}

export interface Timeline {
  readonly head: number
  /** The number of now: at or above that of the last change, and below that of the next. */
  readonly globalSeq: number
  /**
   * The number of a change of opportunities now.
   * @param kind its place among the kinds; the same for all who are told now
   */
  opportunitySeq(kind: number): number
  /**
   * Moves the head to the board of now.
   * @param now epoch ms
   * @param isHeard whether there is anybody to tell
   * @returns what is to be told, null for nothing; 'replaced' when all told so far is void
   */
  advance(now: number, isHeard: boolean): NumberedTick | 'replaced' | null
  /** A stamp at which the change of this number, and all after it, was still to come. */
  stampBefore(seq: number): number | undefined
  /** How far the board remembers: a stamp at or before the position. */
  stampAt(position: Position): number | undefined
  /** Whether the position is ahead of the board, as one from another process may be. */
  isAhead(position: Position): boolean
  /** The position the board is at now. */
  positionNow(): Position | null
}

/** Numbers of one millisecond: that of its tick, then those of sportsbooks, then those of opportunities. */
const numbersOfMs = 1_000
const numbersOfBooks = 900

/** @param clock epoch ms */
export function createTimeline(view: BoardView, clock: () => number): Timeline {
  const history = createPositionHistory()
  let head = view.watermark
  let changes = view.changes
  // Drawn at random, so that numbers of another process, or of this one before a restart, are not taken
  // for numbers of this one. Fifteen digits, which every client can hold.
  const firstSeq = randomInt(1e14, 3e14)
  const begunAt = clock()
  /** The millisecond that the last number is of; numbers never go back, though the clock may. */
  let lastMs = 0
  /** The number of the last change. */
  let changedSeq = firstSeq
  const journal: {
    readonly seq: number
    /** The last number before it. */
    readonly seqBefore: number
    readonly stamp: number
    readonly at: number
  }[] = []
  /** Whether the last entry stands for all that has happened since. */
  let isGap = false

  const msOf = (now: number) => Math.max(lastMs, now - begunAt)
  /** The last number of a millisecond. */
  const endOf = (ms: number) => firstSeq + numbersOfMs * (ms + 1) - 1

  function numberInMs(place: number): number {
    const seq = firstSeq + numbersOfMs * lastMs + place
    changedSeq = Math.max(changedSeq, seq)
    return seq
  }

  /** A tick comes after everything that was numbered. */
  function nextTick(now: number): number {
    lastMs = Math.max(lastMs + 1, now - begunAt)
    return numberInMs(0)
  }

  function replaced(now: number) {
    changes = view.changes
    head = view.watermark
    history.reset()
    journal.length = 0
    isGap = false
    // A client that comes back with an earlier number is given everything anew.
    nextTick(now)
    return 'replaced' as const
  }

  function moveOn(now: number, isHeard: boolean): NumberedTick | 'replaced' | null {
    if (changes !== view.changes) return replaced(now)
    if (isHeard) isGap = false
    if (view.watermark <= head) return null
    const since = head
    const seqBefore = endOf(lastMs)
    head = view.watermark
    if (!isHeard) {
      // Until a client comes, all changes count as one.
      if (!isGap) journal.push({ seq: nextTick(now), seqBefore, stamp: since, at: now })
      isGap = true
      return null
    }
    const changed = oddsTick(view, since)
    // The clock has leapt past what is remembered.
    if (!changed) return replaced(now)
    const { rows, removed, statuses } = changed
    if (rows.length === 0 && removed.length === 0 && statuses.size === 0) return null
    const seq = nextTick(now)
    journal.push({ seq, seqBefore, stamp: since, at: now })
    while (journal[0]!.at < now - replayMs) journal.shift()
    return {
      changed,
      seqBefore,
      globalSeqOf: (book) => numberInMs(1 + Math.min(book, numbersOfBooks)),
    }
  }

  return {
    get head() {
      return head
    },
    get globalSeq() {
      lastMs = msOf(clock())
      return endOf(lastMs)
    },
    opportunitySeq(kind) {
      lastMs = msOf(clock())
      return numberInMs(numbersOfBooks + 2 + kind)
    },
    advance(now, isHeard) {
      const tick = moveOn(now, isHeard)
      history.note(view)
      return tick
    },
    stampBefore(seq) {
      const [oldest] = journal
      if (seq > endOf(msOf(clock()))) return undefined
      // Nothing has changed since.
      if (seq > changedSeq) return head
      if (!oldest || seq < oldest.seqBefore) return seq === changedSeq ? head : undefined
      let found = oldest
      for (const entry of journal) {
        if (entry.seq > seq) break
        found = entry
      }
      return found.stamp
    },
    stampAt: history.stampAt,
    isAhead: (position) => isAhead(position, view.position),
    positionNow: () => view.position,
  }
}
