/** What a call fails with. */

export interface Refusal {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  /** As the service documents them: `rate_limited`, `invalid_filter`, …; `connection_lost` when none came. */
  readonly code: string
  readonly message: string
  /** When to try again (ms); null where the service does not say. */
  readonly retryAfterMs: number | null
  /** For the operator's log; null where there is none. */
  readonly requestId: string | null
  /** The whole `error` member, with what the code adds: `did_you_mean`, `required_tier`, … */
  readonly details: Readonly<Record<string, unknown>>
}

/** An answer above 399, or none. */
export class OverroundError extends Error implements Refusal {
  override readonly name = 'OverroundError'
  readonly status: number
  readonly code: string
  readonly retryAfterMs: number | null
  readonly requestId: string | null
  readonly details: Readonly<Record<string, unknown>>

  constructor({ status, code, message, retryAfterMs, requestId, details }: Refusal) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.requestId = requestId
    this.details = details
  }
}

/**
 * Whether another try may mend what was refused: no answer came, there were too many requests, or the service or
 * a proxy before it is not ready or took too long. Whatever else is refused will be refused again.
 */
export const isPassing = ({ status }: Pick<Refusal, 'status'>): boolean =>
  [0, 408, 425, 429, 500, 502, 503, 504].includes(status)

export const lostConnection: Refusal = {
  status: 0,
  code: 'connection_lost',
  message: 'The connection was lost.',
  retryAfterMs: null,
  requestId: null,
  details: {},
}

/** Of an answer that is no success; reads its body. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text()
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    ...explained(text, response.statusText),
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : null,
    requestId: response.headers.get('x-request-id'),
  }
}

/** A proxy may answer in the place of the service, with a page instead of JSON. */
function explained(
  text: string,
  statusText: string,
): Pick<Refusal, 'code' | 'message' | 'details'> {
  try {
    const { error } = JSON.parse(text) as { error: Record<string, unknown> }
    return { code: String(error.code), message: String(error.message), details: error }
  } catch {
    return { code: 'no_json', message: text.slice(0, 200) || statusText, details: {} }
  }
}
