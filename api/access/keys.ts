/**
 * Whose request it is. A key may come three ways, looked for in this order: header `X-API-Key`,
 * header `Authorization: Bearer`, query parameter `api_key`.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { ApiError } from '../errors.ts'

export interface PresentedKey {
  readonly apiKeyHeader: string
  readonly authorizationHeader: string
  readonly apiKeyParameter: string | null
}

export interface Caller {
  readonly keyId: string
  readonly tier: Tier
}

/** The three well-known test keys; they work only where the sandbox is on. */
export const sandboxKeys: Readonly<Record<string, Caller>> = {
  sk_test_sandbox_free: { keyId: 'key_sandbox_free', tier: 'free' },
  sk_test_sandbox_pro: { keyId: 'key_sandbox_pro', tier: 'pro' },
  sk_test_sandbox_sharp: { keyId: 'key_sandbox_sharp', tier: 'sharp' },
}

export interface Keyring {
  /** @throws ApiError missing_api_key, invalid_api_key */
  authenticate(presented: PresentedKey): Caller
}

export function createKeyring({ sandbox }: { sandbox: boolean }): Keyring {
  return {
    authenticate(presented) {
      const key = presentedKey(presented)
      if (key === '') {
        throw new ApiError(
          'missing_api_key',
          'Send your key in the X-API-Key header, as Authorization: Bearer, or as api_key.',
        )
      }
      const caller = sandbox && Object.hasOwn(sandboxKeys, key) ? sandboxKeys[key] : undefined
      if (!caller) throw new ApiError('invalid_api_key', 'The API key is not known.')
      return caller
    },
  }
}

function presentedKey({ apiKeyHeader, authorizationHeader, apiKeyParameter }: PresentedKey) {
  return apiKeyHeader || bearerToken(authorizationHeader) || apiKeyParameter || ''
}

/** The token of `Authorization: Bearer <token>`; empty when the header is none of that form. */
export function bearerToken(authorization: string): string {
  const match = /^Bearer +(\S+)$/i.exec(authorization)
  return match?.[1] ?? ''
}

/** Compares a presented token with the expected one in a time that does not tell where they differ. */
export function isToken(presented: string, expected: string | null): boolean {
  if (expected === null || presented === '') return false
  return timingSafeEqual(digest(presented), digest(expected))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
