/** Limits the loop's time for compressing streams. Unused time is saved for bursts of snapshots. */

export interface CompressionTime {
  /** Whether some time is left. */
  isLeft(): boolean
  /** Runs the work and counts its time. */
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
