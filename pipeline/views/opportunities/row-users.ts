/** An index from rows of the board to the opportunities that use them. */

import { grown } from '../../memory/grown.ts'
import { createLinkedSlots, noSlot } from '../../memory/linked-slots.ts'
import type { TakenRows } from './priced.ts'

export function createRowUsers<User>() {
  let heads = new Int32Array(0)
  let slots = createLinkedSlots(1_024, () => {})
  let users: (User | undefined)[] = []

  function addTo(row: number, user: User): number {
    if (row < 0) return noSlot
    if (row >= heads.length) {
      const { length } = heads
      heads = grown(heads, Math.max(1_024, 2 * length, row + 1))
      heads.fill(noSlot, length)
    }
    const slot = slots.take(heads[row]!)
    heads[row] = slot
    users[slot] = user
    return slot
  }

  function removeFrom(row: number, slot: number) {
    if (row < 0) return
    heads[row] = slots.free(slot, heads[row]!)
    users[slot] = undefined
  }

  return {
    /** @returns the user's place among the users of each row */
    add({ legs, reference, others }: TakenRows, user: User): readonly number[] {
      // Allocated at its exact length: a growing array reserves more room, and there are very many
      // arrays.
      const places = new Array<number>(legs.length + reference.length + others.length)
      let place = 0
      for (const row of legs) places[place++] = addTo(row, user)
      for (const row of reference) places[place++] = addTo(row, user)
      for (const row of others) places[place++] = addTo(row, user)
      return places
    },
    /** @param places as `add` returned them */
    remove({ legs, reference, others }: TakenRows, places: readonly number[]) {
      let place = 0
      for (const row of legs) removeFrom(row, places[place++]!)
      for (const row of reference) removeFrom(row, places[place++]!)
      for (const row of others) removeFrom(row, places[place++]!)
    },
    forEach<With>(row: number, visit: (user: User, by: With) => void, by: With) {
      let slot = row < heads.length ? heads[row]! : noSlot
      for (; slot !== noSlot; slot = slots.next(slot)) visit(users[slot]!, by)
    },
    clear() {
      heads = new Int32Array(0)
      slots = createLinkedSlots(1_024, () => {})
      users = []
    },
  }
}
