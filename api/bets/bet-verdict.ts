/** How a bet ended, as its bettor states it. */

import type { BetVerdict } from '../../schemas/bet.ts'
import type { BetVerdictStated } from '../../schemas/http/bets.ts'

/** What is missing, or cannot be of a bet with this stake; null for nothing. */
export function verdictFault(
  { outcome, returned, shared_by }: BetVerdictStated,
  stake: number,
): string | null {
  if (outcome === 'cashed_out' && returned == null) {
    return 'a bet that was cashed out needs returned'
  }
  if (outcome === 'dead_heat' && returned == null && shared_by == null) {
    return 'a dead heat needs shared_by, or returned'
  }
  // A column of what a bet would have paid, or of losses without a sign. A free bet may give its stake back.
  if (outcome === 'lost' && returned != null && returned > stake) {
    return 'a bet that was lost returns no more than its stake'
  }
  return outcome === 'won' && returned === 0 ? 'a bet that was won returns something' : null
}

/** @returns null where what was stated is taken back */
export function verdictOf(stated: BetVerdictStated, at: number): BetVerdict | null {
  const { outcome, returned = null, shared_by: sharedBy = null, reason = null } = stated
  return outcome === null ? null : { outcome, returned, sharedBy, reason, at }
}
