/** Which opportunities take which rows of the board. */

import { grown } from '../../memory/grown.ts'
import { createLinkedSlots, noSlot } from '../../memory/linked-slots.ts'
import type { TakenRows } from './priced.ts'

export function createRowUsers<User>() {
  let heads = new Int32Array(0)
  let slots = createLinkedSlots(1_024, () => {})
  let users: (User | undefined)[] = []

  function addTo(row: number, user: User, places: number[]) {
    if (row >= heads.length) {
      const { length } = heads
      heads = grown(heads, Math.max(1_024, 2 * length, row + 1))
      heads.fill(noSlot, length)
    }
    const slot = slots.take(heads[row]!)
    heads[row] = slot
    users[slot] = user
    places.push(slot)
  }

  function removeFrom(row: number, slot: number) {
    heads[row] = slots.free(slot, heads[row]!)
    users[slot] = undefined
  }

  return {
    /** @param places gets where it stands */
    add({ legs, reference, others }: TakenRows, user: User, places: number[]) {
      for (const row of legs) addTo(row, user, places)
      for (const row of reference) addTo(row, user, places)
      for (const row of others) if (row >= 0) addTo(row, user, places)
    },
    /** @param places as `add` gave them; they are emptied */
    remove({ legs, reference, others }: TakenRows, places: number[]) {
      let place = 0
      for (const row of legs) removeFrom(row, places[place++]!)
      for (const row of reference) removeFrom(row, places[place++]!)
      for (const row of others) if (row >= 0) removeFrom(row, places[place++]!)
      places.length = 0
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
