/** Records with faulty members: what each costs, and that earlier prices do not stay on offer. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import { onLog } from '../../../oracle/made-up-histories.ts'
import { createRealBoard } from '../../../oracle/real-board.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
// biome-ignore lint/suspicious/noExplicitAny: tests put anything anywhere
type Loose = any

/** Two totals, a spread, a moneyline and a player's points: ten prices. */
const offered = (price: number): Loose[] => {
  const pair = (one: string, other: string, line?: number) => [
    { selection_type: one, odds_decimal: price, ...(line && { line }) },
    { selection_type: other, odds_decimal: price, ...(line && { line: -line }) },
  ]
  return [
    { market_type: 'moneyline', selections: pair('home', 'away') },
    { market_type: 'spread', selections: pair('home', 'away', -3.5) },
    { market_type: 'totals', line: 220.5, selections: pair('over', 'under') },
    { market_type: 'totals', line: 221.5, selections: pair('over', 'under') },
    {
      market_type: 'player_points',
      player_name: 'A Guard',
      line: 9.5,
      selections: pair('over', 'under'),
    },
  ]
}

const push = (markets: Loose, mode: string, laterMs: number) =>
  parseValue(
    {
      type: 'odds',
      sportsbook: 'draftkings',
      mode,
      observed_at: new Date(now - 60_000 + laterMs).toISOString(),
      event: {
        ...{ sport: 'basketball', league: 'a league', home_team: 'Leeds', away_team: 'York' },
        start_time: '2026-11-21T15:00:00Z',
      },
      markets,
    },
    now,
  )

/** Pushes prices of 1.9, then the changed ones of 2; returns the board and the warnings of the second push. */
function pushAfter(change: (markets: Loose[]) => void, mode = 'delta') {
  const real = createRealBoard()
  const markets = offered(2)
  change(markets)
  const records = [push(offered(1.9), 'snapshot', 0), push(markets, mode, 1_000)]
  for (const parsed of records) {
    if (!parsed.ok) throw new Error(parsed.message)
    real.take([onLog(parsed.record) as never])
  }
  const rows = [...real.tables.odds.values()]
  return {
    warnings: records[1]!.ok ? records[1]!.warnings : [],
    isOld: (row: { price: number; isActive: boolean }) => row.isActive && row.price === 1.9,
    fresh: rows.filter(({ price, isActive }) => price === 2 && isActive).length,
    rows,
  }
}

const details: readonly (readonly [string, unknown])[] = [
  ...['', 'nowhere', 'javascript:alert(1)', 5, 'x'.repeat(3_000)].map(
    (value) => ['deep_link', value] as const,
  ),
  ...['\u0000', '\u007f', '\ud800'].map(
    (character) => ['deep_link', `https://example.com/x${character}y`] as const,
  ),
  ...['', ' ', true, {}, 'x'.repeat(201)].map((value) => ['selection', value] as const),
  ...['500', -1, true].map((value) => ['max_bet', value] as const),
  ...[55, '0.5'].map((value) => ['public_bet_pct', value] as const),
  ...['0001-01-01T00:00:00Z', '2026-02-30T00:00:00Z', 0].map(
    (value) => ['changed_at', value] as const,
  ),
  ['external_id', ''],
]
const costly: readonly (readonly [string, unknown])[] = [
  ...['0.48', '', true, 1.2].map((value) => ['probability', value] as const),
  ...['PK', '-3.5', {}, 1e9].map((value) => ['line', value] as const),
  ...[1, 'true', null].map((value) => ['suspended', value] as const),
  ...[1, 'no', {}].map((value) => ['removed', value] as const),
  ...['Home +', '', 1, null, 'o'.repeat(61)].map((value) => ['selection_type', value] as const),
]

