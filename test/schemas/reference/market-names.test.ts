import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findMarketNamed,
  marketsNamed,
  marketTypeOf,
  partNamed,
  possibleMarkets,
} from '../../../schemas/reference/market-names.ts'
import { findMarket, mainMarketType, markets } from '../../../schemas/reference/markets.ts'
import { sports } from '../../../schemas/reference/sports.ts'

const spreads = [
  'spread',
  'Spreads',
  'SPREAD',
  'handicap',
  'Handicaps',
  'point_spread',
  'Point Spread',
  'alternate_spreads',
  'spreads_alternate',
  'Alt Spread',
  'Handicap - Including Overtime',
  'full game spread',
]
const totals = [
  'total',
  'Totals',
  'TOTAL',
  'Over/Under',
  'over under',
  'over_under',
  'Over-Under',
  'O/U',
  'total_points',
  'alternate_totals',
  'Match Total',
  'Totals (Over/Under)',
]
const winners = [
  'h2h',
  'H2H',
  'ml',
  'ML',
  'moneyline',
  'Moneyline',
  'MoneyLine',
  'money_line',
  'Money Line',
  'match_winner',
  'matchWinner',
  'Match Winner',
  'match-winner',
  'Head to Head',
  'Full Game Winner',
]
const threeWays = ['1x2', '1X2', '3-way', 'moneyline_3-way', 'Moneyline 3 Way', 'Full Time Result']

const spreadOf: Record<string, string> = {
  basketball: 'point_spread',
  football: 'point_spread',
  hockey: 'puck_line',
  baseball: 'run_line',
  soccer: 'point_spread',
  rugby: 'point_spread',
  rugby_league: 'point_spread',
  australian_rules: 'point_spread',
  lacrosse: 'point_spread',
  cricket: 'point_spread',
  esports: 'map_handicap',
  snooker: 'frame_handicap',
}
const totalOf: Record<string, string> = {
  basketball: 'total_points',
  football: 'total_points',
  hockey: 'total_goals',
  baseball: 'total_runs',
  soccer: 'total_goals',
  lacrosse: 'total_goals',
  tennis: 'total_games',
  cricket: 'total_runs',
  mma: 'total_rounds',
  boxing: 'total_rounds',
  esports: 'total_maps',
  snooker: 'total_frames',
  darts: 'total_legs',
  table_tennis: 'total_points',
}
const table = (names: readonly string[], types: Readonly<Record<string, string>>) =>
  names.flatMap((name) => Object.entries(types).map(([sport, id]) => [name, sport, id] as const))

