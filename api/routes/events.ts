/** GET /api/v1/events and /api/v1/events/:eventId: each game once (interface 2.2, 2.3, 4.8). */

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { createContentHash } from '../../pipeline/memory/content-hash.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { appendBytes, appendText } from '../../pipeline/text/page-buffer.ts'
import { compareEvents, type Ordered } from '../../pipeline/views/board/sorted-events.ts'
import type { ViewEvent, ViewOffer } from '../../pipeline/views/board/view-event.ts'
import type { GameInPlay } from '../../pipeline/views/game-states/game-states-view.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import { walkQuotes } from '../../pipeline/views/query/quotes.ts'
import type { EventRow } from '../../schemas/event.ts'
import {
  type eventDetail as eventDetailContract,
  type eventItem as eventItemContract,
  eventList,
  eventObject,
} from '../../schemas/http/events.ts'
import { boardQuery, oddsQuery } from '../../schemas/http/odds-query.ts'
import { flag, offsetUpTo } from '../../schemas/http/query.ts'
import { findLeague } from '../../schemas/reference/leagues.ts'
import { displayNameOf } from '../../schemas/reference/sportsbooks.ts'
import { textHash } from '../../schemas/text-hash.ts'
import type { Scope } from '../access/scope.ts'
import { gameMembers, lastUpdate, offersOf, staleBooks, visibleEvent } from '../answer/events.ts'
import { briefGameState } from '../answer/game-states.ts'
import { listHead, listTail } from '../answer/json.ts'
import { paginationOf } from '../answer/list-page.ts'
import { objectResource } from '../answer/resource.ts'
import type { Cursors } from '../ask/cursor.ts'
import { eventFilter, namedEventIds, watchedEventIds } from '../ask/event-filters.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { type Prepared, type ReadContext, type ReadRoute, readRoute } from '../route.ts'

const maxOffset = 5_000

const listQuery = {
  ...boardQuery,
  has_score: flag({
    description:
      'true: only games in play whose score is known (none on the free tier); false: the others.',
  }),
  offset: offsetUpTo(maxOffset),
  cursor: oddsQuery.cursor,
} as const

/** Prices become too old by the clock alone, so a response is made anew at least this often. */
const anewEveryMs = 5_000
const turnAt = (now: number) => Math.floor(now / anewEveryMs)

/** @param clock epoch ms */
export function createEventsRoute(cursors: Cursors, clock: () => number): ReadRoute {
  return readRoute({
    path: '/api/v1/events',
    access: 'key',
    tag: 'events',
    summary: 'Events with prices, by start',
    description:
      'Beyond offset 5000 continue with `pagination.next_cursor`: paging by cursor neither repeats nor misses an event whose start stays.',
    query: listQuery,
    answer: { description: 'A page of events.', schema: eventList },
    tool: {
      name: 'get_events',
      description:
        'Upcoming games and games in play, with the sportsbooks and markets of each. ' +
        'Their ids are values of `event`.',
      inputs: ['sport', 'league', 'team', 'q', 'date', 'live', 'books', 'limit', 'offset'],
      shape: { items: ['data'], mostInside: 8 },
    },
    errors: ['invalid_filter', 'tier_restricted'],
    prepare: (context) => prepareEvents(context, cursors, clock),
  })
}

