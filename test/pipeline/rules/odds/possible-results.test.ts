/** Two bets on two lines against every score with which a game can end, each settled by the rules that settle bets. */

import { describe, expect, it, test } from 'vitest'
import { settleBet } from '../../../../pipeline/rules/bets/settle-bet.ts'
import { otherOutcomes } from '../../../../pipeline/rules/odds/leg-outcomes.ts'
import { allOutcomes } from '../../../../pipeline/rules/odds/middles.ts'
import {
  arbitrageFigures,
  middleWorth,
} from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import { possibleResults } from '../../../../pipeline/rules/odds/possible-results.ts'
import { returned } from '../../../../pipeline/rules/odds/two-lines.ts'
import { findMarket } from '../../../../schemas/reference/markets.ts'

interface Game {
  readonly sport: string
  readonly league: string
  readonly marketType: string
  readonly sides: readonly [string, string]
  /** Whether a score, home's and away's, can be the last one. */
  isFinal(home: number, away: number): boolean
}

const somebodyWins = (home: number, away: number) => home !== away
const anyScore = () => true
const homeAway = ['home', 'away'] as const
const overUnder = ['over', 'under'] as const
const margins = (sport: string, league: string, isFinal: Game['isFinal'], of = 'point_spread') =>
  ({ sport, league, marketType: of, sides: homeAway, isFinal }) as const

const games: readonly Game[] = [
  margins('basketball', 'nba', somebodyWins),
  margins('hockey', 'nhl', somebodyWins, 'puck_line'),
  margins('baseball', 'mlb', somebodyWins, 'run_line'),
  margins('lacrosse', 'pll', somebodyWins),
  margins('football', 'ncaaf', somebodyWins),
  margins('football', 'nfl', anyScore),
  margins('soccer', 'england_-_premier_league', anyScore),
  margins('basketball', 'nba', anyScore, '1st_half_point_spread'),
  margins('hockey', 'nhl', anyScore, '1st_period_puck_line'),
  {
    ...{ sport: 'soccer', league: 'england_-_premier_league', marketType: 'total_goals' },
    ...{ sides: overUnder, isFinal: anyScore },
  },
]

/** Returns the settlement of both bets by result, the result counted from home's side or as the sum. */
function settlements({ sport, marketType, sides, isFinal }: Game, lines: readonly number[]) {
  const found = new Map<number, readonly number[]>()
  for (let home = 0; home <= 9; home++) {
    for (let away = 0; away <= 9; away++) {
      if (!isFinal(home, away)) continue
      const score = { home, away }
      const periods = new Map([[findMarket(marketType)!.period, score]])
      const result = { final: score, regulation: score, periods } as never
      const bets = sides.map(
        (selectionType, i) =>
          settleBet({ sport, marketType, selectionType, line: lines[i]! }, result)!,
      )
      found.set(sides === overUnder ? home + away : home - away, bets)
    }
  }
  return found
}

const profitOf = (bets: readonly number[], shares: readonly number[], prices: readonly number[]) =>
  bets.reduce((sum, bet, i) => sum + shares[i]! * returned(prices[i]!, bet as never), -1)

/** Yields pairs of lines at these distances, near the results that count: margins about 0, totals from 0 on. */
function* linesOf({ sides }: Game, gaps: readonly number[]) {
  const isTotal = sides === overUnder
  for (let low = isTotal ? 0 : -2.5; low <= 2.5; low += 0.25) {
    for (const gap of gaps) yield isTotal ? [low, low + gap] : [0 - low, low + gap]
  }
}

const prices = [1.91, 1.95] as const
const offered = { prices, offered: prices, against: [0, 0] }

