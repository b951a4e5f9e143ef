/** Pushed suspensions and removals without a line, or without selections, and the rows that they reach. */

import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import { onLog } from '../../../oracle/made-up-histories.ts'
import { createRealBoard } from '../../../oracle/real-board.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

const outcome = (selection_type: string, line?: number, more: object = { odds_decimal: 1.9 }) => ({
  selection_type,
  ...(line !== undefined && { line }),
  ...more,
})
const total = (...selections: object[]) => ({ market_type: 'totals', selections })
const spread = (...selections: object[]) => ({ market_type: 'spread', selections })
const points = (player_name: string, ...selections: object[]) => ({
  market_type: 'player_points',
  player_name,
  selections,
})

const listed = { home_team: 'Leeds', away_team: 'York', sportsbook: 'pinnacle' }

/** Creates a board of one game; the first record is a snapshot. */
function board() {
  const real = createRealBoard()
  let observedAt = now - 60_000
  function push(
    mode: 'snapshot' | 'delta',
    sport: string,
    markets: readonly object[],
    { home_team, away_team, sportsbook } = listed,
  ) {
    observedAt += 1_000
    const event = {
      ...{ sport, league: `a ${sport} league`, home_team, away_team },
      start_time: '2026-11-21T15:00:00Z',
    }
    const head = { type: 'odds', sportsbook, mode, event, markets }
    const observed_at = new Date(observedAt).toISOString()
    const parsed = parseValue({ ...head, observed_at }, now)
    if (!parsed.ok) throw new Error(parsed.message)
    real.take([onLog(parsed.record) as never])
    return parsed.warnings.map(({ code }) => code)
  }
  return {
    snapshot: (...markets: object[]) => push('snapshot', 'basketball', markets),
    delta: (...markets: object[]) => push('delta', 'basketball', markets),
    push,
    restart: () => real.restart(),
    types: () => Array.from(real.tables.odds.values(), ({ marketType }) => marketType),
    rows: () =>
      [...real.tables.odds.values()]
        .map(({ playerName, selectionType, line, price, isActive }) =>
          [playerName, selectionType, line, price, isActive ? null : 'suspended']
            .filter((word) => word !== null)
            .join(' '),
        )
        .sort(),
  }
}

const ladder = () => {
  const one = board()
  one.snapshot(
    total(outcome('over', 220.5), outcome('under', 220.5), outcome('over', 221.5)),
    spread(outcome('home', -3.5), outcome('away', 3.5)),
  )
  return one
}

describe('what is suspended without its line', () => {
  const off = { suspended: true, odds_decimal: 0 }

  it.each([
    ['by the market', { ...total(outcome('over'), outcome('under')), suspended: true }],
    ['by its selections', total(outcome('over', undefined, off), outcome('under', undefined, off))],
  ])('is suspended at all lines, %s', (_, market) => {
    for (const isRestarted of [false, true]) {
      const one = ladder()
      if (isRestarted) one.restart()
      expect(one.delta(market)).toEqual([])
      expect(one.rows()).toEqual([
        'away 3.5 1.9',
        'home -3.5 1.9',
        'over 220.5 1.9 suspended',
        'over 221.5 1.9 suspended',
        'under 220.5 1.9 suspended',
      ])
    }
  })

  it('is offered where the same record prices a line, whichever comes first', () => {
    const priced = outcome('over', 221.5, { odds_decimal: 2 })
    for (const market of [
      total(outcome('over', undefined, off), priced),
      total(priced, outcome('over', undefined, off)),
    ]) {
      const one = ladder()
      one.delta(market)
      expect(one.rows().filter((row) => row.startsWith('over'))).toEqual([
        'over 220.5 1.9 suspended',
        'over 221.5 2',
      ])
    }
  })

  it('is offered again from its next price on', () => {
    const one = ladder()
    one.delta(spread(outcome('home', undefined, off), outcome('away', undefined, off)))
    one.delta(spread(outcome('home', -3.5, { odds_decimal: 2 })))
    expect(one.rows().slice(0, 2)).toEqual(['away 3.5 1.9 suspended', 'home -3.5 2'])
  })

  it('is of its player only', () => {
    const one = board()
    one.snapshot(points('A Guard', outcome('over', 9.5)), points('B Guard', outcome('over', 9.5)))
    one.delta(points('A. Guard', outcome('over', undefined, off)))
    expect(one.rows()).toEqual(['A Guard over 9.5 1.9 suspended', 'B Guard over 9.5 1.9'])
  })

  it('is so under the type of three ways too', () => {
    const one = board()
    const ways = [outcome('home', -1), outcome('draw', -1), outcome('away', 1)]
    one.push('snapshot', 'soccer', [spread(...ways, outcome('home', -1.5), outcome('away', 1.5))])
    const ends = ['home', 'away', 'draw'].map((side) => outcome(side, undefined, off))
    one.push('delta', 'soccer', [spread(...ends)])
    expect(one.rows()).toHaveLength(5)
    expect(one.rows().filter((row) => !row.endsWith('suspended'))).toEqual([])
  })

  it('and is at a line of a market that we do not list', () => {
    const one = board()
    one.snapshot({ market_type: 'Largest Lead', selections: [outcome('over', 14.5)] })
    one.delta({ market_type: 'Largest Lead', selections: [outcome('over', undefined, off)] })
    expect(one.rows()).toEqual(['over 14.5 1.9 suspended'])
  })

  it('with lines that contradict each other is suspended at all', () => {
    const one = ladder()
    one.delta({ ...spread(outcome('home', -4.5), outcome('away', -4.5)), suspended: true })
    expect(one.rows().slice(0, 2)).toEqual(['away 3.5 1.9 suspended', 'home -3.5 1.9 suspended'])
  })

  it('does not move the sides of other lines to another question', () => {
    const one = board()
    const sides = spread(outcome('home', -1.5), outcome('away', 1.5))
    one.push('snapshot', 'soccer', [sides, spread(outcome('draw', undefined, off))])
    expect(one.types()).toEqual(['point_spread', 'point_spread'])
  })
})

