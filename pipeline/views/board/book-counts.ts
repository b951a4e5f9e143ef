/**
 * Counts of rows by sportsbook, live state and main line, at every level that a filter can name
 * without naming events. With them, the total of a page needs no look at rows.
 */

import { allMainBits } from './main-line-bits.ts'

/** The counts of one level. */
export interface Level {
  readonly name: string
  /** The number of rows, of all sportsbooks. */
  rows: number
  /**
   * `perBook` counters for each sportsbook. Pregame and in-play counters alternate: first those of
   * all rows, then those of rows with each main line bit.
   */
  counts: Int32Array
  /** A number that grows whenever a row comes or goes. */
  rowsChangedAt: number
  /** A number that grows whenever a row comes, goes or moves to another counter. */
  countsChangedAt: number
}

/** The properties that a row is counted by. */
export interface Counted {
  readonly book: number
  readonly isLive: boolean
  /** Bits, see `main-line-bits.ts`. */
  readonly mains: number
}

export interface BookCounts {
  /** Returns the level of a name, for a row about to be counted: a level is deleted with its last row. */
  level(name: string): Level
  add(levels: readonly Level[], row: Counted, by: 1 | -1): void
  /** Moves a counted row from one counter to another. */
  move(levels: readonly Level[], from: Counted, to: Counted): void
  /**
   * Returns the number of rows at one level.
   * @param books allowed sportsbooks by number, each once; undefined for all
   * @param live undefined for both
   * @param main one main line bit that rows must have
   */
  total(
    name: string,
    books: readonly number[] | undefined,
    live: boolean | undefined,
    main?: number,
  ): number
  /**
   * Returns a number that changes whenever a row comes to one of these levels or leaves it.
   * @param isByState whether it also changes when a row moves to another counter
   */
  changedAt(names: readonly string[], isByState: boolean): number
}

const perBook = 2 * (1 + Math.log2(allMainBits + 1))

/** Returns the number of rows of a sportsbook at a level. */
export const rowsOf = ({ counts }: Level, book: number) =>
  counts[perBook * book]! + counts[perBook * book + 1]!

export function createBookCounts(): BookCounts {
  const levels = new Map<string, Level>()
  let changes = 0
  let forgottenAt = 0

  function count({ counts }: Level, { book, isLive, mains }: Counted, by: 1 | -1) {
    let at = perBook * book + (isLive ? 1 : 0)
    counts[at]! += by
    for (let left = mains; left !== 0; left >>= 1) {
      at += 2
      if ((left & 1) !== 0) counts[at]! += by
    }
  }

  return {
    level(name) {
      let level = levels.get(name)
      if (!level) {
        const counts = new Int32Array(8 * perBook)
        level = { name, rows: 0, counts, rowsChangedAt: 0, countsChangedAt: 0 }
        levels.set(name, level)
      }
      return level
    },
    add(counted, row, by) {
      changes++
      for (const level of counted) {
        if (perBook * (row.book + 1) > level.counts.length) {
          const longer = new Int32Array(perBook * (row.book + 8))
          longer.set(level.counts)
          level.counts = longer
        }
        count(level, row, by)
        level.rows += by
        level.rowsChangedAt = changes
        level.countsChangedAt = changes
        if (level.rows > 0) continue
        levels.delete(level.name)
        forgottenAt = changes
      }
    },
    move(counted, from, to) {
      changes++
      for (const level of counted) {
        count(level, from, -1)
        count(level, to, 1)
        level.countsChangedAt = changes
      }
    },
    total(name, books, live, main) {
      const level = levels.get(name)
      if (!level) return 0
      const { counts } = level
      const first = main === undefined ? 0 : 2 * (1 + Math.log2(main))
      const isBefore = live !== true
      const isLive = live !== false
      let sum = 0
      if (books === undefined) {
        for (let at = first; at < counts.length; at += perBook) {
          if (isBefore) sum += counts[at]!
          if (isLive) sum += counts[at + 1]!
        }
        return sum
      }
      for (const book of books) {
        const at = perBook * book + first
        if (isBefore) sum += counts[at] ?? 0
        if (isLive) sum += counts[at + 1] ?? 0
      }
      return sum
    },
    changedAt(names, isByState) {
      let newest = forgottenAt
      for (const name of names) {
        const level = levels.get(name)
        if (!level) continue
        newest = Math.max(newest, isByState ? level.countsChangedAt : level.rowsChangedAt)
      }
      return newest
    },
  }
}
