/** The error for a caller without a feature: its tier, the feature in words, and the tiers that have it. */

import { expect, it } from 'vitest'
import { lackOfSportsbooks } from '../../api/access/scope.ts'
import { lackOf, requireFeature, rightsNow, tierRights, tiers } from '../../api/access/tiers.ts'
import type { ApiError } from '../../api/errors.ts'
import { lackOfChannels } from '../../api/stream/channels/stream-query.ts'

const features = Object.keys(tierRights.free.features) as (keyof typeof tierRights.free.features)[]

it('names tier, feature and every tier that has it, for all features and tiers', () => {
  for (const feature of features) {
    const having = tiers.filter((tier) => tierRights[tier].features[feature])
    for (const tier of tiers.filter((other) => !having.includes(other))) {
      const text = lackOf(tier, [feature])
      expect(text).toContain(`The ${tier} tier does not include `)
      for (const other of tiers) {
        const isNamed = new RegExp(`\\b${other}\\b`).test(text.replace(`The ${tier} tier`, ''))
        expect([text, other, isNamed]).toEqual([text, other, having.includes(other)])
      }
      // Words only, no field names.
      expect(text).not.toContain('_')
    }
  }
})

it('describes history', () => {
  const caller = { tier: 'pro', features: tierRights.pro.features } as const
  const requires = { feature: 'closing_lines', otherwise: 'tier_restricted' } as const
  let refusal: ApiError | undefined
  try {
    requireFeature({ requires }, caller)
  } catch (error) {
    refusal = error as ApiError
  }
  expect(refusal).toMatchObject({
    code: 'tier_restricted',
    details: { tier: 'pro', required_tier: 'sharp' },
    message:
      'The pro tier does not include history (past prices, movements, closing lines by day, CLV, bets of your own): sharp and enterprise do.',
  })
})

it('lists for sportsbooks the tiers that see all of them', () => {
  expect(lackOfSportsbooks('free', ['betmgm'])).toBe(
    'The free tier does not include betmgm: hobby, pro, sharp, and enterprise do.',
  )
  expect(lackOfSportsbooks('hobby', ['bet365', 'pinnacle'])).toBe(
    'The hobby tier does not include bet365, pinnacle: sharp and enterprise do.',
  )
})

it('names the add-on that has it, and describes each of several channels', () => {
  expect(lackOfChannels(['gamestate'], 'hobby')).toBe(
    'The hobby tier does not include states of games: enterprise does, and any paid tier with the add-on game_state.',
  )
  expect(lackOfChannels(['ev', 'middles'], 'hobby')).toBe(
    'The hobby tier does not include +EV and middles: pro, sharp, and enterprise do.',
  )
  const booked = { tier: 'hobby', addOns: ['game_state'], trialEndsAt: null } as const
  expect(rightsNow({ ...booked, addOns: [...booked.addOns] }, 0).features.game_state).toBe(true)
})
