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
  /** Members of `meta` that are JSON already, each followed by a comma. */
  readonly ready?: string
  /** Further members beside `data`. */
  readonly beside?: Readonly<Record<string, unknown>>
}

/** What follows the rows of a list whose `listHead` has been written. */
export function listTail({
  pagination,
  updatedAt,
  meta,
  ready = '',
  beside = {},
}: ListMeta): string {
  const { count, total } = pagination
  const own = JSON.stringify({ count, total, ...meta }).slice(1, -1)
  const pages = JSON.stringify(pagination)
  const updated = JSON.stringify(instant(updatedAt))
  const more = JSON.stringify(beside).slice(1, -1)
  return `],${more}${more && ','}"pagination":${pages},"updated_at":${updated},"meta":{${ready}${own},"pagination":${pages},"updated_at":${updated},"updated":${updated}}}`
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

/** RFC 3339 with microseconds, of epoch µs. */
export function instantOfMicros(at: number): string {
  const ms = Math.floor(at / 1_000)
  return `${isoTime(ms).slice(0, -1)}${String(at - 1_000 * ms).padStart(3, '0')}Z`
}
