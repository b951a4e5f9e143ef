/**
 * The tools. Each is a REST route with some of its parameters, and answers what that route answers to
 * the same question at the same tier, as far as there is room: a model pays for every byte. Its schema
 * is made from the route's.
 */

import type { z } from 'zod'

import { createPageBuffer, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
import { createQueryReader, offsetUpTo, pageLimit, required } from '../../schemas/http/query.ts'
import { familyOf } from '../../schemas/opportunity.ts'
import { requireFeature, tierRights, tiers } from '../access/tiers.ts'
import { readQuery } from '../ask/read-query.ts'
import type { JsonSchema } from '../describe/portable-schema.ts'
import { allKinds } from '../opportunities/all-kinds.ts'
import type { Admitted, Answer, KeyAction, ReadRoute, Route } from '../route.ts'
import { type AnswerShape, shortAnswer } from './short-answer.ts'
import { inputSchema, notValid, queryText } from './tool-input.ts'

/** What `tools/list` says of a tool. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: true }
}

export interface Tool {
  readonly definition: ToolDefinition
  /** Of the route it stands for. */
  readonly path: string
  /**
   * The body of the route, as JSON and as short as `short-answer.ts` makes it. Rejects with an ApiError
   * for what cannot be asked, or not at the tier.
   */
  call(args: Readonly<Record<string, unknown>>, by: Admitted): Promise<string>
}

interface ToolRow {
  readonly name: string
  /** Of the route, below the base address. */
  readonly path: string
  readonly description: string
  /** The query parameters of the route that it takes. */
  readonly inputs: readonly string[]
  /**
   * Of those, the ones that it has to have where the route takes one of several: models are given
   * schemas whose top level knows no alternatives.
   */
  readonly needs?: readonly string[]
  readonly shape: AnswerShape
  /** What it calls the parameter in the path, by the name that the path has for it. */
  readonly inPath?: Readonly<Record<string, string>>
}

const list = { items: ['data'] } as const
const seen = ['last_seen_at', 'odds_changed_at'] as const

