import { describe, expect, it } from 'vitest'
import {
  findLeague,
  leagueById,
  leagues,
  resolveLeague,
  slugLeague,
} from '../../../schemas/reference/leagues.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { findSport, sports } from '../../../schemas/reference/sports.ts'
import { expectDense, handedOut } from './numerical-ids.ts'

describe('leagues', () => {
  it('cover every sport, at least 150 in all', () => {
    expect(leagues.length).toBeGreaterThanOrEqual(150)
    expectDense(leagues)
    const covered = new Set(leagues.map(({ sport }) => sport))
    expect([...covered].sort()).toEqual(sports.map(({ id }) => id).sort())
  })

  it('keep the numbers that were handed out', () => {
    expect(handedOut(leagues, 285)).toBe('42883a33fc0cf926')
  })

  it('have unique ids, and names that mean one league of a sport', () => {
    expect(new Set(leagues.map(({ id }) => id)).size).toBe(leagues.length)
    const owners = new Map<string, string>()
    for (const { id, name, sport, aliases } of leagues) {
      for (const text of [id, name, ...aliases]) {
        const key = `${sport} ${normaliseName(text)}`
        expect([undefined, id], key).toContain(owners.get(key))
        owners.set(key, id)
      }
    }
  })

  it('are found by every name they list, within their sport', () => {
    for (const league of leagues) {
      expect(leagueById(league.id)).toBe(league)
      expect(findLeague(league.id)).toBe(league)
      for (const text of [league.id, league.name, ...league.aliases]) {
        expect(findLeague(text, league.sport), text).toBe(league)
      }
    }
  })

  it('have the id that their name slugs to, where the name has a country', () => {
    for (const { id, name } of leagues) if (name.includes(' - ')) expect(slugLeague(name)).toBe(id)
  })

  it('put only the eight leagues of the interface on Eastern time, by nickname', () => {
    const eastern = leagues.filter(({ clock }) => clock === 'us_eastern').map(({ id }) => id)
    expect(eastern.sort()).toEqual(['mlb', 'nba', 'ncaab', 'ncaaf', 'ncaaw', 'nfl', 'nhl', 'wnba'])
    for (const { clock, us } of leagues) {
      expect(['us_eastern', 'utc']).toContain(clock)
      expect(us).toBe(clock === 'us_eastern')
    }
  })
})

