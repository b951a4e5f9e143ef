/** The side that a label or a market's name names, where the name of one team is within that of the other. */

import { describe, expect, it } from 'vitest'
import { statedSide, teamTotalNamed } from '../../../../pipeline/rules/odds/team-totals.ts'

type Case = readonly [sport: string, first: string, second: string, text: string]

/** Returns both games of two teams, with the side that each is. */
const gamesOf = (first: string, second: string) => [
  { home: first, away: second, first: 'home', second: 'away' },
  { home: second, away: first, first: 'away', second: 'home' },
]

describe('a label', () => {
  it.each<Case>([
    ['football', 'Michigan', 'Michigan State', 'Michigan St Over'],
    ['football', 'Michigan', 'Michigan State', 'Michigan St. Over 70.5'],
    ['football', 'Michigan', 'Michigan State', 'Mich State Over'],
    ['football', 'Michigan', 'Michigan State', 'Michigan State Under'],
    ['football', 'Michigan', 'Michigan State', 'Michigan State Spartans Under'],
    ['football', 'Iowa', 'Iowa State', 'Iowa St Under'],
    ['football', 'Florida', 'Florida State', 'Florida St Over'],
    ['football', 'Miami', 'Miami (OH)', 'Miami Ohio Over'],
    ['football', 'Miami', 'Miami (OH)', 'Miami (OH) Over 20.5'],
    ['soccer', 'Dundee', 'Dundee United', 'Dundee Utd Over 1.5'],
    ['australian_rules', 'Melbourne', 'North Melbourne', 'Nth Melbourne Over'],
    ['australian_rules', 'Melbourne', 'North Melbourne', 'N. Melbourne Over 80.5'],
    ['football', 'Georgia', 'Georgia Southern', 'Georgia So. Over'],
    ['football', 'Georgia', 'Ga Southern', 'Georgia Southern Over'],
    ['football', 'Texas', 'Texas A&M', 'Texas AM Over'],
    ['football', 'Texas', 'Texas A&M', 'Texas A and M Over'],
    ['soccer', 'Ireland', 'Northern Ireland', 'N. Ireland Over'],
    ['soccer', 'Korea', 'North Korea', 'N Korea Over'],
    ['soccer', 'Congo', 'DR Congo', 'D.R. Congo Over'],
    ['soccer', 'Congo', 'DR Congo', 'Congo DR Over'],
    ['soccer', 'Ajax', 'Ajax 2', 'Ajax 2 Over'],
    ['soccer', 'Schalke 04', 'Hannover 96', 'Over 1.5 Hannover 96'],
  ])('in %s, %s v %s: %s is of the second', (sport, one, other, text) => {
    for (const game of gamesOf(one, other)) {
      expect(statedSide(text, game, { sport })).toBe(game.second)
    }
  })

  it.each<Case>([
    ['football', 'Michigan', 'Michigan State', 'Michigan Over 70.5'],
    ['football', 'Michigan', 'Michigan State', 'Michigan Wolverines Over 70.5'],
    ['football', 'Michigan', 'Michigan State', 'Michigan Alternate Over 70.5'],
    ['football', 'Michigan', 'Michigan State', 'Michigan 1st Half Over'],
    ['football', 'Texas', 'Texas A&M', 'Texas Longhorns Over'],
    ['soccer', 'Dundee', 'Dundee United', 'Dundee FC Over 1.5'],
    ['soccer', 'Ireland', 'Northern Ireland', 'Republic of Ireland Over'],
    ['soccer', 'Ajax', 'Ajax 2', 'Ajax 2.5 Over'],
    ['soccer', 'Ajax', 'Ajax 2', 'Ajax Over 2'],
    ['soccer', 'Boca', 'Boca U20', 'Boca U 2.5'],
    ['soccer', 'The Strongest', 'Bolivar', 'The Strongest Over'],
    ['cricket', 'India', 'England', 'India 1st Innings Over 300.5'],
    ['cricket', 'India', 'England', 'India Runs at Fall of 1st Wicket Over'],
    ['basketball', 'Philadelphia 76ers', 'LA Lakers', 'Philadelphia 76ers Over 110.5'],
  ])('in %s, %s v %s: %s is of the first', (sport, one, other, text) => {
    for (const game of gamesOf(one, other)) {
      expect(statedSide(text, game, { sport })).toBe(game.first)
    }
  })

  it.each<Case>([
    ['football', 'Michigan', 'Michigan State', 'MSU Over'],
    ['football', 'Miami', 'Miami (OH)', 'Miami FL Over'],
    ['soccer', 'Guinea', 'Equatorial Guinea', 'Eq. Guinea Over'],
    ['soccer', 'Ajax', 'Ajax 2', 'Ajax II Over'],
    ['soccer', 'Boca', 'Boca U20', 'Boca U-20 Over'],
    ['australian_rules', 'Melbourne', 'North Melbourne', 'Melbourne Unknowns Over'],
  ])('in %s, %s v %s: %s is of neither for certain', (sport, one, other, text) => {
    for (const game of gamesOf(one, other)) {
      expect(statedSide(text, game, { sport })).toBeNull()
    }
  })
})

