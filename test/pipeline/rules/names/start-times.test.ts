import { describe, expect, it, test } from 'vitest'
import { findMatch, type MatchOptions } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import {
  datesAmong,
  hasDoubleheaders,
  isWeekly,
  sharesDate,
  windowOf,
} from '../../../../pipeline/rules/names/start-times.ts'

const minute = 60_000
const startsAt = Date.parse('2026-05-02T15:00:00Z')

const optionsOf = (sport: string, league: string): MatchOptions => sideOptionsOf(sport, league)

/** Returns whether a listing so many minutes after a game of the same names joins it. */
function joins(sport: string, league: string, laterMinutes: number, number = ''): boolean {
  const [home, away] = ['Ridge Valley', 'Harbour Town']
  const listing = {
    home: `${home}${number}`,
    away: `${away}${number}`,
    startsAt: startsAt + laterMinutes * minute,
    sportsbook: 'corner_shop',
  }
  const game = { id: 'first', home, away, startsAt, externalIds: new Map([['mill_lane', '1']]) }
  return findMatch(listing, [game], optionsOf(sport, league)) !== null
}

describe('the same sides again on the same day', () => {
  test.each([
    ['baseball', 'mlb', 120],
    ['softball', 'ncaa_softball', 150],
    ['softball', 'athletes_unlimited', 120],
    ['cricket', 'european_cricket_series', 135],
    ['cricket', 'village_t20_cup', 125],
    ['darts', 'modus_super_series', 150],
    ['esports', 'esea', 60],
    ['table_tennis', 'tt_cup', 40],
    ['esoccer', 'battle', 50],
    ['e_soccer', 'battle', 50],
    ['cyber_football', 'champions_league', 50],
    ['soccer', 'esoccer_battle_-_8_mins_play', 50],
    ['soccer', 'e-soccer_battle', 50],
    ['soccer', 'gt_leagues_-_12_min', 50],
    ['soccer', 'fifa_23_amateurs', 50],
    ['ebasketball', 'battle', 50],
    ['basketball', 'ebasketball_battle_-_4x5mins', 50],
    ['basketball', 'nba_2k_league', 50],
    ['basketball', 'nba2k25', 50],
    ['baseball', 'e_baseball', 50],
    ['hockey', 'nhl_25_cyber', 50],
    ['hockey', 'liga_pro_3x3', 60],
    ['basketball', 'moscow_liga_3v3', 60],
    ['basketball_3x3', 'world_tour', 60],
    ['soccer', 'short_football_4x4', 60],
  ])('play another game: %s, %s, after %i minutes', (sport, league, later) => {
    expect(hasDoubleheaders(optionsOf(sport, league))).toBe(true)
    expect(joins(sport, league, later)).toBe(false)
    expect(joins(sport, league, 10)).toBe(true)
  })

  test.each([
    ['soccer', 'england_-_premier_league', 170],
    ['soccer', 'laliga_ea_sports', 170],
    ['soccer', 'fifa_-_world_cup', 170],
    ['basketball', 'nba', 170],
    ['hockey', 'nhl_24_25', 170],
    ['cricket', 'ipl', 170],
    ['cricket', 'ashes_test_series', 170],
    ['darts', 'pdc_-_world_championship', 170],
    ['tennis', 'atp', 600],
  ])('are one game elsewhere: %s, %s, after %i minutes', (sport, league, later) => {
    expect(hasDoubleheaders(optionsOf(sport, league))).toBe(false)
    expect(joins(sport, league, later)).toBe(true)
  })

  it('has a date without a time only where one day holds one game', () => {
    const [known, short] = ['england_-_premier_league', 'esoccer_battle_-_8_mins_play']
    expect(isWeekly(optionsOf('soccer', known))).toBe(true)
    expect(isWeekly(optionsOf('soccer', short))).toBe(false)
    expect(windowOf({ sport: 'soccer' })).toBe(180 * minute)
  })

  it.each(['softball', 'baseball'])('may be numbered: %s', (sport) => {
    expect(joins(sport, 'ncaa_games', 0, ' (Game 2)')).toBe(false)
    expect(joins(sport, 'ncaa_games', 0, ' Game 2')).toBe(false)
    expect(joins(sport, 'ncaa_games', 0, ' (Game 1)')).toBe(true)
  })
})

describe('a date without a time', () => {
  const at = (time: string) => Date.parse(`2026-09-${time}:00Z`)
  const midnight = at('13T00:00')
  const shares = (sport: string, start: string) => {
    const [date, game] = [{ startsAt: midnight }, { startsAt: at(start) }]
    expect(sharesDate({ sport }, game, date)).toBe(sharesDate({ sport }, date, game))
    return sharesDate({ sport }, date, game)
  }

  it.each(['soccer', 'football', 'mma', 'boxing'])(
    'is that of a game by UTC and by the clocks of America: %s',
    (sport) => {
      for (const start of ['13T00:00', '13T15:00', '13T23:59', '14T00:20', '14T07:59'])
        expect(shares(sport, start), start).toBe(true)
      for (const start of ['12T23:59', '14T08:00']) expect(shares(sport, start), start).toBe(false)
    },
  )

  it.each(['basketball', 'baseball', 'tennis', 'esports'])(
    'is a time where the same sides meet again within days: %s',
    (sport) => {
      expect(shares(sport, '13T15:00')).toBe(false)
    },
  )

  const dates = (sport: string, votes: Readonly<Record<string, number>>) =>
    datesAmong(
      { sport },
      new Map(Object.entries(votes).map(([time, count]) => [at(time), count])),
    ).map((date) => new Date(date).toISOString().slice(8, 16))

  it.each(['soccer', 'mma'])('is no start while another lists the time: %s', (sport) => {
    expect(dates(sport, { '13T00:00': 1, '13T15:00': 1 })).toEqual(['13T00:00'])
    expect(dates(sport, { '13T19:00': 1, '13T22:00': 1, '13T00:00': 1 })).toEqual(['13T00:00'])
    expect(dates(sport, { '13T00:00': 1, '14T00:00': 1 })).toEqual(['13T00:00'])
  })

  it('is one beside half as many times, and among fights beside as many', () => {
    const votes = { '13T15:00': 1, '13T00:00': 2 }
    expect(dates('soccer', votes)).toEqual(['13T00:00'])
    // Cards of fights do begin at midnight.
    expect(dates('mma', votes)).toEqual([])
  })

  it('is a start that nobody contradicts', () => {
    expect(dates('soccer', {})).toEqual([])
    expect(dates('soccer', { '13T00:00': 2 })).toEqual([])
    expect(dates('soccer', { '13T15:00': 1, '13T00:10': 5 })).toEqual([])
    expect(dates('soccer', { '13T00:00': 1, '12T21:00': 1 })).toEqual([])
  })

  it('is a start that the others miss by the hours of one game, or that most list', () => {
    expect(dates('soccer', { '13T00:00': 1, '13T03:00': 4 })).toEqual([])
    expect(dates('football', { '13T00:00': 3, '13T03:59': 1 })).toEqual([])
    expect(dates('basketball', { '13T00:00': 1, '13T15:00': 4 })).toEqual([])
  })
})
