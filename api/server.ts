/**
 * The one file that knows uWebSockets.js: routing, keys and limits in their order, headers, bodies
 * and their limits, aborted requests, and turning a throw into a row of `errors.ts`. Routes see none
 * of it.
 */

import uws from 'uWebSockets.js'
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../pipeline/config.ts'
import { createQueryReader } from '../schemas/http/query.ts'
import type { Tier } from '../schemas/reference/tier-books.ts'
import { type SseChannel, sseChannelNames } from '../schemas/stream/channels.ts'
import { sseQuery } from '../schemas/stream/parameters.ts'
import { bearerToken, type Caller, isToken, type Keyring } from './access/keys.ts'
import {
  type AddressLimiter,
  type Allowance,
  createAddressLimiter,
  remainingRequests,
  takeRequest,
} from './access/limits.ts'
import { publicRequestsPerMinute, requireFeature } from './access/tiers.ts'
import type { UsageCounter } from './access/usage.ts'
import type { Boards } from './boards.ts'
import { ApiError, errorBody, retryAfter } from './errors.ts'
import { listenFailure } from './listen-failure.ts'
import { readQuery } from './read-query.ts'
import { createReads, type ReadStore } from './reads.ts'
import type { ActionRoute, Answer, ReadRoute, Route } from './route.ts'
import type { Connection } from './stream/fanout.ts'
import { sseComment, sseHead } from './stream/sse.ts'
import type { SseSession } from './stream/sse-session.ts'
import type { Streams } from './stream/streams.ts'
import type { WebsocketSession } from './stream/websocket-session.ts'

export interface Server {
  readonly port: number
  /** Tells streams that the service stops, and closes once they have been told. */
  close(): Promise<void>
}

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly routes: readonly Route[]
  readonly boards: Boards
  readonly keyring: Keyring
  readonly usage: UsageCounter
  readonly streams: Streams
  /** Bearer tokens; null closes the routes of that access. */
  readonly tokens: { readonly admin: string | null; readonly ingest: string | null }
  readonly clock: () => number
  readonly logger: Logger
  /** Memory for kept bodies. */
  readonly bodyBytes?: number
  /** A body that takes longer is cut off. */
  readonly bodyTimeoutMs?: number
}

const pathPrefix = '/api/v1'
const defaultBodyBytes = 64 * 1024 * 1024

const defaultBodyTimeoutMs = 30_000

