import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { teamOf } from '../../../../pipeline/rules/odds/outcome-sets.ts'
import {
  flipLine,
  flipSelectionType,
  homeLine,
  isHandicap,
  middleKind,
  outcomesOf,
  rungKey,
} from '../../../../pipeline/rules/odds/questions.ts'
import { markets } from '../../../../schemas/reference/markets.ts'

const twoWays = [['home', 'away']]
const threeWays = [['home', 'away', 'draw']]

describe('outcomes', () => {
  it('never takes a soccer moneyline as two-way', () => {
    for (const type of ['moneyline', '1st_half_moneyline', '2nd_half_moneyline']) {
      expect(outcomesOf(type, 'soccer')).toEqual(threeWays)
    }
  })

  it('takes a moneyline elsewhere, and a handicap, as two-way: with a draw they are of another type', () => {
    expect(outcomesOf('moneyline', 'hockey')).toEqual(twoWays)
    expect(outcomesOf('1st_half_moneyline', 'basketball')).toEqual(twoWays)
    expect(outcomesOf('point_spread', 'soccer')).toEqual(twoWays)
    expect(outcomesOf('puck_line', 'hockey')).toEqual(twoWays)
  })

  it('needs the draw where the type is registered with one', () => {
    for (const type of ['moneyline_3-way', '1st_period_moneyline_3-way']) {
      expect(outcomesOf(type, 'hockey')).toEqual(threeWays)
    }
    expect(outcomesOf('most_corners', 'soccer')).toEqual(threeWays)
  })

  it('has two ways if a draw returns the stakes or cannot happen', () => {
    expect(outcomesOf('draw_no_bet', 'soccer')).toEqual(twoWays)
    expect(outcomesOf('to_qualify', 'soccer')).toEqual(twoWays)
    expect(outcomesOf('1st_set_moneyline', 'tennis')).toEqual(twoWays)
  })

  it('keeps the two teams of a team market apart', () => {
    const totals = [
      ['home_over', 'home_under'],
      ['away_over', 'away_under'],
    ]
    expect(outcomesOf('team_total_goals', 'soccer')).toEqual(totals)
    expect(outcomesOf('1st_half_team_total', 'basketball')).toEqual(totals)
    const answers = [
      ['home_yes', 'home_no'],
      ['away_yes', 'away_no'],
    ]
    for (const type of ['clean_sheet', 'to_win_to_nil', '1st_half_team_to_score']) {
      expect(outcomesOf(type, 'soccer')).toEqual(answers)
    }
    expect(outcomesOf('both_halves_goal_scored', 'soccer')).toEqual([['yes', 'no'], ...answers])
  })

  it('pairs over with under, yes with no, odd with even', () => {
    expect(outcomesOf('total_points', 'basketball')).toEqual([['over', 'under']])
    expect(outcomesOf('player_points', 'basketball')).toEqual([['over', 'under']])
    expect(outcomesOf('both_teams_to_score', 'soccer')).toEqual([['yes', 'no']])
    expect(outcomesOf('anytime_goal_scorer', 'soccer')).toEqual([['yes', 'no']])
    expect(outcomesOf('1st_half_total_goals_odd_even', 'soccer')).toEqual([['odd', 'even']])
  })

  it('counts nobody as an outcome of who scores first if a game may end scoreless', () => {
    expect(outcomesOf('first_team_to_score', 'soccer')).toEqual([['home', 'away', 'no']])
    expect(outcomesOf('1st_half_first_team_to_score', 'soccer')).toEqual([['home', 'away', 'no']])
    expect(outcomesOf('first_team_to_score', 'football')).toBeNull()
  })

  it.each([
    'correct_score',
    'halftime_fulltime',
    'match_result_both_teams_to_score',
    'match_result_total_goals',
    'double_chance',
    'exact_total_goals',
    'total_goals_range',
    'winning_margin',
    'method_of_victory',
    'outright',
    'season_wins',
    'make_playoffs',
    'game_prop',
    'binary',
    'race_to',
    'a_type_nobody_listed',
  ])('has no closed set for %s', (type) => {
    expect(outcomesOf(type, 'soccer')).toBeNull()
  })

  it('has sets of two or three different outcomes, and the same array each time', () => {
    for (const { id, sports } of markets) {
      for (const sport of sports) {
        const sets = outcomesOf(id, sport)
        expect(outcomesOf(id, sport)).toBe(sets)
        for (const set of sets ?? []) {
          expect(new Set(set).size).toBe(set.length)
          expect([2, 3]).toContain(set.length)
        }
      }
    }
  })
})

/**
 * Written by hand from the interface (2.4, 2.10) and the supplement (5.8, the families of
 * `selection_type`), in basketball unless stated: whether sides have lines of their own (`own` if
 * home's and away's are opposite), the complete sets, and the kind of middle that two lines make.
 */
