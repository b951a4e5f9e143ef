/** Pages of lists: cuts a page out of a list in memory, and describes where a page is in its list. */

import { wholeListLimit } from '../../schemas/http/list-query.ts'
import { type ListMeta, listBody, type Pagination } from './json.ts'

export interface PageQuery {
  readonly limit: number
  readonly offset: number
}

/**
 * Describes a page of `count` items of a list of `total`.
 * @param maxOffset the route's greatest offset: `next_offset` is null beyond it
 */
export function paginationOf(
  { limit, offset }: PageQuery,
  count: number,
  total: number,
  maxOffset = Number.POSITIVE_INFINITY,
): Pagination {
  return {
    limit,
    offset,
    count,
    total,
    has_more: offset + count < total,
    next_offset: nextOffset(offset + count, total, maxOffset),
  }
}

/**
 * Returns the offset of the page after one that ends at `end`.
 * @param maxOffset the greatest offset of the route
 * @returns null at the end of the list, and beyond `maxOffset`
 */
export const nextOffset = (end: number, total: number, maxOffset: number): number | null =>
  end < total && end <= maxOffset ? end : null

/**
 * Cuts a page out of a list in memory.
 * @param query from `listQuery`; without a limit the page is everything after the offset
 */
export function listPage<Item>(
  items: readonly Item[],
  { limit, offset }: PageQuery,
  maxOffset?: number,
): { readonly data: readonly Item[]; readonly pagination: Pagination } {
  const total = items.length
  const data = items.slice(offset, offset + limit)
  // At least 1: a client may send the limit back, and 0 is not valid.
  const shown = { limit: limit === wholeListLimit ? Math.max(1, total) : limit, offset }
  return { data, pagination: paginationOf(shown, data.length, total, maxOffset) }
}

/** Returns the response body with a page of rows in memory. */
export function listAnswer<Row>(
  rows: readonly Row[],
  query: PageQuery,
  show: (row: Row) => object,
  envelope: Pick<ListMeta, 'updatedAt' | 'meta'>,
): string {
  const { data, pagination } = listPage(rows, query)
  return listBody(data.map(show), { ...envelope, pagination })
}

/**
 * Returns the same for rows with the time of their last change: the list changed with the newest.
 * @param meta further fields of `meta`; default no filters
 */
export function datedList<Row extends { readonly updatedAt: number }>(
  rows: readonly Row[],
  query: PageQuery,
  show: (row: Row) => object,
  meta: Readonly<Record<string, unknown>> = {},
): string {
  const updatedAt = rows.reduce((newest, row) => Math.max(newest, row.updatedAt), 0)
  return listAnswer(rows, query, show, { updatedAt, meta: { filters: {}, ...meta } })
}
