/**
 * The journal of a board: each change of a row, with what it was before and what it is after, in the order in which
 * they came. What was asked for before and what is asked for after is one question put twice, so nobody has to
 * reconstruct what a filter named. Beyond the journal nothing is known: who was told less takes a snapshot.
 *
 * Times are the view's own **stamps**: epoch µs, each given once, never going back.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { bisect } from '../../memory/bisect.ts'
import { grown } from '../../memory/grown.ts'
import type { EventBlock } from './view-event.ts'

/** Beside the bits of `row-table.ts` in what a row says: it is not there. */
export const absentBit = 4

/**
 * Most changes that are kept: nine minutes of 1,000 a second, two of 4,000. Each takes about 70 bytes, so
 * all take 37 MB; fewer take as much less.
 */
const mostKept = 0x80000

/** What changed of a row. */
export const changeKind = {
  /** On whose main lines it is, and nothing that it shows. */
  standing: 0,
  /** What moves. */
  moved: 1,
  /** It came, or what names its bet changed. */
  whole: 2,
} as const

export type ChangeKind = (typeof changeKind)[keyof typeof changeKind]

/** One change; the object is the same for each, so take from it what is to be kept. */
export interface RowChange {
  readonly stamp: number
  /** The number of the row; one that has gone may be another's by now. */
  readonly row: number
  readonly id: number
  /** The sportsbook's number in the view. */
  readonly book: number
  readonly block: EventBlock
  readonly kind: ChangeKind
  readonly event: EventRow
  readonly price: number
  /** Bits of `row-table.ts`, or `absentBit`. */
  readonly state: number
  readonly eventBefore: EventRow
  readonly priceBefore: number
  readonly stateBefore: number
}

export interface Journal {
  /** Adds a change, whose stamp is above every one before. */
  add(change: RowChange): void
  /** Forgets all: what happened up to this stamp is not known. */
  clear(stamp: number): void
  /** All that happened after this stamp is here. */
  readonly reach: number
  /**
   * Goes through the changes after `since`, which is not below `reach`, oldest first, until `visit` returns false.
   * @param until a stamp, inclusive
   */
  forEach(since: number, visit: (change: RowChange) => unknown, until?: number): void
  /** How many there are after `since`. */
  countAfter(since: number): number
  /** When the row last changed in what it shows; 0 for one that is not there, or never has. */
  stamp(row: number): number
  /** By row number. Good until the next change. */
  readonly stamps: Float64Array
}

// A change is a record of 48 bytes: stamp, id, price and the price before, then row, sportsbook, kind and both states.
const changeDoubles = 6
const firstWord = 8
const stateShift = 16
const stateMask = (1 << stateShift) - 1

/** @param most so many changes are kept, a power of two */
export function createJournal(most = mostKept): Journal {
  let kept = Math.min(most, 1_024)
  let doubles = new Float64Array(changeDoubles * kept)
  let words = new Int32Array(doubles.buffer)
  let blocks: EventBlock[] = []
  let events: EventRow[] = []
  let eventsBefore: EventRow[] = []
  /** Changes so far; each is kept at its number modulo `kept`. */
  let count = 0
  let reach = 0
  let stamps = new Float64Array(1_024)
  const change = {} as { -readonly [Member in keyof RowChange]: RowChange[Member] }

  const place = (number: number) => number & (kept - 1)

  const stampAt = (number: number) => doubles[changeDoubles * place(number)]!

  /** The number of the first kept change after `since`. */
  function firstAfter(since: number): number {
    const oldest = Math.max(0, count - kept)
    return oldest + bisect(0, count - oldest, (at) => stampAt(oldest + at) <= since)
  }

  return {
    add(added) {
      const { stamp, row, kind, state } = added
      if (count === kept && kept < most) {
        kept *= 2
        doubles = grown(doubles, changeDoubles * kept)
        words = new Int32Array(doubles.buffer)
      }
      if (count >= kept) reach = stampAt(count)
      const at = place(count++)
      const double = changeDoubles * at
      const word = 2 * double + firstWord
      doubles[double] = stamp
      doubles[double + 1] = added.id
      doubles[double + 2] = added.price
      doubles[double + 3] = added.priceBefore
      words[word] = row
      words[word + 1] = added.book
      words[word + 2] = kind
      words[word + 3] = state | (added.stateBefore << stateShift)
      blocks[at] = added.block
      events[at] = added.event
      eventsBefore[at] = added.eventBefore
      if (kind === changeKind.standing) return
      if (row >= stamps.length) stamps = grown(stamps, Math.max(2 * stamps.length, row + 1))
      stamps[row] = (state & absentBit) === 0 ? stamp : 0
    },
    clear(stamp) {
      count = 0
      reach = stamp
      blocks = []
      events = []
      eventsBefore = []
      stamps = new Float64Array(1_024)
    },
    get reach() {
      return reach
    },
    forEach(since, visit, until = Number.POSITIVE_INFINITY) {
      for (let number = firstAfter(since); number < count; number++) {
        const at = place(number)
        const double = changeDoubles * at
        const word = 2 * double + firstWord
        if (doubles[double]! > until) return
        change.stamp = doubles[double]!
        change.row = words[word]!
        change.id = doubles[double + 1]!
        change.book = words[word + 1]!
        change.block = blocks[at]!
        change.kind = words[word + 2] as ChangeKind
        change.event = events[at]!
        change.price = doubles[double + 2]!
        change.state = words[word + 3]! & stateMask
        change.eventBefore = eventsBefore[at]!
        change.priceBefore = doubles[double + 3]!
        change.stateBefore = words[word + 3]! >>> stateShift
        if (visit(change) === false) return
      }
    },
    countAfter: (since) => count - firstAfter(since),
    stamp: (row) => stamps[row]!,
    get stamps() {
      return stamps
    },
  }
}
