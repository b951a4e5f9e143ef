/**
 * The declaration of a route: `server.ts` checks and serves it, `openapi.ts` describes it. A route knows no sockets. A
 * **read** answers from the views, and `reads.ts` caches and tags its answer until the data changes. An **action** runs
 * for each request.
 */

import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { PageBuffer } from '../pipeline/text/page-buffer.ts'
import type { Query, QueryShape } from '../schemas/http/query.ts'
import type { Caller } from './access/keys.ts'
import type { Scope } from './access/scope.ts'
import type { RequiredFeature } from './access/tiers.ts'
import type { ErrorCode } from './errors.ts'
import type { AnswerShape } from './mcp/short-answer.ts'

/** The shape of an answer, for the API document and for tests that check answers against it. */
export interface Described {
  readonly description: string
  /** Schema of the JSON body; absent without a JSON body. */
  readonly schema?: z.ZodType
  /** Default: the example of the schema. */
  readonly example?: unknown
  /** Media type of the body; default JSON. For other types the schema is that of one line. */
  readonly mediaType?: string
  /** Example of the answer as CSV, when a parameter can choose it. */
  readonly csv?: string
  /** Media types of the answer as a file, when a parameter can choose it. */
  readonly files?: readonly string[]
}

export interface FormedParameter {
  readonly description: string
  readonly pattern: RegExp
}

/** The declaration that reads and actions share. */
export interface Declared<Shape extends QueryShape = QueryShape> {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** With `:name` for path parameters. */
  readonly path: string
  /** Its chapter in the API document. */
  readonly tag: string
  /** One line. */
  readonly summary: string
  readonly description?: string
  /** Query parameters, besides `api_key` of every route with a key. */
  readonly query: Shape
  /** Descriptions of path parameters by name; with a pattern, other values are refused. */
  readonly pathParameters?: Readonly<Record<string, string | FormedParameter>>
  /** Query parameters of which a request needs at least one. */
  readonly needsOneOf?: readonly string[]
  /** By status; error answers follow from `errors`. */
  readonly answers: Readonly<Record<number, Described>>
  /** Its own error codes, besides those of its access. */
  readonly errors: readonly ErrorCode[]
  /** Left out of the API document and of suggestions for unknown paths. */
  readonly isHidden?: boolean
  /** Limit of requests per minute and address, for a public route; absent: no limit. */
  readonly perMinute?: number
  /** Only for accounts with this feature. */
  readonly requires?: RequiredFeature
  /** Browsers open it: the token may come as an HTTP Basic password. */
  readonly isPage?: boolean
  /** Public for callers who may use the sandbox; for others it needs the admin token. */
  readonly isOfSandbox?: boolean
  /** Unknown parameters are ignored instead of refused. */
  readonly takesAnyQuery?: boolean
  /** Further shapes of a refusal. */
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
   * The required ones of them, when the route takes one of several: schemas for models have no alternatives at the top
   * level.
   */
  readonly needs?: readonly string[]
  readonly shape: AnswerShape
  /** The tool's names of path parameters, by the route's names. */
  readonly inPath?: Readonly<Record<string, string>>
}

/**
 * Who may call: `public` everybody; `public-list` everybody, without a key ten times a minute; `key` holders of a key;
 * `admin` and `ingest` holders of that bearer token.
 */
export type Access = 'public' | 'public-list' | 'key' | 'admin' | 'ingest'

export interface ReadContext<Shape extends QueryShape = QueryShape> {
  readonly query: Query<Shape>
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly scope: Scope
}

/** An answer that is the same for all callers of a scope until the data behind it changes. */
export interface Prepared {
  /** The stamp of the newest change behind the answer: while it is the same, so is the answer. */
  version(): number
  /**
   * Does part of the next `write`'s work in advance, one piece per step. Between pieces other work runs, and the board may
   * change. Null when it is not worth it.
   */
  ahead?(): Iterator<void> | null
  /** Appends the body as of now. */
  write(page: PageBuffer): Written
  /** The tag, if it can be computed without the body. */
  tag?(): string
  /**
   * Whether the last result of `write` or `tag` is still valid although the version has changed. Only if that is much
   * cheaper than writing again.
   */
  stillHolds?(): boolean
}

