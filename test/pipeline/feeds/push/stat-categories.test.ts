/** The `stat_category` of pushed markets that are no player's. */

import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'

const outcomes: Readonly<Record<string, readonly string[]>> = {
  totals: ['over', 'under'],
  moneyline: ['home', 'away'],
  spread: ['home', 'away'],
}

/** Returns our type of a market of a category, then the codes of warnings. */
function read(sport: string, market_type: string, stat_category: string): readonly string[] {
  const line = market_type === 'moneyline' ? {} : { line: 2.5 }
  const selections = outcomes[market_type]!.map((selection_type) => ({
    selection_type,
    odds_decimal: 1.95,
  }))
  const parsed = parseValue(
    {
      type: 'odds',
      sportsbook: 'fanduel',
      mode: 'delta',
      observed_at: '2026-11-20T11:59:00Z',
      event: {
        sport,
        league: `a ${sport} league`,
        home_team: 'Leeds',
        away_team: 'York',
        start_time: '2026-11-21T15:00:00Z',
      },
      markets: [{ market_type, stat_category, ...line, selections }],
    },
    Date.parse('2026-11-20T12:00:00Z'),
  )
  if (!parsed.ok) throw new Error(parsed.message)
  const types = (parsed.record as OddsRecord).markets.map(({ marketType }) => marketType)
  return [...types, ...parsed.warnings.map(({ code }) => code)]
}

describe('a category of a market of no player', () => {
  it.each([
    ['soccer', 'totals', 'corners', 'total_corners'],
    ['soccer', 'totals', 'Cards', 'total_cards'],
    ['soccer', 'totals', '1st half goals', '1st_half_total_goals'],
    ['soccer', 'spread', 'corners', 'asian_handicap_corners'],
    ['baseball', 'totals', 'hits', 'total_hits'],
    ['tennis', 'totals', 'sets', 'total_sets'],
    ['basketball', 'moneyline', '1st half', '1st_half_moneyline'],
    ['basketball', 'totals', 'Q1', '1st_quarter_total_points'],
    ['hockey', 'moneyline', 'Regulation', 'moneyline_3-way'],
  ])('is a part of its name: %s %s of %s', (sport, name, category, type) => {
    expect(read(sport, name, category)).toEqual([type])
  })

  it.each([
    ['soccer', 'moneyline', 'corners', 'corners_moneyline'],
    ['basketball', 'totals', 'Regulation', 'regulation_totals'],
  ])('makes a market that is not listed: %s %s of %s', (sport, name, category, type) => {
    expect(read(sport, name, category)).toEqual([type, 'unknown_market'])
  })

  it.each([
    ['basketball', 'totals', 'points', 'total_points'],
    ['soccer', 'totals', 'goals', 'total_goals'],
    ['soccer', 'totals', 'Total Goals', 'total_goals'],
    ['soccer', 'totals', 'Full Time', 'total_goals'],
    ['baseball', 'totals', 'Runs', 'total_runs'],
    ['basketball', 'spread', 'points', 'point_spread'],
    ['basketball', 'moneyline', 'Game Lines', 'moneyline'],
    ['basketball', 'moneyline', 'Game Props', 'moneyline'],
  ])('adds nothing: %s %s of %s', (sport, name, category, type) => {
    expect(read(sport, name, category)).toEqual([type])
  })
})
