/** Outcomes in other words than ours, and outcomes that a market does not usually have. */

import { describe, expect, it } from 'vitest'
import { outcomesOf } from '../../../../pipeline/rules/odds/questions.ts'
import { board } from './board-of-one.ts'

const fight = (more: string) => ['moneyline', null, { home: 2.02, [more]: 51, away: 1.97 }] as const

describe('a third outcome of a fight', () => {
  it.each(['draw', 'tie', 'x', 'the_draw', 'd'])('called %s is the draw', (word) => {
    const one = board('mma')
    one.snapshot(fight(word))
    const rows = ['away 1.97', 'draw 51', 'home 2.02'].map((row) => `moneyline_3-way ${row}`)
    expect(one.rows()).toEqual(rows)
    one.delta(['moneyline', null, { [word]: 'removed' }], ['moneyline', null, { home: 2.1 }])
    expect(one.rows()).toEqual(['moneyline_3-way away 1.97', 'moneyline_3-way home 2.1'])
  })

  it.each(['no_contest', 'any_other', 'points_draw'])('called %s makes another', (word) => {
    const one = board('mma')
    one.snapshot(fight(word))
    one.delta(['moneyline', null, { home: 2.1 }])
    const other = 'moneyline_with_other'
    expect(one.rows()).toEqual(
      [`${other} away 1.97`, `${other} home 2.1`, `${other} ${word} 51`].sort(),
    )
    expect(outcomesOf(other, 'mma')).toBeNull()
    one.snapshot(['moneyline', null, { home: 2.1, away: 1.8 }])
    expect(one.rows()).toEqual(['moneyline away 1.8', 'moneyline home 2.1'])
  })

  it.each([false, true])(
    'that is gone leaves the fight to a whole delta (reversed: %s)',
    (isReversed) => {
      const one = board('mma', isReversed)
      const types = () => new Set(one.rows().map((row) => row.split(' ')[0]))
      one.snapshot(fight('no_contest'))
      const whole = ['moneyline', null, { home: 1.95, away: 1.87 }] as const
      one.delta(whole)
      expect(types()).toEqual(new Set(['moneyline_with_other']))
      one.delta(['moneyline', null, { no_contest: 'removed' }])
      one.delta(['moneyline', null, { home: 1.96 }])
      one.restart()
      one.delta(['moneyline', null, { home: 2.2, away: 2.1 }])
      expect(types()).toEqual(new Set(['moneyline_with_other']))
      one.delta(whole)
      expect(types()).toEqual(new Set(['moneyline']))
      one.restart()
      one.delta(['moneyline', null, { home: 2.3 }])
      expect(types()).toEqual(new Set(['moneyline']))
      expect(one.rows()).toHaveLength(2)
    },
  )

  it('that is gone leaves its own line only', () => {
    const one = board('basketball')
    one.snapshot(
      ['total_points', 220, { over: 2, push_back: 34, under: 1.98 }],
      ['total_points', 221, { over: 2, push_back: 34, under: 1.98 }],
    )
    one.delta(['total_points', 220, { push_back: 'removed' }])
    one.delta(
      ['total_points', 220, { over: 1.9, under: 1.9 }],
      ['total_points', 221, { over: 1.9, under: 1.9 }],
    )
    expect(one.rows()).toEqual([
      'total_points over 220 1.9',
      'total_points under 220 1.9',
      'total_points_with_other over 221 1.9',
      'total_points_with_other push_back 221 34',
      'total_points_with_other under 221 1.9',
    ])
  })

  it('beside a draw is a fourth', () => {
    const one = board('soccer')
    one.snapshot(['1x2', null, { home: 2, draw: 3, away: 4, abandoned: 90 }])
    const other = 'moneyline_with_other'
    expect(one.rows()).toEqual(
      ['abandoned 90', 'away 4', 'draw 3', 'home 2'].map((row) => `${other} ${row}`),
    )
  })
})

