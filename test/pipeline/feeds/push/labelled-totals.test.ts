/** Totals named by what they count alone: whose they are by the labels of their selections. */

import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import { allAsRead } from '../../../../pipeline/rules/odds/stated-market.ts'

const games = {
  baseball: ['New York Yankees', 'Boston Red Sox'],
  soccer: ['Arsenal', 'Manchester United'],
  tennis: ['Jannik Sinner', 'Carlos Alcaraz'],
  basketball: ['Boston Celtics', 'New York Knicks'],
  hockey: ['New York Rangers', 'Boston Bruins'],
} as const

type Sport = keyof typeof games

function parse(sport: Sport, market_type: string, labels: readonly (string | null)[]) {
  const [home_team, away_team] = games[sport]
  const parsed = parseValue(
    {
      type: 'odds',
      sportsbook: 'fanduel',
      mode: 'delta',
      observed_at: '2026-11-21T00:00:00Z',
      event: {
        sport,
        league: `a ${sport} league`,
        home_team,
        away_team,
        start_time: '2026-11-21T19:00:00Z',
      },
      markets: [
        {
          market_type,
          line: 1.5,
          selections: labels.map((selection, at) => ({
            selection_type: at % 2 === 0 ? 'over' : 'under',
            selection,
            odds_decimal: 1.9 + at / 100,
          })),
        },
      ],
    },
    Date.parse('2026-11-21T00:00:00Z'),
  )
  if (!parsed.ok || parsed.record.type !== 'odds') throw new Error(JSON.stringify(parsed))
  return { markets: parsed.record.markets, warnings: parsed.warnings }
}

/** Returns each market as `type player: outcomes`, and the warnings. */
function read(...stated: Parameters<typeof parse>) {
  const { markets, warnings } = parse(...stated)
  const texts = markets.map(
    ({ marketType, playerName, selections }) =>
      `${[marketType, playerName].filter(Boolean).join(' ')}: ${selections.map((of) => of.selectionType)}`,
  )
  return [...texts, ...warnings.map(({ code }) => code)]
}

const sidesOf = (name: string) => [`${name} Over 1.5`, `${name} Under 1.5`]

