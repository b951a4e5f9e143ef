import { describe, expect, it } from 'vitest'
import { choicesOf } from '../../api/web/client/data/choices.ts'
import { ownBooksAs } from '../../api/web/client/data/profile.ts'
import type { OwnBook, Profile } from '../../api/web/wire.ts'

const ownBook = (sportsbook: string, stated: Partial<OwnBook> = {}): OwnBook => ({
  sportsbook,
  commission_percent: null,
  max_stake: null,
  status: 'active',
  is_included: true,
  ...stated,
})

const profile: Profile = {
  sportsbooks: [
    ownBook('betfair', { commission_percent: 2 }),
    ownBook('draftkings', { status: 'limited' }),
    ownBook('caesars', { status: 'paused' }),
    ownBook('pinnacle', { is_included: false }),
  ],
  state: null,
  bankroll: null,
  kelly: null,
  stake_unit: null,
  currency: null,
  price_format: 'fractional',
  hidden_leagues: [],
}

describe('choices', () => {
  const kept = { format: 'decimal', books: ['fanduel'], isOnlyMine: true } as const

  it('are those of the profile before those of the browser', () => {
    expect(choicesOf(kept, profile)).toMatchObject({
      format: 'fractional',
      books: ['betfair', 'draftkings'],
      isOnlyMine: true,
    })
  })

  it('stay those of the browser where the profile states no format', () => {
    const unstated = { ...profile, price_format: null }
    expect(choicesOf(kept, unstated).format).toBe('decimal')
    expect(choicesOf({}, unstated).format).toBe('american')
  })

  it('do not keep to one’s own sportsbooks when there are none', () => {
    expect(choicesOf(kept, { ...profile, sportsbooks: [] }).isOnlyMine).toBe(false)
  })
})

describe('the sportsbooks of a profile', () => {
  it('take the chosen order, and lose none of their settings', () => {
    const next = ownBooksAs(profile.sportsbooks, ['fanduel', 'caesars'])
    expect(next).toEqual([
      ownBook('fanduel'),
      ownBook('caesars'),
      ownBook('betfair', { commission_percent: 2, status: 'paused' }),
      ownBook('pinnacle', { is_included: false }),
    ])
  })

  it('are unchanged if the same are chosen', () => {
    expect(ownBooksAs(profile.sportsbooks, ['betfair', 'draftkings'])).toEqual(profile.sportsbooks)
  })
})
