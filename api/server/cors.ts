/**
 * Which pages of other origins may read answers (the Fetch standard's CORS protocol). A key is sent by the
 * page itself and never by the browser of its own accord, so any origin may be let in, without credentials.
 * The operator's routes, admin and ingest, are for no page.
 */

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

export interface CorsPolicy {
  /**
   * The header lines of an answer, each after a line break; empty where the page may not read it.
   * @param origin the header `Origin`, empty where there is none
   */
  lines(origin: string): string
  /** Those of the answer to a preflight. @param methods as in `GET, POST` */
  preflight(
    origin: string,
    methods: string,
    isPrivateNetwork: boolean,
  ): Readonly<Record<string, string>>
}

/** @param origins `*` for any */
export function createCorsPolicy(origins: '*' | readonly string[]): CorsPolicy {
  const own = new Map(
    origins === '*' ? [] : origins.map((origin) => [origin, allowing(origin)] as const),
  )
  const any = allowing('*')
  // Answers differ by origin then, which caches on the way have to know.
  const none = origins === '*' || origins.length === 0 ? '' : '\r\nVary: Origin'
  const lines = (origin: string) => (origins === '*' ? any : (own.get(origin) ?? none))
  return {
    lines,
    preflight(origin, methods, isPrivateNetwork) {
      const allowed = origins === '*' ? '*' : own.has(origin) ? origin : null
      if (allowed === null) return { Vary: 'Origin' }
      return {
        'Access-Control-Allow-Origin': allowed,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': sendable,
        'Access-Control-Max-Age': String(remembered),
        // A page of the public web may reach a service on this machine or network.
        ...(isPrivateNetwork && { 'Access-Control-Allow-Private-Network': 'true' }),
        ...(origins !== '*' && { Vary: 'Origin' }),
      }
    },
  }
}

const allowing = (origin: string) =>
  `\r\nAccess-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${exposed}` +
  (origin === '*' ? '' : '\r\nVary: Origin')
