/**
 * The one file that knows uWebSockets.js: routing, headers, bodies and their limits, aborted
 * requests, and turning a throw into a row of `errors.ts`. Routes see none of it.
 */

import uws from 'uWebSockets.js'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { bearerToken } from './access/keys.ts'
import { scopeOf } from './access/scope.ts'
import { ApiError, errorBody } from './errors.ts'
import { readParams } from './params.ts'
import type { Answer, RequestContext, Route, Services, TokenRoute } from './route.ts'

export interface Server {
  readonly port: number
  close(): void
}

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly routes: readonly Route[]
  readonly services: Services
  readonly logger: Logger
}

const pathPrefix = '/api/v1'

/** @throws Error when the address is taken */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { host, port, routes, services, logger } = options
  const app = uws.App()

  for (const route of routes) {
    app[route.method](route.path, (response, request) => serve(route, response, request))
    // What GET answers, HEAD answers without the body.
    if (route.method === 'get') {
      app.head(route.path, (response, request) => serve(route, withoutBody(response), request))
    }
  }
  app.any('/*', (response, request) => {
    const path = request.getUrl()
    const others = routes.filter((route) => matches(route.path, path))
    const error =
      others.length > 0
        ? new ApiError('method_not_allowed', `${path} takes ${methodsOf(others)}.`)
        : new ApiError('not_found', `There is no ${path}; routes are below ${pathPrefix}.`)
    const allow = others.length > 0 ? { Allow: methodsOf(others) } : {}
    const answer = { status: error.status, headers: allow, body: errorBody(error) }
    const isHead = request.getMethod() === 'head'
    send(isHead ? withoutBody(response) : response, randomUUID(), answer)
  })

  function serve(route: Route, response: uws.HttpResponse, request: uws.HttpRequest) {
    const requestId = randomUUID()
    try {
      const context = contextOf(route, request)
      switch (route.access) {
        case 'public':
          return send(response, requestId, route.handle(context))
        case 'token':
          route.authorize(bearerToken(context.header('authorization')))
          return serveBody(route, context, response, requestId)
        case 'key': {
          const caller = services.keyring.authenticate({
            apiKeyHeader: context.header('x-api-key'),
            authorizationHeader: context.header('authorization'),
            apiKeyParameter: context.params.text('api_key') ?? null,
          })
          const scope = scopeOf(caller, services.boards)
          if (!services.boards.isReady()) {
            throw new ApiError('service_unavailable', 'The board is still being read; try again.')
          }
          const answer = route.handle({ ...context, caller, scope })
          const headers = {
            ...answer.headers,
            'X-Data-Delay': String(scope.delaySeconds),
            'X-Tier': scope.tier,
          }
          return send(response, requestId, { ...answer, headers })
        }
      }
    } catch (error) {
      send(response, requestId, failure(error, requestId))
    }
  }

  function contextOf(route: Route, request: uws.HttpRequest): RequestContext {
    const names = parameterNames(route.path)
    const path: Record<string, string> = {}
    for (const [i, name] of names.entries()) path[name] = decoded(request.getParameter(i) ?? '')
    // The request is gone once the handler returns: what a route may ask for is read now.
    const headers: Record<string, string> = {}
    for (const name of keptHeaders) headers[name] = request.getHeader(name)
    const params = readParams(request.getQuery() ?? '')
    return { services, path, params, header: (name) => headers[name] ?? '' }
  }

  function serveBody(
    route: TokenRoute,
    context: RequestContext,
    response: uws.HttpResponse,
    requestId: string,
  ) {
    let aborted = false
    let answered = false
    const chunks: Buffer[] = []
    let bytes = 0
    response.onAborted(() => {
      aborted = true
    })
    const reply = (answer: Answer, close = false) => {
      if (aborted || answered) return
      answered = true
      response.cork(() => send(response, requestId, answer, close))
    }
    response.onData((chunk, isLast) => {
      if (answered) return
      bytes += chunk.byteLength
      if (bytes > route.maxBodyBytes) {
        const message = `A body has at most ${route.maxBodyBytes} bytes; send it in parts.`
        // What is still on its way would be read for nothing.
        return reply(failure(new ApiError('payload_too_large', message), requestId), true)
      }
      // The chunk is only valid inside this call.
      chunks.push(Buffer.from(new Uint8Array(chunk)))
      if (!isLast) return
      route.handle(context, Buffer.concat(chunks)).then(
        (answer) => reply(answer),
        (error) => reply(failure(error, requestId)),
      )
    })
  }

  function failure(error: unknown, requestId: string): Answer {
    if (error instanceof ApiError) return { status: error.status, body: errorBody(error) }
    logger.error({ err: error, requestId }, 'request failed')
    const unexpected = new ApiError('internal_error', `Unexpected error; request ${requestId}.`)
    return { status: unexpected.status, body: errorBody(unexpected) }
  }

  // Without the option, a second process on the same port would silently share its connections.
  // The package takes it after the host too, but its types do not say so.
  const listen = app.listen.bind(app) as unknown as (
    host: string,
    port: number,
    options: number,
    opened: (socket: uws.us_listen_socket | false) => void,
  ) => void
  const socket = await new Promise<uws.us_listen_socket>((resolve, reject) => {
    listen(host, port, exclusivePort, (opened) => {
      if (opened) resolve(opened)
      else reject(new Error(`${host}:${port} cannot be listened on; is it taken?`))
    })
  })
  return {
    port: uws.us_socket_local_port(socket),
    close: () => app.close(),
  }
}

const exclusivePort = 1

/** Request headers that routes may read. */
const keptHeaders = ['x-api-key', 'authorization', 'content-type'] as const

const statusTexts: Readonly<Record<number, string>> = {
  200: '200 OK',
  202: '202 Accepted',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  413: '413 Content Too Large',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
}

/** What `send` needs of a response. */
type Sent = Pick<uws.HttpResponse, 'writeStatus' | 'writeHeader' | 'end'>

/** A response that sends its headers alone. */
function withoutBody(response: uws.HttpResponse): uws.HttpResponse {
  const bodiless: Sent = {
    writeStatus: (status) => response.writeStatus(status),
    writeHeader: (name, value) => response.writeHeader(name, value),
    // With the length as an argument, the package waits for the bytes that do not come.
    end: (body) =>
      response.writeHeader('Content-Length', String(byteLength(body))).endWithoutBody(),
  }
  return bodiless as uws.HttpResponse
}

const byteLength = (body: uws.RecognizedString | undefined) =>
  typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0)

function send(response: Sent, requestId: string, answer: Answer, close = false) {
  const { status = 200, headers = {}, body } = answer
  response.writeStatus(statusTexts[status] ?? String(status))
  response.writeHeader('Content-Type', 'application/json; charset=utf-8')
  response.writeHeader('X-Request-Id', requestId)
  for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value)
  const isReady = typeof body === 'string' || body instanceof Uint8Array
  response.end(isReady ? body : JSON.stringify(body), close)
}

const parameterNames = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}

const methodsOf = (routes: readonly Route[]) =>
  [...new Set(routes.map(({ method }) => method.toUpperCase()))].join(', ')

/** A path parameter as sent; one that is not valid percent-encoding names nothing we have. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
