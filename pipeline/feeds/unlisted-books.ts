/** The sportsbooks outside the reference list that a feed has named since the start. */

import { findSportsbook, idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'

/**
 * The most unlisted sportsbooks. Each costs memory for good (its number in the views, and a counter
 * at each level of the counts). On a common line, all prices are compared with each other: 500 took
 * 0.8 s and 31 MB on three markets of one game, 2,000 took 7.2 s and 385 MB. Operators push only a
 * few names of their own.
 */
export const maxUnlistedBooks = 500

export function createUnlistedBooks() {
  const admitted = new Set<string>()

  /** Returns whether the sportsbook is listed or was admitted. */
  const has = (name: string) =>
    findSportsbook(name) !== undefined || admitted.has(idOfSportsbook(name))

  return {
    has,
    /** Returns whether the sportsbook is listed, was named before, or is one of the first `maxUnlistedBooks`. */
    admit(name: string): boolean {
      if (has(name)) return true
      if (admitted.size >= maxUnlistedBooks) return false
      admitted.add(idOfSportsbook(name))
      return true
    },
  }
}
