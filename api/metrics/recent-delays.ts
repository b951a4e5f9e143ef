/**
 * Quantiles of the last minute by sportsbook: for a person who looks now, while histograms of Prometheus
 * count from the start. Delays are counted in buckets a tenth wide, so a quantile is at most a tenth too high.
 */

export interface RecentDelays {
  /** @param ms below 0 counts as 0 @param at epoch ms */
  add(sportsbook: string, ms: number, at: number): void
  /** By sportsbook, of the last 50 to 60 seconds; one without any is left out. @param at epoch ms */
  quantiles(at: number): ReadonlyMap<string, DelayQuantiles>
}

export interface DelayQuantiles {
  readonly count: number
  /** Each in ms: as many are not longer. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export const windowMs = 60_000
const sliceMs = 10_000
const sliceCount = windowMs / sliceMs

/** The first bucket ends here (ms), and each further one so many times higher; the last has all above. */
const leastMs = 0.1
const growth = 1.1
const bucketCount = 172

/** Beyond these all others are counted together: names are what feeds make of them. */
const mostSportsbooks = 500
const others = 'others'

interface Slices {
  /** Of each slice, which it is since 1970; the oldest gives its place to the next. */
  readonly numbers: Float64Array
  /** Of one slice after the other. */
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
        const count = sums.reduce((sum, of) => sum + of, 0)
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

/** By bucket, of the slices that the window has. @param newest the number of the slice there is now */
function sumOf({ numbers, counts }: Slices, newest: number): Float64Array {
  const sums = new Float64Array(bucketCount)
  for (const [place, number] of numbers.entries()) {
    if (number <= newest - sliceCount || number > newest) continue
    for (let i = 0; i < bucketCount; i++) sums[i]! += counts[place * bucketCount + i]!
  }
  return sums
}

/** The end of the bucket that has the `rank`-th delay. */
function quantileOf(sums: Float64Array, rank: number): number {
  let below = 0
  let bucket = 0
  while (bucket < bucketCount - 1 && below + sums[bucket]! < rank) below += sums[bucket++]!
  return leastMs * growth ** bucket
}
