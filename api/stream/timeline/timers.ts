/** The timers of the streams: the only place that measures durations and waits. Tests control them. */

/** From `later`, for `cancel`. */
export type Timer = NodeJS.Timeout | number

export interface Timers {
  /** Monotonic ms. */
  now(): number
  /** Runs once, after `ms`. */
  later(ms: number, run: () => void): Timer
  cancel(timer: Timer | undefined): void
  /** Runs once, after other pending work of the loop. */
  soon(run: () => void): void
  /** Returns the busy share of the loop since the last call, 0 to 1. */
  utilization(): number
}

export function createTimers(): Timers {
  let used = performance.eventLoopUtilization()
  return {
    now: () => performance.now(),
    later: (ms, run) => setTimeout(run, ms),
    cancel: (timer) => clearTimeout(timer),
    soon(run) {
      setImmediate(run)
    },
    utilization() {
      const before = used
      used = performance.eventLoopUtilization()
      return performance.eventLoopUtilization(used, before).utilization
    },
  }
}
