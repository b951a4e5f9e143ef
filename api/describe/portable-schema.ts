/**
 * JSON Schema as generators of clients read it. The schemas of zod are correct, and yet the usual
 * generators fail on some of their forms; here each form is said in one that all of them read. No
 * value that was valid before is refused afterwards.
 */

export type JsonSchema = Record<string, unknown>

/** The same schema in its portable form. Examples and defaults inside it are left as they are. */
export function portable(schema: JsonSchema): JsonSchema {
  const said = withoutTwins(withPlainConst(withReadablePattern(withNullAsType(schema))))
  return withPortableParts(said)
}

/** Members whose value is a schema, a list of schemas, or schemas by name. */
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
  // An empty schema is no type to a generator, `true` is any value.
  if (isSchema(result.additionalProperties) && isEmpty(result.additionalProperties)) {
    result.additionalProperties = true
  }
  if (isSchema(result.properties) && isEmpty(result.properties)) delete result.properties
  return result
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: object) => Object.keys(value).length === 0

/** Properties of Unicode are not in the patterns of Python; without the flag `u`, nor in those of JavaScript. */
function withReadablePattern(schema: JsonSchema): JsonSchema {
  if (typeof schema.pattern !== 'string' || !schema.pattern.includes('\\p{')) return schema
  const { pattern: _, ...rest } = schema
  return rest
}

/**
 * `anyOf` of a type and null is one type that may be null. A reference keeps its `anyOf`: nothing
 * may stand beside it. So does an object with members: as a type that may be null it is made into a
 * model that may not. A value that is always null has no type in most languages: it is a text that
 * may be null.
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

/** A constant boolean or number is no type in most languages; the description says the value. */
function withPlainConst(schema: JsonSchema): JsonSchema {
  const { const: value, ...rest } = schema
  if (typeof value === 'string') return { ...rest, type: 'string', enum: [value] }
  if (typeof value !== 'boolean' && typeof value !== 'number') return schema
  const { description } = schema
  const always = `Always ${value}.`
  return { ...rest, description: description === undefined ? always : `${description} ${always}` }
}

/**
 * Members that become one name in generated code, such as `retry_after` and `retryAfter`, would be
 * declared twice. The first is kept and names the others, which say the same.
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

/** Where a member says under which other names its value is sent as well. */
export const twinNames = 'x-also-as'

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
