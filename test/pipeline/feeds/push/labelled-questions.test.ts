/** Pushed selections whose label asks another question than their market, and those whose label only says more. */

import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

const games = {
  basketball: ['NBA', 'Los Angeles Lakers', 'Chicago Bulls'],
  soccer: ['Italy - Serie A', 'Napoli', 'Lazio'],
  hockey: ['NHL', 'New York Rangers', 'Boston Bruins'],
  baseball: ['MLB', 'St. Louis Cardinals', 'New York Yankees'],
  tennis: ['ATP Paris', 'Jannik Sinner', 'Carlos Alcaraz'],
  football: ['NCAAF', 'Texas A&M', 'LSU'],
  esports: ['LEC', 'G2', 'T1'],
} as const
type Sport = keyof typeof games

interface Stated {
  readonly selection_type: string
  readonly selection: string
  readonly line?: number | undefined
  readonly odds_decimal?: number
}

function push(
  sport: Sport,
  [league, home_team, away_team]: readonly [string, string, string],
  market_type: string,
  selections: readonly Stated[],
  player_name?: string,
) {
  const start_time = '2026-11-21T15:00:00Z'
  const parsed = parseValue(
    {
      type: 'odds',
      sportsbook: 'fanduel',
      mode: 'delta',
      observed_at: '2026-11-20T11:59:00Z',
      event: { sport, league, home_team, away_team, start_time },
      markets: [
        {
          market_type,
          ...(player_name && { player_name }),
          selections: selections.map((stated) => ({ odds_decimal: 1.95, ...stated })),
        },
      ],
    },
    now,
  )
  if (!parsed.ok) throw new Error(parsed.message)
  const [market] = (parsed.record as OddsRecord).markets
  const codes = parsed.warnings.map(({ code }) => code)
  return { prices: market?.selections.map(({ price }) => price), codes }
}

type Case = [
  sport: Sport,
  market: string,
  selection: string,
  label: string,
  line?: number,
  player?: string,
]
const stated = (...[sport, market, selection_type, selection, line, player]: Case) =>
  push(sport, games[sport], market, [{ selection_type, selection, line }], player)

const name = 'a %s %s %s labelled "%s"'

