import { describe, expect, test } from 'vitest'
import { settleBet } from '../../../../pipeline/rules/bets/settle-bet.ts'
import { sportsScoredByPoints } from '../../../../pipeline/rules/games/game-result.ts'
import type { GameResult } from '../../../../schemas/game-result.ts'
import { findMarketNamed } from '../../../../schemas/reference/market-names.ts'

type Score = readonly [home: number, away: number]

function result(final: Score, more: { regulation?: Score; periods?: Record<string, Score> } = {}) {
  const scoreOf = ([home, away]: Score) => ({ home, away })
  const periods = Object.entries(more.periods ?? {}).map(([name, each]) => [name, scoreOf(each)])
  return {
    final: scoreOf(final),
    regulation: scoreOf(more.regulation ?? final),
    periods: new Map(periods as [string, ReturnType<typeof scoreOf>][]),
  } satisfies GameResult
}

const sheet = (sport: string, of: GameResult) => (asked: string) => {
  const [marketType, selectionType, line] = asked.split(' ')
  const bet = { sport, marketType: marketType!, selectionType: selectionType! }
  return settleBet({ ...bet, line: line === undefined ? null : Number(line) }, of)
}

describe('a draw after regulation time', () => {
  // 20-20 after regulation, 24-22 in the end; 10-10 in the part.
  const parts = ['1st_half', '2nd_half', '1st_quarter', '1st_period', '1st_5_innings']
  const periods = Object.fromEntries(parts.map((part) => [part, [10, 10] as const]))
  const drawn = result([24, 22], { regulation: [20, 20], periods })

  test.each([...sportsScoredByPoints])('loses a bet on a side of three in %s', (sport) => {
    const named = ['1x2', '3-way moneyline', 'Full Time Result'].map(
      (name) => findMarketNamed(name, sport)!,
    )
    const ofParts = parts
      .map((part) => findMarketNamed(`${part} 1x2`, sport))
      .filter((id) => id !== undefined)
    expect(ofParts, sport).not.toEqual([])
    for (const type of [...named, ...ofParts]) {
      expect([type, sheet(sport, drawn)(`${type} home`)]).toEqual([type, -1])
      expect([type, sheet(sport, drawn)(`${type} draw`)]).toEqual([type, 1])
    }
  })
})

