import { describe, expect, it } from 'vitest'
import { createRecent, type Recent, recentMicros } from '../../../../pipeline/views/board/recent.ts'

interface Removal {
  readonly stamp: number
}

const removal = (stamp: number): Removal => ({ stamp })
const stampsAfter = (removals: Recent<Removal>, since: number) =>
  [...removals.after(since)].map(({ stamp }) => stamp)

describe('the recent past', () => {
  it('is complete after the reach, whatever has been forgotten meanwhile', () => {
    const removals = createRecent<Removal>()
    const stamps: number[] = []
    const step = recentMicros / 20_000
    for (let i = 1; i <= 70_000; i++) {
      const stamp = i * step
      removals.add(removal(stamp))
      stamps.push(stamp)
      if (i % 3 === 0) removals.expire(stamp)
      if (i % 997 !== 0) continue
      const { reach } = removals
      expect(reach).toBeLessThanOrEqual(Math.max(0, stamp - recentMicros))
      expect(stampsAfter(removals, reach)).toEqual(stamps.filter((each) => each > reach))
      expect(stampsAfter(removals, stamp - 3 * step)).toEqual(stamps.slice(-3))
      expect(stampsAfter(removals, stamp)).toEqual([])
    }
  })

  it('reaches back less far when there is very much', () => {
    const removals = createRecent<Removal>()
    const most = 200_000
    for (let stamp = 1; stamp <= most; stamp++) removals.add(removal(stamp))
    expect(removals.reach).toBe(0)
    for (let stamp = most + 1; stamp <= most + 9_000; stamp++) removals.add(removal(stamp))
    expect(removals.reach).toBe(9_000)
    const left = stampsAfter(removals, 9_000)
    expect([left.length, left[0]]).toEqual([most, 9_001])
  })

  it('reaches back ten minutes, whether or not anything happened', () => {
    const removals = createRecent<Removal>()
    removals.expire(3 * recentMicros)
    expect(removals.reach).toBe(2 * recentMicros)
    removals.expire(recentMicros)
    expect(removals.reach).toBe(2 * recentMicros)
  })

  it('reaches back to now after a reset', () => {
    const removals = createRecent<Removal>()
    removals.add(removal(5))
    removals.clear(9)
    expect(removals.reach).toBe(9)
    expect(stampsAfter(removals, 0)).toEqual([])
    removals.add(removal(10))
    expect(stampsAfter(removals, 9)).toEqual([10])
  })
})
