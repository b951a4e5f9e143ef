/** The commissions of the reader's sportsbooks, by which the prices of a bet log count. */

import { type Fees, feesWith } from '../../../../pipeline/rules/odds/fees.ts'
import type { Profile } from '../../wire.ts'

/** Returns the fees of sportsbooks: the commissions that the profile states, else those that they publish. */
export const feesOf = ({ sportsbooks }: Pick<Profile, 'sportsbooks'>): Fees =>
  feesWith(
    true,
    Object.fromEntries(
      sportsbooks.flatMap(({ sportsbook, commission_percent: own }) =>
        own === null ? [] : [[sportsbook, own / 100]],
      ),
    ),
  )
