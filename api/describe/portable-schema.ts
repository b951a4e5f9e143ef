/**
 * Rewrites JSON Schema for client generators. The schemas of zod are correct, but common generators fail on some
 * forms. Each is replaced by a form that all of them read. No value that was valid before becomes invalid.
 */

export type JsonSchema = Record<string, unknown>

/** Returns the schema in its portable form. Examples and defaults inside it are unchanged. */
export function portable(schema: JsonSchema): JsonSchema {
  const said = withoutTwins(withPlainConst(withReadablePattern(withNullAsType(schema))))
  return withPortableParts(said)
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = ['items', 'additionalProperties', 'not'] as const
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const byName = ['properties', '$defs'] as const

function withPortableParts(schema: JsonSchema): JsonSchema {
  const result: JsonSchema = { ...schema }
  for (const name of single) if (isSchema(schema[name])) result[name] = portable(schema[name])
  for (const name of lists) {
    const parts = schema[name]
    if (!Array.isArray(parts)) continue
    result[name] = parts.map((part: JsonSchema) => (isNull(part) ? part : portable(part)))
  }
  for (const name of byName) {
    const parts = schema[name]
    if (!isSchema(parts)) continue
    const entries = Object.entries(parts).map(([key, part]) => [key, portable(part as JsonSchema)])
    result[name] = Object.fromEntries(entries)
  }
  // Generators read an empty schema as no type, but `true` as any value.
  if (isSchema(result.additionalProperties) && isEmpty(result.additionalProperties)) {
    result.additionalProperties = true
  }
  if (isSchema(result.properties) && isEmpty(result.properties)) delete result.properties
  return result
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: object) => Object.keys(value).length === 0

/** Removes patterns with Unicode properties: Python does not have them, nor does JavaScript without the flag `u`. */
function withReadablePattern(schema: JsonSchema): JsonSchema {
  if (typeof schema.pattern !== 'string' || !schema.pattern.includes('\\p{')) return schema
  const { pattern: _, ...rest } = schema
  return rest
}

/**
 * Replaces `anyOf` of a type and null by one nullable type. A reference keeps its `anyOf`, because nothing may stand
 * beside it. So does an object with properties, because generators turn its nullable type into a model that is not
 * nullable. A value that is always null has no type in most languages, so it becomes a nullable text.
 */
function withNullAsType(schema: JsonSchema): JsonSchema {
  if (isNull(schema)) return { ...schema, type: ['string', 'null'] }
  const { anyOf: parts, ...about } = schema
  if (!Array.isArray(parts) || parts.length !== 2) return schema
  const other = parts.find((part: JsonSchema) => !isNull(part)) as JsonSchema | undefined
  if (!parts.some(isNull) || typeof other?.type !== 'string' || isSchema(other.properties)) {
    return schema
  }
  return {
    ...other,
    ...about,
    type: [other.type, 'null'],
    ...(Array.isArray(other.enum) && { enum: [...other.enum, null] }),
  }
}

const isNull = (part: JsonSchema) => part.type === 'null'

/**
 * Replaces a constant boolean or number by its type, because most languages have no such type. The description has
 * the value.
 */
function withPlainConst(schema: JsonSchema): JsonSchema {
  const { const: value, ...rest } = schema
  if (typeof value === 'string') return { ...rest, type: 'string', enum: [value] }
  if (typeof value !== 'boolean' && typeof value !== 'number') return schema
  const { description } = schema
  const always = `Always ${value}.`
  return { ...rest, description: description === undefined ? always : `${description} ${always}` }
}

/**
 * Removes properties that get the same name in generated code, such as `retry_after` and `retryAfter`, because it
 * would be declared twice. The first one stays and lists the others, which have the same value.
 */
function withoutTwins(schema: JsonSchema): JsonSchema {
  if (!isSchema(schema.properties)) return schema
  const kept = new Map<string, string>()
  const twins = new Map<string, string[]>()
  for (const name of Object.keys(schema.properties)) {
    const first = kept.get(camel(name))
    if (first === undefined) kept.set(camel(name), name)
    else twins.set(first, [...(twins.get(first) ?? []), name])
  }
  if (twins.size === 0) return schema
  const properties = [...kept.values()].map((name): [string, unknown] => {
    const others = twins.get(name)
    const member = schema.properties as Record<string, JsonSchema>
    return [name, others ? { ...member[name], [twinNames]: others } : member[name]]
  })
  const required = (schema.required as string[] | undefined)?.filter(
    (name) => ![...twins.values()].flat().includes(name),
  )
  return { ...schema, properties: Object.fromEntries(properties), ...(required && { required }) }
}

/** Keyword that lists the other names under which a property's value is sent. */
export const twinNames = 'x-also-as'

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
