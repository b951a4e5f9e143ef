/** Measures by sportsbook how old prices are when the boards take them, from their observation by a feed. */

import type { Registry } from 'prom-client'
import { createHistogram } from '../../pipeline/metrics/histogram.ts'
import type { View } from '../../pipeline/views/view.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { topics } from '../../schemas/topics.ts'
import type { RecentDelays } from './recent-delays.ts'

/** One of this many prices is measured: the boards take hundreds of thousands a second. */
const sampledEvery = 8

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** @param clock epoch ms @param recent also takes each delay */
export function createLatencyView(
  registry: Registry,
  recent: Pick<RecentDelays, 'add'>,
  clock: () => number,
): View {
  const latency = createHistogram(registry, {
    name: 'overround_price_latency_seconds',
    help: 'Age of a price when the board takes it, from its observation by a feed; of one in eight.',
    label: 'sportsbook',
    bounds,
  })
  const ahead = createHistogram(registry, {
    name: 'overround_price_clock_ahead_seconds',
    help: 'How far observation times of prices are ahead of the clock of this process: if any are, a clock is wrong.',
    label: 'sportsbook',
    bounds,
  })
  let isCaughtUp = false
  let skip = 0
  return {
    // It reads the boards' records. Tables of its own would change the order in which boards read theirs.
    tables: [],
    reset() {
      isCaughtUp = false
    },
    caughtUp() {
      isCaughtUp = true
    },
    apply(records) {
      // The age of replayed prices does not measure this process.
      if (!isCaughtUp) return
      const now = clock()
      for (; skip < records.length; skip += sampledEvery) {
        const { topic, value } = records[skip]!
        if (topic.name !== topics.odds.name || value === null) continue
        const { sportsbook, observedAt } = value as OddsRow
        latency.observe(sportsbook, (now - observedAt) / 1_000)
        recent.add(sportsbook, now - observedAt, now)
        if (observedAt > now) ahead.observe(sportsbook, (observedAt - now) / 1_000)
      }
      skip -= records.length
    },
  }
}
