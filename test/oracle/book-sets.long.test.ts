/** The opportunities among chosen sportsbooks, compared with a recomputation from the whole board. */

import { expect, it } from 'vitest'
import { testSeed } from '../seed.ts'
import { playBookSets } from './watched-book-sets.ts'

it('finds among twenty sets of sportsbooks the opportunities of the slow computation', () => {
  const { differences, seen, opened } = playBookSets(testSeed, 20, 4)
  expect(differences.slice(0, 20)).toEqual([])
  expect(opened).toBe(20)
  for (const kind of ['ev', 'low_hold', 'hidden low_hold']) {
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0)
  }
})
