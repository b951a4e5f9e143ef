import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createEventId,
  easternOffsetMs,
  teamSlug,
} from '../../../../pipeline/rules/names/event-id.ts'

const free = () => false
const nba = { leagueId: 'nba', clock: 'us_eastern' as const }
const knicks = { name: 'New York Knicks', mascot: 'Knicks' }

describe('event ids', () => {
  test('carry the nickname, the US date and the quarter of the day in US leagues', () => {
    const home = teamSlug('NY Knicks', true, knicks)
    const away = teamSlug('Chicago Bulls', true, { name: 'Chicago Bulls', mascot: 'Bulls' })
    const startsAt = Date.parse('2027-01-15T00:40:00Z')
    expect(createEventId({ ...nba, home, away, startsAt }, free)).toBe(
      'nba_bulls_knicks_2027-01-14_b3',
    )
  })

  test('carry the UTC date and shortened names elsewhere', () => {
    const game = {
      leagueId: 'england_-_premier_league',
      clock: 'utc' as const,
      home: teamSlug('Leeds United', false),
      away: teamSlug('Brentford', false),
      startsAt: Date.parse('2027-02-06T15:00:00Z'),
    }
    const id = 'england_-_premier_league_brentford_leeds_2027-02-06_b2'
    expect(createEventId(game, free)).toBe(id)
    expect(createEventId({ ...game, home: game.away, away: game.home }, free)).toBe(id)
  })

  test('number the further games of a doubleheader', () => {
    const game = {
      leagueId: 'mlb',
      clock: 'us_eastern' as const,
      home: 'mariners',
      away: 'padres',
      startsAt: Date.parse('2027-05-02T17:10:00Z'),
    }
    const ids = new Set<string>()
    for (let i = 0; i < 3; i++) ids.add(createEventId(game, (id) => ids.has(id)))
    const first = 'mlb_mariners_padres_2027-05-02_b2'
    expect([...ids]).toEqual([first, `${first}_g1`, `${first}_g2`])
  })

  test.each([
    ['00:00', 'b0'],
    ['05:59', 'b0'],
    ['06:00', 'b1'],
    ['11:59', 'b1'],
    ['12:00', 'b2'],
    ['17:59', 'b2'],
    ['18:00', 'b3'],
    ['23:59', 'b3'],
  ])('put %s into %s', (time, bucket) => {
    const startsAt = Date.parse(`2027-02-06T${time}:00Z`)
    const id = createEventId({ leagueId: 'l', clock: 'utc', home: 'a', away: 'b', startsAt }, free)
    expect(id).toBe(`l_a_b_2027-02-06_${bucket}`)
  })
})

describe('team slugs', () => {
  test.each([
    ['Chicago White Sox', true, { name: 'Chicago White Sox', mascot: 'White Sox' }, 'whitesox'],
    ['Blazers', true, { name: 'Portland Trail Blazers', mascot: 'Trail Blazers' }, 'trailblazers'],
    ['Philadelphia 76ers', true, { name: 'Philadelphia 76ers', mascot: '76ers' }, '76ers'],
    ['Michigan State', true, undefined, 'michiganstate'],
    ['American League', true, undefined, 'americanleague'],
    ['Brentford FC', false, undefined, 'brentford'],
    ['Man Utd', false, { name: 'Manchester United', mascot: null }, 'manchesterunited'],
    ['Manchester City', false, undefined, 'manchestercity'],
    ['Dundee', false, undefined, 'dundee'],
    ['Dundee FC', false, undefined, 'dundee'],
    ['Dundee United', false, undefined, 'dundeeunited'],
    ['FC København', false, undefined, 'kobenhavn'],
    ['Los Angeles Galaxy', false, undefined, 'angelesgalaxy'],
    ['The Strongest', false, undefined, 'strongest'],
    ["Nott'm Forest", false, undefined, 'nottmforest'],
    ['FC', false, undefined, 'fc'],
    ['Jannik Sinner', false, undefined, 'janniksinner'],
  ])('of %s', (name, us, team, slug) => {
    expect(teamSlug(name, us, team)).toBe(slug)
  })

  test('keep the teams of a league apart that share a place', () => {
    const names = ['United', 'City', 'Rovers', 'Town', 'Athletic', 'FC']
    for (const city of ['Manchester', 'Bristol', 'Dundee', 'Melbourne']) {
      const slugs = new Set(names.map((name) => teamSlug(`${city} ${name}`, false)))
      expect(slugs.size).toBe(names.length)
    }
  })

  test('are letters and digits, and never empty, for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (name, us) => {
        expect(teamSlug(name, us)).toMatch(/^[a-z0-9]+$/)
      }),
    )
  })

  test('keep names of other scripts apart', () => {
    expect(teamSlug('Ολυμπιακός', false)).not.toBe(teamSlug('Παναθηναϊκός', false))
  })
})

describe('US Eastern time', () => {
  const hours = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  })
  const wall = (at: number) => {
    const parts = Object.fromEntries(
      hours.formatToParts(at).map(({ type, value }) => [type, value]),
    )
    return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}`
  }
  const ours = (at: number) => new Date(at + easternOffsetMs(at)).toISOString().slice(0, 13)

  test('agrees with the time zone database around every change of 2015 to 2036', () => {
    for (let year = 2015; year <= 2036; year++) {
      for (const month of [2, 10]) {
        for (let hour = 0; hour < 16 * 24; hour++) {
          const at = Date.UTC(year, month, 1) + hour * 3_600_000
          expect(ours(at)).toBe(wall(at))
          if (wall(at) !== wall(at - 1)) expect(ours(at - 1)).toBe(wall(at - 1))
        }
      }
    }
  })

  test('agrees with it at any time', () => {
    const times = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2036, 0) })
    fc.assert(
      fc.property(times, (at) => {
        expect(ours(at)).toBe(wall(at))
      }),
    )
  })
})
