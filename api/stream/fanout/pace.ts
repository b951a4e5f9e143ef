/**
 * The rate of ticks. A tick costs a system call a socket, however little there is to say: a process
 * without time to spare takes longer ones, until some is left or the longest is reached.
 */

import type { Timer, Timers } from '../timeline/timers.ts'

/** Time from a tick to the next. */
const leastTickMs = 10
const longestTickMs = 30
/** The longest is this much for each socket, where that is more. */
const longestTickMsPerClient = 0.01
/** Load above which ticks grow, and below which they shrink. */
const busy = 0.95
const idle = 0.88
const tickGrowth = 1.1
/** What the newest tick counts in the load. */
const loadWeight = 0.1
/** While there are no clients. */
const quietTickMs = 100

export interface Pace {
  /** Makes the next tick due now: the first client has come, and until then ticks were long. */
  hurry(): void
  stop(): void
}

/** Ticks from now on. */
export function startTicks(timers: Timers, tick: () => void, clientCount: () => number): Pace {
  /** When the next tick is due. */
  let dueAt = timers.now()
  let tickMs = leastTickMs
  /** Share of its time the process has had something to do, over the last ticks. */
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
    // What else there is to do has its turn between two timers, however short the time.
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
