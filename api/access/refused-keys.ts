/**
 * Keys and tokens that are refused, counted by address. The first of an address in a minute, and the one
 * from which on it is answered by 429, are logged, without the value. A key that is right is let in
 * whatever its address has tried: keys have 32 random bytes and tokens at least 16 characters, so nobody
 * finds one by trying, and behind a proxy or a shared address nobody can lock the others out.
 */

import type { Logger } from 'pino'
import { ApiError, type ErrorCode, retryAfter } from '../errors.ts'
import { createAddressLimiter } from './limits.ts'

export interface RefusedKeys {
  /**
   * What to answer with: the error itself, or once the address has had too many, that.
   * @param error of whatever kind; only those of a refused key or token count
   */
  answer(error: unknown, from: () => string, now: number): unknown
}

const counted: ReadonlySet<ErrorCode> = new Set([
  'invalid_api_key',
  'expired_api_key',
  'disabled_api_key',
  'unauthorized',
])

/** Lines of the log a minute. Whoever has many addresses must not fill it. */
const mostLines = 60

/** @param perMinute refused keys of an address that are answered with what is wrong with them */
export function createRefusedKeys(perMinute: number, logger: Pick<Logger, 'warn'>): RefusedKeys {
  // One more is taken: it is the first that is answered by 429.
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
        `${perMinute} keys of this address were refused this minute; the next begins in ${retryAfterSeconds} s.`,
        retryAfter(retryAfterSeconds),
      )
    },
  }
}
