/** Generates the TypeScript client's types of GET routes from the OpenAPI document. */

import { type Json, record, typesOf } from './types-of.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
}

interface Operation {
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Json }>> }>
  >
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

/** Tags that are left out: streams have their own client, and the others are the operator's or have no reads. */
const leftOut = new Set(['Streams', 'Admin', 'Ingest', 'Documentation', 'Tools'])

/** @returns the source of `Routes`: path parameters, query and response of each path */
export function routesSource({ paths, components }: OpenApiDocument): Promise<string> {
  const routes = Object.entries(paths).flatMap(([path, { get }]) => {
    const answer = get?.responses[200]?.content?.['application/json']?.schema
    if (!get || !answer || get.tags?.some((tag) => leftOut.has(tag))) return []
    const parameters = (get.parameters ?? []).map((parameter) =>
      '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
    )
    const placed = (place: string) => parametersIn(place, parameters)
    return [[path, record({ path: placed('path'), query: placed('query'), answer })] as const]
  })
  const banner = '/** Generated from the OpenAPI document by `npm run generate`. */'
  return typesOf('Routes', record(Object.fromEntries(routes)), components.schemas, banner)
}

function parametersIn(place: string, parameters: readonly Parameter[]) {
  const own = parameters.filter((parameter) => parameter.in === place)
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, unbounded(schema)])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** Removes bounds of lists, which would become tuples. */
function unbounded({ maxItems: _, minItems: __, ...schema }: Json): Json {
  return schema
}
