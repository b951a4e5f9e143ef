import { describe, expect, test } from 'vitest'
import { selectionLabel } from '../../../../pipeline/rules/odds/selections.ts'

const sides = { frameHome: 'Leeds United', frameAway: 'Brentford' }

describe('the label of a selection', () => {
  test.each([
    ['home', 'moneyline', null, null, 'Leeds United'],
    ['over', 'total_goals', 'Over 2.5', null, 'Over'],
    ['under', 'total_points', 'U 220.5', null, 'Under'],
    ['yes', 'both_teams_to_score', 'Both Teams To Score - Yes', null, 'Yes'],
    ['over', 'player_points', 'Ana Novak O 22.5', null, 'Ana Novak O 22.5'],
    ['yes', 'game_prop', 'Overtime: Yes', null, 'Overtime: Yes'],
    ['over', 'total_throw_ins_of_a_kind', 'Corner throws Over', null, 'Corner throws Over'],
    ['over', 'player_points', null, 'Ana Novak', 'Ana Novak Over'],
    ['home_draw', 'double_chance', null, null, 'Leeds United or Draw'],
    ['home_draw', 'halftime_fulltime', null, null, 'Leeds United / Draw'],
    ['other', 'how_won', 'By a whisker', null, 'By a whisker'],
  ] as const)('%s of %s follows from its type', (type, market, stated, player, label) => {
    expect(selectionLabel(type, market, stated, player, sides)).toBe(label)
  })

  test.each([
    ['constructor', 'Constructor'],
    ['constructor_over', 'Constructor Over'],
    ['home_constructor', 'Leeds United Constructor'],
    ['valueOf', 'ValueOf'],
    ['hasOwnProperty', 'HasOwnProperty'],
  ])('%s, a name that every object has, is a word like any other', (type, label) => {
    expect(selectionLabel(type, 'how_won', null, null, sides)).toBe(label)
    expect(selectionLabel(type, 'how_won', 'Lbl', null, sides)).toBe('Lbl')
  })
})
