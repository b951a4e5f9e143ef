/**
 * How far clients have been told of the board. Every live client knows it up to the stamp **head**, and
 * frames are numbered by what they tell. Numbers follow from the time and from the client's own frames
 * alone: of changes that a client does not see it learns nothing by its numbers. This file remembers which
 * stamp a number or a position stands for, for clients that come back with one.
 */

import { randomInt } from 'node:crypto'
import type { Position } from '../../../pipeline/log/log.ts'
import { bisect } from '../../../pipeline/memory/bisect.ts'
import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { type FrameNumbers, numbersOfFrames, numbersOfTick } from './frame-numbers.ts'
import { type OddsTick, oddsTick } from './odds-tick.ts'
import { createPositionHistory, isAhead } from './positions.ts'

/** How long frames can be told again by `global_seq`. */
const replayMs = 120_000

export interface NumberedTick {
  readonly changed: OddsTick
  /** A number of before it: all that came earlier has been told. */
  readonly seqBefore: number
  /** For the frames of one client. Clients may have the same ones. */
  numbering(): FrameNumbers
}

/** A tick as it is remembered. */
export interface PastTick {
  /** Stamps: it told what came after `since`, up to `upTo`. */
  readonly since: number
  readonly upTo: number
  /** Gives frames the numbers that they had. @param lastSent the last number that the client has */
  numbering(lastSent: number): FrameNumbers
}

export interface Timeline {
  readonly head: number
  /** The number of now: all up to the head has been told. */
  readonly globalSeq: number
  /** As `numbering` of a tick, for frames of opportunities now. */
  opportunityNumbers(): () => number
  /**
   * Moves the head to the board of now.
   * @param now epoch ms
   * @param isHeard whether there is anybody to tell
   * @returns what is to be told, null for nothing; 'replaced' when all told so far is void
   */
  advance(now: number, isHeard: boolean): NumberedTick | 'replaced' | null
  /**
   * The next number after one that a client was told, for what it is told late: it stands for the same
   * stamp. Where there is no more of the same, the last again.
   */
  numberAfter(seq: number): number
  /** A stamp at which the change of this number, and all after it, was still to come. */
  stampBefore(seq: number): number | undefined
  /** The tick that told what came right after a stamp which `stampBefore` has given, or after a later one. */
  tickAfter(stamp: number): PastTick
  /** How far the board remembers: a stamp at or before the position. */
  stampAt(position: Position): number | undefined
  /** Whether the position is ahead of the board, as one from another process may be. */
  isAhead(position: Position): boolean
  /** The position the board is at now. */
  positionNow(): Position | null
}

/** Numbers of one millisecond: from 0 those of its tick, then those of opportunities, then those of after. */
const numbersOfMs = 20_000
const firstOfOpportunities = numbersOfTick
const firstOfAfter = 16_000

/** @param clock epoch ms */
export function createTimeline(view: BoardView, clock: () => number): Timeline {
  const history = createPositionHistory()
  let head = view.watermark
  let journalOf = view.journal
  // Drawn at random, so that numbers of another process, or of this one before a restart, are not taken
  // for numbers of this one. Fifteen digits for a year, and exact in every client for longer than that.
  const firstSeq = randomInt(1e14, 3e14)
  const begunAt = clock()
  /** The millisecond that the last number is of; numbers never go back, though the clock may. */
  let lastMs = 0
  /** Ticks: their first number, and the stamp they begin at. The first stands for all before. */
  const journal: { readonly seq: number; readonly stamp: number; readonly at: number }[] = [
    { seq: firstSeq, stamp: head, at: 0 },
  ]
  /** Whether the last entry stands for all that has happened since. */
  let isGap = false

  const firstOf = (ms: number) => firstSeq + numbersOfMs * ms

  /** @returns the millisecond of now */
  function moveTime(): number {
    lastMs = Math.max(lastMs, clock() - begunAt)
    return lastMs
  }

  /** A tick begins, after all that was numbered. @returns its first number */
  function begin(stamp: number, now: number): number {
    lastMs = Math.max(lastMs + 1, now - begunAt)
    const seq = firstOf(lastMs)
    journal.push({ seq, stamp, at: now })
    // The entry before those that are remembered says where they begin.
    while (journal.length > 1 && journal[1]!.at < now - replayMs) journal.shift()
    return seq
  }

  function replaced(now: number) {
    journalOf = view.journal
    head = view.watermark
    history.reset()
    // A client that comes back with an earlier number is given everything anew.
    journal.length = 0
    begin(head, now)
    isGap = false
    return 'replaced' as const
  }

  function moveOn(now: number, isHeard: boolean): NumberedTick | 'replaced' | null {
    if (journalOf !== view.journal) return replaced(now)
    if (isHeard) isGap = false
    if (view.watermark <= head) return null
    const since = head
    const seqBefore = firstOf(lastMs) + firstOfAfter
    head = view.watermark
    if (!isHeard) {
      // Until a client comes, all changes count as one.
      if (!isGap) begin(since, now)
      isGap = true
      return null
    }
    const changed = oddsTick(view, since)
    // The clock has leapt past what is remembered.
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
    advance(now, isHeard) {
      const tick = moveOn(now, isHeard)
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
      // How far back that is depends on the time alone, not on what has changed since.
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
    positionNow: () => view.position,
  }
}

/** Numbers upwards; where there are no more, the last again. */
function numbersOf(first: number, count: number): () => number {
  const last = first + count - 1
  let seq = first - 1
  return () => {
    if (seq < last) seq++
    return seq
  }
}
