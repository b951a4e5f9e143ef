/** Rows of the board in the form that detectors of opportunities take, for detectors in the API. */

import type { PricedRow } from '../pipeline/processors/opportunities/price-lines.ts'
import type { BoardView } from '../pipeline/views/board/board-view.ts'

/**
 * Returns the price of a row. Its time is that of its last change; if unknown, the time it was last
 * seen.
 */
export function pricedRowAt({ rows }: BoardView, row: number): PricedRow {
  const { event, marketType } = rows.block(row)
  const { label, selectionType, line, playerName } = rows.selection(row)
  const { sportsbook, lastSeenAt } = rows.sighted(row)
  return {
    id: rows.id(row),
    eventId: event.id,
    sportsbook,
    marketType,
    selection: label,
    selectionType,
    line,
    playerName,
    price: rows.price(row),
    isLive: rows.isLive(row),
    isActive: rows.isActive(row),
    observedAt: rows.changedAt(row) ?? lastSeenAt,
  }
}