const asked: readonly (readonly [string, 'own' | 'shared', string, 'margin' | 'total' | null])[] = [
  ['moneyline', 'own', 'home away', null],
  ['soccer moneyline', 'own', 'home away draw', null],
  ['soccer 1st_half_moneyline', 'own', 'home away draw', null],
  ['hockey moneyline_3-way', 'own', 'home away draw', null],
  ['point_spread', 'own', 'home away', 'margin'],
  ['1st_half_point_spread', 'own', 'home away', 'margin'],
  ['hockey puck_line', 'own', 'home away', 'margin'],
  ['baseball run_line', 'own', 'home away', 'margin'],
  ['tennis set_handicap', 'own', 'home away', 'margin'],
  ['soccer asian_handicap', 'own', 'home away', 'margin'],
  ['soccer asian_handicap_corners', 'own', 'home away', 'margin'],
  ['total_points', 'shared', 'over under', 'total'],
  ['soccer total_goals', 'shared', 'over under', 'total'],
  ['tennis 1st_set_total_games', 'shared', 'over under', 'total'],
  ['soccer total_corners', 'shared', 'over under', 'total'],
  ['team_total', 'shared', 'home_over home_under, away_over away_under', 'total'],
  ['soccer team_total_goals', 'shared', 'home_over home_under, away_over away_under', 'total'],
  ['soccer team_total_corners', 'shared', 'home_over home_under, away_over away_under', 'total'],
  ['player_points', 'shared', 'over under', 'total'],
  ['player_double_double', 'shared', 'yes no', null],
  ['soccer player_to_be_booked', 'shared', 'yes no', null],
  ['soccer anytime_goal_scorer', 'shared', 'yes no', null],
  ['soccer both_teams_to_score', 'shared', 'yes no', null],
  ['overtime', 'shared', 'yes no', null],
  ['odd_even', 'shared', 'odd even', null],
  ['soccer total_goals_odd_even', 'shared', 'odd even', null],
  ['soccer draw_no_bet', 'own', 'home away', null],
  ['soccer to_qualify', 'own', 'home away', null],
  ['golf head_to_head', 'own', 'home away', null],
  ['soccer most_corners', 'own', 'home away draw', null],
  ['soccer clean_sheet', 'shared', 'home_yes home_no, away_yes away_no', null],
  ['soccer team_to_score', 'shared', 'home_yes home_no, away_yes away_no', null],
  ['soccer first_team_to_score', 'shared', 'home away no', null],
  ['football first_team_to_score', 'shared', '', null],
  ['soccer highest_scoring_half', 'shared', '1st_half 2nd_half draw', null],
  ['soccer double_chance', 'shared', '', null],
  ['soccer correct_score', 'shared', '', null],
  ['soccer halftime_fulltime', 'shared', '', null],
  ['soccer match_result_total_goals', 'shared', '', null],
  ['winning_margin', 'shared', '', null],
  ['race_to', 'shared', '', null],
  ['race_to_points', 'shared', '', null],
  ['mma round_betting', 'shared', '', null],
  ['season_wins', 'shared', '', null],
  ['game_prop', 'shared', '', null],
  ['european_handicap', 'own', '', null],
  ['player_dunks', 'shared', '', null],
]

describe('a market', () => {
  it.each(asked)(
    'of %s has %s lines, the sets %j and the middles %s',
    (market, lines, sets, middles) => {
      const [type = '', sport = 'basketball'] = market.split(' ').reverse()
      const found = outcomesOf(type, sport)
        ?.map((set) => set.join(' '))
        .join(', ')
      expect([isHandicap(type), found ?? '', middleKind(type)]).toEqual([
        lines === 'own',
        sets,
        middles,
      ])
    },
  )

  it('has the sides of a handicap on the rung that home names', () => {
    expect(homeLine('point_spread', 'home', -1.5)).toBe(-1.5)
    expect(homeLine('point_spread', 'away', 1.5)).toBe(-1.5)
    expect(homeLine('moneyline_3-way', 'draw', -1)).toBe(-1)
    expect(homeLine('moneyline_3-way', 'away', 1)).toBe(-1)
    expect(homeLine('point_spread', 'away', 0)).toBe(0)
    expect(homeLine('race_to_points', 'away', 20)).toBe(20)
    expect(homeLine('team_total', 'away_over', 110.5)).toBe(110.5)
    expect(homeLine('point_spread', 'away', null)).toBeNull()
  })

  it.each([
    ['home_over', 'home'],
    ['away_under', 'away'],
    ['away_yes', 'away'],
    ['home_odd', 'home'],
    ['over', null],
    ['home', null],
    ['home_draw', null],
    ['home_r1', null],
    ['draw_over', null],
  ])('has the outcome %s about the team %s', (selectionType, team) => {
    expect(teamOf(selectionType)).toBe(team)
  })

  it('has one key for the outcomes of a rung, and others for other players, teams and lines', () => {
    const key = (selectionType: string, line: number | null, playerName: string | null = null) =>
      rungKey('point_spread', { selectionType, line, playerName })
    expect(key('home', -1.5)).toBe(key('away', 1.5))
    const keys = [key('home', -1.5), key('home', 1.5), key('home', null), key('home', -1.5, 'Ann')]
    const teams = ['home_over', 'away_over', 'over'].map((type) => key(type, 110.5))
    expect(new Set([...keys, ...teams]).size).toBe(7)
  })
})

