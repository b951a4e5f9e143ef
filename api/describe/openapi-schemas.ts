/**
 * Schemas of the OpenAPI document: the routes' zod schemas as JSON Schema. Schemas that several responses share are
 * defined once under a name. So is each response and body, under the name of its operation.
 */

import { z } from 'zod'
import { ruleTypes } from '../../schemas/alert.ts'
import { adminAccount, keyItem, oldKey, usageOfDay } from '../../schemas/http/account.ts'
import { alertCreation, alertItem } from '../../schemas/http/alerts.ts'
import { aliasItem } from '../../schemas/http/aliases.ts'
import { batchEvent } from '../../schemas/http/batch.ts'
import { bestItem } from '../../schemas/http/best.ts'
import { betItem } from '../../schemas/http/bets/bet.ts'
import { betClvGroup, betClvItem, betMean } from '../../schemas/http/bets/closing-values.ts'
import { betResultGroup, betResultItem } from '../../schemas/http/bets/results.ts'
import { betStatement } from '../../schemas/http/bets/statements.ts'
import { closingLine, closingSnapshot } from '../../schemas/http/closing.ts'
import { comparedMarket, comparison } from '../../schemas/http/comparison.ts'
import {
  errorAnswer,
  filters,
  listMeta,
  objectMeta,
  pagination,
  updatedAt,
  walkPagination,
} from '../../schemas/http/envelope.ts'
import { eventDetail, eventItem, eventMarket, eventOddsItem } from '../../schemas/http/events.ts'
import { futureComparison, futureItem, futureOddsItem } from '../../schemas/http/futures.ts'
import { gameState } from '../../schemas/http/game-states.ts'
import { closingDay, clv, clvGroup } from '../../schemas/http/historical.ts'
import { eventHistoryItem, movementItem, priceChange } from '../../schemas/http/history.ts'
import {
  ingestEvent,
  ingestFuture,
  ingestFutureSelection,
  ingestMarket,
  ingestRecord,
  ingestSelection,
  ingestSplits,
  statedMoneyline,
  sideShares as statedSideShares,
  statedSpread,
  statedTotal,
  totalShares as statedTotalShares,
} from '../../schemas/http/ingest.ts'
import { mcpMessage, mcpResponse } from '../../schemas/http/mcp.ts'
import {
  deltaPagination,
  emptyPage,
  oddsGroup,
  oddsItem,
  oddsListItem,
  oddsSomeFields,
} from '../../schemas/http/odds.ts'
import { opportunityContracts } from '../../schemas/http/opportunities/contracts.ts'
import {
  leagueItem,
  marketItem,
  sportItem,
  sportsbookDetail,
  sportsbookItem,
  teamItem,
} from '../../schemas/http/reference.ts'
import { sourceItem } from '../../schemas/http/sources.ts'
import {
  moneylineSplits,
  sideShares,
  splitsEntry,
  splitsItem,
  totalShares,
  totalSplits,
} from '../../schemas/http/splits.ts'
import { toolPrice } from '../../schemas/http/tools.ts'
import { eventStream } from '../../schemas/stream/message.ts'
import { type JsonSchema, portable } from './portable-schema.ts'

