/** Stakes of +EV as the reader's profile wants them. */

import { partOfBankroll, usualUnit } from '../../../../pipeline/rules/odds/stakes.ts'
import type { Profile } from '../../wire.ts'
import type { Leg } from '../data/legs.ts'
import { limitOf } from '../data/limits.ts'
import { moneyText } from './money.ts'
import { percentText } from './odds.ts'

type OfProfile = Pick<Profile, 'bankroll' | 'kelly' | 'stake_unit' | 'currency' | 'sportsbooks'>

/**
 * Returns the stake on a bet by the profile's part of Kelly: the amount, rounded and limited as in its
 * explanation; without a bankroll the percentage.
 * @param leg whose `stake` is the full Kelly stake in percent of the bankroll
 */
export function kellyStakeText(
  leg: Pick<Leg, 'sportsbook' | 'maxBet' | 'stake'>,
  { bankroll, kelly, stake_unit: ownUnit, currency, sportsbooks }: OfProfile,
): string {
  if (leg.stake === null) return '–'
  const part = kelly ?? 1
  if (bankroll === null) return percentText(leg.stake * part, 1)
  const unit = ownUnit ?? usualUnit
  const maxBet = limitOf(leg, sportsbooks)
  const { stake } = partOfBankroll(leg.stake / 100, maxBet, bankroll, part, unit)
  return stake === 0 && leg.stake > 0
    ? `under ${moneyText(unit, currency)}`
    : moneyText(stake, currency)
}
