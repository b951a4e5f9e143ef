/**
 * Answers of `/odds/delta` that are read in several pages by offset. What changed is a moving list: a
 * row that changes again between two pages moves to its end, and the ones behind it close up. So the
 * list of a first page is remembered for a while, and the later pages are taken from it.
 *
 * Clients that ask the same share a list, since nobody can tell them apart. When a second first page
 * has another list, later pages are taken from neither.
 */

import type { ChangedRow } from '../../pipeline/views/query/odds-delta.ts'

export interface DeltaWalk {
  readonly changed: readonly ChangedRow[]
  readonly total: number
  /** What a client that has read all of it may go on from (epoch µs). */
  readonly completeTo: number
  /** The position it may go on from, where there is one. */
  readonly position: string | null
}

export interface DeltaWalks {
  start(key: string, walk: DeltaWalk, now: number): void
  find(key: string, now: number): DeltaWalk | undefined
}

interface Kept {
  /** Null after two first pages with different lists. */
  readonly walk: DeltaWalk | null
  readonly startedAt: number
}

const keptMs = 60_000
const mostWalks = 500
/** Changes that an offset and a limit can reach. */
const mostReached = 1_000

export function createDeltaWalks(): DeltaWalks {
  /** Oldest first. */
  const walks = new Map<string, Kept>()

  function forget(now: number) {
    for (const [key, { startedAt }] of walks) {
      if (now - startedAt < keptMs && walks.size <= mostWalks) return
      walks.delete(key)
    }
  }

  return {
    start(key, { changed, ...walk }, now) {
      const before = walks.get(key)
      const isOther = before !== undefined && before.walk?.completeTo !== walk.completeTo
      walks.delete(key)
      const reached = { ...walk, changed: changed.slice(0, mostReached) }
      walks.set(key, { walk: isOther ? null : reached, startedAt: now })
      forget(now)
    },
    find(key, now) {
      const kept = walks.get(key)
      return kept?.walk && now - kept.startedAt < keptMs ? kept.walk : undefined
    },
  }
}
