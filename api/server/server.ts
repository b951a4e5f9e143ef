/**
 * Puts every route on its path, and takes a request through admission, parameters and handler to its
 * answer. Sockets are the listener's (`listener.ts`).
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../../pipeline/config.ts'
import { listenFailure } from '../../pipeline/listen-failure.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { usageFamily } from '../../schemas/usage.ts'
import { basicPassword, bearerToken, type Caller, type Keyring } from '../access/keys.ts'
import { type Allowance, createAddressLimiter, type Sharing, unshared } from '../access/limits.ts'
import { createRefusedKeys } from '../access/refused-keys.ts'
import { nobody, type Scope, type Viewer } from '../access/scope.ts'
import { publicRequestsPerMinute, refusedPerMinute, requireFeature } from '../access/tiers.ts'
import type { UsageCounter } from '../access/usage.ts'
import type { WorkBudget } from '../access/work-budget.ts'
import { type Accepted, acceptedCoding, plain } from '../answer/codings.ts'
import { createCompressor } from '../answer/compressor.ts'
import { withRateLimit } from '../answer/rate-limit-meta.ts'
import {
  codedTag,
  createReads,
  type Plan,
  type ReadAnswer,
  type ReadStore,
} from '../answer/reads.ts'
import { readQuery } from '../ask/read-query.ts'
import type { Boards } from '../boards.ts'
import { ApiError, toApiError } from '../errors.ts'
import type { Readiness } from '../readiness.ts'
import type {
  ActionRoute,
  Admitted,
  Answer,
  InPieces,
  ReadContext,
  ReadRoute,
  Route,
} from '../routes/route.ts'
import type { Streams } from '../stream/streams.ts'
import type { StaticFile } from '../web/static-file.ts'
import { createAdmission } from './admission.ts'
import { failureOf, headersOfOne, headOf, type SentHeaders, send as sendAnswer } from './answer.ts'
import { bodyCoding, createInflating, decompressed } from './body-coding.ts'
import { createClientOf } from './client.ts'
import { createCodeAnswer } from './coded-answer.ts'
import { type ConnectionCap, uncapped } from './connection-cap.ts'
import { createCorsPolicy } from './cors.ts'
import { guardHosts } from './host-guard.ts'
import type { Handler, OpenListener, Request, Response, ServedPath } from './listener.ts'
import { createNoRoute, isForPages, rootPaths } from './no-route.ts'
import {
  decodeBody,
  headersOf,
  keptAs,
  keyParameters,
  parameterNames,
  pathOf,
  receive,
} from './request.ts'
import { createSandboxDoor } from './sandbox-door.ts'
import { serveFile } from './serve-file.ts'
import { createStreamSockets, ssePaths, websocketPaths } from './stream-sockets.ts'
import { type StreamedAnswer, sendStream } from './streamed-answer.ts'
import { type Traffic, uncounted } from './traffic.ts'
import { createTurns } from './turns.ts'
import { createUnderWay } from './under-way.ts'
import { createUnsent } from './unsent.ts'

export interface Server {
  readonly port: number
  /** Closes each connection behind its next answer: whoever balances moves on to other processes. */
  retire(): void
  /**
   * Takes no more connections, tells streams that the service stops, and closes once they have been
   * told and the requests under way are answered, or have taken too long.
   */
  close(): Promise<void>
}

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly routes: readonly Route[]
  /** Served beside the routes; a page at the root takes what is no stream there. Default: none. */
  readonly pages?: readonly StaticFile[]
  readonly boards: Boards
  readonly readiness: Readiness
  readonly keyring: Keyring
  readonly usage: UsageCounter
  /** How the limits of keys are shared with other processes; default: not. */
  readonly sharing?: () => Sharing
  readonly streams: Streams
  /** Bearer tokens; null closes the routes of that access. */
  readonly tokens: { readonly admin: string | null; readonly ingest: string | null }
  /** See `cors.ts`. */
  readonly corsOrigins: '*' | readonly string[]
  /** Names that requests may be for, see `host-guard.ts`; null for any. */
  readonly hosts: readonly string[] | null
  /** Whether the sandbox is for requests of this machine alone, see `sandbox-door.ts`; default false. */
  readonly isSandboxHereOnly?: boolean
  /** See `client-address.ts`. */
  readonly trustedProxies: readonly string[]
  readonly clock: () => number
  readonly logger: Logger
  /** Default: nobody counts. */
  readonly traffic?: Traffic
  readonly openListener: OpenListener
  /** Default: none. */
  readonly connectionCap?: ConnectionCap
  /** Memory for kept bodies. */
  readonly bodyBytes?: number
  /** What clients may leave unread in all, before more requests are refused. */
  readonly unsentBytes?: number
  /** Whether clients that take a coding are answered in it; default true. */
  readonly isCompressing?: boolean
  /** A body that takes longer is cut off. */
  readonly bodyTimeoutMs?: number
  /** How long a server that closes waits for the requests under way. */
  readonly closingTimeoutMs?: number
  readonly budget: WorkBudget
}

