/**
 * Whether a page of odds would come out the same again, found without putting it together. Of a page
 * whose rows are picked by what they are for good (event, league, sportsbook, market), everything that
 * decides its bytes is noted as it is written: the events gone through, the rows, the sightings.
 */

import type { Sighted } from '../board/block.ts'
import type { BoardView } from '../board/board-view.ts'
import type { ViewEvent } from '../board/view-event.ts'

export interface PageWitness {
  /** A page of this many rows in all is being put together; forgets the one before. */
  begin(view: BoardView, total: () => number): void
  /** The event was gone through, whether it had rows for the page or not. */
  event(event: ViewEvent): void
  row(row: number, list: Sighted): void
  /** Whether nothing noted has changed. False before the first page. */
  holds(): boolean
}

export function createPageWitness(): PageWitness {
  let view: BoardView | undefined
  let total = () => 0
  let wasTotal = 0
  let shapeStamp = 0
  let moves = 0
  let watermark = 0
  const events: ViewEvent[] = []
  const offerChanges: number[] = []
  const rows: number[] = []
  const lists: Sighted[] = []
  const lastSeenAt: number[] = []

  return {
    begin(of, totalNow) {
      view = of
      total = totalNow
      wasTotal = totalNow()
      shapeStamp = of.shapeStamp
      moves = of.moves
      watermark = of.watermark
      events.length = 0
      offerChanges.length = 0
      rows.length = 0
      lists.length = 0
      lastSeenAt.length = 0
    },
    event(event) {
      events.push(event)
      offerChanges.push(event.offerChanges)
    },
    row(row, list) {
      rows.push(row)
      // Rows of one sportsbook often follow each other; a list noted twice does no harm.
      if (lists.at(-1) === list) return
      lists.push(list)
      lastSeenAt.push(list.lastSeenAt)
    },
    holds() {
      // An event that came or went, and a sportsbook that came to one, reshape the board.
      if (view?.shapeStamp !== shapeStamp || view.moves !== moves) return false
      for (let i = 0; i < events.length; i++) {
        if (events[i]!.offerChanges !== offerChanges[i]) return false
      }
      // No row of these events came or went, so the numbers still stand for the same rows.
      const { stamps } = view.journal
      for (let i = 0; i < rows.length; i++) if (stamps[rows[i]!]! > watermark) return false
      for (let i = 0; i < lists.length; i++) {
        if (lists[i]!.lastSeenAt !== lastSeenAt[i]) return false
      }
      return total() === wasTotal
    },
  }
}
