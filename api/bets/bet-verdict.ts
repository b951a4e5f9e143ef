/** How a bet ended, as its bettor states it. */

import type { BetVerdict } from '../../schemas/bet.ts'
import type { BetVerdictStated } from '../../schemas/http/bets.ts'

/** What is missing; null for nothing. */
export function verdictFault({ outcome, returned, shared_by }: BetVerdictStated): string | null {
  if (outcome === 'cashed_out' && returned == null) {
    return 'a bet that was cashed out needs returned'
  }
  if (outcome === 'dead_heat' && returned == null && shared_by == null) {
    return 'a dead heat needs shared_by, or returned'
  }
  return null
}

/** @returns null where what was stated is taken back */
export function verdictOf(stated: BetVerdictStated, at: number): BetVerdict | null {
  const { outcome, returned = null, shared_by: sharedBy = null, reason = null } = stated
  return outcome === null ? null : { outcome, returned, sharedBy, reason, at }
}
