/** An outcome beside two sides whose price cannot be read: the sides never pass for a market of two. */

import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import { onLog } from '../../../oracle/made-up-histories.ts'
import { createRealBoard } from '../../../oracle/real-board.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const [home, away] = [2.02, 1.97]

/** Creates a board that takes the pushes of one sportsbook on one game, and shows its prices in words. */
function boardOf(sport: string) {
  const real = createRealBoard()
  let said = 0
  return {
    push(mode: 'snapshot' | 'delta', ...markets: readonly object[]) {
      const event = { home_team: 'Oskar Wrenvik', away_team: 'Pavel Thornulo' }
      const parsed = parseValue(
        {
          type: 'odds',
          sportsbook: 'bet365',
          mode,
          observed_at: new Date(now - 60_000 + 1_000 * said++).toISOString(),
          event: { ...event, sport, league: 'a league', start_time: '2026-11-21T15:00:00Z' },
          markets,
        },
        now,
      )
      if (!parsed.ok) throw new Error(parsed.message)
      real.take([onLog(parsed.record) as never])
      return parsed.warnings.map(({ code }) => code)
    },
    rows: () =>
      Array.from(real.tables.odds.values(), (row) => {
        const state = row.isActive ? '' : ' suspended'
        return `${row.marketType} ${row.selectionType} ${row.price}${state}`
      }).sort(),
  }
}

const market = (market_type: string, prices: readonly (readonly [unknown, number, object?])[]) => ({
  market_type,
  selections: prices.map(([selection_type, odds_decimal, more]) => ({
    ...(selection_type !== undefined && { selection_type }),
    odds_decimal,
    ...more,
  })),
})

const fight = (word: unknown, more: object = {}) =>
  market('moneyline', [
    ['1', home],
    [word, 51, more],
    ['2', away],
  ])

const sidesOf = (type: string) => [`${type} away ${away}`, `${type} home ${home}`]
const threeWays = ['away 1.97', 'draw 51', 'home 2.02'].map((row) => `moneyline_3-way ${row}`)

describe('the price of a draw', () => {
  const unreadable: readonly object[] = [
    { odds_decimal: '51' },
    { odds_decimal: '51.0' },
    { odds_decimal: null, odds_american: '+5000' },
    { odds_decimal: 51, odds_american: 2_500 },
    { odds_decimal: 2_000_000 },
    { odds_decimal: 0.5 },
    { odds_decimal: null },
    { odds_decimal: 0, odds_american: 5_000 },
    { odds_decimal: null, probability: '0.02' },
  ]

  it.each(unreadable)('that cannot be read is one: %j', (more) => {
    const one = boardOf('boxing')
    expect(one.push('snapshot', fight('draw', more))).toHaveLength(2)
    expect(one.rows()).toEqual(sidesOf('moneyline_3-way'))
    one.push('snapshot', fight('draw'))
    one.push('snapshot', fight('draw', more))
    expect(one.rows()).toEqual(threeWays.map((row) => row.replace(/51$/, '51 suspended')))
  })

  it.each([
    { odds_decimal: 0 },
    { odds_decimal: 1 },
    { odds_decimal: null, odds_american: 0 },
    { odds_decimal: 0, odds_american: 0 },
    { odds_decimal: null, probability: 0 },
  ])('that says there is none is no draw: %j', (more) => {
    const one = boardOf('boxing')
    one.push('snapshot', fight('draw', more))
    expect(one.rows()).toEqual(sidesOf('moneyline'))
  })
})
