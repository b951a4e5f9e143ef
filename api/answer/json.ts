/**
 * Answers in the interface's double form: list members both at the top level and inside `meta`. An
 * answer that is written piece by piece has a head and a tail from here around its data.
 */

import { isoTime } from '../../pipeline/text/iso-time.ts'

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
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** Members of `meta` that are JSON already, each followed by a comma. */
  readonly ready?: string
  /** Further members beside `data`. */
  readonly beside?: Readonly<Record<string, unknown>> | undefined
  /** The same, behind `meta`. */
  readonly last?: Readonly<Record<string, unknown>> | undefined
}

/** What precedes the object of an answer with one. */
export const objectHead = '{"success":true,"data":'

/** What follows the rows of a list whose `listHead` has been written. */
export function listTail({
  pagination,
  updatedAt,
  meta,
  ready = '',
  beside,
  last,
}: ListMeta): string {
  const pages = paginationText(pagination)
  const updated = instantText(updatedAt)
  const counts = `"count":${pagination.count},"total":${pagination.total},`
  return `],${members(beside)}"pagination":${pages},"updated_at":${updated},"meta":{${counts}${ready}${members(meta)}"pagination":${pages},"updated_at":${updated},"updated":${updated}}${last ? `,${JSON.stringify(last).slice(1)}` : '}'}`
}

/** What follows it. @param updatedAt epoch ms; 0 for never */
export function objectTail(updatedAt: number, meta: Readonly<Record<string, unknown>>): string {
  const updated = instantText(updatedAt)
  return `,"updated_at":${updated},"meta":{${members(meta)}"updated_at":${updated},"updated":${updated}}}`
}

/** The members of an object as JSON, each followed by a comma: more of them come behind. */
export function members(of: object | undefined): string {
  if (of === undefined) return ''
  const text = JSON.stringify(of)
  return text === '{}' ? '' : `${text.slice(1, -1)},`
}

// Every page has one, twice: written by hand it costs a tenth of what `JSON.stringify` takes.
function paginationText(of: Pagination): string {
  const { limit, offset, count, total, has_more, next_offset, next_cursor } = of
  // A cursor is base64url: nothing in it needs escaping.
  const cursor =
    next_cursor === undefined
      ? ''
      : `,"next_cursor":${next_cursor === null ? 'null' : `"${next_cursor}"`}`
  return `{"limit":${limit},"offset":${offset},"count":${count},"total":${total},"has_more":${has_more},"next_offset":${next_offset}${cursor}}`
}

export const listHead = `${objectHead}[`

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

const instantText = (at: number) => (at > 0 ? `"${isoTime(at)}"` : 'null')

/** Null for never (0): nothing has been seen yet. */
export const instant = (at: number) => (at > 0 ? isoTime(at) : null)

/** RFC 3339 with microseconds, of epoch µs. */
export function instantOfMicros(at: number): string {
  const ms = Math.floor(at / 1_000)
  return `${isoTime(ms).slice(0, -1)}${String(at - 1_000 * ms).padStart(3, '0')}Z`
}
