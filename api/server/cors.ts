/**
 * The CORS policy: the pages of other origins that may read responses. The page itself sends the key, never the
 * browser, so any origin may be allowed, without credentials. Admin and ingest routes allow no page.
 */

import type { Request } from './listener.ts'

/** Headers that a page may read, beyond the default ones. */
const exposed = [
  'ETag',
  'Retry-After',
  'X-Request-Id',
  'X-Tier',
  'X-Data-Delay',
  'X-Recorded-Time',
  'X-Cache-Status',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Content-Disposition',
].join(', ')

/** Headers that a page may send, beyond the default ones. */
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

/** Seconds for which browsers cache a preflight. Chromium's maximum is two hours. */
const remembered = 7_200

type OriginRequest = Pick<Request, 'getHeader'>

export interface CorsPolicy {
  /** Returns the header lines of a response, each after a line break. */
  lines(request: OriginRequest): string
  /** The header lines for an unreadable request, whose origin is unknown. */
  readonly unread: string
  /** Returns the headers of the response to a preflight. @param methods of the path, like `GET, POST` */
  preflight(request: OriginRequest, methods: string): Readonly<Record<string, string>>
}

/** @param origins `*` for any */
export function createCorsPolicy(origins: '*' | readonly string[]): CorsPolicy {
  const isAny = origins === '*'
  const own = new Map(isAny ? [] : origins.map((origin) => [origin, allowing(origin)] as const))
  // Responses differ by origin, and caches on the way must know.
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
        // Lets public pages reach a service on this machine or network.
        ...(isNearby && { 'Access-Control-Allow-Private-Network': 'true' }),
      }
    },
  }
}

const varying = '\r\nVary: Origin'

const allowing = (origin: string) =>
  `\r\nAccess-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${exposed}${origin === '*' ? '' : varying}`

const toAll = allowing('*')
