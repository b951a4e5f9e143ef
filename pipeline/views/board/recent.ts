/** Remembers recent events of one kind for ten minutes, oldest first, up to a limited number. */

import { bisect } from '../../memory/bisect.ts'

/** How long a happening is kept (epoch µs; interface 8). */
export const recentMicros = 600_000_000

/** The most that are kept; if there are more, the memory goes back less far. */
const mostKept = 200_000

export interface Recent<Happened extends { readonly stamp: number }> {
  /** Adds one whose `stamp` (epoch µs, see `stamps.ts`) is not below any before. */
  add(happened: Happened): void
  /** Drops those older than the memory's span at `now` (epoch µs). */
  expire(now: number): void
  /** Empties the memory: nothing up to `stamp` is known. */
  clear(stamp: number): void
  /** The memory has everything after this stamp. */
  readonly reach: number
  /** Returns the happenings after `since`, oldest first. */
  after(since: number): Iterable<Happened>
}

export function createRecent<Happened extends { readonly stamp: number }>(): Recent<Happened> {
  let kept: Happened[] = []
  let head = 0
  let reach = 0

  function forgetFirst() {
    reach = kept[head]!.stamp
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
    },
    get reach() {
      return reach
    },
    *after(since) {
      const first = bisect(head, kept.length, (at) => kept[at]!.stamp <= since)
      for (let at = first; at < kept.length; at++) yield kept[at]!
    },
  }
}
