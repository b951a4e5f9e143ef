/**
 * The history of prices, from the archive: GET /odds/:id/history, /events/:eventId/history, /historical/prices,
 * /movements, /historical/changes and /historical/closes. JSON in pages, or a file that is sent while ClickHouse writes it.
 */

import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import {
  type MovementMove,
  type MovementsQuery,
  movements,
} from '../../pipeline/archive/movements.ts'
import {
  type ArchivedChange,
  type ArchivedEvent,
  type ArchivedPrice,
  always,
  archivedEvent,
  archivedPrice,
  changesOf,
  changesOfPrice,
  closesOf,
  countOfPrice,
  type EventPrice,
  type EventPrices,
  instantOf,
  type Point,
  pageOf,
  pricesOfEvents,
} from '../../pipeline/archive/price-history.ts'
import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import {
  changeLine,
  changesQuery,
  closeLine,
  eventHistoryItem,
  eventHistoryList,
  eventHistoryQuery,
  eventsHistoryList,
  eventsHistoryQuery,
  fileTypes,
  historyFiles,
  movementItem,
  movementMove,
  movementsList,
  movementsQuery,
  priceHistoryList,
  priceHistoryQuery,
} from '../../schemas/http/history.ts'
import { byRank, eventJson, newestOf, oddsJson, timeOf } from '../answer/archived.ts'
import { itemOfRow } from '../answer/items.ts'
import { listBody } from '../answer/json.ts'
import { type PageQuery, paginationOf } from '../answer/list-page.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import {
  archiveFilter,
  msOf,
  type PeriodQuery,
  periodOf,
  requireSpan,
} from '../ask/archive-period.ts'
import {
  type ArchiveQuestions,
  type Asker,
  archiveErrors,
  askPage,
  createArchiveQuestions,
  historyFeature,
  isSeen,
  seenThen,
} from '../ask/archive-questions.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError, invalid } from '../errors.ts'
import { type Answer, keyAction, type Route } from '../route.ts'

const shared = { method: 'get', tag: 'history', requires: historyFeature } as const
const hourMs = 3_600_000

/** @param now default end of the period of movements (epoch ms) */
export function createHistoryRoutes(
  archive: ArchiveAccess,
  archiveHealth: () => ArchiveHealth | null,
  now: () => number,
): readonly Route[] {
  const ask = createArchiveQuestions(archive, archiveHealth)
  return [
    priceHistory(ask),
    eventHistory(ask),
    eventsHistory(ask),
    listMovements(ask, now),
    changesFile(ask),
    closesFile(ask),
  ]
}

// ---- one price

const priceHistory = (ask: ArchiveQuestions) =>
  keyAction({
    ...shared,
    path: '/api/v1/odds/:id/history',
    summary: 'Every change of one price',
    description: 'Oldest first; also for a price that has left the board. From the archive.',
    query: priceHistoryQuery,
    pathParameters: { id: 'The id of the price.' },
    answer: { description: 'A page of changes.', schema: priceHistoryList, files: historyFiles },
    errors: ['not_found', 'tier_restricted', ...archiveErrors],
    async handle({ query, path, scope, ...by }) {
      const { id = '' } = path
      const { limit, offset, format = 'json' } = query
      const period = periodOf(query)
      const [price] = /^\d{15}$/.test(id)
        ? await ask.rows<ArchivedPrice>(archivedPrice(id), by)
        : []
      if (!price || !isSeen(seenThen(scope, null), price.sportsbook)) throw notFound('price', id)
      const changes = changesOfPrice(price.event_id, id, period)
      if (format !== 'json') return ask.file(changes, format, `price_${id}`, by)
      const [rows, [count]] = await Promise.all([
        ask.rows<ArchivedChange>(pageOf(changes, { limit, offset }), by),
        ask.rows<{ total: number }>(countOfPrice(price.event_id, id, period), by),
      ])
      return by.charged(() => {
        const items = rows.map(({ at, changed, ...row }) => ({
          at: timeOf(at),
          ...row,
          changed: changed.split(' '),
        }))
        return {
          body: listBody(items, {
            pagination: paginationOf(query, items.length, count!.total),
            updatedAt: newestOf(rows),
            meta: { filters: echoOf(query), price: { id, ...priceJson(price) } },
          }),
        }
      })
    },
  })

function priceJson(price: ArchivedPrice) {
  const { sportsbook, stat_category } = price
  return { sportsbook, ...eventJson(price), ...selectionJson(price), stat_category }
}

// ---- events

