/** Which prices a request of the odds family means, within its scope. */

import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import { rowQuery } from '../../schemas/http/odds-query.ts'
import type { Query } from '../../schemas/http/query.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import type { Scope } from '../access/scope.ts'
import { type EventQuery, eventFilter, namedEventIds, watchedEventIds } from './event-filters.ts'
import { type FilterQuery, readFilters } from './filters.ts'

export interface OddsFilterQuery extends FilterQuery, EventQuery, Partial<Query<typeof rowQuery>> {
  readonly event?: readonly string[] | undefined
}

/** What each filter on rows is on the board: one that is nothing there does not compile. */
const members = {
  live: 'live',
  min_odds: 'minAmerican',
  max_odds: 'maxAmerican',
  is_main_line: 'mainLine',
  is_book_main_line: 'ownMainLine',
  is_stale_pregame_price: 'stalePregame',
} as const satisfies Record<keyof typeof rowQuery, keyof OddsFilter>

type RowMember = (typeof members)[keyof typeof members]

const rowNames = Object.keys(rowQuery) as (keyof typeof rowQuery)[]

export interface RequestedOdds {
  /**
   * The filter as of now: the same object until what an event id or a market alias stands for changes.
   */
  filter(): OddsFilter
  /**
   * The filter for changes since an instant. It has the values asked for, not the ones they stand for
   * now, so that rows that have gone still match. Events are named by their whole ids.
   */
  changesFilter(): OddsFilter
  /** The stamp of the newest change to what it shows. */
  version(): number
  /** What `meta.filters` says now. */
  echo(): Readonly<Record<string, unknown>>
  /** The request as a text that does not change with the board: what cursors are bound to. */
  readonly asked: string
}

/** @throws ApiError invalid_filter, tier_restricted */
export function requestedOdds(query: OddsFilterQuery, scope: Scope): RequestedOdds {
  const filters = readFilters(query, scope)
  const { sports, leagues, sportsbooks } = filters
  const { event, team, date, q } = query
  const isEventNamed = eventFilter(query)
  const ofEvents = { event, team, date, q } satisfies Record<keyof EventQuery | 'event', unknown>
  const others = given({
    ...ofEvents,
    ...Object.fromEntries(rowNames.map((name) => [name, query[name]])),
  })
  const ofRows = Object.fromEntries(rowNames.map((name) => [members[name], query[name]])) as Record<
    RowMember,
    never
  >
  let shapeStamp = -1
  let lastNamed = ''
  let filter: OddsFilter = {}
  let changesFilter: OddsFilter = {}

  /** Looks up what the words stand for, when that may have changed. */
  function refresh() {
    if (shapeStamp === scope.board.shapeStamp) return
    shapeStamp = scope.board.shapeStamp
    const { marketTypes } = filters
    const eventIds = event && namedEventIds(scope, event)
    const named = JSON.stringify([marketTypes, eventIds])
    if (named === lastNamed) return
    lastNamed = named
    filter = {
      sportsbooks,
      sports,
      leagues,
      marketTypes,
      eventIds,
      ...ofRows,
      lineSet: scope.lineSet,
      isEventNamed,
    } satisfies Record<Exclude<keyof OddsFilter, 'isMarketNamed'>, unknown>
    changesFilter = { ...filter, eventIds: event }
    if (!filters.isGrowing) return
    const types = new Set(filter.marketTypes)
    changesFilter = {
      ...changesFilter,
      isMarketNamed: (type) => types.has(type) || questionOf(type).aliases.includes('props'),
    }
  }

  return {
    filter() {
      refresh()
      return filter
    },
    changesFilter() {
      refresh()
      return changesFilter
    },
    version: scope.board.watch({
      eventIds: event && watchedEventIds(event),
      leagues,
      sports,
      // A market alias may grow with the board; then every market is watched.
      marketTypes: filters.isGrowing ? undefined : filters.marketTypes,
    }),
    echo: () => ({ ...filters.echo, ...others }),
    asked: JSON.stringify([scope.name, filters.asked, others]),
  }
}

/** The members that have a value. */
export const given = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