describe.each(games)('a middle of $league, $marketType', (game) => {
  it('has the best and the worst profit of the results that can be, and lists these alone', () => {
    let seen = 0
    for (const lines of linesOf(game, [0.5, 0.75, 1, 1.5, 2, 3.25])) {
      const { marketType, sport, league } = game
      const worth = middleWorth({ marketType, sport, league, lines, ...offered })
      const settled = settlements(game, lines)
      const others = [...settled.values()].filter((bets) => bets[0]! * bets[1]! !== -1)
      expect(worth === null, String(lines)).toBe(others.length === 0)
      if (!worth) continue
      seen++
      const profits = [...settled.values()].map((bets) => profitOf(bets, worth.shares, prices))
      expect(worth.best, String(lines)).toBeCloseTo(Math.max(...profits), 9)
      expect(worth.worst, String(lines)).toBeCloseTo(Math.min(...profits), 9)
      expect(worth.breakEven).toBeCloseTo(-worth.worst / (Math.max(...profits) - worth.worst), 9)
      const { outlook, trust, fair } = worth
      const won = [...settled].filter(([, bets]) => bets[0] === 1 && bets[1] === 1)
      expect(outlook.numbers).toEqual(won.map(([result]) => result).sort((a, b) => a - b))
      const rows = allOutcomes(outlook, trust, fair)
      for (const { from, to } of rows) {
        for (const end of [from, to]) if (Number.isFinite(end)) expect(settled.has(end)).toBe(true)
      }
      for (const [result, bets] of settled) {
        const of = rows.filter(({ from, to }) => from <= result && result <= to)
        expect(of.map(({ over, under }) => [over, under])).toEqual([bets])
      }
      expect(rows.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9)
    }
    expect(seen).toBeGreaterThan(50)
  })

  it('has, as arbitrage, the highest profit at the worst result that can be', () => {
    for (const lines of linesOf(game, [0.25, 0.5, 1.25])) {
      const { marketType, sport, league } = game
      const sure = [2.02, 2.1]
      const { profit, shares } = arbitrageFigures({
        ...{ marketType, sport, league, lines },
        prices: sure,
      })
      const settled = [...settlements(game, lines).values()]
      const worstBy = (share: number) =>
        Math.min(...settled.map((bets) => profitOf(bets, [share, 1 - share], sure)))
      expect(worstBy(shares[0]!), String(lines)).toBeCloseTo(profit, 9)
      for (let share = 0; share <= 1; share += 1 / 128) {
        expect(worstBy(share), String(lines)).toBeLessThan(profit + 1e-9)
      }
      const others = otherOutcomes({ marketType, sport, league, lines })
      const expected = settled.filter((bets) => bets[0]! * bets[1]! !== -1).map(String)
      expect(new Set(others.map(String))).toEqual(new Set(expected))
    }
  })
})

test('a level game pays nothing where there is none: home +1 and away +1 at 1.91', () => {
  const of = { marketType: 'point_spread', lines: [1, 1] }
  const at = { prices: [1.91, 1.91], offered: [1.91, 1.91], against: [0, 0] }
  const shown = (sport: string, league: string) => {
    const { best, worst, breakEven, outlook } = middleWorth({ ...of, ...at, sport, league })!
    const percent = [best, worst, breakEven].map((part) => Math.round(1e4 * part) / 100)
    return [...percent, outlook.numbers, outlook.pushNumbers]
  }
  // A win by 1 refunds half of the stake and pays 1.91 on the other half: 0.5 + 0.955 - 1.
  expect(shown('basketball', 'nba')).toEqual([45.5, -4.5, 9, [], [-1, 1]])
  expect(shown('football', 'ncaaf')).toEqual([45.5, -4.5, 9, [], [-1, 1]])
  expect(shown('football', 'nfl')).toEqual([91, -4.5, 4.71, [0], [-1, 1]])
})

/** The last scores of a match in sets, and of a set in games. */
const sets = ['2-0', '2-1', '3-0', '3-1', '3-2']
const gamesOfSet = ['6-0', '6-1', '6-2', '6-3', '6-4', '7-5', '7-6']

test.each([
  ['set_handicap', sets],
  ['1st_set_game_handicap', gamesOfSet],
])('%s has the results of %j, for either side', (marketType, scores) => {
  const canBe = possibleResults(marketType, { sport: 'tennis', league: 'atp' })
  for (const score of scores) {
    const [won = 0, lost = 0] = score.split('-').map(Number)
    expect([canBe(won - lost), canBe(lost - won)]).toEqual([true, true])
  }
  expect(canBe(0)).toBe(false)
  // 7-5, 2-6 and 6-4 are fifteen games each.
  expect(possibleResults('game_handicap', { sport: 'tennis', league: 'atp' })(15 - 15)).toBe(true)
})

test.each([
  ['soccer', 'total_goals', -1, false],
  ['soccer', 'team_total_goals', -1, false],
  ['tennis', 'total_sets', -1, false],
  ['soccer', 'total_corners', 0, true],
  // A loss of yards counts below zero.
  ['football', 'player_rushing_yards', -1, true],
  ['soccer', 'asian_handicap_corners', 0, true],
  ['baseball', 'run_line', 0, false],
])('in %s, %s can be %d: %j', (sport, marketType, result, expected) => {
  expect(possibleResults(marketType, { sport, league: '' })(result)).toBe(expected)
})

test.each(['japan_-_npb', 'korea_-_kbo'])('a game of %s may be level', (league) => {
  expect(possibleResults('run_line', { sport: 'baseball', league })(0)).toBe(true)
})
