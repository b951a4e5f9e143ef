import { describe, expect, test } from 'vitest'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import { readStatedSelection } from '../../../../pipeline/rules/odds/stated-selection.ts'

const games = {
  nba: { home: 'New York Knicks', away: 'LA Lakers' },
  epl: { home: 'Manchester City', away: 'Manchester Utd' },
  short: { home: 'Lakers', away: 'Bulls' },
  whole: { home: 'Jannik Sinner', away: 'Carlos Alcaraz' },
  nhl: { home: 'New York Rangers', away: 'Boston Bruins' },
  atp: { home: 'Sinner J.', away: 'C. Alcaraz' },
} as const
const optionsOf = {
  nba: sideOptionsOf('basketball', 'nba'),
  epl: sideOptionsOf('soccer', 'england_-_premier_league'),
  short: sideOptionsOf('basketball', 'nba'),
  whole: sideOptionsOf('tennis', 'atp'),
  nhl: sideOptionsOf('hockey', 'nhl'),
  atp: sideOptionsOf('tennis', 'atp'),
}

const read = (
  league: keyof typeof games,
  [market, selection, line = null, playerName = null]: readonly [
    string,
    string,
    (number | null)?,
    (string | null)?,
  ],
) => readStatedSelection({ market, selection, line, playerName }, games[league], optionsOf[league])

