/**
 * Selections as answers have them. The rows of one selection stand together in their block, one a
 * sportsbook; a sportsbook with a label of its own ("Leeds" for "Leeds United") keeps it, but the bet
 * is the same.
 */

import { flipLine, flipSelectionType } from '../../pipeline/rules/questions.ts'
import type { ViewEvent } from '../../pipeline/views/board/board-view.ts'
import type { Block, OddsRows, Selection } from '../../pipeline/views/board/odds-rows.ts'
import { selectionText } from '../../schemas/ids.ts'

/**
 * The index behind the last row of the block that quotes the selection of the row at `from`.
 * @param from where a run begins
 */
export function runEnd(rows: OddsRows, block: Block, from: number): number {
  const first = rows.selection(block.rows[from]!)
  // The rows of one selection object lie together, so nobody has to look for their end.
  let to = from + first.rowCount
  while (to < block.count) {
    const next = rows.selection(block.rows[to]!)
    if (!isSame(next, first)) break
    to += next.rowCount
  }
  return to
}

const isSame = (a: Selection, b: Selection) =>
  a.selectionType === b.selectionType &&
  a.line === b.line &&
  a.playerName === b.playerName &&
  identity(a) === identity(b)

/** What odds ids go by: a label counts only where the type does not say the answer. */
const identity = ({ line, playerName, selectionType, label }: Selection) =>
  selectionText('', line, playerName, selectionType, label)

/** What an answer says of a selection: sides as the event is shown. */
export function shownSelection(
  { row }: ViewEvent,
  marketType: string,
  { label, selectionType, line }: Selection,
) {
  const { flipped } = row
  return {
    selection: label,
    selection_type: flipped ? flipSelectionType(selectionType, marketType) : selectionType,
    line: flipped ? flipLine(selectionType, line, marketType) : line,
  }
}