const eventHistory = (ask: ArchiveQuestions) =>
  keyAction({
    ...shared,
    path: '/api/v1/events/:eventId/history',
    summary: 'How the prices of an event opened, moved and closed',
    description:
      'One item for each sportsbook and selection, by market; also for an event that is over. A file has one line per change.',
    query: eventHistoryQuery,
    pathParameters: { eventId: 'The id of the event.' },
    answer: { description: 'A page of prices.', schema: eventHistoryList, files: historyFiles },
    errors: ['invalid_filter', 'not_found', 'tier_restricted', ...archiveErrors],
    async handle({ query, path, scope, ...by }) {
      const { eventId = '' } = path
      const { format = 'json', points } = query
      const filters = readFilters(query, scope)
      const { marketTypes } = filters
      const sportsbooks = seenThen(scope, filters)
      const asEvent = archivedEvent(eventId.slice(0, 200), sportsbooks.hidden)
      const [event] = await ask.rows<ArchivedEvent>(asEvent, by)
      if (!event) throw notFound('event', eventId)
      const eventIds = [event.event_id]
      if (format !== 'json') {
        const archiveQuery = {
          period: always,
          sportsbooks,
          marketTypes,
          eventIds,
          leagues: undefined,
          sports: undefined,
        }
        const changes = changesOf(archiveQuery, format === 'csv')
        return ask.file(changes, format, 'event_history', by)
      }
      const asked = { eventIds, sportsbooks, marketTypes, points }
      const meta = {
        filters: { ...filters.echo, ...given({ points }) },
        event: { ...eventJson(event), status: event.status },
      }
      return eventPrices(ask, asked, query, by, meta)
    },
  })

const eventsHistory = (ask: ArchiveQuestions) =>
  keyAction({
    ...shared,
    path: '/api/v1/historical/prices',
    summary: 'How the prices of several events opened, moved and closed',
    description:
      'The items of `/events/{eventId}/history` for up to 120 events, by event and market. Events that the archive does not have are left out.',
    query: eventsHistoryQuery,
    answer: { description: 'A page of prices.', schema: eventsHistoryList },
    errors: ['invalid_filter', 'tier_restricted', ...archiveErrors],
    async handle({ query, scope, ...by }) {
      const { event, points } = query
      const filters = readFilters(query, scope)
      const { eventIds, marketTypes, sportsbooks } = archiveFilter(event, filters, scope)
      if (!eventIds) throw invalid(['event'], 'event is required.')
      const asked = { eventIds, sportsbooks, marketTypes, points }
      const meta = { filters: { ...filters.echo, ...given({ event, points }) } }
      return eventPrices(ask, asked, query, by, meta)
    },
  })

/** Answers with a page of the prices of events. @throws ApiError */
async function eventPrices(
  ask: ArchiveQuestions,
  { points, ...asked }: EventPrices,
  query: PageQuery,
  by: Asker,
  meta: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const prices = pricesOfEvents({ ...asked, points: points && Math.floor(points) })
  const pricesAt = (page: PageQuery) => pageOf(prices, page)
  const { rows, total } = await askPage<EventPrice>(ask, pricesAt, query, by)
  return by.charged(() => ({
    body: listBody(rows.map(eventPriceJson), {
      pagination: paginationOf(query, rows.length, total),
      updatedAt: Math.max(0, ...rows.map(({ last_at }) => instantOf(last_at))),
      meta,
    }),
  }))
}

function eventPriceJson(price: EventPrice) {
  const { close_at, close_price, close_no_vig, close_withheld } = price
  return itemOfRow(eventHistoryItem, price, {
    ...selectionJson(price),
    open: quoteJson(price.open_at, price.open_price),
    moves: price.moves.map(([at, odds, isLive]) => ({ ...quoteJson(at, odds), is_live: isLive })),
    ...(price.course && { course: price.course.map(pointJson) }),
    last: quoteJson(price.last_at, price.last_price),
    close:
      price.is_captured && close_at !== null && close_price !== null
        ? {
            ...quoteJson(close_at, close_price),
            no_vig_probability: close_no_vig,
            withheld: close_withheld,
          }
        : null,
    close_missing: price.is_captured ? price.close_missing : null,
  })
}

const pointJson = ([at, price, isLive]: Point) => ({
  at: timeOf(at),
  odds_american: price > 0 ? decimalToAmerican(price) : null,
  odds_decimal: price > 0 ? shownPrice(price) : null,
  is_live: isLive,
})

// ---- movements

