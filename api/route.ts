/**
 * The declaration of a route: `server.ts` checks and serves it, `openapi.ts` describes it. A route knows no sockets.
 * A **read** returns data of the views, and `reads.ts` caches and tags its response until the data changes. An
 * **action** runs for each request.
 */

import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { PageBuffer } from '../pipeline/text/page-buffer.ts'
import type { Query, QueryShape } from '../schemas/http/query.ts'
import type { ProfileRow } from '../schemas/profile.ts'
import type { Caller } from './access/keys.ts'
import type { Scope } from './access/scope.ts'
import type { RequiredFeature } from './access/tiers.ts'
import { type ErrorCode, writeErrors } from './errors.ts'
import type { AnswerShape } from './mcp/short-answer.ts'

/** The shape of a response, for the API document and for tests that check responses against it. */
export interface Described {
  /** Default: 200. */
  readonly status?: number
  readonly description: string
  /** Schema of the JSON body; absent without a JSON body. */
  readonly schema?: z.ZodType
  /** Example; default: that of the schema. */
  readonly example?: unknown
  /** Media type of the body; default JSON. For other types the schema is that of one line. */
  readonly mediaType?: string
  /** Example of the response as CSV, if a parameter can choose it. */
  readonly csv?: string
  /** Media types of the response as a file, if a parameter can choose it. */
  readonly files?: readonly string[]
}

export interface FormedParameter {
  readonly description: string
  readonly pattern: RegExp
}

type Method = 'get' | 'post' | 'patch' | 'delete'

/** The declaration that reads and actions share. */
export interface Declared<Shape extends QueryShape = QueryShape> {
  readonly method: Method
  /** Path, with `:name` for path parameters. */
  readonly path: string
  /** Its chapter in the API document. */
  readonly tag: string
  /** Summary in one line. */
  readonly summary: string
  readonly description?: string
  /** Query parameters, besides `api_key` of every route with a key. */
  readonly query: Shape
  /** Descriptions of path parameters by name. With a pattern, other values are refused. */
  readonly pathParameters?: Readonly<Record<string, string | FormedParameter>>
  /** Query parameters; a request needs at least one of them. */
  readonly needsOneOf?: readonly string[]
  /** Its response; null: it refuses each request. Error responses are derived from `errors`. */
  readonly answer: Described | null
  /** Its response with another status. */
  readonly otherAnswer?: Described
  /** Its own error codes, besides those of its access. */
  readonly errors: readonly ErrorCode[]
  /** Whether it is left out of the API document and of suggestions for unknown paths. */
  readonly isHidden?: boolean
  /** Most requests per minute and address, for a public route; absent: no limit. */
  readonly perMinute?: number
  /** Feature that an account needs. */
  readonly requires?: RequiredFeature
  /** Whether browsers open it: the token may be sent as an HTTP Basic password. */
  readonly isPage?: boolean
  /** Whether it is public for callers who may use the sandbox. Others need the admin token. */
  readonly isOfSandbox?: boolean
  /** Whether unknown parameters are ignored instead of refused. */
  readonly takesAnyQuery?: boolean
  /** Additional shapes of an error. */
  readonly refusal?: z.ZodType
  /** The tool for language models that stands for the route. */
  readonly tool?: RouteTool
}

/** A tool that stands for a route. */
export interface RouteTool {
  readonly name: string
  readonly description: string
  /** The query parameters that it takes. */
  readonly inputs: readonly string[]
  /**
   * Inputs that the tool always requires, though the route requires one of several: schemas for models have no
   * alternatives at the top level.
   */
  readonly needs?: readonly string[]
  /** Short descriptions of inputs that mean something else in other tools. */
  readonly said?: Readonly<Record<string, string>>
  readonly shape: AnswerShape
  /**
   * The input that continues where a response ends, at its `server_time`, in place of an offset. The route then keeps to
   * `ReadContext.isStep`.
   */
  readonly continuedBy?: string
  /** The tool's names of path parameters, by the route's names. */
  readonly inPath?: Readonly<Record<string, string>>
}

