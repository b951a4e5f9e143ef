/**
 * The progress of live clients: they have all changes up to the stamp **head**. Owns the frame
 * numbers (`global_seq`), and remembers the stamps of numbers and positions for clients that
 * resume. A number depends only on time and the client's own frames, so it reveals nothing of
 * changes that the client does not see.
 */

import { randomInt } from 'node:crypto'
import type { Position } from '../../../pipeline/log/log.ts'
import { bisect } from '../../../pipeline/memory/bisect.ts'
import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { type FrameNumbers, numbersOfFrames, numbersOfTick } from './frame-numbers.ts'
import { type OddsTick, oddsTick } from './odds-tick.ts'
import { createPositionHistory, isAhead } from './positions.ts'

/** Time during which clients can resume by `global_seq`. */
export const replayMs = 120_000

export interface NumberedTick {
  readonly changed: OddsTick
  /** A number before the tick. Everything earlier has been sent. */
  readonly seqBefore: number
  /** Returns numbers for the frames of one client. Clients may share numbers. */
  numbering(): FrameNumbers
}

/** A remembered tick. */
export interface PastTick {
  /** Stamps: it had the changes after `since`, up to `upTo`. */
  readonly since: number
  readonly upTo: number
  /**
   * Returns the same numbers that frames had when first sent.
   * @param lastSent the client's last number
   */
  numbering(lastSent: number): FrameNumbers
}

export interface Timeline {
  readonly head: number
  /** The current number: everything up to the head has been sent. */
  readonly globalSeq: number
  /** Returns ascending numbers for frames of opportunities now. */
  opportunityNumbers(): () => number
  /**
   * Moves the head to the board's watermark.
   * @param now epoch ms
   * @param hasClients whether there are clients
   * @returns the changes to send, null for none; 'replaced' if everything sent so far is void
   */
  advance(now: number, hasClients: boolean): NumberedTick | 'replaced' | null
  /** Returns the next number of the same stamp, for a late frame. The last one repeats if there are no more. */
  numberAfter(seq: number): number
  /** Returns a stamp before the change of this number; undefined if it is forgotten. */
  stampBefore(seq: number): number | undefined
  /** Returns the tick after a stamp. @param stamp from `stampBefore`, or later */
  tickAfter(stamp: number): PastTick
  /** Returns a stamp at or before the position; undefined if the board does not reach back to it. */
  stampAt(position: Position): number | undefined
  /**
   * Returns whether the position is ahead of the board. A position from another process may be
   * ahead.
   */
  isAhead(position: Position): boolean
  /** Returns the board's current position. */
  positionNow(): Position | null
}

/** Numbers of one millisecond: its tick's, then those of opportunities, then those after both. */
const numbersOfMs = 20_000
const firstOfOpportunities = numbersOfTick
const firstOfAfter = 16_000

/** @param clock epoch ms */
export function createTimeline(view: BoardView, clock: () => number): Timeline {
  const history = createPositionHistory()
  let head = view.watermark
  let journalOf = view.journal
  // Random, so that numbers of another process, or from before a restart, are not mistaken for this one's. They stay
  // exact in JSON for over a year.
  const firstSeq = randomInt(1e14, 3e14)
  const begunAt = clock()
  /** The millisecond of the last number. Numbers never go back, though the clock may. */
  let lastMs = 0
  /** First number and starting stamp of each tick. The first entry covers everything before. */
  const journal: { readonly seq: number; readonly stamp: number; readonly at: number }[] = [
    { seq: firstSeq, stamp: head, at: 0 },
  ]
  /** Whether the last entry covers all changes since. */
  let isGap = false

  const firstOf = (ms: number) => firstSeq + numbersOfMs * ms

  /** @returns the current millisecond */
  function moveTime(): number {
    lastMs = Math.max(lastMs, clock() - begunAt)
    return lastMs
  }

  /** Starts a tick after all numbers so far. @returns its first number */
  function begin(stamp: number, now: number): number {
    lastMs = Math.max(lastMs + 1, now - begunAt)
    const seq = firstOf(lastMs)
    journal.push({ seq, stamp, at: now })
    // One older entry stays, to mark where the remembered time begins.
    while (journal.length > 1 && journal[1]!.at < now - replayMs) journal.shift()
    return seq
  }

  function replaced(now: number) {
    journalOf = view.journal
    head = view.watermark
    history.reset()
    // A client that resumes with an earlier number gets a snapshot.
    journal.length = 0
    begin(head, now)
    isGap = false
    return 'replaced' as const
  }

  function moveOn(now: number, hasClients: boolean): NumberedTick | 'replaced' | null {
    if (journalOf !== view.journal) return replaced(now)
    if (hasClients) isGap = false
    if (view.watermark <= head) return null
    const since = head
    const seqBefore = firstOf(lastMs) + firstOfAfter
    head = view.watermark
    if (!hasClients) {
      // Without clients all changes are one tick.
      if (!isGap) begin(since, now)
      isGap = true
      return null
    }
    const changed = oddsTick(view, since)
    // The journal no longer reaches back to the head.
    if (!changed) return replaced(now)
    if (changed.changes.length === 0 && changed.statuses.size === 0) return null
    const first = begin(since, now)
    return { changed, seqBefore, numbering: () => numbersOfFrames(first, first - 1) }
  }

  return {
    get head() {
      return head
    },
    get globalSeq() {
      return firstOf(moveTime()) + firstOfAfter
    },
    opportunityNumbers: () =>
      numbersOf(firstOf(moveTime()) + firstOfOpportunities, firstOfAfter - firstOfOpportunities),
    advance(now, hasClients) {
      const tick = moveOn(now, hasClients)
      history.note(view)
      return tick
    },
    numberAfter(seq) {
      const place = (seq - firstSeq) % numbersOfMs
      const isLast = place === firstOfAfter - 1 || place === numbersOfMs - 1
      return isLast ? seq : seq + 1
    },
    stampBefore(seq) {
      const ms = Math.floor((seq - firstSeq) / numbersOfMs)
      // The reach depends on time only, not on changes since.
      if (ms > moveTime() || ms < lastMs - replayMs) return undefined
      const after = bisect(0, journal.length, (place) => journal[place]!.seq <= seq)
      const last = journal[after - 1]
      if (!last) return undefined
      const isBegun = seq - last.seq < firstOfAfter
      return isBegun ? last.stamp : (journal[after]?.stamp ?? head)
    },
    tickAfter(stamp) {
      const after = bisect(0, journal.length, (place) => journal[place]!.stamp <= stamp)
      const { seq, stamp: since } = journal[Math.max(0, after - 1)]!
      const upTo = journal[after]?.stamp ?? head
      return { since, upTo, numbering: (lastSent) => numbersOfFrames(seq, lastSent) }
    },
    stampAt: history.stampAt,
    isAhead: (position) => isAhead(position, view.position),
    positionNow() {
      // A client may resume from this position before the next tick. Noted now, this or a slightly
      // earlier one is found then.
      history.note(view)
      return view.position
    },
  }
}

/** Returns ascending numbers. The last one repeats if there are no more. */
function numbersOf(first: number, count: number): () => number {
  const last = first + count - 1
  let seq = first - 1
  return () => {
    if (seq < last) seq++
    return seq
  }
}
