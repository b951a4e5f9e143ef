/** Who is let in: the checks every request passes before its route, in their order. */

import { type Caller, isToken, type Keyring } from '../access/keys.ts'
import {
  type AddressLimiter,
  type Allowance,
  remainingRequests,
  takeRequest,
} from '../access/limits.ts'
import { tierRights } from '../access/tiers.ts'
import type { UsageCounter } from '../access/usage.ts'
import type { Boards } from '../boards.ts'
import { ApiError, retryAfter } from '../errors.ts'
import type { SentHeaders } from './answer.ts'
import type { Response } from './listener.ts'

export interface Admission {
  /**
   * Checks the key and takes one request of its minute, unless it is not to be counted. What the
   * answer says of it goes into `headers`.
   * @param family what the request counts as, see `usageFamily`
   * @throws ApiError for a key that is missing or bad, or has used up its minute
   */
  key(key: string, now: number, headers: SentHeaders, family: string, isCounted?: boolean): Caller
  /** @throws ApiError when the address has used up its minute */
  address(limiter: AddressLimiter, from: Response, now: number, headers: SentHeaders): void
  /** @throws ApiError while the board is still being read */
  ready(): void
  /** @throws ApiError for another bearer token than that of the operator, or where there is none */
  token(access: 'admin' | 'ingest', token: string): void
}

export interface AdmissionOptions {
  readonly boards: Pick<Boards, 'isReady'>
  readonly keyring: Keyring
  readonly usage: UsageCounter
  /** Bearer tokens; null closes the routes of that access. */
  readonly tokens: { readonly admin: string | null; readonly ingest: string | null }
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { boards, keyring, usage, tokens } = options
  return {
    key(key, now, headers, family, isCounted = true) {
      const caller = keyring.authenticate(key, now)
      headers.caller = caller
      headers.delaySeconds = tierRights[caller.tier].delaySeconds
      const take = isCounted ? takeRequest : remainingRequests
      headers.allowance = take(caller.meter, caller.requestsPerMinute, now)
      if (!isCounted) return caller
      if (!headers.allowance.isAllowed) throw tooMany(headers.allowance)
      usage.count(caller, now, family)
      return caller
    },
    address(limiter, from, now, headers) {
      headers.allowance = limiter.take(from.getRemoteAddress(), now)
      if (!headers.allowance.isAllowed) throw tooMany(headers.allowance)
    },
    ready() {
      if (boards.isReady()) return
      throw new ApiError('service_unavailable', 'The board is still being read; try again.', {
        ...retryAfter(1),
      })
    },
    token(access, token) {
      if (isToken(token, tokens[access])) return
      const setting = access === 'admin' ? 'OVERROUND_ADMIN_TOKEN' : 'OVERROUND_INGEST_TOKEN'
      throw new ApiError(
        'unauthorized',
        tokens[access] === null
          ? `This route is closed: set ${setting} to open it.`
          : `Send the ${access} token as Authorization: Bearer.`,
      )
    },
  }
}

function tooMany({ limit, retryAfterSeconds }: Allowance): ApiError {
  const message = `${limit} requests a minute are used up; the next minute begins in ${retryAfterSeconds} s.`
  return new ApiError('rate_limited', message, { ...retryAfter(retryAfterSeconds) })
}