const defaultBodyBytes = 64 * 1024 * 1024

const defaultBodyTimeoutMs = 30_000
const defaultClosingTimeoutMs = 5_000

/** @throws StartError when the address cannot be listened on */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { host, port, routes, boards, keyring, usage, streams, tokens, clock, logger } = options
  const { readiness } = options
  const { bodyTimeoutMs = defaultBodyTimeoutMs } = options
  const { closingTimeoutMs = defaultClosingTimeoutMs } = options
  const { isCompressing = true, pages = [] } = options
  const { budget } = options
  const turns = createTurns(() => performance.now(), setImmediate)
  const { scopes } = streams
  const compressor = createCompressor()
  const reads = createReads({ bodyBytes: options.bodyBytes ?? defaultBodyBytes, compressor })
  const code = createCodeAnswer(compressor)
  const acceptedBy = (request: Request): Accepted =>
    isCompressing ? acceptedCoding(request.getHeader('accept-encoding')) : plain
  const addresses = createAddressLimiter(publicRequestsPerMinute)
  const refused = createRefusedKeys(refusedPerMinute, logger)
  const { sharing = () => unshared } = options
  const admission = createAdmission({ readiness, keyring, usage, sharing, refused, tokens })
  const { traffic = uncounted } = options

  function count({ requestId, family, beganAt }: SentHeaders, status = 200) {
    const tookMs = performance.now() - beganAt
    traffic.answered(family, status, tookMs / 1_000)
    if (logger.isLevelEnabled('debug')) {
      logger.debug({ requestId, family, status, tookMs }, 'answered')
    }
  }

  function send(response: Response, answer: Answer, headers: SentHeaders, isLast = false) {
    count(headers, answer.status)
    sendAnswer(response, answer, headers, isLast)
  }

  function failure(error: unknown, requestId: string): Answer {
    traffic.failed(toApiError(error)?.code ?? 'internal_error')
    return failureOf(error, requestId, logger)
  }

  const underWay = createUnderWay()
  const inflating = createInflating()
  const door = createSandboxDoor(options.isSandboxHereOnly ?? false, logger)
  const cors = createCorsPolicy(options.corsOrigins)
  const clientOf = createClientOf(options.trustedProxies)
  const noRoute = createNoRoute(routes, {
    cors,
    failure,
    send,
    files: pages.map(({ path }) => path),
  })
  const unsent = createUnsent(options.unsentBytes)
  const sockets = createStreamSockets({
    streams,
    admission,
    cors,
    clientOf,
    door,
    clock,
    isCompressing,
    failure,
    send,
  })

  const paths: ServedPath[] = []
  const serve = (method: ServedPath['method'], path: string, handle: Handler) => {
    paths.push({ method, path, handle: unlessFull(handle) })
  }

  for (const route of routes) {
    const { method, path } = route
    const handle = route.kind === 'read' ? serveRead(route) : serveAction(route)
    serve(method, path, handle)
    // What GET answers, HEAD answers without the body.
    if (method === 'get') serve('head', path, handle)
  }
  for (const { path, channel } of ssePaths) serve('get', path, sockets.sse(path, channel))
  for (const path of websocketPaths.slice(1)) serve('get', path, noRoute.websocket)
  const files = new Map(pages.map((file) => [file.path, servePage(file)]))
  for (const path of rootPaths) serve('get', path, noRoute.root(files.get(path)))
  for (const [path, handle] of files) {
    if (!rootPaths.includes(path)) serve('get', path, handle)
    serve('head', path, handle)
  }

  function servePage(file: StaticFile): Handler {
    const handle = serveFile(file, acceptedBy)
    if (!file.withoutSandbox) return handle
    const outside = serveFile(file.withoutSandbox, acceptedBy)
    return (response, request) => (door.isShutTo(request) ? outside : handle)(response, request)
  }

  /** Refuses requests while those who asked before do not read what they are sent. */
  function unlessFull(handle: Handler): Handler {
    return (response, request) => {
      if (!unsent.isFull()) return handle(response, request)
      const headers = headersOfOne(cors.lines(request))
      const error = new ApiError(
        'service_unavailable',
        'Too many responses wait to be read by clients; try again.',
      )
      send(response, failure(error, headers.requestId), headers)
    }
  }

  function serveMisframed(response: Response) {
    const message = 'A request has one Content-Length, or is chunked and nothing else.'
    const headers = headersOfOne(cors.unread)
    const error = new ApiError('validation_error', message)
    send(response, failure(error, headers.requestId), headers, true)
  }

  // ---- reads

  function serveRead(route: ReadRoute): Handler {
    const read = createQueryReader(route.query, keyParameters)
    const stores = new WeakMap<Scope, ReadStore>()
    const storeOf = (scope: Scope) => {
      let store = stores.get(scope)
      if (!store) {
        store = reads.openStore(scope.tier)
        stores.set(scope, store)
      }
      return store
    }
    const names = parameterNames(route.path)
    const family = usageFamily(route.tag)

    return (response, request) => {
      const accepted = acceptedBy(request)
      const headers = headersOfOne(cors.lines(request), family)
      headers.accepted = accepted
      try {
        const now = clock()
        const raw = request.getQuery() ?? ''
        const key = door.keyOf(request, raw)
        let viewer: Viewer = nobody
        if (key !== '' || route.access === 'key') {
          const caller = admission.key(key, now, headers, family, clientOf(response, request))
          requireFeature(route, caller)
          budget.admit(caller)
          viewer = caller
        } else admission.address(addresses, clientOf(response, request), now, headers)
        admission.ready()
        const scope = scopes.of(viewer)
        if (route.scopeThen && mayNameThen.test(raw) && headers.caller) {
          const query = readQuery(read, route.query, raw)
          const context = { query, path: pathOf(names, request), scope, caller: headers.caller }
          const then = route.scopeThen(context)
          if (then) return answerLater(answerThen(route, context, then, headers), response, headers)
        }
        const prepare = () =>
          route.prepare({
            query: readQuery(read, route.query, raw),
            path: pathOf(names, request),
            scope,
          })
        const kept = keptAs(raw, names.length > 0 ? request.getUrl() : '')
        const ifNoneMatch = request.getHeader('if-none-match')
        const { caller } = headers
        const store = storeOf(scope)
        const allowance = route.tellsRateLimit ? headers.allowance : undefined
        const taken = allowance ? plain : accepted
        let steps: Iterator<void> | null = null
        let plan: Plan
        const answer = () => store.answer(plan, ifNoneMatch, boards.now(), taken)
        const answered = budget.run(caller, () => {
          plan = store.plan(kept, prepare)
          if (plan.prepared.ahead) steps = store.ahead(plan, boards.now())
          return steps ? null : answer()
        })
        const made = answered
          ? toSend(answered, allowance, headers)
          : piecesOf(caller)(steps!, () => toSend(answer(), allowance, headers))
        if (made instanceof Promise) answerLater(made, response, headers)
        else send(response, made, headers)
      } catch (error) {
        send(response, failure(error, headers.requestId), headers)
      }
    }
  }

  /** Work of a caller, or of an address without a key, which is not charged. */
  const piecesOf =
    (caller: Caller | undefined): InPieces =>
    (steps, finish) =>
      turns.run({
        account: caller?.accountId ?? '',
        charge: (piece) => budget.run(caller, piece),
        admit: () => caller && budget.admit(caller),
        steps,
        finish: () => budget.run(caller, finish),
      })

  const admitted = (caller: Caller): Admitted => ({
    caller,
    scope: scopes.of(caller),
    inPieces: piecesOf(caller),
    charged: (work) => budget.run(caller, work),
  })

  function toSend(
    { etag, body, isKept, coding, headers: told }: ReadAnswer,
    allowance: Allowance | undefined,
    headers: SentHeaders,
  ): Answer | Promise<Answer> {
    headers.etag = etag
    headers.isKept = isKept
    if (allowance && body instanceof Uint8Array) {
      // What is one client's alone is compressed for it alone.
      const coded = code(asAnswer(withRateLimit(body, allowance), told), headers)
      if (!(coded instanceof Promise)) return coded
      return coded.then((answer) => {
        headers.etag = codedTag(etag, headers.coding!)
        return answer
      })
    }
    if (body instanceof Promise) {
      return body.then((bytes) => {
        headers.coding = coding!
        return asAnswer(bytes, told)
      })
    }
    if (coding) headers.coding = coding
    return body ? asAnswer(body, told) : { status: 304 }
  }

  /** Makes the answer to a read about the past once its scope is there, by the same route. */
  async function answerThen(
    route: ReadRoute,
    { query, path }: ReadContext,
    then: Promise<Scope>,
    headers: SentHeaders,
  ): Promise<Answer> {
    const scope = await then
    const page = createPageBuffer()
    const written = budget.run(headers.caller, () =>
      route.prepare({ query, path, scope }).write(page),
    )
    return code(asAnswer(page.bytes.subarray(0, page.length), written.headers), headers)
  }

  /** Sends an answer that is still being made. */
  function answerLater(making: Promise<Answer>, response: Response, headers: SentHeaders) {
    let isAborted = false
    const end = underWay.begin()
    response.onAborted(() => {
      isAborted = true
      end()
    })
    const reply = (answer: Answer) => {
      if (isAborted) return
      end()
      send(response, answer, headers)
    }
    making.then(reply, (error: unknown) => reply(failure(error, headers.requestId)))
  }

  // ---- actions

  function serveAction(route: ActionRoute): Handler {
    const callers = route.perMinute === undefined ? null : createAddressLimiter(route.perMinute)
    const read = createQueryReader(route.query, keyParameters)
    const names = parameterNames(route.path)
    const family = usageFamily(route.tag)

    return (response, request) => {
      const headers = headersOfOne(isForPages(route) ? cors.lines(request) : '', family)
      headers.accepted = acceptedBy(request)
      let isAborted = false
      let isAnswered = false
      const ended = underWay.begin()
      let leaveTurn = () => {}
      const end = () => {
        ended()
        leaveTurn()
      }
      let streamed: StreamedAnswer | undefined
      const reply = (answer: Answer, isLast = false) => {
        if (isAborted || isAnswered) {
          answer.stream?.destroy()
          return
        }
        isAnswered = true
        const coded = code(answer, headers)
        if (!(coded instanceof Promise)) return deliver(coded, isLast)
        const refuse = (error: unknown) => deliver(failure(error, headers.requestId), isLast)
        coded.then((answer) => deliver(answer, isLast), refuse)
      }
      const deliver = (answer: Answer, isLast: boolean) => {
        if (isAborted) return
        const { stream } = answer
        if (stream && response.isHead) {
          stream.destroy()
          end()
          response.send(answer.status ?? 200, headOf(answer, headers), null, isLast)
          return
        }
        if (stream) {
          count(headers, answer.status)
          response.begin(answer.status ?? 200, headOf(answer, headers))
          streamed = sendStream(response, stream, (error) => {
            end()
            if (error) logger.warn({ err: error, requestId: headers.requestId }, 'answer cut short')
          })
          return
        }
        end()
        send(response, answer, headers, isLast)
        answer.sent?.()
      }
      const fail = (error: unknown, isLast = false) =>
        reply(failure(error, headers.requestId), isLast)
      try {
        const now = clock()
        const raw = request.getQuery() ?? ''
        const contentType = (request.getHeader('content-type').split(';')[0] ?? '').trim()
        let caller: Caller | undefined
        const from = clientOf(response, request)
        if (callers) admission.address(callers, from, now, headers)
        const isOpen = route.access !== 'key'
        const key = isOpen && !route.takesKey ? '' : door.keyOf(request, raw)
        const isOperators = route.isOfSandbox && door.isShutTo(request)
        const admit = (isCounted: boolean) => {
          const caller = admission.key(key, clock(), headers, family, from, isCounted)
          if (isCounted) budget.admit(caller)
          admission.ready()
          return admitted(caller)
        }
        if (route.access === 'key') {
          if (!route.isCounting) {
            caller = admission.key(key, now, headers, family, from)
            requireFeature(route, caller)
            budget.admit(caller)
          }
        } else if (route.access !== 'public' || isOperators) {
          const authorization = request.getHeader('authorization')
          const token =
            bearerToken(authorization) || (route.isPage ? basicPassword(authorization) : '')
          admission.token(route.access === 'public' ? 'admin' : route.access, token, now, from)
        }
        const declared = Number(request.getHeader('content-length') || Number.NaN)
        const coding = route.body ? bodyCoding(request.getHeader('content-encoding')) : null
        const scope = isOpen && key !== '' ? admit(true).scope : undefined
        // The request is valid only inside this call: what a route may ask for is read now.
        const context = {
          query: route.takesAnyQuery ? {} : readQuery(read, route.query, raw),
          path: pathOf(names, request),
          contentType: contentType.toLowerCase(),
        }
        const sent =
          'headers' in route && route.headers ? headersOf(route.headers, request) : noHeaders
        // Spread last, so that requests are of one shape to the engine (see `board-view.ts`).
        const handle = (body: unknown) => {
          if (route.access !== 'key')
            return route.handle({ body, scope, headers: sent, ...context })
          if (route.isCounting) return route.handle({ body, headers: sent, admit, ...context })
          return route.handle({ body, ...admitted(caller!), ...context })
        }
        const run = (body: unknown) => {
          try {
            const answer = budget.run(headers.caller, () => handle(body))
            if (answer instanceof Promise) answer.then(reply, fail)
            else reply(answer)
          } catch (error) {
            fail(error)
          }
        }
        if (route.access === 'key' && !route.isCounting) admission.ready()
        response.onAborted(() => {
          isAborted = true
          streamed?.leave()
          end()
        })
        if (!route.body) return run(undefined)
        const { as, schema, maxBytes } = route.body
        const take = (bytes: Buffer) => {
          if (as === 'bytes') return run(bytes)
          try {
            run(decodeBody(schema, bytes))
          } catch (error) {
            fail(error)
          }
        }
        receive(
          response,
          declared,
          { maxBytes, timeoutMs: bodyTimeoutMs },
          {
            done: () => isAborted || isAnswered,
            complete: (bytes) => {
              if (coding === null) return take(bytes)
              const answered = new Promise<void>((resolve) => {
                leaveTurn = resolve
              })
              const inflate = async () => {
                if (isAborted) return
                take(await decompressed(coding, bytes, maxBytes))
                // What was made of the body is in memory until then.
                await answered
              }
              inflating.run(inflate).catch(fail)
            },
            fail,
          },
        )
      } catch (error) {
        // Nothing was handed on yet: the answer goes out inside this call.
        isAnswered = true
        end()
        const answer = failure(error, headers.requestId)
        const isAskedFor = route.isPage && answer.status === 401 && tokens.admin !== null
        send(response, isAskedFor ? { ...answer, headers: tokenChallenge } : answer, headers)
      }
    }
  }

  const { websockets } = sockets
  const { otherwise } = noRoute
  const { unread } = cors
  const served = { paths, websocketPaths, websockets, otherwise, misframed: serveMisframed, unread }
  const { hosts } = options
  const listener = await options.openListener(
    { host, port },
    hosts ? guardHosts(served, hosts, logger, door.isShutTo) : served,
    unsent,
    options.connectionCap ?? uncapped,
  )
  if (!listener) throw new StartError(await listenFailure(host, port))
  return {
    port: listener.port,
    retire: listener.retire,
    async close() {
      const drained = listener.drain()
      streams.close()
      const answered = Promise.all([
        underWay.settled().then(unsent.settled),
        delay(lastRequestsMs, undefined, timer),
      ])
      await Promise.race([drained, answered, delay(closingTimeoutMs, undefined, timer)])
      listener.close()
    },
  }
}

/**
 * Time for a connection between two requests to bring one more, and to be closed behind its answer; and
 * for streams to be told that the service stops.
 */
const lastRequestsMs = 1_000
const timer = { ref: false }

/** Whether a query may have `as_of`: letters of a name may be escaped (`as%5Fof`). */
const mayNameThen = /as_of=|%[567]/

/** Of a route that looks at none. */
const noHeaders: Readonly<Record<string, string>> = {}

/** Lets a browser ask its user for the operator's token, under any name. */
const tokenChallenge = {
  'WWW-Authenticate': 'Basic realm="overround, admin token", charset="UTF-8"',
}

const asAnswer = (body: Uint8Array, headers: Answer['headers']): Answer =>
  headers ? { body, headers } : { body }
