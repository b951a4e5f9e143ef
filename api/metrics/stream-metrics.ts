/** Measures the wait of prices between the board and stream sockets, and counts streams that the service ends. */

import { Counter, type Registry } from 'prom-client'
import { createHistogram } from '../../pipeline/metrics/histogram.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { StreamWatcher } from '../stream/delivery/stream-watcher.ts'
import type { RecentDelays } from './recent-delays.ts'

/** One of this many changes is measured. */
const sampledEvery = 8

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/**
 * @param recent also takes each wait
 * @param clock epoch ms: the clock that stamps changes of the board
 */
export function createStreamMetrics(
  registry: Registry,
  recent: Pick<RecentDelays, 'add'>,
  board: Pick<BoardView, 'rows' | 'journal'>,
  clock: () => number,
): StreamWatcher {
  const wait = createHistogram(registry, {
    name: 'overround_price_wire_wait_seconds',
    help: 'Wait of a price from the board to the sockets of streams; of one change in eight.',
    label: 'sportsbook',
    bounds,
  })
  const ended = new Counter({
    name: 'overround_streams_ended_total',
    help: 'Streams that the service ended, by reason; backpressure: the reader was too slow.',
    labelNames: ['reason'],
    registers: [registry],
  })
  let skip = 0
  return {
    delivered(rows) {
      const now = clock()
      const { journal, rows: table } = board
      for (; skip < rows.length; skip += sampledEvery) {
        const row = rows[skip]!
        const { sportsbook } = table.sighted(row)
        // Stamps are in µs.
        const waitedMs = now - journal.stamp(row) / 1_000
        wait.observe(sportsbook, waitedMs / 1_000)
        recent.add(sportsbook, waitedMs, now)
      }
      skip -= rows.length
    },
    ended: (reason) => ended.inc({ reason }),
  }
}
