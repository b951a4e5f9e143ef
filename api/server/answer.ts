/** Writes responses: status, headers, body. Converts errors to responses by `errors.ts`. */

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Caller } from '../access/keys.ts'
import type { Allowance } from '../access/limits.ts'
import type { Accepted, Coding } from '../answer/codings.ts'
import { compressNow } from '../answer/compressor.ts'
import { ApiError, errorBody, errorHeaders, toApiError } from '../errors.ts'
import type { Answer } from '../route.ts'
import type { Response } from './listener.ts'

const idPrefix = `${randomBytes(6).toString('hex')}-`
let requestCount = 0

/** Returns an id that is unique across all processes. */
const nextRequestId = () => idPrefix + ++requestCount

/** Values of a response's common headers. */
export interface SentHeaders {
  readonly requestId: string
  /** Header lines of `cors.ts`. */
  readonly cors: string
  /** The route's family, see `usageFamily`. */
  readonly family: string
  /** When the request arrived (monotonic ms). */
  readonly beganAt: number
  caller: Caller | undefined
  delaySeconds: number
  allowance: Allowance | undefined
  /**
   * The time of a recording that is replayed (epoch ms): ages of prices and starts of games use it.
   */
  recordedAt: number | undefined
  etag: string | undefined
  isKept: boolean
  /** Codings that the client accepts; undefined: do not compress. */
  accepted: Accepted | undefined
  /** Coding of the body; undefined for a plain one. */
  coding: Coding | undefined
}

/** @param cors header lines of `cors.ts` */
export const headersOfOne = (cors: string, family = 'other'): SentHeaders => ({
  requestId: nextRequestId(),
  cors,
  family,
  beganAt: performance.now(),
  // The headers of all requests have one shape.
  caller: undefined,
  delaySeconds: 0,
  allowance: undefined,
  recordedAt: undefined,
  etag: undefined,
  isKept: false,
  accepted: undefined,
  coding: undefined,
})

export type Send = typeof send

/** @param isLast close the connection afterwards */
export function send(response: Response, answer: Answer, headers: SentHeaders, isLast = false) {
  const { status = 200 } = answer
  let body = bodyOf(status, answer.body)
  // Large responses are compressed already. This concerns errors for a client that refuses plain bodies.
  if (headers.accepted?.isPlainRefused && !headers.coding && body?.length) {
    headers.coding = headers.accepted.coding!
    body = compressNow(headers.coding, Buffer.from(body))
  }
  const { caller } = headers
  response.send(status, headOf(answer, headers), body, isLast, caller?.accountId, answer.isLasting)
}

function bodyOf(status: number, body: Answer['body']): string | Uint8Array | null {
  if (status === 304 || status === 204) return null
  if (body === undefined) return ''
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

/**
 * The default for accounts, errors and uncached responses, because caches on the way store responses without a rule.
 */
const unstored = '\r\nCache-Control: no-store'

/** Returns the header lines of a response. */
export function headOf(answer: Answer, headers: SentHeaders): string {
  const { status = 200, headers: own, body } = answer
  const isJson = body !== undefined && status !== 304 && !(own && 'Content-Type' in own)
  const hasRetryAfter = own !== undefined && 'Retry-After' in own
  let lines = firstLine + headers.requestId + furtherHeaders(headers, status, hasRetryAfter)
  if (isJson) lines += jsonType
  if (headers.coding) lines += codingLines[headers.coding]
  if (own && 'Cache-Control' in own) lines += headers.caller ? varying : ''
  else if (headers.etag === undefined || status >= 400) lines += unstored
  for (const name in own) lines += `\r\n${name}: ${own[name]!}`
  return lines
}

/** The first header lines of all responses. The request's id follows. */
export const firstLine =
  'X-Content-Type-Options: nosniff\r\nVary: Accept-Encoding\r\nX-Request-Id: '

const codingLines: Readonly<Record<Coding, string>> = {
  br: '\r\nContent-Encoding: br',
  gzip: '\r\nContent-Encoding: gzip',
}

const jsonType = '\r\nContent-Type: application/json; charset=utf-8'
/** For a cache that stores a response anyway: it belongs to one key. */
const varying = '\r\nVary: X-API-Key, Authorization'
const revalidated = `\r\nCache-Control: private, max-age=0, must-revalidate${varying}\r\nX-Cache-Status: `
const hit = `${revalidated}HIT`
const miss = `${revalidated}MISS`

/**
 * Returns the header lines after the first. They contain no text from a client. Lines that many responses share are
 * built once.
 * @param hasRetryAfter whether the response has its own Retry-After
 */
export function furtherHeaders(
  headers: SentHeaders,
  status: number,
  hasRetryAfter = false,
): string {
  const { caller, delaySeconds, allowance, recordedAt, etag, isKept } = headers
  let lines = caller ? headers.cors + callerLines(caller, delaySeconds) : headers.cors
  if (recordedAt !== undefined) lines += `\r\nX-Recorded-Time: ${isoTime(recordedAt)}`
  if (allowance) {
    const { limit, remaining, resetsAt, retryAfterSeconds } = allowance
    lines += `\r\nX-RateLimit-Remaining: ${remaining}${resetLine(resetsAt)}`
    if (!caller) lines += `\r\nX-RateLimit-Limit: ${limit}`
    if (status === 429 && !hasRetryAfter) lines += `\r\nRetry-After: ${retryAfterSeconds}`
  }
  if (status === 503 && !hasRetryAfter) lines += '\r\nRetry-After: 1'
  if (etag === undefined || status >= 400) return lines
  return `${lines}\r\nETag: ${etag}${isKept ? hit : miss}`
}

const linesByCaller = new WeakMap<Caller, string>()

/** Returns a caller's lines, cached for the lifetime of the object. */
function callerLines(caller: Caller, delaySeconds: number): string {
  let lines = linesByCaller.get(caller)
  if (lines === undefined) {
    lines = `\r\nX-Tier: ${caller.tier}\r\nX-Data-Delay: ${delaySeconds}\r\nX-RateLimit-Limit: ${caller.requestsPerMinute}`
    linesByCaller.set(caller, lines)
  }
  return lines
}

const lastReset = { at: 0, line: '' }

/** Returns the line with the end of the minute, the same for all. @param at epoch seconds */
function resetLine(at: number): string {
  if (at !== lastReset.at) {
    lastReset.at = at
    lastReset.line = `\r\nX-RateLimit-Reset: ${at}`
  }
  return lastReset.line
}

/** Returns the response to a thrown error. Logs unexpected ones. */
export function failureOf(error: unknown, requestId: string, logger: Logger): Answer {
  const known = toApiError(error)
  if (known) return refusal(known)
  logger.error({ err: error, requestId }, 'request failed')
  return refusal(new ApiError('internal_error', `Unexpected error; request ${requestId}.`))
}

function refusal(error: ApiError): Answer {
  const headers = errorHeaders(error)
  return { status: error.status, body: errorBody(error), ...(headers && { headers }) }
}
