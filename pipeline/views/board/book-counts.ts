/**
 * How many rows there are, by sportsbook and live state, at every level a filter can name without
 * naming events: totals of a page without looking at rows.
 */

/** The counts of one level. */
export interface Level {
  readonly name: string
  /** Rows, of whatever sportsbook. */
  rows: number
  /** Two counters a sportsbook: pre-match, live. */
  counts: Int32Array
}

export interface BookCounts {
  /** The level of a name, for a row about to be counted: a level is forgotten with its last row. */
  level(name: string): Level
  add(levels: readonly Level[], book: number, isLive: boolean, by: 1 | -1): void
  /** A counted row becomes live, or is no longer. */
  flip(levels: readonly Level[], book: number, isLive: boolean): void
  /**
   * Rows at one level.
   * @param books allowed sportsbooks by number, each once; undefined for all
   * @param live undefined for both
   */
  total(name: string, books: readonly number[] | undefined, live: boolean | undefined): number
}

export function createBookCounts(): BookCounts {
  const levels = new Map<string, Level>()

  return {
    level(name) {
      let level = levels.get(name)
      if (!level) {
        level = { name, rows: 0, counts: new Int32Array(16) }
        levels.set(name, level)
      }
      return level
    },
    add(counted, book, isLive, by) {
      const at = 2 * book + (isLive ? 1 : 0)
      for (const level of counted) {
        if (at >= level.counts.length) {
          const longer = new Int32Array(2 * (book + 1) + 16)
          longer.set(level.counts)
          level.counts = longer
        }
        level.counts[at]! += by
        level.rows += by
        if (level.rows === 0) levels.delete(level.name)
      }
    },
    flip(counted, book, isLive) {
      // Both counters have been reached by `add`'s growth, which goes by sportsbook.
      const [from, to] = isLive ? [2 * book, 2 * book + 1] : [2 * book + 1, 2 * book]
      for (const { counts } of counted) {
        counts[from]! -= 1
        counts[to]! += 1
      }
    },
    total(name, books, live) {
      const level = levels.get(name)
      if (!level) return 0
      const { counts } = level
      let sum = 0
      const first = live === true ? 1 : 0
      const step = live === undefined ? 1 : 2
      if (books === undefined) {
        for (let at = first; at < counts.length; at += step) sum += counts[at]!
        return sum
      }
      for (const book of books) {
        if (live !== true) sum += counts[2 * book] ?? 0
        if (live !== false) sum += counts[2 * book + 1] ?? 0
      }
      return sum
    },
  }
}
