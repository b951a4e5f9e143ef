import { describe, expect, it } from 'vitest'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import {
  findSportsbook,
  slugSportsbook,
  sportsbooks,
} from '../../../schemas/reference/sportsbooks.ts'
import { requiredTier, sharpOnlyBooks, tierBooks } from '../../../schemas/reference/tier-books.ts'
import { usStates } from '../../../schemas/reference/us-states.ts'
import { expectDense, handedOut } from './numerical-ids.ts'

describe('sportsbooks', () => {
  it('are at least 48, with unique ids', () => {
    expect(sportsbooks.length).toBeGreaterThanOrEqual(48)
    expect(new Set(sportsbooks.map(({ id }) => id)).size).toBe(sportsbooks.length)
    expectDense(sportsbooks)
  })

  it('keep the numbers that were handed out', () => {
    expect(handedOut(sportsbooks, 110)).toBe('447e3cf371090fb5')
  })

  it('have names that mean one sportsbook each', () => {
    const owners = new Map<string, string>()
    for (const { id, displayName, aliases } of sportsbooks) {
      for (const text of [id, displayName, ...aliases]) {
        expect([undefined, id], text).toContain(owners.get(normaliseName(text)))
        owners.set(normaliseName(text), id)
        expect(findSportsbook(text.toUpperCase())?.id).toBe(id)
      }
    }
  })

  it.each([
    ['williamhill_us', 'caesars'],
    ['espnbet', 'thescorebet'],
    ['betonlineag', 'betonline'],
    ['mybookieag', 'mybookie'],
    ['circasports', 'circa'],
    ['hardrockbet', 'hardrock'],
    ['betfair_ex_au', 'betfair'],
    ['betfair_sb_uk', 'betfair_sportsbook'],
    ['1xBet', 'onexbet'],
    ['parionssport_fr', 'parionssport'],
  ])('resolves the feed key %s to %s', (key, id) => {
    expect(findSportsbook(key)?.id).toBe(id)
  })

  it('do not resolve by likeness', () => {
    expect(findSportsbook('bet')).toBeUndefined()
    expect(findSportsbook('')).toBeUndefined()
    expect(slugSportsbook('New Book.com')).toBe('new_book_com')
    expect(slugSportsbook('-')).toBe('unknown')
  })
})

describe('deep links', () => {
  it('are missing where the sportsbook supports none', () => {
    const without = sportsbooks.filter(({ deepLinks }) => deepLinks === null).map(({ id }) => id)
    expect(without.sort()).toEqual(['bet105', 'bookmaker', 'fliff', 'rebet', 'saba'])
  })

  it('vary by state for three sportsbooks', () => {
    const byState = sportsbooks.filter(({ deepLinks }) => deepLinks?.stateHomepage)
    expect(byState.map(({ id }) => id).sort()).toEqual(['betmgm', 'betrivers', 'caesars'])
    expect(sportsbooks.filter(({ deepLinks }) => deepLinks?.stateIn)).toEqual(byState)
    expect(sportsbooks.filter(({ deepLinks }) => deepLinks?.states)).toEqual(byState)
    for (const { id, deepLinks } of byState) {
      const { states = [] } = deepLinks!
      expect(states, id).toEqual(usStates.filter((state) => states.includes(state)).sort())
      // The state that fills addresses where none is named.
      expect(states, id).toContain('pa')
    }
  })

  it('are https addresses with known placeholders, none of them in the homepage', () => {
    const known = ['{event_id}', '{market_id}', '{selection_id}', '{state}']
    for (const { id, deepLinks } of sportsbooks) {
      if (!deepLinks) continue
      const { stateIn, states, ...templates } = deepLinks
      expect(templates.homepage, id).not.toContain('{')
      for (const template of Object.values(templates)) {
        for (const placeholder of template.match(/\{[^}]*\}/g) ?? []) {
          expect(known).toContain(placeholder)
        }
        expect(new URL(template.replace(/\{[^}]*\}/g, 'x')).protocol).toBe('https:')
      }
    }
  })
})

describe('tiers', () => {
  it('see two, five, fifteen and all sportsbooks', () => {
    expect(tierBooks.free?.size).toBe(2)
    expect(tierBooks.hobby?.size).toBe(5)
    expect(tierBooks.pro?.size).toBe(15)
    expect(tierBooks.sharp).toBeNull()
    expect(tierBooks.enterprise).toBeNull()
  })

  it('name only active sportsbooks, each by its id', () => {
    const ids = new Set(sportsbooks.filter((book) => book.status === 'active').map(({ id }) => id))
    for (const id of [...(tierBooks.pro ?? []), ...sharpOnlyBooks]) expect(ids).toContain(id)
  })

  it('keep the sharp sportsbooks from everyone below sharp', () => {
    for (const id of sharpOnlyBooks) {
      expect(tierBooks.pro?.has(id)).toBe(false)
      expect(requiredTier(id)).toBe('sharp')
      expect(findSportsbook(id)?.isSharp).toBe(true)
    }
  })

  it('agree with the requirement stated by a sportsbook', () => {
    for (const { id, requiresTier } of sportsbooks) {
      for (const tier of ['free', 'hobby', 'pro'] as const) {
        const order = [null, 'hobby', 'pro', 'sharp']
        const reached = order.indexOf(requiresTier) <= ['free', 'hobby', 'pro'].indexOf(tier)
        expect(tierBooks[tier]?.has(id), `${tier} ${id}`).toBe(reached)
      }
    }
  })
})
