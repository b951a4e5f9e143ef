/**
 * API keys: their values, the sandbox keys, and the keyring that finds a request's caller.
 *
 * Only the SHA-256 of a value is stored: 32 random bytes need no slower hash, and a lookup by hash leaks no timing.
 * The keyring remembers admitted values until an account or key changes, so a request costs one lookup.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountRow, AccountsRow, AddOn, KeyRow } from '../../schemas/account.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { ApiError, retryAfter } from '../errors.ts'
import type { Meter, Meters } from './limits.ts'
import { type Features, type RightsNow, rightsNow, tierRights } from './tiers.ts'

/** A request's key as it was at admission. */
export interface PresentedKey {
  readonly keyId: string
  readonly accountId: string
  /** The `revision` of the key's row. It differs once the key has changed. */
  readonly keyRevision: string
  /** Whether the value is from before a rotation and within its grace period. */
  readonly isFormerValue: boolean
}

/** A request's key and its current rights. */
export interface Caller extends PresentedKey {
  readonly tier: Tier
  /** Whether the account is the operator's own. */
  readonly isOwner: boolean
  /** Add-ons in force. */
  readonly addOns: readonly AddOn[]
  readonly features: Features
  readonly requestsPerMinute: number
  /** Most streams at once; 0 without the right to stream. */
  readonly maxStreams: number
  /** Whether it is a sandbox key: limited like any other, but not counted in usage. */
  readonly isTest: boolean
  readonly meter: Meter
}

export interface Keyring {
  /**
   * Returns the caller of a value: the same object until the key or its account changes, or a right ends. Former
   * values of a key have their own object.
   * @param now epoch ms
   * @throws ApiError missing_api_key, invalid_api_key, expired_api_key, disabled_api_key; service_unavailable for a
   *   value that may be a key while the keys are still being read
   */
  authenticate(value: string, now: number): Caller
}

/** The key that belongs to a value. */
export interface FoundKey {
  readonly key: KeyRow
  readonly account: AccountRow
  /** When a former value ends (epoch ms); Infinity for the current one. */
  readonly endsAt: number
}

export interface KeyringOptions {
  find(hash: string): FoundKey | undefined
  /** Returns false while keys are loading, so that an unknown key may still come. */
  isReady(): boolean
  readonly meters: Meters
}

const valuePrefix = 'sk_live_'
/** 32 bytes in base64url. */
const valueLength = valuePrefix.length + 43
const previewLength = valuePrefix.length + 4

/** Most remembered values. At this number the memory is cleared. */
const rememberedValues = 10_000

interface Admitted {
  readonly caller: Caller
  /** When its rights may change without any action (epoch ms). */
  readonly until: number
}

/** @returns the keyring; call `forget` whenever an account or key has changed */
export function createKeyring(options: KeyringOptions): Keyring & { forget(): void } {
  const { find, isReady, meters } = options
  const byValue = new Map<string, Admitted>()
  /** By key, for its current value. */
  const callers = new Map<string, Admitted>()
  /** By key, for its former values. */
  const formerCallers = new Map<string, Admitted>()

  function callerOf({ key, account, endsAt }: FoundKey, now: number): Admitted {
    const isFormerValue = Number.isFinite(endsAt)
    const remembered = isFormerValue ? formerCallers : callers
    const known = remembered.get(key.id)
    if (known && now < known.until) return known
    const rights = rightsNow(account, now)
    const admitted: Admitted = {
      caller: {
        keyId: key.id,
        accountId: account.id,
        keyRevision: key.revision,
        isFormerValue,
        tier: account.tier,
        isOwner: account.isOwner,
        requestsPerMinute: tierRights[account.tier].requestsPerMinute,
        isTest: isSandboxAccount(account.id),
        meter: meters.of(key.id, account.id),
        features: rights.features,
        addOns: rights.addOns,
        maxStreams: mostStreamsOf(key, rights),
      },
      until: rights.changesAt,
    }
    remembered.set(key.id, admitted)
    return admitted
  }

  function admit(value: string, now: number): Caller {
    if (value === '') throw missingKey()
    if (Object.hasOwn(sandboxRefusals, value)) {
      throw new ApiError('invalid_api_key', sandboxRefusals[value as RefusedSandboxKey])
    }
    const found = isKeyValue(value) ? find(keyHash(value)) : undefined
    if (!found) {
      const isUnknown = isReady() || !isKeyValue(value)
      if (isUnknown) throw new ApiError('invalid_api_key', 'The API key is not known.')
      const message = 'The keys are still loading; try again.'
      throw new ApiError('service_unavailable', message, retryAfter(1))
    }
    const { account, endsAt } = found
    checkAccount(account, now)
    const expiresAt = account.expiresAt ?? Number.POSITIVE_INFINITY
    if (now >= endsAt) {
      throw new ApiError(
        'expired_api_key',
        'This API key was rotated, and its grace period is over.',
      )
    }
    const { caller, until } = callerOf(found, now)
    if (byValue.size >= rememberedValues) byValue.clear()
    byValue.set(value, { caller, until: Math.min(until, expiresAt, endsAt) })
    return caller
  }

  return {
    authenticate(value, now) {
      const known = byValue.get(value)
      return known !== undefined && now < known.until ? known.caller : admit(value, now)
    },
    forget() {
      byValue.clear()
      callers.clear()
      formerCallers.clear()
    },
  }
}

