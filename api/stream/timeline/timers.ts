/**
 * Time as the streams have it: the one place that reads how time passes and that waits. Times of day
 * come from a clock of their own. Tests step both.
 */

/** What `later` gives; `cancel` takes it. */
export type Timer = NodeJS.Timeout | number

export interface Timers {
  /** Milliseconds since some instant; never goes back. */
  now(): number
  /** Runs this once, after so many milliseconds. */
  later(ms: number, run: () => void): Timer
  cancel(timer: Timer | undefined): void
  /** Runs this once whoever else has something to do has had a turn. */
  soon(run: () => void): void
  /** Share of the time that there was something to do, since it was asked last; 0 to 1. */
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
