/** A few labels of each kind; `contest-labels.nightly.test.ts` has all of them in every place. */
import { describe, expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

type Sides = readonly [home: string, away: string]

const startsAt = Date.UTC(2027, 1, 6, 15)
const games: Readonly<Record<string, readonly [sport: string, home: string, away: string]>> = {
  nba: ['basketball', 'Los Angeles Lakers', 'Chicago Bulls'],
  nfl: ['football', 'Kansas City Chiefs', 'Buffalo Bills'],
  mls: ['soccer', 'Seattle Sounders', 'San Jose Earthquakes'],
  mlb: ['baseball', 'Tampa Bay Rays', 'Milwaukee Brewers'],
  nhl: ['hockey', 'New York Rangers', 'Boston Bruins'],
  'england_-_premier_league': ['soccer', 'Arsenal', 'Liverpool'],
  'italy_-_serie_a': ['soccer', 'Juventus', 'AC Milan'],
  'germany_-_bundesliga': ['soccer', 'RB Leipzig', 'Borussia Dortmund'],
  euroleague: ['basketball', 'Real Madrid', 'Olympiacos'],
  ncaab: ['basketball', 'Duke', 'North Carolina'],
  'japan_-_npb': ['baseball', 'Yomiuri Giants', 'Hanshin Tigers'],
  atp: ['tennis', 'Carlos Alcaraz', 'Jannik Sinner'],
}

function areOne(league: string, ours: Sides): boolean {
  const [sport, home, away] = games[league]!
  return areOneGame(sport, league, ours, [home, away])
}

function areOneGame(sport: string, league: string, ours: Sides, [home, away]: Sides): boolean {
  const externalIds = new Map([['pinnacle', '1']])
  const listing = { home: ours[0], away: ours[1], startsAt, sportsbook: 'bet365' }
  const candidate = { id: 'x', home, away, startsAt, externalIds }
  return findMatch(listing, [candidate], sideOptionsOf(sport, league)) !== null
}

const marked = (league: string, write: (name: string) => string): Sides => {
  const [, home, away] = games[league]!
  return [write(home), write(away)]
}

const wellKnown = ['italy_-_serie_a', 'germany_-_bundesliga', 'euroleague', 'ncaab', 'japan_-_npb']

const teams = ['nba', 'nfl', 'mlb', 'nhl', 'mls', 'england_-_premier_league']

describe('a label on both names', () => {
  test.each(['1H', 'SOG', '2K25', 'Zorvex', 'FT', 'TB', 'MT', 'U', 'X', 'P', 'Fort'])(
    '%s is of another contest, before or behind the names of teams',
    (label) => {
      const joined = teams.filter(
        (league) =>
          areOne(
            league,
            marked(league, (name) => `${label} ${name}`),
          ) ||
          areOne(
            league,
            marked(league, (name) => `${name} ${label}`),
          ),
      )
      expect(joined).toEqual([])
    },
  )

  test.each(
    ['E', 'RC', 'Ks', 'SV', 'SA', 'HB', 'CS', 'CA', 'BB', 'GK', 'RL', 'FT', 'Old', 'New'].flatMap(
      (label) => [[`{} ${label}`], [`{} (${label})`]],
    ),
  )('%s is of another contest, though clubs have it as a form', (text) => {
    const write = (name: string) => text.replace('{}', name)
    expect(wellKnown.filter((league) => areOne(league, marked(league, write)))).toEqual([])
  })

  test.each(['E-Football', 'E-Basketball', 'e - Hockey', 'VFL', 'Lock'])(
    '%s behind both names is of another contest',
    (label) => {
      const write = (name: string) => `${name} ${label}`
      const leagues = Object.keys(games).filter((league) => league !== 'atp')
      expect(leagues.filter((league) => areOne(league, marked(league, write)))).toEqual([])
    },
  )

  test('VfL in front is a form of the clubs of Germany alone', () => {
    const write = (name: string) => `VfL ${name}`
    expect(areOne('germany_-_bundesliga', marked('germany_-_bundesliga', write))).toBe(true)
    const others = Object.keys(games).filter(
      (league) => league !== 'atp' && league !== 'germany_-_bundesliga',
    )
    for (const league of others) {
      const [, home, away] = games[league]!
      expect(areOne(league, marked(league, write)), league).toBe(false)
      expect(areOne(league, [write(home), away]), league).toBe(false)
      expect(areOne(league, [home, write(away)]), league).toBe(false)
    }
  })

  test.each([
    ['soccer', 'uefa_-_champions_league', 'Wolfsburg', 'Arsenal'],
    ['soccer', 'club_friendlies', 'Bochum', 'Breidablik'],
    ['handball', 'ehf_european_league', 'Gummersbach', 'Kiel'],
    ['basketball', 'germany_-_bbl', 'Kirchheim', 'Alba Berlin'],
    ['basketball', 'germany_-_pro_a', 'SparkassenStars Bochum', 'Kirchheim'],
  ])('VfL is a form where clubs of Germany may play: %s, %s', (sport, league, home, away) => {
    const externalIds = new Map([['pinnacle', '1']])
    const candidate = { id: 'x', home, away, startsAt, externalIds }
    const listing = { home: `VfL ${home}`, away, startsAt, sportsbook: 'bet365' }
    expect(findMatch(listing, [candidate], sideOptionsOf(sport, league))).not.toBeNull()
  })

  test.each(['BC {}', '{} BC', 'FC {}'])(
    '%s is of the same contest where clubs have it',
    (text) => {
      expect(
        areOne(
          'euroleague',
          marked('euroleague', (name) => text.replace('{}', name)),
        ),
      ).toBe(true)
      expect(
        areOne(
          'ncaab',
          marked('ncaab', (name) => text.replace('{}', name)),
        ),
      ).toBe(false)
    },
  )

  test.each(['1996', '(1996)', '(Bot)', '(TTO)'])('%s is of another contest', (label) => {
    const isCountry = /[a-z]{3}/i.test(label)
    const leagues = Object.keys(games).filter(
      (league) => league !== 'atp' && !(isCountry && league === 'euroleague'),
    )
    const write = (name: string) => `${name} ${label}`
    expect(leagues.filter((league) => areOne(league, marked(league, write)))).toEqual([])
  })

  test('may be another year on each where the league has a table of teams', () => {
    const years: Sides = ['Los Angeles Lakers 1996', 'Chicago Bulls 1998']
    expect(areOne('nba', years)).toBe(false)
  })

  test.each([
    ['mls', '(USA)'],
    ['mls', '(CAN)'],
    ['england_-_premier_league', '(ENG)'],
    ['england_-_premier_league', '(GBR)'],
    ['nba', '(USA)'],
  ])('in %s %s is the country of clubs', (league, label) => {
    expect(
      areOne(
        league,
        marked(league, (name) => `${name} ${label}`),
      ),
    ).toBe(true)
  })

  test.each(['B', 'C', 'L'])('%s before the names is of another contest', (label) => {
    expect(
      teams.filter((of) =>
        areOne(
          of,
          marked(of, (name) => `${label} ${name}`),
        ),
      ),
    ).toEqual([])
  })

  test.each(['(B)', '(V)', '(E)', '(S)'])('%s is of another contest', (label) => {
    expect(
      teams.filter((of) =>
        areOne(
          of,
          marked(of, (name) => `${name} ${label}`),
        ),
      ),
    ).toEqual([])
  })

  test.each(['II', 'III', '(+1)', 'Set 1', 'Aces'])(
    '%s behind the names of players is of another contest',
    (label) => {
      expect(
        areOne(
          'atp',
          marked('atp', (name) => `${name} ${label}`),
        ),
      ).toBe(false)
    },
  )

  test.each([
    ['nba', 'Los Angeles Lakers (HOLLYWOOD)', 'Chicago Bulls (OUTLAW)'],
    ['nhl', 'New York Rangers (KHAN)', 'Boston Bruins (LEON)'],
    ['england_-_premier_league', 'Arsenal (Kray)', 'Liverpool (Upcake22)'],
    ['mls', 'Seattle Sounders [Zorvex]', 'San Jose Earthquakes [Quimby]'],
  ])('may be another word on each, in brackets: %s, %s v %s', (league, home, away) => {
    expect(areOne(league, [home, away])).toBe(false)
  })

  test.each([
    ['nba', 'LA Lakers', 'Chicago'],
    ['nhl', 'NY Rangers', 'BOS Bruins'],
    ['england_-_premier_league', 'Arsenal FC', 'Liverpool FC'],
    ['atp', 'Alcaraz C.', 'Sinner J.'],
    ['atp', 'Carlos Alcaraz (1)', 'Jannik Sinner (2)'],
    ['nba', 'Lakers (Los Angeles)', 'Chicago Bulls (Illinois)'],
    ['nba', 'Los Angeles Lakers (LAL)', 'Chicago Bulls (CHI)'],
    ['nhl', 'New York Rangers (M1)', 'Boston Bruins (WC2)'],
    ['mls', 'Seattle Sounders (Home)', 'San Jose Earthquakes (Away)'],
    ['mlb', 'Tampa Bay Rays (Baz)', 'Milwaukee Brewers (Peralta)'],
  ])('is none if it belongs to a name: %s, %s v %s', (league, home, away) => {
    expect(areOne(league, [home, away])).toBe(true)
  })
})

describe('letters of a form behind both names, where no table has the teams', () => {
  const unlisted: readonly (readonly [
    sport: string,
    league: string,
    home: string,
    away: string,
  ])[] = [
    ['hockey', 'sweden_-_shl', 'Frolunda', 'Farjestad'],
    ['hockey', 'khl', 'CSKA Moscow', 'SKA St Petersburg'],
    ['basketball', 'euroleague', 'Real Madrid', 'Olympiacos'],
    ['soccer', 'iceland', 'Breidablik', 'Vikingur Reykjavik'],
    ['handball', 'a league', 'Kiel', 'Flensburg'],
    ['rugby', 'a league', 'Saracens', 'Leicester Tigers'],
  ]

  test.each(['SG', 'TC', 'GF', 'FK', 'CC', 'TSS'])('%s are of another contest', (letters) => {
    const joined: string[] = []
    for (const [sport, league, home, away] of unlisted) {
      const plain: Sides = [home, away]
      const marked: Sides = [`${home} ${letters}`, `${away} ${letters}`]
      if (areOneGame(sport, league, marked, plain)) joined.push(marked.join(' v '))
      if (areOneGame(sport, league, plain, marked)) joined.push(`${marked.join(' v ')}, first`)
      expect(areOneGame(sport, league, marked, marked), marked.join(' v ')).toBe(true)
    }
    expect(joined).toEqual([])
  })

  test.each<[string, string, Sides, Sides]>([
    ['soccer', 'iceland', ['Breidablik FK', 'Vikingur Reykjavik'], ['Breidablik', 'Vikingur R']],
    ['soccer', 'a league', ['FK Javor', 'FK Metalac'], ['Javor', 'Metalac']],
    ['soccer', 'a league', ['Valmiera FK', 'Liepaja FK'], ['Valmiera', 'Liepaja']],
    ['soccer', 'iceland', ['Breidablik FC', 'Valur FC'], ['Breidablik', 'Valur']],
    ['soccer', 'a league', ['Lyngby BK', 'Hobro BK'], ['Lyngby', 'Hobro']],
    ['soccer', 'a league', ['Falkenbergs FF', 'Torns FF'], ['Falkenbergs', 'Torns']],
    ['soccer', 'a league', ['Heerde VV', 'Hattem VV'], ['Heerde', 'Hattem']],
    ['cricket', 'a league', ['Barnes CC', 'Ealing CC'], ['Barnes', 'Ealing']],
    ['handball', 'a league', ['Lugi SK', 'Kroppskultur SK'], ['Lugi', 'Kroppskultur']],
    ['volleyball', 'a league', ['Falkenberg IF', 'Hylte IF'], ['Falkenberg', 'Hylte']],
    ['futsal', 'a league', ['Hammarby FC', 'Skovde FC'], ['Hammarby', 'Skovde']],
    ['hockey', 'sweden_-_hockeyallsvenskan', ['Asploven HC', 'Vita HC'], ['Asploven', 'Vita']],
    ['basketball', 'a league', ['Rytas BC', 'Neptunas BC'], ['Rytas', 'Neptunas']],
    ['rugby', 'a league', ['Melrose RFC', 'Hawick RFC'], ['Melrose', 'Hawick']],
    ['australian_rules', 'sanfl', ['Norwood FC', 'Sturt FC'], ['Norwood', 'Sturt']],
    ['soccer', 'a league', ['Umea Fotboll', 'Lulea Fotboll'], ['Umea', 'Lulea']],
  ])('belong to clubs in %s, %s: %j', (sport, league, marked, plain) => {
    expect(areOneGame(sport, league, marked, plain)).toBe(true)
  })
})

describe('"to" beside one name', () => {
  test.each([
    ['england_-_premier_league', 'Arsenal to reach Final', 'Liverpool'],
    ['nba', 'Los Angeles Lakers', 'Chicago Bulls to make the Playoffs'],
    ['mlb', 'To Sweep Tampa Bay Rays', 'Milwaukee Brewers'],
    ['atp', 'Carlos Alcaraz', 'Jannik Sinner to win 2-0'],
  ])('says what is bet on: %s, %s v %s', (league, home, away) => {
    expect(areOne(league, [home, away])).toBe(false)
  })
})

describe('a label on one name', () => {
  const beside = (write: (name: string) => string) =>
    Object.keys(games).filter((league) => {
      const [sport, home, away] = games[league]!
      return (
        sport !== 'tennis' &&
        (areOne(league, [write(home), away]) || areOne(league, [home, write(away)]))
      )
    })

  test.each([
    'The Show',
    'Sim',
    'All Stars',
    'G League',
    '60 Min',
    'Alternate',
    'FT',
    'HR',
    'TT',
    'E',
    'E-Sports',
    'e-Football',
    'SRL',
    'Special',
    'Lock',
  ])('%s is of another contest, before or behind the name of a team', (label) => {
    expect(beside((name) => `${label} ${name}`)).toEqual([])
    expect(beside((name) => `${name} ${label}`)).toEqual([])
  })

  test('with letters and digits names no pitcher and no city, in leagues with a table of teams', () => {
    const joined = beside((name) => `${name} 2v2`)
    expect(joined.filter((league) => teams.includes(league))).toEqual([])
  })

  test.each([
    ['mlb', 'Tampa Bay Rays Baz', 'Milwaukee Brewers'],
    ['mlb', 'Tampa Bay Rays - S Baz', 'Milwaukee Brewers Peralta'],
    ['mlb', 'Tampa Bay Rays Madden', 'Milwaukee Brewers'],
    ['england_-_premier_league', 'Arsenal London', 'Liverpool'],
    ['england_-_premier_league', 'Arsenal SC', 'Liverpool'],
    ['mls', 'Seattle Sounders FC', 'San Jose Earthquakes'],
  ])('is none that a club, its city or its pitcher may have: %s, %s v %s', (league, home, away) => {
    expect(areOne(league, [home, away])).toBe(true)
  })

  test('is none that a club is known by', () => {
    const listed = { home: 'Alumni', away: 'CASI', startsAt, sportsbook: 'bet365' }
    const names = { home: 'Asociacion Alumni', away: 'CASI' }
    const candidate = { id: 'x', ...names, startsAt, externalIds: new Map([['pinnacle', '1']]) }
    expect(findMatch(listed, [candidate], sideOptionsOf('rugby', 'urba'))).not.toBeNull()
  })
})
