/** Marks beside names that are no part of them: a country in brackets, a college's standing, the number of a game. */
import { describe, expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import { compareTeamNames } from '../../../../pipeline/rules/names/team-names.ts'
import { homes } from '../../../../pipeline/rules/names/team-words.ts'
import countries from '../../../../pipeline/rules/names/words/countries.json' with { type: 'json' }

const startsAt = Date.UTC(2027, 1, 6, 15)

type Names = readonly [home: string, away: string]

/** Returns whether the listings of two sportsbooks are one game, whichever is first. */
function areOneGame(sport: string, league: string, one: Names, other: Names, laterMs = 0) {
  const options = sideOptionsOf(sport, league)
  const [straight, reversed] = [
    [one, other, laterMs] as const,
    [other, one, -laterMs] as const,
  ].map(([known, listed, apartMs]) => {
    const [[home, away], [listedHome, listedAway]] = [known, listed]
    const externalIds = new Map([['pinnacle', '1']])
    const found = findMatch(
      { home: listedHome, away: listedAway, startsAt: startsAt + apartMs, sportsbook: 'bet365' },
      [{ id: 'game', home, away, startsAt, externalIds }],
      options,
    )
    return found !== null
  })
  expect(straight, `${one.join(' v ')}, ${other.join(' v ')}`).toBe(reversed)
  return straight
}

describe('a country in brackets', () => {
  const marks: Readonly<Record<string, readonly string[]>> = countries.marks
  const stateOf = (country: string) =>
    Object.entries(countries.states).find(([, own]) => own.includes(country))?.[0]

  test.each(Object.entries(homes))(
    '%s is that of the clubs that are known to be of it',
    (country, clubs) => {
      const own = [...(marks[country] ?? []), ...(marks[stateOf(country) ?? ''] ?? [])]
      expect(own).not.toEqual([])
      for (const club of clubs)
        for (const mark of own)
          expect(compareTeamNames(club, `${club} (${mark})`), club).toBe('same')
    },
  )

  test.each<[string, Names, Names]>([
    ['an English club', ['Liverpool', 'Real Madrid'], ['Liverpool (Eng)', 'Real Madrid (Esp)']],
    ['a Scottish club', ['Rangers', 'Olympiacos'], ['Rangers (SCO)', 'Olympiakos (GRE)']],
    ['clubs of one country', ['Arsenal', 'Chelsea'], ['Arsenal (GBR)', 'Chelsea (GBR)']],
    ['its own name', ['Arsenal', 'Sparta Praha'], ['Arsenal (England)', 'Sparta Praha (Czechia)']],
    ['the Saudi club', ['Al Ahli', 'Sepahan'], ['Al Ahli (KSA)', 'Sepahan (IRN)']],
    ['the Saudi club by name', ['Al Ahli', 'Sepahan'], ['Al-Ahli Saudi', 'Sepahan']],
  ])('does not make %s another', (_, one, other) => {
    expect(areOneGame('soccer', 'uefa_-_champions_league', one, other)).toBe(true)
  })

  test.each<[string, Names, Names]>([
    ['England and Scotland', ['Rangers (SCO)', 'Everton'], ['Rangers (ENG)', 'Everton']],
    ['Scotland and Chile', ['Rangers', 'Palestino'], ['Rangers (CHI)', 'Palestino']],
    ['Egypt and Saudi Arabia', ['Al Ahly', 'Al Hilal'], ['Al Ahli (KSA)', 'Al Hilal']],
  ])('tells clubs of %s apart', (_, one, other) => {
    expect(areOneGame('soccer', 'club_friendlies', one, other)).toBe(false)
  })
})

describe('Al Ahli and Al Ahly', () => {
  const opponent = 'Sepahan'
  const areOneClub = (league: string, one: string, other: string) =>
    areOneGame('soccer', league, [one, opponent], [other, opponent])
  const international = 'caf_-_champions_league'

  test.each([
    ['Al Ahly Cairo', 'Al Ahli Cairo'],
    ['Al Ahly Tripoli', 'Al-Ahli Tripoli'],
    ['Al Ahly Jeddah', 'Al Ahli Jeddah'],
    ['Al-Ahly Dubai', 'Al-Ahli Dubai'],
    ['Al Ahly (EGY)', 'Al-Ahli (EGY)'],
    ['Al Ahly', 'Al Ahli (EGY)'],
    ['Al Nasr (KSA)', 'Al Nassr (KSA)'],
  ])('are one club of a city or a country: %s, %s', (one, other) => {
    expect(areOneClub(international, one, other)).toBe(true)
  })

  test.each([
    ['Al Ahly', 'Al Ahli'],
    ['Al Ahly SC', 'Al Ahli'],
    ['Al Ahly', 'Al Ahli Saudi'],
    ['Al Ahly', 'National Cairo'],
    ['Al Nassr FC', 'Al Nasr'],
  ])('are one club in a league of one country: %s, %s', (one, other) => {
    for (const league of ['egypt_-_premier_league', 'saudi_arabia_-_pro_league'])
      expect(areOneClub(league, one, other)).toBe(true)
  })

  test.each([
    ['Al Ahly', 'Al Ahli'],
    ['Al Ahly SC', 'Al Ahli'],
    ['Al Ahly', 'Al Ahli (KSA)'],
    ['Al Ahly', 'Al Ahli Jeddah'],
    ['Al Ahly', 'Al Ahly (LBY)'],
    ['Al Nassr FC', 'Al Nasr'],
    ['Al Nasr Dubai', 'Al Nassr'],
    ['Al Nasr (UAE)', 'Al Nassr (KSA)'],
  ])('are two clubs where nothing says which: %s, %s', (one, other) => {
    expect(areOneClub(international, one, other)).toBe(false)
  })
})

describe("a college's standing", () => {
  const written: readonly Names[] = [
    ['{} (11-1)', '{} (10-2)'],
    ['{} (3-18)', '{} (2-19)'],
    ['{} (0-0)', '{} (0-0)'],
    ['{} (11-1, 7-1)', '{} (10-2, 6-2)'],
    ['No. 2 {}', 'No. 7 {}'],
    ['No.12 {}', '{}'],
    ['#2 {}', '#25 {}'],
    ['{} #2', '{} # 25'],
    ['{} No. 2', '{} - #7'],
    ['{} (#2)', '{} (#7)'],
    ['{} (2)', '{} (21)'],
    ['{} [2]', '{} [7]'],
    ['(3) {}', '(4) {}'],
    ['(1) {}', '(1) {}'],
  ]
  const write = (text: string, name: string) => text.replace('{}', name)

  test.each(written)('is no part of its name: %s, %s', (home, away) => {
    for (const league of ['ncaaf', 'ncaab'])
      for (const [one, other] of [
        ['Georgia', 'Texas'],
        ['Miami (OH)', 'Ohio'],
        ['Texas A&M', 'LSU'],
      ] as const) {
        const sport = league === 'ncaaf' ? 'football' : 'basketball'
        const ranked = [write(home, one), write(away, other)] as const
        expect(areOneGame(sport, league, [one, other], ranked)).toBe(true)
        expect(areOneGame(sport, league, [one, 'Duke'], ranked)).toBe(false)
      }
  })

  test.each([
    ['(2) LSU', 'Arkansas'],
    ['(12) LSU', '(1) Arkansas'],
    ['LSU (5)', 'Arkansas (3)'],
    ['LSU [12]', 'Arkansas'],
    ['#2 LSU', 'No. 5 Arkansas'],
  ])('is no part of its name in baseball: %s, %s', (home, away) => {
    const known = ['LSU', 'Arkansas'] as const
    expect(areOneGame('baseball', 'ncaa_baseball', known, [home, away])).toBe(true)
  })

  test.each([
    '{} Team #2',
    '{} (Team #2)',
    '{} Team No. 2',
    '{} Squad #2',
    '{} Team (2)',
    '{} Club #2',
    '{} Team: #2',
    '{} Team - #4',
    '{} #2 Team',
    '#2 Team {}',
    'No. 2 Team {}',
    'Team #2 {}',
    '{} JV',
    '{} (JV)',
    '{} JV #2',
    '{} JV (2)',
    'JV #2 {}',
    '{} Junior Varsity',
  ])('is not the number of a second team: %s', (text) => {
    const games = [
      ['football', 'ncaaf', 'LSU', 'Alabama'],
      ['basketball', 'ncaab', 'LSU', 'Alabama'],
      ['baseball', 'ncaa_baseball', 'LSU', 'Alabama'],
      ['hockey', 'ncaa_hockey', 'Boston College', 'Denver'],
    ] as const
    for (const [sport, league, home, away] of games)
      for (const second of [
        [write(text, home), away],
        [write(text, home), write(text, away)],
      ] as const)
        expect(areOneGame(sport, league, second, [home, away])).toBe(false)
  })

  test.each([
    '{} Game #2',
    '{} (Game #2)',
    'Game #2 {}',
    '{} Game No. 2',
    '{} DH #2',
    '{} Game: #2',
    'Game: #2 {}',
    '{} Game - #2',
    '{} (Game: #2)',
    '{} #2 Game',
    '#2 Game {}',
    '#5 {} Game 2',
    '{} #5 (Game 2)',
  ])('is not the number of a game: %s', (text) => {
    const known = ['LSU', 'Alabama'] as const
    const numbered = [write(text, 'LSU'), 'Alabama'] as const
    for (const [sport, league] of [
      ['football', 'ncaaf'],
      ['basketball', 'ncaab'],
      ['basketball', 'ncaaw'],
      ['baseball', 'ncaa_baseball'],
      ['lacrosse', 'ncaa_lacrosse'],
    ] as const)
      expect(areOneGame(sport, league, known, numbered)).toBe(false)
    const [first, second] = [0, 4 * 60 * 60_000].map((laterMs, at) => ({
      ...{ id: `${at + 1}`, home: 'LSU', away: 'Alabama', startsAt: startsAt + laterMs },
      externalIds: new Map([['pinnacle', `${at + 1}`]]),
    }))
    const listing = { home: numbered[0], away: numbered[1], sportsbook: 'bet365' }
    const options = sideOptionsOf('baseball', 'ncaa_baseball')
    const found = findMatch({ ...listing, startsAt: second!.startsAt }, [first!, second!], options)
    expect(found?.candidate).toBe(second)
  })

  test('is not read where "(2)" is a game of the day, or a second team', () => {
    const [home, away] = ['Texas', 'Georgia']
    expect(areOneGame('baseball', 'ncaa_baseball', [home, away], ['Texas (2)', away])).toBe(false)
    expect(areOneGame('soccer', 'club_friendlies', ['Lyon', 'Metz'], ['Lyon (2)', 'Metz'])).toBe(
      false,
    )
  })
})

describe('the number of a game of a playoff series', () => {
  const celtics = ['Boston Celtics', 'Miami Heat'] as const
  const numbered: readonly (readonly [...Names, ...Names])[] = [
    ['Boston Celtics (Game 3)', 'Miami Heat (Game 3)', ...celtics],
    ['Game 3 - Boston Celtics', 'Miami Heat', ...celtics],
    ['Game 3: Boston Celtics', 'Game 3: Miami Heat', ...celtics],
    ['Boston Celtics', 'Miami Heat - Game 7', ...celtics],
    ['Boston Celtics (Game 5)', 'Miami Heat (Game 5)', ...celtics],
    ['Celtics Gm 6', 'Heat Gm 6', 'Boston Celtics (Game 6)', 'Miami Heat'],
  ]

  test.each(numbered)('%s v %s is %s v %s', (home, away, otherHome, otherAway) => {
    for (const laterMs of [0, 60 * 60_000])
      expect(areOneGame('basketball', 'nba', [home, away], [otherHome, otherAway], laterMs)).toBe(
        true,
      )
  })

  test.each([
    ['Boston Red Sox (5)', 'New York Yankees'],
    ['Boston Red Sox (Game 5)', 'New York Yankees (Game 5)'],
    ['Boston Red Sox', 'Game 3: New York Yankees'],
    ['(7) Boston Red Sox', '(7) New York Yankees'],
  ])('from 3 up is no game of a day in baseball: %s, %s', (home, away) => {
    const known = ['Boston Red Sox', 'New York Yankees'] as const
    for (const laterMs of [0, 60 * 60_000])
      expect(areOneGame('baseball', 'mlb', known, [home, away], laterMs)).toBe(true)
    const other = ['Boston Red Sox (Game 6)', 'New York Yankees'] as const
    expect(areOneGame('baseball', 'mlb', other, [home, away])).toBe(false)
  })

  test.each(['{} G2', '{} (G2)', 'G2 {}', '{} [G6]'])(
    'is no code on one name outside baseball: %s',
    (text) => {
      const games = [
        ['basketball', 'nba', ...celtics],
        ['basketball', 'euroleague', 'Partizan', 'Olympiacos'],
        ['soccer', 'england_-_premier_league', 'Arsenal', 'Chelsea'],
      ] as const
      for (const [sport, league, home, away] of games)
        expect(areOneGame(sport, league, [text.replace('{}', home), away], [home, away])).toBe(
          false,
        )
    },
  )

  test('is no code of esports, where it is the name of a team', () => {
    const written = ['G2 Esports (G2)', 'Fnatic'] as const
    expect(areOneGame('esports', 'lol', written, ['G2 Esports', 'Fnatic'])).toBe(true)
  })

  test.each(['{} G2', '{} (G2)', 'G2 {}', '{} - G6'])(
    'is no code on both names outside baseball: %s',
    (text) => {
      const write = (names: Names): Names => [
        text.replace('{}', names[0]),
        text.replace('{}', names[1]),
      ]
      const arsenal = ['Arsenal', 'Chelsea'] as const
      const rangers = ['New York Rangers', 'Boston Bruins'] as const
      expect(areOneGame('basketball', 'nba', write(celtics), celtics)).toBe(false)
      expect(areOneGame('hockey', 'nhl', write(rangers), rangers)).toBe(false)
      expect(areOneGame('soccer', 'england_-_premier_league', write(arsenal), arsenal)).toBe(false)
    },
  )

  test.each([
    ['soccer', 'england_-_premier_league', 'Arsenal', 'Chelsea'],
    ['football', 'nfl', 'Kansas City Chiefs', 'Buffalo Bills'],
  ])('is of another contest in %s, which has no series', (sport, league, home, away) => {
    const numbered = [`${home} (Game 2)`, `${away} (Game 2)`] as const
    expect(areOneGame(sport, league, numbered, [home, away])).toBe(false)
    expect(areOneGame(sport, league, numbered, numbered)).toBe(true)
  })

  test('tells two of them apart, and in baseball the games of a day', () => {
    const [one, two] = ['Boston Celtics (Game 3)', 'Boston Celtics (Game 4)']
    expect(areOneGame('basketball', 'nba', [one, 'Miami Heat'], [two, 'Miami Heat'])).toBe(false)
    const [cubs, cardinals] = ['Chicago Cubs', 'St. Louis Cardinals']
    const second = ['Chicago Cubs (Game 2)', 'St. Louis Cardinals (Game 2)'] as const
    expect(areOneGame('baseball', 'mlb', [cubs, cardinals], second)).toBe(false)
  })
})

describe('"(1st)" in baseball', () => {
  const known = ['New York Yankees', 'Boston Red Sox'] as const

  test('on one name is the first game of the day', () => {
    expect(areOneGame('baseball', 'mlb', ['Yankees (1st)', 'Red Sox'], known)).toBe(true)
  })

  test.each([
    ['Yankees (1st)', 'Red Sox (1st)'],
    ['[1st] New York Yankees', 'Boston Red Sox [1st]'],
  ])('on both is its first inning or half: %s v %s', (home, away) => {
    expect(areOneGame('baseball', 'mlb', [home, away], known)).toBe(false)
    expect(areOneGame('baseball', 'mlb', [home, away], [home, away])).toBe(true)
  })
})

test('RL in rugby league is the form of a club, and no statistic', () => {
  const known = ['Wigan', 'Leeds'] as const
  expect(areOneGame('rugby_league', 'super_league', ['Wigan RL', 'Leeds RL'], known)).toBe(true)
})

describe('a mark beside one of the names', () => {
  const games: readonly (readonly [league: string, home: string, away: string])[] = [
    ['club_friendlies', 'Bayern Munich', 'Salzburg'],
    ['eerste_divisie', 'Ajax', 'Den Bosch'],
    ['international_friendlies', 'Spain', 'Japan'],
  ]
  const ofYoung = ['U.21', 'U. 21', 'U-21', 'Under 21s', 'Under-21s', 'Sub 21s', '(U.21)']
  const ofSecond = ['(B)', '(R)', '(Y)', '(Yth)', '(Juv)', 'Promesas', 'Next Gen', 'NextGen']
  const ofRussian = ['(мол)', 'мол.', 'молодежная']
  const ofWomen = [
    ...[
      '(жен)',
      'жен.',
      '(ж)',
      'женщины',
      '(Ž)',
      '(Ž.)',
      '(ženy)',
      '(žen)',
      '(K)',
      '(Kv)',
      '(Dam)',
    ],
    ...['女子', '(女)', '여자', 'Kadın', '(Kadınlar)', '(nők)', 'Fémin.'],
  ]

  test.each([...ofYoung, ...ofSecond, ...ofRussian, ...ofWomen])(
    'is of another game: %s',
    (mark) => {
      for (const [league, home, away] of games) {
        const plain = [home, away] as const
        expect(areOneGame('soccer', league, plain, [`${home} ${mark}`, away])).toBe(false)
        expect(areOneGame('soccer', league, plain, [home, `${away} ${mark}`])).toBe(false)
      }
    },
  )

  test.each([
    ...ofYoung.map((mark) => [mark, 'U21']),
    ...ofSecond.map((mark) => [mark, 'II']),
    ...ofWomen.map((mark) => [mark, 'Women']),
  ])('is the same in other words: %s, %s', (one, other) => {
    for (const [league, home, away] of games)
      expect(
        areOneGame(
          'soccer',
          league,
          [`${home} ${one}`, `${away} ${one}`],
          [`${home} ${other}`, `${away} ${other}`],
        ),
      ).toBe(true)
  })

  test('is none for the hand of a pitcher', () => {
    const plain = ['New York Yankees', 'Boston Red Sox'] as const
    expect(
      areOneGame('baseball', 'mlb', plain, ['New York Yankees (R)', 'Boston Red Sox (L)']),
    ).toBe(true)
  })
})
