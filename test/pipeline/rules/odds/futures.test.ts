import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  identifyFuture,
  selectionKey,
  shownSelection,
} from '../../../../pipeline/rules/odds/futures.ts'
import { type FeedFuture, futureTypes } from '../../../../schemas/feed-record.ts'
import { findTeamInSport, teams } from '../../../../schemas/reference/teams.ts'

const at = Date.parse('2026-11-22T12:00:00Z')
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

const future = (of: Partial<FeedFuture>): FeedFuture => ({
  externalId: null,
  sport: 'basketball',
  league: 'nba',
  name: 'NBA Champion',
  futureType: 'TEAM',
  subject: null,
  season: null,
  settlesAt: null,
  ...of,
})
const idOf = (of: Partial<FeedFuture>, sportsbook = 'draftkings') =>
  identifyFuture(future(of), sportsbook, at).marketId

describe('the market of a futures statement', () => {
  const spring = { season: '2026-27' }
  it.each<[string, Partial<FeedFuture>[]]>([
    [
      'nba_champion_2027',
      [
        { name: 'NBA Champion', ...spring },
        { name: 'NBA Championship Winner 2026/27' },
        { name: 'NBA 2026-2027 - Outright Winner' },
        { name: 'To Win the NBA Finals', settlesAt: day('2027-06-20') },
        { name: 'NBA Championship', season: '2026/27' },
        { name: 'Winner', settlesAt: day('2027-06-20') },
        { name: '2027 NBA Finals Winner', settlesAt: day('2027-06-20') },
        { name: 'Outright', ...spring },
      ],
    ],
    [
      'nfl_champion_2027',
      [
        { sport: 'football', league: 'nfl', name: 'Super Bowl Winner 2026/27' },
        { sport: 'football', league: 'nfl', name: 'NFL Super Bowl Champion', ...spring },
      ],
    ],
    [
      'mlb_total_wins_mariners_2027',
      [
        {
          sport: 'baseball',
          league: 'mlb',
          futureType: 'OVER_UNDER',
          subject: 'Seattle Mariners',
          name: 'Seattle Mariners Regular Season Wins 2027',
        },
        {
          sport: 'baseball',
          league: 'mlb',
          futureType: 'OVER_UNDER',
          subject: 'SEA Mariners',
          name: 'MLB 2027 Win Total',
        },
      ],
    ],
    [
      'fifa_-_world_cup_champion_2030',
      [
        { sport: 'soccer', league: 'fifa_-_world_cup', name: 'World Cup 2030 Winner' },
        { sport: 'soccer', league: 'fifa_-_world_cup', name: 'FIFA World Cup Outright 2030' },
      ],
    ],
    [
      'golf_-_masters_champion_2027',
      [
        {
          sport: 'golf',
          league: 'golf_-_masters',
          futureType: 'PLAYER',
          name: 'Masters Tournament Winner',
          settlesAt: day('2027-04-08'),
        },
        {
          sport: 'golf',
          league: 'golf_-_masters',
          futureType: 'PLAYER',
          name: 'The Masters 2027: Outright Betting',
        },
      ],
    ],
    [
      'england_-_premier_league_relegation_2027',
      [
        {
          sport: 'soccer',
          league: 'england_-_premier_league',
          name: 'Premier League 2026/27 - To Be Relegated',
        },
        {
          sport: 'soccer',
          league: 'england_-_premier_league',
          name: 'EPL Relegation',
          ...spring,
        },
      ],
    ],
    [
      'nba_make_playoffs_knicks_2027',
      [
        { futureType: 'YES_NO', subject: 'NY Knicks', name: 'To make the playoffs', ...spring },
        {
          futureType: 'YES_NO',
          subject: 'New York Knicks',
          name: 'New York Knicks to make the play-offs',
          ...spring,
        },
      ],
    ],
  ])('is %s in all of these words', (marketId, statements) => {
    for (const stated of statements)
      expect([stated.name, idOf(stated)]).toEqual([stated.name, marketId])
  })

  it.each<[string, Partial<FeedFuture>, Partial<FeedFuture>]>([
    ['another season', spring, { season: '2027-28' }],
    ['another league', spring, { ...spring, league: 'wnba', name: 'WNBA Champion' }],
    ['a conference', spring, { ...spring, name: 'NBA Eastern Conference Winner' }],
    [
      'the finals MVP',
      { ...spring, name: 'MVP', futureType: 'PLAYER' },
      { ...spring, name: 'Finals MVP', futureType: 'PLAYER' },
    ],
    ['the champion without a team', spring, { ...spring, name: 'NBA Champion without OKC' }],
    ['the regular season', spring, { ...spring, name: 'NBA Regular Season Winner' }],
    ['a top four', spring, { ...spring, name: 'Top 4 Finish' }],
    ['another kind of answer', spring, { ...spring, futureType: 'YES_NO' }],
    [
      'a shield in a league of two titles',
      { league: 'mls', sport: 'soccer', name: 'MLS Cup Winner 2027' },
      { league: 'mls', sport: 'soccer', name: 'MLS League Winner 2027' },
    ],
    [
      'another team',
      { ...spring, futureType: 'OVER_UNDER', subject: 'Boston Celtics', name: 'Win Total' },
      { ...spring, futureType: 'OVER_UNDER', subject: 'Miami Heat', name: 'Win Total' },
    ],
  ])('is another for %s', (_, one, other) => {
    expect(idOf(one)).not.toBe(idOf(other))
  })

  it('stays alone if its season is in doubt', () => {
    const doubts: Partial<FeedFuture>[] = [
      {},
      // The season may be the one that begins or the one that ends in 2026.
      { name: '2026 NFL Super Bowl Winner', league: 'nfl', sport: 'football' },
      { name: 'NBA Champion 2026/27 or 2027/28' },
      { name: 'NBA Champion 2026/27', season: '2027-28' },
      { name: 'NBA Champion 2026', settlesAt: day('2029-06-20') },
      {
        name: 'World Series Winner',
        league: 'mlb',
        sport: 'baseball',
        settlesAt: day('2027-01-01'),
      },
    ]
    for (const stated of doubts) {
      expect([stated, idOf(stated) === idOf(stated, 'fanduel')]).toEqual([stated, false])
    }
    expect(idOf({ externalId: 'a' })).not.toBe(idOf({ externalId: 'b' }))
  })

  it('stays alone if a season has many champions', () => {
    for (const league of ['pga_tour', 'atp', 'formula_1', 'mexico_-_liga_mx', 'Some Tour']) {
      const sport = league === 'atp' ? 'tennis' : league.includes('_-_') ? 'soccer' : 'golf'
      for (const name of ['Winner', 'Top 5 Finish']) {
        const stated = { sport, league, name, season: '2026-27', settlesAt: day('2027-05-20') }
        expect([league, idOf(stated) === idOf(stated, 'fanduel')]).toEqual([league, false])
      }
    }
  })

  it('keeps the mark of a subject that is no listed team', () => {
    const wins = { sport: 'soccer', league: 'x', futureType: 'OVER_UNDER', name: 'Wins' } as const
    const of = (subject: string) => idOf({ ...wins, season: '2026-27', subject })
    expect(of('River Plate (ARG)')).not.toBe(of('River Plate (URU)'))
  })

  it('stays alone if its subject may be several teams', () => {
    const wins = { futureType: 'OVER_UNDER', name: 'Win Total', subject: 'Los Angeles' } as const
    expect(idOf({ ...wins, ...spring })).not.toBe(idOf({ ...wins, ...spring }, 'fanduel'))
  })

  it('stays alone if its name has only the league', () => {
    expect(idOf({ name: 'NBA 2026/27' })).not.toBe(idOf({ name: 'NBA 2026/27' }, 'fanduel'))
  })

  it('is one in unlisted words if they are equal', () => {
    const passing = {
      league: 'nfl',
      sport: 'football',
      futureType: 'OVER_UNDER',
      subject: 'Kyler Murray',
    } as const
    const one = idOf({ ...passing, name: 'Regular Season Passing TDs', season: '2025/26' })
    const two = idOf(
      {
        ...passing,
        name: 'Kyler Murray Regular Season Passing Touchdowns',
        settlesAt: day('2026-02-10'),
      },
      'betmgm',
    )
    expect(one).toMatch(/^nfl_regular_season_passing_touchdowns_kyler_murray_2026_[0-9a-z]+$/)
    expect(two).toBe(one)
    expect(idOf({ ...passing, name: 'Passing TDs', season: '2025/26' })).not.toBe(one)
  })

  it('never shares an id with one of another league or kind, whatever the words', () => {
    const words = fc.constantFrom(
      'Winner',
      'MVP',
      'G League Winner',
      'Wins',
      'Total',
      'champion',
      '',
      '!!',
    )
    const any = fc.record({
      league: fc.constantFrom('nba', 'nba_g_league', 'nba_g', 'mlb', 'x', 'x_g_league'),
      name: fc.array(words, { maxLength: 3 }).map((list) => list.join(' ')),
      futureType: fc.constantFrom(...futureTypes),
      season: fc.constantFrom('2026-27', '2027-28', null),
      subject: fc.constantFrom(null, 'Wins', 'Boston Celtics', 'BOS Celtics'),
    })
    fc.assert(
      fc.property(any, any, fc.constantFrom('draftkings', 'fanduel'), (a, b, book) => {
        const one = identifyFuture(future(a), 'draftkings', at)
        const two = identifyFuture(future(b), book, at)
        if (one.marketId !== two.marketId) return
        expect(two).toEqual(one)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('a selection of a futures market', () => {
  const key = (stated: string, futureType: FeedFuture['futureType'], league = 'nba') => {
    const of = { futureType, league, sport: 'basketball' }
    return selectionKey(shownSelection(stated, of), of, 'draftkings')
  }

  it.each([
    ['TEAM', 'New York Knicks', ['NY Knicks', 'Knicks', 'new york  knicks']],
    ['PLAYER', 'Scottie Scheffler', ['Scheffler, Scottie', 'SCOTTIE SCHEFFLER']],
    ['PLAYER', 'Ousmane Dembele', ['Ousmane Dembélé (France) [2 Goals]', 'OUSMANE DEMBELE (FRA)']],
    ['OVER_UNDER', 'Over', ['over', 'OVER']],
    ['YES_NO', 'No', ['no', ' NO ']],
  ] as const)('of %s: %s is named in each of these ways', (futureType, name, spellings) => {
    for (const spelling of spellings) expect(key(spelling, futureType)).toBe(key(name, futureType))
  })

  it.each([
    ['PLAYER', 'Tom Kim', 'Si Woo Kim'],
    ['PLAYER', 'Harry Kane', 'H. Kane'],
    ['TEAM', 'Los Angeles Lakers', 'Los Angeles Clippers'],
    ['TEAM', '!!', '??'],
    ['PLAYER', 'Danilo (BRA)', 'Danilo (POR)'],
  ] as const)('of %s: %s is not %s', (futureType, one, other) => {
    expect(key(one, futureType)).not.toBe(key(other, futureType))
  })

  it('stays with its sportsbook if several teams have the name', () => {
    const shared = teams
      .flatMap(({ sport, aliases }) => aliases.map((alias) => [alias, 'x', sport] as const))
      .find(([alias, , sport]) => !findTeamInSport(alias, sport))
    for (const [name, league, sport] of [['Los Angeles', 'nba', 'basketball'], shared ?? []]) {
      const of = { futureType: 'TEAM', league: league ?? '', sport: sport ?? '' } as const
      const keyAt = (sportsbook: string) => selectionKey(name ?? '', of, sportsbook)
      expect([name, keyAt('draftkings')]).not.toEqual([name, keyAt('fanduel')])
    }
  })

  it('stays with its sportsbook if it names all the others', () => {
    const of = { futureType: 'PLAYER', league: 'golf_-_masters', sport: 'golf' } as const
    for (const name of ['Field', 'The Field', 'Any Other Player', 'None']) {
      expect(selectionKey(name, of, 'draftkings')).not.toBe(selectionKey(name, of, 'fanduel'))
    }
  })
})