/** @throws StartError when the address cannot be listened on */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { host, port, routes, boards, keyring, usage, streams, tokens, clock, logger } = options
  const { bodyTimeoutMs = defaultBodyTimeoutMs } = options
  const app = uws.App()
  const { scopes } = streams
  const reads = createReads({ bodyBytes: options.bodyBytes ?? defaultBodyBytes })
  const addresses = createAddressLimiter(publicRequestsPerMinute)

  for (const route of routes) {
    const served = route.kind === 'read' ? serveRead(route) : serveAction(route)
    app[methodNames[route.method]](route.path, served)
    // What GET answers, HEAD answers without the body.
    if (route.method === 'get') {
      app.head(route.path, (response, request) => served(withoutBody(response), request))
    }
  }
  for (const { path, channel } of ssePaths) app.get(path, serveSse(path, channel))
  for (const path of websocketPaths) app.ws<Upgraded>(path, websocketBehavior())
  for (const path of rootPaths) app.get(path, serveRoot)
  const allRoutes = [
    ...routes,
    ...[...ssePaths.map(({ path }) => path), ...websocketPaths.slice(1)].map((path) => ({
      path,
      method: 'get' as const,
    })),
  ]
  app.any('/*', (response, request) => {
    const path = request.getUrl()
    const others = allRoutes.filter((route) => matches(route.path, path))
    const error =
      others.length > 0
        ? new ApiError('method_not_allowed', `${path} takes ${methodsOf(others)}.`)
        : new ApiError(
            'not_found',
            `There is no ${path}; ${pathPrefix}/openapi.json has the routes.`,
          )
    const headers = others.length > 0 ? { Allow: methodsOf(others) } : {}
    const isHead = request.getMethod() === 'head'
    const sent = isHead ? withoutBody(response) : response
    send(sent, { ...failure(error, ''), headers }, { requestId: nextRequestId() })
  })

  /** Streams do not live here, whatever their address looks like from afar. */
  function serveRoot(response: uws.HttpResponse, request: uws.HttpRequest) {
    const asked = new URLSearchParams(request.getQuery() ?? '')
    const isUpgrade = request.getHeader('upgrade').toLowerCase() === 'websocket'
    const isStream = isUpgrade || asked.has('channel') || asked.has('channels')
    const error = isStream
      ? new ApiError('validation_error', 'Streams have addresses of their own.', {
          stream_endpoints: { sse: `${pathPrefix}/stream`, websocket: '/ws' },
        })
      : new ApiError('not_found', `${pathPrefix}/openapi.json has the routes.`)
    const requestId = nextRequestId()
    send(response, failure(error, requestId), { requestId })
  }

  // ---- who calls

  /**
   * Checks the key and takes one request of its minute, unless it is not to be counted.
   * @throws ApiError for a key that is missing or bad, or has used up its minute
   */
  function admitKey(key: string, now: number, headers: SentHeaders, isCounted = true): Caller {
    const caller = keyring.authenticate(key, now)
    headers.caller = caller
    headers.delaySeconds = scopes[caller.tier].delaySeconds
    const take = isCounted ? takeRequest : remainingRequests
    headers.allowance = take(caller.meter, caller.requestsPerMinute, now)
    if (!isCounted) return caller
    if (!headers.allowance.isAllowed) throw tooMany(headers.allowance)
    usage.count(caller, now)
    return caller
  }

  function admitAddress(
    limiter: AddressLimiter,
    response: uws.HttpResponse,
    now: number,
    headers: SentHeaders,
  ) {
    const address = Buffer.from(response.getRemoteAddressAsText()).toString('latin1')
    headers.allowance = limiter.take(address, now)
    if (!headers.allowance.isAllowed) throw tooMany(headers.allowance)
  }

  function requireReady() {
    if (boards.isReady()) return
    throw new ApiError('service_unavailable', 'The board is still being read; try again.', {
      ...retryAfter(1),
    })
  }

  // ---- reads

  function serveRead(route: ReadRoute) {
    const read = createQueryReader(route.query, keyParameters)
    const stores = new Map<string, ReadStore>()
    for (const tier of Object.keys(scopes)) stores.set(tier, reads.openStore(tier))
    const names = parameterNames(route.path)

    return (response: uws.HttpResponse, request: uws.HttpRequest) => {
      const headers: SentHeaders = { requestId: nextRequestId() }
      try {
        const now = clock()
        const raw = request.getQuery() ?? ''
        const key = presentedKey(request, raw)
        let tier: Tier = 'free'
        if (key !== '' || route.access === 'key') {
          const caller = admitKey(key, now, headers)
          requireFeature(route, caller)
          tier = caller.tier
        } else admitAddress(addresses, response, now, headers)
        requireReady()
        const prepare = () =>
          route.prepare({
            query: readQuery(read, route.query, raw),
            path: pathOf(names, request),
            scope: scopes[tier],
          })
        const kept = keptAs(raw, names.length > 0 ? request.getUrl() : '')
        const ifNoneMatch = request.getHeader('if-none-match')
        const answer = stores.get(tier)!.answer(kept, prepare, ifNoneMatch, now)
        const { etag, body, isKept } = answer
        headers.etag = etag
        headers.isKept = isKept
        send(response, body ? asAnswer(body, answer.headers) : { status: 304 }, headers)
      } catch (error) {
        send(response, failure(error, headers.requestId), headers)
      }
    }
  }

  // ---- actions

  function serveAction(route: ActionRoute) {
    const callers = route.perMinute === undefined ? null : createAddressLimiter(route.perMinute)
    const read = createQueryReader(route.query, keyParameters)
    const names = parameterNames(route.path)

    return (response: uws.HttpResponse, request: uws.HttpRequest) => {
      const headers: SentHeaders = { requestId: nextRequestId() }
      let isAborted = false
      let isAnswered = false
      const reply = (answer: Answer, close = false) => {
        if (isAborted || isAnswered) return
        isAnswered = true
        response.cork(() => send(response, answer, headers, close))
      }
      const fail = (error: unknown, close = false) =>
        reply(failure(error, headers.requestId), close)
      try {
        const now = clock()
        const raw = request.getQuery() ?? ''
        const contentType = (request.getHeader('content-type').split(';')[0] ?? '').trim()
        let caller: Caller | undefined
        if (callers) admitAddress(callers, response, now, headers)
        const key = route.access === 'key' ? presentedKey(request, raw) : ''
        const admit = (isCounted: boolean) => {
          const caller = admitKey(key, clock(), headers, isCounted)
          requireReady()
          return { caller, scope: scopes[caller.tier] }
        }
        if (route.access === 'key') {
          if (!route.isCounting) {
            caller = admitKey(key, now, headers)
            requireFeature(route, caller)
          }
        } else if (route.access !== 'public') {
          authorize(route.access, bearerToken(request.getHeader('authorization')))
        }
        // The request is gone once the handler returns: what a route may ask for is read now.
        const context = {
          query: route.takesAnyQuery ? {} : readQuery(read, route.query, raw),
          path: pathOf(names, request),
          contentType: contentType.toLowerCase(),
        }
        const sent =
          route.access === 'key' && route.isCounting ? headersOf(route.headers, request) : {}
        const handle = (body: unknown) => {
          if (route.access !== 'key') return route.handle({ ...context, body })
          if (route.isCounting) return route.handle({ ...context, body, headers: sent, admit })
          return route.handle({ ...context, body, caller: caller!, scope: scopes[caller!.tier] })
        }
        const run = (body: unknown) => {
          try {
            const answer = handle(body)
            if (answer instanceof Promise) answer.then(reply, fail)
            else reply(answer)
          } catch (error) {
            fail(error)
          }
        }
        if (route.access === 'key' && !route.isCounting) requireReady()
        response.onAborted(() => {
          isAborted = true
        })
        if (!route.body) return run(undefined)
        const { as, schema, maxBytes } = route.body
        receive(
          response,
          { maxBytes, timeoutMs: bodyTimeoutMs },
          {
            done: () => isAborted || isAnswered,
            complete: (bytes) => {
              if (as === 'bytes') return run(bytes)
              try {
                run(decodeBody(schema, bytes))
              } catch (error) {
                fail(error)
              }
            },
            // What is still on its way would be read for nothing.
            fail: (error) => fail(error, true),
          },
        )
      } catch (error) {
        // Nothing was handed on yet: the answer goes out inside this call.
        isAnswered = true
        send(response, failure(error, headers.requestId), headers)
      }
    }
  }

  // ---- streams

  function serveSse(path: string, channel: SseChannel | undefined) {
    const read = createQueryReader(sseQuery, keyParameters)
    const names = parameterNames(path)
    return (response: uws.HttpResponse, request: uws.HttpRequest) => {
      const headers: SentHeaders = { requestId: nextRequestId() }
      let session: SseSession
      try {
        const raw = request.getQuery() ?? ''
        const key = presentedKey(request, raw)
        const caller = admitKey(key, clock(), headers)
        requireReady()
        const { eventId } = pathOf(names, request)
        session = streams.sse({
          caller,
          key,
          scope: scopes[caller.tier],
          query: readQuery(read, sseQuery, raw),
          path: { ...(channel && { channel }), ...(eventId !== undefined && { event: eventId }) },
          lastEventId: request.getHeader('last-event-id'),
        })
      } catch (error) {
        // Pages of other origins may read streams, and so may they what is refused.
        const allowed = { 'Access-Control-Allow-Origin': '*' }
        send(response, { ...failure(error, headers.requestId), headers: allowed }, headers)
        return
      }
      let isOpen = true
      response.onAborted(() => {
        isOpen = false
        session.end()
      })
      response.cork(() => {
        response.writeHeader('X-Request-Id', headers.requestId + furtherHeaders(headers, 200))
        for (const [name, value] of sseHeaders) response.writeHeader(name, value)
        response.write(sseHead)
      })
      const client = session.start({
        send(frames) {
          let isTaken = true
          // One write, and with it one system call, for all that a tick has.
          response.cork(() => {
            isTaken = response.write(frames.page.bytes.subarray(0, frames.page.length))
          })
          return isTaken
        },
        hold: () => flush(),
        close() {
          if (!isOpen) return
          isOpen = false
          session.end()
          // What a socket holds back is given up by the server itself some seconds later.
          response.cork(() => response.end())
        },
      })
      // With a handler the server does not go on by itself with what a socket holds back: it does so
      // with the next write. The blank comment is one, and tells whether anything is left.
      function flush() {
        if (!isOpen) return
        let isEmpty = false
        response.cork(() => {
          isEmpty = response.write(sseComment)
        })
        if (isEmpty && isOpen) client.drained()
      }
      response.onWritable(() => {
        flush()
        return true
      })
    }
  }

  function websocketBehavior(): uws.WebSocketBehavior<Upgraded> {
    return {
      compression: uws.DISABLED,
      maxPayloadLength: mostFrameBytes,
      idleTimeout: 120,
      sendPingsAutomatically: true,
      // What is sent to a full socket is bounded by the sender, which stops at the first sign of it.
      maxBackpressure: 0,
      upgrade(response, request, context) {
        const query = request.getQuery() ?? ''
        const upgraded: Upgraded = { key: presentedKey(request, query), query, session: null }
        response.upgrade(
          upgraded,
          request.getHeader('sec-websocket-key'),
          subprotocol(request.getHeader('sec-websocket-protocol')),
          request.getHeader('sec-websocket-extensions'),
          context,
        )
      },
      open(socket) {
        const { key, query } = socket.getUserData()
        const admit = (value: string) => admitKey(value, clock(), { requestId: '' })
        let isOpen = true
        const connection: Connection = {
          send({ page, ends }) {
            let isTaken = true
            socket.cork(() => {
              let from = 0
              for (const end of ends) {
                const sent = socket.send(page.bytes.subarray(from, end), false)
                if (sent !== 1) isTaken = false
                from = end
              }
            })
            return isTaken
          },
          hold() {},
          close(code, reason) {
            if (!isOpen) return
            isOpen = false
            socket.end(code, reason)
          },
        }
        const upgraded = socket.getUserData()
        upgraded.ended = () => {
          isOpen = false
        }
        upgraded.session = streams.websocket(admit, connection, key, query)
      },
      message(socket, message, isBinary) {
        const text = isBinary ? null : Buffer.from(message).toString('utf8')
        socket.getUserData().session?.receive(text)
      },
      drain(socket) {
        if (socket.getBufferedAmount() === 0) socket.getUserData().session?.drained()
      },
      close(socket) {
        const upgraded = socket.getUserData()
        upgraded.ended?.()
        upgraded.session?.end()
      },
    }
  }

  function authorize(access: 'admin' | 'ingest', token: string) {
    if (isToken(token, tokens[access])) return
    const setting = access === 'admin' ? 'OVERROUND_ADMIN_TOKEN' : 'OVERROUND_INGEST_TOKEN'
    throw new ApiError(
      'unauthorized',
      tokens[access] === null
        ? `This route is closed: set ${setting} to open it.`
        : `Send the ${access} token as Authorization: Bearer.`,
    )
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
  const socket = await new Promise<uws.us_listen_socket | false>((resolve) => {
    listen(host, port, exclusivePort, resolve)
  })
  if (!socket) throw new StartError(await listenFailure(host, port))
  return {
    port: uws.us_socket_local_port(socket),
    async close() {
      if (streams.close() > 0) await delay(drainMs)
      app.close()
    },
  }
}

