/** Whether an opportunity is on an alternate line: one that is not its question's main line. */

import { mainLineTest } from '../../pipeline/views/query/quotes.ts'
import { findMarket } from '../../schemas/reference/markets.ts'
import type { Scope } from '../access/scope.ts'
import type { Priced } from './kind.ts'

/** Good for one read; cheapest when those of one market come one after the other. */
export function alternateLines({ board, sportsbooks }: Scope): (item: Priced) => boolean {
  const isMain = mainLineTest(board, sportsbooks)
  return ({ legs }) => {
    const { marketType, selection } = legs[0]!
    if (selection.line === null || findMarket(marketType)?.hasLine === false) return false
    // Of bets at two lines, one at least is.
    return !legs.every(isMain)
  }
}
