/**
 * Delay quantiles of the last minute by sportsbook, for the status page; Prometheus histograms count from the start.
 * Each bucket is a tenth wider than the one before, so a quantile is at most a tenth too high.
 */

export interface RecentDelays {
  /** @param ms below 0 counts as 0 @param at epoch ms */
  add(sportsbook: string, ms: number, at: number): void
  /** Quantiles of the last 50 to 60 seconds; sportsbooks without delays are left out. @param at epoch ms */
  quantiles(at: number): ReadonlyMap<string, DelayQuantiles>
}

export interface DelayQuantiles {
  readonly count: number
  /** Delays in ms: the named percentage of delays is at most this long. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export const windowMs = 60_000
const sliceMs = 10_000
const sliceCount = windowMs / sliceMs

/** Upper bound of the first bucket (ms). Each further bound is `growth` times higher; the last bucket is open. */
const leastMs = 0.1
const growth = 1.1
const bucketCount = 172

/** Further sportsbooks are counted together, because names come from feeds. */
const mostSportsbooks = 500
const others = 'others'

interface Slices {
  /** Number of each slice since 1970; a new slice replaces the oldest. */
  readonly numbers: Float64Array
  /** Buckets of all slices, one slice after another. */
  readonly counts: Uint32Array
}

export function createRecentDelays(): RecentDelays {
  const bySportsbook = new Map<string, Slices>()

  function slicesOf(sportsbook: string): Slices {
    const known = bySportsbook.get(sportsbook)
    if (known) return known
    const key = bySportsbook.size < mostSportsbooks ? sportsbook : others
    const made = bySportsbook.get(key) ?? {
      numbers: new Float64Array(sliceCount),
      counts: new Uint32Array(sliceCount * bucketCount),
    }
    bySportsbook.set(key, made)
    return made
  }

  return {
    add(sportsbook, ms, at) {
      const { numbers, counts } = slicesOf(sportsbook)
      const number = Math.floor(at / sliceMs)
      const place = number % sliceCount
      const start = place * bucketCount
      if (numbers[place] !== number) {
        numbers[place] = number
        counts.fill(0, start, start + bucketCount)
      }
      counts[start + bucketOf(ms)]!++
    },
    quantiles(at) {
      const newest = Math.floor(at / sliceMs)
      const found = new Map<string, DelayQuantiles>()
      for (const [sportsbook, slices] of bySportsbook) {
        const sums = sumOf(slices, newest)
        const count = sums.reduce((sum, inBucket) => sum + inBucket, 0)
        if (count === 0) continue
        const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantileOf(sums, share * count))
        found.set(sportsbook, { count, p50: p50!, p95: p95!, p99: p99! })
      }
      return found
    },
  }
}

const bucketOf = (ms: number) =>
  ms <= leastMs
    ? 0
    : Math.min(bucketCount - 1, Math.ceil(Math.log(ms / leastMs) / Math.log(growth)))

/** Sums the buckets of all slices in the window. @param newest number of the current slice */
function sumOf({ numbers, counts }: Slices, newest: number): Float64Array {
  const sums = new Float64Array(bucketCount)
  for (const [place, number] of numbers.entries()) {
    if (number <= newest - sliceCount || number > newest) continue
    for (let i = 0; i < bucketCount; i++) sums[i]! += counts[place * bucketCount + i]!
  }
  return sums
}

/** Returns the upper bound of the bucket with the `rank`-th delay. */
function quantileOf(sums: Float64Array, rank: number): number {
  let below = 0
  let bucket = 0
  while (bucket < bucketCount - 1 && below + sums[bucket]! < rank) below += sums[bucket++]!
  return leastMs * growth ** bucket
}
