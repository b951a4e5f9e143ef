/**
 * Lists of `/odds/delta` that clients read in several pages by offset. The list of changes moves: a row that
 * changes again between two pages moves to the end, and those behind it move up. So the list of a first page
 * is stored for a while, and later pages are cut from it.
 *
 * Clients with the same query share a list, because nothing distinguishes them. If two of them read a first page and
 * get different lists, both lists are forgotten: nobody could tell whose later page is asked for.
 */

import type { ChangedRow } from '../../pipeline/views/query/odds-delta.ts'

export interface DeltaWalk {
  readonly changed: readonly ChangedRow[]
  readonly total: number
  /** Where a client that has read the whole list continues (epoch µs). */
  readonly completeTo: number
  /** Position where it continues; null if there is none. */
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
/** Most changes that offset and limit can reach. */
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