describe('what is removed without its line', () => {
  it('is withdrawn at all lines', () => {
    const one = ladder()
    expect(one.delta(total(outcome('over', undefined, { removed: true })))).toEqual([])
    expect(one.rows()).toEqual(['away 3.5 1.9', 'home -3.5 1.9', 'under 220.5 1.9'])
  })

  it('is withdrawn once, however often the record ends it', () => {
    const one = ladder()
    const over = total(outcome('over', undefined, { removed: true }))
    one.delta(over, over, { ...total(), suspended: true }, { ...total(), suspended: true })
    expect(one.rows()).toEqual(['away 3.5 1.9', 'home -3.5 1.9'])
    one.delta(total(outcome('over', 222.5), outcome('under', 222.5)))
    one.delta(total(outcome('over', undefined, { suspended: true })))
    expect(one.rows().slice(2)).toEqual(['over 222.5 1.9 suspended', 'under 222.5 1.9'])
  })
})

describe('a suspended market without selections ends its line', () => {
  const sides = (away: number) => [outcome('home', 0 - away), outcome('away', away)]
  const rungs = spread(...sides(1.5), ...sides(-1.5))
  const ended = (market_type: string, line: number) => ({
    ...{ market_type, line, suspended: true, selections: [] },
  })

  it('which is home’s', () => {
    const one = board()
    one.snapshot(rungs)
    one.delta(ended('spread', -1.5))
    expect(one.rows()).toEqual(['away -1.5 1.9', 'home 1.5 1.9'])
  })

  it('by the sides of its sportsbook', () => {
    const swapped = { home_team: 'York', away_team: 'Leeds', sportsbook: 'draftkings' }
    const one = board()
    one.snapshot({ market_type: 'moneyline', selections: [outcome('home'), outcome('away')] })
    one.push('snapshot', 'basketball', [rungs], swapped)
    one.push('delta', 'basketball', [ended('spread', -1.5)], swapped)
    // On the board Leeds is home, there it is away.
    expect(one.rows().filter((row) => / -?1\.5 /.test(row))).toEqual([
      'away 1.5 1.9',
      'home -1.5 1.9',
    ])
  })

  it('of all players where it names none, else of its own', () => {
    const one = board()
    const props = ['A Guard', 'B Guard', 'C Guard'].map((name) =>
      points(name, outcome('over', 9.5)),
    )
    one.snapshot(...props)
    one.delta({ ...points('A. Guard'), suspended: true })
    expect(one.rows()).toEqual(['B Guard over 9.5 1.9', 'C Guard over 9.5 1.9'])
    one.restart()
    one.delta(ended('player_points', 9.5), points('C Guard', outcome('over', 9.5)))
    expect(one.rows()).toEqual(['C Guard over 9.5 1.9'])
  })

  it('and both signs where a market that we do not list may be a handicap', () => {
    const one = board()
    one.snapshot({ market_type: 'Largest Lead', selections: sides(4.5) })
    one.delta(ended('Largest Lead', -4.5))
    expect(one.rows()).toEqual([])
  })

  it('and both where a selection at a line does not say its side', () => {
    const one = board()
    const points = spread(...sides(2.5))
    one.snapshot(rungs, points)
    one.delta(spread({ ...outcome('home', -1.5), selection_type: 5 }))
    expect(one.rows()).toEqual(['away 2.5 1.9', 'home -2.5 1.9'])
  })
})
