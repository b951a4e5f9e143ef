/** GET /api/v1/events and /api/v1/events/:id: games, once each (interface 2.2, 2.3, 4.8). */

import {
  type BoardView,
  eventListKey,
  type ViewEvent,
  type ViewOffer,
} from '../../pipeline/views/board-view.ts'
import { compareTexts } from '../../pipeline/views/odds-rows.ts'
import { isoTime } from '../../pipeline/views/row-text.ts'
import { findLeague } from '../../schemas/reference/leagues.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Scope, scopedSportsbooks, seesSportsbook } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { listBody, objectBody } from '../json.ts'
import { readFilters } from '../params.ts'
import type { KeyRoute } from '../route.ts'

const maxLimit = 200
const maxOffset = 5_000

export const listEvents: KeyRoute = {
  method: 'get',
  path: '/api/v1/events',
  access: 'key',
  handle({ params, scope }) {
    const { board } = scope
    const { sports, leagues, sportsbooks: named } = readFilters(params, board)
    const live = params.boolean('live')
    const limit = params.integer('limit', { min: 1, max: maxLimit, fallback: 50 })
    const offset = params.integer('offset', { min: 0, max: 1e15, fallback: 0 })
    if (offset > maxOffset) {
      throw new ApiError('validation_error', `offset is at most ${maxOffset}.`, {
        max_offset: maxOffset,
      })
    }
    const sportsbooks = scopedSportsbooks(scope, named)
    const matching = candidates(board, sports, leagues).filter(
      (event) =>
        (live === undefined || event.row.isLive === live) &&
        offersOf(event, scope).some(
          ({ sportsbook }) => !sportsbooks || sportsbooks.includes(sportsbook),
        ),
    )
    const events = matching.slice(offset, offset + limit)
    const hasMore = offset + events.length < matching.length
    const pagination = {
      limit,
      offset,
      count: events.length,
      total: matching.length,
      has_more: hasMore,
      next_offset: hasMore ? offset + events.length : null,
    }
    const filters = {
      ...(sports && { sport: sports }),
      ...(leagues && { league: leagues }),
      ...(named && { sportsbook: named }),
      ...(live !== undefined && { live }),
    }
    const updatedAt = Math.max(0, ...events.map((event) => lastUpdate(event, scope)))
    return {
      body: listBody(
        events.map((event) => eventItem(event, scope)),
        { pagination, updatedAt, meta: { filters } },
      ),
    }
  },
}

export const getEvent: KeyRoute = {
  method: 'get',
  path: '/api/v1/events/:eventId',
  access: 'key',
  handle({ path, scope }) {
    const event = visibleEvent(scope, path.eventId ?? '')
    return {
      body: objectBody(eventDetail(event, scope), lastUpdate(event, scope), { event_id: event.id }),
    }
  },
}

/** @throws ApiError not_found for an event the scope does not show */
export function visibleEvent(scope: Scope, eventId: string): ViewEvent {
  const event = scope.board.find(eventId)
  const isSeen =
    event && [...event.offers.values()].some((offer) => seesSportsbook(scope, offer.sportsbook))
  if (!isSeen) throw new ApiError('not_found', `No event has the id ${eventId}.`)
  return event
}

/** What an answer calls a game: visitors first. */
export const eventName = ({ row }: ViewEvent) => `${row.awayTeam} @ ${row.homeTeam}`

/** Sportsbooks of the scope with prices on the event, by slug. */
export function offersOf(event: ViewEvent, scope: Scope): ViewOffer[] {
  return [...event.offers.values()]
    .filter((offer) => offer.rowCount > 0 && seesSportsbook(scope, offer.sportsbook))
    .sort((a, b) => compareTexts(a.sportsbook, b.sportsbook))
}

/** The newest sighting of the event within the scope (epoch ms); 0 when it shows no prices. */
export function lastUpdate(event: ViewEvent, scope: Scope): number {
  return Math.max(0, ...offersOf(event, scope).map(({ lastSeenAt }) => lastSeenAt))
}

