/**
 * What a route is: declared here, checked and served by `server.ts`, described by `openapi.ts`, free of
 * sockets. There are two kinds: a **read** of the views, whose answer `reads.ts` keeps, tags and
 * revalidates until the data behind it changes; and an **action**, which runs each time.
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

/** What an answer looks like, for the document and for the tests that hold answers against it. */
export interface Described {
  readonly description: string
  /** Of the JSON body; absent where there is none, or none in JSON. */
  readonly schema?: z.ZodType
  /** That of the schema when absent. */
  readonly example?: unknown
  /** Of the body; JSON when absent. The schema is then that of one line. */
  readonly mediaType?: string
  /** An example of the same as CSV, where a parameter asks for that. */
  readonly csv?: string
  /** The same as a file, where a parameter asks for that: media types. */
  readonly files?: readonly string[]
}

export interface FormedParameter {
  readonly description: string
  readonly pattern: RegExp
}

/** What is said of a route, whatever answers it. */
export interface Declared<Shape extends QueryShape = QueryShape> {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** With `:name` for path parameters. */
  readonly path: string
  /** The chapter of the document it stands in. */
  readonly tag: string
  /** One line. */
  readonly summary: string
  readonly description?: string
  /** Its query parameters; `api_key` is one of every route with a key. */
  readonly query: Shape
  /** What each path parameter is, by name; with a form, where another is refused. */
  readonly pathParameters?: Readonly<Record<string, string | FormedParameter>>
  /** Query parameters of which a request needs at least one. */
  readonly needsOneOf?: readonly string[]
  /** By status; error answers follow from `errors`. */
  readonly answers: Readonly<Record<number, Described>>
  /** Codes of its own, beside those every route of its access has. */
  readonly errors: readonly ErrorCode[]
  /** Not in the document, nor named to those who look for a path. */
  readonly isHidden?: boolean
  /** Requests a minute of one address, where it is open to everybody; absent for any number. */
  readonly perMinute?: number
  /** Only for accounts with this feature. */
  readonly requires?: RequiredFeature
  /** A browser opens it: its token may come as the password of HTTP Basic, which the browser asks for. */
  readonly isPage?: boolean
  /** It is open to everybody because the sandbox is; to whom that is shut, it is the operator's. */
  readonly isOfSandbox?: boolean
  /** Unknown parameters are ignored instead of refused. */
  readonly takesAnyQuery?: boolean
  /** Further forms that a refusal may have. */
  readonly refusal?: z.ZodType
  /** The same for language models. */
  readonly tool?: RouteTool
}

/** A tool that stands for a route. */
export interface RouteTool {
  readonly name: string
  readonly description: string
  /** The query parameters of the route that it takes. */
  readonly inputs: readonly string[]
  /**
   * Of those, the ones that it has to have where the route takes one of several: models are given
   * schemas whose top level knows no alternatives.
   */
  readonly needs?: readonly string[]
  readonly shape: AnswerShape
  /** Its name of a parameter in the path, by the name that the path has for it. */
  readonly inPath?: Readonly<Record<string, string>>
}

/**
 * Who may call: `public` everybody, `public-list` everybody, ten times a minute without a key,
 * `key` the holder of a key, `admin` and `ingest` the holder of that bearer token.
 */
export type Access = 'public' | 'public-list' | 'key' | 'admin' | 'ingest'

export interface ReadContext<Shape extends QueryShape = QueryShape> {
  readonly query: Query<Shape>
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly scope: Scope
}

/** An answer that is the same for all of a scope until the data behind it changes. */
export interface Prepared {
  /** The stamp of the newest change behind the answer: while it stays, so does the answer. */
  version(): number
  /**
   * Does part of the work of the next `write` ahead of it, a piece a step: others have their turn between two
   * pieces, and the board may change. Null where there is nothing worth it.
   */
  ahead?(): Iterator<void> | null
  /** Appends the body: as of this instant, whatever was done ahead. */
  write(page: PageBuffer): Written
  /** The tag alone, where it can be told without assembling the body. */
  tag?(): string
  /**
   * Whether the last result of `write` or `tag` still stands although the version has moved on. Only
   * where this costs much less than writing again.
   */
  stillHolds?(): boolean
}

