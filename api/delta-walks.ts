/**
 * Answers of `/odds/delta` that are read in several pages by offset. What changed is a moving list: a
 * row that changes again between two pages moves to its end, and the ones behind it close up. So the
 * list of a first page is remembered for a while, and the later pages are taken from it.
 */

import type { ChangedRow } from '../pipeline/views/odds-delta.ts'

export interface DeltaWalk {
  readonly changed: readonly ChangedRow[]
  /** What a client that has read all of it may go on from (epoch µs). */
  readonly completeTo: number
  readonly startedAt: number
}

export interface DeltaWalks {
  start(key: string, walk: DeltaWalk): void
  find(key: string, now: number): DeltaWalk | undefined
}

const keptMs = 60_000
const mostWalks = 500

export function createDeltaWalks(): DeltaWalks {
  const walks = new Map<string, DeltaWalk>()
  return {
    start(key, walk) {
      walks.delete(key)
      walks.set(key, walk)
      if (walks.size > mostWalks) walks.delete(walks.keys().next().value!)
    },
    find(key, now) {
      const walk = walks.get(key)
      return walk && now - walk.startedAt < keptMs ? walk : undefined
    },
  }
}