/** The smallest list that holds the events of the filters, in page order. */
function candidates(
  board: BoardView,
  sports: readonly string[] | undefined,
  leagues: readonly string[] | undefined,
): readonly ViewEvent[] {
  if (leagues?.length === 1) return ofSports(board.events(eventListKey.league(leagues[0]!)), sports)
  if (!leagues && sports?.length === 1) return board.events(eventListKey.sport(sports[0]!))
  const events = ofSports(board.events(eventListKey.all), sports)
  return leagues ? events.filter(({ row }) => leagues.includes(row.league)) : events
}

function ofSports(events: readonly ViewEvent[], sports: readonly string[] | undefined) {
  return sports ? events.filter(({ row }) => sports.includes(row.sport)) : events
}

function eventItem(event: ViewEvent, scope: Scope): object {
  const { row } = event
  const offers = offersOf(event, scope)
  const markets = marketsOf(event, scope).map(({ type }) => type)
  return {
    id: event.id,
    external_ids: externalIds(offers),
    sport: row.sport,
    league: row.league,
    home_team: row.homeTeam,
    away_team: row.awayTeam,
    start_time: isoTime(row.startsAt),
    status: row.isLive ? 'live' : 'upcoming',
    is_live: row.isLive,
    book_count: offers.length,
    market_count: markets.length,
    markets: markets.sort(compareTexts),
    books: offers.map(({ sportsbook }) => sportsbook),
  }
}

function eventDetail(event: ViewEvent, scope: Scope): object {
  const { row } = event
  const offers = offersOf(event, scope)
  const marketCounts = new Map<string, Set<string>>()
  for (const { type, books } of marketsOf(event, scope)) {
    for (const book of books) {
      marketCounts.set(book, (marketCounts.get(book) ?? new Set()).add(type))
    }
  }
  const books = offers.map(({ sportsbook, lastSeenAt }) => ({
    id: sportsbook,
    name: findSportsbook(sportsbook)?.displayName ?? sportsbook,
    market_count: marketCounts.get(sportsbook)?.size ?? 0,
    last_update: isoTime(lastSeenAt),
  }))
  const markets = marketsOf(event, scope).map(({ type, selections, books: offering }) => ({
    type,
    selection_count: selections,
    book_count: offering.size,
  }))
  return {
    id: event.id,
    external_ids: externalIds(offers),
    sport: row.sport,
    league: row.league,
    league_name: findLeague(row.league)?.name ?? row.league,
    home_team: row.homeTeam,
    away_team: row.awayTeam,
    start_time: isoTime(row.startsAt),
    status: row.status,
    is_live: row.isLive,
    books: books.sort((a, b) => b.market_count - a.market_count || compareTexts(a.id, b.id)),
    markets: markets.sort(
      (a, b) => b.selection_count - a.selection_count || compareTexts(a.type, b.type),
    ),
  }
}

function externalIds(offers: readonly ViewOffer[]): Record<string, string> {
  return Object.fromEntries(
    offers.flatMap(({ sportsbook, externalId }) =>
      externalId === null ? [] : [[sportsbook, externalId]],
    ),
  )
}

interface MarketSummary {
  readonly type: string
  /** Distinct selections that a sportsbook of the scope offers. */
  readonly selections: number
  readonly books: ReadonlySet<string>
}

function marketsOf(event: ViewEvent, scope: Scope): MarketSummary[] {
  const { rows, sportsbooks } = scope.board
  return event.blocks.flatMap((block) => {
    const books = new Set<string>()
    const selections = new Set<object>()
    for (let i = 0; i < block.count; i++) {
      const row = block.rows[i]!
      const sportsbook = sportsbooks[rows.sighted(row).book]!
      if (!seesSportsbook(scope, sportsbook)) continue
      books.add(sportsbook)
      selections.add(rows.selection(row))
    }
    return books.size > 0 ? [{ type: block.marketType, selections: selections.size, books }] : []
  })
}
