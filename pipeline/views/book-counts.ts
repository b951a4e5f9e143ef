/**
 * How many rows there are, by sportsbook and live state, at every level a filter can name without
 * naming events: totals of a page without looking at rows.
 */

export interface BookCounts {
  add(levels: readonly string[], book: number, isLive: boolean, by: 1 | -1): void
  /**
   * Rows at one level.
   * @param books allowed sportsbooks by number; undefined for all
   * @param live undefined for both
   */
  total(level: string, books: readonly number[] | undefined, live: boolean | undefined): number
}

export function createBookCounts(): BookCounts {
  // Per level two counters a sportsbook: pre-match, live.
  const levels = new Map<string, Int32Array>()

  return {
    add(names, book, isLive, by) {
      const at = 2 * book + (isLive ? 1 : 0)
      for (const name of names) {
        let counts = levels.get(name)
        if (!counts || at >= counts.length) {
          const longer = new Int32Array(Math.max(16, 2 * (book + 1) + 16))
          if (counts) longer.set(counts)
          counts = longer
          levels.set(name, counts)
        }
        counts[at]! += by
      }
    },
    total(level, books, live) {
      const counts = levels.get(level)
      if (!counts) return 0
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
