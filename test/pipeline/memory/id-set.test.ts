import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createIdSet } from '../../../pipeline/memory/id-set.ts'

it('is a set, whatever is added and taken out', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(40)), { maxLength: 300 }), (acts) => {
      const ids = createIdSet()
      const model = new Set<number>()
      for (const [isAdded, n] of acts) {
        // As far apart as ids are.
        const id = 1 + n * 21_999_999_977
        const was = model.has(id)
        expect(ids.has(id)).toBe(was)
        if (isAdded) {
          expect(ids.add(id)).toBe(!was)
          model.add(id)
        } else expect(ids.delete(id)).toBe(model.delete(id))
        expect(ids.size).toBe(model.size)
      }
    }),
  )
})

it('holds a hundred thousand, and half of them once the others are out', () => {
  const ids = createIdSet()
  const all = Array.from({ length: 100_000 }, (_, n) => 1 + ((n * 7_919_023_757) % 9e14))
  expect(all.every((id) => ids.add(id))).toBe(true)
  for (const [n, id] of all.entries()) if (n % 2 === 1) ids.delete(id)
  expect(ids.size).toBe(50_000)
  expect(all.findIndex((id, n) => ids.has(id) !== (n % 2 === 0))).toBe(-1)
})
