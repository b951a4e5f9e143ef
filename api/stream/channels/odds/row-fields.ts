/** Rows with some of their members alone, for clients that name `fields`. */

import { appendText, type PageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import { oddsDelta } from '../../../../schemas/http/odds.ts'

/** Members of a row, in the order they are told in; `id` is always one, as updates are merged by it. */
export type RowFields = readonly string[]

export const rowFields = (requested: readonly string[]): RowFields =>
  requested.includes('id') ? requested : ['id', ...requested]

const moving: ReadonlySet<string> = new Set(
  // The line tells a client which row it is; it stays as it is.
  Object.keys(oddsDelta.shape).filter((name) => name !== 'id' && name !== 'line'),
)

/** Whether a row that stays can come to have other members than before. */
export const mayMove = (fields: RowFields) => fields.some((name) => moving.has(name))

/** Writes the rows that stand in the page from `from` on, separated by commas, with these members alone. */
export function keepFields(page: PageBuffer, from: number, fields: RowFields) {
  const rows = JSON.parse(`[${page.bytes.toString('utf8', from, page.length)}]`) as Row[]
  page.length = from
  // A list as its second argument tells JSON which members to write, and in which order.
  appendText(page, JSON.stringify(rows, fields as string[]).slice(1, -1))
}

type Row = Readonly<Record<string, unknown>>
