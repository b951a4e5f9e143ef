/**
 * Who has a stream open and by what right: slots are counted by key, and every open stream's key is
 * looked at again and again, so that one that lost its right ends within seconds.
 */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Accounts } from '../access/accounts.ts'
import type { Caller } from '../access/keys.ts'
import { rightsNow } from '../access/tiers.ts'
import { ApiError } from '../errors.ts'
import type { StreamSlots } from './slots.ts'

/** A stream that is open, to those who watch over its right. */
export interface Holder {
  /** The key has no right to the stream any more, for the reason given. */
  lost(error: ApiError): void
  /** The tier or the features are others now. */
  changed(): void
  /** A newer stream of the same key takes its place. */
  displaced(): void
}

export interface StreamRight {
  readonly caller: Caller
  /** Goes on by another key of the same account. @throws ApiError as `admit` */
  exchange(key: string): Caller
  /** The stream has ended. */
  release(): void
}

export interface StreamRights {
  /** @throws ApiError tier_restricted without the right to stream */
  require(caller: Caller): void
  /**
   * @param key a value that has just been authenticated
   * @throws ApiError tier_restricted without the right to stream, too_many_streams
   */
  admit(caller: Caller, key: string, holder: Holder): StreamRight
  active(keyId: string): number
  close(): void
}

/** How often every open stream's key is looked at. */
const watchEveryMs = 1_000

function requireStreaming({ tier, features }: Caller) {
  if (features.streaming) return
  throw new ApiError(
    'tier_restricted',
    tier === 'free'
      ? 'The free tier has no streams, nor an add-on for them.'
      : `The ${tier} tier streams with the streaming add-on; enterprise has it.`,
    { tier, required_tier: 'enterprise', ...(tier !== 'free' && { addon: 'streaming' }) },
  )
}

interface Open {
  caller: Caller
  key: string
  free: () => void
  readonly holder: Holder
}

/** @param isDisplacing the newest stream of a key that is full takes the place of its oldest */
export function createStreamRights(
  accounts: Pick<Accounts, 'keyring'>,
  slots: StreamSlots,
  clock: () => number,
  isDisplacing: boolean,
): StreamRights {
  const streams = new Set<Open>()

  function take(caller: Caller): () => void {
    requireStreaming(caller)
    const { keyId, maxStreams } = caller
    const free = slots.take(keyId, maxStreams)
    if (free) return free
    const oldest = [...streams].find((stream) => stream.caller.keyId === keyId)
    if (isDisplacing && oldest) {
      oldest.holder.displaced()
      const freed = slots.take(keyId, maxStreams)
      if (freed) return freed
    }
    throw new ApiError(
      'too_many_streams',
      `The key has its ${maxStreams} streams open; close one or ask for more.`,
      { max_streams: maxStreams },
    )
  }

  function watch(stream: Open) {
    const { holder, caller: before } = stream
    let caller: Caller
    try {
      caller = accounts.keyring.authenticate(stream.key, clock())
      if (caller === before) return
      requireStreaming(caller)
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'service_unavailable') holder.lost(error)
      return
    }
    stream.caller = caller
    if (slots.active(caller.keyId) > caller.maxStreams) {
      holder.lost(
        new ApiError('too_many_streams', `The key may have ${caller.maxStreams} streams now.`),
      )
    } else if (isOther(before, caller)) holder.changed()
  }

  const timer = setInterval(() => {
    for (const stream of streams) watch(stream)
  }, watchEveryMs)

  return {
    require: requireStreaming,
    active: slots.active,
    admit(caller, key, holder) {
      const stream: Open = { caller, key, free: take(caller), holder }
      streams.add(stream)
      return {
        get caller() {
          return stream.caller
        },
        exchange(value) {
          const next = accounts.keyring.authenticate(value, clock())
          if (next.accountId !== stream.caller.accountId) {
            throw new ApiError('invalid_api_key', 'The key is of another account.')
          }
          if (next.keyId !== stream.caller.keyId) {
            const free = take(next)
            stream.free()
            stream.free = free
          } else requireStreaming(next)
          stream.caller = next
          stream.key = value
          return next
        },
        release() {
          streams.delete(stream)
          stream.free()
        },
      }
    },
    close: () => clearInterval(timer),
  }
}

/** Whether a caller may see or do something else than before. */
export const isOther = (a: Caller, b: Caller) =>
  a.tier !== b.tier || JSON.stringify(a.features) !== JSON.stringify(b.features)

const hourMs = 3_600_000

/** What a stream says of the trial it is open by; undefined where it is by another right. */
export function trialOf(accounts: Pick<Accounts, 'find'>, caller: Caller, now: number) {
  const account = accounts.find(caller.accountId)
  if (!account || account.trialEndsAt === null || account.trialEndsAt <= now) return undefined
  if (rightsNow({ ...account, trialEndsAt: null }, now).features.streaming) return undefined
  return {
    active: true,
    expires_at: isoTime(account.trialEndsAt),
    remaining_hours: Math.round((100 * (account.trialEndsAt - now)) / hourMs) / 100,
    max_streams: caller.maxStreams,
  }
}
