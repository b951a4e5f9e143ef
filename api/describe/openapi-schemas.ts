/**
 * The schemas of the OpenAPI document: the zod schemas of the routes as JSON Schema. What several
 * answers share is said once, under a name; so is every answer and body, under that of its operation.
 */

import { z } from 'zod'
import { bestItem } from '../../schemas/http/best.ts'
import { errorAnswer, filters, pagination, timestamp } from '../../schemas/http/envelope.ts'
import { eventDetail, eventItem, eventMarket, eventOddsItem } from '../../schemas/http/events.ts'
import { ingestRecord } from '../../schemas/http/ingest.ts'
import { oddsItem } from '../../schemas/http/odds.ts'
import {
  leagueItem,
  marketItem,
  sportItem,
  sportsbookDetail,
  sportsbookItem,
  teamItem,
} from '../../schemas/http/reference.ts'

export type JsonSchema = Record<string, unknown>

/** What answers consist of, by the name it has in the document. */
const shared = {
  Error: errorAnswer,
  Timestamp: timestamp,
  Pagination: pagination,
  Filters: filters,
  OddsItem: oddsItem,
  BestOddsItem: bestItem,
  EventItem: eventItem,
  EventDetail: eventDetail,
  EventMarket: eventMarket,
  EventOddsItem: eventOddsItem,
  Sport: sportItem,
  League: leagueItem,
  Sportsbook: sportsbookItem,
  SportsbookDetail: sportsbookDetail,
  Market: marketItem,
  Team: teamItem,
} as const

export const errorSchema = refTo('schemas', 'Error')
export const recordSchema = refTo('schemas', 'IngestRecord')

export function refTo(kind: string, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

export interface Schemas {
  /** Keeps a schema under a name, unless it has one. @returns a reference to it */
  answer(name: string, schema: z.ZodType): JsonSchema
  body(name: string, schema: z.ZodType): JsonSchema
  /** Everything kept, by name. */
  components(): Record<string, JsonSchema>
}

export function createSchemas(): Schemas {
  // What a body may leave out an answer may have: one schema reads differently in each.
  const answers = createNames(shared)
  const bodies = createNames({ IngestRecord: ingestRecord })
  return {
    answer: answers.add,
    body: bodies.add,
    components: () => ({ ...answers.components('output'), ...bodies.components('input') }),
  }
}

/** The schema of an answer by itself, without references to what others share. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'output',
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema._zod.def, jsonSchema, 'output'),
  })
  return rest
}

function createNames(first: Readonly<Record<string, z.ZodType>>) {
  const names = new Map(Object.entries(first).map(([name, schema]) => [schema, name]))
  return {
    add(name: string, schema: z.ZodType): JsonSchema {
      if (!names.has(schema)) names.set(schema, name)
      return refTo('schemas', names.get(schema)!)
    },
    components(io: 'input' | 'output'): Record<string, JsonSchema> {
      const registry = z.registry<{ id: string }>()
      for (const [schema, id] of names) registry.add(schema, { id })
      const { schemas } = z.toJSONSchema(registry, {
        io,
        uri: (id) => refTo('schemas', id).$ref,
        override: ({ zodSchema, jsonSchema }) => tidy(zodSchema._zod.def, jsonSchema, io),
      })
      const byName = Object.entries(schemas).map(([name, schema]): [string, JsonSchema] => {
        const { $schema: _, $id: __, ...rest } = schema
        return [name, rest]
      })
      return Object.fromEntries(byName)
    },
  }
}

/** Takes out what says nothing, or says more than we promise. */
function tidy(def: object, schema: JsonSchema, io: 'input' | 'output') {
  // Later versions may add members to answers; what a body does not know is refused.
  if (io === 'output' && 'shape' in def && schema.additionalProperties === false) {
    delete schema.additionalProperties
  }
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if ('propertyNames' in schema) delete schema.propertyNames
}