describe('a third outcome of a market of two', () => {
  const cases = [
    ['golf', 'head_to_head', null, { home: 2.02, draw: 34, away: 1.97 }],
    ['soccer', 'draw_no_bet', null, { home: 2, x: 3.4, away: 1.98 }],
    ['basketball', 'total_points', 220, { over: 2, exactly: 34, under: 1.98 }],
    ['basketball', 'total_points', 220, { over: 2, draw: 34, under: 1.98 }],
    ['basketball', 'team_total', 110, { home_over: 2, tie: 34, home_under: 1.98 }],
    ['soccer', 'both_teams_to_score', null, { yes: 2, tie: 34, no: 1.98 }],
    ['basketball', 'total_points', 220, { over: 2, push_back: 34, under: 1.98 }],
  ] as const

  it.each(cases)('%s %s %s %j is another question', (sport, type, line, prices) => {
    const one = board(sport)
    one.snapshot([type, line, prices])
    const filed = one.rows().map((row) => row.split(' ')[0] as string)
    const beside = 'push_back' in prices ? `${type}_with_other` : `${type}_3-way`
    expect(filed).toEqual([beside, beside, beside])
    expect(outcomesOf(beside, sport)).toBeNull()
    // A delta without it stays there, as does a snapshot in which it is suspended.
    const [, more, under] = Object.keys(prices) as [string, string, string]
    one.delta([type, line, { [under]: 1.9 }])
    expect(one.rows().map((row) => row.split(' ')[0])).toEqual(filed)
    one.snapshot([type, line, { ...prices, [more]: 'suspended' }])
    expect(one.rows().map((row) => row.split(' ')[0])).toEqual(filed)
    one.snapshot([
      type,
      line,
      Object.fromEntries(Object.entries(prices).filter(([of]) => of !== more)),
    ])
    expect(one.rows().map((row) => row.split(' ')[0])).toEqual([type, type])
  })

  it('affects its own rung, and its own player', () => {
    const one = board('basketball')
    const two = { over: 2, under: 1.9 }
    one.snapshot(
      ['player_points', 25, two, 'A. Guard'],
      ['player_points', 25, two, 'B. Guard'],
      ['player_points', 26, two, 'B. Guard'],
    )
    one.delta(['player_points', 25, { exactly: 15 }, 'B. Guard'])
    expect(one.rows()).toEqual([
      'player_points over 25 2',
      'player_points over 26 2',
      'player_points under 25 1.9',
      'player_points under 26 1.9',
      'player_points_3-way draw 25 15',
      'player_points_3-way over 25 2',
      'player_points_3-way under 25 1.9',
    ])
  })

  it.each(['O 220', 'More than 220', null])('is kept whatever the label: %s', (label) => {
    const one = board('basketball')
    const two = { over: 2, push_back: 34, under: 1.98 }
    one.snapshot(['total_points', 220, two, undefined, 220, label])
    one.delta(['total_points', 220, { over: 2.1 }, undefined, 220, label])
    const rows = one.rows().filter((row) => !row.includes('push_back'))
    expect(rows).toEqual([
      'total_points_with_other over 220 2.1',
      'total_points_with_other under 220 1.98',
    ])
  })

  it('is none while it has never had a price', () => {
    const one = board('basketball')
    one.snapshot(['total_points', 220, { over: 2, exactly: 'suspended', under: 1.8 }])
    expect(one.rows()).toEqual(['total_points over 220 2', 'total_points under 220 1.8'])
    one.delta(['total_points', 220, { exactly: 'removed', over: 2.1 }])
    expect(one.rows()).toEqual(['total_points over 220 2.1', 'total_points under 220 1.8'])
    const other = board('hockey')
    other.delta(['moneyline', null, { home: 1.9, tie: 'suspended', away: 1.9 }])
    expect(other.rows()).toEqual(['moneyline away 1.9', 'moneyline home 1.9'])
  })

  it.each([
    ['basketball', 'moneyline', { home: 1.9, away: 1.9, over: 2 }],
    ['soccer', '1x2', { home: 2, draw: 3, away: 4, home_draw: 1.3 }],
    ['basketball', 'total_points', { over: 1.9, under: 1.9, home_over: 2 }],
  ] as const)('is none if it is of another kind: %s %s %j', (sport, type, prices) => {
    const one = board(sport)
    one.snapshot([type, type === 'total_points' ? 220 : null, prices])
    const types = new Set(one.rows().map((row) => row.split(' ')[0]))
    expect([...types]).toEqual([type === '1x2' ? 'moneyline' : type])
  })
})

