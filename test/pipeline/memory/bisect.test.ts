import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bisect } from '../../../pipeline/memory/bisect.ts'

test('finds the place of a value among ordered ones, like a linear scan', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 })),
      fc.integer({ max: 32 }),
      (some, value) => {
        const sorted = Int32Array.from(some).sort()
        const walked = sorted.findIndex((other) => other >= value)
        expect(bisect(0, sorted.length, (at) => sorted[at]! < value)).toBe(
          walked < 0 ? sorted.length : walked,
        )
      },
    ),
  )
})

test('looks at no index outside its bounds', () => {
  const looked: number[] = []
  expect(
    bisect(3, 6, (at) => {
      looked.push(at)
      return true
    }),
  ).toBe(6)
  expect(looked.every((at) => at >= 3 && at < 6)).toBe(true)
  expect(bisect(4, 4, () => expect.unreachable())).toBe(4)
})