function prepareEvents(
  { query, scope }: ReadContext<typeof listQuery>,
  cursors: Cursors,
  clock: () => number,
): Prepared {
  const { board } = scope
  const { live, limit, offset, event: ids, team, date, q, has_score } = query
  const { sports, leagues, sportsbooks, echo, requestedValues } = readFilters(query, scope)
  const isNamed = eventFilter(query)
  const isScored = ({ id }: ViewEvent) => briefGameState(scope, id) !== undefined
  const filter: OddsFilter = {
    sports,
    leagues,
    sportsbooks,
    isEventNamed: (event) =>
      (live === undefined || event.isLive === live) && (!isNamed || isNamed(event)),
  }
  const part = { eventIds: ids && watchedEventIds(ids), leagues, sports }
  const others = given({ event: ids, live, team, date, q, has_score })
  const filters = { ...echo, ...others }
  const cursorFilters = JSON.stringify(['events', scope.asked, requestedValues, others])
  const after =
    query.cursor === undefined ? undefined : cursors.decode(query.cursor, cursorFilters).place
  const from = after && { startsAt: after.startsAt, id: after.eventId }

  const watch = board.watch(part)
  const requestHash = textHash(JSON.stringify([cursorFilters, limit, offset, query.cursor]))

  function pageNow() {
    const named = ids ? { ...filter, eventIds: namedEventIds(scope, ids) } : filter
    const next = compile(board, named).events()
    const now = clock()
    const onPage: EventItem[] = []
    const content = createContentHash()
    let last: ViewEvent | undefined
    let updatedAt = 0
    let total = 0
    let passed = 0
    for (let event = next(); event; event = next()) {
      if (has_score !== undefined && isScored(event) !== has_score) continue
      total++
      const isBefore = from ? compareEvents(event, from) <= 0 : total <= offset
      if (isBefore) passed++
      else if (onPage.length < limit) {
        const item = itemOf(event, scope, now)
        onPage.push(item)
        content.add(item.hash[0]!)
        content.add(item.hash[1]!)
        updatedAt = Math.max(updatedAt, lastUpdate(event, scope))
        last = event
      }
    }
    content.add(requestHash)
    content.addNumber(updatedAt)
    content.add(total)
    content.add(passed)
    return { onPage, last, updatedAt, total, passed, tag: content.digest() }
  }

  return {
    version: () => watch() + scope.gameStates.version + turnAt(clock()),
    tag: () => pageNow().tag,
    write(page) {
      const { onPage, last, updatedAt, total, passed, tag } = pageNow()
      const count = onPage.length
      appendText(page, listHead)
      for (let i = 0; i < count; i++) {
        if (i > 0) appendText(page, ',')
        appendBytes(page, onPage[i]!.bytes)
      }
      const hasMore = passed + count < total
      const pagination = {
        // Paging by cursor ignores the offset, so there is no next offset.
        ...paginationOf(query, count, total, from ? -1 : maxOffset),
        has_more: hasMore,
        next_cursor:
          hasMore && last ? cursors.encode({ place: placeOf(last) }, cursorFilters) : null,
      }
      appendText(page, listTail({ pagination, updatedAt, meta: { filters } }))
      return { tag }
    },
  }
}

/** Returns an event's place in page order, without a price. */
const placeOf = ({ startsAt, id }: Ordered) => ({
  startsAt,
  eventId: id,
  marketType: '',
  selection: { playerName: null, line: null, selectionType: '', label: '' },
  sportsbook: '',
})

/** @param clock epoch ms */
export const createEventRoute = (clock: () => number): ReadRoute =>
  objectResource({
    path: '/api/v1/events/:eventId',
    access: 'key',
    tag: 'events',
    summary: 'One event, with its sportsbooks and markets',
    description: 'An event stays here for some time after its last price is gone.',
    query: {},
    pathParameters: { eventId: 'The id of the event.' },
    answer: { description: 'The event.', schema: eventObject },
    errors: ['not_found'],

    read({ path: { eventId = '' }, scope }) {
      const watch = scope.board.watch({ eventIds: watchedEventIds([eventId]) })
      return {
        version: () => watch() + turnAt(clock()),
        now() {
          const event = visibleEvent(scope, eventId)
          const data = eventDetail(event, scope, clock())
          return { data, updatedAt: lastUpdate(event, scope), meta: { event_id: event.id } }
        },
      }
    },
  })

// ---- list items

/** Cached list item of an event, with the values it depends on. */
interface EventItem {
  readonly row: EventRow
  readonly listingChanges: number
  readonly game: GameInPlay | undefined
  /** Stale sportsbooks, separated by commas. */
  readonly stale: string
  readonly bytes: Buffer
  /** Hash of the bytes. */
  readonly hash: Int32Array
}

// Events are listed far more often than their sportsbooks, markets or names change.
const items = new WeakMap<Scope, WeakMap<ViewEvent, EventItem>>()

