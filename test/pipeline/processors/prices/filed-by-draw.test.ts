/** Markets where a draw makes another question: the type that prices are filed under, and until when. */

import { describe, expect, it } from 'vitest'
import { board, type Stated } from './board-of-one.ts'

const threeWays = ['moneyline_3-way away 1.97', 'moneyline_3-way draw 51', 'moneyline_3-way home 2']

describe('a draw beside the sides of a market', () => {
  it.each([
    ['mma', 'moneyline', null, 'moneyline_3-way'],
    ['boxing', 'moneyline', null, 'moneyline_3-way'],
    ['hockey', 'moneyline', null, 'moneyline_3-way'],
    ['football', 'h2h', null, 'moneyline_3-way'],
    ['rugby', 'Match Winner', null, 'moneyline_3-way'],
    ['cricket', 'moneyline', null, 'moneyline_3-way'],
    ['tennis', 'moneyline', null, 'moneyline_3-way'],
    ['handball', 'moneyline', null, 'moneyline_3-way'],
    ['basketball', '1st_half_moneyline', null, '1st_half_moneyline_3-way'],
    ['hockey', '2nd_period_moneyline', null, '2nd_period_moneyline_3-way'],
    ['hockey', 'puck_line', -1, 'handicap_3-way'],
    ['baseball', 'Handicap', -1, 'handicap_3-way'],
    ['soccer', 'spreads', -1, 'handicap_3-way'],
    ['soccer', 'asian_handicap', -1, 'handicap_3-way'],
    ['soccer', '1st_half_point_spread', 1, '1st_half_handicap_3-way'],
    ['rugby', 'point_spread', -7, 'handicap_3-way'],
    ['soccer', 'asian_handicap_corners', -2, 'asian_handicap_corners_3-way'],
  ] as const)('%s %s %s is filed as %s', (sport, name, line, filed) => {
    const one = board(sport)
    one.snapshot([name, line, { home: 2, draw: 51, away: 1.97 }])
    const own = (sign: number) => (line === null ? '' : ` ${sign * line}`)
    expect(one.rows()).toEqual([
      `${filed} away${own(-1)} 1.97`,
      `${filed} draw${own(1)} 51`,
      `${filed} home${own(1)} 2`,
    ])
  })

  it('is ordinary if the result of a game has one', () => {
    const one = board('soccer')
    one.snapshot(['moneyline', null, { home: 2, draw: 3, away: 4 }])
    expect(one.rows()).toEqual(['moneyline away 4', 'moneyline draw 3', 'moneyline home 2'])
  })

  it('affects its own rung only', () => {
    const one = board('soccer')
    one.snapshot(
      ['handicap', -1, { home: 2, draw: 3, away: 4 }],
      ['handicap', -1.5, { home: 2.5, away: 1.5 }],
    )
    expect(one.rows()).toEqual([
      'handicap_3-way away 1 4',
      'handicap_3-way draw -1 3',
      'handicap_3-way home -1 2',
      'point_spread away 1.5 1.5',
      'point_spread home -1.5 2.5',
    ])
  })

  it.each(['removed', 'suspended'] as const)('counts even while it is %s', (state) => {
    const one = board('hockey')
    one.snapshot(['moneyline', null, { home: 2, draw: state, away: 1.97 }])
    expect(one.rows()).toEqual(['moneyline_3-way away 1.97', 'moneyline_3-way home 2'])
  })

  it('counts if its outcomes are a market each', () => {
    const one = board('mma')
    one.snapshot(
      ['moneyline', null, { home: 2 }],
      ['moneyline', null, { away: 1.97 }],
      ['moneyline', null, { draw: 51 }],
    )
    expect(one.rows()).toEqual(threeWays)
  })

  it('in a market of its own does not affect other rungs', () => {
    const one = board('soccer')
    one.snapshot(['handicap', -1.5, { home: 2.5, away: 1.5 }], ['handicap', -1, { draw: 3 }])
    expect(one.rows()).toEqual([
      'handicap_3-way draw -1 3',
      'point_spread away 1.5 1.5',
      'point_spread home -1.5 2.5',
    ])
  })

  it('leaves a market beside it that is complete without one', () => {
    const one = board('hockey')
    one.snapshot(
      ['moneyline', null, { home: 1.6, away: 2.3 }],
      ['moneyline', null, { home: 2, draw: 51, away: 1.97 }],
    )
    expect(one.rows()).toEqual(['moneyline away 2.3', 'moneyline home 1.6', ...threeWays])
  })
})

