import { describe, expect, it } from 'vitest'
import {
  dayAt,
  dayInYear,
  dayMs,
  instantAt,
  wallClock,
  weekdayOf,
} from '../../../../pipeline/feeds/simulator/calendar.ts'
import {
  type SimulatedLeague,
  simulatedLeagues,
} from '../../../../pipeline/feeds/simulator/catalogue.ts'
import {
  createFixtureList,
  type Fixture,
  firstDayOf,
  weekOf,
} from '../../../../pipeline/feeds/simulator/fixtures.ts'
import { createSchedule } from '../../../../pipeline/feeds/simulator/schedule.ts'
import { findTeam } from '../../../../schemas/reference/teams.ts'

const hour = 3_600_000

/**
 * The dates (month-day, local, both ends included) between which each league played in the seasons
 * 2022 to 2026, from their published calendars. Leagues not listed play all year.
 */
const seasons: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  nba: [['10-18', '06-24']],
  wnba: [['05-06', '10-22']],
  euroleague: [['09-28', '05-31']],
  ncaab: [['11-02', '04-09']],
  'australia_-_nbl': [['09-17', '04-06']],
  nfl: [['09-03', '02-15']],
  ncaaf: [['08-22', '01-26']],
  mlb: [['03-25', '11-06']],
  'japan_-_npb': [['03-26', '11-09']],
  nhl: [['10-03', '06-27']],
  'sweden_-_shl': [['09-10', '05-06']],
  'england_-_premier_league': [['08-04', '05-29']],
  'england_-_championship': [['07-28', '05-30']],
  'england_-_league_one': [['07-28', '05-30']],
  'scotland_-_premiership': [['07-29', '05-30']],
  'spain_-_la_liga': [['08-09', '06-06']],
  'spain_-_segunda_division': [['08-09', '06-25']],
  'italy_-_serie_a': [['08-12', '06-06']],
  'italy_-_serie_b': [['08-11', '06-10']],
  'germany_-_bundesliga': [['08-04', '05-29']],
  'germany_-_bundesliga_2': [['07-14', '06-03']],
  'france_-_ligue_1': [['08-03', '06-05']],
  'netherlands_-_eredivisie': [['08-03', '06-05']],
  'belgium_-_pro_league': [['07-20', '06-06']],
  'portugal_-_primeira_liga': [['08-04', '06-01']],
  'turkey_-_super_lig': [['08-04', '06-08']],
  'greece_-_super_league': [['08-16', '05-31']],
  'uefa_-_champions_league': [['09-05', '06-11']],
  'uefa_-_europa_league': [['09-05', '06-01']],
  'international_-_friendlies': [
    ['03-18', '04-01'],
    ['05-28', '06-20'],
    ['09-01', '09-30'],
    ['10-01', '10-20'],
    ['11-07', '11-22'],
  ],
  mls: [['02-19', '12-20']],
  'usa_-_nwsl': [['03-10', '11-25']],
  'mexico_-_liga_mx': [
    ['01-05', '06-02'],
    ['06-28', '12-22'],
  ],
  'brazil_-_serie_a': [['01-26', '12-22']],
  'argentina_-_primera_division': [['01-18', '12-20']],
  'sweden_-_allsvenskan': [['03-26', '12-03']],
  'norway_-_eliteserien': [['03-12', '12-12']],
  'korea_republic_-_k_league_1': [['02-12', '12-10']],
  'australia_-_a_league': [['10-06', '06-03']],
  afl: [['03-05', '10-02']],
  nrl: [['02-27', '10-08']],
  'australia_-_big_bash_league': [['12-05', '02-05']],
  ipl: [['03-20', '06-05']],
  'england_-_t20_blast': [['05-18', '09-20']],
  'england_-_premiership_rugby': [['09-05', '06-25']],
  'france_-_top_14': [['08-30', '07-01']],
  atp: [['12-28', '11-25']],
  wta: [['12-28', '11-12']],
  'atp_-_australian_open': [['01-11', '02-02']],
  'wta_-_australian_open': [['01-11', '02-02']],
  'atp_-_french_open': [['05-18', '06-12']],
  'wta_-_french_open': [['05-18', '06-12']],
  'atp_-_wimbledon': [['06-26', '07-18']],
  'wta_-_wimbledon': [['06-26', '07-18']],
  'atp_-_us_open': [['08-23', '09-14']],
  'wta_-_us_open': [['08-23', '09-14']],
  atp_challenger: [['12-29', '12-08']],
  ufc: [['01-09', '12-22']],
  pga_tour: [['01-01', '11-30']],
  'pdc_-_premier_league': [['01-30', '06-01']],
  'pdc_-_world_championship': [['12-10', '01-06']],
  'pdc_-_players_championship': [['02-04', '11-26']],
  world_snooker_championship: [['04-15', '05-07']],
  'snooker_-_uk_championship': [['11-10', '12-15']],
  league_of_legends: [['01-08', '12-10']],
}

