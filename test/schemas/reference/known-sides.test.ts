import { describe, expect, it, test } from 'vitest'
import { collegeKey } from '../../../schemas/reference/college-key.ts'
import { colleges, findKnownSide } from '../../../schemas/reference/known-sides.ts'

describe('a college', () => {
  it.each([
    ['N. Carolina St.', 'North Carolina State'],
    ['SE Louisiana', 'Southeastern Louisiana'],
    ['UNC-Wilmington', 'North Carolina Wilmington'],
    ['Northern Ill.', 'Northern Illinois'],
    ['St. Johns', 'Saint Johns'],
    ['Mt. St. Marys', 'Mount Saint Marys'],
    ['Texas A & M', 'Texas A&M'],
    ['The University of Akron', 'Akron'],
    ["St. Peter's", 'Saint Peters'],
  ])('has one key as %j and as %j', (a, b) => {
    expect(collegeKey(a)).toBe(collegeKey(b))
  })

  it.each([
    ['Michigan', 'Michigan State'],
    ['Michigan', 'Eastern Michigan'],
    ['Boston College', 'Boston University'],
    ['North Carolina A&T', 'North Carolina'],
    ['Kent State', 'Kentucky State'],
    ['Missouri S&T', 'Missouri State'],
    ['Miami (OH)', 'Miami (FL)'],
    ['SC State', 'SD State'],
  ])('has another key as %j than as %j', (a, b) => {
    expect(collegeKey(a)).not.toBe(collegeKey(b))
  })
})

test('a club is known by the full name of its country', () => {
  for (const name of ['Trinidad & Tobago Knight Riders', 'Trinbago Knight Riders'])
    expect(findKnownSide(name, 'cricket', '')?.name).toBe('Trinbago Knight Riders')
})

test('no two colleges of the table share a name', () => {
  const owners = new Map<string, string>()
  const shared: string[] = []
  for (const { name, aliases } of colleges) {
    for (const text of [name, ...aliases]) {
      const key = collegeKey(text)
      if (key === '') continue
      if ((owners.get(key) ?? name) !== name) shared.push(`${owners.get(key)} / ${name}: ${text}`)
      owners.set(key, name)
    }
  }
  expect(shared).toEqual([])
})

describe('a known side', () => {
  const key = (name: string, sport: string, league = '') => findKnownSide(name, sport, league)?.key

  it('is one under all its names', () => {
    expect(key('UTEP', 'football', 'ncaaf')).toBe(key('Texas-El Paso', 'football', 'ncaaf'))
    expect(key('UTEP', 'football')).toBe(key('Texas El Paso Miners', 'football', 'ncaaf'))
    expect(key('Eisbären Berlin', 'hockey')).toBe(key('EHC Berlin', 'hockey'))
    expect(key('Eisbären Berlin', 'hockey')).toBeDefined()
  })

  it('is not found by a name that a team of a table has too, except in a league of colleges', () => {
    expect(key('Houston', 'basketball')).toBeUndefined()
    expect(key('Houston', 'basketball', 'ncaab')).toBeDefined()
    expect(key('Houston', 'basketball', 'nba')).toBeUndefined()
  })

  it('is read from a truncated name if only one completes it', () => {
    expect(key('Stephen F Aus', 'basketball', 'ncaab')).toBe(
      key('Stephen F. Austin', 'basketball', 'ncaab'),
    )
    expect(key('Southern Illin', 'basketball', 'ncaab')).toBeUndefined()
  })

  it('belongs to its sport only', () => {
    expect(key('Eisbären Berlin', 'soccer')).toBeUndefined()
    expect(key('constructor', 'toString')).toBeUndefined()
  })
})