describe('a name of a main market', () => {
  it.each(table(spreads, spreadOf))('%s of %s is %s', (name, sport, id) => {
    // Soccer's own rule excludes overtime, so that name is another question there.
    const isOther = sport === 'soccer' && /overtime/i.test(name)
    expect(findMarketNamed(name, sport)).toBe(isOther ? undefined : id)
  })
  it.each(table(totals, totalOf))('%s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
  it.each(winners)('%s is the moneyline of every sport', (name) => {
    for (const { id: sport } of sports) {
      const isOwn = /to.head/i.test(name) && findMarket('head_to_head')?.sports.includes(sport)
      expect([sport, findMarketNamed(name, sport)]).toEqual([
        sport,
        isOwn ? 'head_to_head' : 'moneyline',
      ])
    }
  })
  it.each(threeWays)(
    '%s has a draw: in soccer the moneyline, elsewhere a market of its own',
    (name) => {
      for (const { id: sport } of sports) {
        const isListed = sport !== 'soccer' && findMarket('moneyline_3-way')?.sports.includes(sport)
        expect([sport, findMarketNamed(name, sport)]).toEqual([
          sport,
          isListed ? 'moneyline_3-way' : 'moneyline',
        ])
      }
    },
  )
  it.each([
    ['team_totals', 'basketball', 'team_total'],
    ['team_total', 'baseball', 'team_total_runs'],
    ['Team Total', 'hockey', 'team_total_goals'],
    ['alternate_team_totals', 'soccer', 'team_total_goals'],
  ])('%s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })

  it('is the same whatever its case, blanks, hyphens and slashes', () => {
    const separators = fc.constantFrom(' ', '_', '-', '/', '  ', ' - ', '.')
    const words = fc.constantFrom(['over', 'under'], ['match', 'winner'], ['point', 'spread'])
    fc.assert(
      fc.property(words, separators, fc.boolean(), (name, separator, isLoud) => {
        const spelling = name.map((word) => (isLoud ? word.toUpperCase() : word)).join(separator)
        for (const { id } of sports) {
          expect(findMarketNamed(spelling, id)).toBe(findMarketNamed(name.join('_'), id))
        }
      }),
    )
  })

  it.each([
    ['football', 'Total FG'],
    ['football', 'FG Over/Under'],
    ['football', 'Team Total FG'],
    ['football', '1st Half FG Total'],
    ['basketball', 'Total FT'],
    ['basketball', 'FG Over/Under'],
    ['rugby_league', 'Total FG'],
  ])('may count field goals or free throws: %s %s is no total of points', (sport, name) => {
    expect(findMarketNamed(name, sport)).toBeUndefined()
  })
  it.each([
    ['football', 'FG Spread', 'point_spread'],
    ['football', 'FG Moneyline', 'moneyline'],
    ['basketball', 'Total Points FG', 'total_points'],
    ['basketball', 'Money Line FT', 'moneyline'],
    ['baseball', 'FG Total', 'total_runs'],
    ['soccer', 'FT Total', 'total_goals'],
    ['hockey', 'FT Over/Under', 'total_goals'],
  ])('is of the whole game where nothing else is meant: %s %s', (sport, name, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })

  it.each(['Moneyline 2-Way', '2-way moneyline', 'Home/Away', '12'])(
    '%s is the winner, in soccer no moneyline, which has a draw',
    (name) => {
      for (const { id: sport } of sports) {
        const id = sport === 'soccer' ? undefined : 'moneyline'
        expect([sport, findMarketNamed(name, sport)]).toEqual([sport, id])
      }
      expect(possibleMarkets(name, 'soccer')).toEqual(['draw_no_bet', 'to_qualify'])
      expect(possibleMarkets(name, 'tennis')).toEqual([])
    },
  )

  it('means neither of two if a sport has both', () => {
    for (const sport of ['tennis', 'table_tennis', 'darts']) {
      expect(findMarketNamed('spread', sport)).toBeUndefined()
      expect(possibleMarkets('Handicap', sport).length).toBeGreaterThan(1)
    }
    expect(possibleMarkets('spread', 'tennis')).toEqual(['set_handicap', 'game_handicap'])
    expect(findMarketNamed('Game Handicap', 'tennis')).toBe('game_handicap')
    expect(findMarketNamed('set handicap', 'tennis')).toBe('set_handicap')
    expect(findMarketNamed('Set 1 Handicap', 'tennis')).toBe('1st_set_game_handicap')
    expect(possibleMarkets('foo', 'tennis')).toEqual([])
  })
})

describe('a game', () => {
  const ofGames = [
    'tennis',
    'table_tennis',
    'esports',
    'volleyball',
    'badminton',
    'padel',
    'squash',
  ]

  it.each(['Game Winner', 'game_winner', 'Game Moneyline', 'Game Result', 'Winner (Game)'])(
    'is the whole of one game, and of a match a part that no type is about: %s',
    (name) => {
      for (const sport of ['soccer', 'basketball', 'baseball', 'hockey', 'football', 'mma'])
        expect([sport, findMarketNamed(name, sport)]).toEqual([sport, 'moneyline'])
      for (const sport of ofGames) {
        expect([sport, findMarketNamed(name, sport)]).toEqual([sport, undefined])
        expect(findMarketNamed(`Set 1 ${name}`, sport)).toBeUndefined()
        expect(findMarketNamed(`1st Map ${name}`, sport)).toBeUndefined()
      }
    },
  )
  it('leaves the match and the full game', () => {
    for (const sport of ofGames)
      for (const name of ['Match Winner', 'Full Game Moneyline', 'Winner - Full Game'])
        expect([sport, name, findMarketNamed(name, sport)]).toEqual([sport, name, 'moneyline'])
    expect(findMarketNamed('Set 1 Winner', 'tennis')).toBe('1st_set_moneyline')
    expect(findMarketNamed('Game Total', 'tennis')).toBe('total_games')
    expect(findMarketNamed('Game Spread', 'tennis')).toBe('game_handicap')
    expect(findMarketNamed('Game Handicap', 'esports')).toBe('map_handicap')
    expect(findMarketNamed('Game Total', 'esports')).toBe('total_maps')
    expect(findMarketNamed('Game Total', 'table_tennis')).toBeUndefined()
  })
})

describe('a name of a part and of the whole game', () => {
  it.each([
    'Half Time/Full Time',
    'HT/FT',
    'half_time_full_time',
    '1st Half / Full Time',
    '1st Half & Full Time Result',
    '1st Half / Full Time Result',
    'First Half + Full-Time',
    '1st Half Full Time Result',
    '1H/FT',
    '1st Half / Match',
    '1st Half & Match Result',
  ])('is the result at both, of sports with a half: %s', (name) => {
    for (const sport of ['soccer', 'basketball', 'football', 'rugby'])
      expect([sport, findMarketNamed(name, sport)]).toEqual([sport, 'halftime_fulltime'])
    for (const sport of ['tennis', 'hockey', 'baseball'])
      expect([sport, findMarketNamed(name, sport)]).toEqual([sport, undefined])
  })
  it.each([
    ['1st Quarter / Full Time', 'basketball'],
    ['1st Quarter & Match Winner', 'basketball'],
    ['1st Set / Match', 'tennis'],
    ['First Set & Match Winner', 'tennis'],
    ['Set 1/Match Winner', 'tennis'],
    ['Match Winner / 1st Set', 'tennis'],
    ['Full Time & 1st Half', 'soccer'],
    ['Match Result / First Half', 'soccer'],
    ['1st Period + Full Time Result', 'hockey'],
    ['1st 5 Innings / Game', 'baseball'],
    ['Map 1 & Match Winner', 'esports'],
    ['2nd Half / Full Time Total', 'soccer'],
  ])('is none of them elsewhere: %s of %s', (name, sport) => {
    expect(findMarketNamed(name, sport)).toBeUndefined()
  })
  it.each([
    ['1st Half Match Winner', 'soccer', '1st_half_moneyline'],
    ['Match Winner - 1st Half', 'soccer', '1st_half_moneyline'],
    ['1st Half - Game Total', 'soccer', '1st_half_total_goals'],
    ['Match/Winner', 'tennis', 'moneyline'],
    ['Over/Under 1st Half', 'soccer', '1st_half_total_goals'],
    ['Full Time Result', 'soccer', 'moneyline'],
  ])('but not without a sign between: %s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
})

describe('a name that says what the score counts', () => {
  const countsOf: Record<string, string> = {
    basketball: 'points',
    football: 'points',
    rugby: 'points',
    rugby_league: 'points',
    australian_rules: 'points',
    table_tennis: 'points',
    soccer: 'goals',
    hockey: 'goals',
    lacrosse: 'goals',
    handball: 'goals',
    baseball: 'runs',
    cricket: 'runs',
    tennis: 'games',
    mma: 'rounds',
    boxing: 'rounds',
    darts: 'legs',
    snooker: 'frames',
    esports: 'maps',
  }
  const mainOf = (sport: string) =>
    (['spread', 'total', 'team_total'] as const).map((kind) => mainMarketType(sport, kind))

  it.each([
    ['Total Points', 'points'],
    ['Points Over/Under', 'points'],
    ['Over/Under Points', 'points'],
    ['Points Handicap', 'points'],
    ['Points Spread', 'points'],
    ['Team Total Points', 'points'],
    ['Goals Over/Under', 'goals'],
    ['Over/Under Goals', 'goals'],
    ['Goal Spread', 'goals'],
    ['Puck Line', 'goals'],
    ['Run Line', 'runs'],
  ])('is the main market only of a sport of that score: %s', (name, unit) => {
    for (const [sport, counts] of Object.entries(countsOf)) {
      const id = findMarketNamed(name, sport)
      if (counts !== unit) expect([sport, mainOf(sport).includes(id ?? '')]).toEqual([sport, false])
      else if (sport !== 'table_tennis' && sport !== 'cricket' && sport !== 'handball')
        expect([sport, mainOf(sport).includes(id ?? '')]).toEqual([sport, true])
    }
  })
  it.each([
    ['Total Points', 'tennis', 'total_points'],
    ['Set 1 Total Points', 'tennis', undefined],
    ['Goals Over/Under', 'australian_rules', undefined],
    ['Goal Spread', 'australian_rules', undefined],
    ['Points Handicap', 'snooker', undefined],
    ['Points Handicap', 'darts', undefined],
    ['1st Half Points Handicap', 'soccer', undefined],
    ['1st Half Points Handicap', 'basketball', '1st_half_point_spread'],
    ['Run Line', 'cricket', 'point_spread'],
    ['Goal Spread', 'soccer', 'point_spread'],
    ['Total Points', 'table_tennis', 'total_points'],
    ['Total Score', 'tennis', 'total_games'],
    ['total_points', 'tennis', 'total_games'],
    ['total_points', 'soccer', 'total_goals'],
    ['point_spread', 'snooker', 'frame_handicap'],
    ['1st_half_total_points', 'soccer', '1st_half_total_goals'],
  ])('%s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
})

describe('a name with a part of the game', () => {
  it.each([
    ['h2h_h1', 'basketball', '1st_half_moneyline'],
    ['spreads_q1', 'football', '1st_quarter_point_spread'],
    ['totals_q4', 'basketball', '4th_quarter_total_points'],
    ['spreads_p2', 'hockey', '2nd_period_puck_line'],
    ['totals_1st_1_innings', 'baseball', '1st_inning_total_runs'],
    ['h2h_1st_5_innings', 'baseball', '1st_5_innings_moneyline'],
    ['h2h_3_way_1st_3_innings', 'baseball', '1st_3_innings_moneyline_3-way'],
    ['alternate_totals_h1', 'soccer', '1st_half_total_goals'],
    ['alternate_team_totals_q1', 'basketball', '1st_quarter_team_total'],
    ['First Half Spread', 'football', '1st_half_point_spread'],
    ['1H Total', 'soccer', '1st_half_total_goals'],
    ['2nd Half Spread (Inc. OT)', 'football', '2nd_half_point_spread'],
    ['F5 ML', 'baseball', '1st_5_innings_moneyline'],
    ['Set 2 Winner', 'tennis', '2nd_set_moneyline'],
    ['Map 1 Winner', 'esports', '1st_map_moneyline'],
    ['Moneyline - Regulation Time', 'hockey', 'moneyline_3-way'],
    ['Match Odds - Regular Time', 'soccer', 'moneyline'],
    ['Half-Time Result', 'soccer', '1st_half_moneyline'],
    ['1st half btts', 'soccer', '1st_half_both_teams_to_score'],
  ])('%s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
  it.each([
    ['90 Minute Result', 'soccer', 'moneyline'],
    ['Double Chance 90 min', 'soccer', 'double_chance'],
    ['1st_10_minutes_total_goals', 'soccer', '1st_10_minutes_total_goals'],
    ['60 Minute Result', 'hockey', 'moneyline_3-way'],
    ['60 Minute 3-Way', 'football', 'moneyline_3-way'],
    ['80 Minutes Result', 'rugby', 'moneyline_3-way'],
  ])('%s of %s is %s by the minutes that it plays', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
  it.each([
    ['Puck Line - Regular Time', 'hockey'],
    ['1st Half Total Including Overtime', 'soccer'],
    ['Total Goals - Including Extra Time', 'soccer'],
    ['4th Quarter Spread (Inc. OT)', 'football'],
    ['spreads_q5', 'basketball'],
    ['totals_h1', 'hockey'],
    ['60 Minutes Result', 'soccer'],
    ['60 Minutes Total Goals', 'soccer'],
    ['Double Chance 60 Minutes', 'soccer'],
    ['60 Minute Spread', 'soccer'],
    ['1X2 (75 min)', 'soccer'],
    ['60 Minute Result', 'rugby'],
    ['60 minutes 3-way', 'rugby_league'],
    ['90 Minute Result', 'hockey'],
    ['40 Minute Result', 'hockey'],
    ['60 Minute Result', 'basketball'],
    ['60 Minutes Puck Line', 'hockey'],
  ])('%s of %s is no listed market', (name, sport) => {
    expect(findMarketNamed(name, sport)).toBeUndefined()
  })
  it.each([
    ['MATCH_INC_OT', 'football', 'game'],
    ['MATCH_INC_OT', 'soccer', null],
    ['MATCH', 'baseball', 'game'],
    ['FIRST_HALF', 'basketball', '1st_half'],
    ['QUARTER_3', 'basketball', '3rd_quarter'],
    ['Regulation Time', 'soccer', 'game'],
    ['Regulation Time', 'hockey', 'regulation'],
    ['Game', 'basketball', 'game'],
    ['Match', 'tennis', 'game'],
    ['1st Set', 'tennis', '1st_set'],
    ['Period 3', 'hockey', '3rd_period'],
    ['First 5 Innings', 'baseball', '1st_5_innings'],
    ['1st 10 Minutes', 'soccer', null],
    ['60 Minutes', 'soccer', null],
    ['60 Minutes', 'hockey', 'regulation'],
    ['90 Minutes', 'soccer', 'game'],
    ['90 Minutes', 'hockey', null],
    ['80 Minutes', 'rugby_league', 'regulation'],
    ['Regular Time (60 Minutes)', 'handball', 'regulation'],
    ['1st Half 45 Minutes', 'soccer', null],
  ])('%s of %s is the part %s', (label, sport, part) => {
    expect(partNamed(label, sport)).toBe(part)
  })
})

describe('a name of a player market', () => {
  it.each([
    ['player_points', 'basketball', 'player_points'],
    ['Player Points', 'basketball', 'player_points'],
    ['player_pts', 'basketball', 'player_points'],
    ['player_points_alternate', 'basketball', 'player_points'],
    ['player_pass_yds', 'football', 'player_passing_yards'],
    ['player_rush_reception_yds', 'football', 'player_rushing_receiving_yards'],
    ['player_field_goals', 'football', 'player_field_goals_made'],
    ['player_field_goals', 'basketball', 'player_field_goals'],
    ['player_total_saves', 'hockey', 'player_saves'],
    ['batter_total_bases', 'baseball', 'player_total_bases'],
    ['batter_strikeouts', 'baseball', 'player_batter_strikeouts'],
    ['pitcher_strikeouts', 'baseball', 'player_strikeouts'],
    ['pitcher_walks', 'baseball', 'player_walks_allowed'],
    ['player_anytime_td', 'football', 'anytime_touchdown_scorer'],
    ['player_points_q1', 'basketball', '1st_quarter_player_points'],
  ])('%s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
  it('needs the player unless it names one', () => {
    expect(findMarketNamed('points', 'basketball')).toBeUndefined()
    expect(findMarketNamed('points', 'basketball', true)).toBe('player_points')
    expect(findMarketNamed('Passing Yards', 'football', true)).toBe('player_passing_yards')
  })
  it('is found by its statistic if it only says that it is one', () => {
    const stated = { marketType: 'player_prop', playerName: 'A Guard', statCategory: 'Rebounds' }
    expect(marketTypeOf(stated, 'basketball')).toBe('player_rebounds')
    expect(marketTypeOf({ ...stated, statCategory: 'total rebounds' }, 'basketball')).toBe(
      'player_rebounds',
    )
    expect(marketTypeOf({ ...stated, statCategory: 'Player Props' }, 'basketball')).toBe(
      'player_prop',
    )
  })
  it('is a slug of a statistic that is not listed, so that two of them stay two', () => {
    const stated = { marketType: 'player_prop', playerName: 'A Guard', statCategory: 'Dunks' }
    expect(marketTypeOf(stated, 'basketball')).toBe('player_dunks')
    expect(marketTypeOf({ ...stated, statCategory: 'Fouls' }, 'basketball')).toBe('player_fouls')
  })
  it.each([
    ['basketball', 'Over/Under', 'points', 'player_points'],
    ['basketball', 'Alternate Total', 'points', 'player_points'],
    ['basketball', 'Game Over/Under', 'points', 'player_points'],
    ['basketball', '1st Half Over/Under', 'points', '1st_half_player_points'],
    ['basketball', 'player_prop_q1', 'Pts', '1st_quarter_player_points'],
    [
      'baseball',
      'First 5 Innings Over/Under',
      'pitching strikeouts',
      '1st_5_innings_player_strikeouts',
    ],
    ['esports', 'Map 1', 'kills', '1st_map_player_kills'],
    ['esports', 'Maps 1-2', 'kills', 'maps_1-2_kills'],
    ['basketball', 'Milestones', 'points', 'milestones_points'],
    ['basketball', 'Most', 'points', 'most_points'],
    ['basketball', 'Season Over/Under', 'points', 'season_over_under_points'],
    ['basketball', 'To Score First', 'points', 'to_score_first_points'],
    ['basketball', 'Player Matchup', 'points', 'player_matchup_points'],
    ['football', 'Longest', 'passing yards', 'longest_passing_yards'],
    ['football', 'First Drive', 'passing yards', 'first_drive_passing_yards'],
    ['football', 'Longest', 'rush', 'player_longest_rush'],
    ['football', 'Anytime', 'touchdown', 'anytime_touchdown_scorer'],
    ['basketball', 'a_market_of_ours', 'style', 'a_market_of_ours'],
  ])('in %s, %s of %s is %s, also when it is read again', (sport, marketType, statCategory, id) => {
    const stated = { marketType, playerName: 'A Player', statCategory }
    expect(marketTypeOf(stated, sport)).toBe(id)
    expect(marketTypeOf({ ...stated, marketType: id }, sport)).toBe(id)
  })
})

describe('a usual name of a listed market', () => {
  it.each([
    ['alternate_totals_corners', 'soccer', 'total_corners'],
    ['totals_cards', 'soccer', 'total_cards'],
    ['alternate_spreads_corners', 'soccer', 'asian_handicap_corners'],
    ['Corners Over/Under', 'soccer', 'total_corners'],
    ['Asian Totals', 'soccer', 'asian_total_goals'],
    ['To Advance', 'soccer', 'to_qualify'],
    ['1st Half Money Line 3-Way', 'basketball', '1st_half_moneyline_3-way'],
    ['Total Games Over/Under', 'tennis', 'total_games'],
    ['Over/Under Rounds', 'mma', 'total_rounds'],
    ['Goes the Distance', 'mma', 'fight_to_go_the_distance'],
    ['Will Fight Go The Distance?', 'boxing', 'fight_to_go_the_distance'],
    ['To Record a Double-Double', 'basketball', 'player_double_double'],
    ['Anytime Tryscorer', 'rugby_league', 'anytime_try_scorer'],
    ['Overtime Yes/No', 'basketball', 'overtime'],
    ['Both Teams to Score (Yes/No)', 'soccer', 'both_teams_to_score'],
  ])('is found: %s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
  it.each([
    ['Home Runs Over/Under', 'baseball'],
    ['Overtime Over/Under', 'basketball'],
    ['Total Corners Yes/No', 'soccer'],
    ['Goal Line', 'soccer'],
    ['Fight Result', 'boxing'],
    ['NRFI', 'baseball'],
  ])('is none where it may be another: %s of %s', (name, sport) => {
    expect(findMarketNamed(name, sport)).toBeUndefined()
  })
})

describe('two listed names of one bet', () => {
  it.each([
    ['Odd/Even', 'basketball', 'odd_even'],
    ['total_points_odd_even', 'basketball', 'odd_even'],
    ['Total Goals Odd/Even', 'soccer', 'odd_even'],
    ['1st Half Total Goals Odd/Even', 'soccer', '1st_half_odd_even'],
    ['1st_5_innings_total_runs_odd_even', 'baseball', '1st_5_innings_odd_even'],
    ['To Win to Nil', 'soccer', 'team_to_win_to_nil'],
    ['team_clean_sheet', 'soccer', 'clean_sheet'],
    ['Corner Match Bet', 'soccer', 'most_corners'],
    ['Total Games Odd/Even', 'tennis', 'total_games_odd_even'],
    ['Corners Odd/Even', 'soccer', 'corners_odd_even'],
  ])('are one type: %s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
    const stated = { marketType: name, playerName: null, statCategory: null }
    expect(marketTypeOf(stated, sport)).toBe(id)
  })
})

describe('a handicap with two ways', () => {
  it.each([
    ['asian_handicap', 'soccer', 'point_spread'],
    ['Asian Handicap', 'soccer', 'point_spread'],
    ['AH', 'soccer', 'point_spread'],
    ['Asian Spread', 'rugby', 'point_spread'],
    ['alternate asian handicaps', 'soccer', 'point_spread'],
    ['Asian Handicap (1st Half)', 'soccer', '1st_half_point_spread'],
    ['1st_half_asian_handicap', 'soccer', '1st_half_point_spread'],
    ['2nd Half - Asian Handicap', 'soccer', '2nd_half_point_spread'],
    ['asian_handicap', 'hockey', 'puck_line'],
    ['asian handicap', 'baseball', 'run_line'],
    ['asian_handicap', 'basketball', 'point_spread'],
    ['asian_handicap', 'esports', 'map_handicap'],
    ['Corner Handicap', 'soccer', 'asian_handicap_corners'],
    ['asian_total_goals', 'soccer', 'asian_total_goals'],
  ])('is one question by the name %s of %s: %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
  it.each([
    ['European Handicap', 'soccer', 'handicap_3-way'],
    ['3-Way Handicap', 'soccer', 'handicap_3-way'],
    ['Handicap (3-Way)', 'rugby', 'handicap_3-way'],
    ['Handicap 1X2', 'soccer', 'handicap_3-way'],
    ['puck line 3 way', 'hockey', 'handicap_3-way'],
    ['1st half 3 way handicap', 'soccer', '1st_half_handicap_3-way'],
  ])('is not the one with three: %s of %s is %s', (name, sport, id) => {
    expect(findMarketNamed(name, sport)).toBe(id)
  })
})

describe('a listed id', () => {
  it('is itself in its sports, unless the sport has another for the same question', () => {
    const generic = new Set(['point_spread', 'total_points', 'team_total', 'moneyline_3-way'])
    for (const { id, base, sports, sameAs } of markets) {
      for (const sport of sports) {
        if (generic.has(base)) continue
        expect([sport, findMarketNamed(id, sport)]).toEqual([sport, sameAs ?? id])
      }
    }
  })
  it('is the sport’s name of its main markets', () => {
    for (const { id: sport } of sports) {
      for (const kind of ['moneyline', 'spread', 'total', 'team_total'] as const) {
        const type = mainMarketType(sport, kind)
        if (findMarket(type)?.sports.includes(sport)) {
          expect([sport, findMarketNamed(type, sport)]).toEqual([sport, type])
        }
      }
    }
  })
  it('stays itself in a sport without such a market, and in an unlisted one', () => {
    expect(findMarketNamed('run_line', 'handball')).toBe('run_line')
    expect(findMarketNamed('total_corners', 'basketball')).toBe('total_corners')
    expect(findMarketNamed('1x2', 'handball')).toBe('moneyline_3-way')
    expect(findMarketNamed('1st half 1x2', 'handball')).toBe('1st_half_moneyline_3-way')
    expect(findMarketNamed('Match Winner', 'handball')).toBe('moneyline')
    expect(findMarketNamed('total', 'kabaddi')).toBe('total_points')
  })
  it('counts goals in an unlisted sport of goals, by any name', () => {
    for (const sport of ['handball', 'futsal', 'water_polo']) {
      for (const name of ['Totals', 'Total Goals', 'total_points', 'Over/Under'])
        expect([sport, name, findMarketNamed(name, sport)]).toEqual([sport, name, 'total_goals'])
      expect(findMarketNamed('1st Half Total', sport)).toBe('1st_half_total_goals')
    }
  })
  it('is none where an unlisted sport counts sets and points, unless the name says which', () => {
    for (const sport of ['volleyball', 'badminton']) {
      for (const name of ['Totals', 'Over/Under', 'Handicap', 'spreads'])
        expect([sport, name, findMarketNamed(name, sport)]).toEqual([sport, name, undefined])
      expect(possibleMarkets('Totals', sport)).toEqual(['total_points', 'total_sets'])
      expect(possibleMarkets('Handicap', sport)).toEqual(['point_spread', 'set_handicap'])
      expect(findMarketNamed('Total Points', sport)).toBe('total_points')
      expect(findMarketNamed('Total Sets', sport)).toBe('total_sets')
      expect(findMarketNamed('Set Handicap', sport)).toBe('set_handicap')
      expect(findMarketNamed('Point Spread', sport)).toBe('point_spread')
      expect(findMarketNamed('1st Set Totals', sport)).toBe('1st_set_total_points')
    }
  })
})

describe('a filter value', () => {
  it.each([
    ['spreads', 'point_spread,puck_line,run_line,set_handicap'],
    ['Over/Under', 'total_points,total_goals,total_runs,total_games,total_rounds,team_total'],
    ['h2h', 'moneyline'],
    ['1x2', 'moneyline,moneyline_3-way'],
    ['spreads_q1', '1st_quarter_point_spread'],
    ['player_pass_yds', 'player_passing_yards'],
    ['foo', undefined],
    ['__proto__', undefined],
    ['', undefined],
  ])('%s stands for %s', (value, ids) => {
    expect(marketsNamed(value)?.join(',')).toBe(ids)
  })
})
