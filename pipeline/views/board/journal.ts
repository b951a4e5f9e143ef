/**
 * The journal of a board: each change of a row, with its state before and after, in order of
 * arrival. A filter is applied to both states, so it need not be reconstructed which rows it
 * matched before. Changes before the journal are not known: a client that is further behind takes a
 * snapshot.
 *
 * Times are the view's own **stamps**: epoch µs, each used once, never going back.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { bisect } from '../../memory/bisect.ts'
import { grown } from '../../memory/grown.ts'
import type { EventBlock } from './view-event.ts'

/** A bit beside those of `row-table.ts` in a row's state: the row does not exist. */
export const absentBit = 4

/**
 * The most changes kept: nine minutes at 1,000 per second, two at 4,000. Each takes about 70 bytes,
 * all together 37 MB.
 */
const mostKept = 0x80000

/** The kinds of change of a row. */
export const changeKind = {
  /** Only its main lines changed, which it does not show. */
  standing: 0,
  /** The moving parts changed. */
  moved: 1,
  /** The row came, or the name of its bet changed. */
  whole: 2,
} as const

export type ChangeKind = (typeof changeKind)[keyof typeof changeKind]

/** One change. The object is reused for each change, so copy what you keep. */
export interface RowChange {
  readonly stamp: number
  /** The row's number. The number of a deleted row may be reused by now. */
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
  /** Adds a change, whose stamp is above all earlier ones. */
  add(change: RowChange): void
  /** Forgets all changes; nothing is known of changes up to this stamp. */
  clear(stamp: number): void
  /** The journal has all changes after this stamp. */
  readonly reach: number
  /**
   * Visits the changes after `since`, which is not below `reach`, oldest first, until `visit` returns false.
   * @param until a stamp, inclusive
   */
  forEach(since: number, visit: (change: RowChange) => unknown, until?: number): void
  /** Returns the number of changes after `since`. */
  countAfter(since: number): number
  /** Returns the stamp of the row's last visible change; 0 for a row that does not exist or never changed. */
  stamp(row: number): number
  /** The same by row number. Valid until the next change. */
  readonly stamps: Float64Array
}

// A change is a record of 48 bytes: stamp, id, price and the price before, then row, sportsbook, kind and both states.
const changeDoubles = 6
const firstWord = 8
const stateShift = 16
const stateMask = (1 << stateShift) - 1

/** @param most changes to keep, a power of two */
export function createJournal(most = mostKept): Journal {
  let kept = Math.min(most, 1_024)
  let doubles = new Float64Array(changeDoubles * kept)
  let words = new Int32Array(doubles.buffer)
  let blocks: EventBlock[] = []
  let events: EventRow[] = []
  let eventsBefore: EventRow[] = []
  /** The number of changes so far; each is kept at its number modulo `kept`. */
  let count = 0
  let reach = 0
  let stamps = new Float64Array(1_024)
  const change = {} as { -readonly [Member in keyof RowChange]: RowChange[Member] }

  const place = (number: number) => number & (kept - 1)

  const stampAt = (number: number) => doubles[changeDoubles * place(number)]!

  /** Returns the number of the first kept change after `since`. */
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
