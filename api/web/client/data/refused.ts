/** The error for HTTP responses other than 2xx. */

import { isPassing } from '../../../clients/typescript/src/errors.ts'

export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  /** Seconds to wait before the next try; null if not stated. */
  readonly retryAfter: number | null
  /** Why something is missing: `off`, `absent` or `starting`; null for other errors. */
  readonly reason: string | null
  /** A first day with which the request would fit; null if none is stated. */
  readonly from: string | null
  /** Whether the service itself refused. A proxy before it answers with a page of its own. */
  readonly isOurs: boolean

  constructor(status: number, body: unknown, retryAfter: number | null) {
    const { error } = (body ?? {}) as {
      error?: { code?: string; message?: string; reason?: string; from?: string }
    }
    super(error?.message ?? `The service answered ${status}.`)
    this.status = status
    this.isOurs = typeof error?.code === 'string'
    this.code = error?.code ?? 'unknown'
    this.reason = error?.reason ?? null
    this.from = error?.from ?? null
    this.retryAfter = retryAfter
  }

  /** Whether a retry would be refused again. What a proxy refuses, the service may answer later. */
  get isFinal(): boolean {
    return this.isOurs && !isPassing(this)
  }

  /** Whether the key is not, or no longer, one of the service. */
  get isOfKey(): boolean {
    return this.isOurs && this.code.endsWith('_api_key')
  }

  /** Whether a write that was answered so may have been done: the service, or a proxy before it, did not finish. */
  get leavesWriteOpen(): boolean {
    return this.status >= 500 && this.code !== 'storage_full' && this.code !== 'not_ready'
  }
}

/** Whether a write that failed so may have been done. */
export const leavesWriteOpen = (error: unknown): boolean =>
  !(error instanceof RefusedError) || error.leavesWriteOpen

/** Whether a retry after this error would be refused again: not if the service did not respond. */
export const isFinal = (error: Error): boolean => error instanceof RefusedError && error.isFinal

/** Reads the header Retry-After. @returns null for none, and for a date, which a proxy may state */
export function secondsIn(header: string | null): number | null {
  const seconds = Number.parseFloat(header ?? '')
  return Number.isFinite(seconds) ? seconds : null
}

/** Whether the service itself refused with one of these statuses. */
export const isRefusedWith = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof RefusedError && error.isOurs && statuses.includes(error.status)

/** Returns the wait before a retry (ms): what the service states, at least `leastMs`. */
export const retryMs = (error: Error, leastMs: number): number =>
  Math.max(leastMs, error instanceof RefusedError ? 1_000 * (error.retryAfter ?? 0) : 0)