/**
 * Who may call the route: `public` everybody; `public-list` everybody, without a key ten times a minute; `key`
 * holders of a key; `admin` and `ingest` holders of that bearer token.
 */
export type Access = 'public' | 'public-list' | 'key' | 'admin' | 'ingest'

export interface ReadContext<Shape extends QueryShape = QueryShape> {
  readonly query: Query<Shape>
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly scope: Scope
  /** The caller's profile, if the route reads it; else an empty one. */
  readonly profile: ProfileRow
  /** Whether the reader continues at the response's `server_time`, so that nothing after that is to be in it. */
  readonly isStep?: boolean
}

/**
 * A response that stays the same until the data behind it changes, for all callers of a scope (and
 * of a profile, if the route reads it).
 */
export interface Prepared {
  /** Returns the stamp of the newest change behind the response. While it is the same, so is the response. */
  version(): number
  /**
   * Does part of the next `write`'s work in advance, one piece per step. Between pieces other work runs, and the
   * board may change. Null if it is not worthwhile.
   */
  ahead?(): Iterator<void> | null
  /** Appends the body as of now. */
  write(page: PageBuffer): Written
  /** Returns the tag, if it can be computed without the body. */
  tag?(): string
  /**
   * Returns whether the last result of `write` or `tag` is still valid although the version has changed. Only
   * implemented if that is much cheaper than writing again.
   */
  stillHolds?(): boolean
}

export interface Written {
  /** A hash of the content; absent: the body's bytes are hashed. */
  readonly tag?: string
  /** When the response changes by the clock alone (epoch ms). */
  readonly expiresAt?: number
  /** Headers of a response that is not JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ReadRoute<Shape extends QueryShape = QueryShape> extends Declared<Shape> {
  readonly kind: 'read'
  /** Whether the current `rate_limit` is added to `meta` of each response. */
  readonly tellsRateLimit?: boolean
  readonly method: 'get'
  readonly access: 'key' | 'public-list'
  /** Whether responses depend on the caller's profile. */
  readonly readsProfile?: true
  /**
   * Returns the scope at the past time that a request names. Such responses are not cached.
   * @returns null for a request about now
   * @throws ApiError
   */
  scopeThen?(
    context: ReadContext<Shape> & Pick<Admitted, 'caller' | 'charged'>,
  ): Promise<Scope> | null
  /**
   * Checks the request and plans the response.
   * @throws ApiError for an invalid request
   */
  prepare(context: ReadContext<Shape>): Prepared
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text, bytes, or an object to write as JSON; absent without a body. */
  readonly body?: string | Uint8Array | object
  /** Whether the body's bytes never change; by default they are valid only until they are sent. */
  readonly isLasting?: boolean
  /** Called when the body has been sent, but not if the client disconnects before. */
  readonly sent?: () => void
  /** Opens the stream that is sent instead of a body. Not called for HEAD. @throws ApiError */
  readonly open?: () => Promise<Readable>
  /** The opened stream. Destroyed if the client disconnects. */
  readonly stream?: Readable
}

/** A request body: `json` is parsed and checked, `bytes` are passed on. */
export interface TakenBody<Body = unknown> {
  readonly as: 'json' | 'bytes'
  readonly schema: z.ZodType<Body>
  readonly maxBytes: number
  /** Schema of one record in `bytes`: a line, or an item of a JSON array. */
  readonly record?: z.ZodType
  /** Schema of all `bytes`, for the document. The route checks it. */
  readonly whole?: z.ZodType
  /** Default: JSON. */
  readonly mediaTypes?: readonly string[]
  readonly example?: unknown
  /** Example of the body as CSV, if that is one of the media types. */
  readonly csv?: string
}

export interface ActionContext<Shape extends QueryShape = QueryShape, Body = unknown> {
  readonly query: Query<Shape>
  readonly path: Readonly<Record<string, string>>
  /** Body decoded by `body.schema`; undefined for a route without a body. */
  readonly body: Body
  /** The media type of the body, without parameters. */
  readonly contentType: string
}

interface Action<Shape extends QueryShape, Body> extends Declared<Shape> {
  readonly kind: 'action'
  readonly body?: TakenBody<Body>
}

