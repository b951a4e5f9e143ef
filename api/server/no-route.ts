/**
 * Responds to requests without a route: unknown paths and methods, pages with an extra slash, preflights, the roots.
 */

import { ApiError } from '../errors.ts'
import type { Answer, Route } from '../route.ts'
import { headersOfOne, type Send, type SentHeaders } from './answer.ts'
import type { CorsPolicy } from './cors.ts'
import type { Handler, Request, Response } from './listener.ts'
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
  /** Responds on a WebSocket path without an upgrade. */
  readonly websocket: Handler
  /** Responds on a root: stream requests get the paths of streams. @param page for other requests; absent for none */
  readonly root: (page?: Handler) => Handler
}

export interface NoRouteOptions {
  readonly cors: CorsPolicy
  readonly failure: (error: unknown, headers: SentHeaders) => Answer
  readonly send: Send
  /** Fills the headers of a request that has a valid key, and counts one that is refused. */
  readonly recognise: (response: Response, request: Request, headers: SentHeaders) => void
  /** Paths served besides the routes. */
  readonly files: readonly string[]
  /** Responds to a browser that opens an unknown path; absent without pages. */
  readonly unknownPage?: Handler | undefined
}

export function createNoRoute(
  routes: readonly Route[],
  { cors, failure, send, recognise, files, unknownPage }: NoRouteOptions,
): NoRoute {
  const streams = [...ssePaths.map(({ path }) => path), ...websocketPaths.slice(1)]
  // HEAD works wherever GET does, except for streams.
  const heads = routes.flatMap((route): Known[] =>
    route.method === 'get' ? [route, { ...route, method: 'head' }] : [route],
  )
  const known = [...heads, ...streams.map((path): Known => ({ path, method: 'get' }))]
  const patterns = known.map((route) => ({ route, parts: route.path.split('/') }))
  const pages = [...files, ...routes.filter((route) => route.isPage).map(({ path }) => path)]
  const pageParts = pages.map((path) => path.split('/'))
  const mostParts = Math.max(...[...patterns.map(({ parts }) => parts), ...pageParts].map(lengthOf))

  /** Returns the routes of a path. Clients may send any path, so a long one is not split to its end. */
  function routesAt(path: string): Known[] {
    const segments = path.split('/', mostParts + 1)
    return patterns.filter(({ parts }) => matches(parts, segments)).map(({ route }) => route)
  }

  /** Returns the headers of an error. @param lines those of `cors.ts` */
  function headersTo(response: Response, request: Request, lines: string): SentHeaders {
    const headers = headersOfOne(lines)
    recognise(response, request, headers)
    return headers
  }

  /** Returns the address of a page requested with an extra slash; null for none. */
  function pageWithoutSlash(path: string, request: Request): string | null {
    if (!path.endsWith('/') || !['get', 'head'].includes(request.getMethod())) return null
    const page = path.slice(0, -1)
    const segments = page.split('/', mostParts + 1)
    if (!pageParts.some((parts) => matches(parts, segments))) return null
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
      if (unknownPage && there.length === 0 && isOpenedByBrowser(path, request)) {
        unknownPage(response, request)
        return
      }
      const forPages = there.filter(isForPages)
      const isOperators = there.length > 0 && forPages.length === 0
      const headers = headersTo(response, request, isOperators ? '' : cors.lines(request))
      const methods = methodsOf(there)
      const isPreflight = request.getHeader('access-control-request-method') !== ''
      // Web pages may also read that a path is unknown.
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
          ? new ApiError('method_not_allowed', `${path} allows ${methods}.`)
          : new ApiError(
              'not_found',
              `Unknown path ${path}; see ${pathPrefix}/openapi.json for the routes.`,
            )
      const allow = there.length > 0 ? { Allow: methods } : {}
      send(response, { ...failure(error, headers), headers: allow }, headers)
    },

    websocket(response, request) {
      const headers = headersTo(response, request, cors.lines(request))
      const message = 'This path is for WebSockets: send an upgrade request.'
      send(response, failure(new ApiError('validation_error', message), headers), headers)
    },

    root: (page) => (response, request) => {
      const parameters = new URLSearchParams(request.getQuery() ?? '')
      const isUpgrade = request.getHeader('upgrade').toLowerCase() === 'websocket'
      const isStream = isUpgrade || parameters.has('channel') || parameters.has('channels')
      if (page && !isStream) return page(response, request)
      const error = isStream
        ? new ApiError('validation_error', 'Streams have other paths: see stream_endpoints.', {
            stream_endpoints: { sse: `${pathPrefix}/stream`, websocket: '/ws' },
          })
        : new ApiError('not_found', `Nothing here; ${pathPrefix}/openapi.json lists the routes.`)
      const headers = headersTo(response, request, cors.lines(request))
      send(response, failure(error, headers), headers)
    },
  }
}

/** Returns whether web pages may use a route: all but the operator's. */
export const isForPages = ({ access }: Pick<Known, 'access'>) =>
  access !== 'admin' && access !== 'ingest'

/** Returns whether a person opened the path in a browser, where JSON errors are useless. */
const isOpenedByBrowser = (path: string, request: Request) =>
  request.getMethod() === 'get' &&
  request.getHeader('accept').includes('text/html') &&
  !/^\/(api|assets)(\/|$)/.test(path)

/** A base for parsing paths. */
const ownAddress = 'http://localhost'

const lengthOf = ({ length }: readonly string[]) => length

const matches = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))

const methodsOf = (routes: readonly Known[]) =>
  [...new Set(routes.map(({ method }) => method.toUpperCase()))].join(', ')
