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
import type { EventBlock } from '../../pipeline/views/board/view-event.ts'
import { blockOf, nearestQuote, type Quote, quotesAt } from '../../pipeline/views/query/quotes.ts'

export const contradictsItself = (board: BoardView, leg: Quote): boolean =>
  stricterPrices(board, leg).some((stricter) => contradicts(leg.price, stricter.price))

/** The prices of the leg's sportsbook for stricter answers that bets are taken on, in or before play as the leg is. */
export function stricterPrices(board: BoardView, leg: Quote): Quote[] {
  const { marketType, selection } = leg
  const direction = stricterLines(marketType, selection.selectionType)
  const next =
    direction === 0 ? undefined : nearestQuote(board, leg, leg.block, selection, direction)
  const elsewhere = answersElsewhere(leg).flatMap((answer) => pricesOf(board, leg, answer))
  return next ? [next, ...elsewhere] : elsewhere
}

/** The markets that `stricterPrices` looks at, as far as the event has them. */
export const stricterMarkets = (leg: Quote): EventBlock[] => [
  leg.block,
  ...answersElsewhere(leg).flatMap(({ marketType }) => blockOf(leg.event, marketType) ?? []),
]

function answersElsewhere({ event, marketType, selection }: Quote): readonly StricterAnswer[] {
  const { selectionType, line } = selection
  return stricterElsewhere(marketType, event.row.sport, selectionType, line)
}

function pricesOf(board: BoardView, leg: Quote, answer: StricterAnswer): Quote[] {
  const { marketType, selectionType, line } = answer
  const wanted = { playerName: leg.selection.playerName, selectionType, line }
  const block = blockOf(leg.event, marketType)
  if (!block) return []
  const exact = quotesAt(board, block, wanted, leg.sportsbook)
  const taken = exact.filter(({ isActive, isLive }) => isActive && isLive === leg.isLive)
  if (taken.length > 0 || !answer.isNearestBelow) return taken
  const below = nearestQuote(board, leg, block, wanted, -1)
  return below ? [below] : []
}
