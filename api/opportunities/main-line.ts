/** Detects opportunities on an alternate line, one that is not its question's main line. */

import type { Priced } from '../../pipeline/views/opportunities/priced.ts'
import { isOnMainLine } from '../../pipeline/views/query/quotes.ts'
import { findMarket } from '../../schemas/reference/markets.ts'
import type { Scope } from '../access/scope.ts'

export function isAlternate({ legs }: Priced, { board, lineSet }: Scope): boolean {
  const { marketType, selection } = legs[0]!
  if (selection.line === null || findMarket(marketType)?.hasLine === false) return false
  // Of bets on two lines, one on an alternate line is enough.
  return !legs.every(({ id }) => isOnMainLine(board, id, lineSet))
}
