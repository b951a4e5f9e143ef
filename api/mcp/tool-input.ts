/** Inputs of tools: the routes' parameters as JSON Schema, and arguments as a query. */

import { isRequired, type QueryShape } from '../../schemas/http/query.ts'
import type { JsonSchema } from '../describe/portable-schema.ts'
import { ApiError, invalid } from '../errors.ts'

/**
 * Short descriptions of arguments, because each tool repeats them: the tool that has the values, or a few words. A tool
 * may have its own.
 */
const usuallySaid: Readonly<Record<string, string>> = {
  sport: 'get_sports',
  league: 'get_leagues',
  sportsbook: 'get_sportsbooks',
  books: 'Only these; mine',
  market: 'get_markets; main, props',
  event: 'get_events',
  event_id: 'get_events',
  opportunity_id: 'id of a find_ tool.',
  total: 'Total stake, USD; +EV: bankroll.',
  future_id: 'Ids: future_market_id of get_futures_odds.',
  live: 'In play',
  limit: 'Max 200',
  offset: 'From more',
  cursor: 'From more',
  since: 'RFC 3339.',
  resume_from: 'position of the last call.',
  date: 'YYYY-MM-DD.',
  from: 'Day or time, UTC.',
  to: 'Day or time, UTC.',
  team: 'Names.',
  q: 'Words of names.',
  include_empty: 'Also those without events.',
  min_ev: 'Percent.',
  min_profit: 'Percent.',
  max_hold: 'Percent.',
  min_size: 'Points between the lines.',
  sort: 'With - descending.',
}

/**
 * Returns the schema of a tool's arguments.
 * @param inPath names of arguments in the path, by the path's own names
 * @param ownSaid the tool's own short descriptions
 */
export function inputSchema(
  query: QueryShape,
  inPath: Readonly<Record<string, string>>,
  ownSaid: Readonly<Record<string, string>>,
): JsonSchema & { readonly type: 'object' } {
  const said = { ...usuallySaid, ...ownSaid }
  const ofPath = Object.values(inPath).map((name): [string, JsonSchema] => [
    name,
    { type: 'string', minLength: 1, description: said[name] },
  ])
  const ofQuery = Object.entries(query).map(([name, parameter]): [string, JsonSchema] => [
    name,
    propertyOf(said[name], parameter.meta() ?? {}),
  ])
  const required = [
    ...Object.values(inPath),
    ...Object.keys(query).filter((name) => isRequired(query[name]!)),
  ]
  return {
    type: 'object',
    properties: Object.fromEntries([...ofPath, ...ofQuery]),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** For a list, models send either one value or an array. */
function propertyOf(said: string | undefined, meta: Readonly<Record<string, unknown>>): JsonSchema {
  const { type, enum: words, items, minLength, default: usual } = meta
  const about = { description: said ?? meta.description }
  if (type === 'array') return { type: ['string', 'array'], items, ...about }
  return {
    type,
    ...(words !== undefined && { enum: words }),
    ...(minLength !== undefined && { minLength }),
    // A default offset of 0 is left out as obvious.
    ...(usual !== undefined && usual !== 0 && { default: usual }),
    ...about,
  }
}

/** More arguments than any tool takes. Each unknown one costs a search for suggestions. */
const mostArguments = 50

/**
 * Returns arguments as the route's query, and those in the path. Null means absent, because some models send every
 * parameter.
 * @throws ApiError validation_error for too many arguments, one of a wrong type, or a missing path argument
 */
export function queryText(
  args: Readonly<Record<string, unknown>>,
  inPath: Readonly<Record<string, string>>,
): { readonly text: string; readonly path: Readonly<Record<string, string>> } {
  if (Object.keys(args).length > mostArguments) {
    throw new ApiError('validation_error', `A tool takes fewer than ${mostArguments} arguments.`)
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (value !== null) query.set(name, textOf(name, value))
  }
  const path: Record<string, string> = {}
  for (const [parameter, name] of Object.entries(inPath)) {
    const value = query.get(name) ?? ''
    if (value === '') throw notValid(name, 'is required')
    query.delete(name)
    path[parameter] = value
  }
  return { text: query.toString(), path }
}

function textOf(name: string, value: unknown): string {
  const values = Array.isArray(value) ? value : [value]
  if (values.every(isPlain)) return values.join()
  throw notValid(name, 'is a text, a number, true or false, or a list of those')
}

const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

export const notValid = (name: string, problem: string) =>
  invalid([name.slice(0, 60)], `${name.slice(0, 60)} ${problem}.`)
