/** What happened lately, oldest first: ten minutes of it, as far as that is not too much. */

import { bisect } from '../../memory/bisect.ts'

/** How long it is remembered (epoch µs; interface 8). */
export const recentMicros = 600_000_000

/** Most that is kept; beyond it the memory reaches back less far. */
const mostKept = 200_000

export interface Recent<Happened extends { readonly stamp: number }> {
  /** `stamp`, as `ChangeTimes` counts (epoch µs), is not below any before. */
  add(happened: Happened): void
  /** Forgets what is older than the memory reaches at `now` (epoch µs). */
  expire(now: number): void
  /** Begins anew: what happened up to `stamp` is not known. */
  clear(stamp: number): void
  /** All that happened after this stamp is remembered. */
  readonly reach: number
  /** The stamp of the newest that is not remembered; 0 while all are. */
  readonly forgotten: number
  /** What happened after `since`, oldest first. */
  after(since: number): Iterable<Happened>
}

export function createRecent<Happened extends { readonly stamp: number }>(): Recent<Happened> {
  let kept: Happened[] = []
  let head = 0
  let reach = 0
  let forgotten = 0

  function forgetFirst() {
    reach = kept[head]!.stamp
    forgotten = reach
    head++
    if (head > 4_096 && 2 * head > kept.length) {
      kept = kept.slice(head)
      head = 0
    }
  }

  return {
    add(happened) {
      kept.push(happened)
      if (kept.length - head > mostKept) forgetFirst()
    },
    expire(now) {
      const oldest = now - recentMicros
      while (head < kept.length && kept[head]!.stamp <= oldest) forgetFirst()
      reach = Math.max(reach, oldest)
    },
    clear(stamp) {
      kept = []
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
      const first = bisect(head, kept.length, (at) => kept[at]!.stamp <= since)
      for (let at = first; at < kept.length; at++) yield kept[at]!
    },
  }
}
