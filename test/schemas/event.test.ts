import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flipLine, flipSelectionType } from '../../schemas/event.ts'

describe('exchanging home and away', () => {
  it.each([
    ['home', 'away'],
    ['home_over', 'away_over'],
    ['home_draw', 'away_draw'],
    ['draw_home', 'draw_away'],
    ['home_r1', 'away_r1'],
    ['2_1', '1_2'],
    ['10_0', '0_10'],
    ['home_away', 'away_home'],
  ])('turns %s into %s and back', (one, other) => {
    expect(flipSelectionType(one, 'moneyline')).toBe(other)
    expect(flipSelectionType(other, 'moneyline')).toBe(one)
  })

  it.each(['draw', 'over', 'under', 'yes', '1_1', 'homestead', 'other', '2_1_0'])(
    'leaves %s',
    (type) => expect(flipSelectionType(type, 'moneyline')).toBe(type),
  )

  it.each(['double_chance', '1st_half_double_chance'])(
    'leaves either side winning in %s',
    (market) => {
      expect(flipSelectionType('home_away', market)).toBe('home_away')
      expect(flipSelectionType('home_draw', market)).toBe('away_draw')
    },
  )

  it("negates the line of a draw, which is seen from home, and no side's own", () => {
    expect(flipLine('draw', -1)).toBe(1)
    expect(flipLine('draw', 0)).toBe(0)
    expect(flipLine('home', -1.5)).toBe(-1.5)
    expect(flipLine('draw', null)).toBeNull()
  })

  it('twice is nothing', () => {
    const word = fc.constantFrom('home', 'away', 'draw', 'over', 'yes', 'r1', '2', '10', 'other')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const type = words.join('_')
        const twice = flipSelectionType(flipSelectionType(type, 'moneyline'), 'moneyline')
        expect([type, twice]).toEqual([type, type])
      }),
      { numRuns: 2_000 },
    )
  })
})
