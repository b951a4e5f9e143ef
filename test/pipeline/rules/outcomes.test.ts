import { describe, expect, it } from 'vitest'
import { outcomesOf } from '../../../pipeline/rules/outcomes.ts'
import { markets } from '../../../schemas/reference/markets.ts'

const twoWays = [['home', 'away']]
const threeWays = [['home', 'away', 'draw']]

describe('outcomes', () => {
  it('never takes a soccer moneyline for two-way, whoever leaves the draw out', () => {
    const draws = { withDraw: 0, withoutDraw: 12 }
    for (const type of ['moneyline', '1st_half_moneyline', '2nd_half_moneyline']) {
      expect(outcomesOf(type, 'soccer')).toEqual(threeWays)
      expect(outcomesOf(type, 'soccer', draws)).toEqual(threeWays)
    }
  })

  it('takes a moneyline elsewhere for what most sportsbooks on it make of it', () => {
    expect(outcomesOf('moneyline', 'hockey')).toEqual(twoWays)
    expect(outcomesOf('moneyline', 'hockey', { withDraw: 1, withoutDraw: 9 })).toEqual(twoWays)
    expect(outcomesOf('moneyline', 'hockey', { withDraw: 9, withoutDraw: 1 })).toEqual(threeWays)
    expect(outcomesOf('moneyline', 'rugby', { withDraw: 2, withoutDraw: 2 })).toEqual(threeWays)
    expect(outcomesOf('1st_half_moneyline', 'basketball')).toEqual(twoWays)
  })

  it('needs the draw where the type is registered with one', () => {
    for (const type of ['moneyline_3-way', '1st_period_moneyline_3-way']) {
      expect(outcomesOf(type, 'hockey')).toEqual(threeWays)
    }
    expect(outcomesOf('most_corners', 'soccer')).toEqual(threeWays)
  })

  it('takes a handicap for three-way only where a draw is quoted on it', () => {
    expect(outcomesOf('point_spread', 'soccer')).toEqual(twoWays)
    expect(outcomesOf('point_spread', 'soccer', { withDraw: 3, withoutDraw: 1 })).toEqual(threeWays)
    expect(outcomesOf('puck_line', 'hockey')).toEqual(twoWays)
  })

  it('has two ways where a draw returns the stakes or cannot be', () => {
    const draws = { withDraw: 5, withoutDraw: 0 }
    expect(outcomesOf('draw_no_bet', 'soccer', draws)).toEqual(twoWays)
    expect(outcomesOf('to_qualify', 'soccer', draws)).toEqual(twoWays)
    expect(outcomesOf('1st_set_moneyline', 'tennis')).toEqual(twoWays)
  })

  it('keeps the two teams of a team market apart', () => {
    const totals = [
      ['home_over', 'home_under'],
      ['away_over', 'away_under'],
    ]
    expect(outcomesOf('team_total_goals', 'soccer')).toEqual(totals)
    expect(outcomesOf('1st_half_team_total', 'basketball')).toEqual(totals)
    const answers = [
      ['home_yes', 'home_no'],
      ['away_yes', 'away_no'],
    ]
    for (const type of ['clean_sheet', 'to_win_to_nil', '1st_half_team_to_score']) {
      expect(outcomesOf(type, 'soccer')).toEqual(answers)
    }
    expect(outcomesOf('both_halves_goal_scored', 'soccer')).toEqual([['yes', 'no'], ...answers])
  })

  it('pairs over with under, yes with no, odd with even', () => {
    expect(outcomesOf('total_points', 'basketball')).toEqual([['over', 'under']])
    expect(outcomesOf('player_points', 'basketball')).toEqual([['over', 'under']])
    expect(outcomesOf('both_teams_to_score', 'soccer')).toEqual([['yes', 'no']])
    expect(outcomesOf('anytime_goal_scorer', 'soccer')).toEqual([['yes', 'no']])
    expect(outcomesOf('1st_half_total_goals_odd_even', 'soccer')).toEqual([['odd', 'even']])
  })

  it('counts nobody as an answer to who scores first where a game may end scoreless', () => {
    expect(outcomesOf('first_team_to_score', 'soccer')).toEqual([['home', 'away', 'no']])
    expect(outcomesOf('1st_half_first_team_to_score', 'soccer')).toEqual([['home', 'away', 'no']])
    expect(outcomesOf('first_team_to_score', 'football')).toBeNull()
  })

  it.each([
    'correct_score',
    'halftime_fulltime',
    'match_result_both_teams_to_score',
    'match_result_total_goals',
    'double_chance',
    'exact_total_goals',
    'total_goals_range',
    'winning_margin',
    'method_of_victory',
    'outright',
    'season_wins',
    'make_playoffs',
    'game_prop',
    'binary',
    'race_to',
    'a_type_nobody_listed',
  ])('has no closed set for %s', (type) => {
    expect(outcomesOf(type, 'soccer')).toBeNull()
  })

  it('gives sets of two or three different answers, and the same array each time', () => {
    for (const { id, sports } of markets) {
      for (const sport of sports) {
        const sets = outcomesOf(id, sport)
        expect(outcomesOf(id, sport)).toBe(sets)
        for (const set of sets ?? []) {
          expect(new Set(set).size).toBe(set.length)
          expect([2, 3]).toContain(set.length)
        }
      }
    }
  })
})
