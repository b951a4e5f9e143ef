/** What no route takes: paths there are not, methods that a path does not take, preflights, the roots. */

import { ApiError } from '../errors.ts'
import type { Answer, Route } from '../routes/route.ts'
import { headersOfOne, type Send } from './answer.ts'
import type { CorsPolicy } from './cors.ts'
import type { Handler } from './listener.ts'
import { ssePaths, websocketPaths } from './stream-sockets.ts'

const pathPrefix = '/api/v1'

export const rootPaths = ['/', pathPrefix, `${pathPrefix}/`]

export const anyMethod = 'GET, POST, PATCH, DELETE'

interface Known {
  readonly path: string
  readonly method: Route['method']
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
}

export function createNoRoute(
  routes: readonly Route[],
  { cors, failure, send }: NoRouteOptions,
): NoRoute {
  const streams = [...ssePaths.map(({ path }) => path), ...websocketPaths.slice(1)]
  const known: Known[] = [...routes, ...streams.map((path) => ({ path, method: 'get' as const }))]
  const patterns = known.map((route) => ({ route, parts: route.path.split('/') }))
  const mostParts = Math.max(...patterns.map(({ parts }) => parts.length))

  /** The methods that there are at a path. Anybody may ask for any: a long one is not taken apart to its end. */
  function routesAt(path: string): Known[] {
    const given = path.split('/', mostParts + 1)
    return patterns.filter(({ parts }) => matches(parts, given)).map(({ route }) => route)
  }

  return {
    otherwise(response, request) {
      const path = request.getUrl()
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
        ? new ApiError('validation_error', 'Streams have addresses of their own.', {
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

const matches = (wanted: readonly string[], given: readonly string[]) =>
  wanted.length === given.length &&
  wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))

const methodsOf = (routes: readonly Known[]) =>
  [...new Set(routes.map(({ method }) => method.toUpperCase()))].join(', ')
