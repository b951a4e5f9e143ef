/** Which prices a request of the odds family means, within its scope. */

import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import type { rowQuery } from '../../schemas/http/odds-query.ts'
import type { Query } from '../../schemas/http/query.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import type { Scope } from '../access/scope.ts'
import { type EventQuery, eventFilter, namedEventIds, watchedEventIds } from './event-filters.ts'
import { type FilterQuery, readFilters } from './filters.ts'

export interface OddsFilterQuery extends FilterQuery, EventQuery, Partial<Query<typeof rowQuery>> {
  readonly event?: readonly string[] | undefined
}

/** What `readFilters` has not read; a filter that is missing here would be asked for and not be told. */
type OtherFilters = Record<keyof EventQuery | keyof typeof rowQuery | 'event', unknown>

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
  const { event, live, min_odds, max_odds, team, date, q } = query
  const { is_main_line, is_book_main_line, is_stale_pregame_price } = query
  const isEventNamed = eventFilter(query)
  const others = given({
    event,
    live,
    min_odds,
    max_odds,
    team,
    date,
    q,
    is_main_line,
    is_book_main_line,
    is_stale_pregame_price,
  } satisfies OtherFilters)
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
      live,
      minAmerican: min_odds,
      maxAmerican: max_odds,
      mainLine: is_main_line,
      ownMainLine: is_book_main_line,
      lineSet: scope.lineSet,
      stalePregame: is_stale_pregame_price,
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
