/**
 * A map from odds ids to row numbers, in typed arrays: no object per entry, so a million entries
 * cost 32 to 64 MB and nothing to the garbage collector.
 */

export interface IdIndex {
  /** Returns the row of the id, or -1. */
  find(id: number): number
  /** Adds an id, which must not exist yet. */
  insert(id: number, row: number): void
  /** Removes an id, which must exist. */
  remove(id: number): void
}

/** A power of two: room for half as many ids before it grows. */
const firstSlots = 2048

export function createIdIndex(): IdIndex {
  // Open addressing with linear probing, at most half full; an entry is an id and the row + 1, 0 is free. They are
  // adjacent: when an id is read, its row is in the processor's cache.
  let slots = firstSlots
  let mask = slots - 1
  let entries = new Float64Array(2 * slots)
  let size = 0

  // Ids are hashes reduced modulo 9e14, so their low 32 bits are spread well enough to be masked.
  const home = (id: number) => (id ^ (id / 0x1_0000_0000)) & mask

  /** Returns the place of the id among the entries, or the free one for it. */
  function placeOf(id: number): number {
    let slot = home(id)
    while (entries[2 * slot + 1] !== 0 && entries[2 * slot] !== id) slot = (slot + 1) & mask
    return 2 * slot
  }

  function put(id: number, row: number) {
    const at = placeOf(id)
    entries[at] = id
    entries[at + 1] = row + 1
  }

  function grow() {
    const before = entries
    slots *= 2
    mask = slots - 1
    entries = new Float64Array(2 * slots)
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] !== 0) put(before[at]!, before[at + 1]! - 1)
    }
  }

  return {
    find: (id) => entries[placeOf(id) + 1]! - 1,
    insert(id, row) {
      if (2 * (size + 1) > slots) grow()
      put(id, row)
      size++
    },
    remove(id) {
      let hole = placeOf(id) / 2
      // Backward-shift deletion: probe runs stay whole without tombstones.
      for (let slot = (hole + 1) & mask; entries[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
        const wanted = home(entries[2 * slot]!)
        if (((slot - wanted) & mask) >= ((slot - hole) & mask)) {
          entries.copyWithin(2 * hole, 2 * slot, 2 * slot + 2)
          hole = slot
        }
      }
      entries[2 * hole + 1] = 0
      size--
    },
  }
}
