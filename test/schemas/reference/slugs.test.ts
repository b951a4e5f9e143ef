import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findLeague,
  leagues,
  resolveLeague,
  slugLeague,
} from '../../../schemas/reference/leagues.ts'
import { markets, slugMarket } from '../../../schemas/reference/markets.ts'
import { slugSport, sports } from '../../../schemas/reference/sports.ts'
import {
  idOfSportsbook,
  slugSportsbook,
  sportsbooks,
} from '../../../schemas/reference/sportsbooks.ts'

const pieces = fc.constantFrom(
  ...['Vietnam', 'V', 'league', '3', 'Série', 'İ', 'ß', 'ΑΣ', 'Ÿ', '한국', 'ᄒ', 'ᅡ', 'Ḱ', 'K', '𝔸'],
  ...[
    '_-_',
    ' - ',
    ' – ',
    '-',
    '_',
    ' ',
    '  ',
    '+',
    "'",
    '’',
    '´',
    '\u1fef',
    '.',
    '!',
    '\t',
    '\u0301',
  ],
)
const name = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

const slugs: Record<string, (text: string) => string> = {
  league: slugLeague,
  sport: slugSport,
  market: slugMarket,
  sportsbook: slugSportsbook,
  'sportsbook’s id': idOfSportsbook,
}

describe('a slug', () => {
  it.each(Object.entries(slugs))('of a %s is its own slug', (_, slug) => {
    fc.assert(
      fc.property(name, (text) => {
        const once = slug(text)
        expect(once).not.toBe('')
        expect(slug(once)).toBe(once)
      }),
      { numRuns: 800 },
    )
  })

  it('of a league resolves to itself, in its sport and in any other', () => {
    const anySport = fc.constantFrom('soccer', 'basketball', 'Quidditch')
    const listed = fc.constantFrom(...leagues.map((league) => league.name))
    fc.assert(
      fc.property(fc.oneof(name, listed), anySport, (text, sport) => {
        const { id } = resolveLeague(text, sport)
        expect(resolveLeague(id, sport).id).toBe(id)
        expect(findLeague(id)?.id ?? slugLeague(id)).toBe(id)
      }),
      { numRuns: 800 },
    )
  })

  it('keeps the country of a league apart', () => {
    expect(slugLeague('Vietnam - V League 3')).toBe('vietnam_-_v_league_3')
    expect(slugLeague('vietnam_-_v_league_3')).toBe('vietnam_-_v_league_3')
  })

  it('is the form of every id of the reference tables', () => {
    for (const { id } of leagues) expect(slugLeague(id)).toBe(id)
    for (const { id } of sports) expect(slugSport(id)).toBe(id)
    for (const { id } of markets) expect(slugMarket(id)).toBe(id)
    for (const { id } of sportsbooks) expect(idOfSportsbook(id)).toBe(id)
  })
})