describe('a delta without the draw', () => {
  it.each(['at once', 'after a restart'])('stays with the question that has one, %s', (when) => {
    const one = board('mma')
    one.snapshot(['moneyline', null, { home: 2.1, draw: 51, away: 1.9 }])
    if (when !== 'at once') one.restart()
    one.delta(['moneyline', null, { home: 2 }], ['fight_winner', null, { away: 1.97 }])
    expect(one.rows()).toEqual(threeWays)
    one.delta(['moneyline', null, { home: 'suspended', away: 'removed' }])
    expect(one.rows()).toEqual(['moneyline_3-way draw 51', 'moneyline_3-way home 2 suspended'])
    one.delta(['moneyline', null, { draw: 'removed' }], ['moneyline', null, { away: 1.95 }])
    expect(one.rows()).toEqual(['moneyline_3-way away 1.95', 'moneyline_3-way home 2 suspended'])
  })

  it.each([
    [false, 'home', 'away', -1],
    [true, 'away', 'home', 1],
  ])('stays at the rungs that have one; sides reversed: %s', (isReversed, home, away, draw) => {
    const one = board('soccer', isReversed)
    one.snapshot(
      ['handicap', -1, { home: 2, draw: 3, away: 4 }],
      ['handicap', -1.5, { home: 2.5, away: 1.5 }],
    )
    one.delta(['handicap', -1, { away: 4.1 }], ['handicap', -1.5, { away: 1.6 }])
    one.delta(['handicap', -1, { home: 2.1 }], ['handicap', 2, { home: 1.5, away: 2 }])
    one.delta(['handicap', 2, { draw: 9 }])
    expect(one.rows()).toEqual(
      [
        `handicap_3-way ${away} 1 4.1`,
        `handicap_3-way ${away} -2 2`,
        `handicap_3-way draw ${draw} 3`,
        `handicap_3-way draw ${-2 * draw} 9`,
        `handicap_3-way ${home} -1 2.1`,
        `handicap_3-way ${home} 2 1.5`,
        `point_spread ${away} 1.5 1.6`,
        `point_spread ${home} -1.5 2.5`,
      ].sort(),
    )
  })

  it('of a sportsbook that sells both under two names is of the one it names', () => {
    const one = board('hockey')
    one.snapshot(
      ['moneyline', null, { home: 1.6, away: 2.3 }],
      ['1x2', null, { home: 2.1, draw: 51, away: 1.97 }],
    )
    one.delta(['moneyline', null, { home: 'removed', away: 'removed' }])
    one.delta(['moneyline', null, { home: 1.7 }], ['1x2', null, { home: 2 }])
    expect(one.rows()).toEqual(['moneyline home 1.7', ...threeWays])
  })
})

describe('a delta', () => {
  it.each([
    ['first', [{ home: 'removed' }, { away: 1.95 }]],
    ['last', [{ away: 1.95 }, { home: 'removed' }]],
  ] as const)('follows what was there before it, a withdrawal stated %s', (_, stated) => {
    const one = board('mma')
    one.snapshot(['moneyline', null, { home: 2, draw: 51, away: 1.97 }])
    one.delta(['moneyline', null, { draw: 'suspended' }])
    one.delta(...stated.map((prices): Stated => ['moneyline', null, prices]))
    expect(one.rows()).toEqual(['moneyline_3-way away 1.95', 'moneyline_3-way draw 51 suspended'])
  })
})

describe('a delta that first brings the draw', () => {
  it('withdraws a side with it, in any order', () => {
    const one = board('mma')
    one.snapshot(['moneyline', null, { home: 2, away: 1.97 }])
    one.delta(['moneyline', null, { away: 'removed', draw: 51 }])
    expect(one.rows()).toEqual(['moneyline_3-way draw 51', 'moneyline_3-way home 2'])
  })

  it.each(['at once', 'after a restart'])('moves the sides along, %s', (when) => {
    const one = board('mma')
    one.snapshot(['moneyline', null, { home: 2, away: 1.97 }])
    if (when !== 'at once') one.restart()
    one.delta(['moneyline', null, { draw: 51 }])
    expect(one.rows()).toEqual(threeWays)
  })

  it('applies its prices of the sides as well', () => {
    const one = board('mma')
    one.snapshot(['moneyline', null, { home: 2, away: 1.97 }])
    one.delta(['moneyline', null, { draw: 51, home: 'suspended', away: 'removed' }])
    expect(one.rows()).toEqual(['moneyline_3-way draw 51', 'moneyline_3-way home 2 suspended'])
    const other = board('hockey')
    other.snapshot(['puck_line', -1, { home: 3, away: 1.4 }])
    other.delta(['puck_line', -1, { draw: 4.5, home: 3.1 }])
    expect(other.rows()).toEqual([
      'handicap_3-way away 1 1.4',
      'handicap_3-way draw -1 4.5',
      'handicap_3-way home -1 3.1',
    ])
  })

  it('changes nothing when it only withdraws one that was never there', () => {
    const one = board('hockey')
    one.snapshot(['moneyline', null, { home: 1.6, away: 2.3 }])
    one.delta(['moneyline', null, { draw: 'removed' }])
    one.delta(['moneyline', null, { home: 1.7 }])
    expect(one.rows()).toEqual(['moneyline away 2.3', 'moneyline home 1.7'])
  })
})

