import { describe, expect, it } from 'vitest'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { findTeam, findTeamInSport, teams } from '../../../schemas/reference/teams.ts'
import { expectDense, handedOut } from './numerical-ids.ts'

describe('teams', () => {
  it('have dense numbers, and ids unique within the sport', () => {
    expectDense(teams)
    expect(new Set(teams.map(({ sport, id }) => `${sport} ${id}`)).size).toBe(teams.length)
  })

  it('keep the numbers that were handed out', () => {
    expect(handedOut(teams, 889)).toBe('d7ffc68b49f80416')
  })

  it('have an id spelt like the name', () => {
    for (const { id, name } of teams) expect(id).toBe(normaliseName(name).replaceAll(' ', '-'))
  })

  it('play in leagues that exist, of their own sport', () => {
    for (const { id, sport, leagues } of teams) {
      for (const league of leagues) expect(leagueById(league)?.sport, id).toBe(sport)
    }
  })

  it.each([
    ['nfl', 32],
    ['nba', 30],
    ['wnba', 15],
    ['mlb', 30],
    ['nhl', 32],
    ['mls', 30],
    ['afl', 18],
    ['england_-_premier_league', 20],
    ['england_-_championship', 24],
    ['england_-_league_one', 24],
    ['england_-_league_two', 24],
    ['italy_-_serie_a', 20],
    ['italy_-_serie_b', 20],
    ['spain_-_la_liga', 20],
    ['spain_-_segunda_division', 22],
    ['germany_-_bundesliga', 18],
    ['germany_-_bundesliga_2', 18],
    ['france_-_ligue_1', 18],
    ['france_-_ligue_2', 18],
    ['scotland_-_premiership', 12],
    ['portugal_-_primeira_liga', 18],
    ['netherlands_-_eredivisie', 18],
    ['belgium_-_pro_league', 16],
    ['turkey_-_super_lig', 18],
  ])('are complete in %s', (league, count) => {
    expect(teams.filter(({ leagues }) => leagues.includes(league))).toHaveLength(count)
  })

  it.each([
    ['nfl', 'TB Bucs', 'Tampa Bay Buccaneers'],
    ['nba', 'T-Wolves', 'Minnesota Timberwolves'],
    ['mlb', 'LA Angels of Anaheim', 'Los Angeles Angels'],
    ['afl', 'Kuwarna', 'Adelaide Crows'],
    ['afl', 'Yartapuulti', 'Port Adelaide Power'],
    ['afl', 'Walyalup', 'Fremantle Dockers'],
    ['afl', 'Waalitj Marawar', 'West Coast Eagles'],
    ['afl', 'Narrm', 'Melbourne Demons'],
    ['afl', 'Euro-Yroke', 'St Kilda Saints'],
  ])('have further names, in %s %s', (league, name, team) => {
    expect(findTeam(name, league)?.name).toBe(team)
  })

  it('divide the US leagues evenly', () => {
    const sizes = (league: string) => {
      const count = new Map<string, number>()
      for (const { conference, division, leagues } of teams) {
        if (!leagues.includes(league)) continue
        const place = `${conference} ${division}`
        count.set(place, (count.get(place) ?? 0) + 1)
      }
      return [...count.values()]
    }
    expect(sizes('nfl')).toEqual(Array(8).fill(4))
    expect(sizes('nba')).toEqual(Array(6).fill(5))
    expect(sizes('mlb')).toEqual(Array(6).fill(5))
    expect(sizes('nhl')).toEqual(Array(4).fill(8))
  })

  it('share no name with another team of the same league', () => {
    const owners = new Map<string, string>()
    for (const { id, name, aliases, leagues } of teams) {
      for (const league of leagues) {
        for (const text of [name, ...aliases]) {
          const key = `${league}: ${normaliseName(text)}`
          expect([undefined, id], key).toContain(owners.get(key))
          owners.set(key, id)
        }
      }
    }
  })

  it('are found by every name they list', () => {
    for (const team of teams) {
      for (const league of team.leagues) {
        for (const text of [team.name, ...team.aliases]) {
          expect(findTeam(text, league), `${league}: ${text}`).toBe(team)
        }
      }
    }
  })
})

