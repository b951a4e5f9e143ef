import { describe, expect, it } from 'vitest'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import {
  expandMarketFilter,
  findMarket,
  type Market,
  mainMarketType,
  marketAliases,
  markets,
  questionOf,
  slugMarket,
} from '../../../schemas/reference/markets.ts'
import { sports } from '../../../schemas/reference/sports.ts'
import { expectDense, handedOut } from './numerical-ids.ts'

const catalogue = [
  'moneyline',
  'point_spread',
  'total_points',
  'team_total',
  'player_prop',
  'game_prop',
  'future',
  '1st_half',
  '1st_quarter',
]

const knownAnswers: readonly Answers[] = [
  'winner',
  'handicap',
  'two_ways',
  'three_ways',
  'over_under',
  'yes_no',
  'odd_even',
  'team_over_under',
  'team_yes_no',
  'game_or_team_yes_no',
  'first_to_score',
  'half',
  'score',
  'double_chance',
  'open',
  'various',
]

describe('markets', () => {
  it('begin with the nine of the catalogue', () => {
    expect(markets.slice(0, 9).map(({ id }) => id)).toEqual(catalogue)
    expectDense(markets)
    expect(new Set(markets.map(({ id }) => id)).size).toBe(markets.length)
  })

  it('keep the numbers that were handed out', () => {
    expect(handedOut(markets, 454)).toBe('96c9ffcd5895ff29')
  })

  it('hold only known columns with known values', () => {
    const known = new Set(sports.map(({ id }) => id))
    const columns = new Set(Object.keys(markets[0]!))
    for (const market of markets) {
      const { id, category, answers, counts, aliases, sports, name, description } = market
      expect(columns, id).toEqual(new Set(Object.keys(market)))
      expect(catalogue, id).toContain(category)
      expect(knownAnswers, id).toContain(answers)
      expect(['score', 'occurrences', 'statistic', 'games', null], id).toContain(counts)
      for (const alias of aliases) expect(['main', 'spread', 'total', 'props'], id).toContain(alias)
      expect(sports.length, id).toBeGreaterThan(0)
      for (const sport of sports) expect(known, id).toContain(sport)
      expect(name && description, id).toBeTruthy()
    }
  })

  it('are handicaps if one side gives what the other takes', () => {
    const isNamedHandicap = (id: string) =>
      /(point_spread|puck_line|run_line|handicap)(_(?!3-way)|$)/.test(id)
    for (const { id, answers } of markets) {
      expect([id, answers === 'handicap']).toEqual([id, isNamedHandicap(id)])
    }
  })

  it('have for a part of the game the question of the whole', () => {
    for (const market of markets) {
      const whole = findMarket(market.base)
      if (!whole) continue
      const columnsOf = ({ answers, counts, usualCount, hasLine, isPlayerProp }: Market) => {
        return { answers, counts, usualCount, hasLine, isPlayerProp }
      }
      // Games count differently within a set, and there is no model for that.
      const counts = whole.counts === 'games' && market !== whole ? null : whole.counts
      expect([market.id, columnsOf(market)]).toEqual([market.id, { ...columnsOf(whole), counts }])
    }
  })

  it('have the usual number of occurrences if they are handicapped', () => {
    for (const { id, answers, counts, usualCount } of markets) {
      const isNeeded = answers === 'handicap' && counts === 'occurrences'
      expect([id, usualCount !== null]).toEqual([id, isNeeded])
    }
  })

  it('name the type that rows carry if they are another name of it', () => {
    const named = markets.filter(({ sameAs }) => sameAs !== null)
    const bases = new Map(named.map(({ base, sameAs }) => [base, findMarket(sameAs!)?.base]))
    expect(Object.fromEntries(bases)).toEqual({
      asian_handicap: 'point_spread',
      total_points_odd_even: 'odd_even',
      total_goals_odd_even: 'odd_even',
      total_runs_odd_even: 'odd_even',
      to_win_to_nil: 'team_to_win_to_nil',
      team_clean_sheet: 'clean_sheet',
      corner_match_bet: 'most_corners',
    })
    // Each part of the game is joined as the whole is.
    for (const { id, base, sameAs } of markets)
      expect([id, sameAs !== null]).toEqual([id, bases.has(base)])
    for (const { id, sameAs, answers, counts, period } of named) {
      expect(findMarket(sameAs!), id).toMatchObject({ answers, counts, period, sameAs: null })
      expect(expandMarketFilter(id)).toEqual([sameAs])
    }
  })

  it('start a segment type with its period', () => {
    for (const { id, period } of markets) {
      if (period === 'game') expect(id).not.toMatch(/^\d(st|nd|rd|th)_/)
      else expect(id.startsWith(period), id).toBe(true)
    }
  })

  it('have a line if the outcomes are over and under, or of a handicap', () => {
    for (const { id, answers, hasLine } of markets) {
      if (/over_under$/.test(answers) || answers === 'handicap') expect(hasLine, id).toBe(true)
    }
  })

  it('call every player type a player prop', () => {
    for (const { id, isPlayerProp, aliases } of markets) {
      if (id.startsWith('player_')) expect(isPlayerProp, id).toBe(true)
      expect([id, aliases.includes('props')]).toEqual([id, id.startsWith('player_')])
    }
    expect(findMarket('1st_half_player_shots')?.isPlayerProp).toBe(true)
    expect(findMarket('anytime_goal_scorer')?.isPlayerProp).toBe(true)
    expect(findMarket('total_points')?.isPlayerProp).toBe(false)
    expect(findMarket('player_points')?.statistic).toBe('points')
    expect(findMarket('1st_half_player_shots')?.statistic).toBe('shots')
  })
})