describe('an over/under named by what it counts', () => {
  it.each([
    ['baseball', 'Hits O/U', 'Aaron Judge', 'player_hits'],
    ['baseball', 'Runs O/U', 'Aaron Judge', 'player_runs'],
    ['basketball', 'Points O/U', 'Jayson Tatum', 'player_points'],
    ['basketball', '1st Half Points O/U', 'Jayson Tatum', '1st_half_player_points'],
    ['baseball', 'Over/Under Hits', 'Aaron Judge', 'over_under_hits'],
    ['hockey', 'Goals O/U', 'Artemi Panarin', 'player_goals'],
    ['soccer', 'Total Shots Over/Under', 'Bukayo Saka', 'player_shots'],
    ['tennis', 'Aces O/U', 'Jannik Sinner', 'player_aces'],
  ] as const)('is a player’s where the labels name him: %s, %s', (sport, name, player, type) => {
    const [first, ...warnings] = read(sport, name, sidesOf(player))
    expect(first).toBe(`${type} ${player}: over,under`)
    expect(warnings).toEqual(type.includes('player') ? [] : ['unknown_market'])
  })

  it.each([
    ['basketball', 'Points O/U', 'Jayson Tatum Over 1.5 Points'],
    ['basketball', 'Points O/U', 'Jayson Tatum - Points Over 1.5'],
    ['basketball', 'Points Over/Under', 'Jayson Tatum Over 1.5'],
    ['basketball', 'Over/Under Points', 'Jayson Tatum Total Points Over 1.5'],
    ['basketball', 'Points O/U', 'Jayson Tatum 2+ pts'],
  ] as const)(
    'is a player’s by a label with what it counts: %s, %s, "%s"',
    (sport, name, label) => {
      expect(read(sport, name, [label])).toEqual([
        expect.stringMatching(/^(?:player_points|over_under_points) Jayson Tatum: over$/),
        ...(name.startsWith('Over') ? ['unknown_market'] : []),
      ])
    },
  )

  it.each([
    ['baseball', 'Hits O/U', 'Judge Over 1.5'],
    ['baseball', 'Hits O/U', 'A. Judge Over 1.5'],
    ['baseball', 'Hits O/U', 'aaron judge over 1.5'],
    ['baseball', 'Hits O/U', 'Will Smith Over 1.5'],
    ['baseball', 'Hits O/U', 'Judge 2+ Hits'],
    ['baseball', 'Hits O/U', 'Judge 2 or more'],
    ['basketball', 'Points O/U', 'Bench o1.5'],
    ['basketball', 'Points O/U', 'Tatum & Brown Over 1.5'],
    ['basketball', 'Points O/U', 'Each Team Over 1.5'],
    ['soccer', 'Goals Over/Under', 'Saka Over 1.5'],
  ] as const)(
    'is suspended, and nobody’s, where a label names somebody unknown: %s, %s, "%s"',
    (...of) => {
      const [sport, name, label] = of
      const { markets, warnings } = parse(sport, name, [label])
      expect(markets.map(({ marketType, suspended }) => [marketType, suspended])).toEqual([
        [expect.stringMatching(/^unclear_/), true],
      ])
      expect(warnings).toMatchObject([
        { code: 'unknown_market', message: expect.stringContaining('it is suspended as unclear_') },
      ])
      // The price processor reads the names of all sources again.
      const [read] = allAsRead(markets, sport)
      expect(read?.marketType).toBe(markets[0]?.marketType)
    },
  )

  it('is of each player whom the labels name', () => {
    expect(
      read('baseball', 'Hits O/U', [...sidesOf('Aaron Judge'), ...sidesOf('Juan Soto')]),
    ).toEqual(['player_hits Aaron Judge: over,under', 'player_hits Juan Soto: over,under'])
  })

  it.each([
    ['soccer', 'Corners O/U', 'Arsenal', 'team_total_corners: home_over,home_under'],
    ['soccer', 'Corners O/U', 'Man Utd', 'team_total_corners: away_over,away_under'],
    ['soccer', 'Corners O/U', 'Home', 'team_total_corners: home_over,home_under'],
    ['baseball', 'Runs O/U', 'New York Yankees', 'team_total_runs: home_over,home_under'],
    ['tennis', 'Games O/U', 'Jannik Sinner', 'team_total_games: home_over,home_under'],
  ] as const)('is a team’s where the labels name it: %s, %s of %s', (sport, name, team, market) => {
    expect(read(sport, name, sidesOf(team))).toEqual([market])
  })

  it.each([
    ['baseball', 'Hits O/U', 'Yankees', 'unclear_hits_o_u'],
    ['soccer', 'Corners O/U', 'Arsenal Women', 'unclear_corners_o_u'],
    ['soccer', 'Corners O/U', 'Arsenal - Bukayo Saka', 'unclear_corners_o_u'],
  ] as const)('is of no listed market where that is not certain: %s, %s of %s', (...of) => {
    const [sport, name, label, slug] = of
    expect(read(sport, name, sidesOf(label))).toEqual([`${slug}: over,under`, 'unknown_market'])
  })

  it.each([
    ['soccer', 'Corners O/U', 'Total Corners', 'total_corners'],
    ['soccer', 'Corners O/U', 'Arsenal v Manchester United', 'total_corners'],
    ['soccer', 'Corners O/U', 'Arsenal - Man Utd', 'total_corners'],
    ['soccer', 'Corners O/U', 'Both Teams', 'total_corners'],
    ['soccer', 'Corners O/U', 'Match Corners', 'total_corners'],
    ['basketball', 'Points Over/Under', 'Celtics @ Knicks Points', 'total_points'],
    ['basketball', 'Points O/U', 'Game Total (incl. OT)', 'total_points'],
    ['tennis', 'Aces O/U', 'Jannik Sinner - Carlos Alcaraz', 'total_aces'],
    ['basketball', 'Points O/U', 'Boston Celtics @ New York Knicks', 'total_points'],
  ] as const)('is the game’s otherwise: %s, %s of %s', (sport, name, label, type) => {
    expect(read(sport, name, sidesOf(label))).toEqual([`${type}: over,under`])
  })

  it('is the game’s where its name says so, which labels of a team contradict', () => {
    const [first, ...warnings] = read('soccer', 'O/U', sidesOf('Arsenal'))
    expect(first).toBe('total_goals: over,under')
    expect(warnings).toEqual(['contradictory_label', 'contradictory_label'])
  })
  it.each([
    [[null, null]],
    [['Over', 'Under']],
    [['Más de 1.5', 'Menos de 1.5']],
    [['Más De 1.5 Goles', 'Menos De 1.5 Goles']],
    [['Тотал Больше (1.5)', 'Тотал Меньше (1.5)']],
    [['Over 1,5 gol', 'Under 1,5 gol']],
    [['Over 1.5 Goals', '1.5 goals or fewer']],
  ])('is the game’s with labels %j', (labels) => {
    expect(read('soccer', 'Goals O/U', labels)).toEqual(['total_goals: over,under'])
  })

  it('leaves a bare over or under to the only one named', () => {
    expect(read('soccer', 'Goals O/U', ['Arsenal Over', 'Under'])).toEqual([
      'team_total_goals: home_over,home_under',
    ])
    expect(read('soccer', 'Goals O/U', ['Arsenal Over', 'Under', 'Bukayo Saka Over'])).toEqual([
      'team_total_goals: home_over',
      'unclear_goals_o_u: under',
      'player_goals Bukayo Saka: over',
      'unknown_market',
    ])
  })
})