describe('findTeam', () => {
  it.each([
    ['CHI Cubs', 'mlb', 'chicago-cubs'],
    ['NY Yankees', 'mlb', 'new-york-yankees'],
    ['COL Rockies', 'mlb', 'colorado-rockies'],
    ['LA Dodgers', 'mlb', 'los-angeles-dodgers'],
    ['Athletics', 'mlb', 'athletics'],
    ['Oakland Athletics', 'mlb', 'athletics'],
    ['Montreal Canadiens', 'nhl', 'montreal-canadiens'],
    ['Utah Hockey Club', 'nhl', 'utah-mammoth'],
    ['Arizona Coyotes', 'nhl', 'arizona-coyotes'],
    ['L.A. Chargers', 'nfl', 'los-angeles-chargers'],
    ['Man United', 'england_-_premier_league', 'manchester-united'],
    ["Nott'm Forest", 'england_-_premier_league', 'nottingham-forest'],
    ['Ath Madrid', 'spain_-_la_liga', 'atletico-madrid'],
    ["M'gladbach", 'germany_-_bundesliga', 'borussia-monchengladbach'],
    ['Ein Frankfurt', 'germany_-_bundesliga', 'eintracht-frankfurt'],
    ['1. FC Köln', 'germany_-_bundesliga', '1-fc-koln'],
    ['Sp Lisbon', 'portugal_-_primeira_liga', 'sporting-cp'],
    ['İstanbul Başakşehir', 'turkey_-_super_lig', 'basaksehir'],
    ['ENGLAND', 'fifa_-_world_cup', 'england'],
    ['Korea Republic', 'fifa_-_world_cup', 'south-korea'],
  ])('reads %j of %s as %s', (name, league, id) => {
    expect(findTeam(name, league)?.id).toBe(id)
  })

  it('follows a club through its pyramid, its cups and Europe', () => {
    for (const league of [
      'england_-_premier_league',
      'england_-_championship',
      'england_-_fa_cup',
      'uefa_-_europa_league',
    ]) {
      expect(findTeam('Leeds', league)?.id, league).toBe('leeds-united')
    }
    expect(findTeam('Leeds', 'scotland_-_premiership')).toBeUndefined()
    expect(findTeam('Arsenal', 'england_-_womens_super_league')).toBeUndefined()
  })

  it.each([
    ['LA', 'mlb'],
    ['New York', 'mlb'],
    ['NY', 'mlb'],
    ['Chicago', 'mlb'],
    ['Sox', 'mlb'],
    ['Los Angeles', 'nba'],
    ['LA', 'nfl'],
    ['New York', 'nfl'],
    ['New York', 'nhl'],
    ['Manchester', 'england_-_premier_league'],
    ['Sheffield', 'england_-_championship'],
    ['Borussia', 'germany_-_bundesliga'],
    ['Madrid', 'spain_-_la_liga'],
    ['Barcelona', 'fifa_-_world_cup'],
    ['', 'nba'],
    ['Chicago Bulls', 'no such league'],
  ])('does not guess %j of %s', (name, league) => {
    expect(findTeam(name, league)).toBeUndefined()
  })
})

describe('findTeamInSport', () => {
  it('needs the name to be unique in the sport', () => {
    expect(findTeamInSport('Cardinals', 'football')?.id).toBe('arizona-cardinals')
    expect(findTeamInSport('Cardinals', 'baseball')?.id).toBe('st-louis-cardinals')
    expect(findTeamInSport('Arsenal', 'Soccer')?.id).toBe('arsenal')
    expect(findTeamInSport('ATL', 'basketball')).toBeUndefined()
    expect(findTeamInSport('Andorra', 'soccer')).toBeUndefined()
    expect(findTeamInSport('Arsenal', 'chess')).toBeUndefined()
  })
})

describe('a city or its code before a nickname', () => {
  it.each([
    ['mlb', 'ARI D-backs', 'arizona-diamondbacks'],
    ['mlb', 'Arizona Dbacks', 'arizona-diamondbacks'],
    ['nba', 'PHI Sixers', 'philadelphia-76ers'],
    ['nba', 'Dallas Mavs', 'dallas-mavericks'],
    ['nba', 'POR Blazers', 'portland-trail-blazers'],
    ['nfl', 'NE Pats', 'new-england-patriots'],
    ['spain_-_la_liga', 'Betis Sevilla', 'real-betis'],
  ])('names the team: %s, %s', (league, name, id) => {
    expect(findTeam(name, league)?.id).toBe(id)
  })
  it.each([
    ['mlb', 'CHI D-backs'],
    ['nba', 'DAL Sixers'],
    ['nfl', 'NE Jets'],
  ])('of another team names none: %s, %s', (league, name) => {
    expect(findTeam(name, league)).toBeUndefined()
  })
})
