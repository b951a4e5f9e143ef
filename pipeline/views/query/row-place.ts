/** The place of a row in page order: event start, event id, market, selection, sportsbook. */

import { bisect } from '../../memory/bisect.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { compareSelections, type SelectionOrder } from '../board/block.ts'
import { type BoardView, compareMarkets } from '../board/board-view.ts'
import { compareEvents } from '../board/sorted-events.ts'
import type { EventBlock } from '../board/view-event.ts'

/** A row's place in page order, still valid when the row itself is gone. */
export interface RowPlace {
  readonly startsAt: number
  readonly eventId: string
  readonly marketType: string
  readonly selection: SelectionOrder
  readonly sportsbook: string
}

/** The place of an event in page order. */
export type EventPlace = Pick<RowPlace, 'startsAt' | 'eventId'>

export function placeOf(view: BoardView, row: number): RowPlace {
  const { event, marketType } = view.rows.block(row)
  const { playerName, line, selectionType, label } = view.rows.selection(row)
  return {
    startsAt: event.startsAt,
    eventId: event.id,
    marketType,
    selection: { playerName, line, selectionType, label },
    sportsbook: view.rows.sighted(row).sportsbook,
  }
}

/** Returns the index of the first row of the block after a place; 0 if the whole block is. */
export function firstAfter(view: BoardView, block: EventBlock, after: RowPlace): number {
  if (block.event.id !== after.eventId) return 0
  const market = compareMarkets(block.marketType, after.marketType)
  if (market !== 0) return market > 0 ? 0 : block.count
  return bisect(0, block.count, (at) => compareWithinMarket(view, block.rows[at]!, after) <= 0)
}

/** Compares the row with a place: negative before it, 0 at it, positive after it. */
export function compareToPlace(view: BoardView, row: number, place: RowPlace): number {
  const { event, marketType } = view.rows.block(row)
  const { eventId: id, startsAt } = place
  return (
    compareEvents(event, { id, startsAt }) ||
    compareMarkets(marketType, place.marketType) ||
    compareWithinMarket(view, row, place)
  )
}

function compareWithinMarket({ rows }: BoardView, row: number, place: RowPlace): number {
  return (
    compareSelections(rows.selection(row), place.selection) ||
    compareTexts(rows.sighted(row).sportsbook, place.sportsbook)
  )
}