/** Time for streams to be told that the service stops. */
const drainMs = 200

// ---- streams

const ssePaths: readonly { readonly path: string; readonly channel?: SseChannel }[] = [
  { path: `${pathPrefix}/stream` },
  ...sseChannelNames.map((channel) => ({ path: `${pathPrefix}/stream/${channel}`, channel })),
  { path: `${pathPrefix}/stream/events/:eventId`, channel: 'odds' },
]
const websocketPaths = ['/', '/ws', `${pathPrefix}/ws`]
const rootPaths = ['/', pathPrefix, `${pathPrefix}/`]

const sseHeaders = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-cache, no-transform'],
  ['X-Accel-Buffering', 'no'],
  ['Access-Control-Allow-Origin', '*'],
] as const

/** Longer frames of a client end the connection; shorter ones are refused by the session. */
const mostFrameBytes = 128 * 1024

interface Upgraded {
  readonly key: string
  readonly query: string
  session: WebsocketSession | null
  /** The socket is not to be used any more. */
  ended?: () => void
}

/** The first offered that ends in `-v1`, else the first; none where none is offered. */
function subprotocol(offered: string): string {
  const names = offered.split(',').map((name) => name.trim())
  return names.find((name) => name.endsWith('-v1')) ?? names[0] ?? ''
}

