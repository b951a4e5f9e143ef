/** GET /api/v1/odds/delta: the changes since a time, for clients that poll (interface 4.4). */

import { appendText } from '../../pipeline/text/page-buffer.ts'
import { recentMicros } from '../../pipeline/views/board/recent.ts'
import {
  type ChangedRow,
  type DeltaDraft,
  draftDelta,
  mostCounted,
  type OddsDelta,
  writeRows,
} from '../../pipeline/views/query/odds-delta.ts'
import { sortRowIds } from '../../pipeline/views/query/sorted-odds.ts'
import { deltaAnswer } from '../../schemas/http/odds.ts'
import { deltaQuery } from '../../schemas/http/odds-query.ts'
import type { Query } from '../../schemas/http/query.ts'
import { type Scope, seesAll, viewOf } from '../access/scope.ts'
import { addState } from '../answer/deep-links.ts'
import { createDeltaWalks, type DeltaWalks } from '../answer/delta-walks.ts'
import { instantOfMicros, listBody, listHead, listTail } from '../answer/json.ts'
import { paginationOf } from '../answer/list-page.ts'
import { isOlderId } from '../ask/event-filters.ts'
import { given, requestedOdds } from '../ask/odds-filter.ts'
import { changesLinksOnly, readShape, readSort, reshape } from '../ask/odds-shape.ts'
import { requireOneOf } from '../ask/read-query.ts'
import { ApiError, retryAfter } from '../errors.ts'
import { type Prepared, type ReadRoute, readRoute } from '../route.ts'
import { isOfView, type Positions, type ResyncReason } from '../stream/timeline/positions.ts'

const maxOffset = 500
/** The most removed ids of a step. */
const mostRemovedOfStep = 100
const needed = ['since', 'resume_from'] as const

export interface DeltaParts {
  readonly clock: () => number
  /** Positions as streams return them. */
  readonly positions: Positions
  /** Advances all views to the current time. */
  advance(): void
}

export function createDeltaRoute(parts: DeltaParts): ReadRoute {
  const walks = createDeltaWalks()
  return readRoute({
    path: '/api/v1/odds/delta',
    access: 'key',
    tag: 'odds',
    summary: 'Changes since a time',
    description:
      'Rows whose price, line, state or names changed after `since`, oldest change first, and the ids of removed rows; a row that was only seen again has not changed. Call again with `since` = `meta.server_time`: it never goes past what the response has, so nothing is lost if there is more (`has_more`, `removed_truncated`). A complete response, or its last page, has `meta.position`, except for delayed tiers: send it, or a position of a stream, as `resume_from` instead of `since`. A position that is no longer known gets 409, one that this process has not reached yet 503. `since_clamped` means that removals may be missing: take a snapshot.',
    query: deltaQuery,
    needsOneOf: needed,
    answer: { description: 'The changes.', schema: deltaAnswer },
    tool: {
      name: 'get_odds_delta',
      description:
        'Prices that changed since a time, and the ids of removed ones. ' +
        'Call again with `since` = `server_time`; at once where there is `more`.',
      inputs: [
        ...['since', 'sport', 'league', 'event', 'sportsbook', 'books', 'market'],
        ...['live', 'limit'],
      ],
      needs: ['since'],
      continuedBy: 'since',
      shape: { items: ['data'], whole: ['removed'] },
    },
    errors: [
      'invalid_filter',
      'offset_too_large',
      'resync_required',
      'service_unavailable',
      'tier_restricted',
    ],
    prepare: ({ query, scope, isStep = false }) => prepareDelta(query, scope, isStep, walks, parts),
  })
}

/** The rows of a response, and where the client continues. */
interface Page {
  readonly rows: readonly ChangedRow[]
  /** Changes that match, those of `rows` included. */
  readonly total: number
  /** Whether changes or removals are left for the next call. */
  readonly hasMore: boolean
  readonly removed: readonly number[]
  /** Stamp up to which changes are covered (epoch µs). */
  readonly upTo: number
  /** Null if something was left out or is still to come. */
  readonly position: string | null
}

