/** The page of a list that is at hand as a whole. */

import { wholeListLimit } from '../../schemas/http/list-query.ts'
import type { Pagination } from './json.ts'

/** @param asked as `listQuery` reads it; without a limit the page is all there is behind the offset */
export function listPage<Item>(
  items: readonly Item[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly data: readonly Item[]; readonly pagination: Pagination } {
  const total = items.length
  const data = items.slice(offset, offset + limit)
  const count = data.length
  const next = offset + count
  const hasMore = count > 0 && next < total
  return {
    data,
    pagination: {
      limit: limit === wholeListLimit ? total : limit,
      offset,
      count,
      total,
      has_more: hasMore,
      next_offset: hasMore ? next : null,
    },
  }
}
