/** Steam as it occurs, compared with the movements that the archive's slow search finds in the same moves. */

import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../pipeline/feeds/simulator/random.ts'
import {
  createDropJudge,
  createDropWindows,
  createSteamJudge,
  createSteamWindows,
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
    createSteamJudge({ windowMs, leastSportsbooks: 1, leastMove, since: 0 }).take(
      'a',
      createSteamWindows<number>().add('a', move, windowMs),
    ) !== null
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
      const windows = createSteamWindows<number>()
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
    const windows = createDropWindows()
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

/** Bounds of judges that share the windows of the longest. */
const someBounds = [1_000, 20_000, 60_000].flatMap((windowMs) =>
  [0, 200_000].flatMap((since) => [1, 2, 4].map((n) => ({ windowMs, since, n }))),
)

/** The rule itself, at each change over all moves. `last` begins the last window with enough sportsbooks. */
function slowSteam({ windowMs, since, n }: (typeof someBounds)[number], leastMove: number) {
  const until = new Map<string, number>()
  return (selection: string, all: readonly Move<number>[]) => {
    const { at, size } = all.at(-1)!
    const from = Math.max(since, at - windowMs)
    const counted = all.filter((one) => one.at >= from && one.size >= leastMove)
    const last = counted.findLast(
      (_, i) => new Set(counted.slice(i).map(({ sportsbook }) => sportsbook)).size >= n,
    )
    if (size < leastMove || !last) return null
    const before = until.get(selection)
    until.set(selection, last.at + windowMs)
    const beganAt = counted[0]!.at
    return before !== undefined && beganAt <= before ? null : { beganAt, moves: counted }
  }
}

describe('judges that share what is recent', () => {
  it.each([1, 3, 6])('find what a walk through each window finds (%i)', (draw) => {
    const random = createRandom(testSeed + 100 * draw)
    const steams = someBounds.flatMap((bounds) =>
      [0.01, 0.03].map((leastMove) => ({
        slow: slowSteam(bounds, leastMove),
        judge: createSteamJudge<number>({ ...bounds, leastSportsbooks: bounds.n, leastMove }),
      })),
    )
    const drops = someBounds.map((bounds) => ({
      ...bounds,
      judge: createDropJudge({ ...bounds, leastDrop: 0.01 * bounds.n }),
    }))
    const moves = createSteamWindows<number>()
    const changes = createDropWindows()
    const seenMoves = new Map<string, Move<number>[]>()
    const seenChanges: DropChange[] = []
    let [at, price] = [0, 2]
    const found: unknown[] = []
    const expected: unknown[] = []
    const count = { steam: 0, drops: 0 }
    for (let i = 0; i < 500; i++) {
      const pause = random.between(0, 1) < 0.02 ? 90_000 : random.between(0, 1_500 * draw)
      // Several at once, and sizes that are equal, are among them.
      at += random.between(0, 1) < 0.2 ? 0 : Math.floor(pause)
      const selection = random.pick(['a', 'b'])
      const sportsbook = random.pick(
        random.between(0, 1) < 0.7 ? ['book1'] : ['book2', 'book3', 'book4'],
      )
      const size = 0.005 * Math.ceil(random.between(1, 8))
      const move = { at, sportsbook, size, of: i }
      const seen = [...(seenMoves.get(selection) ?? []), move]
      seenMoves.set(selection, seen)
      const recentMoves = moves.add(selection, move, 60_000)
      expected.push(new Set(recentMoves.moves.map((one) => one.sportsbook)).size)
      found.push(recentMoves.bySportsbook.length)
      for (const { slow, judge } of steams) {
        const movement = slow(selection, seen)
        if (movement) count.steam++
        expected.push(movement)
        found.push(judge.take(selection, recentMoves))
      }

      const before = price
      price = Math.max(1.1, price + 0.05 * Math.round(random.between(-3, 3)))
      seenChanges.push({ at, before, price })
      const recentChanges = changes.add('a', { at, before, price }, 60_000)
      for (const { windowMs, since, n, judge } of drops) {
        const counted = seenChanges.filter((one) => one.at >= Math.max(since, at - windowMs))
        const part = 1 - price / Math.max(0, ...counted.map((one) => one.before))
        const isDrop = part >= 0.01 * n - 1e-9
        if (isDrop) count.drops++
        expected.push(isDrop ? part : undefined)
        found.push(judge.take('a', recentChanges)?.part)
      }
    }
    expect(found).toEqual(expected)
    expect(Math.min(count.steam, count.drops)).toBeGreaterThan(50)
  })

  it('look at few of the moves of a long window', () => {
    let reads = 0
    const count = 20_000
    const windows = createSteamWindows<number>()
    // The second judge counts none of the small moves, which the first one keeps.
    const judges = [0.01, 0.02].map((leastMove) =>
      createSteamJudge<number>({ windowMs: 3_600_000, leastSportsbooks: 2, leastMove, since: 0 }),
    )
    for (let i = 0; i < count; i++) {
      const size = i % 500 === 0 ? 0.03 : 0.02 - (0.005 * i) / count
      const move = {
        at: i,
        get sportsbook() {
          reads++
          return i === count - 1 ? 'book2' : 'book1'
        },
        get size() {
          reads++
          return size
        },
        of: i,
      }
      const recent = windows.add('a', move, 3_600_000)
      for (const judge of judges) judge.take('a', recent)
    }
    // A walk through the window at each move would read each of them count / 2 times.
    expect(reads / count).toBeLessThan(50)
  })

  it('keep of falling prices those that a later one did not exceed, and at most so many', () => {
    const windows = createDropWindows()
    const judge = createDropJudge({ windowMs: 3_600_000, leastDrop: 0.5, since: 0 })
    // The highest of more than can be arguments of a call.
    let recent = windows.add('a', { at: 0, before: 9, price: 3 }, 3_600_000)
    for (let at = 1; at < 150_000; at++) {
      const [before, price] = at % 2 === 1 ? [3, 4] : [4, 3]
      recent = windows.add('a', { at, before, price }, 3_600_000)
    }
    expect(recent.length).toBeLessThanOrEqual(3)
    expect(judge.take('a', recent)?.part).toBeCloseTo(1 - 4 / 9, 12)
    for (let at = 150_000; at < 170_000; at++) {
      recent = windows.add('a', { at, before: 3 - at / 1e6, price: 2 }, 3_600_000)
    }
    expect(recent.length).toBe(10_000)
  })

  it('forget first the selections that moved longest ago where all are too many', () => {
    const windows = createSteamWindows<number>()
    const add = (key: string, at: number) =>
      windows.add(key, { at, sportsbook: 'book', size: 0.01, of: 0 }, 3_600_000)
    let at = 0
    for (const key of ['a', 'b', 'c']) for (let i = 0; i < 5; i++) add(key, at++)
    // The other selections fill all but the room of 'b' and 'c'.
    for (let key = 0; key < 10; key++) {
      const count = key === 0 ? 9_990 : 10_000
      for (let i = 0; i < count; i++) add(`other ${key}`, at++)
    }
    expect([add('b', at).moves.length, add('a', at).moves.length]).toEqual([6, 1])
  })
})
