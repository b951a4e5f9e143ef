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

/** @param most so many changes are kept, a power of two */
export function createJournal(most = mostKept): Journal {
  let kept = Math.min(most, 1_024)
  let stampOf = new Float64Array(kept)
  let ids = new Float64Array(kept)
  let rows = new Int32Array(kept)
  let books = new Int32Array(kept)
  let kinds = new Uint8Array(kept)
  let prices = new Float64Array(kept)
  let pricesBefore = new Float64Array(kept)
  let states = new Uint16Array(kept)
  let statesBefore = new Uint16Array(kept)
  let blocks: EventBlock[] = []
  let events: EventRow[] = []
  let eventsBefore: EventRow[] = []
  /** Changes so far; each is kept at its number modulo `kept`. */
  let count = 0
  let reach = 0
  let stamps = new Float64Array(1_024)
  const change = {} as { -readonly [Member in keyof RowChange]: RowChange[Member] }

  const place = (number: number) => number & (kept - 1)

  function grow() {
    kept *= 2
    stampOf = grown(stampOf, kept)
    ids = grown(ids, kept)
    rows = grown(rows, kept)
    books = grown(books, kept)
    kinds = grown(kinds, kept)
    prices = grown(prices, kept)
    pricesBefore = grown(pricesBefore, kept)
    states = grown(states, kept)
    statesBefore = grown(statesBefore, kept)
  }

  /** The number of the first kept change after `since`. */
  function firstAfter(since: number): number {
    const oldest = Math.max(0, count - kept)
    return oldest + bisect(0, count - oldest, (at) => stampOf[place(oldest + at)]! <= since)
  }

  return {
    add(added) {
      const { stamp, row, kind, state } = added
      if (count === kept && kept < most) grow()
      const at = place(count)
      if (count >= kept) reach = stampOf[at]!
      count++
      stampOf[at] = stamp
      ids[at] = added.id
      rows[at] = row
      books[at] = added.book
      kinds[at] = kind
      prices[at] = added.price
      states[at] = state
      pricesBefore[at] = added.priceBefore
      statesBefore[at] = added.stateBefore
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
        if (stampOf[at]! > until) return
        change.stamp = stampOf[at]!
        change.row = rows[at]!
        change.id = ids[at]!
        change.book = books[at]!
        change.block = blocks[at]!
        change.kind = kinds[at] as ChangeKind
        change.event = events[at]!
        change.price = prices[at]!
        change.state = states[at]!
        change.eventBefore = eventsBefore[at]!
        change.priceBefore = pricesBefore[at]!
        change.stateBefore = statesBefore[at]!
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
