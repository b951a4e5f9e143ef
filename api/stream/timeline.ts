/**
 * How far clients have been told of the board. Every live client knows it up to the stamp **head**, and
 * `globalSeq` numbers what they are told. This file remembers which stamp a number or a position stands
 * for, for clients that come back with one.
 */

import { randomInt } from 'node:crypto'
import type { Position } from '../../pipeline/log/log.ts'
import { bisect } from '../../pipeline/memory/bisect.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { type OddsTick, oddsTick } from './channels/odds/odds-tick.ts'
import { createPositionHistory, isAhead, positionToken } from './positions.ts'

/** How long frames can be told again by `global_seq`. */
const replayMs = 120_000
/** Numbers that a tick leaves over, for those who are told of it late. */
const spareNumbers = 1_000

export interface NumberedTick {
  readonly changed: OddsTick
  /** The last number before it. */
  readonly seqBefore: number
  /** Gives the frames of one client numbers of this tick, upwards. Clients may have the same ones. */
  numbering(): () => number
}

export interface Timeline {
  readonly head: number
  /** The number of the last change. */
  readonly globalSeq: number
  /** The number of one more change. */
  nextSeq(): number
  /**
   * Moves the head to the board of now.
   * @param now epoch ms
   * @param isHeard whether there is anybody to tell
   * @returns what is to be told, null for nothing; 'replaced' when all told so far is void
   */
  advance(now: number, isHeard: boolean): NumberedTick | 'replaced' | null
  /**
   * The next number after one that a client was told, for what it is told late: of the same tick, so
   * that `stampBefore` reaches as far back as for that one. Where a tick has no more, the last again.
   */
  numberAfter(seq: number): number
  /** The number of the tick that came after a stamp; 0 where that is forgotten. */
  numberAt(stamp: number): number
  /** A stamp at which the change of this number, and all after it, was still to come. */
  stampBefore(seq: number): number | undefined
  /** How far the board remembers: a stamp at or before the position. */
  stampAt(position: Position): number | undefined
  /** Whether the position is ahead of the board, as one from another process may be. */
  isAhead(position: Position): boolean
  /** The position the board is at now. */
  positionNow(): string | null
}

export function createTimeline(view: BoardView): Timeline {
  const history = createPositionHistory()
  let head = view.watermark
  let changes = view.changes
  // Drawn at random, so that numbers of another process, or of this one before a restart, are not taken
  // for numbers of this one. Fifteen digits, which every client can hold.
  let globalSeq = randomInt(1e14, 3e14)
  /** Ticks: the number each begins with, and the stamp it begins at. The first stands for all before. */
  const journal: { readonly seq: number; readonly stamp: number; readonly at: number }[] = [
    { seq: globalSeq, stamp: head, at: 0 },
  ]
  /** Whether the last entry stands for all that has happened since. */
  let isGap = false

  function replaced(now: number) {
    changes = view.changes
    head = view.watermark
    history.reset()
    // A client that comes back with an earlier number is given everything anew.
    journal.length = 0
    begin(head, now)
    isGap = false
    return 'replaced' as const
  }

  /** A tick begins. */
  function begin(stamp: number, at: number) {
    globalSeq += 1 + spareNumbers
    journal.push({ seq: globalSeq, stamp, at })
    // Numbers of a tick are told until the next one.
    while (journal.length > 1 && journal[1]!.at < at - replayMs) journal.shift()
  }

  function moveOn(now: number, isHeard: boolean): NumberedTick | 'replaced' | null {
    if (changes !== view.changes) return replaced(now)
    if (isHeard) isGap = false
    if (view.watermark <= head) return null
    const since = head
    const seqBefore = globalSeq
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
    const { rows, removed, statuses } = changed
    if (rows.length === 0 && removed.length === 0 && statuses.size === 0) return null
    begin(since, now)
    const first = globalSeq
    return { changed, seqBefore, numbering: () => numbersFrom(first) }
  }

  function numbersFrom(first: number): () => number {
    let seq = first - 1
    return () => {
      if (++seq > globalSeq) globalSeq = seq
      return seq
    }
  }

  /** The first of the journal whose number is greater. */
  const placeAfter = (seq: number) =>
    bisect(0, journal.length, (place) => journal[place]!.seq <= seq)

  return {
    get head() {
      return head
    },
    get globalSeq() {
      return globalSeq
    },
    nextSeq: () => ++globalSeq,
    advance(now, isHeard) {
      const tick = moveOn(now, isHeard)
      history.note(view)
      return tick
    },
    numberAfter(seq) {
      const next = journal[placeAfter(seq)]
      const number = next ? Math.min(seq + 1, next.seq - 1) : seq + 1
      if (number > globalSeq) globalSeq = number
      return number
    },
    numberAt(stamp) {
      const after = bisect(0, journal.length, (place) => journal[place]!.stamp <= stamp)
      return journal[after - 1]?.seq ?? 0
    },
    stampBefore(seq) {
      return seq > globalSeq ? undefined : journal[placeAfter(seq) - 1]?.stamp
    },
    stampAt: history.stampAt,
    isAhead: (position) => isAhead(position, view.position),
    positionNow: () => (view.position ? positionToken(view.position) : null),
  }
}