describe('expandMarketFilter', () => {
  it('expands the four aliases', () => {
    expect(expandMarketFilter('main')).toEqual(['moneyline', 'point_spread', 'total_points'])
    expect(expandMarketFilter('Spread')).toEqual([
      'point_spread',
      'puck_line',
      'run_line',
      'set_handicap',
    ])
    expect(expandMarketFilter('total')).toEqual([
      'total_points',
      'total_goals',
      'total_runs',
      'total_games',
      'total_rounds',
      'team_total',
    ])
    expect(expandMarketFilter('props')).toContain('player_points')
    expect(expandMarketFilter('props')).not.toContain('anytime_goal_scorer')
    for (const id of Object.values(marketAliases).flat()) expect(findMarket(id), id).toBeDefined()
  })

  it('takes an exact type as itself and anything else as unknown', () => {
    expect(expandMarketFilter('puck_line')).toEqual(['puck_line'])
    expect(expandMarketFilter('POINT_SPREAD')).toEqual(['point_spread'])
    expect(expandMarketFilter('spreads')).toBeUndefined()
    expect(expandMarketFilter('constructor')).toBeUndefined()
  })

  it('accepts types of rows before they are registered', () => {
    const onBoard = () => new Set(['player_dunks', 'largest_lead'])
    expect(expandMarketFilter('largest_lead', onBoard)).toEqual(['largest_lead'])
    expect(expandMarketFilter('props', onBoard)).toContain('player_dunks')
    expect(expandMarketFilter('props', onBoard)).not.toContain('largest_lead')
  })
})