describe('is suspended, with a warning,', () => {
  it.each<Case>([
    // Another part of the game.
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers 1H'],
    ['basketball', 'moneyline', 'home', '1st Half Los Angeles Lakers'],
    ['basketball', 'moneyline', 'away', 'Chicago Bulls - 1st Quarter'],
    ['basketball', '1st quarter moneyline', 'home', 'Lakers 2Q'],
    ['basketball', 'totals', 'over', '1H Over 55.5', 55.5],
    [
      'basketball',
      'player_points',
      'over',
      'LeBron James 1st Quarter Over 5.5',
      5.5,
      'LeBron James',
    ],
    ['soccer', 'totals', 'over', 'Over 2.5 1st Half', 2.5],
    ['soccer', 'spread', 'home', 'Napoli -0.5 - 1st Half', -0.5],
    ['soccer', 'totals', 'over', 'Over 0.5 first 15 minutes', 0.5],
    ['soccer', '1x2', 'draw', 'Draw 1st Half'],
    ['soccer', 'btts', 'yes', 'Yes 1st half'],
    ['baseball', 'moneyline', 'home', 'Cardinals F5'],
    ['tennis', 'moneyline', 'home', 'Sinner 1st Set'],
    // Another count.
    ['soccer', 'totals', 'over', 'Over 2.5 Corners', 2.5],
    ['soccer', 'totals', 'under', 'Under 2.5 cards', 2.5],
    ['soccer', 'totals', 'over', 'Over 2.5 shots on target', 2.5],
    ['soccer', 'spread', 'away', 'Lazio +0.5 (Corners)', 0.5],
    ['baseball', 'totals', 'over', 'Over 8.5 hits', 8.5],
    ['tennis', 'game_handicap', 'home', 'Jannik Sinner -1.5 sets', -1.5],
    ['tennis', 'set_handicap', 'home', 'Jannik Sinner -1.5 games', -1.5],
    ['tennis', 'total_games', 'over', 'Over 2.5 sets', 2.5],
    ['basketball', 'player_points', 'over', 'LeBron James Over 8.5 Rebounds', 8.5, 'LeBron James'],
    [
      'basketball',
      'player_points',
      'over',
      'LeBron James Over 45.5 Pts+Reb+Ast',
      45.5,
      'LeBron James',
    ],
    // Another rule for overtime or a draw.
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers (Regulation)'],
    ['basketball', 'moneyline', 'home', 'Lakers (overtime excluded)'],
    ['basketball', 'totals', 'over', 'Over 220.5 excl. OT', 220.5],
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers (Draw No Bet)'],
    ['hockey', 'moneyline', 'home', 'Rangers 60 min'],
    ['hockey', 'moneyline', 'home', 'Rangers 3-Way'],
    ['soccer', 'totals', 'over', 'Over 2.5 (incl. extra time)', 2.5],
    ['soccer', 'spread', 'home', 'Napoli -0.5 (3-way)', -0.5],
    ['soccer', '1x2', 'home', 'Napoli DNB'],
    ['soccer', '1x2', 'home', 'Napoli to qualify'],
    // The total of one side, and of the other one.
    ['soccer', 'totals', 'over', 'Napoli Over 2.5', 2.5],
    ['soccer', 'totals', 'over', 'Over 2.5 Napoli goals', 2.5],
    ['basketball', 'totals', 'over', 'Home Over 110.5', 110.5],
    ['basketball', 'team_total', 'home_over', 'Bulls Over 110.5', 110.5],
    ['tennis', 'total_games', 'over', 'Sinner Over 12.5', 12.5],
    // The total of a player, or of somebody unknown.
    ['basketball', 'totals', 'over', 'LeBron James Over 27.5', 27.5],
    ['basketball', 'Total Points', 'over', 'LeBron James 28+ Points', 27.5],
    ['basketball', 'totals', 'under', 'James Under 27.5 pts', 27.5],
    ['basketball', 'Over/Under', 'over', 'lebron james over 27.5', 27.5],
    ['basketball', '1st half totals', 'over', 'LeBron James 1H Over 12.5', 12.5],
    ['basketball', 'totals', 'over', 'Bench Over 30.5', 30.5],
    ['basketball', 'totals', 'over', 'Lakers Bench Over 30.5', 30.5],
    ['baseball', 'total_hits', 'over', 'Aaron Judge Over 1.5 Hits', 1.5],
    ['soccer', 'O/U', 'over', 'Bukayo Saka Over 0.5', 0.5],
    ['soccer', 'totals', 'over', 'Bukayo Saka', 0.5],
    ['tennis', 'total_games', 'over', 'Novak Djokovic Over 12.5', 12.5],
    ['esports', 'total_maps', 'over', 'G2 Over 1.5', 1.5],
    // A side as the draw.
    ['soccer', '1x2', 'draw', 'Napoli'],
    ['soccer', 'moneyline', 'draw', 'Lazio'],
    // A line, a margin, the other half of a line.
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers -4.5'],
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers to win by 10+'],
    ['basketball', 'moneyline', 'home', 'Lakers wins by over 4.5 points'],
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers race to 20'],
    ['basketball', 'spread', 'home', 'Chicago Bulls +4.5', -4.5],
    ['soccer', 'asian_handicap', 'home', 'Napoli -0.5, -1.0', -0.5],
    ['soccer', 'asian_handicap', 'home', 'Napoli -0.5/-1', -1],
    ['soccer', 'asian_handicap', 'away', 'Lazio 0.0 & +0.5', 0.5],
    ['soccer', 'totals', 'over', 'Over 2,5/3,0', 2.5],
    // Several outcomes at once.
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers & Over 215.5'],
    ['basketball', 'moneyline', 'home', 'Los Angeles Lakers / Los Angeles Lakers'],
    ['soccer', '1x2', 'home', 'Napoli / Draw'],
    ['soccer', '1x2', 'home', 'Napoli & Oltre 2,5'],
    ['soccer', '1x2', 'home', 'Napoli + both teams to score'],
    ['soccer', 'btts', 'yes', 'Yes & Over 2.5'],
    ['soccer', 'totals', 'over', 'Over 2.5 and Yes', 2.5],
    ['football', 'moneyline', 'home', 'Texas A&M & Over 55.5'],
  ])(name, (...of) => {
    expect(stated(...of)).toEqual({ prices: [null], codes: ['contradictory_label'] })
  })
})

