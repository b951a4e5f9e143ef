/**
 * The share of the loop's time that compressing for streams may take. Some may be saved up, for when
 * many come at once and are given what there is.
 */

export interface CompressionTime {
  /** Whether there is any left. */
  isLeft(): boolean
  /** Does this, and counts the time it took. */
  spend<Result>(work: () => Result): Result
}

const share = 0.25
const mostSavedMs = 1_000

/** @param now monotonic ms */
export function createCompressionTime(now: () => number): CompressionTime {
  let leftMs = mostSavedMs
  let countedAt = now()
  return {
    isLeft() {
      const at = now()
      leftMs = Math.min(mostSavedMs, leftMs + share * (at - countedAt))
      countedAt = at
      return leftMs > 0
    },
    spend(work) {
      const begun = now()
      const result = work()
      leftMs -= now() - begun
      return result
    },
  }
}
