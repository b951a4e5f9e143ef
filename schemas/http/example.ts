/**
 * The examples of the documents. A field carries its example value, and the example of a response
 * consists of its fields' examples. So a shape and its example are written once, and cannot differ.
 */

import { z } from 'zod'

const examples = z.registry<{ readonly value: unknown }>()

/** Returns the same schema, with the value that documents show for it; undefined leaves an optional field out. */
export function example<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema> | undefined,
  description?: string,
): Schema {
  const shown = description === undefined ? schema.clone() : schema.describe(description)
  examples.add(shown, { value } as never)
  return shown
}

/**
 * Returns the example of a schema: its own, or that of its parts. Without one, a flag is false, a nullable field is
 * null, and an optional field is left out.
 * @throws Error for a required field that has none
 */
export const exampleOf = <Schema extends z.ZodType>(schema: Schema): z.output<Schema> =>
  find(schema, '') as z.output<Schema>

function find(schema: unknown, at: string): unknown {
  const own = examples.get(schema as z.ZodType)
  if (own) return own.value
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape).map(([name, member]) => [
      name,
      required(member, `${at}.${name}`),
    ])
    return Object.fromEntries(members.filter(([, value]) => value !== undefined))
  }
  if (schema instanceof z.ZodArray) return [required(schema.element, `${at}[]`)]
  if (schema instanceof z.ZodOptional) return examples.get(schema.unwrap() as z.ZodType)?.value
  if (schema instanceof z.ZodNullable) return find(schema.unwrap(), at) ?? null
  if (schema instanceof z.ZodLiteral) return schema.value
  return schema instanceof z.ZodBoolean ? false : undefined
}

function required(schema: unknown, at: string): unknown {
  const value = find(schema, at)
  if (value === undefined && !(schema instanceof z.ZodOptional))
    throw new Error(`${at} has no example`)
  return value
}
