/** Answers as they go out: status, headers and body, and a throw as a row of `errors.ts`. */

import type uws from 'uWebSockets.js'
import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Logger } from 'pino'
import type { Caller } from '../access/keys.ts'
import type { Allowance } from '../access/limits.ts'
import { ApiError, errorBody, toApiError } from '../errors.ts'
import type { Answer } from '../routes/route.ts'

const idPrefix = `${randomBytes(6).toString('hex')}-`
let requestCount = 0

/** Unique over all processes; not a secret. */
export const nextRequestId = () => idPrefix + ++requestCount

/** What headers say beside the answer's own. */
export interface SentHeaders {
  readonly requestId: string
  caller?: Caller
  delaySeconds?: number
  allowance?: Allowance
  etag?: string
  isKept?: boolean
}

/** What `send` needs of a response. */
type Sent = Pick<uws.HttpResponse, 'writeStatus' | 'writeHeader' | 'end' | 'endWithoutBody'>

/** A response that sends its headers alone. */
export function withoutBody(response: uws.HttpResponse): uws.HttpResponse {
  const bodiless: Sent & Pick<uws.HttpResponse, 'cork' | 'onAborted' | 'getRemoteAddressAsText'> = {
    writeStatus: (status) => response.writeStatus(status),
    writeHeader: (name, value) => response.writeHeader(name, value),
    // With the length as an argument, the package waits for the bytes that do not come.
    end: (body) =>
      response.writeHeader('Content-Length', String(byteLength(body))).endWithoutBody(),
    endWithoutBody: () => response.endWithoutBody(),
    cork: (write) => response.cork(write),
    onAborted: (handler) => response.onAborted(handler),
    getRemoteAddressAsText: () => response.getRemoteAddressAsText(),
  }
  bodilessResponses.add(bodiless)
  return bodiless as uws.HttpResponse
}

const bodilessResponses = new WeakSet<object>()

/** Whether `withoutBody` made it. */
export const isBodiless = (response: object) => bodilessResponses.has(response)

const byteLength = (body: uws.RecognizedString | undefined) =>
  typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0)

const statusTexts = new Map(
  Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]),
)

export function send(response: Sent, answer: Answer, headers: SentHeaders, close = false) {
  const { status = 200, body } = answer
  writeHead(response, answer, headers)
  if (status === 304) {
    response.endWithoutBody()
    return
  }
  if (body === undefined) {
    response.end('', close)
    return
  }
  const isReady = typeof body === 'string' || body instanceof Uint8Array
  response.end(isReady ? body : JSON.stringify(body), close)
}

/** Status and headers; what follows is the body. */
export function writeHead(response: Sent, answer: Answer, headers: SentHeaders) {
  const { status = 200, headers: own, body } = answer
  if (status !== 200) response.writeStatus(statusTexts.get(status) ?? String(status))
  const isJson = body !== undefined && status !== 304 && !(own && 'Content-Type' in own)
  const isTold = own !== undefined && 'Retry-After' in own
  const lines = headers.requestId + furtherHeaders(headers, status, isTold)
  response.writeHeader('X-Request-Id', isJson ? lines + jsonType : lines)
  for (const name in own) response.writeHeader(name, own[name]!)
}

const jsonType = '\r\nContent-Type: application/json; charset=utf-8'
const standing = '\r\nCache-Control: private, max-age=0, must-revalidate\r\nX-Cache-Status: '
const kept = `${standing}HIT`
const made = `${standing}MISS`

/**
 * The headers that follow the first, as lines of text: each call into the server's native code costs
 * as much as copying a page of rows, so all that are always there go in one. Nothing of a client's
 * is in them. What is the same in many answers is put together once.
 * @param isTold whether the answer itself says when to try again
 */
export function furtherHeaders(headers: SentHeaders, status: number, isTold = false): string {
  const { caller, delaySeconds = 0, allowance, etag, isKept } = headers
  let lines = caller ? callerLines(caller, delaySeconds) : ''
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
    const { status, details } = known
    const seconds = details.retry_after as number | undefined
    const headers = seconds === undefined ? undefined : { 'Retry-After': String(seconds) }
    return { status, body: errorBody(known), ...(headers && { headers }) }
  }
  logger.error({ err: error, requestId }, 'request failed')
  const unexpected = new ApiError('internal_error', `Unexpected error; request ${requestId}.`)
  return { status: unexpected.status, body: errorBody(unexpected) }
}
