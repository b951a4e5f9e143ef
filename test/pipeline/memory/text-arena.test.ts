import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextArena, type Extent } from '../../../pipeline/memory/text-arena.ts'

describe('the text arena', () => {
  it('gives extents that are long enough and never overlap, however they are freed', () => {
    const step = fc.oneof(
      fc.record({ bytes: fc.integer({ min: 1, max: 40_000 }) }),
      fc.record({ free: fc.nat() }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const arena = createTextArena()
        const held: { extent: Extent; mark: number; bytes: number }[] = []
        let mark = 0
        for (const { bytes, free } of steps as { bytes?: number; free?: number }[]) {
          if (bytes !== undefined) {
            const extent = arena.allocate(bytes)
            expect(extent.capacity).toBeGreaterThanOrEqual(bytes)
            mark = (mark + 1) % 256
            extent.chunk.fill(mark, extent.start, extent.start + extent.capacity)
            held.push({ extent, mark, bytes })
          } else if (held.length > 0) {
            const [taken] = held.splice(free! % held.length, 1)
            arena.free(taken!.extent)
          }
        }
        for (const { extent, mark: own } of held) {
          const { chunk, start, capacity } = extent
          expect(chunk.subarray(start, start + capacity).every((byte) => byte === own)).toBe(true)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('serves a request from freed space instead of growing', () => {
    const arena = createTextArena()
    const extents = Array.from({ length: 50_000 }, () => arena.allocate(1_000))
    const held = arena.heldBytes
    for (const extent of extents) arena.free(extent)
    for (let i = 0; i < 50_000; i++) arena.allocate(1_000)
    expect(arena.heldBytes).toBe(held)
  })

  it('gives one long run its own chunk', () => {
    const arena = createTextArena()
    const { chunk, start, capacity } = arena.allocate(40 * 1024 * 1024)
    expect(start + 40 * 1024 * 1024).toBeLessThanOrEqual(chunk.length)
    expect(capacity).toBeLessThan(1.3 * 40 * 1024 * 1024)
  })
})
