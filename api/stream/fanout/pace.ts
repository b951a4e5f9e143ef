/**
 * The pace of ticks. Each tick costs a system call for every socket, so ticks become longer while the process is
 * busy, up to a limit.
 */

import type { Timer, Timers } from '../timeline/timers.ts'

/** Time between ticks. */
const leastTickMs = 10
const longestTickMs = 30
/** If this much for each socket comes to more, that is the limit instead. */
const longestTickMsPerClient = 0.01
/** Load above which ticks grow, and below which they shrink. */
const busy = 0.95
const idle = 0.88
const tickGrowth = 1.1
/** Weight of the newest tick in the load. */
const loadWeight = 0.1
/** Time between ticks without clients. */
const quietTickMs = 100

export interface Pace {
  /** Makes the next tick due now. Call it when the first client comes. */
  hurry(): void
  stop(): void
}

/** Starts ticking. */
export function startTicks(timers: Timers, tick: () => void, clientCount: () => number): Pace {
  /** Time of the next tick (monotonic ms). */
  let dueAt = timers.now()
  let tickMs = leastTickMs
  /** Share of time that the loop was busy, averaged over the last ticks. */
  let load = 0
  let timer: Timer | undefined

  function loop() {
    tick()
    load += loadWeight * (timers.utilization() - load)
    if (load > busy) tickMs *= tickGrowth
    else if (load < idle) tickMs /= tickGrowth
    const count = clientCount()
    const longest = Math.max(longestTickMs, longestTickMsPerClient * count)
    tickMs = Math.max(leastTickMs, Math.min(longest, tickMs))
    schedule(count > 0 ? tickMs : quietTickMs)
  }

  function schedule(ms: number) {
    const now = timers.now()
    // At least 1 ms, so that other work of the loop can run in between.
    dueAt = Math.max(now, Math.min(dueAt, now) + ms)
    timer = timers.later(Math.max(1, Math.floor(dueAt - now)), loop)
  }

  schedule(leastTickMs)
  return {
    hurry() {
      timers.cancel(timer)
      schedule(0)
    },
    stop: () => timers.cancel(timer),
  }
}
