import { describe, expect, it } from 'vitest'
import { isComparable } from '../../../../pipeline/rules/odds/in-play-handicaps.ts'
import { markets, questionOf } from '../../../../schemas/reference/markets.ts'
import { sports } from '../../../../schemas/reference/sports.ts'

const isComparedAs = (marketType: string, sport: string, isLive: boolean) =>
  isComparable(questionOf(marketType).answers, sport, isLive)

describe('prices of several sportsbooks', () => {
  it.each([
    ['soccer', 'point_spread'],
    ['soccer', 'asian_handicap'],
    ['soccer', '1st_half_point_spread'],
    ['soccer', '2nd_half_asian_handicap'],
    ['soccer', 'asian_handicap_corners'],
    ['soccer', '1st_half_asian_handicap_corners'],
    ['soccer', 'asian_handicap_cards'],
  ])('of %s, %s, are of one bet before the start, and not in play', (sport, marketType) => {
    expect(isComparedAs(marketType, sport, false)).toBe(true)
    expect(isComparedAs(marketType, sport, true)).toBe(false)
  })

  it.each([
    ['soccer', 'moneyline'],
    ['soccer', 'draw_no_bet'],
    // A handicap with a draw counts the whole game.
    ['soccer', 'moneyline_3-way'],
    ['soccer', 'total_goals'],
    ['soccer', 'team_total'],
    ['soccer', '1st_half_total_goals'],
    ['basketball', 'point_spread'],
    ['basketball', '1st_half_point_spread'],
    ['football', 'point_spread'],
    ['hockey', 'puck_line'],
    ['baseball', 'run_line'],
    ['tennis', 'game_handicap'],
    ['rugby', 'point_spread'],
  ])('of %s, %s, are of one bet in play too', (sport, marketType) => {
    expect(isComparedAs(marketType, sport, true)).toBe(true)
  })

  it('are of different bets for two-way handicaps of soccer alone', () => {
    const apart = new Set(
      sports.flatMap(({ id: sport }) =>
        markets.flatMap(({ id, answers }) =>
          isComparedAs(id, sport, true) ? [] : `${sport} ${answers}`,
        ),
      ),
    )
    expect([...apart]).toEqual(['soccer handicap'])
  })
})
