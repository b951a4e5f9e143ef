import { expect, it } from 'vitest'
import { compareSlate } from './compare-slate.ts'

it('closing lines of a slate follow from the whole log, to the last reason', () => {
  const { bare, forgotten, rowCount } = compareSlate(303, 100, false)
  expect(bare).toBe(0)
  expect(forgotten).toBeLessThan(rowCount / 100)
})
