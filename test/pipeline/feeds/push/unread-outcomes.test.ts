/** An outcome beside two sides whose word, label or price cannot be read: the sides never pass for a market of two. */

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

describe('the draw of a fight', () => {
  it.each(['X', 'Draw', 'DRAW', 'Tie', 'The Draw', 'the-draw', 'draw ', ' Draw'])(
    'may be written as %j',
    (word) => {
      for (const sport of ['mma', 'boxing', 'hockey', 'football']) {
        const one = boardOf(sport)
        expect(one.push('snapshot', fight(word))).toEqual(['unexpected_draw'])
        expect(one.rows()).toEqual(threeWays)
      }
    },
  )

  it.each([[undefined], [null], [''], [' '], [0], [{}], ['???']])(
    'is told by its label if its type is %j',
    (word) => {
      const one = boardOf('mma')
      const codes = one.push('snapshot', fight(word, { selection: 'Draw' }))
      expect(codes).toHaveLength(2)
      expect(one.rows()).toEqual(threeWays)
    },
  )
})

describe('an outcome beside both sides of a fight', () => {
  it.each([
    'Draw or Technical Draw',
    'Empate',
    'Unentschieden',
    'U',
    'N',
    'NC',
    'no',
    'even',
    'Even',
    'home_draw',
    '1X',
    '平局',
    'ничья',
  ])('makes another question, called %s', (word) => {
    const one = boardOf('boxing')
    expect(one.push('snapshot', fight(word))).toEqual(['unknown_selection'])
    expect(one.rows()).toHaveLength(3)
    expect(one.rows()).toEqual(expect.arrayContaining(sidesOf('moneyline_with_other')))
  })

  it.each([
    [undefined, {}],
    [null, { selection: 'Empate' }],
    ['', {}],
    [0, { selection: 'No contest' }],
    ['Draw*', {}],
    ['+', { selection: 'x'.repeat(300) }],
    ['', { line: '0' }],
  ])('makes another question, though its type is %j beside %j', (word, more) => {
    for (const [sport, mode] of [
      ['mma', 'snapshot'],
      ['hockey', 'delta'],
    ] as const) {
      const one = boardOf(sport)
      one.push(mode, fight(word, more))
      expect(one.rows()).toEqual([
        ...sidesOf('moneyline_with_other'),
        'moneyline_with_other unread 51',
      ])
      one.push('snapshot', fightOfTwo)
      expect(one.rows()).toEqual(sidesOf('moneyline'))
    }
  })

  it('counts once, if two are unread', () => {
    const one = boardOf('mma')
    const { selections } = fight('')
    const selection = { selection_type: '', odds_decimal: 34 }
    one.push('snapshot', { market_type: 'moneyline', selections: [...selections, selection] })
    expect(one.rows()).toEqual([
      ...sidesOf('moneyline_with_other'),
      'moneyline_with_other unread 51',
    ])
  })

  it.each([[['Empate', '51']], [['', '51']], [['even', null]], [['NC', 2_000_000]]])(
    'makes another without a readable price: %j',
    ([word, odds_decimal]) => {
      const one = boardOf('mma')
      one.push('snapshot', fight(word, { odds_decimal }))
      expect(one.rows()).toEqual(sidesOf('moneyline_with_other'))
    },
  )

  it('is none if it only has a price of 0', () => {
    for (const word of ['Draw', 'Empate']) {
      const one = boardOf('mma')
      one.push('snapshot', fight(word, { odds_decimal: 0 }))
      expect(one.rows()).toEqual(sidesOf('moneyline'))
    }
  })

  it('may be the missing side, and is then left out', () => {
    const one = boardOf('mma')
    one.push(
      'snapshot',
      market('moneyline', [
        ['home', home],
        ['', away],
      ]),
    )
    expect(one.rows()).toEqual(['moneyline home 2.02'])
  })
})

const fightOfTwo = market('moneyline', [
  ['home', home],
  ['away', away],
])

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

describe('outcomes in capitals', () => {
  const result = (draw: number) =>
    market('1X2', [
      ['1', 2.1],
      ['X', draw],
      ['2', 3.6],
    ])

  it('are all of a result, and of its delta', () => {
    const one = boardOf('soccer')
    expect(one.push('snapshot', result(3.3))).toEqual([])
    expect(one.push('delta', market('1X2', [['X', 3.5]]))).toEqual([])
    expect(one.rows()).toEqual(['moneyline away 3.6', 'moneyline draw 3.5', 'moneyline home 2.1'])
  })

  it.each([
    ['Over', 'Under'],
    ['OVER', 'under'],
    ['O', 'U'],
  ])('are a whole total: %s and %s', (over, under) => {
    const one = boardOf('basketball')
    const total = market('totals', [
      [over, 1.9],
      [under, 1.95],
    ])
    expect(one.push('snapshot', { ...total, line: 220.5 })).toEqual([])
    expect(one.rows()).toEqual(['total_points over 1.9', 'total_points under 1.95'])
  })

  it('are not read where a sign is part of them', () => {
    const one = boardOf('soccer')
    const codes = one.push(
      'snapshot',
      market('exact_total_goals', [
        ['+1', 3],
        ['-1', 4],
        ['3+', 5],
        ['2-1', 6],
      ]),
    )
    expect(codes).toEqual(['invalid_field'])
    expect(one.rows()).toEqual(['exact_total_goals 2_1 6'])
  })
})

it('an unread outcome of a total is one more beside over and under', () => {
  const one = boardOf('basketball')
  const total = market('totals', [
    ['over', 2],
    ['Exactly 220', 26],
    ['under', 1.98],
  ])
  one.push('snapshot', { ...total, line: 220 })
  expect(one.rows().every((row) => row.startsWith('total_points_with_other '))).toBe(true)
  one.push('snapshot', {
    ...market('totals', [
      ['over', 2],
      ['=', 26],
      ['under', 1.98],
    ]),
    line: 220,
  })
  expect(one.rows()).toEqual([
    'total_points_with_other over 2',
    'total_points_with_other under 1.98',
    'total_points_with_other unread 26',
  ])
})
