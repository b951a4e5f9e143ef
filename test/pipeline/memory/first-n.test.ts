import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFirstN } from '../../../pipeline/memory/first-n.ts'

test('keeps the first of any number, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 12 }), (numbers, size) => {
      const first = createFirstN<number>(size, (a, b) => a - b)
      for (const number of numbers) first.add(number)
      const sorted = numbers.toSorted((a, b) => a - b)
      expect(first.sorted()).toEqual(sorted.slice(0, size))
      expect(first.last).toBe(numbers.length < size ? undefined : sorted[size - 1])
    }),
  )
})
