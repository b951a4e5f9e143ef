/** Selects the prices of an odds request, within its scope. */

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

/** The board filter's field for each row parameter. The compiler reports a parameter without a field. */
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
  /** Returns the current filter. It is the same object until an event id or market alias gets another meaning. */
  filter(): OddsFilter
  /**
   * Returns the filter for changes since a time. Ids and aliases are not replaced by what they mean now, so that rows
   * that were removed meanwhile still match. Only full event ids may be requested.
   */
  changesFilter(): OddsFilter
  /** Returns the stamp of the newest change to the matching rows. */
  version(): number
  /** Returns the current `meta.filters`. */
  echo(): Readonly<Record<string, unknown>>
  /** The scope and the requested values as a text, the same whatever the board has. */
  readonly queryKey: string
  /** The same at every process and whatever sportsbooks are hidden. Cursors are valid only for it. */
  readonly askedKey: string
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
  /** Whether an event id or market alias may mean something else when the board changes. */
  const isResolvedAgain = filters.isGrowing || event !== undefined
  let shapeStamp = -1
  let lastNamed = ''
  let filter: OddsFilter = {}
  let changesFilter: OddsFilter = {}

  /** Resolves ids and aliases again if an event, sportsbook or market type came or went. */
  function refresh() {
    if (shapeStamp >= 0 && !isResolvedAgain) return
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

  const values = JSON.stringify([filters.requestedValues, others])

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
      // A market alias may grow with the board, so all markets are watched.
      marketTypes: filters.isGrowing ? undefined : filters.marketTypes,
    }),
    echo: () => ({ ...filters.echo, ...others }),
    queryKey: `${scope.name} ${values}`,
    askedKey: `${scope.asked} ${values}`,
  }
}

/** Returns the entries that have a value. */
export const given = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
