/**
 * The HTTP server: puts routes, pages and streams on their paths. `read-requests.ts` and `action-requests.ts` handle
 * requests; the listener (`listener.ts`) owns the sockets.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { listenFailure } from '../../pipeline/process/listen-failure.ts'
import { StartError } from '../../pipeline/settings/config.ts'
import type { Keyring } from '../access/keys.ts'
import { type Sharing, unshared } from '../access/limits.ts'
import { createRefusedKeys } from '../access/refused-keys.ts'
import { refusedPerMinute } from '../access/tiers.ts'
import type { UsageCounter } from '../access/usage.ts'
import type { WorkBudget } from '../access/work-budget.ts'
import { type Accepted, acceptedCoding, plain } from '../answer/codings.ts'
import { createCompressor } from '../answer/compressor.ts'
import { createReads } from '../answer/reads.ts'
import type { Boards } from '../boards.ts'
import { ApiError, toApiError } from '../errors.ts'
import type { Readiness } from '../readiness.ts'
import type { Answer, Route } from '../route.ts'
import type { Streams } from '../stream/streams.ts'
import { type StaticFile, unknownPath } from '../web/static-file.ts'
import { createActionHandlers } from './action-requests.ts'
import { createAdmission } from './admission.ts'
import { failureOf, headersOfOne, type SentHeaders, send as sendAnswer } from './answer.ts'
import { createClientOf } from './client.ts'
import { createCodeAnswer } from './coded-answer.ts'
import { type ConnectionCap, uncapped } from './connection-cap.ts'
import { createCorsPolicy } from './cors.ts'
import type { Front } from './front.ts'
import { guardHosts } from './host-guard.ts'
import type { Handler, OpenListener, Request, Response, ServedPath } from './listener.ts'
import { createNoRoute, rootPaths } from './no-route.ts'
import { createCharged, createPieces } from './pieces.ts'
import { createReadHandlers } from './read-requests.ts'
import { createSandboxDoor } from './sandbox-door.ts'
import { createScheduler } from './scheduler.ts'
import { serveFile } from './serve-file.ts'
import { createStreamSockets, ssePaths, websocketPaths } from './stream-sockets.ts'
import { type Traffic, uncounted } from './traffic.ts'
import { createUnderWay } from './under-way.ts'
import { createUnsent } from './unsent.ts'

export interface Server {
  readonly port: number
  /** Sends `Connection: close` with every further response, so that load balancers move on. */
  retire(): void
  /**
   * Accepts no more connections and ends the streams. Closes once open requests have their responses, or after
   * `closingTimeoutMs`.
   */
  close(): Promise<void>
}

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly routes: readonly Route[]
  /**
   * Files served besides the routes. A page at the root gets requests there that are not for a stream. Default: none.
   */
  readonly pages?: readonly StaticFile[]
  /** Whether prices are simulated now, as pages say; default never. */
  readonly isSimulated?: () => boolean
  readonly boards: Boards
  readonly readiness: Readiness
  readonly keyring: Keyring
  readonly usage: UsageCounter
  /** Returns how processes share the limits of keys; default: not shared. */
  readonly sharing?: () => Sharing
  readonly streams: Streams
  /** The operator's tokens; null closes the routes that need one. */
  readonly tokens: { readonly admin: string | null; readonly ingest: string | null }
  /** See `cors.ts`. */
  readonly corsOrigins: '*' | readonly string[]
  /** Allowed host names, see `host-guard.ts`; null for any. */
  readonly hosts: readonly string[] | null
  /** Whether the sandbox is for requests of this machine only, see `sandbox-door.ts`; default false. */
  readonly isSandboxHereOnly?: boolean
  /** See `client-address.ts`. */
  readonly trustedProxies: readonly string[]
  readonly clock: () => number
  readonly logger: Logger
  /** Default: uncounted. */
  readonly traffic?: Traffic
  readonly openListener: OpenListener
  /** Default: no limit. */
  readonly connectionCap?: ConnectionCap
  /** Memory for cached bodies. */
  readonly bodyBytes?: number
  /** Unread bytes of all clients, beyond which the client with most is cut off. */
  readonly unsentBytes?: number
  /** Whether to compress for clients that accept it; default true. */
  readonly isCompressing?: boolean
  /** Time limit of a body. A slower one is cut off. */
  readonly bodyTimeoutMs?: number
  /** Longest wait of `close` for open requests. */
  readonly closingTimeoutMs?: number
  readonly budget: WorkBudget
}

const defaultBodyBytes = 64 * 1024 * 1024

const defaultBodyTimeoutMs = 30_000
const defaultClosingTimeoutMs = 5_000

