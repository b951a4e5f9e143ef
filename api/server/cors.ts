/**
 * Which pages of other origins may read answers (the Fetch standard's CORS protocol). A key is sent by the
 * page itself and never by the browser of its own accord, so any origin may be let in, without credentials.
 * The operator's routes, admin and ingest, are for no page.
 */

import type { Request } from './listener.ts'

/** Headers a page may read beside those that it may always read. */
const exposed = [
  'ETag',
  'Retry-After',
  'X-Request-Id',
  'X-Tier',
  'X-Data-Delay',
  'X-Cache-Status',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Content-Disposition',
].join(', ')

/** Headers a page may send; browsers ask for each that is not one of a plain form's. */
const sendable = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Content-Encoding',
  'If-None-Match',
  'Last-Event-ID',
  'Cache-Control',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
].join(', ')

/** Seconds for which a browser need not ask again; two hours is the most that Chromium takes. */
const remembered = 7_200

type OriginRequest = Pick<Request, 'getHeader'>

export interface CorsPolicy {
  /** The header lines of an answer, each after a line break. */
  lines(request: OriginRequest): string
  /** The same where the request could not be read, so that nobody knows its origin. */
  readonly unread: string
  /** The headers of an answer to a preflight. @param methods what the path takes, as in `GET, POST` */
  preflight(request: OriginRequest, methods: string): Readonly<Record<string, string>>
}

/** @param origins `*` for any */
export function createCorsPolicy(origins: '*' | readonly string[]): CorsPolicy {
  const isAny = origins === '*'
  const own = new Map(isAny ? [] : origins.map((origin) => [origin, allowing(origin)] as const))
  // Where answers differ by origin, caches on the way have to know.
  const others = own.size === 0 ? '' : varying
  return {
    unread: isAny ? toAll : others,
    lines: isAny ? () => toAll : (request) => own.get(request.getHeader('origin')) ?? others,
    preflight(request, methods) {
      const origin = request.getHeader('origin')
      if (origin === '' || !(isAny || own.has(origin))) return {}
      const isNearby = request.getHeader('access-control-request-private-network') === 'true'
      return {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': sendable,
        'Access-Control-Max-Age': String(remembered),
        // A page of the public web may reach a service on this machine or network.
        ...(isNearby && { 'Access-Control-Allow-Private-Network': 'true' }),
      }
    },
  }
}

const varying = '\r\nVary: Origin'

const allowing = (origin: string) =>
  `\r\nAccess-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${exposed}${origin === '*' ? '' : varying}`

const toAll = allowing('*')
