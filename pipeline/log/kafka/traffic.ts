/** How many records each partition gets, so that the partitions can be dealt out by traffic. */

import { sleep } from '../../async/abort-signals.ts'
import type { TopicPartition } from './partition-offsets.ts'
import type { Reader } from './reader.ts'

export interface Traffic {
  /** Records per second by partition; null in the first minutes, and while they are too few. */
  now(): ReadonlyMap<string, number> | null
  /** Measures until `signal` aborts. Brokers that do not answer leave a gap. */
  run(signal: AbortSignal): Promise<void>
}

export interface TrafficOptions {
  readonly reader: Pick<Reader, 'offsets'>
  readonly partitions: readonly TopicPartition[]
  /** Monotonic ms. */
  readonly timer?: () => number
}

/** Time between two measurements (ms). */
const everyMs = 60_000
/** Traffic is an average over at least and at most this many measurements. */
const fewest = 3
const most = 15
/**
 * Below this many records per second in all, one pipeline could do all the work (a core does some
 * thousands).
 */
const leastPerSecond = 50

interface Sample {
  /** Monotonic ms. */
  readonly at: number
  /** By partition, the sum over its topics. */
  readonly ends: ReadonlyMap<string, number>
}

export function createTraffic({
  reader,
  partitions,
  timer = () => performance.now(),
}: TrafficOptions): Traffic & { measure(): Promise<void> } {
  let samples: readonly Sample[] = []

  async function measure() {
    const offsets = await reader.offsets(partitions, 'end').catch(() => null)
    if (offsets === null) return
    const ends = new Map<string, number>()
    partitions.forEach(({ partition }, index) => {
      const share = String(partition)
      ends.set(share, (ends.get(share) ?? 0) + (offsets[index] ?? 0))
    })
    samples = [...samples, { at: timer(), ends }].slice(-most)
  }

  return {
    measure,
    now() {
      const [first, last] = [samples[0], samples.at(-1)]
      if (samples.length < fewest || !first || !last) return null
      const seconds = (last.at - first.at) / 1_000
      const rates = new Map(
        [...last.ends].map(([share, end]) => {
          // Topics that were deleted and created again begin at 0.
          return [share, Math.max(0, end - first.ends.get(share)!) / seconds]
        }),
      )
      const total = [...rates.values()].reduce((sum, rate) => sum + rate, 0)
      return total < leastPerSecond ? null : rates
    },
    async run(signal) {
      while (!signal.aborted) {
        await measure()
        await sleep(everyMs, signal)
      }
    },
  }
}
