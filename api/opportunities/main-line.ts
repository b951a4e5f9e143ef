/** Whether an opportunity is on an alternate line: one that is not its question's main line. */

import { createMainLines } from '../../pipeline/views/query/main-lines.ts'
import { bookMask } from '../../pipeline/views/query/row-filter.ts'
import { findMarket } from '../../schemas/reference/markets.ts'
import type { Scope } from '../access/scope.ts'
import type { Priced } from './kind.ts'

/** Good for one read; cheapest when those of one market come one after the other. */
export function alternateLines(scope: Scope): (item: Priced) => boolean {
  const { board, sportsbooks } = scope
  const lines = createMainLines(board, sportsbooks && bookMask(board, sportsbooks))
  let entered: object | undefined
  return ({ legs }) => {
    const { block, row, selection } = legs[0]!
    if (selection.line === null || findMarket(block.marketType)?.hasLine === false) return false
    if (entered !== block) lines.enter(block)
    entered = block
    return !lines.isMain(row)
  }
}
