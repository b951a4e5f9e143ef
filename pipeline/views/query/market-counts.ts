/** Counts the selections of a market of an event at given sportsbooks. */

import type { Selection } from '../board/block.ts'
import type { BoardView } from '../board/board-view.ts'
import type { EventBlock } from '../board/view-event.ts'
import { isSameBet } from './quotes.ts'

export interface MarketSelections {
  /** The number of distinct selections; 0 if none of the sportsbooks has a price. */
  readonly count: number
  /** Whether any of them has a line. */
  readonly hasLine: boolean
}

/** @param books one byte for each sportsbook, 1 if its prices count; undefined if all count */
export function countSelections(
  { rows }: BoardView,
  block: EventBlock,
  books: Uint8Array | undefined,
): MarketSelections {
  let count = 0
  let hasLine = false
  let last: Selection | undefined
  // Rows with the same selection are adjacent in a block; so are rows of one bet under several
  // labels.
  for (let i = 0; i < block.count; i++) {
    const row = block.rows[i]!
    const selection = rows.selection(row)
    if (selection === last || (books && books[rows.book(row)] !== 1)) continue
    if (!last || !isSameBet(selection, last)) count++
    last = selection
    hasLine ||= selection.line !== null
  }
  return { count, hasLine }
}
