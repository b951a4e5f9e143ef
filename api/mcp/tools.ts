/**
 * Tools for language models. A route declares its tool (`tool`): it takes some of the route's parameters and returns
 * the route's response at the same tier, shortened, because a model pays for every byte. Its schema is derived from
 * the route's.
 */

import type { z } from 'zod'

import { createPageBuffer, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
import { createQueryReader, offsetUpTo, pageLimit, required } from '../../schemas/http/query.ts'
import { requireFeature, tierRights, tiers } from '../access/tiers.ts'
import { takesLinkState, withLinkState } from '../ask/link-state.ts'
import { readQuery } from '../ask/read-query.ts'
import type { JsonSchema } from '../describe/portable-schema.ts'
import { allKinds } from '../opportunities/all-kinds.ts'
import type { Admitted, Answer, KeyAction, ReadRoute, Route, RouteTool } from '../route.ts'
import { shortAnswer } from './short-answer.ts'
import { inputSchema, notValid, queryText } from './tool-input.ts'

/** Definition of a tool for `tools/list`. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: true }
}

export interface Tool {
  readonly definition: ToolDefinition
  /** Path of the tool's route. */
  readonly path: string
  /** Names of its arguments in the path, by the path's own names. */
  readonly inPath: Readonly<Record<string, string>>
  /**
   * Returns the route's body as JSON, shortened by `short-answer.ts`. Rejects with an ApiError for invalid arguments
   * or a missing right.
   */
  call(args: Readonly<Record<string, unknown>>, by: Admitted): Promise<string>
}

/** All tools in the order of `tools/list`. */
const order = [
  'get_sports',
  'get_leagues',
  'get_sportsbooks',
  'get_markets',
  'get_events',
  'get_odds',
  'get_event_odds',
  'get_odds_delta',
  'get_best_odds',
  'compare_odds',
  'get_closing_lines',
  ...allKinds.map(({ tool }) => tool.name),
  'explain_opportunity',
  'get_game_state',
  'get_futures_odds',
  'compare_futures_lines',
  'get_closing_line_value',
  'get_historical_closing_lines',
  'get_splits',
  'get_bet_results',
  'get_account_info',
  'get_profile',
]

/** @throws Error for a route that cannot be a tool, and a tool missing from the order */
export function createTools(routes: readonly Route[]): readonly Tool[] {
  // All tools share one buffer, because a response is read before the next is written.
  const page = createPageBuffer()
  const tools = routes.flatMap((route) =>
    route.tool && !route.isHidden ? [createTool(route.tool, toolRoute(route), page)] : [],
  )
  const names = tools.map(({ definition }) => definition.name)
  const stranger = [...names, ...order].find(
    (name) => !names.includes(name) || !order.includes(name),
  )
  if (stranger !== undefined) throw new Error(`${stranger} is no tool of a route, or has no place`)
  return order.map((name) => tools[names.indexOf(name)]!)
}

/** Routes that can be tools: reads, and GET actions with a key. */
type ToolRoute = ReadRoute | KeyAction

function toolRoute(route: Route): ToolRoute {
  if (route.kind === 'read') return route
  if (route.access === 'key' && !route.isCounting && !route.body && route.method === 'get')
    return route
  throw new Error(`${route.path} is not GET of a key`)
}

/** Most bytes of a response's text, without `limit` and with one. JSON-RPC takes the rest of 8 KB. */
const usualBytes = 7_800
const mostBytes = 32_000

/** Items read at first. Items that do not fit are read again by the next call. */
const usualItems = 25
const mostItems = 200

const itemsOfOneAnswer = pageLimit({
  description: 'Most items.',
  max: mostItems,
  fallback: usualItems,
})

/** Offset for tools whose routes have no pages. */
const skippedItems = offsetUpTo(1_000_000)

