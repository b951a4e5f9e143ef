/**
 * The codes of refused requests, each with its HTTP status and meaning, and the error that carries one to the client.
 * Streams under way and rejected records of a body have codes of their own.
 */

import { LogFullError, LogSetupError, LogUnavailableError } from '../pipeline/log/log.ts'

interface Meaning {
  /** The HTTP status. */
  readonly status: number
  /** Description in the API document. */
  readonly means: string
}

/** Refusals of every transport (interface 7, supplement 3.14). */
export const errorCodes = {
  validation_error: { status: 400, means: 'A parameter or the body is malformed.' },
  offset_too_large: { status: 400, means: 'The offset is beyond its limit; use the cursor.' },
  invalid_filter: {
    status: 400,
    means: 'A filter has an unknown league, sport, sportsbook or market.',
  },
  missing_api_key: { status: 401, means: 'No API key was sent.' },
  invalid_api_key: { status: 401, means: 'The API key is not known.' },
  expired_api_key: { status: 401, means: 'The key or its account has expired.' },
  disabled_api_key: { status: 401, means: 'The key or its account is disabled.' },
  unauthorized: { status: 401, means: 'The bearer token of this route is missing or wrong.' },
  tier_restricted: {
    status: 403,
    means: 'The tier does not include this route or sportsbook, or an add-on is missing.',
  },
  forbidden: {
    status: 403,
    means:
      'An old value of a key changes nothing, and nothing changes keys of the sandbox; sources of the settings file are changed there, and none is added to simulated prices; pages of other origins cannot call tools; while the sandbox keys work, requests for another host name are refused.',
  },
  feature_required: { status: 403, means: 'The account lacks the feature.' },
  not_found: { status: 404, means: 'Nothing has this id or path.' },
  method_not_allowed: { status: 405, means: 'The route accepts other methods; Allow lists them.' },
  resync_required: {
    status: 409,
    means: 'The changes since this position are not known any more; take a snapshot.',
  },
  unknown_endpoint: {
    status: 410,
    means: 'The path is no longer served; correct_endpoint is its successor.',
  },
  answer_too_large: {
    status: 422,
    means:
      'The response would be too large, or the query needs more of the archive than the tier allows; ask for less at once.',
  },
  gone: { status: 410, means: 'The path is no longer served and has no successor.' },
  payload_too_large: { status: 413, means: 'The body is larger than the route accepts.' },
  unsupported_media_type: {
    status: 415,
    means: 'The compression of the body is not supported; the message lists the supported ones.',
  },
  too_many_book_sets: {
    status: 429,
    means: 'Too many sets of sportsbooks are in use at this process; try again.',
  },
  too_many_streams: { status: 429, means: 'The key already has its maximum of open streams.' },
  archive_busy: {
    status: 429,
    means: 'Too many archive queries run, of this account or in all; try again.',
  },
  rate_limited: {
    status: 429,
    means:
      'The requests of this minute are used up, or too many came at once to one of several processes.',
  },
  work_limited: {
    status: 429,
    means: 'The account’s processing time of this minute is used up; ask for less at once.',
  },
  internal_error: { status: 500, means: 'The service failed; its log has the request id.' },
  service_unavailable: {
    status: 503,
    means: 'The service is starting, has not reached the position yet, or cannot reach its log.',
  },
  storage_full: {
    status: 503,
    means: 'The disk of the service is full: reads work, and nothing of this write was stored.',
  },
  not_ready: {
    status: 503,
    means:
      'The archive does not answer yet, or there is none; `reason` is starting, absent or off.',
  },
} as const satisfies Record<string, Meaning>

export type ErrorCode = keyof typeof errorCodes

/** Returns the wait in seconds, in both spellings that clients expect. */
export const retryAfter = (seconds: number) => ({ retryAfter: seconds, retry_after: seconds })

const soon = retryAfter(1)

/**
 * Returns whether another try may succeed. Clients expect such an error to say when (interface 7).
 */
const isPassing = (status: number) => status === 429 || status >= 500

/**
 * A refused request. `details` go into the `error` field of the body. If another try may succeed,
 * the error says to wait a second, unless its details state another time.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.status = errorCodes[code].status
    this.details = isPassing(this.status) ? { ...soon, ...details } : details
  }
}

/** Returns the refusal of these parameters, or of these fields of the body. */
export const invalid = (parameters: readonly string[], message: string) =>
  new ApiError('validation_error', message, { parameters })

/** Thrown into the work of a request whose client has left. No response is sent. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/** Fields that clients also expect beside `error` (interface supplement 3.14). */
const repeated = [
  'tier',
  'required_tier',
  'addon',
  'retry_after',
  'max_offset',
  'correct_endpoint',
  'stream_endpoints',
] as const

/** Returns the body of a response that is not 2xx (interface 7). */
export function errorBody({ code, message, details }: ApiError): Record<string, unknown> {
  const body: Record<string, unknown> = { error: { code, message, ...details }, code }
  for (const member of repeated) if (member in details) body[member] = details[member]
  return body
}

/** Errors of every route that writes to the log. */
export const writeErrors = ['service_unavailable', 'storage_full'] as const satisfies ErrorCode[]

/** Returns the client's error for a failure that clients can handle; null for others. */
export function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof LogFullError) {
    return new ApiError(
      'storage_full',
      'The disk of the service is full: reads work, and nothing of this write was stored. Try again later.',
      retryAfter(10),
    )
  }
  if (error instanceof LogUnavailableError) {
    const message =
      'The log does not respond: this write is not confirmed, and may still be written. Try again; if it creates something, list what is there first.'
    return new ApiError('service_unavailable', message, retryAfter(1))
  }
  if (error instanceof LogSetupError) {
    const message =
      'The log refuses this write until the operator of the service has set it up: some of it may be stored. Try again later.'
    return new ApiError('service_unavailable', message, retryAfter(60))
  }
  return null
}

/** Returns the `Retry-After` header of an error; undefined without one. */
export function errorHeaders({ details }: ApiError): Record<string, string> | undefined {
  const seconds = details.retry_after
  return seconds === undefined ? undefined : { 'Retry-After': String(seconds) }
}
