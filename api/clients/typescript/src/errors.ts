/** The error of failed calls, and the classification of failures as passing or final. */

export interface Refusal {
  /** The HTTP status; 0 without a response. A browser hides which redirect it got: 302 stands for all. */
  readonly status: number
  /**
   * A code of the service, such as `rate_limited`; `connection_lost` without a response, `redirected` for an address
   * that leads elsewhere.
   */
  readonly code: string
  readonly message: string
  /** The wait before the next try (ms); null if the service states none. */
  readonly retryAfterMs: number | null
  /** Identifies the request in the operator's log; null without one. */
  readonly requestId: string | null
  /** The whole `error` field, with details of the code: `did_you_mean`, `required_tier`, … */
  readonly details: Readonly<Record<string, unknown>>
}

/** A refused or failed call. */
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
 * Returns whether another try may succeed: no response came, there were too many requests, or the service or a proxy
 * before it was not ready or too slow (520 to 530 are Cloudflare's). All other refusals are final.
 */
export const isPassing = ({ status }: Pick<Refusal, 'status'>): boolean =>
  [0, 408, 425, 429, 500, 502, 503, 504].includes(status) || (status >= 520 && status <= 530)

export const lostConnection: Refusal = {
  status: 0,
  code: 'connection_lost',
  message: 'The connection was lost.',
  retryAfterMs: null,
  requestId: null,
  details: {},
}

/** @param cause what the network threw, or the event of a failed WebSocket */
export const lostBy = (cause: unknown): Refusal => ({
  ...lostConnection,
  message: `The connection was lost: ${reasonOf(cause)}`,
  details: { cause },
})

/** `fetch` says only that it failed; its cause has the reason. */
function reasonOf(thrown: unknown): string {
  const { cause, message, code } = (thrown ?? {}) as Readonly<Record<string, unknown>>
  return cause ? reasonOf(cause) : String(message || code || thrown)
}

/**
 * Reads the refusal from a response other than 2xx. Redirects are never followed, because they would send the key
 * elsewhere, and are final.
 */
export async function refusalOf(response: Response): Promise<Refusal> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    const to = response.headers.get('location')?.split('?')[0] ?? 'another address'
    return {
      ...lostConnection,
      status: response.status || 302,
      code: 'redirected',
      message: `The address is redirected to ${to}: state the address of the service itself.`,
    }
  }
  const text = await response.text()
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    ...explained(text, response.statusText),
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : null,
    requestId: response.headers.get('x-request-id'),
  }
}

/** Reads the error of a body. A proxy may respond instead of the service, with a page instead of JSON. */
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
