import { describe, expect, it } from 'vitest'
import type { EventBlock } from '../../../../pipeline/views/board/board-view.ts'
import { createRemovals, removalsKeptMicros } from '../../../../pipeline/views/board/removals.ts'

const block = {} as EventBlock
const removal = (stamp: number) => ({ stamp, id: stamp, book: 0, block })
const stampsAfter = (removals: ReturnType<typeof createRemovals>, since: number) =>
  [...removals.after(since)].map(({ stamp }) => stamp)

describe('removals', () => {
  it('are all there after the reach, whatever has been forgotten meanwhile', () => {
    const removals = createRemovals()
    const stamps: number[] = []
    const step = removalsKeptMicros / 20_000
    for (let i = 1; i <= 70_000; i++) {
      const stamp = i * step
      removals.add(removal(stamp))
      stamps.push(stamp)
      if (i % 3 === 0) removals.expire(stamp)
      if (i % 997 !== 0) continue
      const { reach } = removals
      expect(reach).toBeLessThanOrEqual(Math.max(0, stamp - removalsKeptMicros))
      expect(stampsAfter(removals, reach)).toEqual(stamps.filter((each) => each > reach))
      expect(stampsAfter(removals, stamp - 3 * step)).toEqual(stamps.slice(-3))
      expect(stampsAfter(removals, stamp)).toEqual([])
    }
  })

  it('reach back less far when there are very many', () => {
    const removals = createRemovals()
    const most = 200_000
    for (let stamp = 1; stamp <= most; stamp++) removals.add(removal(stamp))
    expect(removals.reach).toBe(0)
    for (let stamp = most + 1; stamp <= most + 9_000; stamp++) removals.add(removal(stamp))
    expect(removals.reach).toBe(9_000)
    const left = stampsAfter(removals, 9_000)
    expect([left.length, left[0]]).toEqual([most, 9_001])
  })

  it('reach back ten minutes, whether or not anything went', () => {
    const removals = createRemovals()
    removals.expire(3 * removalsKeptMicros)
    expect(removals.reach).toBe(2 * removalsKeptMicros)
    removals.expire(removalsKeptMicros)
    expect(removals.reach).toBe(2 * removalsKeptMicros)
  })

  it('reach back to now when everything has gone at once', () => {
    const removals = createRemovals()
    removals.add(removal(5))
    removals.clear(9)
    expect(removals.reach).toBe(9)
    expect(stampsAfter(removals, 0)).toEqual([])
    removals.add(removal(10))
    expect(stampsAfter(removals, 9)).toEqual([10])
  })
})
