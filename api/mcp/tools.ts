/**
 * The tools. Each is a REST route with some of its parameters, and answers what that route answers to
 * the same question at the same tier. Its schema is made from the route's.
 */

import { createPageBuffer, type PageBuffer } from '../../pipeline/text/page-buffer.ts'
import { createQueryReader, type QueryShape, whole } from '../../schemas/http/query.ts'
import { familyOf } from '../../schemas/opportunity.ts'
import { requireFeature, tierRights, tiers } from '../access/tiers.ts'
import { readQuery } from '../ask/read-query.ts'
import type { JsonSchema } from '../describe/portable-schema.ts'
import { allKinds } from '../opportunities/all-kinds.ts'
import type { Admitted, Answer, KeyAction, ReadRoute, Route } from '../routes/route.ts'
import { inputSchema, queryText } from './tool-input.ts'

/** What `tools/list` says of a tool. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: true }
}

export interface Tool {
  readonly definition: ToolDefinition
  /**
   * The body of the route, as JSON.
   * @throws ApiError for what cannot be asked, or not at the tier; a promise may reject with it
   */
  call(args: Readonly<Record<string, unknown>>, by: Admitted): string | Promise<string>
}

interface ToolRow {
  readonly name: string
  /** Of the route, below the base address. */
  readonly path: string
  readonly description: string
  /** The query parameters of the route that it takes. */
  readonly inputs: readonly string[]
  /** Those that it takes in another form than the route. */
  readonly otherwise?: QueryShape
  /** What it calls the parameter in the path, by the name that the path has for it. */
  readonly inPath?: Readonly<Record<string, string>>
}

