/**
 * The examples of the documents. A member carries the value that stands for it, and the example of an answer is that of
 * its members: a shape and its example are written once, and cannot differ.
 */

import { z } from 'zod'

const examples = z.registry<{ readonly value: unknown }>()

/** The same schema, with the value that documents show of it; undefined leaves an optional member out. */
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
 * The example of a schema: its own, or that of its parts. Without one, a flag is false, what may be null is null,
 * and an optional member is left out.
 * @throws Error for a member that has to be there and has none
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