function createTool(tool: RouteTool, route: ToolRoute, page: PageBuffer): Tool {
  const { name, inputs, needs = [], said = {}, shape, inPath = {}, continuedBy } = tool
  const isPaged = inputs.includes('limit')
  const isSkipping = !isPaged && shape.items !== undefined
  if ('books' in route.query && !inputs.includes('books')) {
    throw new Error(`${name} does not take the sportsbooks that its route takes`)
  }
  const ways = ['cursor', 'offset', continuedBy].filter((way) => way && inputs.includes(way))
  if (isPaged && ways.length === 0) throw new Error(`${name} has pages, and no input for the next`)
  const query: Record<string, z.ZodType> = {}
  for (const input of inputs) {
    const parameter = route.query[input]
    if (!parameter) throw new Error(`${name} has no parameter ${input}`)
    if (input === 'limit') query[input] = itemsOfOneAnswer
    else query[input] = needs.includes(input) ? required(parameter) : parameter
  }
  if (isSkipping) query.offset = skippedItems
  const read = createQueryReader(query, [])
  // Parameters that the tool does not take keep their defaults.
  const rest = readQuery(createQueryReader(route.query, []), route.query, '')
  const hasLinks = takesLinkState(route.query)
  const requires = route.requires && { ...route.requires, otherwise: 'tier_restricted' as const }

  function ownQuery(args: Readonly<Record<string, unknown>>) {
    const { path, text } = queryText(args, inPath)
    const own: Record<string, unknown> = readQuery(read, query, text)
    return { path, own }
  }

  return {
    path: route.path,
    inPath,
    definition: {
      name,
      description: tool.description + tierNote(route),
      inputSchema: inputSchema(query, inPath, said),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async call(args, by) {
      requireFeature({ ...(requires && { requires }) }, by.caller)
      const { path, own } = by.charged(() => ownQuery(args))
      const absent = needs.find((need) => own[need] === undefined)
      if (absent !== undefined) throw notValid(absent, 'is required')
      const bytes = 'limit' in args && args.limit !== null ? mostBytes : usualBytes
      const skip = isSkipping ? Number(own.offset) : 0
      const { offset: _, ...ofRoute } = own
      const ofTool = { ...rest, ...(isSkipping ? ofRoute : own) }
      const routeQuery = hasLinks ? withLinkState(ofTool, by.profile.state) : ofTool
      for (;;) {
        const input = { query: routeQuery, path, isStep: continuedBy !== undefined }
        const text = await bodyOf(route, input, by, page)
        const answer = by.charged(() => {
          const body = JSON.parse(text)
          return shortAnswer(body, shape, { bytes, skip }, (next, left) => {
            if (isPaged) return moreOfPages(body, inputs, continuedBy)
            return left > 0 ? { left, offset: next } : null
          })
        })
        if (!isPaged || answer.shown === answer.given) return answer.text
        // The page is read again with this limit, so that the next page starts where it ends.
        routeQuery.limit = answer.shown
      }
    },
  }
}

/**
 * Returns the arguments for the next page, by an input that the tool has; null at the end.
 * @param continuedBy the input that takes the response's `server_time`
 */
function moreOfPages(
  { pagination, meta }: Paged,
  inputs: readonly string[],
  continuedBy: string | undefined,
): More | null {
  const { has_more, next_cursor, next_offset } = (pagination ?? meta?.pagination)!
  if (!has_more) return null
  if (continuedBy !== undefined) return { [continuedBy]: meta!.server_time! }
  if (typeof next_cursor === 'string' && inputs.includes('cursor')) return { cursor: next_cursor }
  return typeof next_offset === 'number' && inputs.includes('offset')
    ? { offset: next_offset }
    : { hint: 'Too many to walk through: filter.' }
}

type More = Record<string, string | number>

/** Lists have it beside their data, objects in `meta`. */
interface Paged {
  readonly pagination?: Pagination
  readonly meta?: { readonly pagination?: Pagination; readonly server_time?: string }
}

interface Pagination {
  readonly has_more: boolean
  readonly next_offset: number | null
  readonly next_cursor?: string | null
}

function tierNote({ requires }: ToolRoute): string {
  if (!requires) return ''
  const lowest = tiers.find((tier) => tierRights[tier].features[requires.feature])
  if (requires.addOn !== undefined) {
    return ` Needs the add-on ${requires.addOn} or the ${lowest} tier.`
  }
  return ` Needs the ${lowest} tier or above.`
}

type RouteInput = Pick<Parameters<ReadRoute['prepare']>[0], 'query' | 'path' | 'isStep'>

function bodyOf(
  route: ToolRoute,
  input: RouteInput,
  by: Admitted,
  page: PageBuffer,
): string | Promise<string> {
  if (route.kind === 'read') {
    const { books } = input.query as { readonly books?: readonly string[] }
    const prepared = route.prepare({
      ...input,
      scope: by.scopeAmong(books),
      profile: by.profile,
    })
    return by.inPieces(prepared.ahead?.() ?? [].values(), () => {
      page.length = 0
      prepared.write(page)
      return page.bytes.toString('utf8', 0, page.length)
    })
  }
  const answer = by.charged(() =>
    route.handle({ ...input, ...by, body: undefined, contentType: '' }),
  )
  return answer instanceof Promise ? answer.then(textOf) : textOf(answer)
}

const textOf = ({ body }: Answer): string =>
  typeof body === 'string' ? body : JSON.stringify(body)
