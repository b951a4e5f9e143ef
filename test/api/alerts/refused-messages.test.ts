import { expect, it } from 'vitest'
import { isBeyondRights, isRefused } from '../../../api/alerts/refused-messages.ts'
import { visibilityBit } from '../../../schemas/opportunity.ts'
import { delivery } from './book-in-memory.ts'

it('a message counts as refused, not as told, unless it had arrived before', () => {
  const refused = { state: 'failed' as const, problem: 'tier_restricted' }
  expect(isRefused(delivery('alert_1', refused))).toBe(true)
  // Sent again by hand.
  expect(isRefused(delivery('alert_1', { ...refused, isRetried: false }))).toBe(true)
  expect(isRefused(delivery('alert_1', { ...refused, state: 'delivered', deliveredAt: 7 }))).toBe(
    false,
  )
  expect(isRefused(delivery('alert_1', { ...refused, problem: 'http_500' }))).toBe(false)
})

const sources = (...ownersOnly: string[]) =>
  ({ ownersOnly: new Set(ownersOnly) }) as unknown as Parameters<
    typeof isBeyondRights
  >[1]['sources']

it.each([
  ['a higher tier', visibilityBit.all, ['circa'], visibilityBit.pro, true],
  ['a higher tier of an earlier build', visibilityBit.all, undefined, visibilityBit.pro, true],
  ['the same tier', visibilityBit.pro, ['betmgm'], visibilityBit.pro, false],
  ['a sportsbook that is hidden now', visibilityBit.pro, ['betmgm', 'caesars'], 2, true],
  ['an owner who sees no more than others now', visibilityBit.owner, ['circa'], 4, false],
  ['a test', undefined, undefined, visibilityBit.hobby, false],
] as const)('a message of %s', (_, decidedFor, sportsbooks, now, isBeyond) => {
  const row = delivery('alert_1', {
    ...(decidedFor && { visibilityBit: decidedFor }),
    ...(sportsbooks && { sportsbooks }),
  })
  const scope = { visibilityBit: now, isOwner: false, sources: sources('caesars') }
  expect(isBeyondRights(row, scope)).toBe(isBeyond)
})

it('an owner’s own sportsbooks are within the owner’s rights', () => {
  const row = delivery('alert_1', {
    ...{ visibilityBit: visibilityBit.owner, sportsbooks: ['caesars'] },
  })
  const scope = { visibilityBit: visibilityBit.owner, isOwner: true, sources: sources('caesars') }
  expect(isBeyondRights(row, scope)).toBe(false)
})
