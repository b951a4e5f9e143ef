import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flipSelectionType } from '../../schemas/event.ts'

describe('exchanging home and away', () => {
  it.each([
    ['home', 'away'],
    ['home_over', 'away_over'],
    ['home_draw', 'away_draw'],
    ['draw_home', 'draw_away'],
    ['home_r1', 'away_r1'],
    ['2_1', '1_2'],
    ['10_0', '0_10'],
  ])('turns %s into %s and back', (one, other) => {
    expect(flipSelectionType(one)).toBe(other)
    expect(flipSelectionType(other)).toBe(one)
  })

  it.each(['draw', 'over', 'under', 'yes', 'home_away', '1_1', 'homestead', 'other', '2_1_0'])(
    'leaves %s',
    (type) => expect(flipSelectionType(type)).toBe(type),
  )

  it('twice is nothing', () => {
    const word = fc.constantFrom('home', 'away', 'draw', 'over', 'yes', 'r1', '2', '10', 'other')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const type = words.join('_')
        expect([type, flipSelectionType(flipSelectionType(type))]).toEqual([type, type])
      }),
      { numRuns: 2_000 },
    )
  })
})
