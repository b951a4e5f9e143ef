/** GET /api/v1/odds/delta: what has changed since, for clients that poll (interface 4.4). */

import {
  type ChangedRow,
  mostCounted,
  type OddsDelta,
  oddsDelta,
  writeRows,
} from '../../pipeline/views/odds-delta.ts'
import { appendText } from '../../pipeline/views/odds-page.ts'
import { removalsKeptMicros } from '../../pipeline/views/removals.ts'
import { sortRowIds } from '../../pipeline/views/sorted-odds.ts'
import { deltaAnswer, exampleOdds } from '../../schemas/http/odds.ts'
import { deltaQuery } from '../../schemas/http/odds-query.ts'
import type { Query } from '../../schemas/http/query.ts'
import type { Scope } from '../access/scope.ts'
import { createDeltaWalks, type DeltaWalks } from '../delta-walks.ts'
import { ApiError } from '../errors.ts'
import { isOlderId } from '../event-filters.ts'
import { instantOfMicros, listBody, listHead, listTail } from '../json.ts'
import { given, requestedOdds } from '../odds-filter.ts'
import { readShape, readSort, reshape } from '../odds-shape.ts'
import { type Prepared, type ReadRoute, readRoute } from '../route.ts'
import { type Positions, type ResyncReason, requirePosition } from '../stream/positions.ts'

const maxOffset = 500

export interface DeltaParts {
  readonly clock: () => number
  /** Positions that streams give. */
  readonly positions: Positions
}

export function createDeltaRoute(parts: DeltaParts): ReadRoute {
  const walks = createDeltaWalks()
  return readRoute({
    path: '/api/v1/odds/delta',
    access: 'key',
    tag: 'odds',
    summary: 'What has changed since',
    description:
      'Rows whose price, line, state or names have changed since `since`, oldest change first, and the ids of those that have gone; a row that was merely seen again has not changed. Call again with `since` = `meta.server_time`: it never lies beyond what the answer holds, so nothing is lost even when there was more than one answer could take (`has_more`, `removed_truncated`). `resume_from` takes a position that a stream has given, in place of `since`; then `meta.position` is where to go on from, once nothing is left out (before that, `since`), and a position that is not remembered is answered by 409. To begin, call with the present time, then take a snapshot from `/odds`, then go on from the first answer. `since_clamped` means that removals may be missing: take a snapshot.',
    query: deltaQuery,
    answers: {
      200: { description: 'The changes.', schema: deltaAnswer, example: exampleDelta() },
    },
    errors: ['invalid_filter', 'offset_too_large', 'resync_required', 'tier_restricted'],
    prepare: ({ query, scope }) => prepareDelta(query, scope, walks, parts),
  })
}

function prepareDelta(
  query: Query<typeof deltaQuery>,
  scope: Scope,
  walks: DeltaWalks,
  { clock, positions }: DeltaParts,
): Prepared {
  const { board } = scope
  const { limit, offset, resume_from } = query
  // Positions are of the live board.
  if (resume_from !== undefined && scope.delaySeconds > 0) throw resyncRequired('delayed')
  const since = resume_from === undefined ? query.since : stampOf(resume_from, positions)
  if (since === undefined) {
    throw new ApiError(
      'validation_error',
      'since is required: an RFC 3339 instant; or resume_from in its place.',
    )
  }
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
  const walkKey = JSON.stringify([requested.asked, since, limit])

  /** The rows of this page, and from when a client goes on that has read this far. */
  function pageOf(delta: OddsDelta): { page: readonly ChangedRow[]; total: number; upTo: number } {
    if (offset === 0) {
      const { changed } = delta
      const page = changed.slice(0, limit)
      const isWhole = page.length === changed.length
      if (!isWhole) walks.start(walkKey, { ...delta, total: changed.length }, clock())
      const upTo = isWhole ? delta.completeTo : Math.min(delta.completeTo, page.at(-1)!.stamp)
      return { page, total: changed.length, upTo }
    }
    const walk = walks.find(walkKey, clock())
    const { changed, total } = walk ?? { ...delta, total: delta.changed.length }
    const page = changed.slice(offset, offset + limit)
    const isLast = offset + page.length >= total
    // Without the list the page before was taken from, rows may have moved between the two.
    if (!walk) return { page, total, upTo: since! }
    return { page, total, upTo: isLast ? walk.completeTo : (page.at(-1)?.stamp ?? since!) }
  }

  return {
    // Later pages depend on the first one's list as well: they are made each time.
    version: () => (offset > 0 ? Number.NaN : requested.version()),
    write(into) {
      const delta = oddsDelta(board, requested.changesFilter(), since)
      const { page, total, upTo } = pageOf(delta)
      const hasMore = offset + page.length < total
      const isClamped = since < delta.reach
      if (isClamped && resume_from !== undefined) throw resyncRequired('too_old')
      const ids = page.map(({ id }) => id)
      appendText(into, listHead)
      const rowsFrom = into.length
      const sorted = sort ? sortRowIds(board, ids, sort) : ids
      const { count, books, updatedAt } = writeRows(board, sorted, into)
      const nextOffset = offset + page.length
      const pagination = {
        limit,
        offset,
        count,
        total,
        has_more: hasMore,
        next_offset: hasMore && nextOffset <= maxOffset ? nextOffset : null,
      }
      const list = {
        pagination,
        updatedAt,
        meta: {
          server_time: instantOfMicros(upTo),
          ...(resume_from !== undefined &&
            upTo === board.watermark && { position: positions.now() }),
          books_changed: [...books].map((book) => board.sportsbooks[book]!).sort(),
        },
        ready: `"filters":${echoText()},`,
        beside: {
          removed: delta.removed.map(String),
          ...(delta.removedTruncated && { removed_truncated: true }),
          ...(isClamped && { since_clamped: true }),
          overflow: total > mostCounted || delta.isBeyond,
        },
      }
      if (shape) {
        const rows = into.bytes.toString('utf8', rowsFrom, into.length)
        into.length = 0
        appendText(into, listBody(reshape(rows, shape), list))
      } else appendText(into, listTail(list))
      // In time the memory of removals no longer reaches back to `since`.
      const clampedAt = (since + removalsKeptMicros) / 1_000 + 1_000 * scope.delaySeconds
      return isClamped ? {} : { expiresAt: clampedAt }
    },
  }
}

/** @throws ApiError validation_error for what is no position, resync_required for one not remembered */
function stampOf(token: string, positions: Positions): number {
  const position = requirePosition(token)
  const stamp = positions.stampAt(position)
  if (stamp !== undefined) return stamp
  throw resyncRequired(position.epoch === positions.epoch ? 'too_old' : 'other_log')
}

const resyncRequired = (reason: ResyncReason | 'delayed') =>
  new ApiError(
    'resync_required',
    'What changed since this position is not known: take a snapshot.',
    {
      reason,
    },
  )

function exampleDelta(): object {
  const pagination = {
    limit: 50,
    offset: 0,
    count: 1,
    total: 1,
    has_more: false,
    next_offset: null,
  }
  return JSON.parse(
    listBody([exampleOdds], {
      pagination,
      updatedAt: Date.parse('2026-11-20T12:00:00.123Z'),
      meta: {
        server_time: '2026-11-20T12:00:00.250113Z',
        books_changed: ['draftkings'],
        filters: { league: ['nba'] },
      },
      beside: { removed: ['310778204665018'], overflow: false },
    }),
  ) as object
}
