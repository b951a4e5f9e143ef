/**
 * When each row last changed, so that "what has changed since" needs no look at what has not. Rows
 * hang in lists by the second of their last change, oldest first; a row that changes again moves to
 * the end. Instants are the view's own **stamps**: epoch µs, each given once, never going back.
 */

/** Rows of one second, a list through `next` and `previous`. */
interface Second {
  readonly second: number
  head: number
  tail: number
  count: number
}

export interface ChangeTimes {
  /** `stamp` is above every one before. */
  touch(row: number, stamp: number): void
  /** The row is gone. */
  drop(row: number): void
  stamp(row: number): number
  /** Rows changed after `since`, oldest change first; touching rows meanwhile is not allowed. */
  after(since: number): Iterable<number>
  /** How many rows have changed since the second of `since` began. */
  countSince(since: number): number
  /** By row number: its stamp, 0 for rows that are not there or have never changed. Good until the next change. */
  readonly stamps: Float64Array
  /** Seconds kept, with rows or without. */
  readonly heldSeconds: number
}

const none = -1
const secondMicros = 1_000_000

export function createChangeTimes(): ChangeTimes {
  let stamps = new Float64Array(1_024)
  let next = new Int32Array(1_024)
  let previous = new Int32Array(1_024)
  /** Ascending; emptied ones are left out when their turn comes to be copied. */
  let seconds: Second[] = []
  let emptied = 0
  const bySecond = new Map<number, Second>()

  function grow(row: number) {
    const capacity = Math.max(2 * stamps.length, row + 1)
    const longerStamps = new Float64Array(capacity)
    longerStamps.set(stamps)
    stamps = longerStamps
    const longerNext = new Int32Array(capacity)
    longerNext.set(next)
    next = longerNext
    const longerPrevious = new Int32Array(capacity)
    longerPrevious.set(previous)
    previous = longerPrevious
  }

  function unlink(row: number) {
    const second = bySecond.get(Math.floor(stamps[row]! / secondMicros))!
    const [before, after] = [previous[row]!, next[row]!]
    if (before === none) second.head = after
    else next[before] = after
    if (after === none) second.tail = before
    else previous[after] = before
    stamps[row] = 0
    second.count--
    // The newest may fill again; `touch` forgets it when it has not.
    if (second.head === none && second !== seconds.at(-1)) forget(second)
  }

  function forget({ second }: Second) {
    bySecond.delete(second)
    emptied++
    if (emptied > 1_024 && 2 * emptied > seconds.length) {
      seconds = seconds.filter((kept) => bySecond.has(kept.second))
      emptied = 0
    }
  }

  /** Position of the first second that is not over at `since`. */
  function firstAt(since: number): number {
    const from = Math.floor(since / secondMicros)
    let low = 0
    let high = seconds.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (seconds[middle]!.second < from) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    touch(row, stamp) {
      if (row >= stamps.length) grow(row)
      if (stamps[row]! > 0) unlink(row)
      const at = Math.floor(stamp / secondMicros)
      let second = seconds.at(-1)
      if (!second || second.second !== at) {
        if (second?.head === none) forget(second)
        second = { second: at, head: none, tail: none, count: 0 }
        seconds.push(second)
        bySecond.set(at, second)
      }
      stamps[row] = stamp
      next[row] = none
      previous[row] = second.tail
      if (second.tail === none) second.head = row
      else next[second.tail] = row
      second.tail = row
      second.count++
    },
    drop(row) {
      if (stamps[row]! > 0) unlink(row)
    },
    stamp: (row) => stamps[row]!,
    get heldSeconds() {
      return seconds.length
    },
    get stamps() {
      return stamps
    },
    countSince(since) {
      let count = 0
      for (let i = firstAt(since); i < seconds.length; i++) count += seconds[i]!.count
      return count
    },
    *after(since) {
      for (let i = firstAt(since); i < seconds.length; i++) {
        for (let row = seconds[i]!.head; row !== none; row = next[row]!) {
          if (stamps[row]! > since) yield row
        }
      }
    },
  }
}
