/** Generates what both clients keep of channels that send a table: the rows' field, their key, and their types. */

import { z } from 'zod'
import { tableChannelNames } from '../../schemas/stream/channels.ts'
import { tables } from '../../schemas/stream/tables.ts'
import { type Json, record, typesOf } from './types-of.ts'

export const heldTables = tableChannelNames.map((channel) => {
  const { list, key, row, schemaName } = tables[channel]
  return { channel, list, key, row, schemaName }
})

/** @returns the source of `TableRows`, the row of each channel, and of `tables` */
export async function tablesSource(): Promise<string> {
  const rows = Object.fromEntries(
    heldTables.map(({ channel, schemaName }) => [channel, { $ref: `#/definitions/${schemaName}` }]),
  )
  const definitions = Object.fromEntries(
    heldTables.map(({ row, schemaName }) => [schemaName, z.toJSONSchema(row) as Json]),
  )
  const banner = '/** Generated from the channels that send a table by `npm run generate`. */'
  const types = await typesOf('TableRows', record(rows), definitions, banner)
  const members = heldTables.map(
    ({ channel, list, key }) =>
      `  ${channel}: { list: '${list}', key: [${key.map((field) => `'${field}'`).join(', ')}] },\n`,
  )
  return `${types}
/** Of each channel, the field that lists rows, and those of a row whose values, joined by \`|\`, are its key. */
export const tables: Readonly<Record<keyof TableRows, { readonly list: string; readonly key: readonly string[] }>> = {
${members.join('')}}
`
}
