/** The checks of every request before its route: key, address, readiness, operator's token. */

import { type Caller, isToken, type Keyring } from '../access/keys.ts'
import {
  type AddressLimiter,
  type Allowance,
  remainingRequests,
  type Sharing,
  takeRequest,
} from '../access/limits.ts'
import type { RefusedKeys } from '../access/refused-keys.ts'
import { tierRights } from '../access/tiers.ts'
import type { UsageCounter } from '../access/usage.ts'
import { ApiError, retryAfter } from '../errors.ts'
import type { Readiness } from '../readiness.ts'
import type { SentHeaders } from './answer.ts'
import type { Addressed } from './client.ts'

export interface Admission {
  /**
   * Checks the key and counts one request of its minute. Fills `headers` with its rights and allowance.
   * @param now epoch ms
   * @param family the request's family for usage, see `usageFamily`
   * @param from the address that a refused key counts for
   * @param isCounted default true
   * @throws ApiError for a missing or invalid key, or one that has used up its minute
   */
  key(
    key: string,
    now: number,
    headers: SentHeaders,
    family: string,
    from: Addressed,
    isCounted?: boolean,
  ): Caller
  /**
   * Fills `headers` like `key` for a valid key, without counting a request. It refuses nobody, but
   * counts an invalid key as refused.
   */
  recognise(key: string, now: number, headers: SentHeaders, from: Addressed): void
  /** @throws ApiError if the address has used up its minute */
  address(limiter: AddressLimiter, from: Addressed, now: number, headers: SentHeaders): void
  /** @throws ApiError while the board is loading */
  ready(): void
  /** @throws ApiError for a wrong or missing token, or if none is configured */
  token(access: 'admin' | 'ingest', token: string, now: number, from: Addressed): void
}

export interface AdmissionOptions {
  readonly readiness: Pick<Readiness, 'isReady'>
  readonly keyring: Keyring
  readonly usage: UsageCounter
  readonly sharing: () => Sharing
  readonly refused: RefusedKeys
  /** The operator's tokens; null closes the routes that need one. */
  readonly tokens: { readonly admin: string | null; readonly ingest: string | null }
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { readiness, keyring, usage, sharing, refused, tokens } = options

  /** @throws ApiError for a missing or invalid key */
  function named(key: string, now: number, headers: SentHeaders, from: Addressed): Caller {
    try {
      const caller = keyring.authenticate(key, now)
      headers.caller = caller
      headers.delaySeconds = tierRights[caller.tier].delaySeconds
      return caller
    } catch (error) {
      throw refused.answer(error, () => from.getRemoteAddress(), now)
    }
  }

  return {
    key(key, now, headers, family, from, isCounted = true) {
      const caller = named(key, now, headers, from)
      if (!isCounted) {
        headers.allowance = allowanceOf(caller, now)
        return caller
      }
      const { meter, requestsPerMinute } = caller
      headers.allowance = takeRequest(meter, requestsPerMinute, now, sharing())
      if (!headers.allowance.isAllowed) throw tooMany(headers.allowance)
      usage.count(caller, now, family)
      return caller
    },
    recognise(key, now, headers, from) {
      // A valid token of the operator is no attempt to guess a key.
      if (key === '' || isToken(key, tokens.admin) || isToken(key, tokens.ingest)) return
      try {
        headers.allowance = allowanceOf(named(key, now, headers, from), now)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    },
    address(limiter, from, now, headers) {
      headers.allowance = limiter.take(from.getRemoteAddress(), now)
      if (!headers.allowance.isAllowed) throw tooMany(headers.allowance)
    },
    ready() {
      if (readiness.isReady()) return
      throw boardIsLoading()
    },
    token(access, token, now, from) {
      if (isToken(token, tokens[access])) return
      const setting = access === 'admin' ? 'OVERROUND_ADMIN_TOKEN' : 'OVERROUND_INGEST_TOKEN'
      const error = new ApiError(
        'unauthorized',
        tokens[access] === null
          ? `This route is closed: set ${setting} to open it.`
          : `Send the ${access} token as Authorization: Bearer.`,
      )
      if (token === '') throw error
      throw refused.answer(error, () => from.getRemoteAddress(), now)
    },
  }
}

const allowanceOf = ({ meter, requestsPerMinute }: Caller, now: number) =>
  remainingRequests(meter, requestsPerMinute, now)

function tooMany({ limit, remaining, retryAfterSeconds }: Allowance): ApiError {
  const message =
    remaining > 0
      ? `Too many requests at once for one process: ${remaining} of ${limit} are left in this minute; try again in ${retryAfterSeconds} s.`
      : `The limit of ${limit} requests a minute is used up; try again in ${retryAfterSeconds} s.`
  return new ApiError('rate_limited', message, { ...retryAfter(retryAfterSeconds) })
}

export const boardIsLoading = () =>
  new ApiError('service_unavailable', 'The board is still loading; try again.', retryAfter(1))
