/**
 * When each row last changed, so that "what has changed since" needs no look at what has not, and what
 * it said before. The newest changes are kept in the order they came; further back, `stamps` is gone
 * through, and what rows said is not known. Instants are the view's own **stamps**: epoch µs, each
 * given once, never going back.
 */

import { invariant } from '../../invariant.ts'
import { bisect } from '../../memory/bisect.ts'
import { grown } from '../../memory/grown.ts'

/** Beside the bits of `row-table.ts` in what a row said before a change: it was not there. */
export const absentBit = 4
/** The same: it is not there after the change. */
export const goneBit = 8

/**
 * Most changes that are kept in order: ten minutes of 200 a second, half a minute of 4,000. Each takes
 * 21 bytes, so all take 2.8 MB.
 */
const mostKept = 0x20000

/**
 * @param price before the change
 * @param state before the change: bits of `row-table.ts` and of this file
 */
export type RecallChange = (row: number, stamp: number, price: number, state: number) => void

export interface ChangeTimes {
  /**
   * `stamp` is above every one before.
   * @param isWhole whether the row came, or what names its bet changed: not only what moves
   * @param price before the change
   * @param state before the change: `absentBit` for a row that came
   */
  touch(row: number, stamp: number, isWhole: boolean, price: number, state: number): void
  /** The row is gone; the rest as above. */
  drop(row: number, stamp: number, price: number, state: number): void
  stamp(row: number): number
  /**
   * How many changes there were since, those of rows that changed again or are gone included;
   * infinitely many when that is further back than changes are kept.
   */
  countSince(since: number): number
  /**
   * Rows changed after `since`, oldest change first; touching rows meanwhile is not allowed, and
   * `countSince` must be finite.
   */
  after(since: number): Iterable<number>
  /** The same, however far back. */
  allAfter(since: number): Iterable<number>
  /**
   * Rows changed after `since`, however far back, in any order; one may come twice. Rows may be touched
   * meanwhile: whether those come is not said.
   */
  touchedAfter(since: number): Iterable<number>
  /**
   * Goes back through the changes after `since` of one row, the newest first, to when it came;
   * `countSince` must be finite.
   * @param to the stamp of the newest of them: that of the row, or of its removal
   */
  recall(row: number, since: number, to: number, visit: RecallChange): void
  /** By row number: its stamp, 0 for rows that are not there or have never changed. Good until the next change. */
  readonly stamps: Float64Array
  /** By row number: when it last changed as a whole. Good until the next change. */
  readonly wholeStamps: Float64Array
}

/** @param most so many changes are kept in order, a power of two */
export function createChangeTimes(most = mostKept): ChangeTimes {
  let stamps = new Float64Array(1_024)
  let wholeStamps = new Float64Array(1_024)
  let kept = Math.min(most, 1_024)
  let keptRows = new Int32Array(kept)
  let keptStamps = new Float64Array(kept)
  let keptPrices = new Float64Array(kept)
  let keptStates = new Uint8Array(kept)
  /** The place of the change before to the same row number, unless another has it by now. */
  let keptBefore = new Int32Array(kept)
  /** The place of the newest change, by row number. */
  let newest = new Int32Array(1_024)
  /** Changes so far; each is kept at its number modulo `kept`. */
  let count = 0

  const place = (number: number) => number & (kept - 1)

  function keep(row: number, stamp: number, price: number, state: number) {
    if (count === kept && kept < most) {
      kept *= 2
      keptRows = grown(keptRows, kept)
      keptStamps = grown(keptStamps, kept)
      keptPrices = grown(keptPrices, kept)
      keptStates = grown(keptStates, kept)
      keptBefore = grown(keptBefore, kept)
    }
    const at = place(count++)
    keptRows[at] = row
    keptStamps[at] = stamp
    keptPrices[at] = price
    keptStates[at] = state
    if (row >= newest.length) newest = grown(newest, Math.max(2 * newest.length, row + 1))
    keptBefore[at] = newest[row]!
    newest[row] = at
  }

  /** The number of the first kept change after `since`. */
  function firstAfter(since: number): number {
    const oldest = Math.max(0, count - kept)
    return oldest + bisect(0, count - oldest, (at) => keptStamps[place(oldest + at)]! <= since)
  }

  function countSince(since: number): number {
    const first = firstAfter(since)
    return first > 0 && first === count - kept ? Number.POSITIVE_INFINITY : count - first
  }

  function* after(since: number) {
    invariant(countSince(since) < Number.POSITIVE_INFINITY, 'the changes asked for are kept')
    for (let number = firstAfter(since); number < count; number++) {
      const row = keptRows[place(number)]!
      if (stamps[row] === keptStamps[place(number)]) yield row
    }
  }

  return {
    touch(row, stamp, isWhole, price, state) {
      if (row >= stamps.length) {
        const length = Math.max(2 * stamps.length, row + 1)
        stamps = grown(stamps, length)
        wholeStamps = grown(wholeStamps, length)
      }
      stamps[row] = stamp
      if (isWhole) wholeStamps[row] = stamp
      keep(row, stamp, price, state)
    },
    drop(row, stamp, price, state) {
      if (row < stamps.length) stamps[row] = 0
      keep(row, stamp, price, state | goneBit)
    },
    stamp: (row) => stamps[row]!,
    get stamps() {
      return stamps
    },
    get wholeStamps() {
      return wholeStamps
    },
    countSince,
    after,
    allAfter(since) {
      if (countSince(since) < Number.POSITIVE_INFINITY) return after(since)
      const rows: number[] = []
      for (let row = 0; row < stamps.length; row++) if (stamps[row]! > since) rows.push(row)
      return rows.sort((a, b) => stamps[a]! - stamps[b]!)
    },
    *touchedAfter(since) {
      if (countSince(since) < Number.POSITIVE_INFINITY) yield* after(since)
      else for (let row = 0; row < stamps.length; row++) if (stamps[row]! > since) yield row
    },
    recall(row, since, to, visit) {
      invariant(countSince(since) < Number.POSITIVE_INFINITY, 'the changes asked for are kept')
      let before = to
      for (let at = place(firstAfter(to - 1)); before > since; at = keptBefore[at]!) {
        const stamp = keptStamps[at]!
        // Another change has the place by now, or there was none before.
        if (keptRows[at] !== row || stamp > before || stamp <= since) return
        const state = keptStates[at]!
        visit(row, stamp, keptPrices[at]!, state)
        if ((state & absentBit) !== 0) return
        before = stamp - 1
      }
    },
  }
}