export interface Written {
  /** A hash of the content; absent: the body's bytes are hashed. */
  readonly tag?: string
  /** When the answer changes by the clock alone (epoch ms). */
  readonly expiresAt?: number
  /** Headers of an answer that is not JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ReadRoute<Shape extends QueryShape = QueryShape> extends Declared<Shape> {
  readonly kind: 'read'
  /** Adds the present `rate_limit` to `meta` of each answer. */
  readonly tellsRateLimit?: boolean
  readonly method: 'get'
  readonly access: 'key' | 'public-list'
  /**
   * The scope at a past time that the request names. Such answers are not cached.
   * @returns null for a request about now
   * @throws ApiError
   */
  scopeThen?(context: ReadContext<Shape> & Pick<Admitted, 'caller'>): Promise<Scope> | null
  /**
   * Checks the request and plans the answer.
   * @throws ApiError for a bad request
   */
  prepare(context: ReadContext<Shape>): Prepared
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text, bytes, or an object to write as JSON; absent without a body. */
  readonly body?: string | Uint8Array | object
  /** Called when the body has been sent; not if the client disconnects before. */
  readonly sent?: () => void
  /** Streams a body instead. Destroyed when the client disconnects. */
  readonly stream?: Readable
}

/** The request body: `json` is parsed and checked, `bytes` are passed on. */
export interface TakenBody<Body = unknown> {
  readonly as: 'json' | 'bytes'
  readonly schema: z.ZodType<Body>
  readonly maxBytes: number
  /** Schema of one record in `bytes`: a line, or an item of a JSON array. */
  readonly record?: z.ZodType
  /** Schema of all of `bytes`, for the document; the route checks it. */
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
  /** As decoded by `body.schema`; undefined for a route without a body. */
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
  /** A key is optional: it is checked and counted, and gives the route a scope. */
  readonly takesKey?: true
  /** Headers of the request that it looks at, in lower case. */
  readonly headers?: readonly string[]
  handle(
    context: ActionContext<Shape, Body> & {
      readonly scope?: Scope | undefined
      /** Of those headers; empty for one that was not sent. */
      readonly headers: Readonly<Record<string, string>>
    },
  ): Answer | Promise<Answer>
}

/**
 * Does long work for an account in pieces. Between pieces other work runs, and the board may change. The account pays
 * for all of it.
 * @param finish runs in one go after the last piece
 * @throws ApiError work_limited when too much work of the account waits, or its processing time is used up
 */
export type InPieces = <Result>(
  steps: Iterator<void>,
  finish: () => Result | Promise<Result>,
) => Result | Promise<Result>

/** The admitted caller, their scope, and work at their cost. */
export interface Admitted {
  readonly caller: Caller
  readonly scope: Scope
  /** The scope as a request chose it. @param books values of the parameter `books` @throws ApiError */
  readonly scopeAmong: (books: readonly string[] | undefined) => Scope
  readonly inPieces: InPieces
  /** Runs short work at the account's cost; needed for work after an `await` in a handler. */
  charged<Result>(work: () => Result): Result
}

export interface KeyAction<Shape extends QueryShape = QueryShape, Body = unknown>
  extends Action<Shape, Body> {
  readonly access: 'key'
  readonly isCounting?: false
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
  /** Headers of the request that it looks at, in lower case. */
  readonly headers: readonly string[]
  handle(
    context: ActionContext<Shape, Body> & {
      /** Of those headers; empty for one that was not sent. */
      readonly headers: Readonly<Record<string, string>>
      /**
       * Checks the key of the request.
       * @param isCounted whether it counts as a request of the minute
       * @throws ApiError as for other routes with a key
       */
      admit(isCounted: boolean): Admitted
    },
  ): Answer | Promise<Answer>
}

export type ActionRoute = PublicAction | KeyAction | CountingAction
export type Route = ReadRoute | ActionRoute

/** Declares a read. The types of `prepare`'s arguments follow from `query`. */
export function readRoute<Shape extends QueryShape>(
  route: Omit<ReadRoute<Shape>, 'kind' | 'method'>,
): ReadRoute {
  // A route is called with what its own shape decoded.
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
