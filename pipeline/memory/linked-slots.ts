/**
 * Slots of a table in columns: numbers from 0 up, which are reused when free. Each slot is in one
 * doubly linked list, whose owner keeps the head. Two columns, no object per slot.
 */

import { grown } from './grown.ts'

/** No slot: an empty list, or the end of one. */
export const noSlot = -1

export interface LinkedSlots {
  /**
   * Puts a free slot in front of the list that begins with `head`. Returns it; it is the new head.
   */
  take(head: number): number
  /** Frees the slot. @returns the head of its list afterwards */
  free(slot: number, head: number): number
  /** Returns the slot after this one in its list, or `noSlot`. */
  next(slot: number): number
  /** Slots in use. */
  readonly size: number
}

/** @param onGrow called with the new capacity before a slot beyond the last one is used */
export function createLinkedSlots(
  capacityAtFirst: number,
  onGrow: (capacity: number) => void,
): LinkedSlots {
  let capacity = capacityAtFirst
  let nexts = new Int32Array(capacity)
  let previous = new Int32Array(capacity)
  let used = 0
  let size = 0
  let firstFree = noSlot

  function grow() {
    capacity *= 2
    nexts = grown(nexts, capacity)
    previous = grown(previous, capacity)
    onGrow(capacity)
  }

  return {
    take(head) {
      let slot = firstFree
      if (slot !== noSlot) firstFree = nexts[slot]!
      else {
        if (used === capacity) grow()
        slot = used++
      }
      size++
      nexts[slot] = head
      previous[slot] = noSlot
      if (head !== noSlot) previous[head] = slot
      return slot
    },
    free(slot, head) {
      const before = previous[slot]!
      const after = nexts[slot]!
      if (before !== noSlot) nexts[before] = after
      if (after !== noSlot) previous[after] = before
      nexts[slot] = firstFree
      firstFree = slot
      size--
      return before === noSlot ? after : head
    },
    next: (slot) => nexts[slot]!,
    get size() {
      return size
    },
  }
}
