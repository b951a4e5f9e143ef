import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSortedList } from '../../../pipeline/memory/sorted-list.ts'

/** Items of one key. */
const widths = fc.constantFrom(1, 7, 1_000)
const numbers = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 3_000 })

it('has what was added and not removed, in order, in pieces that are not empty', () => {
  fc.assert(
    fc.property(widths, numbers, numbers, numbers, (width, first, out, later) => {
      const keyOf = (one: number) => Math.floor(one / width)
      // Those with equal keys are in the opposite order.
      const compareTied = (a: number, b: number) => b - a
      const list = createSortedList(keyOf, compareTied)
      const kept = new Set<number>()
      const add = (one: number) => {
        if (kept.has(one)) return
        kept.add(one)
        list.add(one)
      }
      for (const one of first) add(one)
      for (const one of out) {
        list.remove(one)
        kept.delete(one)
      }
      for (const one of later) add(one)
      for (const one of later) {
        // To a neighbouring place, and to a distant one.
        const by = one + 0.5 + (one % 3) * 500
        if (!kept.has(one) || kept.has(by)) continue
        list.replace(one, by)
        kept.delete(one)
        kept.add(by)
      }
      const compare = (a: number, b: number) => keyOf(a) - keyOf(b) || compareTied(a, b)
      expect(list.pieces.flat()).toEqual([...kept].sort(compare))
      expect(list.size).toBe(kept.size)
      expect(list.pieces.every(({ length }) => length > 0 && length <= 512)).toBe(true)
    }),
    { numRuns: 30 },
  )
})
