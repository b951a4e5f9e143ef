import { describe, expect, it } from 'vitest'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import { totalOwner } from '../../../../pipeline/rules/odds/total-owners.ts'

const games = {
  nba: ['basketball', 'nba', 'total_points', 'Boston Celtics', 'Los Angeles Lakers'],
  pelicans: ['basketball', 'nba', 'total_points', 'New Orleans Pelicans', 'Los Angeles Lakers'],
  nfl: ['football', 'nfl', 'total_points', 'Kansas City Chiefs', 'Buffalo Bills'],
  mlb: ['baseball', 'mlb', 'total_runs', 'New York Yankees', 'Boston Red Sox'],
  nhl: ['hockey', 'nhl', 'total_goals', 'New York Rangers', 'Boston Bruins'],
  newYork: ['hockey', 'nhl', 'total_goals', 'New York Rangers', 'New York Islanders'],
  epl: ['soccer', 'england_-_premier_league', 'total_goals', 'Manchester United', 'Arsenal'],
  ligue1: ['soccer', 'france_-_ligue_1', 'total_goals', 'Saint-Étienne', 'Paris Saint-Germain'],
  tennis: ['tennis', 'atp', 'total_games', 'Carlos Alcaraz', 'Jannik Sinner'],
} as const

function ownerOf(game: keyof typeof games, label: string) {
  const [sport, league, marketType, home, away] = games[game]
  return totalOwner(label, marketType, { home, away }, sideOptionsOf(sport, league))
}

describe('the owner of a total by its label', () => {
  it.each([
    ['nba', 'LAL-BOS Over 220.5'],
    ['nba', 'LAL - BOS Over 220.5'],
    ['nba', 'LAL/BOS Over 220.5'],
    ['nba', 'LAL @ BOS 1H Over 110.5'],
    ['nba', 'LA Lakers - BOS Celtics Over 220.5'],
    ['nba', 'Lakers — Celtics: Over 220.5'],
    ['nba', 'Over 220.5 (LAL x BOS)'],
    ['nba', 'NBA Basketball - LAL @ BOS - Over 220.5'],
    ['nba', 'Over 220.5 Live'],
    ['nba', 'Over 220.5 In-Play'],
    ['nba', 'Over 220.5 (Boosted)'],
    ['nba', 'Over 220.5 (Price Boost)'],
    ['pelicans', 'NOP @ LAL Over 220.5'],
    ['nfl', 'NFL Over 45.5'],
    ['nfl', 'BUF-KC Over 45.5'],
    ['nfl', 'Buffalo – Kansas City Over 45.5'],
    ['mlb', 'Over 8.5 (Listed Pitchers)'],
    ['mlb', 'Over 8.5 (Both Pitchers Must Start)'],
    ['mlb', 'BOS-NYY Over 8.5'],
    ['nhl', 'Game Total Over 5.5'],
    ['nhl', 'Ice Hockey Over 5.5'],
    ['nhl', 'Over 5.5 Incl. OT/SO'],
    ['epl', 'Man Utd - Arsenal Over 2.5'],
    ['epl', 'Arsenal–Man Utd Over 2.5'],
    ['epl', 'English Premier League - Man Utd v Arsenal - Over 2.5'],
    ['epl', 'Over 2.5 (90min)'],
    ['epl', 'Over 2.5 Goals - Regular Time'],
    ['epl', 'Alternate Total Over 2.5'],
    ['ligue1', 'Saint-Étienne - Paris Saint-Germain Over 2.5'],
    ['ligue1', 'St-Etienne - PSG Over 2.5'],
    ['newYork', 'New York Islanders - New York Rangers Over 5.5'],
    ['tennis', 'Match Over 22.5 Games'],
    ['tennis', 'C. Alcaraz - J. Sinner Over 22.5'],
    ['tennis', 'ATP Over 22.5'],
  ] as const)('is nobody but the game: %s, "%s"', (game, label) => {
    expect(ownerOf(game, label)).toBeNull()
  })

  it.each([
    ['nba', 'Lakers Over 110.5', 'Los Angeles Lakers'],
    ['nba', 'LAL Over 110.5', 'Los Angeles Lakers'],
    ['nba', 'LeBron James Over 25.5', 'LeBron James'],
    ['nba', 'Bench Over 30.5', null],
    ['nba', 'Lakers - LeBron James Over 25.5', null],
    ['nba', 'Celtics - Lakers - LeBron James Over 25.5', null],
    ['nba', 'Celtics - Lakers - Bench Over 30.5', null],
    ['nba', 'LeBron James - Jayson Tatum Over 50.5', null],
    ['nfl', 'Bills Over 21.5', 'Buffalo Bills'],
    ['mlb', 'Aaron Judge Over 1.5', 'Aaron Judge'],
    ['mlb', 'Judge Over 1.5', null],
    ['mlb', 'David Price Over 5.5', 'David Price'],
    ['mlb', 'Price Over 5.5', null],
    ['epl', 'Man Utd Over 1.5', 'Manchester United'],
    ['epl', 'Bukayo Saka Over 1.5', 'Bukayo Saka'],
    ['epl', 'Man Utd v Arsenal: Saka Over 1.5', null],
    ['epl', 'Man Utd v Arsenal Saka Over 1.5', null],
    ['ligue1', 'Saint-Étienne Over 1.5', 'Saint-Étienne'],
    ['ligue1', 'Paris Saint-Germain Over 1.5', 'Paris Saint-Germain'],
    ['newYork', 'New York Islanders Over 2.5', 'New York Islanders'],
    ['tennis', 'Alcaraz Over 12.5', 'Carlos Alcaraz'],
    ['tennis', 'Novak Djokovic Over 12.5', 'Novak Djokovic'],
  ] as const)('is whom it names: %s, "%s"', (game, label, name) => {
    expect(ownerOf(game, label)?.name).toBe(name)
  })
})
