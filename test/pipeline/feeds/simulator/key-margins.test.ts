import { describe, expect, it } from 'vitest'
import { bend, unbend } from '../../../../pipeline/feeds/simulator/key-margins.ts'

const above = (place: number) => 1 / (1 + Math.exp((1.702 * place) / 13.2))

describe('the scale of margins of football', () => {
  it('has each margin as wide as the published table says that games end on it', () => {
    // Per cent of games, either side's: supplement 5.8.
    for (const [margin, percent] of [
      [3, 15],
      [6, 5.5],
      [7, 9.2],
      [10, 5.7],
    ] as const) {
      const chance = above(bend(margin - 0.5)) - above(bend(margin + 0.5))
      expect(chance).toBeCloseTo(percent / 200, 6)
    }
  })

  it('goes on without a step, is the same on both sides, and there is a way back', () => {
    for (let margin = -45; margin <= 45; margin += 0.25) {
      expect(bend(margin)).toBeLessThan(bend(margin + 0.25))
      expect(bend(-margin)).toBeCloseTo(-bend(margin), 12)
      expect(unbend(bend(margin))).toBeCloseTo(margin, 9)
    }
  })
})