export interface Written {
  /** A hash of the content; absent: the body's bytes are hashed. */
  readonly tag?: string
  /** When the answer would change by the clock alone (epoch ms). */
  readonly expiresAt?: number
  /** For what is not JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ReadRoute<Shape extends QueryShape = QueryShape> extends Declared<Shape> {
  readonly kind: 'read'
  /** Puts `rate_limit` into `meta`, of each answer anew. */
  readonly tellsRateLimit?: boolean
  readonly method: 'get'
  readonly access: 'key' | 'public-list'
  /**
   * The scope as it was at the instant a request asks about, of a route that can be asked about the
   * past. Such an answer is made each time.
   * @returns null for a request about now
   * @throws ApiError
   */
  scopeThen?(context: ReadContext<Shape> & Pick<Admitted, 'caller'>): Promise<Scope> | null
  /**
   * Checks the request and plans the answer.
   * @throws ApiError for what cannot be asked
   */
  prepare(context: ReadContext<Shape>): Prepared
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text, bytes, or an object to be written as JSON; absent for an answer without a body. */
  readonly body?: string | Uint8Array | object
  /** Called once the bytes of the body are needed no more; not where the client has gone before. */
  readonly sent?: () => void
  /** In place of a body: one that is sent while it is made. It is destroyed when the client goes. */
  readonly stream?: Readable
}

/** The body that a route takes: `json` is parsed and checked, `bytes` are handed over. */
export interface TakenBody<Body = unknown> {
  readonly as: 'json' | 'bytes'
  readonly schema: z.ZodType<Body>
  readonly maxBytes: number
  /** What `bytes` consist of: one record a line, or the members of a JSON array. */
  readonly record?: z.ZodType
  /** What `bytes` are as a whole, for the document; the route itself holds them against it. */
  readonly whole?: z.ZodType
  /** Default: JSON. */
  readonly mediaTypes?: readonly string[]
  readonly example?: unknown
  /** An example of the same as CSV, where that is one of the media types. */
  readonly csv?: string
}

export interface ActionContext<Shape extends QueryShape = QueryShape, Body = unknown> {
  readonly query: Query<Shape>
  readonly path: Readonly<Record<string, string>>
  /** As `body.schema` decodes it; undefined for a route that takes none. */
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
  /** A key may come, and gives the route a scope; one that comes is checked and counted. */
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
 * Does long work of one account a piece at a time: others have their turn between two pieces, and the board
 * may change. The account is charged for all of it.
 * @param finish done in one go, behind the last step
 * @throws ApiError work_limited when too much of the account waits, or it has no credit left
 */
export type InPieces = <Result>(
  steps: Iterator<void>,
  finish: () => Result | Promise<Result>,
) => Result | Promise<Result>

/** Who was let in, what they see, and how long work is done for them. */
export interface Admitted {
  readonly caller: Caller
  readonly scope: Scope
  readonly inPieces: InPieces
  /** Short work in one go at the account's cost; what follows an `await` in a handler has no other payer. */
  charged<Result>(work: () => Result): Result
}

export interface KeyAction<Shape extends QueryShape = QueryShape, Body = unknown>
  extends Action<Shape, Body> {
  readonly access: 'key'
  readonly isCounting?: false
  handle(context: ActionContext<Shape, Body> & Admitted): Answer | Promise<Answer>
}

/**
 * An action that admits its callers itself, because its body decides how many requests it counts as,
 * and which form a refusal has.
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
       * @param isCounted whether that takes a request of its minute
       * @throws ApiError as for any other route with a key
       */
      admit(isCounted: boolean): Admitted
    },
  ): Answer | Promise<Answer>
}

export type ActionRoute = PublicAction | KeyAction | CountingAction
export type Route = ReadRoute | ActionRoute

/** Declares a route; what `prepare` and `handle` get follows from `query` and `body`. */
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