const exclusivePort = 1

const processId = randomBytes(6).toString('hex')
let requestCount = 0

/** Unlike any other's of any process; not a secret. */
const nextRequestId = () => `${processId}-${(++requestCount).toString(36)}`

const asAnswer = (body: Uint8Array, headers: Answer['headers']): Answer =>
  headers ? { body, headers } : { body }

const methodNames = { get: 'get', post: 'post', patch: 'patch', delete: 'del' } as const

// ---- requests

/** Parameters that carry the key on every route. */
const keyParameters = ['api_key']

function presentedKey(request: uws.HttpRequest, query: string): string {
  const header = request.getHeader('x-api-key')
  if (header !== '') return header
  const bearer = request.getHeader('authorization')
  if (bearer !== '') {
    const token = bearerToken(bearer)
    if (token !== '') return token
  }
  if (!query.includes('api_key=')) return ''
  return new URLSearchParams(query).get('api_key') ?? ''
}

/** Longer queries are answered but not remembered. */
const longestKept = 512

/** What a read is kept under; null for a query with a key in it, or a very long one. */
function keptAs(query: string, path: string): string | null {
  if (query.length + path.length > longestKept || query.includes('api_key=')) return null
  return path === '' ? query : `${path}?${query}`
}

function headersOf(names: readonly string[], request: uws.HttpRequest): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, request.getHeader(name)]))
}