describe('mainMarketType', () => {
  it.each([
    ['hockey', 'spread', 'game', 'puck_line'],
    ['baseball', 'spread', 'game', 'run_line'],
    ['baseball', 'total', 'game', 'total_runs'],
    ['soccer', 'spread', 'game', 'point_spread'],
    ['soccer', 'total', 'game', 'total_goals'],
    ['soccer', 'team_total', '1st_half', '1st_half_team_total_goals'],
    ['hockey', 'total', '1st_period', '1st_period_total_goals'],
    ['tennis', 'spread', 'game', 'set_handicap'],
    ['tennis', 'spread', '1st_set', '1st_set_game_handicap'],
    ['tennis', 'total', 'game', 'total_games'],
    ['basketball', 'spread', '1st_half', '1st_half_point_spread'],
    ['football', 'total', 'game', 'total_points'],
    ['football', 'team_total', 'game', 'team_total'],
    ['mma', 'total', 'game', 'total_rounds'],
    ['australian_rules', 'spread', 'game', 'point_spread'],
    ['baseball', 'moneyline', '1st_5_innings', '1st_5_innings_moneyline'],
    ['kabaddi', 'total', 'game', 'total_points'],
  ] as const)('names the %s %s of the %s %s', (sport, kind, period, id) => {
    expect(mainMarketType(sport, kind, period)).toBe(id)
  })

  it('names only listed types for the whole game', () => {
    for (const { id } of sports) {
      for (const kind of ['moneyline', 'spread', 'total', 'team_total'] as const) {
        expect(findMarket(mainMarketType(id, kind))).toBeDefined()
      }
    }
  })
})

describe('main lines of segments', () => {
  it.each([
    ['basketball', ['1st_half', '2nd_half', '1st_quarter', '4th_quarter']],
    ['football', ['1st_half', '2nd_half', '1st_quarter', '4th_quarter']],
    ['australian_rules', ['1st_half', '1st_quarter']],
    ['lacrosse', ['1st_half', '1st_quarter']],
    ['rugby', ['1st_half']],
    ['rugby_league', ['1st_half']],
    ['soccer', ['1st_half', '2nd_half']],
    ['hockey', ['1st_period', '2nd_period', '3rd_period']],
    ['baseball', ['1st_inning', '1st_3_innings', '1st_5_innings', '1st_7_innings']],
    ['tennis', ['1st_set', '2nd_set', '3rd_set']],
  ])('of %s are listed for the sport', (sport, periods) => {
    for (const period of periods) {
      for (const kind of ['moneyline', 'spread', 'total', 'team_total'] as const) {
        const type = mainMarketType(sport, kind, period)
        expect(findMarket(type)?.sports, type).toContain(sport)
        expect(findMarket(type)?.period).toBe(period)
      }
    }
  })
})

describe('what a market asks', () => {
  it('is in the columns of a listed type', () => {
    for (const market of markets) expect(questionOf(market.id)).toBe(market)
  })

  it.each([
    ['3rd_half_spread', 'handicap'],
    ['european_handicap', 'handicap'],
    ['player_handicap_points', 'handicap'],
    ['moneyline_2-way', 'winner'],
    ['4th_inning_double_chance', 'double_chance'],
    ['final_score', 'score'],
    ['map_betting', 'score'],
    ['race_to_points', 'open'],
    ['spreadsheet', 'open'],
    ['team_total_dunks', 'open'],
    ['constructor', 'open'],
  ] as const)('is guessed for %s, which is unlisted: %s', (id, answers) => {
    expect(findMarket(id)).toBeUndefined()
    expect(questionOf(id).answers).toBe(answers)
  })

  it('is about a player if the name says so', () => {
    for (const id of ['player_dunks', '3rd_quarter_player_dunks']) {
      expect(questionOf(id).isPlayerProp, id).toBe(true)
    }
    expect(questionOf('best_of_players').isPlayerProp).toBe(false)
  })
})

describe('slugMarket', () => {
  it.each([
    ['Player Goals + Assists', 'player_goals_+_assists'],
    ['1st Half Moneyline 3-Way', '1st_half_moneyline_3-way'],
    ['Total Points (Odd/Even)', 'total_points_odd_even'],
    ['Runs - Inning 1', 'runs_inning_1'],
    ['', 'unknown'],
    ['--', 'unknown'],
  ])('turns %j into %s', (text, slug) => {
    expect(slugMarket(text)).toBe(slug)
  })

  it('leaves every listed id as it is', () => {
    for (const { id } of markets) expect(slugMarket(id)).toBe(id)
  })
})
