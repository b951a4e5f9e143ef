/** Answers in the interface's double form: list members both at the top level and inside `meta`. */

import { isoTime } from '../pipeline/views/row-text.ts'

export interface Pagination {
  readonly limit: number
  readonly offset: number
  readonly count: number
  readonly total: number
  readonly has_more: boolean
  readonly next_offset: number | null
  readonly next_cursor?: string | null
}

export interface ListMeta {
  readonly pagination: Pagination
  /** When the data behind the answer last changed (epoch ms); 0 for never. */
  readonly updatedAt: number
  /** Further members of `meta`. */
  readonly meta: Readonly<Record<string, unknown>>
}

/** What follows the rows of a list whose `{"success":true,"data":[` has been written. */
export function listTail({ pagination, updatedAt, meta }: ListMeta): string {
  const updated_at = instant(updatedAt)
  return `],${JSON.stringify({
    pagination,
    updated_at,
    meta: {
      count: pagination.count,
      total: pagination.total,
      ...meta,
      pagination,
      updated_at,
      updated: updated_at,
    },
  }).slice(1)}`
}

export const listHead = '{"success":true,"data":['

export function listBody(data: readonly object[], list: ListMeta): string {
  return `${listHead}${data.map((item) => JSON.stringify(item)).join(',')}${listTail(list)}`
}

/** An answer with one object, `{data, updated_at, meta}`. */
export function objectBody(
  data: object,
  updatedAt: number,
  meta: Readonly<Record<string, unknown>> = {},
): object {
  const updated_at = instant(updatedAt)
  return { success: true, data, updated_at, meta: { ...meta, updated_at, updated: updated_at } }
}

/** Null for never (0): nothing has been seen yet. */
export const instant = (at: number) => (at > 0 ? isoTime(at) : null)
