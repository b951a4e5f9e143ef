/** Generates TypeScript types from JSON schemas. */

import { compile } from 'json-schema-to-typescript'

export type Json = Readonly<Record<string, unknown>>

/** @param definitions schemas by the names of their types, to which `schema` refers */
export function typesOf(
  name: string,
  schema: Json,
  definitions: Json,
  bannerComment: string,
): Promise<string> {
  const plain = JSON.parse(
    JSON.stringify({ ...schema, definitions }, (keyword, value) =>
      untyped.has(keyword) && typeof value !== 'object' ? undefined : value,
    ).replaceAll('#/components/schemas/', '#/definitions/'),
  )
  return compile(plain, name, {
    bannerComment,
    additionalProperties: false,
    unreachableDefinitions: false,
    style: { singleQuote: true, semi: false, printWidth: 100 },
  })
}

/** Keywords that do not affect types, or would name them. */
const untyped = new Set(['title', 'description', 'format', 'pattern', 'default'])

/** Returns an object whose properties are all there. */
export const record = (properties: Json) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
