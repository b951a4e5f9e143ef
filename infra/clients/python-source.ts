/**
 * Generates what the Python client takes from the service: the columns of its empty data frames, from the OpenAPI
 * document, the attributes of prices, the families of opportunities, the channels of tables, and the parameters of
 * streams that are no filters.
 */

import { attributeNames } from './attributes-source.ts'
import { families } from './families-source.ts'
import { ownParameters } from './filters-source.ts'
import type { OpenApiDocument } from './routes-source.ts'
import { heldTables } from './tables-source.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that only it knows
type Json = any

/**
 * @returns the source of `COLUMNS`, the columns of each path that returns a list with their kinds, of `ATTRIBUTES`,
 * `FAMILIES`, `TABLES` and `OWN_PARAMETERS`
 */
export function pythonSource({ paths, components }: OpenApiDocument): string {
  const { schemas } = components as { schemas: Record<string, Json> }
  const plain = (schema: Json): Json => {
    const name = schema?.$ref?.split('/').at(-1)
    if (name !== undefined) return plain(schemas[name])
    const [part, ...others] = (schema?.anyOf ?? []).filter(({ type }: Json) => type !== 'null')
    return part && others.length === 0 ? plain(part) : schema
  }
  const columnsOf = (schema: Json) =>
    Object.entries<Json>(plain(schema).properties ?? {}).map(
      ([name, member]) => `        "${name}": "${kindOf(plain(member))}",\n`,
    )
  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses[200]?.content?.['application/json']?.schema
    const items = schema && plain(plain(schema).properties?.data)?.items
    const template = path.replace(/\{\w+\}/g, '{}')
    if (!items || !plain(items).properties) return []
    // The type of an item depends on the query, and the schema has both types.
    if (path !== '/odds') return [[template, columnsOf(items)] as const]
    return [
      ['/odds', columnsOf(schemas.OddsItem)] as const,
      ['/odds?group_by=event', columnsOf(schemas.OddsGroup)] as const,
    ]
  })
  const entries = lists.map(([path, columns]) => `    "${path}": {\n${columns.join('')}    },\n`)
  return `"""Generated from the service's description of itself by \`npm run generate\`."""

COLUMNS = {
${entries.join('')}}

# Fields that a row of prices has only while they apply.
ATTRIBUTES = (
${attributeNames.map((name) => `    "${name}",\n`).join('')})

# Families of opportunities by the prefixes of their events.
FAMILIES = {
${families.map(({ family, prefix }) => `    "${prefix}": "${family}",\n`).join('')}}

# Of each channel that sends a table: the field of its rows, and the fields whose values, joined by a bar, are the key.
TABLES = {
${heldTables
  .map(({ channel, list, key }) => {
    const fields = key.map((field) => `"${field}",`).join(' ')
    return `    "${channel}": ("${list}", (${fields})),\n`
  })
  .join('')}}

# Parameters of a stream that the client sets.
OWN_PARAMETERS = (
${ownParameters.map((name) => `    "${name}",\n`).join('')})
`
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'truth',
  integer: 'whole',
  number: 'number',
  array: 'list',
}

function kindOf({ type }: Json): string {
  const [name] = [type].flat().filter((one: string) => one !== 'null')
  return kinds[name] ?? 'object'
}