describe('the name of a market', () => {
  it.each<Case>([
    ['basketball', 'Michigan', 'Michigan State', 'Michigan St Team Total'],
    ['basketball', 'Michigan', 'Michigan State', 'Michigan St 1st Half Team Total'],
    ['basketball', 'Texas', 'Texas A&M', 'Texas AM Team Total'],
    ['soccer', 'Dundee', 'Dundee United', 'Dundee Utd Total Goals'],
    ['soccer', 'Ireland', 'Northern Ireland', 'N. Ireland Total Goals'],
    ['soccer', 'Congo', 'DR Congo', 'D.R. Congo Total Goals'],
  ])('in %s, %s v %s: %s is of the second', (sport, one, other, text) => {
    for (const game of gamesOf(one, other)) {
      expect(teamTotalNamed(text, game, { sport })?.side).toBe(game.second)
    }
  })

  it.each<Case>([
    ['basketball', 'Michigan', 'Michigan State', 'Michigan Team Total'],
    ['soccer', 'Ireland', 'Northern Ireland', 'Ireland Total Goals'],
    ['soccer', 'Dundee', 'Dundee United', 'Dundee FC Total Goals'],
  ])('in %s, %s v %s: %s is of the first', (sport, one, other, text) => {
    for (const game of gamesOf(one, other)) {
      expect(teamTotalNamed(text, game, { sport })?.side).toBe(game.first)
    }
  })

  it.each<Case>([
    ['soccer', 'Manchester United', 'Chelsea', 'Man Utd Total Goals'],
    ['soccer', 'Leeds', 'York', 'Leeds FC Total Goals'],
    ['soccer', 'Arsenal Women', 'Chelsea Women', 'Arsenal Women Total Goals'],
    ['tennis', 'Jannik Sinner', 'Carlos Alcaraz', 'J. Sinner Total Games'],
    ['cricket', 'Mumbai Indians', 'Chennai Super Kings', 'Mumbai Indians Total Runs'],
  ])('in %s, %s v %s: %s is of the first, whose name is all it has', (sport, one, other, text) => {
    for (const game of gamesOf(one, other)) {
      expect(teamTotalNamed(text, game, { sport })?.side).toBe(game.first)
    }
  })

  const arsenal = (beside: string): Case => ['soccer', 'Arsenal', 'Chelsea', `Arsenal ${beside}`]
  const mumbai = (beside: string): Case => [
    ...(['cricket', 'Mumbai Indians', 'Chennai Super Kings'] as const),
    `Mumbai Indians ${beside} Total Runs`,
  ]
  it.each<Case>([
    ...['Headed Goals', 'Own Goals', 'Penalty Goals', 'Second Goals', 'Season Goals'].map(arsenal),
    ...['Expected Goals', 'Exact Goals', 'First 10 Minutes Goals'].map(arsenal),
    ...['Women Total Goals', 'U21 Total Goals', 'and Chelsea Total Goals'].map(arsenal),
    ...['6 Overs', '1st Over', '1st Wicket', 'Top Batter'].map(mumbai),
    ['basketball', 'New York Knicks', 'Boston Celtics', 'Knicks Turnovers Points'],
    ['basketball', 'New York Knicks', 'Boston Celtics', 'Knicks Bench Total Points'],
  ])('in %s, %s v %s: %s is of neither, since it asks more', (sport, one, other, text) => {
    for (const game of gamesOf(one, other)) {
      expect(teamTotalNamed(text, game, { sport })).toBeNull()
    }
  })
})