describe('findLeague', () => {
  it.each([
    ['England - Premier League', 'england_-_premier_league'],
    ['England Premier League', 'england_-_premier_league'],
    ['EPL', 'england_-_premier_league'],
    ['soccer_epl', 'england_-_premier_league'],
    ['NBA', 'nba'],
    ['basketball_nba', 'nba'],
    ['americanfootball_nfl', 'nfl'],
    ['icehockey_nhl', 'nhl'],
    ['aussierules_afl', 'afl'],
    ['Scotland - Premiership', 'scotland_-_premiership'],
    ['jupiler_pro_league', 'belgium_-_pro_league'],
    ['uefa_nations_league', 'uefa_-_nations_league'],
    ['fifa_world_cup_qualifications_europe', 'fifa_-_world_cup_qualifiers_europe'],
    ['FIFA World Cup', 'fifa_-_world_cup'],
    ['South African Premier League', 'south_africa_-_premier_league'],
  ])('finds %j without a sport', (text, id) => {
    expect(findLeague(text)?.id).toBe(id)
  })

  it.each([
    ['Premier League', 'soccer', 'england_-_premier_league'],
    ['Serie A', 'Soccer', 'italy_-_serie_a'],
    ['Bundesliga', 'soccer', 'germany_-_bundesliga'],
    ['Premier League', 'darts', 'pdc_-_premier_league'],
    ['F1', 'soccer', 'france_-_ligue_1'],
    ['F1', 'motorsports', 'formula_1'],
    ['NCAA', 'football', 'ncaaf'],
    ['NCAA', 'basketball', 'ncaab'],
  ])('takes %j of %s as %s', (text, sport, id) => {
    expect(findLeague(text, sport)?.id).toBe(id)
  })

  it.each([
    ['NBA Matches', 'basketball', 'nba'],
    ['NBA - Regular Season', 'basketball', 'nba'],
    ['Basketball - NBA', 'basketball', 'nba'],
    ['NBA 2026/27', 'basketball', 'nba'],
    ['NFL Week 3', 'football', 'nfl'],
    ['USA: NCAA Women', 'basketball', 'ncaaw'],
    ['College Basketball - Men', 'basketball', 'ncaab'],
    ['WNBA, Women', 'basketball', 'wnba'],
    ['Euroleague Men', 'basketball', 'euroleague'],
    ['KBO - Korea', 'baseball', 'korea_-_kbo'],
    ['Premier League (England)', 'soccer', 'england_-_premier_league'],
    ['Premier League - Russia', 'soccer', 'russia_-_premier_league'],
    ['Serie A (Brazil)', 'soccer', 'brazil_-_serie_a'],
    ['Italy - Serie A Enilive', 'soccer', 'italy_-_serie_a'],
    ['Spain - LaLiga EA Sports', 'soccer', 'spain_-_la_liga'],
    ['Spain - LaLiga Hypermotion', 'soccer', 'spain_-_segunda_division'],
    ['Germany - Bundesliga I', 'soccer', 'germany_-_bundesliga'],
    ['Mexico - Liga MX, Apertura', 'soccer', 'mexico_-_liga_mx'],
    ['USA/Canada - MLS', 'soccer', 'mls'],
    ['International Clubs - Friendlies', 'soccer', 'club_-_friendlies'],
    ['NBA Pre-Season', 'basketball', 'nba_preseason'],
    ['Spain - La Liga EA Sports', 'soccer', 'spain_-_la_liga'],
    ['International Clubs - UEFA Champions League', 'soccer', 'uefa_-_champions_league'],
    ['US Open 2026', 'golf', 'golf_-_us_open'],
    ['Premier League - Round 12', 'soccer', 'england_-_premier_league'],
    ['UFC 310: Pantoja vs Asakura', 'mma', 'ufc'],
    ['MMA - UFC', 'mma', 'ufc'],
    ['ATP Miami', 'tennis', 'atp'],
    ["Wimbledon - Men's Singles", 'tennis', 'atp_-_wimbledon'],
    ['ATP - Singles: Wimbledon (United Kingdom), grass', 'tennis', 'atp_-_wimbledon'],
  ])('reads %j of %s as %s', (text, sport, id) => {
    expect(findLeague(text, sport)?.id).toBe(id)
  })

  it.each([
    ['NBA Africa', 'basketball'],
    ['NBA 2K League', 'basketball'],
    ['Simulated NBA', 'basketball'],
    ['NBA Finals MVP', 'basketball'],
    ['NHL Alumni', 'hockey'],
    ['Premier League 2', 'soccer'],
    ['England - Premier League U21', 'soccer'],
    ['Premier League Cup', 'soccer'],
    ['Ghana - Premier League', 'soccer'],
    ['Premier League - Ghana', 'soccer'],
    ['Italy - Serie A Women', 'soccer'],
    ['Bundesliga Women', 'soccer'],
    ['Italy - Serie A2', 'soccer'],
    ['Brazil - Serie A U20', 'soccer'],
    ['Super League', 'soccer'],
    ['Men', 'basketball'],
    ['USA', 'basketball'],
    ['Regular Season', 'football'],
    ['Wimbledon', 'tennis'],
    ['ATP Virtual', 'tennis'],
    ['EA Sports UFC 5', 'mma'],
    ['UFC BJJ 3', 'mma'],
    ['UFC Power Slap', 'mma'],
    ['FIFA World Cup Clubs', 'soccer'],
    ['UFC Simulated', 'mma'],
    ['US Open - Round 1', 'golf'],
    ['The Masters - Round 2', 'golf'],
    ['Ryder Cup - Day 1', 'golf'],
    ['PGA Tour Day 2', 'golf'],
  ])('does not read %j of %s as a listed league', (text, sport) => {
    expect(findLeague(text, sport)).toBeUndefined()
  })

  it('does not choose between leagues that share a name', () => {
    expect(findLeague('Premier League')).toBeUndefined()
    expect(findLeague('Serie A')).toBeUndefined()
    expect(findLeague('Primera Division', 'soccer')).toBeUndefined()
  })

  it('does not leave the sport it was given', () => {
    expect(findLeague('NBA', 'soccer')).toBeUndefined()
    expect(findLeague('nfl', 'no such sport')).toBeUndefined()
  })
})