const rows: readonly ToolRow[] = [
  {
    name: 'get_sports',
    path: '/sports',
    description: 'Sports with events now, and how many. Their ids are values of `sport`.',
    inputs: ['include_empty'],
    shape: { ...list, without: ['markets'] },
  },
  {
    name: 'get_leagues',
    path: '/leagues',
    description: 'Leagues with events now, and how many. Their ids are values of `league`.',
    inputs: ['sport', 'include_empty'],
    shape: list,
  },
  {
    name: 'get_sportsbooks',
    path: '/sportsbooks',
    description: 'The sportsbooks of the tier. Their ids are values of `sportsbook`.',
    inputs: ['region', 'sharp'],
    shape: {
      ...list,
      without: ['features', 'short_name', 'active', 'coming_soon', 'unlisted', 'retired'],
    },
  },
  {
    name: 'get_markets',
    path: '/markets',
    description:
      'Market types, such as moneyline, the usual ones first. Their ids are values of `market`. ' +
      '`pagination.total` says how many there are.',
    inputs: ['sport', 'limit', 'offset'],
    shape: { ...list, mostInside: 3 },
  },
  {
    name: 'get_events',
    path: '/events',
    description:
      'Upcoming games and games in play, with the sportsbooks and markets of each. ' +
      'Their ids are values of `event`.',
    inputs: ['sport', 'league', 'team', 'q', 'date', 'live', 'limit', 'offset'],
    shape: { ...list, mostInside: 8 },
  },
  {
    name: 'get_odds',
    path: '/odds',
    description:
      'Latest prices, one row for each sportsbook and selection, in American and decimal odds.',
    inputs: ['sport', 'league', 'event', 'sportsbook', 'market', 'live', 'limit', 'cursor'],
    shape: list,
  },
  {
    name: 'get_event_odds',
    path: '/events/:eventId/odds',
    description: 'Latest prices of one game, one row for each sportsbook and selection.',
    inputs: ['sportsbook', 'market', 'live', 'limit', 'offset'],
    shape: list,
    inPath: { eventId: 'event_id' },
  },
  {
    name: 'get_odds_delta',
    path: '/odds/delta',
    description:
      'Prices that have changed since a time, and the ids of those that are gone. ' +
      'Call again with `since` = `server_time`.',
    inputs: [
      'since',
      'sport',
      'league',
      'event',
      'sportsbook',
      'market',
      'live',
      'limit',
      'offset',
    ],
    needs: ['since'],
    shape: { ...list, whole: ['removed'] },
  },
  {
    name: 'get_best_odds',
    path: '/odds/best',
    description: 'The best price of each selection and the sportsbook that offers it.',
    inputs: ['sport', 'league', 'event', 'market', 'live', 'limit', 'offset'],
    shape: { ...list, without: seen, mostInside: 3 },
  },
  {
    name: 'compare_odds',
    path: '/odds/comparison',
    description: 'The prices of one game side by side, sportsbook by sportsbook.',
    inputs: ['event', 'market', 'sportsbook'],
    shape: { items: ['data', 'markets'], without: [...seen, 'by_book', 'books_available'] },
  },
  {
    name: 'get_closing_lines',
    path: '/odds/closing',
    description:
      'The last prices of one game before its start, by sportsbook, for 48 hours after the start.',
    inputs: ['event_id', 'sportsbook'],
    shape: { items: ['data', 'books'] },
  },
  ...allKinds.map(({ name, tool }) => ({
    path: `/opportunities/${familyOf(name)}`,
    shape: list,
    ...tool,
    inputs: [...tool.inputs, 'offset'],
  })),
  {
    name: 'explain_opportunity',
    path: '/opportunities/:id/explain',
    description:
      'The explanation of one opportunity: its prices with their ages, the stakes, the result by devig ' +
      'method, and what would end it. Figures are fractions.',
    inputs: ['total'],
    shape: { items: ['data', 'devig'], without: ['as_of', 'changed_in_board_at'] },
    inPath: { id: 'opportunity_id' },
  },
  {
    name: 'get_game_state',
    path: '/gamestate/:sport',
    description:
      'Scores, periods and clocks of the games of one sport that are in play, by event id. ' +
      '`stale` says that the score has not been confirmed for ten seconds.',
    inputs: [],
    shape: { items: ['data', '*'] },
    inPath: { sport: 'sport' },
  },
  {
    name: 'get_futures_odds',
    path: '/futures/odds',
    description:
      'Prices on seasons and tournaments, such as who becomes champion, one row for each sportsbook ' +
      'and selection. Rows have the ids of markets as `future_market_id`.',
    inputs: ['league', 'future_id', 'sport', 'sportsbook', 'limit', 'offset'],
    needs: ['league'],
    shape: list,
  },
  {
    name: 'compare_futures_lines',
    path: '/futures/comparison',
    description: 'The prices of one market on a season or tournament side by side.',
    inputs: ['future_id', 'sportsbook'],
    shape: { items: ['data', 'selections'], without: seen },
  },
  {
    name: 'get_closing_line_value',
    path: '/historical/clv',
    description:
      'Closing-line value: closes of sportsbooks compared with a sharp book, as means in percent ' +
      'with a 95 percent confidence interval, by sportsbook, sport, league, market or day.',
    inputs: ['from', 'to', 'group_by', 'sport', 'league', 'sportsbook'],
    shape: { items: ['data', 'groups'] },
  },
  {
    name: 'get_historical_closing_lines',
    path: '/historical/odds/closing',
    description: 'Every close of one day in one league, by game and sportsbook.',
    inputs: ['date', 'sport', 'league'],
    shape: { items: ['data', 'events'] },
  },
  {
    name: 'get_splits',
    path: '/splits',
    description:
      'Where the public bets: shares of bets and of money on each side, by game and source book. ' +
      '`away_odds` and `home_odds` of the spread are lines.',
    inputs: ['sport', 'league', 'event', 'sportsbook', 'market', 'limit', 'offset'],
    shape: list,
  },
  {
    name: 'get_account_info',
    path: '/account',
    description: 'What the API key may do: tier, requests a minute, features, add-ons.',
    inputs: [],
    shape: {},
  },
]

/** @throws Error when a tool names a route or a parameter that is not declared */
export function createTools(routes: readonly Route[]): readonly Tool[] {
  // One buffer for every tool: an answer is read before the next is written.
  const page = createPageBuffer()
  return rows.map((row) => createTool(row, routeOf(row, routes), page))
}

/** What a tool can be: a read, or an action that only looks at the caller. */
type ToolRoute = ReadRoute | KeyAction

function routeOf({ name, path }: ToolRow, routes: readonly Route[]): ToolRoute {
  const route = routes.find((one) => one.method === 'get' && one.path === `/api/v1${path}`)
  if (route?.kind === 'read') return route
  if (route?.access === 'key' && !route.isCounting && !route.body) return route
  throw new Error(`${name} is not GET ${path} of a key`)
}