export interface PublicAction<Shape extends QueryShape = QueryShape, Body = unknown>
  extends Action<Shape, Body> {
  readonly access: 'public' | 'admin' | 'ingest'
  /** Whether a key is optional: it is checked and counted, and gives the route a scope. */
  readonly takesKey?: true
  /** Whether it reads the board: requests are refused until that is loaded, as on routes with a key. */
  readonly readsBoard?: true
  /** Whether the headers of a response name the rights of a valid key, which is not needed and not counted. */
  readonly namesKey?: true
  /** Request headers that it reads, in lower case. */
  readonly headers?: readonly string[]
  handle(
    context: ActionContext<Shape, Body> & {
      readonly scope?: Scope | undefined
      /** Values of those headers; empty for one that was not sent. */
      readonly headers: Readonly<Record<string, string>>
    },
  ): Answer | Promise<Answer>
}

/**
 * Does long work for an account in pieces. Between pieces other work runs, and the board may change. The account pays
 * for all of it.
 * @param finish runs uninterrupted after the last piece
 * @throws ApiError work_limited if too much work of the account waits, or its processing time is used up
 * @throws ClientGoneError once the client has left
 */
export type InPieces = <Result>(
  steps: Iterator<void>,
  finish: () => Result | Promise<Result>,
) => Result | Promise<Result>

/**
 * Runs short work at the account's cost, or a part of long work that waits in between.
 * @param mustEnd whether it runs in any case, because what it answers is stored by now; default false
 * @throws ApiError work_limited once the account has overdrawn too much
 * @throws ClientGoneError once the client has left
 */
export type Charged = <Result>(work: () => Result, mustEnd?: boolean) => Result

/** The admitted caller, their scope, and functions for work at their cost. */
export interface Admitted {
  readonly caller: Caller
  readonly scope: Scope
  /** Returns the scope chosen by a request. @param books values of the parameter `books` @throws ApiError */
  readonly scopeAmong: (books: readonly string[] | undefined) => Scope
  /** The caller's profile; empty if it has none. */
  readonly profile: ProfileRow
  readonly inPieces: InPieces
  /** Needed for work after an `await` in a handler. */
  readonly charged: Charged
}

export interface KeyAction<Shape extends QueryShape = QueryShape, Body = unknown>
  extends Action<Shape, Body> {
  readonly access: 'key'
  readonly isCounting?: false
  /** Whether a former value of a key is refused though its grace period lasts, because it may have leaked. */
  readonly needsCurrentValue?: true
  handle(context: ActionContext<Shape, Body> & Admitted): Answer | Promise<Answer>
}

/**
 * An action that admits its callers itself, because its body decides how many requests it counts as and the shape of a
 * refusal.
 */
export interface CountingAction<Shape extends QueryShape = QueryShape, Body = unknown>
  extends Action<Shape, Body> {
  readonly access: 'key'
  readonly isCounting: true
  /**
   * Whether pages of other origins are refused whatever their key, as the Model Context Protocol requires. Pages of the
   * service itself, of this machine and of the origins in OVERROUND_CORS_ORIGINS may call it.
   */
  readonly isForOwnPages?: true
  /** Request headers that it reads, in lower case. */
  readonly headers: readonly string[]
  handle(
    context: ActionContext<Shape, Body> & {
      /** Values of those headers; empty for one that was not sent. */
      readonly headers: Readonly<Record<string, string>>
      /**
       * Does what waits for nothing outside and counts as no request: the account admitted so far pays for all of its
       * time, however short.
       */
      readonly timed: <Result>(work: () => Result | Promise<Result>) => Promise<Result>
      /**
       * Checks the key of the request.
       * @param isCounted whether it counts as a request of the minute
       * @throws ApiError as for other routes with a key; forbidden as `isForOwnPages` says
       */
      admit(isCounted: boolean): Admitted
    },
  ): Answer | Promise<Answer>
}

export type ActionRoute = PublicAction | KeyAction | CountingAction
export type Route = ReadRoute | ActionRoute

/** Returns the responses that are no errors. */
export const answersOf = ({ answer, otherAnswer }: Declared): readonly Described[] =>
  [answer, otherAnswer].filter((one) => one != null)

