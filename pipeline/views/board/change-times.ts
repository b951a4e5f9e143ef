/**
 * When each row last changed, so that "what has changed since" needs no look at what has not. The
 * newest changes are kept in the order they came; further back, `stamps` is gone through. Instants
 * are the view's own **stamps**: epoch µs, each given once, never going back.
 */

import { invariant } from '../../invariant.ts'
import { bisect } from '../../memory/bisect.ts'
import { grown } from '../../memory/grown.ts'

export interface ChangeTimes {
  /**
   * `stamp` is above every one before.
   * @param isWhole whether the row came, or what names its bet changed: not only what moves
   */
  touch(row: number, stamp: number, isWhole: boolean): void
  /** The row is gone. */
  drop(row: number): void
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
  /** By row number: its stamp, 0 for rows that are not there or have never changed. Good until the next change. */
  readonly stamps: Float64Array
  /** By row number: when it last changed as a whole. Good until the next change. */
  readonly wholeStamps: Float64Array
}

/** @param kept so many changes are kept in order, a power of two */
export function createChangeTimes(kept = 0x10000): ChangeTimes {
  let stamps = new Float64Array(1_024)
  let wholeStamps = new Float64Array(1_024)
  const keptRows = new Int32Array(kept)
  const keptStamps = new Float64Array(kept)
  /** Changes so far; each is kept at its number modulo `kept`. */
  let count = 0

  const place = (number: number) => number & (kept - 1)

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
    touch(row, stamp, isWhole) {
      if (row >= stamps.length) {
        const length = Math.max(2 * stamps.length, row + 1)
        stamps = grown(stamps, length)
        wholeStamps = grown(wholeStamps, length)
      }
      stamps[row] = stamp
      if (isWhole) wholeStamps[row] = stamp
      const at = place(count++)
      keptRows[at] = row
      keptStamps[at] = stamp
    },
    drop(row) {
      if (row < stamps.length) stamps[row] = 0
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
  }
}