describe('a snapshot', () => {
  it('says anew what is asked', () => {
    const one = board('hockey')
    one.snapshot(['moneyline', null, { home: 1.6, away: 2.3 }])
    one.snapshot(['moneyline', null, { home: 2, draw: 51, away: 1.97 }])
    expect(one.rows()).toEqual(threeWays)
    one.snapshot(['moneyline', null, { home: 1.6, away: 2.3 }])
    expect(one.rows()).toEqual(['moneyline away 2.3', 'moneyline home 1.6'])
    one.delta(['moneyline', null, { home: 1.7 }])
    expect(one.rows()).toEqual(['moneyline away 2.3', 'moneyline home 1.7'])
  })

  it('that leaves the draw out and sums to less than 1 is of the question with one', () => {
    const one = board('hockey')
    one.snapshot(['moneyline', null, { home: 2.1, draw: 4, away: 3.1 }])
    one.snapshot(['moneyline', null, { home: 2.2, away: 3 }])
    expect(one.rows()).toEqual(['moneyline_3-way away 3', 'moneyline_3-way home 2.2'])
  })
})

describe('the sides of three ways without their draw', () => {
  it.each([
    ['soccer', 'moneyline', null, 'moneyline_without_draw'],
    ['soccer', '1st_half_moneyline', null, '1st_half_moneyline_without_draw'],
    ['hockey', '1x2', null, 'moneyline_3-way_without_draw'],
    ['soccer', 'handicap_3-way', -1, 'handicap_3-way_without_draw'],
  ] as const)('of %s %s %s are filed as %s', (sport, name, line, filed) => {
    const one = board(sport)
    one.snapshot([name, line, { home: 1.55, away: 2.6 }])
    const own = (sign: number) => (line === null ? '' : ` ${sign * line}`)
    expect(one.rows()).toEqual([`${filed} away${own(-1)} 2.6`, `${filed} home${own(1)} 1.55`])
  })

  it.each([
    ['leave room for one', { home: 2, away: 3.9 }],
    ['have an outsider', { home: 1.02, away: 51 }],
    ['are one', { home: 1.55 }],
    ['have it beside them, unpriced', { home: 1.55, draw: 'suspended', away: 2.6 }],
  ] as const)('stay if they %s', (_, prices) => {
    const one = board('soccer')
    one.snapshot(['moneyline', null, prices])
    expect(one.rows().every((row) => /^moneyline (home|away) /.test(row))).toBe(true)
  })

  it('stay if it is a market of its own, and in a delta', () => {
    const one = board('soccer')
    one.snapshot(['moneyline', null, { home: 1.55, away: 2.6 }], ['moneyline', null, { draw: 9 }])
    one.delta(['moneyline', null, { home: 1.5, away: 2.5 }])
    expect(one.rows()).toEqual(['moneyline away 2.5', 'moneyline draw 9', 'moneyline home 1.5'])
  })

  it('are decided per line', () => {
    const one = board('soccer')
    one.snapshot(
      ['handicap_3-way', -1, { home: 2, draw: 3, away: 4 }],
      ['handicap_3-way', -2, { home: 1.9, away: 1.9 }],
    )
    expect(one.rows()).toEqual([
      'handicap_3-way away 1 4',
      'handicap_3-way draw -1 3',
      'handicap_3-way home -1 2',
      'handicap_3-way_without_draw away 2 1.9',
      'handicap_3-way_without_draw home -2 1.9',
    ])
  })

  it.each([
    ['at once', false],
    ['after a restart', false],
    ['at once', true],
  ])('have their deltas with them, %s; sides reversed: %s', (when, isReversed) => {
    const one = board('soccer', isReversed)
    one.snapshot(['moneyline', null, { home: 1.55, away: 2.6 }])
    if (when !== 'at once') one.restart()
    one.delta(['moneyline', null, { home: 1.04, away: 12 }])
    one.delta(['moneyline', null, { away: 'suspended' }])
    const [home, away] = isReversed ? ['away', 'home'] : ['home', 'away']
    const rows = [`${away} 12 suspended`, `${home} 1.04`]
    expect(one.rows()).toEqual(rows.map((row) => `moneyline_without_draw ${row}`).sort())
    one.delta(['moneyline', null, { home: 'removed' }])
    expect(one.rows()).toEqual([`moneyline_without_draw ${away} 12 suspended`])
  })

  it('stay filed in a full listing that has an outsider, or one side', () => {
    const one = board('soccer')
    one.snapshot(['moneyline', null, { home: 1.55, away: 2.6 }])
    one.snapshot(['moneyline', null, { home: 1.05, away: 12 }])
    const [away, home] = ['moneyline_without_draw away 12', 'moneyline_without_draw home 1.05']
    expect(one.rows()).toEqual([away, home])
    one.snapshot(['moneyline', null, { home: 1.05 }])
    expect(one.rows()).toEqual([home])
  })

  it.each([
    ['a delta with the draw', 'delta', { draw: 3.4 }, ['away 2.6', 'draw 3.4', 'home 1.55']],
    ['a delta with room for one', 'delta', { home: 2, away: 3.9 }, ['away 3.9', 'home 2']],
    ['a listing of three ways', 'snapshot', { home: 2, draw: 4 }, ['draw 4', 'home 2']],
    ['a listing with room', 'snapshot', { home: 2, away: 3.9 }, ['away 3.9', 'home 2']],
  ] as const)('return with %s', (_, mode, prices, rows) => {
    const one = board('soccer')
    one.snapshot(['moneyline', null, { home: 1.55, away: 2.6 }])
    one[mode](['moneyline', null, prices])
    expect(one.rows()).toEqual(rows.map((row) => `moneyline ${row}`))
  })

  it('stand beside the draw no bet of the same sportsbook', () => {
    const one = board('soccer')
    one.snapshot(
      ['moneyline', null, { home: 1.55, away: 2.6 }],
      ['draw_no_bet', null, { home: 1.5, away: 2.5 }],
    )
    one.delta(['draw_no_bet', null, { home: 1.51 }], ['moneyline', null, { home: 1.56 }])
    expect(one.rows()).toEqual([
      ...['draw_no_bet away 2.5', 'draw_no_bet home 1.51'],
      ...['moneyline_without_draw away 2.6', 'moneyline_without_draw home 1.56'],
    ])
  })
})

