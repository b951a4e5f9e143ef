/** Decides which hint stands beside stakes. */

import { impliedTotal } from '../../../../pipeline/rules/odds/arbitrage.ts'
import type { StakeLeg, StakePlan } from '../../../../pipeline/rules/odds/stakes.ts'

/**
 * Returns whether prices are a sure profit that the rounding of stakes makes a loss. Where only another outcome loses,
 * as one that returns a stake, no rounding helps.
 */
export const losesByRounding = (
  legs: readonly StakeLeg[],
  { profits }: Pick<StakePlan, 'profits'>,
): boolean => impliedTotal(legs.map(({ net }) => net)) < 1 && Math.min(...profits) < 0
