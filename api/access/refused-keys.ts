/**
 * Counts refused keys and tokens by address. Logs an address's first in a minute, and its first that gets 429,
 * without the value. A valid key is admitted whatever its address has tried: keys and tokens are too long to guess,
 * and clients that share an address must not lock each other out.
 */

import type { Logger } from 'pino'
import { ApiError, type ErrorCode, retryAfter } from '../errors.ts'
import { createAddressLimiter } from './limits.ts'

export interface RefusedKeys {
  /**
   * Returns the error to respond with: `error`, or rate_limited once the address has had too many.
   * @param error any error; only those of a refused key or token count
   * @param now epoch ms
   */
  answer(error: unknown, from: () => string, now: number): unknown
}

const counted: ReadonlySet<ErrorCode> = new Set([
  'invalid_api_key',
  'expired_api_key',
  'disabled_api_key',
  'unauthorized',
])

/** Log lines a minute. A client with many addresses must not fill the log. */
const mostLines = 60

/** @param perMinute refused keys of an address that get their own error; further ones get 429 */
export function createRefusedKeys(perMinute: number, logger: Pick<Logger, 'warn'>): RefusedKeys {
  // One more, which is the first to get 429.
  const limiter = createAddressLimiter(perMinute + 1)
  let minute = 0
  let lineCount = 0

  function warn(resetsAt: number, fields: object, message: string) {
    if (resetsAt !== minute) {
      minute = resetsAt
      lineCount = 0
    }
    if (lineCount++ < mostLines) logger.warn(fields, message)
  }

  return {
    answer(error, from, now) {
      if (!(error instanceof ApiError) || !counted.has(error.code)) return error
      const { code } = error
      const address = from()
      const { isAllowed, remaining, resetsAt, retryAfterSeconds } = limiter.take(address, now)
      if (remaining === perMinute) warn(resetsAt, { address, code }, 'key refused')
      if (isAllowed && remaining > 0) return error
      if (isAllowed) warn(resetsAt, { address, code, perMinute }, 'too many refused keys')
      return new ApiError(
        'rate_limited',
        `${perMinute} keys of this address were refused this minute; try again in ${retryAfterSeconds} s.`,
        retryAfter(retryAfterSeconds),
      )
    },
  }
}