describe('a selection in a person’s words', () => {
  test.each([
    ['nba', ['moneyline', 'Home'], 'moneyline', 'home'],
    ['nba', ['ML', 'Knicks'], 'moneyline', 'home'],
    ['nba', ['h2h', 'Los Angeles Lakers'], 'moneyline', 'away'],
    ['nba', ['Handicap', 'NY Knicks', -4.5], 'point_spread', 'home'],
    ['nba', ['spread', 'Knicks -3.5', -3.5], 'point_spread', 'home'],
    ['nba', ['O/U', 'Over', 220.5], 'total_points', 'over'],
    ['nba', ['totals', 'Under 220.5', 220.5], 'total_points', 'under'],
    ['nba', ['team total', 'Knicks over', 110.5], 'team_total', 'home_over'],
    ['nba', ['team total', 'away_under', 110.5], 'team_total', 'away_under'],
    ['nba', ['team total', 'Over Knicks', 110.5], 'team_total', 'home_over'],
    ['nba', ['team total', 'Over 110.5 Lakers', 110.5], 'team_total', 'away_over'],
    ['nba', ['New York Knicks Team Total', 'Over', 110.5], 'team_total', 'home_over'],
    ['nba', ['home team total', 'under 110.5', 110.5], 'team_total', 'home_under'],
    ['epl', ['Man City Total Goals', 'Over', 1.5], 'team_total_goals', 'home_over'],
    ['epl', ['asian handicap', 'Man City', -0.25], 'point_spread', 'home'],
    ['epl', ['handicap', 'Draw', -1], 'handicap_3-way', 'draw'],
    ['nba', ['player_points', 'Over', 22.5, 'Sample Guard'], 'player_points', 'over'],
    ['nba', ['points', 'Sample Guard Under', 22.5, 'Sample Guard'], 'player_points', 'under'],
    ['epl', ['1x2', 'X'], 'moneyline', 'draw'],
    ['epl', ['1x2', '2'], 'moneyline', 'away'],
    ['epl', ['match result', 'Man City'], 'moneyline', 'home'],
    ['epl', ['match result', 'Man Utd'], 'moneyline', 'away'],
    ['epl', ['correct score', '2-1'], 'correct_score', '2_1'],
    ['epl', ['btts', 'Yes'], 'both_teams_to_score', 'yes'],
    ['epl', ['match result', 'Tie'], 'moneyline', 'draw'],
    ['epl', ['double chance', '1X'], 'double_chance', 'home_draw'],
    ['epl', ['double chance', 'Draw or Away'], 'double_chance', 'away_draw'],
    ['epl', ['first team to score', 'No goal'], 'first_team_to_score', 'no'],
    ['nba', ['moneyline', 'home', 0], 'moneyline', 'home'],
    // Beside the side, words that the market is named by.
    ['nba', ['moneyline', 'NY Knicks ML'], 'moneyline', 'home'],
    ['nba', ['moneyline', 'Knicks to win'], 'moneyline', 'home'],
    ['nba', ['moneyline', 'Lakers win'], 'moneyline', 'away'],
    ['nba', ['spread', 'Knicks spread -4.5', -4.5], 'point_spread', 'home'],
    ['nba', ['1st half moneyline', '1H Knicks'], '1st_half_moneyline', 'home'],
    ['nba', ['1st half moneyline', 'Knicks 1st Half ML'], '1st_half_moneyline', 'home'],
    ['nba', ['1st half team total', 'Knicks 1H over', 55.5], '1st_half_team_total', 'home_over'],
    ['epl', ['draw no bet', 'Man City (Draw No Bet)'], 'draw_no_bet', 'home'],
    ['epl', ['1x2', 'Man City (90 min)'], 'moneyline', 'home'],
    ['nhl', ['3-way', 'Rangers (regulation)'], 'moneyline_3-way', 'home'],
    ['atp', ['set handicap', 'Sinner sets -1.5', -1.5], 'set_handicap', 'home'],
    // A fuller name than the game's.
    ['atp', ['moneyline', 'Jannik Sinner'], 'moneyline', 'home'],
    ['atp', ['moneyline', 'Carlos Alcaraz'], 'moneyline', 'away'],
  ] as const)('%s %j is %s %s', (league, stated, marketType, selectionType) => {
    expect(read(league, stated)).toMatchObject({ ok: true, marketType, selectionType })
  })

  test.each([
    ['nba', ['moneylin', 'home'], 'unknown_market'],
    ['nba', ['moneyline', 'Celtics'], 'unknown_selection'],
    ['nba', ['moneyline', ''], 'unknown_selection'],
    ['nba', ['moneyline', 'Knicks over'], 'answer_of_another_market'],
    ['nba', ['team total', 'over', 110.5], 'answer_of_another_market'],
    ['epl', ['draw no bet', 'draw'], 'answer_of_another_market'],
    ['nba', ['totals', 'Exactly', 220], 'answer_of_another_market'],
    ['nba', ['team total', 'Over 111.5 Knicks 111.5', 110.5], 'unknown_selection'],
    // It is unknown which of the two is meant.
    ['epl', ['1x2', 'Manchester'], 'unknown_selection'],
    ['nba', ['totals', 'Over 219.5', 220.5], 'unknown_selection'],
    ['nba', ['spread', 'Knicks +3.5', -3.5], 'unknown_selection'],
    ['nba', ['moneyline', 'Knicks -3.5'], 'unknown_selection'],
    // Words beside the side that ask another question.
    ['nba', ['moneyline', 'Knicks 1H'], 'unknown_selection'],
    ['nba', ['moneyline', '1st Half Knicks'], 'unknown_selection'],
    ['nba', ['moneyline', 'Knicks to win by 10+'], 'unknown_selection'],
    ['nba', ['spread', '1H Knicks', -2.5], 'unknown_selection'],
    ['nba', ['spread', '1H Knicks -2.5', -2.5], 'unknown_selection'],
    ['short', ['moneyline', 'Lakers 1H'], 'unknown_selection'],
    ['short', ['moneyline', '1st Half Lakers'], 'unknown_selection'],
    ['short', ['moneyline', 'Lakers to win by 10+'], 'unknown_selection'],
    ['short', ['spread', '1H Lakers', -2.5], 'unknown_selection'],
    ['whole', ['moneyline', 'Jannik Sinner -1.5 sets'], 'unknown_selection'],
    ['nba', ['1st half moneyline', 'Knicks 2H'], 'unknown_selection'],
    ['nba', ['team total', 'Knicks 1st half over', 55.5], 'unknown_selection'],
    ['nba', ['team total', 'Over Knicks 1H', 55.5], 'unknown_selection'],
    ['epl', ['1x2', 'Man City Women'], 'unknown_selection'],
    ['atp', ['moneyline', 'Sinner -1.5 sets'], 'unknown_selection'],
    ['atp', ['moneyline', 'Alcaraz corners'], 'unknown_selection'],
    ['epl', ['asian handicap', 'Man City -0.5, -1.0', -1], 'unknown_selection'],
    // American odds.
    ['nba', ['spread', 'Knicks', -150], 'unexpected_line'],
    ['nba', ['player_points', 'Other Guard over', 22.5, 'Sample Guard'], 'unknown_selection'],
    ['nba', ['player_points', 'over', 22.5], 'missing_player'],
    ['nba', ['spread', 'home'], 'missing_line'],
    ['nba', ['moneyline', 'home', -1.5], 'unexpected_line'],
    ['nba', ['totals', 'home', 220.5], 'answer_of_another_market'],
  ] as const)('%s %j is refused: %s', (league, stated, code) => {
    expect(read(league, stated)).toMatchObject({ ok: false, code })
  })
})

test('a market of an unknown league asks for the sport', () => {
  const stated = { market: 'Sieger', selection: 'home', line: null, playerName: null }
  const options = sideOptionsOf('unknown', 'nosuchleague')
  expect(readStatedSelection(stated, games.nba, options)).toEqual({
    ok: false,
    code: 'unknown_market',
    message:
      'Sieger cannot be read, because the league is not known: state the sport too, or a league of /leagues',
  })
})
