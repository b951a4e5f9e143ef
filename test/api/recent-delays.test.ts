import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecentDelays } from '../../api/metrics/recent-delays.ts'

const at = Date.parse('2026-11-20T12:00:00.000Z')

describe('recent delays', () => {
  it('are reported as quantiles, at most a tenth too high', () => {
    const some = fc.array(fc.double({ min: 0.2, max: 1e6, noNaN: true }), { minLength: 1 })
    const isTold = fc.property(some, (delays) => {
      const recent = createRecentDelays()
      for (const ms of delays) recent.add('pinnacle', ms, at)
      const sorted = [...delays].sort((a, b) => a - b)
      const { count, ...quantiles } = recent.quantiles(at).get('pinnacle')!
      expect(count).toBe(delays.length)
      for (const [name, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
        ['p99', 0.99],
      ] as const) {
        const exact = sorted[Math.ceil(share * count) - 1]!
        expect(quantiles[name]).toBeGreaterThan(exact * 0.999)
        expect(quantiles[name]).toBeLessThan(exact * 1.101)
      }
    })
    fc.assert(isTold)
  })

  it('are those of the last minute', () => {
    const recent = createRecentDelays()
    recent.add('pinnacle', 1, at)
    recent.add('circa', 1, at + 30_000)
    expect([...recent.quantiles(at + 49_999).keys()]).toEqual(['pinnacle', 'circa'])
    expect([...recent.quantiles(at + 60_000).keys()]).toEqual(['circa'])
    recent.add('pinnacle', 5, at + 60_000)
    expect(recent.quantiles(at + 60_000).get('pinnacle')!.count).toBe(1)
    expect(recent.quantiles(at + 200_000).size).toBe(0)
  })

  it('count values below zero as zero, and values above all as the most', () => {
    const recent = createRecentDelays()
    recent.add('ahead', -5_000, at)
    recent.add('behind', 1e12, at)
    expect(recent.quantiles(at).get('ahead')!.p99).toBe(0.1)
    expect(recent.quantiles(at).get('behind')!.p99).toBeGreaterThan(1e6)
  })

  it('use no more memory for names that feeds make up', () => {
    const recent = createRecentDelays()
    for (let i = 0; i < 2_000; i++) recent.add(`book ${i}`, 1, at)
    expect(recent.quantiles(at).size).toBe(501)
    expect(recent.quantiles(at).get('others')!.count).toBe(1_500)
  })
})
