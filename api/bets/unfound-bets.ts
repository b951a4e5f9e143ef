/**
 * Keeps why a bet was not found. This stays valid while the games of its days that the caller may
 * see, and the aliases, stay the same. So a read of many such bets does not compare their names
 * again each time.
 */

import type { BetStatement } from '../../schemas/bet.ts'
import type { FindBet } from './found-bets.ts'

export interface UnfoundBets {
  /**
   * Returns the finder with its verdicts kept.
   * @param stateOf returns a text that changes when a bet may be found; null for a bet that is
   *   found quickly
   */
  keeping(find: FindBet, stateOf: (bet: BetStatement) => string | null): FindBet
}

export function createUnfoundBets(): UnfoundBets {
  /** One verdict a bet, as long as its row is held. */
  const kept = new WeakMap<BetStatement, { state: string; result: ReturnType<FindBet> }>()
  return {
    keeping: (find, stateOf) => (bet) => {
      const state = stateOf(bet)
      if (state === null) return find(bet)
      const before = kept.get(bet)
      if (before?.state === state) return before.result
      const result = find(bet)
      if ('found' in result) kept.delete(bet)
      else kept.set(bet, { state, result })
      return result
    },
  }
}
