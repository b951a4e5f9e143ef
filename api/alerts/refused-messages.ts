/** Messages that were decided when their account saw more than now. They are neither sent nor shown. */

import type { AlertDeliveryRow } from '../../schemas/alert.ts'
import { visibilityBit } from '../../schemas/opportunity.ts'
import { mayShowTo, type Scope } from '../access/scope.ts'

/** The `problem` of a message that was not sent, or not sent again, because of that. */
export const refusal = 'tier_restricted'

/** Returns whether a message was never sent because its account saw less by then. */
export const isRefused = ({ problem, deliveredAt }: AlertDeliveryRow) =>
  problem === refusal && deliveredAt === null

/** Returns whether a message tells of prices or of an edge that the account does not see now. */
export function isBeyondRights(
  { visibilityBit: bit, sportsbooks }: AlertDeliveryRow,
  scope: Pick<Scope, 'visibilityBit' | 'isOwner' | 'sources'>,
): boolean {
  const decidedFor = bit ?? 0
  if (!sportsbooks) return decidedFor > scope.visibilityBit
  // An owner's bit is another one while no sportsbook is for owners alone.
  if (Math.min(decidedFor, visibilityBit.all) > scope.visibilityBit) return true
  return !sportsbooks.every(mayShowTo(scope))
}