/** The local hours in which most games of a sport start, from and to. */
const usualHours: Readonly<Record<string, readonly [number, number]>> = {
  basketball: [12, 22.6],
  football: [11, 20.6],
  hockey: [12.5, 20.5],
  baseball: [12, 20.5],
  soccer: [12, 22],
  tennis: [10, 21],
  mma: [16, 23],
  boxing: [18, 23],
  golf: [7, 15],
  cricket: [13, 21.5],
  rugby: [13, 21.2],
  rugby_league: [13.5, 20.2],
  australian_rules: [12.5, 20],
  darts: [11.5, 21],
  snooker: [10, 20],
  table_tennis: [0, 24],
  esports: [10, 22],
}

/** Days on which a league has few games or none. */
const idleDays: Readonly<Record<string, readonly string[]>> = {
  nfl: ['tue', 'wed', 'fri'],
  'england_-_premier_league': ['tue', 'wed', 'thu'],
  'uefa_-_champions_league': ['mon', 'fri', 'sun'],
  ufc: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri'],
  pga_tour: ['mon', 'tue', 'wed'],
}

const within = (day: number, [from, to]: readonly [string, string]) => {
  const year = new Date(day * dayMs).getUTCFullYear()
  return [year - 1, year].some((of) => {
    const first = dayInYear(from, of)
    const last = dayInYear(to, to < from ? of + 1 : of)
    return day >= first && day <= last
  })
}

/** Returns the day and hour at the place of the game, as if in Greenwich. */
const localOf = ({ startsAt, zone }: Fixture) => wallClock(startsAt, zone)

const firstWeek = weekOf(dayInYear('08-01', 2025))
const lastWeek = weekOf(dayInYear('09-30', 2027))

function seasonOf(league: SimulatedLeague, seed: number): Fixture[] {
  const list = createFixtureList(league, seed)
  const fixtures: Fixture[] = []
  for (let week = firstWeek; week <= lastWeek; week++) fixtures.push(...list.week(week))
  return fixtures
}