function itemOf(event: ViewEvent, scope: Scope, now: number): EventItem {
  let ofScope = items.get(scope)
  if (!ofScope) {
    ofScope = new WeakMap()
    items.set(scope, ofScope)
  }
  const { row, listingChanges } = event
  const game = scope.gameStates.find(event.id, scope.visibilityBit)
  const staleNow = staleBooks(event, scope, now)
  const stale = staleNow?.join() ?? ''
  const known = ofScope.get(event)
  const isSameRow = known?.row === row && known.listingChanges === listingChanges
  if (isSameRow && known.game === game && known.stale === stale) return known
  const bytes = Buffer.from(JSON.stringify(eventItem(event, scope, staleNow)))
  const hash = bytesHash(bytes)
  const item = { row, listingChanges, game, stale, bytes, hash }
  ofScope.set(event, item)
  return item
}

function eventItem(
  event: ViewEvent,
  scope: Scope,
  stale: string[] | undefined,
): z.output<typeof eventItemContract> {
  const offers = offersOf(event, scope)
  const markets = marketTypesOf(event, scope)
  return {
    id: event.id,
    external_ids: externalIds(offers),
    ...gameMembers(event),
    status: event.row.isLive ? 'live' : 'upcoming',
    event_status: event.row.status,
    book_count: offers.length,
    market_count: markets.length,
    markets: markets.sort(compareTexts),
    books: offers.map(({ sportsbook }) => sportsbook),
    stale_books: stale,
    game_state: briefGameState(scope, event.id),
  }
}

/** Returns the markets with a price visible to the scope. */
function marketTypesOf({ blocks }: ViewEvent, scope: Scope): string[] {
  const { isOpen, names } = compile(scope.board, scope.all)
  const found: string[] = []
  for (const { marketType, rows, count } of blocks) {
    let at = 0
    if (!isOpen) while (at < count && !names(rows[at]!)) at++
    if (at < count) found.push(marketType)
  }
  return found
}

// ---- one event

function eventDetail(
  event: ViewEvent,
  scope: Scope,
  now: number,
): z.output<typeof eventDetailContract> {
  const { sport, league, ...game } = gameMembers(event)
  const offers = offersOf(event, scope)
  const found = marketsOf(event, scope)
  const marketCounts = new Map<string, number>()
  for (const { books } of found) {
    for (const book of books) marketCounts.set(book, (marketCounts.get(book) ?? 0) + 1)
  }
  const books = offers.map(({ sportsbook, lastSeenAt }) => ({
    id: sportsbook,
    name: displayNameOf(sportsbook),
    market_count: marketCounts.get(sportsbook) ?? 0,
    last_update: isoTime(lastSeenAt),
  }))
  const markets = found.map(({ type, selectionCount, books: offering }) => ({
    type,
    selection_count: selectionCount,
    book_count: offering.size,
  }))
  return {
    id: event.id,
    external_ids: externalIds(offers),
    sport,
    league,
    league_name: findLeague(league)?.name ?? league,
    ...game,
    books: books.sort((a, b) => b.market_count - a.market_count || compareTexts(a.id, b.id)),
    stale_books: staleBooks(event, scope, now),
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
  /** Distinct selections that sportsbooks of the scope offer. */
  readonly selectionCount: number
  readonly books: ReadonlySet<string>
}

function marketsOf(event: ViewEvent, scope: Scope): MarketSummary[] {
  const walk = walkQuotes(compile(scope.board, scope.all))
  const markets: MarketSummary[] = []
  walk.enter(event)
  while (walk.nextMarket()) {
    const books = new Set<string>()
    let selectionCount = 0
    while (walk.nextSelection()) {
      let isOffered = false
      while (walk.nextQuote()) {
        books.add(walk.sportsbook)
        isOffered = true
      }
      if (isOffered) selectionCount++
    }
    if (books.size > 0) markets.push({ type: walk.marketType, selectionCount, books })
  }
  return markets
}

/** Eight words of SHA-256: computed once, added to many tags. */
const bytesHash = (bytes: Uint8Array) =>
  new Int32Array(new Uint8Array(createHash('sha256').update(bytes).digest()).buffer)
