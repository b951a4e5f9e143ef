/** The one table of error codes, and the error that carries one to the edge. */

const statuses = {
  validation_error: 400,
  offset_too_large: 400,
  invalid_filter: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  unauthorized: 401,
  tier_restricted: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  internal_error: 500,
  service_unavailable: 503,
} as const

export type ErrorCode = keyof typeof statuses

/** A request that cannot be answered as asked. `details` go into the body's `error` member. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.status = statuses[code]
    this.details = details
  }
}

/** Members that clients also look for beside `error` (interface supplement 3.14). */
const repeated = ['tier', 'required_tier', 'addon', 'retry_after', 'max_offset'] as const

/** The body of an answer that is not 2xx (interface 7). */
export function errorBody({ code, message, details }: ApiError): Record<string, unknown> {
  const body: Record<string, unknown> = { error: { code, message, ...details }, code }
  for (const member of repeated) if (member in details) body[member] = details[member]
  return body
}