describe.each([1, 20])('two years of fixtures, seed %d', (seed) => {
  const byLeague = new Map(simulatedLeagues.map((league) => [league, seasonOf(league, seed)]))

  it('has no game out of season on any date', () => {
    const faults: string[] = []
    for (const [{ id }, fixtures] of byLeague) {
      const windows = seasons[id]
      if (!windows) continue
      for (const fixture of fixtures) {
        const day = dayAt(localOf(fixture))
        if (!windows.some((window) => within(day, window))) {
          faults.push(`${id} ${new Date(day * dayMs).toISOString().slice(0, 10)}`)
        }
      }
    }
    expect([...new Set(faults)]).toEqual([])
  })

  it('has games of every league, and of those all year in every month', () => {
    for (const [{ id }, fixtures] of byLeague) {
      expect(fixtures.length, id).toBeGreaterThan(20)
      if (seasons[id] || id === 'boxing' || id === 'counter_strike_2' || id === 'dota_2') continue
      const months = fixtures.map(({ startsAt }) => new Date(startsAt).getUTCMonth())
      expect(new Set(months).size, id).toBe(12)
    }
  })

  it('starts nine games in ten at the hours of the league, where it is played', () => {
    for (const [league, fixtures] of byLeague) {
      const [from, to] = usualHours[league.sport] ?? [0, 0]
      const usual = fixtures.filter((fixture) => {
        const hours = (localOf(fixture) % dayMs) / hour
        return hours >= from && hours <= to
      })
      expect(usual.length / fixtures.length, league.id).toBeGreaterThan(0.9)
    }
  })

  it('keeps to the days of the week of a league', () => {
    for (const [league, fixtures] of byLeague) {
      const idle = idleDays[league.id]
      if (!idle) continue
      const strays = fixtures.filter((of) => idle.includes(weekdayOf(dayAt(localOf(of)))))
      expect(strays.length / fixtures.length, league.id).toBeLessThan(0.02)
    }
  })

  it('has nobody play twice a day, doubleheaders aside, and the NFL once a week', () => {
    const days = new Map<string, Fixture[]>()
    function add(key: string, fixture: Fixture) {
      const before = days.get(key)
      if (before) before.push(fixture)
      else days.set(key, [fixture])
    }
    for (const [league, fixtures] of byLeague) {
      for (const fixture of fixtures) {
        const day = dayAt(localOf(fixture))
        for (const { key } of [fixture.home, fixture.away]) {
          // A club has the same key in its league and in the cup.
          add(`${league.sport}|${key}|${day}`, fixture)
          if (league.id === 'nfl') add(`week|${key}|${weekOf(day)}`, fixture)
        }
      }
    }
    const twice = [...days].filter(([, { length }]) => length > 1)
    const faults = twice.filter(([, games]) => {
      const [one, other] = games
      const isDoubleheader =
        games.length === 2 &&
        one?.league.id === 'mlb' &&
        one.home === other?.home &&
        one.away === other?.away
      return !isDoubleheader
    })
    expect(faults.map(([key]) => key)).toEqual([])
    // There are enough doubleheaders to check.
    expect(twice.length).toBeGreaterThan(10)
  })

  it('sometimes calls a game off, most often in baseball', () => {
    const all = [...byLeague.values()].flat()
    const off = all.filter(({ isPostponed }) => isPostponed)
    expect(off.length / all.length).toBeGreaterThan(0.0005)
    expect(off.length / all.length).toBeLessThan(0.01)
  })

  it('has the same games in each week, whenever it is read', () => {
    const week = weekOf(dayInYear('11-20', 2026))
    for (const [league, fixtures] of byLeague) {
      const first = firstDayOf(week) * dayMs - dayMs
      const again = createFixtureList(league, seed).week(week)
      const before = fixtures.filter(
        ({ startsAt }) => startsAt >= first && startsAt < first + 9 * dayMs,
      )
      for (const { home, away, startsAt } of again) {
        const same = before.some(
          (of) => of.home === home && of.away === away && of.startsAt === startsAt,
        )
        expect(same, league.id).toBe(true)
      }
    }
  })
})

