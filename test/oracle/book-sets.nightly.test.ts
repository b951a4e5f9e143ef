/** The same as `book-sets.long.test.ts`, with a thousand sets. */

import { expect, it } from 'vitest'
import { testSeed } from '../seed.ts'
import { playBookSets } from './watched-book-sets.ts'

it('finds among a thousand sets of sportsbooks the opportunities of the slow computation', () => {
  const { differences, seen, opened } = playBookSets(testSeed, 1_000, 30)
  console.info('a thousand sets:', Object.fromEntries(seen))
  expect(differences.slice(0, 20)).toEqual([])
  expect(opened).toBe(1_000)
  for (const kind of ['ev', 'arbitrage', 'low_hold', 'middle']) {
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0)
    if (kind !== 'ev') expect(seen.get(`hidden ${kind}`) ?? 0, `hidden ${kind}`).toBeGreaterThan(0)
  }
})