describe('slugLeague', () => {
  it.each([
    ['England - Foo League', 'england_-_foo_league'],
    ['Türkiye – Süper Lig', 'turkiye_-_super_lig'],
    ["Brazil - Women's  Cup (U-20)", 'brazil_-_womens_cup_u_20'],
    ['Αγγλία - Premier League', 'αγγλια_-_premier_league'],
    [' - ', 'unknown'],
    ['', 'unknown'],
  ])('turns %j into %s', (text, slug) => {
    expect(slugLeague(text)).toBe(slug)
  })
})

describe('resolveLeague', () => {
  it('knows a league by its own and its sport by the name of a feed', () => {
    const nhl = leagueById('nhl')
    expect(resolveLeague('NHL', 'Ice Hockey')).toEqual({
      id: 'nhl',
      sport: 'hockey',
      league: nhl,
    })
  })

  it('takes the sport from the league when the feed names none', () => {
    expect(resolveLeague('basketball_nba', '')).toEqual({
      id: 'nba',
      sport: 'basketball',
      league: leagueById('nba'),
    })
  })

  it.each([
    ['NBA', 'NBA Basketball', 'nba'],
    ['NBA', 'basketball_nba', 'nba'],
    ['Premier League', 'Soccer - EPL', undefined],
    ['EPL', 'soccer_epl', 'england_-_premier_league'],
    ['NCAAF', 'College Football', 'ncaaf'],
    ['WNBA', "Women's Basketball", 'wnba'],
    ['UFC', 'UFC', 'ufc'],
    ['NHL', 'Unknown', 'nhl'],
    ['NBA', 'Basketball (US)', 'nba'],
    ['NBA', "Men's Basketball", 'nba'],
    ['NBA', 'sports', 'nba'],
    ['NBA', '4', 'nba'],
    ['NFL', 'football_us', 'nfl'],
    ['NFL', 'Pro Football', 'nfl'],
    ['NHL', 'Eishockey', 'nhl'],
    ['EPL', 'Soccer / Football', 'england_-_premier_league'],
    ['UFC', 'MMA/Boxing', 'ufc'],
    ['ATP', "Men's Tennis", 'atp'],
  ])(
    'takes the league %j of %j as %j, whose own words are beside the sport',
    (league, sport, id) => {
      expect(resolveLeague(league, sport).league?.id).toBe(id)
    },
  )

  it.each([
    ['NBA', 'ebasketball'],
    ['NBA', 'simulated_reality'],
    ['NBA', "Women's Basketball"],
    ['NBA', '3x3 Basketball'],
    ['EPL', 'Soccer (Women)'],
    ['NBA', 'Player Props'],
    ['NBA', 'NBA 2K'],
    ['NBA', 'Virtual Basketball'],
    ['NFL', 'virtual_football'],
    ['EPL', 'esoccer'],
    ['England - Premier League', 'FIFA 25'],
    ['La Liga', 'futsal'],
    ['La Liga', 'beach soccer'],
    ['Germany - Bundesliga', 'futnet'],
    ['NHL', 'Floorball'],
  ])(
    'keeps the %j of %j, a sport that is not listed, apart from the listed league',
    (league, sport) => {
      const resolved = resolveLeague(league, sport)
      expect(resolved.league).toBeUndefined()
      expect(findSport(resolved.sport)).toBeUndefined()
      expect(resolved.namesake?.name).toBeDefined()
      expect(findLeague(resolved.id)).toBeUndefined()
      expect(resolveLeague(resolved.id, resolved.sport)).toMatchObject({ id: resolved.id })
    },
  )

  it('keeps an unknown league under its slug', () => {
    expect(resolveLeague('Rwanda - Second Division', 'Soccer')).toEqual({
      id: 'rwanda_-_second_division',
      sport: 'soccer',
    })
    expect(resolveLeague('CEV Cup', 'Volleyball')).toEqual({
      id: 'cev_cup',
      sport: 'volleyball',
    })
  })

  it('never gives an unknown league the id of another', () => {
    const { id, league } = resolveLeague('NBA', 'esports')
    expect([id, league]).toEqual(['nba_esports', undefined])
  })
})
