/** What a route is: declared here, served by `server.ts`, free of sockets. */

import type { Caller, Keyring } from './access/keys.ts'
import type { Scope } from './access/scope.ts'
import type { Boards } from './boards.ts'
import type { Params } from './params.ts'

/** What routes read. */
export interface Services {
  readonly boards: Boards
  readonly keyring: Keyring
  readonly clock: () => number
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text, bytes (sent before the next request is handled, so a reused buffer will do), or an object to be written as JSON. */
  readonly body: string | Uint8Array | object
}

export interface RequestContext {
  readonly services: Services
  /** Path parameters by name, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly params: Params
  /** Request headers by lower-case name; only those in `server.ts`'s list are kept. */
  header(name: string): string
}

export interface AuthenticatedContext extends RequestContext {
  readonly caller: Caller
  readonly scope: Scope
}

interface Declared {
  readonly method: 'get' | 'post'
  /** With `:name` for path parameters. */
  readonly path: string
}

/** Open to everybody. */
export interface PublicRoute extends Declared {
  readonly access: 'public'
  handle(context: RequestContext): Answer
}

/** For the holder of a key, within the scope of its tier. */
export interface KeyRoute extends Declared {
  readonly access: 'key'
  handle(context: AuthenticatedContext): Answer
}

/** For the holder of a bearer token; takes a body. */
export interface TokenRoute extends Declared {
  readonly access: 'token'
  readonly maxBodyBytes: number
  /** Called before the body is read. @throws ApiError unauthorized */
  authorize(token: string): void
  handle(context: RequestContext, body: Buffer): Promise<Answer>
}

export type Route = PublicRoute | KeyRoute | TokenRoute
