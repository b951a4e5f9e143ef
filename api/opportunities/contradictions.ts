/**
 * Detects that a sportsbook contradicts itself in a price of an opportunity: its price of a stricter outcome
 * (`rules/implications.ts`) is shorter. Which of the two is wrong is unknown. Checked on the board whenever an
 * opportunity is shown, because the other price moves independently.
 */

import {
  contradicts,
  type StricterOutcome,
  stricterElsewhere,
  stricterLines,
} from '../../pipeline/rules/odds/implications.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { EventBlock } from '../../pipeline/views/board/view-event.ts'
import { blockOf, nearestQuote, type Quote, quotesAt } from '../../pipeline/views/query/quotes.ts'

export const contradictsItself = (board: BoardView, leg: Quote): boolean =>
  stricterPrices(board, leg).some((stricter) => contradicts(leg.price, stricter.price))

/** Returns the active prices of the leg's sportsbook for stricter outcomes, in or before play like the leg. */
export function stricterPrices(board: BoardView, leg: Quote): Quote[] {
  const { marketType, selection } = leg
  const direction = stricterLines(marketType, selection.selectionType)
  const next =
    direction === 0 ? undefined : nearestQuote(board, leg, leg.block, selection, direction)
  const elsewhere = outcomesElsewhere(leg).flatMap((outcome) => pricesOf(board, leg, outcome))
  return next ? [next, ...elsewhere] : elsewhere
}

/** Returns the markets that `stricterPrices` reads, as far as the event has them. */
export const stricterMarkets = (leg: Quote): EventBlock[] => [
  leg.block,
  ...outcomesElsewhere(leg).flatMap(({ marketType }) => blockOf(leg.event, marketType) ?? []),
]

function outcomesElsewhere({ event, marketType, selection }: Quote): readonly StricterOutcome[] {
  const { selectionType, line } = selection
  return stricterElsewhere(marketType, event.row.sport, selectionType, line)
}

function pricesOf(board: BoardView, leg: Quote, outcome: StricterOutcome): Quote[] {
  const { marketType, selectionType, line } = outcome
  const wanted = { playerName: leg.selection.playerName, selectionType, line }
  const block = blockOf(leg.event, marketType)
  if (!block) return []
  const exact = quotesAt(board, block, wanted, leg.sportsbook)
  const taken = exact.filter(({ isActive, isLive }) => isActive && isLive === leg.isLive)
  if (taken.length > 0 || !outcome.isNearestBelow) return taken
  const below = nearestQuote(board, leg, block, wanted, -1)
  return below ? [below] : []
}
