/** An answer of the service that is no 2xx. */

import { isPassing } from '../../../clients/typescript/src/errors.ts'

export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  /** Seconds to wait before the next try; null where nothing is said. */
  readonly retryAfter: number | null
  /** Why something is not there, in a word, as in `archive_off`. */
  readonly reason: string | null

  constructor(status: number, body: unknown, retryAfter: number | null) {
    const { error } = (body ?? {}) as {
      error?: { code?: string; message?: string; reason?: string }
    }
    super(error?.message ?? `The service answered ${status}.`)
    this.status = status
    this.code = error?.code ?? 'unknown'
    this.reason = error?.reason ?? null
    this.retryAfter = retryAfter
  }

  /** Whether the same would be refused again. */
  get isFinal(): boolean {
    return !isPassing(this)
  }
}
