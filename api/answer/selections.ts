/** Selections in responses, with sides as the event is shown. */

import { flipLine, flipSelectionType } from '../../pipeline/rules/odds/questions.ts'
import { type ShownSides, shownLabel } from '../../pipeline/rules/odds/selections.ts'
import type { Selection } from '../../pipeline/views/board/block.ts'

/** Returns a selection's response fields. */
export function shownSelection(
  { row }: { readonly row: ShownSides },
  marketType: string,
  { label, selectionType, line }: Pick<Selection, 'label' | 'selectionType' | 'line'>,
) {
  const { flipped } = row
  return {
    selection: shownLabel(row, selectionType, label),
    selection_type: flipped ? flipSelectionType(selectionType, marketType) : selectionType,
    line: flipped ? flipLine(selectionType, line, marketType) : line,
  }
}
