import { describe, expect, it } from 'vitest'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { findSport, slugSport, sports } from '../../../schemas/reference/sports.ts'
import { expectDense, handedOut } from './numerical-ids.ts'

describe('sports', () => {
  it('are those of the interface and Australian rules', () => {
    expect(sports.map(({ id }) => id)).toEqual([
      'basketball',
      'football',
      'hockey',
      'baseball',
      'soccer',
      'tennis',
      'mma',
      'golf',
      'boxing',
      'cricket',
      'rugby',
      'rugby_league',
      'lacrosse',
      'motorsports',
      'curling',
      'darts',
      'snooker',
      'table_tennis',
      'esports',
      'australian_rules',
    ])
    expectDense(sports)
  })

  it('keep the numbers that were handed out', () => {
    expect(handedOut(sports, 20)).toBe('bf14df516f74606e')
  })

  it('have names that mean one sport each', () => {
    const owners = new Map<string, string>()
    for (const { id, name, aliases } of sports) {
      for (const text of [id, name, ...aliases]) {
        expect([undefined, id]).toContain(owners.get(normaliseName(text)))
        owners.set(normaliseName(text), id)
      }
    }
  })

  it.each([
    ['ice_hockey', 'hockey'],
    ['Ice Hockey', 'hockey'],
    ['icehockey', 'hockey'],
    ['American-Football', 'football'],
    ['americanfootball', 'football'],
    ['MIXED_MARTIAL_ARTS', 'mma'],
    ['rugby union', 'rugby'],
    ['rugbyleague', 'rugby_league'],
    ['Aussie Rules', 'australian_rules'],
    ['aussierules', 'australian_rules'],
    ['Table Tennis', 'table_tennis'],
    ['Motorsport', 'motorsports'],
  ])('finds %j as %s', (text, id) => {
    expect(findSport(text)?.id).toBe(id)
  })

  it('guesses nothing', () => {
    expect(findSport('NFL football')).toBeUndefined()
    expect(findSport('')).toBeUndefined()
    expect(slugSport('Beach Volleyball')).toBe('beach_volleyball')
    expect(slugSport('!')).toBe('unknown')
  })
})
