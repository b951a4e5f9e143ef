/** How many selections each market of each event has at some sportsbooks, by one pass over the rows. */

import type { BoardView } from '../board/board-view.ts'
import type { ViewEvent } from '../board/view-event.ts'
import type { OddsFilter } from './odds-filter.ts'
import { createRowScan } from './row-scan.ts'

/** One market of one event. */
export interface MarketSelections {
  readonly event: ViewEvent
  readonly marketType: string
  /** Distinct ones; at least one. */
  readonly count: number
  /** Whether any of them has a line. */
  readonly hasLine: boolean
}

/** In no order. */
export function* countSelections(
  view: BoardView,
  filter: OddsFilter,
): Generator<MarketSelections, void> {
  const seen = createRowScan(view, filter).selections()
  const { rows } = view
  const { blocks } = rows.columns
  const { questions } = rows.ladders
  const counts = new Int32Array(rows.blocks.length)
  const haveLine = new Uint8Array(counts.length)
  for (let i = 1; i < seen.length; i++) {
    if (seen[i] === 0) continue
    const block = blocks[i]!
    counts[block]!++
    if (questions[i] !== 0) haveLine[block] = 1
  }
  for (const [i, block] of rows.blocks.entries()) {
    if (!block || counts[i] === 0) continue
    const { event, marketType } = block
    yield { event, marketType, count: counts[i]!, hasLine: haveLine[i] === 1 }
  }
}
