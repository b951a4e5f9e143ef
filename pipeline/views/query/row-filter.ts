/**
 * Which rows of an event a filter names. Events themselves are picked by `odds-page.ts`; here they
 * are given.
 */

import type { BoardView, EventBlock } from '../board/board-view.ts'
import { createMainLines } from './main-lines.ts'
import type { OddsFilter } from './odds-page.ts'
import { pricesOfAmerican } from './price-range.ts'

export interface RowFilter {
  /** Called for each block before its rows; false when it has none. */
  enter(block: EventBlock): boolean
  /** Whether a row of the entered block is named. */
  names(row: number): boolean
  /** Every row of every event is named. */
  readonly isOpen: boolean
}

export function createRowFilter(view: BoardView, filter: OddsFilter): RowFilter {
  const { rows } = view
  const { live, minAmerican, maxAmerican, mainLine } = filter
  const allowed = filter.sportsbooks && bookMask(view, filter.sportsbooks)
  const markets = filter.marketTypes && new Set(filter.marketTypes)
  const isPriced = minAmerican !== undefined || maxAmerican !== undefined
  const { from, to } = pricesOfAmerican(minAmerican, maxAmerican)
  const mainLines = mainLine === undefined ? undefined : createMainLines(view, allowed)

  return {
    isOpen: !allowed && !markets && live === undefined && !isPriced && mainLine === undefined,
    enter(block) {
      if (markets && !markets.has(block.marketType)) return false
      mainLines?.enter(block)
      return true
    },
    names(row) {
      if (allowed && allowed[rows.sighted(row).book] !== 1) return false
      if (live !== undefined && rows.isLive(row) !== live) return false
      if (isPriced) {
        const price = rows.price(row)
        if (price < from || price >= to) return false
      }
      return !mainLines || mainLines.isMain(row) === mainLine
    },
  }
}

/** One byte a sportsbook of the view: 1 where it is among those named. */
export function bookMask(view: BoardView, sportsbooks: readonly string[]): Uint8Array {
  const mask = new Uint8Array(view.sportsbooks.length)
  for (const sportsbook of sportsbooks) {
    const book = view.book(sportsbook)
    if (book !== undefined) mask[book] = 1
  }
  return mask
}
