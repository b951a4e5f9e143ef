/** Feeds views from the log, so that all of them are at the same position. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Chunk, Log } from '../pipeline/log/log.ts'
import type { View } from '../pipeline/views/view.ts'
import type { Topic } from '../schemas/topics.ts'

export interface Follower {
  /** Resolves when the views have read the log as it was at the start. */
  readonly ready: Promise<void>
  readonly isReady: () => boolean
  /** Returns how often the views were emptied to be read anew. What was read before belongs to other views. */
  readonly resetCount: () => number
  /** Takes the next chunk of the log. */
  take(chunk: Chunk): void
  /** Advances the time of all views to the clock's. */
  advance(): void
  /** Resolves once `holds` returns true, now or after a later chunk. */
  until(holds: () => boolean): Promise<void>
  /** Follows the log until `signal` aborts. Rejects if the log does. */
  follow(signal: AbortSignal): Promise<void>
}

/** How often time advances without records. */
const advanceEveryMs = 100
/**
 * Time for records before requests and streams run: at least `takingMs`, and `followerShare` times
 * the length of the last turn of requests and streams, so that busy clients cannot delay the views.
 */
const takingMs = 5
const followerShare = 3

export function createFollower(
  log: Pick<Log, 'follow'>,
  views: readonly View[],
  clock: () => number,
): Follower {
  let isReady = false
  let resetCount = 0
  let isFollowing = false
  let isDoingDeferred = false
  let waiting: { readonly holds: () => boolean; resolve(): void }[] = []

  function until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((resolve) => {
      waiting.push({ holds, resolve })
    })
  }

  function resolveWaiting() {
    const reached = waiting.filter(({ holds }) => holds())
    if (reached.length === 0) return
    waiting = waiting.filter((one) => !reached.includes(one))
    for (const { resolve } of reached) resolve()
  }

  function take({ reset, records, position, caughtUp }: Chunk) {
    const now = clock()
    if (reset) {
      // Not ready until the views are complete again, because incomplete ones must not be served.
      isReady = false
      resetCount++
      for (const view of views) view.reset(now)
    }
    for (const view of views) view.apply(records, position, now)
    if (caughtUp && !isReady) {
      isReady = true
      for (const view of views) view.caughtUp?.(now)
    }
    if (waiting.length > 0) resolveWaiting()
  }

  function advance() {
    const now = clock()
    for (const view of views) view.advance?.(now)
    if (isReady && isFollowing && !isDoingDeferred) void doDeferred()
  }

  /** Runs the views' postponed work, in turns with requests and the log. */
  async function doDeferred() {
    isDoingDeferred = true
    try {
      // One step of every view per turn.
      while (isReady && isFollowing && views.filter((view) => view.doDeferred?.()).length > 0) {
        await nextTurn()
      }
    } finally {
      isDoingDeferred = false
    }
  }

  return {
    ready: until(() => isReady),
    isReady: () => isReady,
    resetCount: () => resetCount,
    take,
    advance,
    until,
    async follow(signal) {
      const timer = setInterval(advance, advanceEveryMs)
      let since = performance.now()
      let turnMs = takingMs
      isFollowing = true
      try {
        for await (const chunk of log.follow(tablesOf(views), { signal })) {
          take(chunk)
          const until = performance.now()
          if (until - since < turnMs) continue
          await nextTurn()
          since = performance.now()
          turnMs = Math.max(takingMs, followerShare * (since - until))
        }
      } finally {
        clearInterval(timer)
        isFollowing = false
        for (const view of views) view.ended?.()
      }
    },
  }
}

/** Returns each table once, in the order of the views. */
function tablesOf(views: readonly View[]): Topic[] {
  return [...new Set(views.flatMap(({ tables }) => tables))]
}