/** @throws StartError if it cannot listen on the address */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { host, port, routes, boards, keyring, usage, streams, tokens, clock, logger } = options
  const { readiness } = options
  const { bodyTimeoutMs = defaultBodyTimeoutMs } = options
  const { closingTimeoutMs = defaultClosingTimeoutMs } = options
  const { isCompressing = true, pages = [], isSimulated = () => false } = options
  const { budget } = options
  const scheduler = createScheduler(() => performance.now(), setImmediate)
  const { scopes } = streams
  const compressor = createCompressor()
  const code = createCodeAnswer(compressor)
  const acceptedBy = (request: Request): Accepted =>
    isCompressing ? acceptedCoding(request.getHeader('accept-encoding')) : plain
  const refused = createRefusedKeys(refusedPerMinute, logger)
  const { sharing = () => unshared } = options
  const admission = createAdmission({ readiness, keyring, usage, sharing, refused, tokens })
  const { traffic = uncounted } = options

  function begun(headers: SentHeaders, status = 200) {
    const { requestId, family, beganAt } = headers
    if (boards.isRecorded) headers.recordedAt = boards.now()
    const tookMs = performance.now() - beganAt
    traffic.answered(family, status, tookMs / 1_000)
    if (logger.isLevelEnabled('debug')) {
      logger.debug({ requestId, family, status, tookMs }, 'answered')
    }
  }

  function send(response: Response, answer: Answer, headers: SentHeaders, isLast = false) {
    begun(headers, answer.status)
    sendAnswer(response, answer, headers, isLast)
  }

  function failure(error: unknown, { requestId, caller }: SentHeaders): Answer {
    traffic.failed(toApiError(error)?.code ?? 'internal_error')
    return budget.run(caller, () => {
      const answer = failureOf(error, requestId, logger)
      // Suggestions are computed as they are written.
      return { ...answer, body: JSON.stringify(answer.body) }
    })
  }

  const underWay = createUnderWay()
  const door = createSandboxDoor(
    options.isSandboxHereOnly ?? false,
    options.corsOrigins,
    options.hosts ?? [],
    logger,
  )
  const cors = createCorsPolicy(options.corsOrigins)
  const clientOf = createClientOf(options.trustedProxies)
  const piecesOf = createPieces({ scheduler, budget, boards })
  const chargedTo = createCharged(budget)
  const front: Front = {
    ...{ admission, budget, clientOf, clock, code, cors, door, logger, underWay },
    ...{ acceptedBy, begun, chargedTo, failure, piecesOf, send },
  }
  const reads = createReadHandlers(front, {
    reads: createReads({ bodyBytes: options.bodyBytes ?? defaultBodyBytes, compressor }),
    scopes,
    boardTime: () => boards.now(),
  })
  const actions = createActionHandlers(front, {
    scopes,
    bodyTimeoutMs,
    hasAdminToken: tokens.admin !== null,
  })
  const files = new Map(pages.map((file) => [file.path, servePage(file)]))
  const noRoute = createNoRoute(routes, {
    ...front,
    recognise(response, request, headers) {
      const key = door.keyOf(request, request.getQuery() ?? '')
      admission.recognise(key, clock(), headers, clientOf(response, request))
    },
    files: [...files.keys()],
    unknownPage: files.get(unknownPath),
  })
  const unsent = createUnsent(options.unsentBytes, (holder) =>
    logger.warn(
      { holder },
      'connections are cut off: their clients read too few of their responses',
    ),
  )
  const sockets = createStreamSockets({ ...front, streams, isCompressing })

  const paths: ServedPath[] = []
  const serve = (method: ServedPath['method'], path: string, handle: Handler) => {
    paths.push({ method, path, handle })
  }

  for (const route of routes) {
    const { method, path } = route
    const handle = route.kind === 'read' ? reads(route) : actions(route)
    serve(method, path, handle)
    // HEAD works wherever GET does.
    if (method === 'get') serve('head', path, handle)
  }
  for (const { path, channel } of ssePaths) serve('get', path, sockets.sse(path, channel))
  for (const path of websocketPaths.slice(1)) serve('get', path, noRoute.websocket)
  for (const path of rootPaths) serve('get', path, noRoute.root(files.get(path)))
  for (const [path, handle] of files) {
    if (!rootPaths.includes(path)) serve('get', path, handle)
    serve('head', path, handle)
  }

  function servePage(file: StaticFile): Handler {
    const { withoutSandbox, whenSimulated } = file
    const handle = serveFile(file, acceptedBy)
    if (!withoutSandbox && !whenSimulated) return handle
    const outside = withoutSandbox && servePage(withoutSandbox)
    const simulated = whenSimulated && servePage(whenSimulated)
    return (response, request) => {
      const inside = simulated && isSimulated() ? simulated : handle
      const chosen = outside && door.isShutTo(request) ? outside : inside
      chosen(response, request)
    }
  }

  function serveMisframed(response: Response) {
    const message = 'Ambiguous length: send one Content-Length, or Transfer-Encoding: chunked only.'
    const headers = headersOfOne(cors.unread)
    const error = new ApiError('validation_error', message)
    send(response, failure(error, headers), headers, true)
  }

  const { websockets } = sockets
  const { otherwise } = noRoute
  const { unread } = cors
  const served = { paths, websocketPaths, websockets, otherwise, misframed: serveMisframed, unread }
  const { hosts } = options
  const listener = await options.openListener(
    { host, port },
    hosts ? guardHosts(served, hosts, logger, door.isForwarded) : served,
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
        underWay.whenIdle().then(unsent.whenEmpty),
        delay(lastRequestsMs, undefined, timer),
      ])
      await Promise.race([drained, answered, delay(closingTimeoutMs, undefined, timer)])
      listener.close()
    },
  }
}

/** Time for a kept-alive connection to send its last request, and for streams to get `service_stopping`. */
const lastRequestsMs = 1_000
const timer = { ref: false }