describe('a faulty member of a selection', () => {
  const place = fc.record({ market: fc.nat(4), at: fc.nat(1) })

  it('costs itself alone if it is a detail', () => {
    fc.assert(
      fc.property(place, fc.constantFrom(...details), ({ market, at }, [member, value]) => {
        const { rows, fresh, warnings } = pushAfter((markets) => {
          markets[market].selections[at][member] = value
        })
        expect([rows.length, fresh]).toEqual([10, 10])
        expect(warnings).toMatchObject([
          { path: `markets.${market}.selections.${at}.${member}`, count: 1, isLeftOut: true },
        ])
      }),
    )
  })

  it('costs its selection if that cannot be read without it, and leaves no earlier price', () => {
    fc.assert(
      fc.property(place, fc.constantFrom(...costly), ({ market, at }, [member, value]) => {
        const { rows, fresh, isOld, warnings } = pushAfter((markets) => {
          const selection = markets[market].selections[at]
          if (member === 'probability') delete selection.odds_decimal
          selection[member] = value
        })
        expect(fresh).toBe(9)
        expect(rows.filter(isOld)).toEqual([])
        expect(warnings).toHaveLength(1)
      }),
    )
  })

  it('on all selections is one warning with their number', () => {
    const { warnings, fresh } = pushAfter((markets) => {
      for (const { selections } of markets) for (const of of selections) of.deep_link = ''
    })
    expect(fresh).toBe(10)
    expect(warnings).toMatchObject([
      { code: 'invalid_field', path: 'markets.0.selections.0.deep_link', count: 10 },
    ])
  })

  it('is no reason to warn of a price that is suspended anyway', () => {
    const { warnings } = pushAfter((markets) => {
      markets[0].selections[0] = { selection_type: 'home', probability: '', suspended: true }
    })
    expect(warnings).toEqual([])
  })
})

describe('a faulty label of an outcome that only labels tell', () => {
  const goals = (...stated: (readonly [unknown, number])[]) => ({
    market_type: 'exact_total_goals',
    selections: stated.map(([selection, odds_decimal]) => {
      return { selection_type: 'other', selection, odds_decimal }
    }),
  })
  const rowsAfter = (label: unknown) => {
    const real = createRealBoard()
    const records = [
      push([goals(['2', 3.5], ['3', 4])], 'snapshot', 0),
      push([goals([label, 13], ['3', 4.5])], 'delta', 1_000),
    ]
    for (const parsed of records) {
      if (!parsed.ok) throw new Error(parsed.message)
      real.take([onLog(parsed.record) as never])
    }
    const rows = Array.from(real.tables.odds.values(), (row) => `${row.selection} ${row.price}`)
    const warnings = records[1]!.ok ? records[1]!.warnings : []
    return { rows: rows.sort(), warnings: warnings.filter(({ path }) => path !== undefined) }
  }

  it('is its text if it is a number', () => {
    const { rows, warnings } = rowsAfter(2)
    expect(rows).toEqual(['2 13', '3 4.5'])
    expect(warnings).toMatchObject([
      { code: 'invalid_field', path: 'markets.0.selections.0.selection', isLeftOut: false },
    ])
  })

  it('is none if it is blank', () => {
    expect(rowsAfter(' ').rows).toEqual(rowsAfter(null).rows)
  })

  it.each([[true], [['2']], ['x'.repeat(201)]])(
    'ends what it may have meant, and makes no other bet: %j',
    (label) => {
      const { rows, warnings } = rowsAfter(label)
      expect(rows).toEqual(['3 4.5'])
      expect(warnings).toMatchObject([
        { path: 'markets.0.selections.0.selection', isLeftOut: true },
      ])
    },
  )
})

