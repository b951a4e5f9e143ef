/** Steam as it occurs, compared with the movements that the archive's slow search finds in the same moves. */

import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../pipeline/feeds/simulator/random.ts'
import {
  createDropJudge,
  createMoveWindows,
  createSteamJudge,
  type DropChange,
  type Move,
  moveSize,
} from '../../../../pipeline/rules/odds/moves.ts'
import { type PriceChange, priceChange } from '../../../../schemas/price-change.ts'
import { slowMovements } from '../../../api/slow-movements.ts'
import { testSeed } from '../../../seed.ts'

const windowMs = 60_000

it('a move is measured in implied probability, and one of exactly the bound counts', () => {
  expect(moveSize(2, 1.6)).toBeCloseTo(0.125, 12)
  expect(moveSize(1.6, 2)).toBeCloseTo(-0.125, 12)
  // 1/1.25 - 1/1.6 is 0.175, slightly less in binary.
  const move = { at: 0, sportsbook: 'book', size: moveSize(1.6, 1.25), of: 0 }
  const counts = (leastMove: number) =>
    createSteamJudge({ windowMs, leastSportsbooks: 1, leastMove }).take('a', [move]) !== null
  expect([counts(0.175), counts(0.1751)]).toEqual([true, false])
})

describe('steam', () => {
  it.each([2, 3, 4])(
    'at %i sportsbooks is reported once for each movement, when it becomes one',
    (n) => {
      const random = createRandom(testSeed + n)
      const bounds = { windowMs, leastSportsbooks: n, leastMove: 0.01 }
      const judge = createSteamJudge<number>(bounds)
      // It keeps more than the judge looks at: it may be shared.
      const windows = createMoveWindows<Move<number>>()
      const changes: PriceChange[] = []
      const told: number[] = []
      const prices = new Map<number, number>()
      for (let book = 0; book < 6; book++) changes.push(change(book, 0, 2, 0))
      let at = 1
      for (let i = 0; i < 600; i++) {
        at += Math.floor(
          random.between(0, 1) < 0.1 ? random.between(0, 200_000) : random.between(0, 25_000),
        )
        const book = Math.floor(random.between(0, 6))
        const before = prices.get(book) ?? 2
        // Every move shortens, so all have one direction.
        const price = before * random.between(0.9, 0.9999)
        prices.set(book, price)
        changes.push(change(book, at, price, priceChange.price))
        const size = Math.abs(moveSize(before, price))
        const move = { at, sportsbook: `book${book}`, size, of: i }
        const movement = judge.take('a', windows.add('a', move, 3 * windowMs))
        if (movement) told.push(movement.beganAt)
      }
      const of = { books: n, windowMs, leastMove: 0.01, from: 0, to: Number.POSITIVE_INFINITY }
      const expected = slowMovements(changes, of).map(({ beganAt }) => beganAt)
      expect(told).toEqual(expected.sort((a, b) => a - b))
      expect(told.length).toBeGreaterThan(5)
    },
  )
})

const change = (book: number, at: number, price: number, what: number) =>
  ({
    ...{ oddsId: book, eventId: 'e', at, price, what },
    of: {
      ...{ sportsbook: `book${book}`, marketType: 'moneyline', selectionType: 'home' },
      ...{ selection: 'Home', line: null, playerName: null },
    },
  }) as unknown as PriceChange

describe('a drop', () => {
  it('is from the highest price in the window, and one while windows overlap', () => {
    const random = createRandom(testSeed)
    const judge = createDropJudge({ windowMs, leastDrop: 0.05 })
    const windows = createMoveWindows<DropChange>()
    const seen: DropChange[] = []
    let at = 0
    let price = 2
    let hotUntil = -1
    let beganAt = 0
    let drops = 0
    for (let i = 0; i < 800; i++) {
      at += Math.floor(random.between(0, 1) < 0.05 ? 150_000 : random.between(0, 20_000))
      const before = price
      price = Math.max(1.05, before * random.between(0.95, 1.052))
      seen.push({ at, before, price })
      const inWindow = seen.filter((one) => one.at >= at - windowMs)
      const part = 1 - price / Math.max(...inWindow.map((one) => one.before))
      const drop = judge.take('a', windows.add('a', { at, before, price }, 3 * windowMs))
      if (part < 0.05) {
        expect(drop).toBeNull()
        continue
      }
      if (at > hotUntil) {
        beganAt = at
        drops++
      }
      hotUntil = at + windowMs
      expect(drop).toEqual({ part: expect.closeTo(part, 12), beganAt })
    }
    expect(drops).toBeGreaterThan(5)
  })
})
