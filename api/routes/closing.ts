/** GET /api/v1/odds/closing: the closes of one event by sportsbook, for 48 hours after its start. */

import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { Close, ClosesView } from '../../pipeline/views/closes/closes-view.ts'
import { closingLine, closingObject, closingQuery } from '../../schemas/http/closing.ts'
import { itemOfRow } from '../answer/items.ts'
import { objectResource } from '../answer/resource.ts'
import { shownSelection } from '../answer/selections.ts'
import { findEvent, watchedEventIds } from '../ask/event-filters.ts'
import { readFilters } from '../ask/filters.ts'
import { ApiError } from '../errors.ts'
import type { ReadRoute } from '../route.ts'

export const createClosingRoute = (closes: ClosesView): ReadRoute =>
  objectResource({
    path: '/api/v1/odds/closing',
    access: 'key',
    tag: 'odds',
    summary: 'The closing lines of one event',
    description:
      'The last prices of each sportsbook before its own prices went into play, or before the start. Kept for 48 hours after the start; `books` is empty until the first capture. A price that was withdrawn, suspended or listed too late has no close. If the start is moved before play, closes are withdrawn until the new start.',
    query: closingQuery,
    answer: { description: 'The closes, by sportsbook.', schema: closingObject },
    tool: {
      name: 'get_closing_lines',
      description:
        'The last prices of one game before its start, by sportsbook, for 48 hours after the start.',
      inputs: ['event_id', 'sportsbook'],
      shape: { items: ['data', 'books'] },
    },
    errors: ['invalid_filter', 'tier_restricted'],
    requires: { feature: 'closing_line', otherwise: 'tier_restricted' },

    read({ query, scope }) {
      const { event_id: eventId } = query
      if (eventId === undefined) {
        throw new ApiError('validation_error', 'event_id is required: the id of one event.')
      }
      const { sportsbooks } = readFilters({ sportsbook: query.sportsbook }, scope)
      const watched = scope.board.watch({ eventIds: watchedEventIds([eventId]) })
      return {
        version: () => watched() + closes.version,
        now() {
          const event = findEvent(scope, eventId)
          const shown = event
            ? closes
                .ofEvent(event.id)
                .filter(({ sportsbook }) => !sportsbooks || sportsbooks.includes(sportsbook))
            : []
          const data =
            event && shown.length > 0
              ? snapshotOf(event, shown)
              : { event_id: event?.id ?? eventId, books: {} }
          const updatedAt = shown.reduce((last, close) => Math.max(last, close.capturedAt), 0)
          return { data, updatedAt, meta: { source: 'capture' } }
        },
      }
    },
  })

function snapshotOf(event: ViewEvent, closes: readonly Close[]) {
  const { id, row } = event
  const capturedAt = closes.reduce(
    (first, close) => Math.min(first, close.capturedAt),
    Number.POSITIVE_INFINITY,
  )
  const books: Record<string, ReturnType<typeof lineOf>[]> = {}
  for (const close of [...closes].sort(inOrder)) {
    const { sportsbook } = close
    books[sportsbook] ??= []
    books[sportsbook].push(lineOf(event, close))
  }
  return {
    event_id: id,
    sport: row.sport,
    league: row.league,
    home_team: row.homeTeam,
    away_team: row.awayTeam,
    event_start_time: isoTime(row.startsAt),
    captured_at: isoTime(capturedAt),
    books,
  }
}

function lineOf(event: ViewEvent, close: Close) {
  const { marketType, selection: label, price, playerName, statCategory } = close
  const { line, ...shown } = shownSelection(event, marketType, { ...close, label })
  return itemOfRow(closingLine, close, {
    ...shown,
    line: line ?? undefined,
    odds_american: decimalToAmerican(price),
    odds_decimal: shownPrice(price),
    player_name: playerName ?? undefined,
    stat_category: statCategory ?? undefined,
  })
}

/** Sorts by sportsbook, then in the order of pages of prices, so that the order is stable. */
const inOrder = (a: Close, b: Close) =>
  compareTexts(a.sportsbook, b.sportsbook) ||
  compareTexts(a.marketType, b.marketType) ||
  compareTexts(a.playerName ?? '', b.playerName ?? '') ||
  (a.line ?? 0) - (b.line ?? 0) ||
  compareTexts(a.selectionType, b.selectionType) ||
  a.oddsId - b.oddsId