describe('is served as sent:', () => {
  it.each<Case>([
    ['basketball', 'moneyline', 'home', 'Lakers ML'],
    ['basketball', 'moneyline', 'home', 'LAL'],
    ['basketball', 'moneyline', 'home', 'LA Lakers to win'],
    ['basketball', 'moneyline', 'home', '501 Lakers (12-5)'],
    ['basketball', 'moneyline', 'home', 'Lakers -110'],
    ['basketball', 'moneyline', 'home', 'Lakers (incl. OT)'],
    ['basketball', 'moneyline', 'home', 'Lakers (overtime included)'],
    ['basketball', 'totals', 'over', 'Over 220.5 pts', 220.5],
    ['basketball', 'totals', 'over', 'Lakers / Bulls - Over 220.5', 220.5],
    ['basketball', 'totals', 'over', 'Lakers @ Bulls Over 220.5 Total Points', 220.5],
    ['basketball', '1st half totals', 'over', '1H Over 55.5', 55.5],
    ['basketball', 'totals', 'over', 'LAL @ CHI Over 220.5', 220.5],
    ['basketball', 'totals', 'over', 'LA Lakers v Bulls: Game Total Over 220.5', 220.5],
    ['basketball', 'totals', 'over', 'Over 220.5 (-110) EVEN', 220.5],
    ['basketball', 'totals', 'under', 'Total: Under 220½', 220.5],
    ['baseball', 'totals', 'over', 'Total Runs Over 8.5 (incl. extra innings)', 8.5],
    ['football', 'totals', 'over', 'Texas A&M @ LSU Over 55.5', 55.5],
    ['esports', 'total_maps', 'over', 'G2 v T1 - Over 2.5 maps', 2.5],
    ['soccer', 'totals', 'over', '3 or more goals in the match', 2.5],
    ['soccer', 'totals', 'over', 'Plus De 2,5 Buts', 2.5],
    ['soccer', 'totals', 'over', 'Over 2,5 doelpunten', 2.5],
    ['basketball', 'team_total', 'home_over', 'Lakers Over 110.5 points', 110.5],
    ['basketball', 'spread', 'home', 'Lakers -4.5 spread (1.91)', -4.5],
    ['basketball', 'spread', 'home', 'Lakers wins by over 4.5 points', -4.5],
    ['basketball', 'player_points', 'over', 'LeBron James 25+ Points', 24.5, 'LeBron James'],
    [
      'basketball',
      'player_threes',
      'over',
      'LeBron James 3-Pointers Made Over 2.5',
      2.5,
      'LeBron James',
    ],
    ['basketball', 'pra', 'over', 'LeBron James Pts + Reb + Ast Over 45.5', 45.5, 'LeBron James'],
    ['soccer', 'totals', 'over', 'Over 2.5 goals', 2.5],
    ['soccer', 'totals', 'over', 'Over 2.5 (90 min)', 2.5],
    ['soccer', 'totals', 'over', 'Más de 2.5', 2.5],
    ['soccer', 'totals', 'over', 'Über 2,5 Tore', 2.5],
    ['soccer', 'totals', 'over', 'Over 2.5, 3.0', 2.75],
    ['soccer', 'total corners', 'over', 'Over 9.5 corners', 9.5],
    ['soccer', '1x2', 'draw', 'Reg Time: Tie'],
    ['soccer', '1x2', 'draw', 'X'],
    ['soccer', '1x2', 'draw', 'Napoli / Lazio draw'],
    ['soccer', '1x2', 'home', 'Sieg Napoli'],
    ['soccer', 'draw no bet', 'home', 'Napoli (Draw No Bet)'],
    ['soccer', 'asian_handicap', 'home', 'Napoli -0.5, -1.0', -0.75],
    ['soccer', 'asian_handicap', 'away', 'Lazio 0/+0.5', 0.25],
    ['soccer', 'btts', 'yes', 'Both Teams To Score - Yes'],
    ['hockey', 'puck_line', 'home', 'Rangers -1.5 goals', -1.5],
    ['baseball', 'moneyline', 'home', 'Cards ML'],
    ['baseball', 'team_total_runs', 'home_over', 'Home Over 4.5 runs', 4.5],
    ['tennis', 'game_handicap', 'home', 'Jannik Sinner -3.5 games', -3.5],
    ['football', 'moneyline', 'home', 'Texas A&M Aggies'],
  ])(name, (...of) => {
    expect(stated(...of)).toEqual({ prices: [1.95], codes: [] })
  })

  it.each([
    ['Bodø/Glimt', 'Bodo / Glimt ML'],
    ['Ram R / Salisbury J', 'Rajeev Ram / Joe Salisbury'],
    ['Molteni A / Nys H', 'A. Molteni/H. Nys ML'],
    ['M.McDonald-T.Sandgren', 'McDonald M./Sandgren T. ML'],
    ['Brighton', 'Brighton & Hove Albion'],
    ['First Vienna', '1st Vienna FC'],
    ['H-C Chan & L Chan', 'Chan / Chan'],
    ['Pustertal', 'HC Val Pusteria/Pustertal'],
    ['TrinidadTobago', 'Trinidad & Tobago'],
    ['Salvador -23', 'Salvador -23'],
    ['England U21', 'England Under 21'],
  ])('a name of %s, "%s"', (home, selection) => {
    const of = push('tennis', ['a league', home, 'Lazio'], 'moneyline', [
      { selection_type: 'home', selection },
    ])
    expect(of).toEqual({ prices: [1.95], codes: [] })
  })

  it('the regulation time of a market with a draw', () => {
    const ways = ['home', 'away', 'draw'].map((selection_type, at) => ({
      selection_type,
      selection: `${['Rangers', 'Bruins', 'Draw'][at]} (Regulation)`,
    }))
    for (const market of ['moneyline', 'moneyline_3-way']) {
      expect(push('hockey', games.hockey, market, ways).prices).toEqual([1.95, 1.95, 1.95])
    }
  })
})
