import { describe, expect, it } from 'vitest'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import { outcomeIn } from '../../../../pipeline/rules/odds/outcome-words.ts'
import { flipSelectionType } from '../../../../pipeline/rules/odds/questions.ts'
import { readStatedSelection } from '../../../../pipeline/rules/odds/stated-selection.ts'
import { markets } from '../../../../schemas/reference/markets.ts'
import { outcomeNamed, slugOutcome } from '../../../../schemas/reference/outcome-words.ts'

const read = (market: string, stated: string) => outcomeIn(market, slugOutcome(stated), 'soccer')

describe('an open market whose answers name sides', () => {
  const cases = [
    ['halftime_fulltime', '1/1', '2/2', 'home_home'],
    ['halftime_fulltime', '1/2', '2/1', 'home_away'],
    ['halftime_fulltime', 'x/2', 'x/1', 'draw_away'],
    ['halftime_fulltime', 'h/a', 'a/h', 'home_away'],
    ['halftime_fulltime', 'D-H', 'D-A', 'draw_home'],
    ['halftime_fulltime', '1x', '2x', 'home_draw'],
    ['halftime_fulltime', 'hd', 'ad', 'home_draw'],
    ['halftime_fulltime', 'Team 1 / Tie', 'Team 2 / Tie', 'home_draw'],
    ['halftime_fulltime', 'home/draw', 'away/draw', 'home_draw'],
    ['match_result_both_teams_to_score', '1_yes', '2_yes', 'home_yes'],
    ['match_result_both_teams_to_score', 'yes_2', 'yes_1', 'yes_away'],
    ['match_result_both_teams_to_score', 'x/no', 'x/no', 'draw_no'],
    ['match_result_total_goals', '1_over', '2_over', 'home_over'],
    ['match_result_total_goals', '2/over/2', '1/over/2', 'away_over_2'],
    ['last_team_to_score', '1', '2', 'home'],
    ['last_team_to_score', 'a', 'h', 'away'],
    ['race_to', '2', '1', 'away'],
    ['winning_margin', '1_by_1', '2_by_1', 'home_by_1'],
    ['winning_margin', 'team_2_by_3_or_more', 'team_1_by_3_or_more', 'away_by_3_or_more'],
    ['winning_margin', 'h_1', 'a_1', 'home_1'],
    ['winning_margin', 'a2', 'h2', 'away_2'],
    ['1st_half_winning_margin', '1_by_2', '2_by_2', 'home_by_2'],
    ['method_of_victory', '1_by_ko', '2_by_ko', 'home_by_ko'],
  ] as const

  it.each(cases)(
    'has them in our words, and turns them: %s, %s',
    (market, stated, turned, type) => {
      expect(read(market, stated)).toBe(type)
      expect(flipSelectionType(read(market, stated), market)).toBe(read(market, turned))
      expect(read(market, type)).toBe(type)
    },
  )

  it.each([
    ['winning_margin', '1'],
    ['winning_margin', '1_2'],
    ['winning_margin', 'exactly_3'],
    ['winning_margin', 'exact_1'],
    ['winning_margin', '1_by_home'],
    ['race_to', '2_home'],
    ['race_to', '1_team_2'],
    ['total_goals_range', '1_2'],
    ['exact_total_goals', '2'],
    ['1st_half_exact_total_goals', '1'],
    ['correct_score', '2_1'],
    ['highest_scoring_quarter', '1'],
    ['round_betting', '1_2'],
    ['top_batter', 'x'],
    ['an_unlisted_market', '1_x'],
  ])('but numbers stay numbers: %s, %s', (market, stated) => {
    expect(read(market, stated)).toBe(stated)
  })

  it('is the only kind that says so', () => {
    const told = markets.filter(({ sideWords }) => sideWords !== null)
    expect(told.length).toBeGreaterThan(8)
    for (const { id, answers, sideWords } of told) {
      expect([id, answers]).toEqual([id, 'open'])
      for (const word of ['1', 'home', 'h', 'x', 'tie']) {
        const stated = sideWords === 'each' ? word : `${word}_by_ko`
        const meant = outcomeNamed(word) as string
        expect(read(id, stated)).toBe(stated.replace(word, meant))
      }
    }
  })

  it.each([
    ['1/2', 'home_away'],
    ['X/1', 'draw_home'],
  ])('is read alike in a bet: %s', (selection, selectionType) => {
    const bet = { market: 'halftime_fulltime', selection, line: null, playerName: null }
    const options = sideOptionsOf('soccer', 'england_-_premier_league')
    const game = { home: 'Leeds United', away: 'Brentford' }
    expect(readStatedSelection(bet, game, options)).toMatchObject({ ok: true, selectionType })
  })
})