describe('rows of an earlier build', () => {
  const sides = (type: string, line: number | null, home: number, away: number) =>
    [
      [type, 'home', line, home],
      [type, 'away', line === null ? null : 0 - line, away],
    ] as const

  it.each([false, true])(
    'are filed anew with the first record; sides reversed: %s',
    (isReversed) => {
      const one = board('soccer', isReversed)
      one.snapshot(['odd_even', null, { odd: 2, even: 2 }])
      one.upgrade([
        ...sides('asian_handicap', -0.5, 2.05, 1.87),
        ...sides('point_spread', -1, 2, 4),
        ['point_spread', 'draw', -1, 3],
        ...sides('asian_handicap', -2, 5, 1.3),
        ['asian_handicap', 'draw', -2, 9],
        ...sides('point_spread', -1.5, 2.6, 1.5),
        ...sides('moneyline', null, 2.2, 3.3),
        ['moneyline', 'draw', null, 3.4],
      ])
      one.tick()
      const filed = [
        ...['handicap_3-way away 1 4', 'handicap_3-way away 2 1.3'],
        ...['handicap_3-way draw -1 3', 'handicap_3-way draw -2 9'],
        ...['handicap_3-way home -1 2', 'handicap_3-way home -2 5'],
        ...['moneyline away 3.3', 'moneyline draw 3.4', 'moneyline home 2.2'],
        ...['point_spread away 0.5 1.87', 'point_spread away 1.5 1.5'],
        ...['point_spread home -0.5 2.05', 'point_spread home -1.5 2.6'],
      ]
      expect(one.rows()).toEqual(filed)
      one.restart()
      one.tick()
      expect(one.rows()).toEqual(filed)
    },
  )

  it('are filed before a delta changes them', () => {
    const one = board('mma')
    one.snapshot(['odd_even', null, { odd: 2, even: 2 }])
    one.upgrade([...sides('moneyline', null, 2, 1.97), ['moneyline', 'draw', null, 51]])
    one.delta(['moneyline', null, { home: 2.1 }])
    const rows = ['away 1.97', 'draw 51', 'home 2.1'].map((row) => `moneyline_3-way ${row}`)
    expect(one.rows()).toEqual(rows)
  })

  it('close under the new name', () => {
    const one = board('soccer')
    one.snapshot(['odd_even', null, { odd: 2, even: 2 }])
    one.upgrade(sides('asian_handicap', -0.5, 2.05, 1.87))
    one.tick()
    expect(one.closes()).toEqual(['asian_handicap away withdrawn', 'asian_handicap home withdrawn'])
  })
})
