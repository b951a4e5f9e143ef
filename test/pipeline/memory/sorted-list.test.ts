import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSortedList } from '../../../pipeline/memory/sorted-list.ts'

const numbers = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 3_000 })

it('has what was added and not removed, in order, in pieces that are not empty', () => {
  fc.assert(
    fc.property(numbers, numbers, numbers, (first, out, later) => {
      const list = createSortedList<number>((a, b) => a - b)
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
      expect(list.pieces.flat()).toEqual([...kept].sort((a, b) => a - b))
      expect(list.size).toBe(kept.size)
      expect(list.pieces.every(({ length }) => length > 0 && length <= 512)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

it('is empty again', () => {
  const list = createSortedList<number>((a, b) => a - b)
  for (const one of [2, 1, 3]) list.add(one)
  list.clear()
  expect([list.size, list.pieces]).toEqual([0, []])
})