function pathOf(names: readonly string[], request: uws.HttpRequest): Record<string, string> {
  const path: Record<string, string> = {}
  for (const [i, name] of names.entries()) path[name] = decoded(request.getParameter(i) ?? '')
  return path
}

/** A path parameter as sent; one that is not valid percent-encoding names nothing we have. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads a body to its end, or fails once it is too large or too slow. */
function receive(
  response: uws.HttpResponse,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
  to: { done(): boolean; complete(bytes: Buffer): void; fail(error: ApiError): void },
) {
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => {
    to.fail(new ApiError('validation_error', `A body arrives within ${timeoutMs / 1_000} s.`))
  }, timeoutMs)
  response.onData((chunk, isLast) => {
    if (isLast) clearTimeout(timer)
    if (to.done()) return clearTimeout(timer)
    bytes += chunk.byteLength
    if (bytes > maxBytes) {
      const message = `A body has at most ${maxBytes} bytes; send it in parts.`
      clearTimeout(timer)
      return to.fail(new ApiError('payload_too_large', message))
    }
    // The chunk is only valid inside this call.
    chunks.push(Buffer.from(new Uint8Array(chunk)))
    if (isLast) to.complete(Buffer.concat(chunks))
  })
}

/** @throws ApiError validation_error for a body that is no JSON, or not of the schema */
function decodeBody(schema: { safeParse(value: unknown): SafeParsed }, bytes: Buffer): unknown {
  let value: unknown
  if (bytes.length > 0) {
    if (!isUtf8(bytes)) throw new ApiError('validation_error', 'The body is not UTF-8.')
    try {
      value = JSON.parse(bytes.toString('utf8'))
    } catch {
      throw new ApiError('validation_error', 'The body is not JSON.')
    }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the body'}: ${message}`)
  throw new ApiError('validation_error', `${problems.join('; ')}.`)
}

type SafeParsed =
  | { success: true; data: unknown }
  | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } }

