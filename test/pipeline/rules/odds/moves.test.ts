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
    createSteamJudge({ windowMs, leastSportsbooks: 1, leastMove, since: 0 }).take('a', [move]) !==
    null
  expect([counts(0.175), counts(0.1751)]).toEqual([true, false])
})

const selections = ['a', 'b', 'c']
/** Moves before this time do not count for a judge that begins here. */
const since = 2_000_000

describe('steam', () => {
  it.each([2, 3, 4])(
    'at %i sportsbooks is reported once for each movement, when it becomes one',
    (n) => {
      const random = createRandom(testSeed + n)
      const bounds = { windowMs, leastSportsbooks: n, leastMove: 0.01 }
      const judges = [0, since].map((since) => createSteamJudge<number>({ ...bounds, since }))
      const reported: string[][] = judges.map(() => [])
      // They keep more than a judge looks at: they may be shared.
      const windows = createMoveWindows<Move<number>>()
      const prices = new Map<number, number>()
      const changes: PriceChange[] = []
      for (let id = 0; id < 6 * selections.length; id++) changes.push(change(id, 0, 2, 0))
      let at = 1
      for (let i = 0; i < 1_800; i++) {
        at += Math.floor(
          random.between(0, 1) < 0.1 ? random.between(0, 70_000) : random.between(0, 9_000),
        )
        const id = Math.floor(random.between(0, 6 * selections.length))
        const before = prices.get(id) ?? 2
        // Every move shortens, so all have one direction.
        const price = before * random.between(0.9, 0.9999)
        prices.set(id, price)
        changes.push(change(id, at, price, priceChange.price))
        const size = Math.abs(moveSize(before, price))
        if (size < 0.001) continue
        const move = { at, sportsbook: bookOf(id), size, of: i }
        const recent = windows.add(selectionOf(id), move, 3 * windowMs)
        for (const [j, judge] of judges.entries()) {
          const movement = judge.take(selectionOf(id), recent)
          if (movement) reported[j]!.push(`${selectionOf(id)} ${movement.beganAt}`)
        }
      }
      const of = { books: n, windowMs, leastMove: 0.01, from: 0, to: Number.POSITIVE_INFINITY }
      const expected = (from: number) =>
        slowMovements(
          changes.map((one) => (one.at < from ? { ...one, what: 0 } : one)),
          of,
        ).map(({ beganAt, moves: [first] }) => `${selectionOf(first!.oddsId)} ${beganAt}`)
      expect(reported.map((some) => some.sort())).toEqual(
        [0, since].map((from) => expected(from).sort()),
      )
      expect(reported[0]!.length).toBeGreaterThan(reported[1]!.length)
      expect(reported[1]!.length).toBeGreaterThan(5)
    },
  )
})

const selectionOf = (id: number) => selections[id % selections.length]!
const bookOf = (id: number) => `book${Math.floor(id / selections.length)}`

const change = (id: number, at: number, price: number, what: number) =>
  ({
    ...{ oddsId: id, eventId: 'e', at, price, what },
    of: {
      ...{ sportsbook: bookOf(id), marketType: 'moneyline', selectionType: 'home' },
      ...{ selection: selectionOf(id), line: null, playerName: null },
    },
  }) as unknown as PriceChange

describe('a drop', () => {
  it('is from the highest price in the window, and one while windows overlap', () => {
    const random = createRandom(testSeed)
    const judge = createDropJudge({ windowMs, leastDrop: 0.05, since })
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
      const recent = windows.add('a', { at, before, price }, 3 * windowMs)
      if (at < since) continue
      const inWindow = seen.filter((one) => one.at >= Math.max(since, at - windowMs))
      const part = 1 - price / Math.max(...inWindow.map((one) => one.before))
      const drop = judge.take('a', recent)
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