describe('outcomes in other words', () => {
  it.each([
    ['soccer', '1x2', null, ['1', 'x', '2'], 'moneyline', ['home', 'draw', 'away']],
    [
      'soccer',
      '1x2',
      null,
      ['home_team', 'tie', 'away_team'],
      'moneyline',
      ['home', 'draw', 'away'],
    ],
    ['basketball', 'h2h', null, ['team1', 'team_2'], 'moneyline', ['home', 'away']],
    ['basketball', 'totals', 220.5, ['o', 'u'], 'total_points', ['over', 'under']],
    [
      'basketball',
      'team_total',
      110.5,
      ['home_o', 'home_u'],
      'team_total',
      ['home_over', 'home_under'],
    ],
    ['soccer', 'btts', null, ['y', 'n'], 'both_teams_to_score', ['yes', 'no']],
    [
      'soccer',
      'first_team_to_score',
      null,
      ['1', '2', 'no_goal'],
      'first_team_to_score',
      ['home', 'away', 'no'],
    ],
    [
      'soccer',
      'highest_scoring_half',
      null,
      ['1h', '2h', 'tie'],
      'highest_scoring_half',
      ['1st_half', '2nd_half', 'draw'],
    ],
    [
      'soccer',
      'highest_scoring_half',
      null,
      ['first', 'second', 'draw'],
      'highest_scoring_half',
      ['1st_half', '2nd_half', 'draw'],
    ],
    [
      'soccer',
      'highest_scoring_half',
      null,
      ['1st', '2nd', 'equal'],
      'highest_scoring_half',
      ['1st_half', '2nd_half', 'draw'],
    ],
    [
      'soccer',
      'double_chance',
      null,
      ['1x', 'x2', '12'],
      'double_chance',
      ['home_draw', 'away_draw', 'home_away'],
    ],
    [
      'soccer',
      'double_chance',
      null,
      ['draw_home', 'draw_or_away', '2_1'],
      'double_chance',
      ['home_draw', 'away_draw', 'home_away'],
    ],
    [
      'soccer',
      'halftime_fulltime',
      null,
      ['1_x', 'draw_home', 'x_tie'],
      'halftime_fulltime',
      ['home_draw', 'draw_home', 'draw_draw'],
    ],
  ] as const)('%s %s %s %j', (sport, name, line, words, type, outcomes) => {
    const one = board(sport)
    one.snapshot([name, line, Object.fromEntries(words.map((word, at) => [word, 2 + at]))])
    const lined = line === null ? '' : ` ${line}`
    expect(one.rows()).toEqual(
      outcomes.map((outcome, at) => `${type} ${outcome}${lined} ${2 + at}`).sort(),
    )
  })

  it.each([
    ['soccer', 'correct_score', ['2_1', '1_1', 'x', 'any_other']],
    ['soccer', 'total_goals_range', ['1_2', '3', 'o']],
    ['soccer', 'first_goal_scorer', ['a_forward', 'none', '1']],
    ['soccer', 'winning_margin', ['home_1', '1', 'o']],
    ['soccer', 'something_of_its_own', ['1', 'x', 'o']],
  ] as const)('stay in the open market %s %s', (sport, type, words) => {
    const one = board(sport)
    one.snapshot([type, null, Object.fromEntries(words.map((word) => [word, 2]))])
    expect(one.rows()).toEqual(words.map((word) => `${type} ${word} 2`).sort())
  })

  it('of an earlier build are filed anew, and the sides beside a draw of theirs', () => {
    const one = board('mma')
    one.snapshot(['odd_even', null, { odd: 2, even: 2 }])
    one.upgrade([
      ['moneyline', 'home', null, 2],
      ['moneyline', 'tie', null, 51],
      ['moneyline', 'away', null, 1.97],
      ['draw_no_bet', 'home', 0, 1.5],
      ['double_chance', 'draw_home', null, 1.5],
    ])
    one.tick()
    expect(one.rows()).toEqual(['moneyline_3-way away 1.97', 'moneyline_3-way home 2'])
  })
})

