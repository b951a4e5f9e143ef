/** The texts that name the bets of rows, with sides as the event is shown. */

import { flipLine, flipSelectionType } from '../../rules/odds/questions.ts'
import { shownLabel } from '../../rules/odds/selections.ts'
import type { Selection } from './block.ts'
import type { OddsRows } from './odds-rows.ts'
import { rowHead } from './row-text.ts'
import type { Sportsbooks } from './sportsbooks.ts'
import type { EventBlock, ViewEvent, ViewOffer } from './view-event.ts'

/** Makes the addresses that lead to prices. */
export interface PriceLinks {
  pathOf(oddsId: number): string
  /** Returns the addresses of many at once, which may be far cheaper. */
  pathsOf(oddsIds: readonly number[]): readonly string[]
}

/** Writes the heads of some rows, see `rowHead`. */
export function writeHeads(
  rows: OddsRows<EventBlock, ViewOffer>,
  some: readonly number[],
  sportsbooks: Sportsbooks,
  links: PriceLinks,
): readonly string[] {
  const isLinked = (row: number) => sportsbooks.isLinked(rows.book(row))
  const paths = links.pathsOf(some.filter(isLinked).map(rows.id))
  let next = 0
  return some.map((row) => {
    const { event, marketType } = rows.block(row)
    const selection = rows.selection(row)
    const { flipped } = event.row
    const { label, selectionType, playerName } = selection
    return rowHead({
      id: rows.id(row),
      sportsbook: sportsbooks.text(rows.book(row)),
      event: event.texts,
      marketType,
      selection: shownLabel(event.row, selectionType, label),
      selectionType: flipped ? flipSelectionType(selectionType, marketType) : selectionType,
      line: shownLine(event, marketType, selection),
      playerName,
      statCategory: rows.statCategory(row),
      link: isLinked(row) ? paths[next++]! : null,
    })
  })
}

/** Returns the line of a selection, with sides as the event is shown. */
export const shownLine = (
  { row }: ViewEvent,
  marketType: string,
  { selectionType, line }: Selection,
): number | null => (row.flipped ? flipLine(selectionType, line, marketType) : line)
