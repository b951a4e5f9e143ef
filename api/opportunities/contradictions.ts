/**
 * Whether a sportsbook contradicts itself in a price that an opportunity takes: it has a stricter
 * answer (`rules/implications.ts`) at a shorter price. Which of the two it means nobody knows.
 * Read off the board whenever an opportunity is shown, since the other price moves by itself.
 */

import {
  contradicts,
  type StricterAnswer,
  stricterElsewhere,
  stricterLines,
} from '../../pipeline/rules/odds/implications.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { blockOf, nearestQuote, type Quote, quotesAt } from '../../pipeline/views/query/quotes.ts'

export function contradictsItself(board: BoardView, leg: Quote): boolean {
  const { event, marketType, selection, price } = leg
  const { selectionType, line } = selection
  const direction = stricterLines(marketType, selectionType)
  if (line !== null && direction !== 0) {
    const next = nearestQuote(board, leg, leg.block, selection, direction)
    if (next && contradicts(price, next.price)) return true
  }
  return stricterElsewhere(marketType, event.row.sport, selectionType, line).some((answer) =>
    pricesOf(board, leg, answer).some((stricter) => contradicts(price, stricter)),
  )
}

/** What the sportsbook of a leg gives for a stricter answer now, in or before play as the leg is. */
function pricesOf(board: BoardView, leg: Quote, answer: StricterAnswer): number[] {
  const { marketType, selectionType, line } = answer
  const wanted = { playerName: leg.selection.playerName, selectionType, line }
  const block = blockOf(leg.event, marketType)
  if (!block) return []
  const exact = quotesAt(board, block, wanted, leg.sportsbook)
  const taken = exact.filter(({ isActive, isLive }) => isActive && isLive === leg.isLive)
  if (taken.length > 0 || !answer.isNearestBelow) return taken.map(({ price }) => price)
  const below = nearestQuote(board, leg, block, wanted, -1)
  return below ? [below.price] : []
}
