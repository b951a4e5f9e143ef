/** The shares of a group's members: nothing moves without need, and all have about equally many. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dealShares, type Member } from '../../../../pipeline/log/kafka/shares.ts'

const partitions = (count: number) => Array.from({ length: count }, (_, index) => String(index))

/** Plays a group over time: a new member holds nothing, an old one reports its last shares. */
function createGroup(takes: readonly string[]) {
  let dealt = new Map<string, readonly string[]>()
  return {
    dealt: () => dealt,
    /** Deals among `ids`; new members hold nothing. */
    settle(ids: readonly string[]) {
      const members = ids.map((id): Member => {
        return { id, takes, holds: dealt.get(id) ?? [], silentMs: 0 }
      })
      dealt = dealShares(members)
      return dealt
    },
  }
}

const counts = (dealt: ReadonlyMap<string, readonly string[]>) =>
  [...dealt.values()].map((shares) => shares.length)

describe('shares of a group', () => {
  test('are held by one each, evenly, and a member that comes or goes moves only its own', () => {
    const steps = fc.array(fc.subarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1 }), {
      minLength: 2,
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), steps, (count, lives) => {
        const group = createGroup(partitions(count))
        let before = group.settle(lives[0]!)
        for (const ids of lives.slice(1)) {
          const after = group.settle(ids)
          expect([...after.values()].flat().sort()).toEqual(partitions(count).sort())
          expect(Math.max(...counts(after)) - Math.min(...counts(after))).toBeLessThanOrEqual(1)
          // A member loses only what it has above its part.
          const most = Math.ceil(count / ids.length)
          const least = Math.floor(count / ids.length)
          for (const id of ids) {
            const held = before.get(id) ?? []
            const kept = held.filter((share) => after.get(id)!.includes(share)).length
            expect(kept).toBeGreaterThanOrEqual(Math.min(held.length, least))
            if (held.length > most) expect(kept).toBe(after.get(id)!.length)
            // A member that gains a share loses none.
            if (after.get(id)!.length > kept) expect(kept).toBe(held.length)
          }
          before = after
        }
      }),
    )
  })

  test('go back to a member that was restarted, and nobody else’s move', () => {
    const group = createGroup(partitions(8))
    group.settle(['a'])
    group.settle(['a', 'b'])
    const [ofA, ofB] = ['a', 'b'].map((id) => [...group.dealt().get(id)!])
    group.settle(['a'])
    const again = group.settle(['a', 'b again'])
    expect([...again.get('a')!].sort()).toEqual(ofA!.sort())
    expect([...again.get('b again')!].sort()).toEqual(ofB!.sort())
  })

  test('stay with the answered one of two that claim the same', () => {
    const takes = partitions(2)
    const dealt = dealShares([
      { id: 'woken', takes, holds: ['0', '1'], silentMs: 15_000 },
      { id: 'present', takes, holds: ['1', '0'], silentMs: 200 },
    ])
    expect(dealt.get('present')).toEqual(['1'])
    expect(dealt.get('woken')).toEqual(['0'])
  })

  test('do not go back to a member that was taken for dead, until it has rested', () => {
    const takes = partitions(4)
    const present = { id: 'present', takes, holds: takes, silentMs: 100 }
    const returning = { id: 'returning', takes, holds: ['2', '3'], silentMs: 9_000 }
    const shares = (isResting: boolean) => dealShares([present, { ...returning, isResting }])
    expect(shares(true).get('returning')).toEqual([])
    expect(shares(true).get('present')).toEqual(takes)
    expect(shares(false).get('returning')).toEqual(['3', '2'])
  })

  test('go to a resting member if no other can take them', () => {
    const takes = partitions(2)
    const resting = { id: 'resting', takes, holds: [], silentMs: 0, isResting: true }
    const other = { id: 'other', takes: ['0'], holds: [], silentMs: 0 }
    const dealt = dealShares([resting, other])
    expect(dealt.get('other')).toEqual(['0'])
    expect(dealt.get('resting')).toEqual(['1'])
  })

  test('go only to those who can take them', () => {
    const dealt = dealShares([
      { id: 'old', takes: ['clock', 'kambi'], holds: ['clock', 'kambi'], silentMs: 0 },
      { id: 'new', takes: ['clock', 'kambi', 'novig', 'gone'], holds: ['left out'], silentMs: 0 },
    ])
    expect(dealt.get('old')).toEqual(['clock', 'kambi'])
    expect(dealt.get('new')).toEqual(['novig', 'gone'])
  })

  describe('by traffic', () => {
    const members = (holds: Readonly<Record<string, readonly string[]>>, takes = partitions(8)) =>
      Object.entries(holds).map(([id, held]): Member => ({ id, takes, holds: held, silentMs: 0 }))
    const traffic = (...costs: readonly number[]) =>
      new Map(costs.map((cost, share) => [String(share), cost]))
    const loads = (
      dealt: ReadonlyMap<string, readonly string[]>,
      costs: ReadonlyMap<string, number>,
    ) => [...dealt.values()].map((shares) => loadOf(shares, costs))

    test('part two busy leagues that one member holds', () => {
      const costs = traffic(400, 300, 20, 20, 20, 20, 20, 20)
      const dealt = dealShares(members({ a: ['0', '1', '2', '3'], b: ['4', '5', '6', '7'] }), costs)
      expect(loads(dealt, costs)).toEqual([460, 360])
      // One exchange: the busiest of all stays where it is.
      expect(dealt.get('a')).toEqual(['0', '2', '3', '7'])
      expect(dealt.get('b')).toEqual(['4', '5', '6', '1'])
    })

    test('move nothing if that would gain little', () => {
      const holds = { a: ['0', '1', '2', '3'], b: ['4', '5', '6', '7'] }
      const alike = dealShares(members(holds), traffic(110, 90, 100, 105, 95, 100, 100, 90))
      expect(Object.fromEntries(alike)).toEqual(holds)
      // Nothing helps where one share has nearly all of it.
      const one = dealShares(members(holds), traffic(900, 10, 10, 10, 10, 10, 10, 10))
      expect(Object.fromEntries(one)).toEqual(holds)
    })

    test('stay away from a member that rests', () => {
      const [busy, resting] = members({ a: partitions(8), b: [] })
      const dealt = dealShares(
        [busy!, { ...resting!, isResting: true }],
        traffic(400, 300, 20, 20, 20, 20, 20, 20),
      )
      expect(dealt.get('b')).toEqual([])
    })

    test('are held by one each, as evenly in number as without, stay when dealt again, and no move is left that gains much', () => {
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 16 }),
          fc.integer({ min: 1, max: 5 }),
          (list, memberCount) => {
            const costs = traffic(...list)
            const takes = partitions(list.length)
            const ids = ['a', 'b', 'c', 'd', 'e'].slice(0, memberCount)
            const dealt = dealShares(
              members(Object.fromEntries(ids.map((id) => [id, []])), takes),
              costs,
            )
            expect([...dealt.values()].flat().sort()).toEqual([...takes].sort())
            expect(Math.max(...counts(dealt)) - Math.min(...counts(dealt))).toBeLessThanOrEqual(1)
            expect(dealShares(members(Object.fromEntries(dealt), takes), costs)).toEqual(dealt)
            const average = list.reduce((sum, cost) => sum + cost, 0) / memberCount
            for (const from of dealt.values()) {
              for (const to of dealt.values()) {
                const gap = loadOf(from, costs) - loadOf(to, costs)
                for (const share of from) {
                  for (const back of to) {
                    const moved = costs.get(share)! - costs.get(back)!
                    expect(gap - Math.abs(gap - 2 * moved)).toBeLessThan(
                      Math.max(0.2 * average, 1e-9),
                    )
                  }
                }
              }
            }
          },
        ),
      )
    })
  })
})

const loadOf = (shares: readonly string[], costs: ReadonlyMap<string, number>) =>
  shares.reduce((sum, share) => sum + costs.get(share)!, 0)
