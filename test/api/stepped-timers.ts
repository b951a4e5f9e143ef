/** Timers for tests: time passes only when the test says so. */

import { setImmediate as turn } from 'node:timers/promises'
import type { Timers } from '../../api/stream/timeline/timers.ts'

export interface SteppedTimers extends Timers {
  /**
   * Advances time: runs due timers in order, each at its own time, and the promises they resolve.
   * Work takes no time.
   */
  pass(ms: number): Promise<void>
}

export function createSteppedTimers(): SteppedTimers {
  let now = 1_000
  let made = 0
  let next: (() => void)[] = []
  const waiting = new Map<number, { readonly at: number; readonly run: () => void }>()

  /** Removes and returns the first timer due by a time. */
  function takeDue(until: number): (() => void) | undefined {
    let first: number | undefined
    for (const [id, { at }] of waiting) {
      if (at <= until && (first === undefined || at < waiting.get(first)!.at)) first = id
    }
    if (first === undefined) return undefined
    const { at, run } = waiting.get(first)!
    waiting.delete(first)
    now = at
    return run
  }

  async function runNext() {
    while (next.length > 0) {
      const runs = next
      next = []
      for (const run of runs) run()
      await turn()
    }
  }

  return {
    now: () => now,
    later(ms, run) {
      waiting.set(++made, { at: now + ms, run })
      return made
    },
    cancel(timer) {
      if (typeof timer === 'number') waiting.delete(timer)
    },
    soon(run) {
      next.push(run)
    },
    utilization: () => 0,
    async pass(ms) {
      const until = now + ms
      await runNext()
      for (let run = takeDue(until); run; run = takeDue(until)) {
        run()
        await turn()
        await runNext()
      }
      now = until
    },
  }
}