function tooMany({ limit, retryAfterSeconds }: Allowance): ApiError {
  const message = `${limit} requests a minute are used up; the next minute begins in ${retryAfterSeconds} s.`
  return new ApiError('rate_limited', message, { ...retryAfter(retryAfterSeconds) })
}

// ---- answers

/** What headers say beside the answer's own. */
interface SentHeaders {
  readonly requestId: string
  caller?: Caller
  delaySeconds?: number
  allowance?: Allowance
  etag?: string
  isKept?: boolean
}

/** What `send` needs of a response. */
type Sent = Pick<uws.HttpResponse, 'writeStatus' | 'writeHeader' | 'end' | 'endWithoutBody'>

/** A response that sends its headers alone. */
function withoutBody(response: uws.HttpResponse): uws.HttpResponse {
  const bodiless: Sent & Pick<uws.HttpResponse, 'cork' | 'onAborted' | 'getRemoteAddressAsText'> = {
    writeStatus: (status) => response.writeStatus(status),
    writeHeader: (name, value) => response.writeHeader(name, value),
    // With the length as an argument, the package waits for the bytes that do not come.
    end: (body) =>
      response.writeHeader('Content-Length', String(byteLength(body))).endWithoutBody(),
    endWithoutBody: () => response.endWithoutBody(),
    cork: (write) => response.cork(write),
    onAborted: (handler) => response.onAborted(handler),
    getRemoteAddressAsText: () => response.getRemoteAddressAsText(),
  }
  return bodiless as uws.HttpResponse
}

const byteLength = (body: uws.RecognizedString | undefined) =>
  typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0)

const statusTexts = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
)

function send(response: Sent, answer: Answer, headers: SentHeaders, close = false) {
  const { status = 200, headers: own, body } = answer
  if (status !== 200) response.writeStatus(statusTexts.get(status) ?? String(status))
  response.writeHeader('X-Request-Id', headers.requestId + furtherHeaders(headers, status))
  for (const name in own) response.writeHeader(name, own[name]!)
  if (status === 304) {
    response.endWithoutBody()
    return
  }
  if (body === undefined) {
    response.end('', close)
    return
  }
  if (!own || !('Content-Type' in own)) {
    response.writeHeader('Content-Type', 'application/json; charset=utf-8')
  }
  const isReady = typeof body === 'string' || body instanceof Uint8Array
  response.end(isReady ? body : JSON.stringify(body), close)
}

/**
 * The headers that follow the first, as lines of text: each call into the server's native code costs
 * as much as copying a page of rows, so all that are always there go in one. Nothing of a client's
 * is in them.
 */
function furtherHeaders(headers: SentHeaders, status: number): string {
  const { caller, delaySeconds = 0, allowance, etag, isKept } = headers
  let lines = ''
  if (allowance) {
    const { limit, remaining, resetsAt, retryAfterSeconds } = allowance
    lines = `\r\nX-RateLimit-Limit: ${limit}\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${resetsAt}`
    if (status === 429) lines += `\r\nRetry-After: ${retryAfterSeconds}`
  }
  if (status === 503) lines += '\r\nRetry-After: 1'
  if (caller) lines += `\r\nX-Tier: ${caller.tier}\r\nX-Data-Delay: ${delaySeconds}`
  if (etag === undefined || status >= 400) return lines
  return `${lines}\r\nETag: ${etag}\r\nCache-Control: private, max-age=0, must-revalidate\r\nX-Cache-Status: ${isKept ? 'HIT' : 'MISS'}`
}

// ---- paths

const parameterNames = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}

const methodsOf = (routes: readonly Pick<Route, 'method'>[]) =>
  [...new Set(routes.map(({ method }) => method.toUpperCase()))].join(', ')
