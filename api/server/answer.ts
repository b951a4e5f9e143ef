/** Answers as they go out: status, headers and body, and a throw as a row of `errors.ts`. */

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Caller } from '../access/keys.ts'
import type { Allowance } from '../access/limits.ts'
import type { Accepted, Coding } from '../answer/codings.ts'
import { compressNow } from '../answer/compressor.ts'
import { ApiError, errorBody, errorHeaders, toApiError } from '../errors.ts'
import type { Answer } from '../route.ts'
import type { Response } from './listener.ts'

const idPrefix = `${randomBytes(6).toString('hex')}-`
let requestCount = 0

/** Unique over all processes; not a secret. */
const nextRequestId = () => idPrefix + ++requestCount

/** What headers say beside the answer's own. */
export interface SentHeaders {
  readonly requestId: string
  /** Which page may read it: lines of `cors.ts`. */
  readonly cors: string
  /** Of the route, see `usageFamily`. */
  readonly family: string
  /** When its request came (monotonic ms). */
  readonly beganAt: number
  caller?: Caller
  delaySeconds?: number
  allowance?: Allowance
  etag?: string
  isKept?: boolean
  /** What the client takes; absent where nothing is compressed. */
  accepted?: Accepted
  /** The body is in this coding. */
  coding?: Coding
}

/** @param cors which page may read the answer */
export const headersOfOne = (cors: string, family = 'other'): SentHeaders => ({
  requestId: nextRequestId(),
  cors,
  family,
  beganAt: performance.now(),
})

export type Send = typeof send

/** @param isLast the connection closes behind it */
export function send(response: Response, answer: Answer, headers: SentHeaders, isLast = false) {
  const { status = 200 } = answer
  let body = bodyOf(status, answer.body)
  // Answers that are worth it are compressed by now: what is left is refusals.
  if (headers.accepted?.isPlainRefused && !headers.coding && body?.length) {
    headers.coding = headers.accepted.coding!
    body = compressNow(headers.coding, Buffer.from(body))
  }
  response.send(status, headOf(answer, headers), body, isLast)
}

function bodyOf(status: number, body: Answer['body']): string | Uint8Array | null {
  if (status === 304 || status === 204) return null
  if (body === undefined) return ''
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

/**
 * What nothing else is said of is kept by nobody: accounts, refusals, answers that are made each time. A
 * cache on the way would take silence for leave.
 */
const unstored = '\r\nCache-Control: no-store'

/** The lines of headers of an answer. */
export function headOf(answer: Answer, headers: SentHeaders): string {
  const { status = 200, headers: own, body } = answer
  const isJson = body !== undefined && status !== 304 && !(own && 'Content-Type' in own)
  const isTold = own !== undefined && 'Retry-After' in own
  let lines = firstLine + headers.requestId + furtherHeaders(headers, status, isTold)
  if (isJson) lines += jsonType
  if (headers.coding) lines += codingLines[headers.coding]
  if (own && 'Cache-Control' in own) lines += headers.caller ? varying : ''
  else if (headers.etag === undefined || status >= 400) lines += unstored
  for (const name in own) lines += `\r\n${name}: ${own[name]!}`
  return lines
}

/** With the request's id, the lines that all answers have first: none is anything but what it says. */
export const firstLine =
  'X-Content-Type-Options: nosniff\r\nVary: Accept-Encoding\r\nX-Request-Id: '

const codingLines: Readonly<Record<Coding, string>> = {
  br: '\r\nContent-Encoding: br',
  gzip: '\r\nContent-Encoding: gzip',
}

const jsonType = '\r\nContent-Type: application/json; charset=utf-8'
/** For a cache that holds an answer against our word: it is that of one key. */
const varying = '\r\nVary: X-API-Key, Authorization'
const standing = `\r\nCache-Control: private, max-age=0, must-revalidate${varying}\r\nX-Cache-Status: `
const kept = `${standing}HIT`
const made = `${standing}MISS`

/**
 * The headers that follow the first, as lines of text. Nothing of a client's is in them. What is the
 * same in many answers is put together once.
 * @param isTold whether the answer itself says when to try again
 */
export function furtherHeaders(headers: SentHeaders, status: number, isTold = false): string {
  const { caller, delaySeconds = 0, allowance, etag, isKept } = headers
  let lines = caller ? headers.cors + callerLines(caller, delaySeconds) : headers.cors
  if (allowance) {
    const { limit, remaining, resetsAt, retryAfterSeconds } = allowance
    lines += `\r\nX-RateLimit-Remaining: ${remaining}${resetLine(resetsAt)}`
    if (!caller) lines += `\r\nX-RateLimit-Limit: ${limit}`
    if (status === 429 && !isTold) lines += `\r\nRetry-After: ${retryAfterSeconds}`
  }
  if (status === 503 && !isTold) lines += '\r\nRetry-After: 1'
  if (etag === undefined || status >= 400) return lines
  return `${lines}\r\nETag: ${etag}${isKept ? kept : made}`
}

const linesByCaller = new WeakMap<Caller, string>()

/** What a caller is and may, which holds for as long as the object does. */
function callerLines(caller: Caller, delaySeconds: number): string {
  let lines = linesByCaller.get(caller)
  if (lines === undefined) {
    lines = `\r\nX-Tier: ${caller.tier}\r\nX-Data-Delay: ${delaySeconds}\r\nX-RateLimit-Limit: ${caller.requestsPerMinute}`
    linesByCaller.set(caller, lines)
  }
  return lines
}

const lastReset = { at: 0, line: '' }

/** When the minute ends: the same for everybody. */
function resetLine(at: number): string {
  if (at !== lastReset.at) {
    lastReset.at = at
    lastReset.line = `\r\nX-RateLimit-Reset: ${at}`
  }
  return lastReset.line
}

/** The answer to an error that was thrown; one that nobody expected is logged. */
export function failureOf(error: unknown, requestId: string, logger: Logger): Answer {
  const known = toApiError(error)
  if (known) {
    const headers = errorHeaders(known)
    return { status: known.status, body: errorBody(known), ...(headers && { headers }) }
  }
  logger.error({ err: error, requestId }, 'request failed')
  const unexpected = new ApiError('internal_error', `Unexpected error; request ${requestId}.`)
  return { status: unexpected.status, body: errorBody(unexpected) }
}
