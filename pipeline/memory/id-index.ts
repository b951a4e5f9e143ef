/**
 * A map from odds ids to row numbers, in typed arrays: no object per entry, so a million entries
 * cost 16 to 32 MB and nothing to the garbage collector.
 */

export interface IdIndex {
  /** The row of the id, or -1. */
  find(id: number): number
  /** The id must not be there yet. */
  insert(id: number, row: number): void
  /** The id must be there. */
  remove(id: number): void
}

/** @param firstSlots a power of two: room for half as many ids before it grows */
export function createIdIndex(firstSlots = 2048): IdIndex {
  // Open addressing with linear probing, at most half full; a slot holds the row + 1, 0 is free.
  let slots = firstSlots
  let mask = slots - 1
  let ids = new Float64Array(slots)
  let rows = new Int32Array(slots)
  let size = 0

  // Ids are hashes reduced modulo 9e14, so their low 32 bits are spread well enough to be masked.
  const home = (id: number) => (id ^ (id / 0x1_0000_0000)) & mask

  function slotOf(id: number): number {
    let slot = home(id)
    while (rows[slot] !== 0 && ids[slot] !== id) slot = (slot + 1) & mask
    return slot
  }

  function grow() {
    const [oldIds, oldRows] = [ids, rows]
    slots *= 2
    mask = slots - 1
    ids = new Float64Array(slots)
    rows = new Int32Array(slots)
    for (let i = 0; i < oldRows.length; i++) {
      if (oldRows[i] === 0) continue
      const slot = slotOf(oldIds[i]!)
      ids[slot] = oldIds[i]!
      rows[slot] = oldRows[i]!
    }
  }

  return {
    find: (id) => rows[slotOf(id)]! - 1,
    insert(id, row) {
      if (2 * (size + 1) > slots) grow()
      const slot = slotOf(id)
      ids[slot] = id
      rows[slot] = row + 1
      size++
    },
    remove(id) {
      let hole = slotOf(id)
      // Backward-shift deletion: probe runs stay whole without tombstones.
      for (let slot = (hole + 1) & mask; rows[slot] !== 0; slot = (slot + 1) & mask) {
        const wanted = home(ids[slot]!)
        if (((slot - wanted) & mask) >= ((slot - hole) & mask)) {
          ids[hole] = ids[slot]!
          rows[hole] = rows[slot]!
          hole = slot
        }
      }
      rows[hole] = 0
      size--
    },
  }
}
