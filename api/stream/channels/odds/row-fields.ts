/** Reduces rows to the requested `fields`. */

import { appendText, type PageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import { oddsDelta } from '../../../../schemas/http/odds.ts'

/** Fields in the order of a row's text. `id` is always included, because clients merge updates by it. */
export type RowFields = readonly string[]

export const rowFields = (requested: readonly string[]): RowFields =>
  requested.includes('id') ? requested : ['id', ...requested]

const moving: ReadonlySet<string> = new Set(
  // The line is sent with every update but never changes.
  Object.keys(oddsDelta.shape).filter((name) => name !== 'id' && name !== 'line'),
)

/** Returns whether a value of these fields can change while its row stays. */
export const mayMove = (fields: RowFields) => fields.some((name) => moving.has(name))

/** Rewrites the comma-separated rows in the page from `from` on with these fields only. */
export function keepFields(page: PageBuffer, from: number, fields: RowFields) {
  const rows = JSON.parse(`[${page.bytes.toString('utf8', from, page.length)}]`) as Row[]
  page.length = from
  // The list selects the fields and their order.
  appendText(page, JSON.stringify(rows, fields as string[]).slice(1, -1))
}

type Row = Readonly<Record<string, unknown>>
