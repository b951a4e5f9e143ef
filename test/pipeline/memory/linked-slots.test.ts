import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLinkedSlots, noSlot } from '../../../pipeline/memory/linked-slots.ts'

const lists = 3

test('lists of slots hold what was added and not removed, newest first', () => {
  const operation = fc.record({
    list: fc.nat({ max: lists - 1 }),
    /** Index from the front of the member to remove; undefined to add one. */
    goes: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      let capacity = 2
      const slots = createLinkedSlots(capacity, (grown) => {
        expect(grown).toBeGreaterThan(capacity)
        capacity = grown
      })
      const heads = Array<number>(lists).fill(noSlot)
      const expected: number[][] = heads.map(() => [])
      for (const { list, goes } of operations) {
        const members = expected[list]!
        if (goes === undefined) {
          const slot = slots.take(heads[list]!)
          expect(slot).toBeLessThan(capacity)
          heads[list] = slot
          members.unshift(slot)
        } else if (members.length > 0) {
          const [slot] = members.splice(goes % members.length, 1)
          heads[list] = slots.free(slot!, heads[list]!)
        }
      }
      for (const [list, head] of heads.entries()) {
        const found: number[] = []
        for (let slot = head; slot !== noSlot; slot = slots.next(slot)) found.push(slot)
        expect(found).toEqual(expected[list])
      }
      const all = expected.flat()
      expect(new Set(all).size).toBe(all.length)
      expect(slots.size).toBe(all.length)
    }),
  )
})
