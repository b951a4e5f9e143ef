/** Which rows have gone lately, oldest first: what a client that polls has to take out. */

import { bisect } from '../../memory/bisect.ts'
import type { EventBlock } from './board-view.ts'

export interface Removal {
  /** When it went, as `ChangeTimes` counts (epoch µs). */
  readonly stamp: number
  readonly id: number
  /** The sportsbook's number in the view. */
  readonly book: number
  /** The market it was one of, and with it the event. */
  readonly block: EventBlock
}

/** How long a removal is remembered (interface 8). */
export const removalsKeptMicros = 600_000_000

/** Most removals kept; beyond it the memory reaches back less far. */
const mostRemovals = 200_000

export interface Removals {
  add(removal: Removal): void
  /** Forgets what is older than the memory reaches at `now` (epoch µs). */
  expire(now: number): void
  /** Everything is gone: what went before `stamp` is not known. */
  clear(stamp: number): void
  /** Every removal after this stamp is remembered. */
  readonly reach: number
  /** The stamp of the newest removal that is not remembered; 0 while all are. */
  readonly forgotten: number
  /** Removals after `since`, oldest first. */
  after(since: number): Iterable<Removal>
}

export function createRemovals(): Removals {
  let removals: Removal[] = []
  let head = 0
  let reach = 0
  let forgotten = 0

  function forgetFirst() {
    reach = removals[head]!.stamp
    forgotten = reach
    head++
    if (head > 4_096 && 2 * head > removals.length) {
      removals = removals.slice(head)
      head = 0
    }
  }

  return {
    add(removal) {
      removals.push(removal)
      if (removals.length - head > mostRemovals) forgetFirst()
    },
    expire(now) {
      const oldest = now - removalsKeptMicros
      while (head < removals.length && removals[head]!.stamp <= oldest) forgetFirst()
      reach = Math.max(reach, oldest)
    },
    clear(stamp) {
      removals = []
      head = 0
      reach = stamp
      forgotten = stamp
    },
    get reach() {
      return reach
    },
    get forgotten() {
      return forgotten
    },
    *after(since) {
      const first = bisect(head, removals.length, (at) => removals[at]!.stamp <= since)
      for (let at = first; at < removals.length; at++) yield removals[at]!
    },
  }
}
