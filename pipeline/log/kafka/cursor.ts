/** How far a reader has come in each of its partitions. */

import { type Place, placeKey } from './places.ts'
import type { Fetched } from './reader.ts'

/** Keeps the next offset of each partition. */
export function createCursor(start: readonly Place[]) {
  const offsets = new Map(start.map((place) => [placeKey(place), place.offset]))
  return {
    places: (): Place[] =>
      start.map((place) => ({ ...place, offset: offsets.get(placeKey(place))! })),
    /** Moves on past `fetched`, and leaves out responses to requests from another offset. */
    take: (fetched: readonly Fetched[]): Fetched[] =>
      fetched.filter((place) => {
        const key = placeKey(place)
        if (offsets.get(key) !== place.offset || place.next === place.offset) return false
        offsets.set(key, place.next)
        return true
      }),
  }
}