/** Declares a read. The types of `prepare`'s arguments follow from `query`. */
export function readRoute<Shape extends QueryShape>(
  route: Omit<ReadRoute<Shape>, 'kind' | 'method'>,
): ReadRoute {
  // The cast is safe because a route is called with the parameters that its own shape decoded.
  return { kind: 'read', method: 'get', ...route } as unknown as ReadRoute
}

export function keyAction<Shape extends QueryShape, Body>(
  route: Omit<KeyAction<Shape, Body>, 'kind' | 'access'>,
): ActionRoute {
  return { kind: 'action', access: 'key', ...route } as unknown as ActionRoute
}

export function openAction<Shape extends QueryShape, Body>(
  route: Omit<PublicAction<Shape, Body>, 'kind'>,
): ActionRoute {
  return { kind: 'action', ...route } as unknown as ActionRoute
}

export function countingAction<Shape extends QueryShape, Body>(
  route: Omit<CountingAction<Shape, Body>, 'kind' | 'access' | 'isCounting'>,
): ActionRoute {
  return { kind: 'action', access: 'key', isCounting: true, ...route } as unknown as ActionRoute
}

// ---- actions on what an account or the operator keeps

/** The part of such an action that its route states. The rest follows from its method and path. */
type Kept<Action extends Declared> = Omit<
  Action,
  'kind' | 'access' | 'method' | 'path' | 'tag' | 'query' | 'answer' | 'errors'
> & {
  /** Default: no parameters. */
  readonly query?: Action['query']
  readonly answer: Described
  /** Its own error codes, besides those of its access, of ids in its path and of writes. */
  readonly errors?: readonly ErrorCode[]
}

/**
 * Returns a function that declares actions below a path, for holders of a key. An id in the path may be unknown
 * (`not_found`); every method but `get` writes to the log (`writeErrors`), and is `forbidden` to a former value of a key.
 * @param ids descriptions of the ids in the paths, by name
 */
export function accountActions(path: string, ids: Readonly<Record<string, string>> = {}) {
  const declare = actionsBelow(path, ids, { tag: 'Account', access: 'key' })
  return <Shape extends QueryShape, Body>(
    method: Method,
    below: string,
    route: Kept<KeyAction<Shape, Body>>,
  ) => declare(method, below, route as Kept<KeyAction>)
}

/** The same for the holder of the admin token. */
export function adminActions(path: string, ids: Readonly<Record<string, string>> = {}) {
  const declare = actionsBelow(path, ids, { tag: 'Admin', access: 'admin' })
  return <Shape extends QueryShape, Body>(
    method: Method,
    below: string,
    route: Kept<PublicAction<Shape, Body>>,
  ) => declare(method, below, route as Kept<PublicAction>)
}

const actionsBelow =
  (
    path: string,
    pathParameters: Readonly<Record<string, string>>,
    shared: { readonly tag: string; readonly access: 'key' | 'admin' },
  ) =>
  (
    method: Method,
    below: string,
    { errors = [], ...route }: Kept<KeyAction> | Kept<PublicAction>,
  ): ActionRoute => {
    const handle = route.handle as (context: unknown) => Answer | Promise<Answer>
    const { status } = route.answer
    const ofIds = below.includes(':') ? (['not_found'] as const) : []
    const ofWrites = method === 'get' ? [] : writeErrors
    const needsCurrentValue = method !== 'get' && shared.access === 'key'
    return {
      ...{ kind: 'action', ...shared, method, path: path + below, query: {}, pathParameters },
      ...route,
      ...(needsCurrentValue && { needsCurrentValue }),
      errors: [...ofIds, ...ofWrites, ...errors],
      handle: status
        ? async (context: unknown) => ({ status, ...(await handle(context)) })
        : handle,
    } as ActionRoute
  }

/** Returns a JSON body. @param example of the API document */
export const jsonBody = <Body>(
  schema: z.ZodType<Body>,
  maxBytes: number,
  example: unknown,
): TakenBody<Body> => ({ as: 'json', schema, maxBytes, example })
