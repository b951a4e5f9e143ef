/**
 * Response JSON in the interface's double form: list fields stand both at the top level and inside `meta`.
 * Responses written piece by piece take their head and tail from here.
 */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import { appendBytes, appendText, type PageBuffer } from '../../pipeline/text/page-buffer.ts'

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
  /** When the response's data last changed (epoch ms); 0 for never. */
  readonly updatedAt: number
  /** Additional fields of `meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** Fields of `meta` as JSON text, each followed by a comma. */
  readonly ready?: string
  /** Additional fields beside `data`. */
  readonly beside?: Readonly<Record<string, unknown>> | undefined
  /** Additional fields after `meta`. */
  readonly last?: Readonly<Record<string, unknown>> | undefined
}

/** Text before the object of a single-object response. */
export const objectHead = '{"success":true,"data":'

/** Returns the text after the rows of a list that began with `listHead`. */
export function listTail(list: ListMeta): string {
  const [before, between, after] = tailPieces(list)
  const updated = instantText(list.updatedAt)
  return `${before}${updated}${between}${updated},"updated":${updated}${after}`
}

export type KeptTail = (page: PageBuffer, updatedAt: number) => void

/** Returns a function that appends the same text for lists that differ in `updatedAt` alone. */
export function keepTail(list: ListMeta): KeptTail {
  const [before, between, after] = tailPieces(list)
  const bytes = { before: Buffer.from(before), between: Buffer.from(between) }
  return (page, updatedAt) => {
    const updated = instantText(updatedAt)
    appendBytes(page, bytes.before)
    appendText(page, updated)
    appendBytes(page, bytes.between)
    appendText(page, `${updated},"updated":${updated}${after}`)
  }
}

/** Returns the text before, between and after the times of `updatedAt`. */
function tailPieces({
  pagination,
  meta,
  ready = '',
  beside,
  last,
}: ListMeta): readonly [string, string, string] {
  const pages = paginationText(pagination)
  const counts = `"count":${pagination.count},"total":${pagination.total},`
  return [
    `],${members(beside)}"pagination":${pages},"updated_at":`,
    `,"meta":{${counts}${ready}${members(meta)}"pagination":${pages},"updated_at":`,
    `}${last ? `,${JSON.stringify(last).slice(1)}` : '}'}`,
  ]
}

/** Returns the text after the object. @param updatedAt epoch ms; 0 for never */
export function objectTail(updatedAt: number, meta: Readonly<Record<string, unknown>>): string {
  const updated = instantText(updatedAt)
  return `,"updated_at":${updated},"meta":{${members(meta)}"updated_at":${updated},"updated":${updated}}}`
}

/** Returns an object's fields as JSON, each followed by a comma because others follow. */
export function members(object: object | undefined): string {
  if (object === undefined) return ''
  const text = JSON.stringify(object)
  return text === '{}' ? '' : `${text.slice(1, -1)},`
}

// Each page has two. Writing them by hand takes a tenth of the time of `JSON.stringify`.
function paginationText(pagination: Pagination): string {
  const { limit, offset, count, total, has_more, next_offset, next_cursor } = pagination
  // A cursor is base64url, so nothing needs escaping.
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

/** Returns a single-object response, `{data, updated_at, meta}`. */
export function objectBody(
  data: object,
  updatedAt: number,
  meta: Readonly<Record<string, unknown>> = {},
): object {
  const updated_at = instant(updatedAt)
  return { success: true, data, updated_at, meta: { ...meta, updated_at, updated: updated_at } }
}

const instantText = (at: number) => (at > 0 ? `"${isoTime(at)}"` : 'null')

/** Returns an ISO time, or null for 0 (never). */
export const instant = (at: number) => (at > 0 ? isoTime(at) : null)

/** Formats epoch µs as RFC 3339 with microseconds. */
export function instantOfMicros(at: number): string {
  const ms = Math.floor(at / 1_000)
  return `${isoTime(ms).slice(0, -1)}${String(at - 1_000 * ms).padStart(3, '0')}Z`
}