describe('the board', () => {
  const board = (at: string, seed = 1) =>
    createSchedule(simulatedLeagues, seed).first(120, Date.parse(at))
  const leaguesOf = (at: string) => new Set(board(at).map(({ league }) => league.id))

  it.each([
    ['2026-07-15T18:00:00Z', ['mlb', 'wnba', 'mls', 'brazil_-_serie_a', 'ufc', 'wta']],
    ['2027-07-18T02:00:00Z', ['mlb', 'mls', 'sweden_-_allsvenskan', 'ufc', 'nrl']],
    ['2026-01-14T23:00:00Z', ['nba', 'nhl', 'ncaab', 'nfl', 'england_-_premier_league']],
    ['2026-11-24T12:00:00Z', ['nfl', 'nba', 'ncaab', 'uefa_-_champions_league']],
    [
      '2026-04-18T15:00:00Z',
      ['mlb', 'england_-_premier_league', 'ipl', 'world_snooker_championship'],
    ],
  ])('is full at %s, with %j', (at, expected) => {
    const leagues = leaguesOf(at)
    for (const league of expected) expect([...leagues]).toContain(league)
    expect(leagues.size).toBeGreaterThanOrEqual(12)
  })

  it('has something in play and soon to begin at any hour of the year', () => {
    for (let day = dayInYear('01-03', 2026); day < dayInYear('12-31', 2026); day += 37) {
      for (const of of [3, 11, 19]) {
        const at = day * dayMs + of * hour
        const games = createSchedule(simulatedLeagues, 1).first(120, at)
        const date = new Date(at).toISOString()
        expect(games.filter(({ startsAt }) => startsAt <= at).length, date).toBeGreaterThan(0)
        const soon = games.filter(({ startsAt }) => startsAt <= at + 24 * hour)
        expect(soon.length, date).toBeGreaterThan(15)
      }
    }
  })

  it('has the next game of a major league beside the fullest Saturday', () => {
    const at = Date.parse('2026-11-28T07:42:00Z')
    const schedule = createSchedule(simulatedLeagues, 1)
    const games = schedule.first(44, at)
    expect(games.some(({ league }) => league.id === 'nba')).toBe(false)
    const absent = schedule.absentMajors(games, at, at)
    const leagues = absent.map(({ league }) => league.id)
    expect(leagues).toContain('nba')
    // Baseball does not play in November.
    expect(leagues).not.toContain('mlb')
    expect(new Set(leagues).size).toBe(leagues.length)
    expect(absent.every(({ startsAt }) => startsAt > at)).toBe(true)
    // No later game is one of them.
    const known = new Set([...games, ...absent].map(({ number }) => number))
    for (let i = 0; i < 100; i++) expect(known.has(schedule.next(at).number)).toBe(false)
  })

  it('has the same games by the same numbers after a restart', () => {
    const before = board('2026-11-21T17:00:00Z')
    const after = board('2026-11-21T18:30:00Z')
    const numbers = new Map(before.map((game) => [game.number, game]))
    const both = after.filter(({ number }) => numbers.has(number))
    expect(both.length).toBeGreaterThan(50)
    for (const { number, home, startsAt } of both) {
      expect(numbers.get(number)?.home.key).toBe(home.key)
      expect(numbers.get(number)?.startsAt).toBe(startsAt)
    }
    expect(new Set(after.map(({ number }) => number)).size).toBe(120)
  })
})

describe('the players', () => {
  it('are never in two teams or two sports, and none in a team also competes alone', () => {
    const placeOfName = new Map<string, string>()
    for (const { id, sport, participants } of simulatedLeagues) {
      for (const { key, names, players } of participants) {
        const isAlone = ['tennis', 'mma', 'boxing', 'golf', 'darts', 'snooker', 'table_tennis']
        const own = isAlone.includes(sport) ? [names[0] ?? ''] : players
        for (const name of own) {
          const place = isAlone.includes(sport) ? sport : `${sport} ${key}`
          const known = placeOfName.get(name)
          expect(known === undefined || known === place, `${name}: ${known}, ${place} ${id}`).toBe(
            true,
          )
          placeOfName.set(name, place)
        }
      }
    }
    expect(placeOfName.size).toBeGreaterThan(1000)
  })

  it('have usual names in clean spelling, and the teams are known to the reference', () => {
    for (const { id, participants } of simulatedLeagues) {
      expect(new Set(participants.map(({ key }) => key)).size, id).toBe(participants.length)
      for (const { names } of participants) {
        const [name = ''] = names
        expect(name.trim()).toBe(name)
        expect(name).not.toMatch(/ {2}/)
        if (name.length > 5) expect(name).not.toBe(name.toUpperCase())
      }
    }
    const nba = simulatedLeagues.find(({ id }) => id === 'nba')
    expect(nba?.participants.length).toBe(30)
    for (const { names } of nba?.participants ?? [])
      expect(findTeam(names[0] ?? '', 'nba')).toBeDefined()
  })
})

describe('local time', () => {
  it.each([
    ['America/New_York', '2026-03-07T18:00:00Z', '2026-03-08T17:00:00Z'],
    ['Europe/London', '2026-10-24T12:00:00Z', '2026-10-25T13:00:00Z'],
  ])('of %s moves with daylight saving', (zone, before, after) => {
    const day = dayAt(Date.parse(before))
    const minutes = (wallClock(Date.parse(before), zone) % dayMs) / 60_000
    expect(new Date(instantAt(day, minutes, zone)).toISOString()).toBe(before.replace('Z', '.000Z'))
    expect(new Date(instantAt(day + 1, minutes, zone)).toISOString()).toBe(
      after.replace('Z', '.000Z'),
    )
  })
})