describe('every market type, listed or not', () => {
  const types = [
    ...markets.map(({ id }) => id),
    ...['race_to_points', 'european_handicap', 'moneyline_2-way', 'player_dunks', 'map_betting'],
  ]
  const answersOf = (type: string) => [
    ...(outcomesOf(type, 'soccer') ?? []).flat(),
    ...['home', 'away', 'draw', 'over', 'home_over', 'away_no', 'home_away', 'draw_home', '2_1'],
  ]
  const lines = [null, 0, 1.5, -20]

  it('reads the same when home and away are exchanged twice', () => {
    for (const type of types) {
      for (const answer of answersOf(type)) {
        const flipped = flipSelectionType(answer, type)
        expect([type, flipSelectionType(flipped, type)]).toEqual([type, answer])
        for (const line of lines) {
          expect([type, flipLine(flipped, flipLine(answer, line, type), type)]).toEqual([
            type,
            line,
          ])
        }
      }
    }
  })

  it('has all outcomes of a complete set on one rung, before and after an exchange', () => {
    for (const type of types) {
      for (const set of outcomesOf(type, 'soccer') ?? []) {
        for (const rung of lines) {
          const own = set.map((answer) => ({ answer, line: homeLine(type, answer, rung) }))
          const flipped = own.map(({ answer, line }) => ({
            answer: flipSelectionType(answer, type),
            line: flipLine(answer, line, type),
          }))
          for (const rows of [own, flipped]) {
            const keys = rows.map(({ answer, line }) =>
              rungKey(type, { selectionType: answer, line, playerName: null }),
            )
            expect([type, new Set(keys).size]).toEqual([type, 1])
          }
          expect(own.map(({ answer, line }) => homeLine(type, answer, line))).toEqual(
            set.map(() => rung),
          )
        }
      }
    }
  })
})

describe('exchanging home and away', () => {
  it.each([
    ['home', 'away'],
    ['home_over', 'away_over'],
    ['home_draw', 'away_draw'],
    ['draw_home', 'draw_away'],
    ['home_r1', 'away_r1'],
    ['home_away', 'away_home'],
  ])('turns %s into %s and back', (one, other) => {
    expect(flipSelectionType(one, 'moneyline')).toBe(other)
    expect(flipSelectionType(other, 'moneyline')).toBe(one)
  })

  it.each(['draw', 'over', 'under', 'yes', '1_1', 'homestead', 'other', '2_1_0'])(
    'leaves %s unchanged',
    (type) => expect(flipSelectionType(type, 'moneyline')).toBe(type),
  )

  it.each(['double_chance', '1st_half_double_chance'])(
    'leaves either side winning in %s unchanged',
    (market) => {
      expect(flipSelectionType('home_away', market)).toBe('home_away')
      expect(flipSelectionType('home_draw', market)).toBe('away_draw')
    },
  )

  it.each(['correct_score', '1st_half_correct_score', '1st_set_correct_score', 'set_betting'])(
    'turns the scores of %s',
    (market) => {
      expect(flipSelectionType('2_1', market)).toBe('1_2')
      expect(flipSelectionType('10_0', market)).toBe('0_10')
      expect(flipSelectionType('1_1', market)).toBe('1_1')
    },
  )

  it.each(['goals_range', 'total_goals_range', 'moneyline', 'round_betting', 'team_to_score'])(
    'leaves the ranges of %s unchanged',
    (market) => expect(flipSelectionType('2_3', market)).toBe('2_3'),
  )

  it.each(['constructor', 'toString', '__proto__', 'home_constructor'])(
    'takes %s, a name that every object has, as a word',
    (type) => {
      expect(flipSelectionType(type, 'moneyline')).toBe(type.replace('home', 'away'))
    },
  )

  it('leaves a line that is no handicap unchanged', () => {
    expect(flipLine('draw', 20, 'race_to')).toBe(20)
    expect(flipLine('draw', 10, 'total_corners')).toBe(10)
  })

  it('negates the line of a draw, which is home’s, and no side’s own', () => {
    expect(flipLine('draw', -1, 'point_spread')).toBe(1)
    expect(flipLine('draw', -1, 'moneyline_3-way')).toBe(1)
    expect(flipLine('draw', 0, 'point_spread')).toBe(0)
    expect(flipLine('home', -1.5, 'point_spread')).toBe(-1.5)
    expect(flipLine('draw', null, 'point_spread')).toBeNull()
  })

  it('twice changes nothing', () => {
    const word = fc.constantFrom('home', 'away', 'draw', 'over', 'yes', 'r1', '2', '10', 'other')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const type = words.join('_')
        const twice = flipSelectionType(flipSelectionType(type, 'correct_score'), 'correct_score')
        expect([type, twice]).toEqual([type, type])
      }),
      { numRuns: 2_000 },
    )
  })
})
