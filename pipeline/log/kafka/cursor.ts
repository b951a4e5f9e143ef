/** The position of a reader in each of its partitions. */

import { type PartitionOffset, partitionId } from './partition-offsets.ts'
import type { Fetched } from './reader.ts'

/** Keeps the next offset of each partition. */
export function createCursor(start: readonly PartitionOffset[]) {
  const offsets = new Map(start.map((place) => [partitionId(place), place.offset]))
  return {
    places: (): PartitionOffset[] =>
      start.map((place) => ({ ...place, offset: offsets.get(partitionId(place))! })),
    /** Moves on past `fetched`, and drops responses to requests from another offset. */
    take: (fetched: readonly Fetched[]): Fetched[] =>
      fetched.filter((place) => {
        const key = partitionId(place)
        if (offsets.get(key) !== place.offset || place.next === place.offset) return false
        offsets.set(key, place.next)
        return true
      }),
  }
}
