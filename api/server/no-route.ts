/** What no route takes: paths there are not, pages with a slash too many, methods that a path does not take, preflights, the roots. */

import { ApiError } from '../errors.ts'
import type { Answer, Route } from '../route.ts'
import { headersOfOne, type Send } from './answer.ts'
import type { CorsPolicy } from './cors.ts'
import type { Handler, Request } from './listener.ts'
import { ssePaths, websocketPaths } from './stream-sockets.ts'

const pathPrefix = '/api/v1'

export const rootPaths = ['/', pathPrefix, `${pathPrefix}/`]

export const anyMethod = 'GET, HEAD, POST, PATCH, DELETE'

interface Known {
  readonly path: string
  readonly method: Route['method'] | 'head'
  readonly access?: Route['access']
}

export interface NoRoute {
  readonly otherwise: Handler
  /** A path of WebSockets, asked without an upgrade. */
  readonly websocket: Handler
  /**
   * Whoever looks for a stream at a root is told where streams are.
   * @param page what others get there; absent for none
   */
  readonly root: (page?: Handler) => Handler
}

export interface NoRouteOptions {
  readonly cors: CorsPolicy
  readonly failure: (error: unknown, requestId: string) => Answer
  readonly send: Send
  /** Paths of what is served beside the routes. */
  readonly files: readonly string[]
}

export function createNoRoute(
  routes: readonly Route[],
  { cors, failure, send, files }: NoRouteOptions,
): NoRoute {
  const streams = [...ssePaths.map(({ path }) => path), ...websocketPaths.slice(1)]
  // What GET answers, HEAD answers; of a stream there is no head without it.
  const heads = routes.flatMap((route): Known[] =>
    route.method === 'get' ? [route, { ...route, method: 'head' }] : [route],
  )
  const known = [...heads, ...streams.map((path): Known => ({ path, method: 'get' }))]
  const patterns = known.map((route) => ({ route, parts: route.path.split('/') }))
  const pages = [...files, ...routes.filter((route) => route.isPage).map(({ path }) => path)]
  const pageParts = pages.map((path) => path.split('/'))
  const mostParts = Math.max(...[...patterns.map(({ parts }) => parts), ...pageParts].map(lengthOf))

  /** The methods that there are at a path. Anybody may ask for any: a long one is not taken apart to its end. */
  function routesAt(path: string): Known[] {
    const given = path.split('/', mostParts + 1)
    return patterns.filter(({ parts }) => matches(parts, given)).map(({ route }) => route)
  }

  /** Where a page is that was asked for with a slash too many; null for none. */
  function pageWithoutSlash(path: string, request: Request): string | null {
    if (!path.endsWith('/') || !['get', 'head'].includes(request.getMethod())) return null
    const page = path.slice(0, -1)
    const given = page.split('/', mostParts + 1)
    if (!pageParts.some((parts) => matches(parts, given))) return null
    const query = request.getQuery()
    const { pathname, search } = new URL(query ? `${page}?${query}` : page, ownAddress)
    return pathname + search
  }

  return {
    otherwise(response, request) {
      const path = request.getUrl()
      const page = pageWithoutSlash(path, request)
      if (page !== null) {
        const headers = headersOfOne(cors.lines(request))
        send(response, { status: 308, headers: { Location: page } }, headers)
        return
      }
      const there = routesAt(path)
      const forPages = there.filter(isForPages)
      const isOperators = there.length > 0 && forPages.length === 0
      const headers = headersOfOne(isOperators ? '' : cors.lines(request))
      const methods = methodsOf(there)
      const isPreflight = request.getHeader('access-control-request-method') !== ''
      // A page may read as well that there is no such path.
      if (request.getMethod() === 'options' && (there.length > 0 || isPreflight)) {
        const preflight = isOperators
          ? {}
          : cors.preflight(request, methodsOf(forPages) || anyMethod)
        send(
          response,
          { status: 204, headers: { Allow: methods || anyMethod, ...preflight } },
          headers,
        )
        return
      }
      const error =
        there.length > 0
          ? new ApiError('method_not_allowed', `${path} takes ${methods}.`)
          : new ApiError(
              'not_found',
              `There is no ${path}; ${pathPrefix}/openapi.json has the routes.`,
            )
      const allow = there.length > 0 ? { Allow: methods } : {}
      send(response, { ...failure(error, headers.requestId), headers: allow }, headers)
    },

    websocket(response, request) {
      const headers = headersOfOne(cors.lines(request))
      const message = 'A WebSocket begins here, by an upgrade to it.'
      send(response, failure(new ApiError('validation_error', message), headers.requestId), headers)
    },

    root: (page) => (response, request) => {
      const asked = new URLSearchParams(request.getQuery() ?? '')
      const isUpgrade = request.getHeader('upgrade').toLowerCase() === 'websocket'
      const isStream = isUpgrade || asked.has('channel') || asked.has('channels')
      if (page && !isStream) return page(response, request)
      const error = isStream
        ? new ApiError('validation_error', 'Streams have their own paths.', {
            stream_endpoints: { sse: `${pathPrefix}/stream`, websocket: '/ws' },
          })
        : new ApiError('not_found', `${pathPrefix}/openapi.json has the routes.`)
      const headers = headersOfOne(cors.lines(request))
      send(response, failure(error, headers.requestId), headers)
    },
  }
}

/** The operator's routes are for programs alone. */
export const isForPages = ({ access }: Pick<Known, 'access'>) =>
  access !== 'admin' && access !== 'ingest'

/** Any of ours: a path is read as one of it. */
const ownAddress = 'http://localhost'

const lengthOf = ({ length }: readonly string[]) => length

const matches = (wanted: readonly string[], given: readonly string[]) =>
  wanted.length === given.length &&
  wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))

const methodsOf = (routes: readonly Known[]) =>
  [...new Set(routes.map(({ method }) => method.toUpperCase()))].join(', ')
