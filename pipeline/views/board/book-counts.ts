/**
 * How many rows there are, by sportsbook, live state and main line, at every level a filter can name without
 * naming events: totals of a page without looking at rows.
 */

import { allMainBits } from './main-line-bits.ts'

/** The counts of one level. */
export interface Level {
  readonly name: string
  /** Rows, of whatever sportsbook. */
  rows: number
  /**
   * `perBook` counters a sportsbook, those of rows before the start and in play in turn: of all rows, then of those
   * with each bit of main lines.
   */
  counts: Int32Array
  /** When a row last came, went, or came to be counted elsewhere, by a number that never goes back. */
  movedAt: number
}

/** What a row is counted by. */
export interface Counted {
  readonly book: number
  readonly isLive: boolean
  /** Bits: see `main-line-bits.ts`. */
  readonly mains: number
}

export interface BookCounts {
  /** The level of a name, for a row about to be counted: a level is forgotten with its last row. */
  level(name: string): Level
  add(levels: readonly Level[], row: Counted, by: 1 | -1): void
  /** A counted row is counted elsewhere from now on. */
  move(levels: readonly Level[], from: Counted, to: Counted): void
  /**
   * Rows at one level.
   * @param books allowed sportsbooks by number, each once; undefined for all
   * @param live undefined for both
   * @param main one bit of main lines: only rows that have it
   */
  total(
    name: string,
    books: readonly number[] | undefined,
    live: boolean | undefined,
    main?: number,
  ): number
  /** Changes whenever a row comes to be counted at one of these levels, or is no longer. */
  movedAt(names: readonly string[]): number
}

const perBook = 2 * (1 + Math.log2(allMainBits + 1))

/** How many rows of a sportsbook a level has. */
export const rowsOf = ({ counts }: Level, book: number) =>
  counts[perBook * book]! + counts[perBook * book + 1]!

export function createBookCounts(): BookCounts {
  const levels = new Map<string, Level>()
  let moves = 0
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
        level = { name, rows: 0, counts: new Int32Array(8 * perBook), movedAt: 0 }
        levels.set(name, level)
      }
      return level
    },
    add(counted, row, by) {
      moves++
      for (const level of counted) {
        if (perBook * (row.book + 1) > level.counts.length) {
          const longer = new Int32Array(perBook * (row.book + 8))
          longer.set(level.counts)
          level.counts = longer
        }
        count(level, row, by)
        level.rows += by
        level.movedAt = moves
        if (level.rows > 0) continue
        levels.delete(level.name)
        forgottenAt = moves
      }
    },
    move(counted, from, to) {
      moves++
      for (const level of counted) {
        count(level, from, -1)
        count(level, to, 1)
        level.movedAt = moves
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
    movedAt(names) {
      let newest = forgottenAt
      for (const name of names) newest = Math.max(newest, levels.get(name)?.movedAt ?? 0)
      return newest
    },
  }
}