describe('a faulty member of a market', () => {
  it.each([
    ['line', 'PK', 2],
    ['suspended', 1, 2],
    ['selections', {}, 2],
    ['max_bet', '500', 0],
    ['external_id', '', 0],
    ['player_name', '', 0],
  ])('%s costs no other market', (member, value, lost) => {
    const { fresh, rows, isOld, warnings } = pushAfter((markets) => {
      markets[2][member] = value
    })
    expect([fresh, rows.filter(isOld).length]).toEqual([10 - lost, 0])
    expect(warnings).toMatchObject([{ path: `markets.2.${member}`, count: 1 }])
  })

  it.each([
    ['market_type', ' '],
    ['player_name', 5],
    ['stat_category', 'a\tb'],
  ])('%s leaves its market out', (member, value) => {
    const { fresh, warnings } = pushAfter((markets) => {
      markets[4][member] = value
    }, 'snapshot')
    expect(fresh).toBe(8)
    expect(warnings).toMatchObject([{ path: `markets.4.${member}` }])
  })

  it.each([
    ['player_name', 5],
    ['player_name', ['A Guard']],
    ['stat_category', 'a\tb'],
  ])('%s of %j leaves no earlier price of its market', (member, value) => {
    const { fresh, rows, isOld, warnings } = pushAfter((markets) => {
      markets[4][member] = value
    })
    expect([fresh, rows.length, rows.filter(isOld)]).toEqual([8, 8, []])
    expect(warnings).toMatchObject([{ path: `markets.4.${member}`, count: 1 }])
  })

  it('of one player leaves what the record states of others', () => {
    const other = { ...offered(2)[4], player_name: 'B Guard' }
    const { rows } = pushAfter((markets) => {
      markets[4].player_name = 5
      markets.push(other)
    })
    const props = rows.filter(({ marketType }) => marketType === 'player_points')
    expect(props.map(({ playerName, price }) => [playerName, price])).toEqual([
      ['B Guard', 2],
      ['B Guard', 2],
    ])
  })
})

describe('a suspended market without selections', () => {
  it.each([
    [undefined, 0],
    [220.5, 2],
  ])('ends its prices; at the line %s', (line, left) => {
    const { rows } = pushAfter((markets) => {
      const end = { market_type: 'totals', suspended: true, selections: [] }
      markets.splice(2, 2, line === undefined ? end : { ...end, line })
    })
    expect(rows.filter(({ marketType }) => marketType === 'total_points')).toHaveLength(left)
  })
})

describe('an unknown member beside what ends a price', () => {
  it.each<[string, (markets: Loose[]) => void, number]>([
    ['suspended', ([moneyline]) => endWith(moneyline.selections[0], 'suspended'), 9],
    ['removed', ([moneyline]) => endWith(moneyline.selections[0], 'removed'), 9],
    ['suspended, of a market', ([moneyline]) => endWith(moneyline, 'suspended'), 8],
    [
      'suspended, in a market',
      ([moneyline]) => {
        moneyline.suspended = true
        for (const one of moneyline.selections) one.odds_fractional = '1/2'
      },
      8,
    ],
    [
      'suspended, a price that a market does not have',
      ([moneyline]) => {
        Object.assign(moneyline, { suspended: true, odds_decimal: 1.9 })
      },
      8,
    ],
  ])('is left out: %s', (_, change, fresh) => {
    for (const mode of ['delta', 'snapshot']) {
      const after = pushAfter(change, mode)
      expect(after.fresh).toBe(fresh)
      expect(after.rows.filter(after.isOld)).toEqual([])
      expect(after.warnings.map(({ code }) => code)).toEqual(['unknown_field'])
    }
  })

  it('refuses the record where another selection goes on', () => {
    const markets = offered(2)
    endWith(markets[0].selections[0], 'suspended')
    markets[0].selections[1].odds_fractional = '1/2'
    expect(push(markets, 'delta', 0)).toMatchObject({ ok: false, code: 'unknown_field' })
  })

  function endWith(of: Loose, flag: string) {
    Object.assign(of, { [flag]: true, odds_fractional: '1/2' })
  }
})

describe('what refuses a record as before', () => {
  it.each<[string, (markets: Loose[]) => void]>([
    ['an unknown member', (markets) => (markets[0].selections[0].odd_decimal = 2)],
    [
      'an unknown member beside a faulty one',
      (markets) => {
        Object.assign(markets[0].selections[0], { deep_link: '', odd_decimal: 2 })
      },
    ],
    ['too many selections', (markets) => (markets[0].selections = Array(1_001).fill({}))],
  ])('%s', (_, change) => {
    const markets = offered(2)
    change(markets)
    expect(push(markets, 'delta', 0)).toMatchObject({ ok: false })
  })
})