function prepareDelta(
  query: Query<typeof deltaQuery>,
  scope: Scope,
  isStep: boolean,
  walks: DeltaWalks,
  { clock, positions, advance }: DeltaParts,
): Prepared {
  const { board } = scope
  const { limit, offset, resume_from } = query
  // Positions belong to the live board.
  if (resume_from !== undefined && scope.delaySeconds > 0) throw resyncRequired('delayed')
  requireOneOf(query, needed)
  const since = resume_from === undefined ? query.since! : stampOf(resume_from, scope, positions)
  if (offset > maxOffset) {
    throw new ApiError('offset_too_large', `offset is at most ${maxOffset}.`, {
      max_offset: maxOffset,
    })
  }
  const older = query.event?.find(isOlderId)
  if (older !== undefined) {
    throw new ApiError(
      'validation_error',
      `${older} may stand for another game tomorrow: name events here by their whole ids.`,
    )
  }
  const shape = readShape(query)
  const sort = readSort(query.sort)
  const requested = requestedOdds(query, scope)
  const echoText = () => JSON.stringify({ ...requested.echo(), ...given({ sort: query.sort }) })
  const walkKey = JSON.stringify([requested.queryKey, since])

  /** The time on the scope's board (epoch ms). */
  const boardTime = () => clock() - 1_000 * scope.delaySeconds

  /** Returns the stamp from which on removals are listed: those of the last ten minutes (interface 4.4). */
  const oldestRemoval = () => 1_000 * boardTime() - recentMicros

  /** Returns the position of a client that has read the whole response, if there is one. */
  function positionOf({ completeTo }: OddsDelta): string | null {
    const isWhole = completeTo === board.watermark && scope.delaySeconds === 0
    return isWhole ? positions.now(viewOf(scope)) : null
  }

  /**
   * Returns the rows and removals up to one time, at which the reader continues. Both end at the
   * same time, so that no call repeats what another has sent.
   */
  function stepOf(delta: OddsDelta): Page {
    const { changed, removed, removedAt } = delta
    const isCut = changed.length > limit
    const areIdsCut = removed.length > mostRemovedOfStep
    const upTo = Math.min(
      delta.completeTo,
      isCut ? changed[limit - 1]!.stamp : Number.POSITIVE_INFINITY,
      areIdsCut ? removedAt[mostRemovedOfStep - 1]! : Number.POSITIVE_INFINITY,
    )
    const hasMore = isCut || areIdsCut || delta.removedTruncated
    return {
      rows: changed.slice(0, limit).filter(({ stamp }) => stamp <= upTo),
      total: changed.length,
      hasMore,
      removed: removed.filter((_, i) => removedAt[i]! <= upTo),
      upTo,
      position: hasMore ? null : positionOf(delta),
    }
  }

  function pageOf(delta: OddsDelta): Page {
    const { removed } = delta
    if (offset === 0) {
      const { changed, completeTo } = delta
      const total = changed.length
      const rows = changed.slice(0, limit)
      const position = positionOf(delta)
      const hasMore = rows.length < total
      if (!hasMore) return { rows, total, hasMore, removed, upTo: completeTo, position }
      walks.start(walkKey, { changed, total, completeTo, position }, clock())
      const upTo = Math.min(completeTo, rows.at(-1)!.stamp)
      return { rows, total, hasMore, removed, upTo, position: null }
    }
    const walk = walks.find(walkKey, clock())
    const { changed, total } = walk ?? { changed: delta.changed, total: delta.changed.length }
    const rows = changed.slice(offset, offset + limit)
    const hasMore = offset + rows.length < total
    const page = { rows, total, hasMore, removed, position: null }
    // Without the list of the previous page, rows may have moved between the pages.
    if (!walk) return { ...page, upTo: since! }
    if (!hasMore) return { ...page, upTo: walk.completeTo, position: walk.position }
    return { ...page, upTo: rows.at(-1)?.stamp ?? since! }
  }

  /**
   * Returns the time up to which the client has all changes. Stamps count every change of the board, so they would
   * reveal when hidden prices move. A client that does not see all of it gets the clock's time in milliseconds
   * instead. Changes within that millisecond may be sent again.
   */
  function shownUpTo(upTo: number, hasMore: boolean): number {
    if (seesAll(scope)) return upTo
    const coarse = 1_000 * Math.min(Math.floor(upTo / 1_000), boardTime())
    // Paging must advance, even past a page whose rows changed at the same time.
    return hasMore && coarse <= since! ? upTo : coarse
  }

  let draft: DeltaDraft | undefined

  return {
    ahead() {
      if (!seesAll(scope)) advance()
      const begun = draftDelta(board, requested.changesFilter(), since)
      draft = begun
      // Work that fits in one step needs no pieces.
      if (begun.step()) return null
      return (function* () {
        do yield
        while (!begun.step())
        draft = begun
      })()
    },
    // Later pages depend on the first page's list, and the reported time moves without changes. Both are written each
    // time.
    version: () => (offset > 0 || !seesAll(scope) ? Number.NaN : requested.version()),
    write(into) {
      if (!seesAll(scope)) advance()
      const filter = requested.changesFilter()
      const removedAfter = resume_from === undefined ? oldestRemoval() : 0
      const begun = draft?.filter === filter ? draft : draftDelta(board, filter, since)
      const delta = begun.finish(removedAfter)
      draft = undefined
      const {
        rows: page,
        total,
        hasMore,
        removed,
        upTo,
        position,
      } = isStep ? stepOf(delta) : pageOf(delta)
      const isClamped = since < Math.max(delta.reach, removedAfter)
      if (isClamped && resume_from !== undefined) throw resyncRequired('too_old')
      const ids = page.map(({ id }) => id)
      appendText(into, listHead)
      const rowsFrom = into.length
      const sorted = sort ? sortRowIds(board, ids, sort) : ids
      const { count, books, updatedAt } = writeRows(board, sorted, into)
      const list = {
        pagination: {
          ...paginationOf(query, page.length, total, maxOffset),
          has_more: hasMore,
          count,
        },
        updatedAt,
        meta: {
          server_time: instantOfMicros(shownUpTo(upTo, hasMore)),
          ...(position !== null && { position }),
          books_changed: [...new Set([...books, ...delta.removedBooks])]
            .map((book) => board.sportsbooks[book]!)
            .sort(),
        },
        ready: `"filters":${echoText()},`,
        beside: {
          removed: removed.map(String),
          ...(delta.removedTruncated && !isStep && { removed_truncated: true }),
          ...(isClamped && { since_clamped: true }),
          overflow: total > mostCounted || delta.isBeyond,
        },
      }
      if (shape && !changesLinksOnly(shape)) {
        const rows = into.bytes.toString('utf8', rowsFrom, into.length)
        into.length = 0
        appendText(into, listBody(reshape(rows, shape), list))
      } else {
        addState(into, rowsFrom, shape?.state)
        appendText(into, listTail(list))
      }
      // After this time, `removed` leaves out the oldest removal, or states that it may lack some.
      const changesAt = Math.min(isClamped ? Number.POSITIVE_INFINITY : since, delta.removedFrom)
      if (changesAt === Number.POSITIVE_INFINITY) return {}
      return { expiresAt: (changesAt + recentMicros) / 1_000 + 1_000 * scope.delaySeconds }
    },
  }
}

/**
 * @throws ApiError validation_error for an invalid position, resync_required for one no longer stored,
 *   service_unavailable for one that the board has not reached
 */
function stampOf(token: string, scope: Scope, positions: Positions): number {
  const position = positions.tokens.require(token)
  if (positions.isAhead(position)) {
    throw new ApiError(
      'service_unavailable',
      'This process has not reached the position yet: try again in a moment.',
      retryAfter(1),
    )
  }
  const isOfLog = position.epoch === positions.epoch
  if (isOfLog && !isOfView(position, viewOf(scope))) throw resyncRequired('other_books')
  const stamp = positions.stampAt(position)
  if (stamp !== undefined) return stamp
  throw resyncRequired(isOfLog ? 'too_old' : 'other_log')
}

const resyncRequired = (reason: ResyncReason | 'delayed') =>
  new ApiError(
    'resync_required',
    'The changes since this position are not known any more: take a snapshot.',
    {
      reason,
    },
  )
