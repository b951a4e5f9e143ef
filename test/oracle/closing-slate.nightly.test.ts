import { describe, expect, it } from 'vitest'
import { compareSlate } from './compare-slate.ts'

describe('closing lines of a slate of 500 games, with restarts', () => {
  it('follow from the whole log: one close or one reason each, none after the start', () => {
    const { counts, rowCount, bare, forgotten } = compareSlate(7, 500, true)
    expect(forgotten).toBeLessThan(rowCount / 1_000)
    // Games that one sportsbook alone calls live before their start begin by the clock, without prices on the board.
    expect(bare).toBeLessThan(rowCount / 500)
    for (const reason of [
      'close',
      'withdrawn',
      'suspended',
      'never_priced',
      'late_listing',
      'postponed',
      'start_corrected',
    ]) {
      expect([reason, counts.get(reason) ?? 0]).toEqual([reason, expect.any(Number)])
      expect(counts.get(reason) ?? 0, reason).toBeGreaterThan(20)
    }
  })

  it('do so to the last reason if prices arrive after their sportsbook called the game off', () => {
    const { bare, forgotten, rowCount } = compareSlate(190161049, 100, false)
    expect(bare).toBe(0)
    expect(forgotten).toBeLessThan(rowCount / 100)
  })
})