/** Room for the text of an answer: without a `limit`, and with one. The rest of 8 KB is JSON-RPC's. */
const usualBytes = 7_800
const mostBytes = 32_000

/** Items that are read at first; those that have no room are read again by the next call. */
const usualItems = 25
const mostItems = 200

const itemsOfOneAnswer = pageLimit({
  description: 'Most items.',
  max: mostItems,
  fallback: usualItems,
})

/** Of tools whose routes answer with everything at once. */
const skippedItems = offsetUpTo(1_000_000)

function createTool(row: ToolRow, route: ToolRoute, page: PageBuffer): Tool {
  const { name, inputs, needs = [], shape, inPath = {} } = row
  const isPaged = inputs.includes('limit')
  const isSkipping = !isPaged && shape.items !== undefined
  const query: Record<string, z.ZodType> = {}
  for (const input of inputs) {
    const parameter = route.query[input]
    if (!parameter) throw new Error(`${name} has no parameter ${input}`)
    if (input === 'limit') query[input] = itemsOfOneAnswer
    else query[input] = needs.includes(input) ? required(parameter) : parameter
  }
  if (isSkipping) query.offset = skippedItems
  const read = createQueryReader(query, [])
  // A parameter that the tool does not take is absent from the request.
  const rest = readQuery(createQueryReader(route.query, []), route.query, '')
  const requires = route.requires && { ...route.requires, otherwise: 'tier_restricted' as const }

  return {
    path: route.path,
    definition: {
      name,
      description: row.description + tierNote(route),
      inputSchema: inputSchema(query, inPath),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async call(args, by) {
      requireFeature({ ...(requires && { requires }) }, by.caller)
      const { path, text } = queryText(args, inPath)
      const own: Record<string, unknown> = readQuery(read, query, text)
      const absent = needs.find((need) => own[need] === undefined)
      if (absent !== undefined) throw notValid(absent, 'is required')
      const bytes = 'limit' in args && args.limit !== null ? mostBytes : usualBytes
      const skip = isSkipping ? Number(own.offset) : 0
      const { offset: _, ...ofRoute } = own
      const asked = { ...rest, ...(isSkipping ? ofRoute : own) }
      for (;;) {
        const body = JSON.parse(await bodyOf(route, { query: asked, path }, by, page))
        const answer = shortAnswer(body, shape, { bytes, skip }, (next, left) => {
          if (isPaged) return moreOfPages(body)
          return left > 0 ? { left, offset: next } : null
        })
        if (!isPaged || answer.shown === answer.given) return answer.text
        // The page is asked for again, so that it ends where the next one begins.
        asked.limit = answer.shown
      }
    },
  }
}

/** How a tool with pages goes on; null at the end. */
function moreOfPages({ pagination: { has_more, next_cursor, next_offset } }: Paged): More | null {
  if (!has_more) return null
  if (typeof next_cursor === 'string') return { cursor: next_cursor }
  return next_offset === null
    ? { hint: 'Too many to walk through: filter.' }
    : { offset: next_offset }
}

type More = Record<string, string | number>

interface Paged {
  readonly pagination: {
    readonly has_more: boolean
    readonly next_offset: number | null
    readonly next_cursor?: string | null
  }
}

function tierNote({ requires }: ToolRoute): string {
  if (!requires) return ''
  const lowest = tiers.find((tier) => tierRights[tier].features[requires.feature])
  if (requires.addOn !== undefined) {
    return ` Needs the add-on ${requires.addOn} or the ${lowest} tier.`
  }
  return ` Needs the ${lowest} tier or above.`
}

type Asked = Pick<Parameters<ReadRoute['prepare']>[0], 'query' | 'path'>

function bodyOf(
  route: ToolRoute,
  asked: Asked,
  by: Admitted,
  page: PageBuffer,
): string | Promise<string> {
  if (route.kind === 'read') {
    const prepared = route.prepare({ ...asked, scope: by.scope })
    return by.inPieces(prepared.ahead?.() ?? [].values(), () => {
      page.length = 0
      prepared.write(page)
      return page.bytes.toString('utf8', 0, page.length)
    })
  }
  const answer = route.handle({ ...asked, ...by, body: undefined, contentType: '' })
  return answer instanceof Promise ? answer.then(textOf) : textOf(answer)
}

const textOf = ({ body }: Answer): string =>
  typeof body === 'string' ? body : JSON.stringify(body)