describe('a bet settled by the final score', () => {
  // Settled by hand, by sportsbooks' rules.
  test.each([
    ['soccer', result([2, 1]), 'moneyline home', 1],
    ['soccer', result([2, 1]), 'moneyline draw', -1],
    ['soccer', result([1, 1]), 'moneyline home', -1],
    ['soccer', result([1, 1]), 'moneyline draw', 1],
    ['soccer', result([1, 1]), 'draw_no_bet away', 0],
    ['soccer', result([0, 1]), 'draw_no_bet away', 1],
    // In soccer regulation time decides: 1-1, and 2-1 after extra time.
    ['soccer', result([2, 1], { regulation: [1, 1] }), 'moneyline draw', 1],
    ['soccer', result([2, 1], { regulation: [1, 1] }), 'total_goals over 2.5', -1],
    ['soccer', result([2, 1]), 'double_chance home_draw', 1],
    ['soccer', result([0, 1]), 'double_chance home_draw', -1],
    ['soccer', result([0, 1]), 'double_chance away_draw', 1],
    ['soccer', result([2, 1]), 'correct_score 2_1', 1],
    ['soccer', result([2, 1]), 'correct_score 1_2', -1],
    ['soccer', result([2, 1]), 'both_teams_to_score yes', 1],
    ['soccer', result([2, 0]), 'both_teams_to_score yes', -1],
    ['soccer', result([2, 0]), 'both_teams_to_score no', 1],
    ['soccer', result([2, 0]), 'team_clean_sheet home_yes', 1],
    ['soccer', result([2, 0]), 'team_clean_sheet away_yes', -1],
    ['soccer', result([2, 1]), 'team_to_win_to_nil home_yes', -1],
    // Asian handicaps and totals.
    ['soccer', result([2, 1]), 'point_spread home -1', 0],
    ['soccer', result([2, 1]), 'point_spread home -0.75', 0.5],
    ['soccer', result([2, 1]), 'point_spread home -1.25', -0.5],
    ['soccer', result([2, 1]), 'point_spread away 0.75', -0.5],
    ['soccer', result([2, 1]), 'point_spread away 1.25', 0.5],
    ['soccer', result([1, 1]), 'point_spread home 0', 0],
    ['soccer', result([1, 1]), 'point_spread home 0.25', 0.5],
    ['soccer', result([1, 1]), 'point_spread away -0.25', -0.5],
    ['soccer', result([2, 1]), 'total_goals over 2.75', 0.5],
    ['soccer', result([2, 1]), 'total_goals under 2.75', -0.5],
    ['soccer', result([2, 1]), 'total_goals over 3.25', -0.5],
    ['soccer', result([2, 1]), 'handicap_3-way home -1', -1],
    ['soccer', result([2, 1]), 'handicap_3-way draw -1', 1],
    ['soccer', result([2, 1]), 'handicap_3-way away 1', -1],
    ['soccer', result([2, 2]), 'handicap_3-way away 1', 1],
    // Elsewhere overtime counts, and a tie returns the stakes.
    ['basketball', result([110, 104], { regulation: [100, 100] }), 'moneyline home', 1],
    ['basketball', result([110, 104], { regulation: [100, 100] }), 'moneyline_3-way draw', 1],
    ['basketball', result([110, 104]), 'point_spread home -6', 0],
    ['basketball', result([110, 104]), 'point_spread home -5.5', 1],
    ['basketball', result([110, 104]), 'point_spread away 5.5', -1],
    ['basketball', result([110, 104]), 'total_points over 214', 0],
    ['basketball', result([110, 104]), 'total_points under 214.5', 1],
    ['basketball', result([110, 104]), 'team_total home_over 109.5', 1],
    ['basketball', result([110, 104]), 'team_total away_under 104', 0],
    ['basketball', result([110, 103]), 'total_points_odd_even odd', 1],
    ['basketball', result([110, 103]), 'total_points_odd_even even', -1],
    ['football', result([20, 20]), 'moneyline home', 0],
    ['football', result([24, 21]), 'point_spread away 3', 0],
    ['hockey', result([3, 2], { regulation: [2, 2] }), 'moneyline home', 1],
    ['hockey', result([3, 2], { regulation: [2, 2] }), 'moneyline_3-way home', -1],
    // Without a bet on the draw, a draw is one of regulation time.
    ['hockey', result([3, 2], { regulation: [2, 2] }), 'draw_no_bet away', 0],
    ['hockey', result([3, 2]), 'draw_no_bet away', -1],
    ['hockey', result([3, 2], { regulation: [2, 2] }), 'correct_score 2_2', 1],
    ['hockey', result([3, 2], { regulation: [2, 2] }), 'correct_score 3_2', -1],
    [
      'basketball',
      result([110, 104], { periods: { '1st_half': [50, 55] } }),
      '1st_half_moneyline home',
      -1,
    ],
    [
      'baseball',
      result([5, 3], { periods: { '1st_5_innings': [2, 2] } }),
      '1st_5_innings_moneyline away',
      0,
    ],
  ] as const)('%s %o: %s is %d', (sport, of, asked, expected) => {
    expect(sheet(sport, of)(asked)).toBe(expected)
  })

  test.each([
    ['a period that nobody gave', 'basketball', '1st_quarter_total_points over 50.5'],
    ['corners', 'soccer', 'total_corners over 9.5'],
    ['a player', 'basketball', 'player_points over 20.5'],
    ['a season', 'basketball', 'championship_winner boston'],
    ['a line that is missing', 'basketball', 'total_points over'],
    ['an outcome that the market has not', 'basketball', 'moneyline draw'],
    ['a market that is not listed', 'basketball', 'coin_toss home'],
  ])('is unknown for %s', (_, sport, asked) => {
    expect(sheet(sport, result([110, 104]))(asked)).toBeNull()
  })

  test('is unknown if overtime may have decided and the earlier score is missing', () => {
    const of = { ...result([3, 2]), regulation: null }
    expect(sheet('hockey', of)('moneyline home')).toBe(1)
    expect(sheet('hockey', of)('moneyline_3-way home')).toBeNull()
  })
})