const listMovements = (ask: ArchiveQuestions, now: () => number) =>
  keyAction({
    ...shared,
    path: '/api/v1/movements',
    summary: 'Several sportsbooks moving a selection the same way at once',
    description:
      'Also called steam. A move is a change of one price by `min_move` or more. A movement is moves of one selection at one line, in the same direction, at `min_books` different sportsbooks within `seconds`. A moved line is another selection, so it is not a move; nor is the change from before the game to in play, or a change of a price from before a game that is in play.',
    query: movementsQuery,
    answer: { description: 'A page of movements.', schema: movementsList, files: historyFiles },
    errors: ['invalid_filter', 'tier_restricted', ...archiveErrors],
    async handle({ query, scope, ...by }) {
      const { format = 'json', event, live, min_books, seconds, min_move = 0.5 } = query
      const filters = readFilters(query, scope)
      const to = msOf(query.to) ?? now()
      const period = { from: msOf(query.from) ?? to - hourMs, to }
      requireSpan(period, event ? 31 : 1)
      const { sportsbooks, ...of } = archiveFilter(event, filters, scope)
      // A reference is no sportsbook that moves: it may be made from the prices of one that does.
      const hidden = [...sportsbooks.hidden, ...scope.board.references]
      const archiveQuery: MovementsQuery = {
        ...of,
        sportsbooks: { ...sportsbooks, hidden },
        period,
        leastSportsbooks: min_books,
        seconds,
        leastMove: min_move / 100,
        isLive: live,
      }
      if (format !== 'json') {
        const moves = movements(archiveQuery, format === 'csv')
        return ask.file(moves, format, 'movements', by)
      }
      const movesAt = (page: PageQuery) => movements(archiveQuery, false, page)
      const { rows: moves, total } = await askPage<MovementMove>(ask, movesAt, query, by)
      return by.charged(() => {
        const items = byRank(moves).map(movementJson)
        return {
          body: listBody(items, {
            pagination: paginationOf(query, items.length, total),
            updatedAt: newestOf(moves),
            meta: {
              filters: {
                ...filters.echo,
                ...given({ event, live, min_books, seconds, min_move }),
                from: isoTime(period.from),
                to: isoTime(period.to),
              },
            },
          }),
        }
      })
    },
  })

function movementJson(moves: readonly MovementMove[]) {
  const [first] = moves as readonly [MovementMove]
  return itemOfRow(movementItem, first, {
    event_start_time: timeOf(first.event_start_time),
    began_at: timeOf(first.began_at),
    ended_at: timeOf(first.ended_at),
    moves: moves.map((move) => itemOfRow(movementMove, move, { at: timeOf(move.at) })),
  })
}

// ---- files of many changes

const changesFile = (ask: ArchiveQuestions) =>
  fileRoute(ask, changesOf, {
    path: '/api/v1/historical/changes',
    name: 'changes',
    summary: 'Every change of many prices, as a file',
    description:
      'By event and price; the changes of one price in order; at most 31 days. `npm run export` joins whole seasons from days.',
    line: changeLine,
  })

const closesFile = (ask: ArchiveQuestions) =>
  fileRoute(ask, closesOf, {
    path: '/api/v1/historical/closes',
    name: 'closes',
    summary: 'The closes of many prices, as a file',
    description:
      'For events that start in the period (at most 31 days): the last price before the start, or the reason why there is none.',
    line: closeLine,
  })

function fileRoute(
  ask: ArchiveQuestions,
  statementOf: typeof changesOf,
  {
    path,
    name,
    summary,
    description,
    line,
  }: Readonly<Record<'path' | 'name' | 'summary' | 'description', string>> & {
    readonly line: typeof changeLine | typeof closeLine
  },
): Route {
  return keyAction({
    ...shared,
    path,
    summary,
    description,
    query: changesQuery,
    answer: {
      description: 'The file, by lines; as CSV and Parquet, with the same columns.',
      mediaType: fileTypes.ndjson,
      schema: line,
      files: historyFiles,
    },
    errors: ['invalid_filter', 'tier_restricted', ...archiveErrors],
    async handle({ query, scope, ...by }) {
      const { event, format = 'ndjson' } = query
      const filters = readFilters(query, scope)
      const [from, to] = [msOf(query.from), msOf(query.to)]
      if (from === undefined || to === undefined) {
        throw invalid(['from', 'to'], 'from and to are required.')
      }
      const period = { from, to }
      requireSpan(period, 31)
      const archiveQuery = { ...archiveFilter(event, filters, scope), period }
      const statement = statementOf(archiveQuery, format === 'csv')
      return ask.file(statement, format, `${name}_${isoTime(from).slice(0, 10)}`, by)
    },
  })
}

const notFound = (what: 'price' | 'event', id: string) =>
  new ApiError('not_found', `The archive has no ${what} ${id.slice(0, 100)}.`)

// ---- fields of responses

const quoteJson = (at: string, price: number) => ({ at: timeOf(at), ...oddsJson(price) })

const selectionJson = (price: ArchivedPrice) => ({
  market_type: price.market_type,
  selection: price.shown_selection,
  selection_type: price.shown_type,
  line: price.shown_line,
  player_name: price.player_name,
})

const echoOf = ({ from, to }: PeriodQuery) =>
  given({
    from: from === undefined ? undefined : isoTime(msOf(from)!),
    to: to === undefined ? undefined : isoTime(msOf(to)!),
  })
