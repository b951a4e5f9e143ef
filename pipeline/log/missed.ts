/** Counts records that readers did not get, by topic, with the age of the last. */

import type { Missed } from './log.ts'

export interface MissedCount {
  add(topic: string, records: number): void
  told(): Missed
}

/** @param now monotonic ms */
export function createMissedCount(now: () => number = () => performance.now()): MissedCount {
  const counts = new Map<string, number>()
  let last: { readonly topic: string; readonly at: number } | null = null
  return {
    add(topic, records) {
      counts.set(topic, (counts.get(topic) ?? 0) + records)
      last = { topic, at: now() }
    },
    told: () => ({ counts, last: last && { topic: last.topic, agoMs: now() - last.at } }),
  }
}
