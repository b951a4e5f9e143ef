import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { findLeague, resolveLeague } from '../../../schemas/reference/leagues.ts'
import { findMarket, mainMarketType } from '../../../schemas/reference/markets.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { findTeam, findTeamInSport } from '../../../schemas/reference/teams.ts'

const data = join(import.meta.dirname, '../../../../shared/data')

function text(path: string): string {
  const bytes = readFileSync(join(data, path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

function csv(path: string): Record<string, string>[] {
  return parse(text(path), {
    columns: true,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })
}

function files(folder: string, ends: string): string[] {
  return readdirSync(join(data, folder))
    .filter((name) => name.endsWith(ends))
    .map((name) => `${folder}/${name}`)
}

function column(rows: readonly Record<string, string>[], name: string): string[] {
  return [...new Set(rows.map((row) => row[name] ?? ''))].filter((value) => value !== '')
}

/** Returns the names that a lookup does not know. Each test wants an empty list. */
function unknown(names: Iterable<string>, find: (name: string) => unknown): string[] {
  return [...names].filter((name) => find(name) === undefined)
}

/** Returns all values of `key` anywhere in a JSON value. */
function members(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => members(item, key))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key ? [inner, ...members(inner, key)] : members(inner, key),
  )
}

describe.skipIf(!existsSync(data))('reference data covers the real data (needs ../shared)', () => {
  it('every league and club of football-data', () => {
    const seasons = [
      ...files('football-data', '.csv').filter((path) => !path.endsWith('MANIFEST.csv')),
      ...files('football-data/fixtures-snapshots', '.csv'),
    ]
    const missing = new Set<string>()
    for (const path of seasons) {
      for (const { Div = '', HomeTeam = '', AwayTeam = '' } of csv(path)) {
        if (Div === '') continue
        const league = findLeague(Div, 'soccer')
        if (!league) missing.add(Div)
        for (const team of [HomeTeam, AwayTeam]) {
          if (!findTeam(team, league?.id ?? '')) missing.add(`${Div}: ${team}`)
        }
      }
    }
    expect([...missing]).toEqual([])
  })

  it.each([
    // The White Sox are also called "Sox".
    ['mlb', ['sox']],
    ['nba', []],
    ['nfl', []],
  ])('every alias of %s but the ambiguous', (league, ambiguous) => {
    const { map, fullByCode } = JSON.parse(text(`aliases/us_${league}_team_aliases.json`)) as {
      map: Record<string, string>
      fullByCode: Record<string, string>
    }
    for (const [alias, code] of Object.entries(map)) {
      const found = findTeam(alias, league)
      if (ambiguous.some((name) => name === alias)) expect(found, alias).toBeUndefined()
      else expect(found, alias).toBe(findTeam(fullByCode[code] ?? '', league) ?? 'unknown team')
    }
  })

  it('every club that Pinnacle and a second platform spell their own way', () => {
    for (const row of csv('aliases/soccer_pinnacle_vs_bcapps.csv')) {
      const league = findLeague(row.league ?? '', 'soccer')?.id ?? 'unknown league'
      const pinnacle = findTeam(row.pinnacle_name ?? '', league)
      expect(pinnacle, `${league}: ${row.pinnacle_name}`).toBeDefined()
      expect(findTeam(row.bcapps_name ?? '', league), row.bcapps_name).toBe(pinnacle)
    }
  })

  it('every league of the league id table', () => {
    const names = column(csv('aliases/soccer_league_ids_by_book.csv'), 'name')
    expect(unknown(names, (name) => findLeague(name, 'soccer'))).toEqual([])
  })

  it('every sport, league, market type and sportsbook of the sharpapi sample', () => {
    for (const path of files('snapshots/sharpapi-sample', '.csv')) {
      const rows = csv(path)
      expect(unknown(column(rows, 'sport'), findSport)).toEqual([])
      expect(unknown(column(rows, 'league'), findLeague)).toEqual([])
      expect(unknown(column(rows, 'market_type'), findMarket)).toEqual([])
      expect(unknown(column(rows, 'sportsbook'), findSportsbook)).toEqual([])
    }
  })

  it('names the main lines of soccer as the sharpapi sample does', () => {
    const [path = ''] = files('snapshots/sharpapi-sample', 'b3.csv')
    const books = new Map<string, Set<string>>()
    for (const row of csv(path)) {
      const type = row.market_type ?? ''
      books.set(type, (books.get(type) ?? new Set()).add(row.sportsbook ?? ''))
    }
    const count = (type: string) => books.get(type)?.size ?? 0
    expect(count(mainMarketType('soccer', 'spread'))).toBeGreaterThan(count('asian_handicap'))
    expect(count(mainMarketType('soccer', 'total'))).toBeGreaterThan(count('asian_total_goals'))
    expect(count(mainMarketType('soccer', 'team_total', '1st_half'))).toBeGreaterThan(1)
  })

  it('keeps Asian totals beside plain ones: a sportsbook has both on one line, at other prices', () => {
    const [path = ''] = files('snapshots/sharpapi-sample', 'b3.csv')
    const rows = csv(path)
    const prices = new Map(
      rows.map((row) => {
        const { sportsbook, market_type, line, selection_type, odds_decimal } = row
        return [`${sportsbook} ${market_type} ${selection_type} ${line}`, Number(odds_decimal)]
      }),
    )
    /** Returns the chance of the over without the margin, by proportion. */
    const chanceOf = (type: string, line: string) => {
      const over = 1 / prices.get(`bovada ${type} over ${line}`)!
      return over / (over + 1 / prices.get(`bovada ${type} under ${line}`)!)
    }
    const apart = ['1.5', '2', '2.5', '3.5'].map(
      (line) => chanceOf('total_goals', line) - chanceOf('asian_total_goals', line),
    )
    // No margin explains four points of probability on each line.
    expect(Math.min(...apart)).toBeGreaterThan(0.04)
    expect(findMarket('asian_total_goals')?.sameAs).toBeNull()
    // No sportsbook has a spread and an Asian handicap of one side on one line: those are one bet.
    const spread = [...prices.keys()].filter((key) => key.includes(' asian_handicap '))
    expect(spread.length).toBeGreaterThan(0)
    const twice = spread.filter((key) => prices.has(key.replace('asian_handicap', 'point_spread')))
    expect(twice).toEqual([])
    expect(findMarket('asian_handicap')?.sameAs).toBe('point_spread')
  })

  it('every sportsbook, league and team of the recorded series', () => {
    const nba = csv('series/nba-au-books/nba_odds_snapshots_2026-03-03_to_2026-04-14.csv.gz')
    const afl = csv('series/afl/afl_game_odds_events_before_2026-03-23.csv.gz')
    expect(unknown(column([...nba, ...afl], 'bookmaker'), findSportsbook)).toEqual([])
    expect(unknown(column(nba, 'sport_key'), findLeague)).toEqual([])
    for (const side of ['home_team', 'away_team']) {
      expect(unknown(column(nba, side), (name) => findTeam(name, 'nba'))).toEqual([])
      expect(unknown(column(afl, side), (name) => findTeam(name, 'afl'))).toEqual([])
    }
  })

  it('every sportsbook and team of the US odds', () => {
    const folders = [
      ['nhl', 'us-odds/nhl-oddsapi'],
      ['nba', 'us-odds/nba-oddsapi'],
    ] as const
    for (const [league, folder] of folders) {
      for (const path of [...files(folder, '.csv'), ...files(folder, '.csv.gz')]) {
        const rows = csv(path)
        expect(unknown(column(rows, 'bookmaker'), findSportsbook)).toEqual([])
        for (const side of ['home_team', 'away_team']) {
          expect(unknown(column(rows, side), (name) => findTeam(name, league))).toEqual([])
        }
      }
    }
    const seasons = files('us-odds/nfl-multibook', '.csv').flatMap(csv)
    expect(unknown(column(seasons, 'team'), (name) => findTeam(name, 'nfl'))).toEqual([])
    const splits = csv('us-odds/nfl-actionnetwork/nfl_2023_lines_and_splits.csv.gz')
    // "LA" is the Rams in that feed's own codes, but Los Angeles has two teams.
    expect(unknown(column(splits, 'team'), (name) => findTeam(name, 'nfl'))).toEqual(['LA'])
  })

  it.each([
    ['Greece Super League 1', 'soccer', 'greece_-_super_league'],
    ['South African Premier League', 'football (soccer)', 'south_africa_-_premier_league'],
    ['Russia - First League', 'Soccer', 'russia_-_first_league'],
    ['Rwanda - National League', 'Soccer', 'rwanda_-_national_league'],
    ["Australian Open Women's Qualifiers", 'tennis', 'wta_-_australian_open_qualifiers'],
    ['NCAA Football Games', 'American Football', 'ncaaf'],
    ['Campionato Primavera U19', 'soccer', 'italy_-_campionato_primavera'],
    ['Club Friendly Matches', 'soccer', 'club_-_friendlies'],
    ['MLB', 'BASEBALL', 'mlb'],
    ['Belgian Jupiler League', 'Soccer', 'belgium_-_pro_league'],
    ['Pro Basketball (M)', 'Basketball', 'nba'],
  ])('the league that a feed calls %j', (name, sport, id) => {
    expect(resolveLeague(name, sport)).toMatchObject({ id, league: { id } })
  })

  it('every team of the archive of NFL closing lines but cities of two teams and a zero', () => {
    const games = JSON.parse(
      text('us-odds/nfl-archive-open-close/nfl_2011-2021_consensus.json.gz'),
    ) as { home_team: unknown; away_team: unknown }[]
    const names = new Set(games.flatMap((game) => [`${game.home_team}`, `${game.away_team}`]))
    expect(unknown(names, (name) => findTeam(name, 'nfl')).sort()).toEqual([
      '0',
      'LosAngeles',
      'NewYork',
    ])
  })

  it('every sportsbook, league and team of The Odds API', () => {
    for (const path of files('feeds/the-odds-api', '.json')) {
      const payload: unknown = JSON.parse(text(path))
      const books = members(payload, 'bookmakers').flatMap((list) =>
        (list as { key: string }[]).map(({ key }) => key),
      )
      expect(unknown(new Set(books), findSportsbook)).toEqual([])
      const keys = members(payload, 'sport_key') as string[]
      expect(unknown(new Set(keys), findLeague)).toEqual([])
      for (const league of new Set(keys)) {
        const id = findLeague(league)?.id ?? ''
        for (const side of ['home_team', 'away_team']) {
          const names = new Set(members(payload, side) as string[])
          expect(unknown(names, (name) => findTeam(name, id))).toEqual([])
        }
      }
    }
    const { data: sports } = JSON.parse(
      text('feeds/the-odds-api/legacy_v3_sports_2021-03.json'),
    ) as {
      data: { key: string; group: string; title: string }[]
    }
    for (const { key } of sports) {
      expect(findLeague(key), key).toBeDefined()
      expect(findSport(key.split('_')[0] ?? '')?.id, key).toBe(findLeague(key)?.sport)
    }
  })

  it('every team name of DraftKings and Pinnacle', () => {
    const draftKings = JSON.parse(text('feeds/draftkings/mlb_team_totals_2025-07-13.json')) as {
      events: { name: string }[]
    }
    const names = draftKings.events.flatMap(({ name }) => name.split(' @ '))
    expect(unknown(names, (name) => findTeam(name, 'mlb'))).toEqual([])
    for (const path of files('feeds/pinnacle-arcadia', 'matchups.json')) {
      for (const matchup of JSON.parse(text(path)) as PinnacleMatchup[]) {
        const { name, sport } = matchup.league
        const league = resolveLeague(name, name === 'NFL' ? 'football' : sport.name)
        expect(league.league, name).toBeDefined()
        if (matchup.type !== 'matchup') continue
        const teams = matchup.participants.map((participant) => participant.name)
        expect(unknown(teams, (team) => findTeam(team, league.id))).toEqual([])
      }
    }
  })

  it('every club of the feed that writes Greek', () => {
    const { events } = JSON.parse(
      text('feeds/winmasters-everymatrix/premier_league_2020-12_greek.json.gz'),
    ) as { events: { sportName: string; leagueName: string; eventName: string }[] }
    for (const { sportName, leagueName, eventName } of events) {
      const league = resolveLeague(leagueName, sportName)
      expect(league.id).toBe('england_-_premier_league')
      expect(unknown(eventName.split(' vs '), (name) => findTeam(name, league.id))).toEqual([])
    }
  })

  it('every sportsbook and football club of the French snapshots', () => {
    for (const path of files('snapshots/french-books-2020-11', '.json')) {
      const bySport = JSON.parse(text(path)) as Record<
        string,
        Record<string, { odds: Record<string, unknown> }>
      >
      for (const [sport, games] of Object.entries(bySport)) {
        const books = Object.values(games).flatMap(({ odds }) => Object.keys(odds))
        expect(unknown(new Set(books), findSportsbook)).toEqual([])
        if (sport !== 'football') continue
        const clubs = new Set(Object.keys(games).flatMap((name) => name.split(' - ')))
        expect(unknown(clubs, (name) => findTeamInSport(name, 'soccer'))).toEqual([])
      }
    }
  })
})

interface PinnacleMatchup {
  type: string
  league: { name: string; sport: { name: string } }
  participants: { name: string }[]
}
