/** Labels of stated selections that contradict their type or line, and those that do not. */

import { describe, expect, it } from 'vitest'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import { contradictsLabel } from '../../../../pipeline/rules/odds/stated-labels.ts'

const nba = sideOptionsOf('basketball', 'nba')
const knicks = { home: 'New York Knicks', away: 'Celtics' }

type Case = readonly [
  label: string,
  selectionType: string,
  line?: number | undefined,
  marketType?: string,
  playerName?: string | undefined,
  price?: number,
]
const contradicts = ([label, selectionType, line, marketType, playerName, price]: Case) =>
  contradictsLabel(
    {
      label,
      selectionType,
      line: line ?? null,
      marketType: marketType ?? (line === undefined ? 'moneyline' : 'point_spread'),
      playerName: playerName ?? null,
      price: price ?? 1.95,
    },
    knicks,
    nba,
  )

describe('a label contradicts its selection', () => {
  it.each<Case>([
    ['Boston Celtics', 'home'],
    ['BOS', 'home'],
    ['new york knicks', 'away'],
    ['NY Knicks', 'away', 3.5],
    ['Draw', 'away'],
    ['New York Knicks -4.5', 'home', -3.5],
    ['Celtics (+4)', 'away', 3.5],
    ['Under', 'over', 220.5, 'total_points'],
    ['over 220.5', 'under', 220.5, 'total_points'],
    ['u220.5', 'over', 220.5, 'total_points'],
    ['Over 225.5', 'over', 220.5, 'total_points'],
    ['O 225,5', 'over', 220.5, 'total_points'],
    ['Under 112.5', 'home_over', 112.5, 'team_total'],
    ['A. Guard Under 9.5', 'over', 9.5, 'player_points', 'A. Guard'],
    // A whole number that is no bound of the line's outcome.
    ['Over 26', 'over', 24.5, 'player_points'],
    ['Over 24', 'over', 24.5, 'player_points'],
    ['Over 25.0', 'over', 24.5, 'player_points'],
    ['Under 25', 'under', 24.5, 'player_points'],
    ['Over 25', 'under', 24.5, 'player_points'],
    ['Over 2.5', 'over', 3.5, 'total_goals', undefined, 2.52],
    ['No', 'yes', undefined, 'both_teams_to_score'],
    ['Even', 'odd', undefined, 'total_points_odd_even'],
  ])('%s as %s at %s', (...of) => {
    expect(contradicts(of as [string, string])).toBe(true)
  })
})

describe('a label of a draw', () => {
  const inSoccer = (label: string, marketType = 'moneyline') =>
    contradictsLabel(
      { label, selectionType: 'draw', line: null, marketType, playerName: null, price: 3.4 },
      { home: 'Arsenal', away: 'Manchester United' },
      sideOptionsOf('soccer', 'england_-_premier_league'),
    )

  it.each(['Arsenal', 'arsenal FC', 'Man Utd', 'Arsenal -1'])('contradicts it: %s', (label) => {
    expect(inSoccer(label)).toBe(true)
    expect(inSoccer(label, 'handicap_3-way')).toBe(true)
  })

  it.each(['Draw', 'X', 'Tie', 'Unentschieden', 'Arsenal v Man Utd', 'Chelsea'])(
    'agrees with it: %s',
    (label) => {
      expect(inSoccer(label)).toBe(false)
    },
  )

  it('agrees with it beside the line of a side', () => {
    expect(inSoccer('Draw (Arsenal -1)', 'handicap_3-way')).toBe(false)
  })
})

describe('a label agrees with its selection', () => {
  it.each<Case>([
    ['New York Knicks', 'home'],
    ['Knicks', 'home'],
    ['Boston Celtics', 'away'],
    ['Celtics +3.5', 'away', 3.5],
    ['Celtics 3.5', 'away', 3.5],
    // The sign of home's line, a second number, American odds.
    ['Celtics -3.5', 'away', 3.5],
    ['Knicks -3.5, -4.0', 'home', -3.75],
    ['Knicks (-110)', 'home', -3.5],
    ['Knicks -3.5 (-110)', 'home', -4],
    ['New York 76', 'home', -3.5],
    // The price, and what is no line at all.
    ['Knicks 1.91', 'home', -3.5, 'point_spread', undefined, 1.91],
    ['Over 2.25', 'over', 220.5, 'total_points', undefined, 2.25],
    ['Over 2,25', 'over', 220.5, 'total_points', undefined, 2.255],
    ['Over (2)', 'over', 220.5, 'total_points', undefined, 2.01],
    ['Over 120', 'over', 220.5, 'total_points', undefined, 2.2],
    ['Over 110', 'over', 220.5, 'total_points', undefined, 1.91],
    ['Over 1.87', 'over', 220.5, 'total_points'],
    // The least that wins, and the most.
    ['Over 25', 'over', 24.5, 'player_points'],
    ['o25', 'over', 24.5, 'player_points'],
    ['Under 24', 'under', 24.5, 'player_points'],
    // Names in part, other words and languages.
    ['New York', 'home'],
    ['New York beats Boston', 'away'],
    ['Boston or draw', 'home'],
    ['Brooklyn Nets', 'home'],
    ['1', 'home'],
    ['2', 'home'],
    ['Heim', 'home'],
    ['Unentschieden', 'home'],
    ['Draw', 'draw'],
    ['Celtics', 'draw'],
    ['Over', 'over', 220.5, 'total_points'],
    ['O 220.5', 'over', 220.5, 'total_points'],
    ['Over 220.50', 'over', 220.5, 'total_points'],
    ['Over (2,5)', 'over', 2.5, 'total_points'],
    ['Over 1,500', 'over', 1500, 'total_points'],
    ['Over 225.5 points', 'over', 220.5, 'total_points'],
    ['Over 2.5, 3.0', 'over', 2.75, 'total_goals'],
    ['Over -110', 'over', 220.5, 'total_points'],
    ['Über 2.5', 'over', 3.5, 'total_points'],
    ['Más de 2.5', 'under', 2.5, 'total_points'],
    ['Over 2.5', 'over', undefined, 'total_points'],
    ['Undertow', 'over', 220.5, 'total_points'],
    ['A. Guard Over 9.5', 'over', 9.5, 'player_points', 'A. Guard'],
    ['Nobody', 'yes', undefined, 'both_teams_to_score'],
    ['Both Teams To Score - No', 'yes', undefined, 'both_teams_to_score'],
    ['Under', 'other', 220.5, 'total_points'],
    ['', 'home'],
    ['!!!', 'home'],
  ])('%s as %s at %s', (...of) => {
    expect(contradicts(of as [string, string])).toBe(false)
  })

  it('where a number is part of its name', () => {
    const schalke = { home: 'FC Schalke 04', away: 'Hannover 96' }
    const options = sideOptionsOf('soccer', 'germany_-_2_bundesliga')
    const of = (label: string, selectionType: string) =>
      contradictsLabel(
        {
          label,
          selectionType,
          line: -1.5,
          marketType: 'point_spread',
          playerName: null,
          price: 2,
        },
        schalke,
        options,
      )
    for (const label of ['Schalke 04', 'FC Schalke 04', 'Schalke']) {
      expect([label, of(label, 'home')]).toEqual([label, false])
    }
    expect(of('Hannover 96', 'away')).toBe(false)
    expect(of('Hannover 96', 'home')).toBe(true)
  })
})
