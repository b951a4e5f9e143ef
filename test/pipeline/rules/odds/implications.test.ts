import { describe, expect, it } from 'vitest'
import {
  contradicts,
  stricterElsewhere,
  stricterLines,
} from '../../../../pipeline/rules/odds/implications.ts'

describe('stricter answers', () => {
  it.each([
    ['total_goals', 'over', 1],
    ['total_goals', 'under', -1],
    ['player_points', 'over', 1],
    ['team_total', 'home_over', 1],
    ['team_total', 'away_under', -1],
    // By a side's own line: -2.5 is harder than -1.5, +1.5 harder than +2.5.
    ['point_spread', 'home', -1],
    ['run_line', 'away', -1],
    ['point_spread', 'draw', 0],
    ['both_teams_to_score', 'yes', 0],
    ['correct_score', '2_1', 0],
    ['a_market_of_theirs', 'over', 0],
  ] as const)('on the lines of %s, %s: %i', (marketType, selectionType, direction) => {
    expect(stricterLines(marketType, selectionType)).toBe(direction)
  })

  it.each([
    [
      ['anytime_goal_scorer', 'soccer', 'yes', null],
      ['first_goal_scorer yes', 'last_goal_scorer yes'],
    ],
    [
      ['player_goals', 'soccer', 'over', 0.5],
      ['anytime_goal_scorer yes', 'first_goal_scorer yes', 'last_goal_scorer yes'],
    ],
    [
      ['anytime_touchdown_scorer', 'football', 'yes', null],
      ['first_touchdown_scorer yes', 'last_touchdown_scorer yes'],
    ],
    [['draw_no_bet', 'soccer', 'away', null], ['moneyline away']],
    [['draw_no_bet', 'hockey', 'home', null], ['moneyline_3-way home']],
    [['1st_half_draw_no_bet', 'soccer', 'home', null], ['1st_half_moneyline home']],
    // Half a point ahead is the win itself. A quarter gets half its stake back for a draw.
    [['point_spread', 'soccer', 'home', -0.25], ['moneyline home']],
    [['moneyline', 'soccer', 'home', null], ['point_spread home <= -0.5']],
    [['point_spread', 'basketball', 'away', 3.5], ['moneyline away']],
    [['moneyline', 'basketball', 'away', null], ['point_spread away <= 0']],
  ] as const)('of %j are %j', ([marketType, sport, selectionType, line], expected) => {
    const found = stricterElsewhere(marketType, sport, selectionType, line)
    expect(
      found.map((of) =>
        [of.marketType, of.selectionType, ...(of.isNearestBelow ? ['<=', of.line] : [])].join(' '),
      ),
    ).toEqual(expected)
  })

  it.each([
    ['first_goal_scorer', 'soccer', 'yes', null],
    ['anytime_goal_scorer', 'soccer', 'no', null],
    ['player_goals', 'soccer', 'over', 1.5],
    ['player_goals', 'soccer', 'under', 0.5],
    ['point_spread', 'soccer', 'home', -1.5],
    ['moneyline', 'soccer', 'draw', null],
    ['a_market_of_theirs', 'soccer', 'home', null],
  ] as const)('do not exist for %s in %s, %s %s', (marketType, sport, selectionType, line) => {
    expect(stricterElsewhere(marketType, sport, selectionType, line)).toEqual([])
  })

  it('are not to be shorter, but for rounding', () => {
    expect(contradicts(5.73, 5.38)).toBe(true)
    expect(contradicts(5.38, 5.38)).toBe(false)
    expect(contradicts(2.02, 2)).toBe(false)
    expect(contradicts(1.9, 5.38)).toBe(false)
  })
})
