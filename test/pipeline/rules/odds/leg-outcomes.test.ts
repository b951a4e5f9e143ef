/** The worst profit of stakes, against the settlement of each leg by every score. */

import { describe, expect, test } from 'vitest'
import { settleBet } from '../../../../pipeline/rules/bets/settle-bet.ts'
import { otherOutcomes } from '../../../../pipeline/rules/odds/leg-outcomes.ts'
import { equalStakes } from '../../../../pipeline/rules/odds/stakes.ts'
import { returned } from '../../../../pipeline/rules/odds/two-lines.ts'
import { findMarket } from '../../../../schemas/reference/markets.ts'

interface Case {
  readonly marketType: string
  readonly sport: string
  readonly league?: string
  readonly lines: readonly [number | null, number | null]
  readonly selections?: readonly [string, string]
  /** Whether the game, or the part of it, cannot end level. */
  readonly isNeverLevel?: true
}

/** Returns the least profit over all scores up to twelve each, by the rules that settle bets. */
function worstByScore(of: Case, stakes: readonly number[], nets: readonly number[]): number {
  const { marketType, sport, lines, selections = ['home', 'away'] } = of
  let worst = Number.POSITIVE_INFINITY
  for (let home = 0; home <= 12; home++) {
    for (let away = 0; away <= 12; away++) {
      if (of.isNeverLevel && home === away) continue
      const score = { home, away }
      const periods = new Map([[findMarket(marketType)!.period, score]])
      const result = { final: score, regulation: score, periods } as never
      const back = selections.map((selectionType, i) => {
        const bet = settleBet({ sport, marketType, selectionType, line: lines[i]! }, result)!
        return stakes[i]! * returned(nets[i]!, bet)
      })
      worst = Math.min(worst, back[0]! + back[1]! - stakes[0]! - stakes[1]!)
    }
  }
  return worst
}

describe('the worst profit', () => {
  const over = ['over', 'under'] as const
  test.each<Case>([
    { marketType: 'point_spread', sport: 'football', league: 'nfl', lines: [-3, 3] },
    { marketType: 'point_spread', sport: 'football', league: 'nfl', lines: [-3.5, 3.5] },
    { marketType: 'point_spread', sport: 'football', league: 'nfl', lines: [-3, 3.5] },
    { marketType: 'point_spread', sport: 'basketball', lines: [0, 0], isNeverLevel: true },
    { marketType: '1st_half_point_spread', sport: 'basketball', lines: [0, 0] },
    { marketType: 'asian_handicap', sport: 'soccer', lines: [-0.25, 0.25] },
    { marketType: 'asian_handicap', sport: 'soccer', lines: [0.75, -0.75] },
    { marketType: 'asian_handicap', sport: 'soccer', lines: [-0.75, 1] },
    { marketType: 'total_goals', sport: 'soccer', lines: [2.25, 2.25], selections: over },
    { marketType: 'total_goals', sport: 'soccer', lines: [2.5, 2.5], selections: over },
    { marketType: 'total_goals', sport: 'soccer', lines: [3, 3], selections: over },
    { marketType: 'moneyline', sport: 'football', league: 'nfl', lines: [null, null] },
    { marketType: 'moneyline', sport: 'basketball', lines: [null, null], isNeverLevel: true },
    { marketType: 'moneyline', sport: 'baseball', league: 'japan_-_npb', lines: [null, null] },
    { marketType: '1st_quarter_moneyline', sport: 'basketball', lines: [null, null] },
    { marketType: 'draw_no_bet', sport: 'soccer', lines: [null, null] },
  ])('is that of the worst score: $marketType $sport $lines', (of) => {
    for (const nets of [
      [2.02, 2.02],
      [1.45, 3.4],
      [3.9, 1.38],
      [1.9, 1.95],
    ]) {
      const legs = nets.map((net) => ({ net, maxBet: null }))
      const others = otherOutcomes({ ...of, league: of.league ?? '' })
      const { stakes, worst } = equalStakes(legs, 1_000, 1, others)
      const exact = worstByScore(of, stakes, nets)
      expect(worst).toBeLessThanOrEqual(exact + 1e-6)
      expect(worst).toBeGreaterThan(exact - 0.01 - 1e-6)
    }
  })

  test('is nothing where both stakes come back, of prices that gain 1 % otherwise', () => {
    const legs = [2.02, 2.02].map((net) => ({ net, maxBet: null }))
    const of = { marketType: 'point_spread', sport: 'football', league: 'nfl', lines: [-3, 3] }
    expect(equalStakes(legs, 1_000, 1, otherOutcomes(of))).toMatchObject({
      ...{ profits: [10, 10], worst: 0 },
    })
  })

  test.each(['golf', 'motorsports', 'boxing'])(
    'counts a tie of %s, which refunds both',
    (sport) => {
      const of = { marketType: 'moneyline', sport, league: '', lines: [null, null] }
      expect(otherOutcomes(of)).toEqual([[0, 0]])
    },
  )

  test.each([
    { marketType: 'moneyline', sport: 'soccer', lines: [null, null, null] },
    { marketType: 'to_qualify', sport: 'soccer', lines: [null, null] },
    { marketType: 'both_teams_to_score', sport: 'soccer', lines: [null, null] },
    { marketType: '1st_set_moneyline', sport: 'tennis', lines: [null, null] },
    { marketType: 'moneyline', sport: 'football', league: 'ncaaf', lines: [null, null] },
    ...['snooker', 'darts', 'esports', 'volleyball', 'table_tennis', 'curling', 'chess'].map(
      (sport) => ({ marketType: 'moneyline', sport, lines: [null, null] }),
    ),
  ])('is that of one leg winning alone: $marketType $sport', (of) => {
    expect(otherOutcomes({ league: '', ...of })).toEqual([])
  })
})
