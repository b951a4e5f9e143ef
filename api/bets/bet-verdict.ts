/** The result of a bet as its bettor states it. */

import type { BetVerdict } from '../../schemas/bet.ts'
import type { BetVerdictStated } from '../../schemas/http/bets/statements.ts'

/** Returns what is missing from the stated result or impossible with this stake; null if it is valid. */
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
  // Catches columns of potential payouts, and losses without a sign. A free bet may return its stake.
  if (outcome === 'lost' && returned != null && returned > stake) {
    return 'a bet that was lost returns no more than its stake'
  }
  return outcome === 'won' && returned === 0 ? 'a bet that was won returns something' : null
}

/** Returns the same of a result that is stored, for another stake. */
export const statedFault = ({ outcome, returned, sharedBy }: BetVerdict, stake: number) =>
  verdictFault({ outcome, returned, shared_by: sharedBy }, stake)

/** @returns null if the stated result is withdrawn */
export function verdictOf(stated: BetVerdictStated, at: number): BetVerdict | null {
  const { outcome, returned = null, shared_by: sharedBy = null, reason = null } = stated
  return outcome === null ? null : { outcome, returned, sharedBy, reason, at }
}