/** Shared parts of responses, by their names in the document and in generated clients. */
const sharedInAnswers: Readonly<Record<string, z.ZodType>> = {
  ErrorAnswer: errorAnswer,
  Pagination: pagination,
  WalkPagination: walkPagination,
  DeltaPagination: deltaPagination,
  EmptyPage: emptyPage,
  UpdatedAt: updatedAt,
  ObjectMeta: objectMeta,
  ListMeta: listMeta,
  Filters: filters,
  OddsItem: oddsItem,
  OddsGroup: oddsGroup,
  OddsListItem: oddsListItem,
  OddsSomeFields: oddsSomeFields,
  BestOddsItem: bestItem,
  Comparison: comparison,
  ComparedMarket: comparedMarket,
  ClosingSnapshot: closingSnapshot,
  ClosingLine: closingLine,
  BatchEvent: batchEvent,
  EventItem: eventItem,
  EventDetail: eventDetail,
  EventMarket: eventMarket,
  EventOddsItem: eventOddsItem,
  GameState: gameState,
  PriceChange: priceChange,
  EventHistoryItem: eventHistoryItem,
  Movement: movementItem,
  ...Object.fromEntries(
    Object.values(opportunityContracts).map(({ schemaName, item }) => [schemaName, item]),
  ),
  Future: futureItem,
  FutureOddsItem: futureOddsItem,
  FutureComparison: futureComparison,
  Clv: clv,
  ClvGroup: clvGroup,
  ClosingDay: closingDay,
  Splits: splitsItem,
  SplitsEntry: splitsEntry,
  MoneylineSplits: moneylineSplits,
  TotalSplits: totalSplits,
  SideShares: sideShares,
  TotalShares: totalShares,
  Sport: sportItem,
  League: leagueItem,
  Sportsbook: sportsbookItem,
  SportsbookDetail: sportsbookDetail,
  Market: marketItem,
  Team: teamItem,
  Alert: alertItem,
  ApiKey: keyItem,
  OldKey: oldKey,
  Bet: betItem,
  BetClv: betClvItem,
  BetMean: betMean,
  BetClvGroup: betClvGroup,
  BetResult: betResultItem,
  BetResultGroup: betResultGroup,
  AdminAccount: adminAccount,
  UsageOfDay: usageOfDay,
  Alias: aliasItem,
  Source: sourceItem,
  McpResponse: mcpResponse,
  EventStream: eventStream,
}

/** Shared parts of request bodies, by the same kinds of names. */
const sharedInBodies: Readonly<Record<string, z.ZodType>> = {
  IngestRecord: ingestRecord,
  ...Object.fromEntries(
    ingestRecord.options.map((record) => [recordName(record.shape.type.value), record]),
  ),
  IngestEvent: ingestEvent,
  IngestMarket: ingestMarket,
  IngestSelection: ingestSelection,
  IngestFuture: ingestFuture,
  IngestFutureSelection: ingestFutureSelection,
  IngestSplits: ingestSplits,
  IngestMoneylineSplits: statedMoneyline,
  IngestSpreadSplits: statedSpread,
  IngestTotalSplits: statedTotal,
  IngestSideShares: statedSideShares,
  IngestTotalShares: statedTotalShares,
  BetStatement: betStatement,
  // Generators of Python name the objects inside a variant twice, unless the variant has a name.
  ...Object.fromEntries(
    alertCreation.options.map((variant, i) => [`New${words(ruleTypes[i]!)}Alert`, variant]),
  ),
  StatedPrice: toolPrice,
  McpMessage: mcpMessage,
}

/** Returns the schema name of a record type: `IngestGameStateRecord` of `game_state`. */
function recordName(type: string): string {
  return `Ingest${words(type)}Record`
}

/** Returns `GameState` for `game_state`. */
function words(name: string): string {
  return name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

export const errorSchema = refTo('schemas', 'ErrorAnswer')
export const recordSchema = refTo('schemas', 'IngestRecord')

export function refTo(kind: string, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` }
}

export interface Schemas {
  /** Registers a schema under a name, unless it has one already. @returns a reference to it */
  answer(name: string, schema: z.ZodType): JsonSchema
  body(name: string, schema: z.ZodType): JsonSchema
  /** Returns all registered schemas by name. */
  components(): Record<string, JsonSchema>
}

export function createSchemas(): Schemas {
  // Fields with defaults are optional in bodies but always present in responses, so one schema has two forms.
  const answers = createNames(sharedInAnswers)
  const bodies = createNames(sharedInBodies)
  return {
    answer: answers.add,
    body: bodies.add,
    components: () => ({ ...answers.components('output'), ...bodies.components('input') }),
  }
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
        return [name, portable(rest)]
      })
      return Object.fromEntries(byName)
    },
  }
}

/** Removes keywords that are redundant or promise too much. */
function tidy(def: object, schema: JsonSchema, io: 'input' | 'output') {
  // Later versions may add fields to responses. Unknown fields of a body are refused.
  if (io === 'output' && 'shape' in def && schema.additionalProperties === false) {
    delete schema.additionalProperties
  }
  // The format implies the pattern, and some generators forget the import that a pattern needs.
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if ('propertyNames' in schema) delete schema.propertyNames
  // The Go generator writes an object's default as text that does not compile.
  if (typeof schema.default === 'object' && schema.default !== null) delete schema.default
}