/** Returns how many streams a key may have at once, by its account's current rights. */
export function mostStreamsOf(
  { maxStreams: ofKey }: KeyRow,
  { features, maxStreams, isStreamingByTrial }: RightsNow,
): number {
  if (!features.streaming) return 0
  return isStreamingByTrial ? Math.min(ofKey ?? maxStreams, maxStreams) : (ofKey ?? maxStreams)
}

/** @throws ApiError disabled_api_key, expired_api_key for an account whose keys are refused */
export function checkAccount({ isDisabled, expiresAt }: AccountRow, now: number): void {
  if (isDisabled) throw new ApiError('disabled_api_key', 'The account of this API key is disabled.')
  if (expiresAt !== null && now >= expiresAt) {
    throw new ApiError('expired_api_key', 'The account of this API key has expired.')
  }
}

/** @throws ApiError forbidden for a former value, which reads and changes nothing */
export function requireCurrentValue({ isFormerValue }: PresentedKey): void {
  if (!isFormerValue) return
  throw new ApiError(
    'forbidden',
    'This API key was rotated: its old value reads, but changes nothing. Send the new value.',
  )
}

// ---- values

/** Creates a value, shown once to its holder and never stored. */
export const createKeyValue = () => valuePrefix + randomBytes(32).toString('base64url')

/** Returns the stored form of a value: SHA-256 in hex. */
export const keyHash = (value: string) => createHash('sha256').update(value).digest('hex')

/** Returns the beginning of a value, to recognise it by. */
export const keyPreview = (value: string) => `${value.slice(0, previewLength)}...`

/** Returns whether a text has the form of a value. Other texts are not looked up. */
const isKeyValue = (text: string) =>
  (text.length === valueLength && text.startsWith(valuePrefix)) || isSandboxKey(text)

// ---- sandbox

/** The three public test keys. They work only if the sandbox is on. */
export const sandboxKeys: Readonly<Record<string, Tier>> = {
  sk_test_sandbox_free: 'free',
  sk_test_sandbox_pro: 'pro',
  sk_test_sandbox_sharp: 'sharp',
}

export const isSandboxKey = (value: string) => Object.hasOwn(sandboxKeys, value)

/**
 * Values that replace a sandbox key where such keys are refused, each with the message of its
 * refusal. None is a valid key.
 */
const sandboxRefusals = {
  'a sandbox key behind a proxy':
    'The API key is not known: the sandbox keys do not work through a proxy. Use the key of an account, or set OVERROUND_SANDBOX=true to allow them for everybody.',
  'a sandbox key in another page':
    'The API key is not known: the sandbox keys do not work in web pages of other origins. Use the key of an account, serve the page from http://localhost, or name its http(s) origin in OVERROUND_CORS_ORIGINS, which then allows only named ones.',
} as const

export type RefusedSandboxKey = keyof typeof sandboxRefusals

const sandboxPrefix = 'acct_sandbox_'

/** Accounts of the sandbox are not in the log and cannot be changed. */
export const isSandboxAccount = (accountId: string) => accountId.startsWith(sandboxPrefix)

/** Returns the rows of the sandbox's accounts and keys. */
export function sandboxRows(now: number): AccountsRow[] {
  return Object.entries(sandboxKeys).flatMap(([value, tier]): AccountsRow[] => {
    const common = { revision: '', createdAt: now, updatedAt: now }
    const account: AccountRow = {
      ...common,
      type: 'account',
      id: sandboxPrefix + tier,
      name: `Sandbox ${tier}`,
      tier,
      // So that streams can be tried.
      addOns: tier === 'sharp' ? ['streaming', 'game_state'] : [],
      isDisabled: false,
      // Anyone who reaches the port has these keys.
      isOwner: false,
      expiresAt: null,
      trialStartedAt: null,
      trialEndsAt: null,
    }
    const key: KeyRow = {
      ...common,
      type: 'key',
      id: `key_sandbox_${tier}`,
      accountId: account.id,
      name: `sandbox ${tier}`,
      hash: keyHash(value),
      preview: value,
      rotatedAt: null,
      former: [],
      maxStreams: null,
    }
    return [account, key]
  })
}

// ---- requests

const missingKey = () =>
  new ApiError(
    'missing_api_key',
    'Send your key in the X-API-Key header, as Authorization: Bearer, or as api_key.',
  )

/** Returns the token of `Authorization: Bearer <token>`; empty for another form. */
export function bearerToken(authorization: string): string {
  const match = /^Bearer +(\S+)$/i.exec(authorization)
  return match?.[1] ?? ''
}

/** Returns the password of HTTP Basic (RFC 7617), with any user name; empty for another form. */
export function basicPassword(authorization: string): string {
  const match = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)
  const [, password = ''] =
    /^[^:]*:(.*)$/.exec(Buffer.from(match?.[1] ?? '', 'base64').toString()) ?? []
  return password
}

/** Compares tokens in constant time. */
export function isToken(presented: string, expected: string | null): boolean {
  if (expected === null || presented === '') return false
  return timingSafeEqual(digest(presented), digest(expected))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
