/** Stakes of +EV in lists, by the profile of the reader. */

import { expect, it } from 'vitest'
import { kellyStakeText } from '../../api/web/client/format/stake.ts'
import { kellyStake } from '../../pipeline/rules/odds/stakes.ts'

const none = { bankroll: null, kelly: null, stake_unit: null, currency: null, sportsbooks: [] }
const own = { ...none, bankroll: 2_000, kelly: 0.25, stake_unit: 5 }
const leg = { sportsbook: 'draftkings', maxBet: null, stake: 2.6 }

it('is a part of the bankroll in whole units, as the explanation of the bet has it', () => {
  // A quarter of 52 is 13.
  expect(kellyStakeText(leg, own)).toBe('10.00')
  expect(kellyStakeText(leg, { ...own, kelly: null, stake_unit: null })).toBe('52.00')
  // Fair odds of 2 at 2.1 are 4.545 %.
  const explained = kellyStake({ net: 2.1, maxBet: null }, 0.5, 2_000, 0.25, 5)
  expect(kellyStakeText({ ...leg, stake: 4.55 }, { ...own, currency: 'EUR' })).toBe('€20.00')
  expect(explained.stake).toBe(20)
})

it('is at most what the sportsbook and the profile allow', () => {
  const sportsbooks = [
    {
      ...{ sportsbook: 'draftkings', max_stake: 9, commission_percent: null },
      ...{ status: 'active' as const, is_included: true },
    },
  ]
  expect(kellyStakeText(leg, { ...own, sportsbooks })).toBe('5.00')
  expect(kellyStakeText({ ...leg, maxBet: 7 }, own)).toBe('5.00')
})

it('says that it is under the unit', () => {
  expect(kellyStakeText({ ...leg, stake: 0.97 }, own)).toBe('under 5.00')
  expect(kellyStakeText({ ...leg, stake: 0 }, own)).toBe('0.00')
})

it('is in percent of the bankroll without one', () => {
  expect(kellyStakeText(leg, none)).toBe('2.6%')
  expect(kellyStakeText(leg, { ...none, kelly: 0.25 })).toBe('0.7%')
  expect(kellyStakeText({ ...leg, stake: null }, own)).toBe('–')
})
