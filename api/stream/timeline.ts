/**
 * How far clients have been told of the board. Every live client knows it up to the stamp **head**, and
 * `globalSeq` numbers what they are told. This file remembers which stamp a number or a position stands
 * for, for clients that come back with one.
 */

import { randomInt } from 'node:crypto'
import type { Position } from '../../pipeline/log/log.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { type OddsTick, oddsTick } from './channels/odds/odds-tick.ts'
import { createPositionHistory, isAhead, positionToken } from './positions.ts'

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
  const journal: { readonly seq: number; readonly stamp: number; readonly at: number }[] = []
  /** Whether the last entry stands for all that has happened since. */
  let isGap = false

  function replaced() {
    changes = view.changes
    head = view.watermark
    history.reset()
    journal.length = 0
    isGap = false
    // A client that comes back with an earlier number is given everything anew.
    globalSeq++
    return 'replaced' as const
  }

  function moveOn(now: number, isHeard: boolean): NumberedTick | 'replaced' | null {
    if (changes !== view.changes) return replaced()
    if (isHeard) isGap = false
    if (view.watermark <= head) return null
    const since = head
    const seqBefore = globalSeq
    head = view.watermark
    if (!isHeard) {
      // Until a client comes, all changes count as one.
      if (!isGap) journal.push({ seq: ++globalSeq, stamp: since, at: now })
      isGap = true
      return null
    }
    const changed = oddsTick(view, since)
    // The clock has leapt past what is remembered.
    if (!changed) return replaced()
    const { rows, removed, statuses } = changed
    if (rows.length === 0 && removed.length === 0 && statuses.size === 0) return null
    journal.push({ seq: ++globalSeq, stamp: since, at: now })
    while (journal[0]!.at < now - replayMs) journal.shift()
    return { changed, seqBefore, globalSeqOf: numberBooks() }
  }

  function numberBooks(): (book: number) => number {
    const numbers = new Map<number, number>()
    return (book) => {
      let seq = numbers.get(book)
      if (seq === undefined) {
        seq = ++globalSeq
        numbers.set(book, seq)
      }
      return seq
    }
  }

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
    stampBefore(seq) {
      const [oldest] = journal
      if (seq > globalSeq) return undefined
      if (!oldest || seq < oldest.seq - 1) return seq === globalSeq ? head : undefined
      let found = oldest
      for (const entry of journal) {
        if (entry.seq > seq) break
        found = entry
      }
      return found.stamp
    },
    stampAt: history.stampAt,
    isAhead: (position) => isAhead(position, view.position),
    positionNow: () => (view.position ? positionToken(view.position) : null),
  }
}