const rows: readonly ToolRow[] = [
  {
    name: 'get_sports',
    path: '/sports',
    description: 'Sports with events now, and how many. Their ids are values of `sport`.',
    inputs: ['include_empty'],
  },
  {
    name: 'get_leagues',
    path: '/leagues',
    description: 'Leagues with events now, and how many. Their ids are values of `league`.',
    inputs: ['sport', 'include_empty'],
  },
  {
    name: 'get_sportsbooks',
    path: '/sportsbooks',
    description: 'The sportsbooks of the tier. Their ids are values of `sportsbook`.',
    inputs: ['region', 'sharp'],
  },
  {
    name: 'get_markets',
    path: '/markets',
    description:
      'Market types, such as moneyline, the usual ones first. Their ids are values of `market`. ' +
      '`pagination.total` says how many there are; `next_offset` as `offset` goes on.',
    inputs: ['sport', 'limit', 'offset'],
    // The route lists hundreds at once, more than a model should read.
    otherwise: {
      limit: whole({
        description: 'Items of one answer, at most 200.',
        example: 50,
        min: 1,
        max: 200,
        fallback: 50,
      }),
    },
  },
  {
    name: 'get_events',
    path: '/events',
    description:
      'Games to come and in play, with the sportsbooks and markets there are of each. ' +
      'Their ids are values of `event`.',
    inputs: ['sport', 'league', 'team', 'q', 'date', 'live', 'limit', 'offset'],
  },
  {
    name: 'get_odds',
    path: '/odds',
    description:
      'Latest prices, one row for each sportsbook and selection, in American and decimal odds. ' +
      'More than one page goes on with `next_cursor` of the page before as `cursor`.',
    inputs: ['sport', 'league', 'event', 'sportsbook', 'market', 'live', 'limit', 'cursor'],
  },
  {
    name: 'get_event_odds',
    path: '/events/:eventId/odds',
    description: 'Latest prices of one game, one row for each sportsbook and selection.',
    inputs: ['sportsbook', 'market', 'live', 'limit', 'offset'],
    inPath: { eventId: 'event_id' },
  },
  {
    name: 'get_odds_delta',
    path: '/odds/delta',
    description:
      'Prices that have changed since an instant, and the ids of those that are gone. ' +
      'Call again with `since` = `meta.server_time`. ' +
      'One of `since` and `resume_from` is required.',
    inputs: [
      'since',
      'resume_from',
      'sport',
      'league',
      'event',
      'sportsbook',
      'market',
      'live',
      'limit',
    ],
  },
  {
    name: 'get_best_odds',
    path: '/odds/best',
    description: 'The best price of each selection and the sportsbook that offers it.',
    inputs: ['sport', 'league', 'event', 'market', 'live', 'limit'],
  },
  {
    name: 'compare_odds',
    path: '/odds/comparison',
    description: 'The prices of one game side by side, sportsbook by sportsbook.',
    inputs: ['event', 'market', 'sportsbook'],
  },
  {
    name: 'get_closing_lines',
    path: '/odds/closing',
    description:
      'The last prices of one game before its start, by sportsbook, for 48 hours after the start.',
    inputs: ['event_id', 'sportsbook'],
  },
  ...allKinds.map(({ name, tool }) => ({ path: `/opportunities/${familyOf(name)}`, ...tool })),
  {
    name: 'get_game_state',
    path: '/gamestate/:sport',
    description:
      'Scores, periods and clocks of the games of one sport that are in play, by event id. ' +
      '`stale` says that the score has not been confirmed for ten seconds.',
    inputs: [],
    inPath: { sport: 'sport' },
  },
  {
    name: 'get_futures_odds',
    path: '/futures/odds',
    description:
      'Prices on seasons and tournaments, such as who becomes champion, one row for each sportsbook ' +
      'and selection. One of `future_id` and `league` is required; rows have the ids of markets ' +
      'as `future_market_id`.',
    inputs: ['future_id', 'sport', 'league', 'sportsbook', 'limit'],
  },
  {
    name: 'compare_futures_lines',
    path: '/futures/comparison',
    description: 'The prices of one market on a season or tournament side by side.',
    inputs: ['future_id', 'sportsbook'],
  },
  {
    name: 'get_closing_line_value',
    path: '/historical/clv',
    description:
      'Who beats the close: closes of sportsbooks against that of a sharp book, on average in percent ' +
      'with a 95 percent confidence interval, by sportsbook, sport, league, market or day.',
    inputs: ['from', 'to', 'group_by', 'sport', 'league', 'sportsbook'],
  },
  {
    name: 'get_historical_closing_lines',
    path: '/historical/odds/closing',
    description: 'Every close of one day in one league, by game and sportsbook.',
    inputs: ['date', 'sport', 'league'],
  },
  {
    name: 'get_splits',
    path: '/splits',
    description:
      'Where the public bets: shares of bets and of money on each side, by game and source book. ' +
      '`away_odds` and `home_odds` of the spread are lines.',
    inputs: ['sport', 'league', 'event', 'sportsbook', 'market', 'limit', 'offset'],
  },
  {
    name: 'get_account_info',
    path: '/account',
    description: 'What the API key may do: tier, requests a minute, features, add-ons.',
    inputs: [],
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

function createTool(row: ToolRow, route: ToolRoute, page: PageBuffer): Tool {
  const { name, inputs, otherwise = {}, inPath = {} } = row
  const query = Object.fromEntries(
    inputs.map((input) => {
      const parameter = route.query[input]
      if (!parameter) throw new Error(`${name} has no parameter ${input}`)
      return [input, otherwise[input] ?? parameter]
    }),
  )
  const read = createQueryReader(query, [])
  // A parameter that the tool does not take is absent from the request.
  const rest = readQuery(createQueryReader(route.query, []), route.query, '')
  const requires = route.requires && { ...route.requires, otherwise: 'tier_restricted' as const }

  return {
    definition: {
      name,
      description: row.description + tierNote(route),
      inputSchema: inputSchema(query, inPath, route.pathParameters),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call(args, by) {
      requireFeature({ ...(requires && { requires }) }, by.caller)
      const { path, text } = queryText(args, inPath)
      const asked = { query: { ...rest, ...readQuery(read, query, text) }, path }
      return bodyOf(route, asked, by, page)
    },
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
    page.length = 0
    route.prepare({ ...asked, scope: by.scope }).write(page)
    return page.bytes.toString('utf8', 0, page.length)
  }
  const answer = route.handle({ ...asked, ...by, body: undefined, contentType: '' })
  return answer instanceof Promise ? answer.then(textOf) : textOf(answer)
}

const textOf = ({ body }: Answer): string =>
  typeof body === 'string' ? body : JSON.stringify(body)
