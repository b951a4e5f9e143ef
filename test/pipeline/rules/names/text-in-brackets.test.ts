/** Text in brackets beside a name: the side's own where it fits that side, else another contest. */
import { describe, expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

type Names = readonly [home: string, away: string]

const startsAt = Date.UTC(2027, 1, 6, 15)

/** Returns whether the listings of two sportsbooks are one game, whichever is first. */
function areOneGame(sport: string, league: string, one: Names, other: Names): boolean {
  const [straight, reversed] = [[one, other] as const, [other, one] as const].map(
    ([[home, away], [listedHome, listedAway]]) =>
      findMatch(
        { home: listedHome, away: listedAway, startsAt, sportsbook: 'bet365' },
        [{ id: 'game', home, away, startsAt, externalIds: new Map([['pinnacle', '1']]) }],
        sideOptionsOf(sport, league),
      ) !== null,
  )
  expect(straight, `${one.join(' v ')}, ${other.join(' v ')}`).toBe(reversed)
  return straight as boolean
}

type Game = readonly [sport: string, league: string, home: string, away: string]

/** Games of leagues with a table of their teams, and of clubs that are well known. */
const games: readonly Game[] = [
  ['basketball', 'nba', 'Miami Heat', 'New York Knicks'],
  ['football', 'nfl', 'Detroit Lions', 'Chicago Bears'],
  ['hockey', 'nhl', 'New York Rangers', 'Boston Bruins'],
  ['soccer', 'england_-_premier_league', 'Arsenal', 'Chelsea'],
  ['soccer', 'italy_-_serie_a', 'Inter', 'AC Milan'],
  ['soccer', 'brazil_-_serie_a', 'Flamengo', 'Palmeiras'],
  ['basketball', 'euroleague', 'Real Madrid', 'Olympiacos'],
  ['basketball', 'ncaab', 'Duke', 'North Carolina'],
]

const joinedOf = (write: (home: string, away: string) => Names) =>
  games.flatMap(([sport, league, home, away]) => {
    const listed = write(home, away)
    return areOneGame(sport, league, [home, away], listed) ? [listed.join(' v ')] : []
  })

describe('the names of players in brackets', () => {
  test.each([
    ['Dax', 'Wboy'],
    ['Kray', 'JAB'],
    ['LLL', 'Bolec'],
    ['AB', 'CD'],
    ['Ali', 'Leo'],
    ['x2', 'Y7'],
  ])('are of a game on a computer, however short: %s, %s', (one, other) => {
    expect(joinedOf((home, away) => [`${home} (${one})`, `${away} (${other})`])).toEqual([])
  })

  test('are of one beside other brackets', () => {
    expect(joinedOf((home, away) => [`${home} (KRAFT) (2x6)`, `${away} (Bolec) (2x6)`])).toEqual([])
    expect(joinedOf((home, away) => [`${home} (KRAFT) (East)`, `${away} (Bolec) (West)`])).toEqual(
      [],
    )
  })

  test('are of one though the other name has its own code', () => {
    expect(
      areOneGame(
        'basketball',
        'nba',
        ['Miami Heat', 'New York Knicks'],
        ['Heat (MIA)', 'Knicks (Dax)'],
      ),
    ).toBe(false)
  })
})

describe('a code in brackets on one name', () => {
  test.each(['E', 'FT', 'AI', 'PP', 'TD', 'HR', 'CK', 'TT', 'Special'])(
    '%s is of another contest if it does not fit the side',
    (code) => {
      expect(joinedOf((home, away) => [`${home} (${code})`, away])).toEqual([])
      expect(joinedOf((home, away) => [home, `${away} (${code})`])).toEqual([])
    },
  )

  test.each(['KO', 'XG', 'Dax'])(
    'may be in no list where all teams of the league are known: %s',
    (code) => {
      const joined = joinedOf((home, away) => [`${home} (${code})`, away])
      expect(joined.filter((names) => /Heat|Lions|Rangers/.test(names))).toEqual([])
    },
  )
})

describe('what fits the side is its own', () => {
  test.each<[string, string, Names, Names]>([
    ['basketball', 'nba', ['Miami Heat', 'New York Knicks'], ['Heat (MIA)', 'Knicks (NYK)']],
    ['basketball', 'nba', ['Brooklyn Nets', 'Phoenix Suns'], ['Nets (BKN)', 'Suns (PHX)']],
    ['basketball', 'nba', ['Houston Rockets', 'Utah Jazz'], ['Houston Rockets (HR)', 'Utah Jazz']],
    ['basketball', 'nba', ['Miami Heat', 'New York Knicks'], ['Heat (E1)', 'Knicks (E2)']],
    ['basketball', 'nba', ['Miami Heat', 'New York Knicks'], ['Heat (3-1)', 'Knicks (NYK)']],
    ['basketball', 'nba', ['Miami Heat', 'New York Knicks'], ['Miami Heat (N)', 'NY Knicks']],
    ['hockey', 'nhl', ['St. Louis Blues', 'Los Angeles Kings'], ['Blues (STL)', 'Kings (LAK)']],
    [
      'soccer',
      'england_-_premier_league',
      ['Arsenal', 'Manchester City'],
      ['Arsenal (ARS)', 'Man City (MCI)'],
    ],
    ['soccer', 'brazil_-_serie_a', ['Flamengo', 'Palmeiras'], ['Flamengo (RJ)', 'Palmeiras (SP)']],
    [
      'soccer',
      'argentina_-_primera_division',
      ['Gimnasia La Plata', 'Central Cordoba'],
      ['Gimnasia (LP)', 'Central Cordoba (SdE)'],
    ],
    ['football', 'ncaaf', ['Miami', 'Albany'], ['Miami (FL)', 'Albany (NY)']],
    ['soccer', 'a league', ['Nacional', 'San Martin'], ['Nacional (Potosi)', 'San Martin (SJ)']],
    [
      'soccer',
      'croatia_-_hnl',
      ['Dinamo Zagreb', 'Hajduk Split'],
      ['Dinamo Zagreb (HR)', 'Hajduk Split'],
    ],
    [
      'baseball',
      'mlb',
      ['New York Yankees', 'Boston Red Sox'],
      ['New York Yankees (Ray)', 'Boston Red Sox (Kim)'],
    ],
  ])('in %s, %s: %s, %s', (sport, league, one, other) => {
    expect(areOneGame(sport, league, one, other)).toBe(true)
  })
})
