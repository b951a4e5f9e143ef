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

  it.each(['correct_score', '1st_half_correct_score', '1st_set_correct_score', 'set_betting'])(
    'turns the scores of %s',
    (market) => {
      expect(flipSelectionType('2_1', market)).toBe('1_2')
      expect(flipSelectionType('10_0', market)).toBe('0_10')
      expect(flipSelectionType('1_1', market)).toBe('1_1')
    },
  )

  it.each(['goals_range', 'total_goals_range', 'moneyline', 'round_betting', 'team_to_score'])(
    'leaves the ranges of %s',
    (market) => expect(flipSelectionType('2_3', market)).toBe('2_3'),
  )

  it.each(['constructor', 'toString', '__proto__', 'home_constructor'])(
    'takes %s, a name that every object has, for a word',
    (type) => {
      expect(flipSelectionType(type, 'moneyline')).toBe(type.replace('home', 'away'))
    },
  )

  it('leaves a line that is no handicap', () => {
    expect(flipLine('draw', 20, 'race_to')).toBe(20)
    expect(flipLine('draw', 10, 'total_corners')).toBe(10)
  })

  it("negates the line of a draw, which is seen from home, and no side's own", () => {
    expect(flipLine('draw', -1, 'point_spread')).toBe(1)
    expect(flipLine('draw', -1, 'moneyline_3-way')).toBe(1)
    expect(flipLine('draw', 0, 'point_spread')).toBe(0)
    expect(flipLine('home', -1.5, 'point_spread')).toBe(-1.5)
    expect(flipLine('draw', null, 'point_spread')).toBeNull()
  })

  it('twice is nothing', () => {
    const word = fc.constantFrom('home', 'away', 'draw', 'over', 'yes', 'r1', '2', '10', 'other')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const type = words.join('_')
        const twice = flipSelectionType(flipSelectionType(type, 'correct_score'), 'correct_score')
        expect([type, twice]).toEqual([type, type])
      }),
      { numRuns: 2_000 },
    )
  })
})
