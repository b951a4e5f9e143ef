import { describe, expect, it } from 'vitest'
import { bend, unbend } from '../../../../pipeline/feeds/simulator/key-margins.ts'
import { resultChances } from '../../../../pipeline/rules/odds/results.ts'

const above = (place: number) => 1 / (1 + Math.exp((1.702 * place) / 13.2))

describe('the scale of margins of football', () => {
  it('has each margin as wide as an even game is likely to end on it', () => {
    const chanceOf = resultChances('point_spread', 'football', 0)!
    for (const margin of [1, 3, 6, 7, 10, 14]) {
      const chance = above(bend(margin - 0.5)) - above(bend(margin + 0.5))
      expect(chance).toBeCloseTo(chanceOf(margin), 6)
    }
  })

  it('rises without a step, is symmetric, and can be inverted', () => {
    for (let margin = -45; margin <= 45; margin += 0.25) {
      expect(bend(margin)).toBeLessThan(bend(margin + 0.25))
      expect(bend(-margin)).toBeCloseTo(-bend(margin), 12)
      expect(unbend(bend(margin))).toBeCloseTo(margin, 9)
    }
  })
})