describe('the draw of a handicap', () => {
  const rows = ['handicap_3-way away 1 3', 'handicap_3-way draw -1 4', 'handicap_3-way home -1 2']

  it.each([0, null, -1])('at %s is on the rung of the only pair of sides', (drawn) => {
    for (const isReversed of [false, true]) {
      const one = board('soccer', isReversed)
      one.snapshot(['handicap', -1, { home: 2, draw: 4, away: 3 }, undefined, drawn])
      const turned = [
        'handicap_3-way away -1 2',
        'handicap_3-way draw 1 4',
        'handicap_3-way home 1 3',
      ]
      expect(one.rows()).toEqual(isReversed ? turned : rows)
    }
  })

  it.each([-2, 1])('at another line, or with the sign of away, contradicts them: %s', (drawn) => {
    const one = board('soccer')
    one.snapshot(['handicap', -1, { home: 2, draw: 4, away: 3 }, undefined, drawn])
    expect(one.rows()).toEqual([])
  })

  it.each([0, null, -1])('at %s is found by a delta without its sides', (drawn) => {
    for (const isReversed of [false, true]) {
      const drawAt = (state: string) => `handicap_3-way draw ${isReversed ? 1 : -1} ${state}`
      const one = board('soccer', isReversed)
      const say = (draw: number | 'removed' | 'suspended') => {
        one.delta(['handicap', -1, { draw }, undefined, drawn])
        return one.rows().filter((row) => row.includes('draw'))
      }
      one.snapshot(['handicap', -1, { home: 2, draw: 4, away: 3 }, undefined, drawn])
      expect(say(4.5)).toEqual([drawAt('4.5')])
      one.restart()
      expect(say('suspended')).toEqual([drawAt('4.5 suspended')])
      expect(say('removed')).toEqual([])
    }
  })

  it('without a line goes with its sides where they are withdrawn', () => {
    const one = board('soccer')
    one.snapshot(
      ['handicap', -1, { home: 2, draw: 4, away: 3 }, undefined, 0],
      ['handicap', 1, { home: 1.3, draw: 5, away: 7 }, undefined, 0],
    )
    const gone = { home: 'removed', draw: 'removed', away: 'removed' } as const
    one.delta(['handicap', -1, gone, undefined, 0])
    expect(one.rows().map((row) => row.split(' ')[2])).toEqual(['-1', '1', '1'])
  })

  it('at 0 is of a handicap of 0 if there is one', () => {
    const one = board('soccer')
    one.snapshot(['handicap', -1, { home: 2, draw: 4, away: 3 }])
    one.delta(['handicap', 0, { home: 2.7, draw: 3.1 }])
    one.delta(['handicap', 0, { draw: 3.2 }])
    expect(one.rows().filter((row) => row.includes('draw'))).toEqual([
      'handicap_3-way draw -1 4',
      'handicap_3-way draw 0 3.2',
    ])
  })

  it('of the opposite handicap is never replaced', () => {
    const one = board('soccer')
    one.snapshot(
      ['handicap', -1, { home: 2, draw: 4, away: 3 }],
      ['handicap', 1, { home: 1.3, draw: 5, away: 7 }],
    )
    one.delta(['handicap', 1, { draw: 5.2 }])
    expect(one.rows().filter((row) => row.includes('draw'))).toEqual([
      'handicap_3-way draw -1 4',
      'handicap_3-way draw 1 5.2',
    ])
  })
})

describe('a line of 0', () => {
  it.each([
    ['basketball', 'moneyline', { home: 2, away: 1.9 }],
    ['soccer', '1x2', { home: 2, away: 4, draw: 3 }],
    ['golf', 'head_to_head', { home: 2, away: 1.9 }],
    ['soccer', 'both_teams_to_score', { yes: 2, no: 1.9 }],
  ] as const)('is none: %s %s', (sport, type, prices) => {
    const one = board(sport)
    one.snapshot([type, 0, prices])
    const lined = one.rows()
    one.snapshot([type, null, prices])
    expect(lined).toEqual(one.rows())
  })

  it('is a line where the question has one', () => {
    const one = board('basketball')
    one.snapshot(['spread', 0, { home: 2, away: 1.9 }])
    expect(one.rows()).toEqual(['point_spread away 0 1.9', 'point_spread home 0 2'])
  })
})
