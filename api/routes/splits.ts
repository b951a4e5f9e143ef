/**
 * GET /api/v1/splits and /splits/history: the distribution of bets and money, by source book (interface 2.5 and
 * 4.10). Current splits come from the view, past ones from the archive.
 */

import {
  type ArchivedSplits,
  splitHistoryQuery,
  splitsOfArchived,
} from '../../pipeline/archive/splits.ts'
import { nonEmptySplits, turnedSplits } from '../../pipeline/rules/odds/splits.ts'
import type { EventSplits } from '../../pipeline/views/splits/splits-view.ts'
import {
  splitsHistory,
  splitsHistoryQuery,
  splitsList,
  splitsOffsetMax,
  splitsQuery,
} from '../../schemas/http/splits.ts'
import type { Scope } from '../access/scope.ts'
import { instant, listBody } from '../answer/json.ts'
import { paginationOf } from '../answer/list-page.ts'
import { listResource } from '../answer/resource.ts'
import { shownMarkets, splitsEntry, splitsItem } from '../answer/splits.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import { archiveErrors } from '../ask/archive-questions.ts'
import { findEvent, namedEventIds, watchedEventIds } from '../ask/event-filters.ts'
import { type FilterQuery, readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError, invalid } from '../errors.ts'
import { keyAction, type Route } from '../route.ts'

const requires = { feature: 'splits', otherwise: 'tier_restricted' } as const
const tag = 'splits'

/** Default length of the history. */
const historyMs = 48 * 3_600_000

export function createSplitsRoutes(archive: ArchiveAccess, clock: () => number): readonly Route[] {
  return [listSplits, createHistory(archive, clock)]
}

const listSplits = listResource({
  path: '/api/v1/splits',
  access: 'key',
  tag,
  summary: 'Public betting splits of games upcoming and in play',
  description:
    'One item per event and source book, by start: the shares of bets and money on each side. Null: the source does not report it.',
  requires,
  query: splitsQuery,
  maxOffset: splitsOffsetMax,
  answer: { description: 'A page of splits.', schema: splitsList },
  tool: {
    name: 'get_splits',
    description:
      'Where the public bets: shares of bets and of money on each side, by game and source book. ' +
      '`away_odds` and `home_odds` of the spread are lines.',
    inputs: ['sport', 'league', 'event', 'sportsbook', 'market', 'limit', 'offset'],
    shape: { items: ['data'] },
  },
  errors: ['invalid_filter', 'tier_restricted'],

  read({ query, scope }) {
    const { event: ids, market: markets } = query
    const { sports, leagues, sportsbooks, echo } = readSplitFilters(query, scope)
    const meta = { filters: { ...echo, ...given({ event: ids, market: markets }) } }
    // An id of the older form may change its meaning when a second event is added on its day.
    const eventVersion = ids && scope.board.watch({ eventIds: watchedEventIds(ids) })
    return {
      version: () => scope.splits.version + (eventVersion?.() ?? 0),
      now() {
        const eventIds = ids && new Set(namedEventIds(scope, ids))
        const rows = scope.splits
          .list()
          .filter(
            ({ event, row }) =>
              (!sports || sports.includes(event.sport)) &&
              (!leagues || leagues.includes(event.league)) &&
              (!sportsbooks || sportsbooks.includes(row.sportsbook)) &&
              (!eventIds || eventIds.has(event.id)) &&
              (!markets || nonEmptySplits(shownMarkets(row, markets)) !== null),
          )
        return { rows, updatedAt: newestObserved, meta }
      },
      show: (splits: EventSplits) => splitsItem(splits, markets),
    }
  },
})

const newestObserved = (shown: readonly EventSplits[]) =>
  shown.reduce((newest, { row }) => Math.max(newest, row.observedAt), 0)

function createHistory({ reads, limits }: ArchiveAccess, clock: () => number): Route {
  return keyAction({
    method: 'get',
    path: '/api/v1/splits/history',
    tag,
    summary: 'Past splits of one event, every five minutes',
    description:
      'The first shares of each source book in every five minutes, oldest first: of the last 48 hours, or since an earlier `start_time` if the archive has them. Of more than `limit` it returns the first from `start_time` on, without it the newest; those of one time stay together.',
    requires,
    query: splitsHistoryQuery,
    answer: { description: 'The snapshots.', schema: splitsHistory },
    errors: ['invalid_filter', 'tier_restricted', 'not_found', ...archiveErrors],

    async handle({ query, caller, scope, charged }) {
      const { event_id: requestedId, sportsbook, start_time, end_time, limit } = query
      if (requestedId === undefined) {
        throw invalid(['event_id'], 'event_id is required: the id of one event.')
      }
      const { sportsbooks, echo } = readSplitFilters({ sportsbook }, scope)
      const event = findEvent(scope, requestedId)
      const eventId = event?.id ?? requestedId
      const now = clock()
      const from = start_time ?? now - historyMs
      const to = end_time ?? now
      // A client that states no start does not read on from it: it wants the newest.
      const end = start_time === undefined ? 'newest' : 'oldest'
      const rows = await reads.rows<ArchivedSplits>({
        caller: caller.accountId,
        ...splitHistoryQuery({ eventId, sportsbooks, from, to, limit, end }),
        limits: limits[caller.tier],
        decoding: charged,
      })
      if (rows.length === 0 && !event) {
        throw new ApiError('not_found', `There are no splits of ${eventId.slice(0, 100)}.`)
      }
      const isFlipped = event?.row.flipped ?? rows[0]?.last_flipped ?? false
      const [first] = rows
      const { newest_ms: newest = 0, total_count: total = 0 }: Partial<ArchivedSplits> = first ?? {}
      // The archive has chosen the page, and no offset leads to the next.
      const page = paginationOf({ limit, offset: 0 }, rows.length, total, -1)
      // After the newest there is nothing more to read.
      const pagination = { ...page, has_more: page.has_more && end === 'oldest' }
      const meta = {
        event_id: eventId,
        books: first?.sportsbooks ?? [],
        oldest: instant(first?.oldest_ms ?? 0),
        newest: instant(newest),
        filters: { event_id: eventId, ...echo },
      }
      return charged(() => {
        const entries = entriesOf(eventId, rows, isFlipped)
        return { body: listBody(entries, { pagination, updatedAt: newest, meta }) }
      })
    },
  })
}

/** @param isFlipped whether the event is shown the other way round than the rows */
function entriesOf(eventId: string, rows: readonly ArchivedSplits[], isFlipped: boolean) {
  return rows.flatMap((row) => {
    const splits = splitsOfArchived(row)
    if (!splits) return []
    const shown = isFlipped ? turnedSplits(splits) : splits
    return [splitsEntry(eventId, row.sportsbook, row.at_ms, shown)]
  })
}

/** A source book may have no prices, and a league with splits no game on the board. */
const readSplitFilters = (
  { sport, league, sportsbook, add_sportsbook }: FilterQuery,
  scope: Scope,
) =>
  readFilters({ sport, league, sportsbook, add_sportsbook }, scope, (filter, id) =>
    scope.splits
      .list()
      .some(
        ({ event, row }) =>
          (!scope.sportsbooks || scope.sportsbooks.includes(row.sportsbook)) &&
          (filter === 'sportsbook' ? row.sportsbook : filter === 'market' ? '' : event[filter]) ===
            id,
      ),
  )
