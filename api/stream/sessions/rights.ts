/**
 * The rights of open streams: counts streams by key and checks every key each second, so that a stream that lost its
 * right ends within seconds.
 */

import { isoTime } from '../../../pipeline/text/iso-time.ts'
import { type StreamErrorCode, streamErrorCodes } from '../../../schemas/stream/channels.ts'
import type { Accounts } from '../../access/accounts.ts'
import type { Caller } from '../../access/keys.ts'
import type { Peers } from '../../access/peers.ts'
import type { Scope, Scopes } from '../../access/scope.ts'
import { lackOf, rightsNow } from '../../access/tiers.ts'
import type { WorkBudget } from '../../access/work-budget.ts'
import { ApiError, retryAfter } from '../../errors.ts'
import type { ClientHandle } from '../fanout/fanout.ts'
import type { Transport } from '../framing/framing.ts'
import type { Timers } from '../timeline/timers.ts'
import type { StreamSlots } from './slots.ts'

/** Reasons to end an open stream although its key may stream. */
const losses = {
  /** The key's tier or features have changed: a client that reconnects gets its new rights. */
  rights_changed: 'The rights of the key have changed; reconnect.',
  /** Such a client must not reconnect: it would displace the next stream. */
  displaced: 'A newer stream of the key has taken the place of this one.',
} as const satisfies Partial<Record<StreamErrorCode, string>>

/** The reason why an open stream ends: its key lost the right to stream, or one of `losses`. */
export type Loss = ApiError | keyof typeof losses

/** Sends the reason to a client and closes. */
export function sayLoss(client: Pick<ClientHandle, 'fail'>, loss: keyof typeof losses) {
  client.fail(loss, losses[loss], streamErrorCodes[loss].closesWith)
}

export interface StreamRight {
  readonly caller: Caller
  /**
   * Switches to another key of the same account.
   * @param next the caller of that key
   * @throws ApiError as `admit`
   */
  exchange(next: Caller, key: string): Caller
  /** The stream has ended. */
  release(): void
}

export interface StreamRights {
  /** @throws ApiError tier_restricted without the right to stream */
  require(caller: Caller): void
  /**
   * @param key the authenticated value
   * @param lose called to end the stream, which must then call `release`
   * @throws ApiError tier_restricted without the right to stream, work_limited, too_many_streams
   */
  admit(caller: Caller, key: string, transport: Transport, lose: (loss: Loss) => void): StreamRight
  /** Returns the number of a key's open streams at all processes. */
  active(keyId: string): number
  /** Returns the number of all keys' open streams at this process. */
  openCount(transport: Transport): number
  /** Checks every open stream now. */
  watch(): void
  close(): void
}

/** Retry-After of `too_many_streams`: dead connections are noticed within about this long. */
const slotRetrySeconds = 10

/** Interval of checking every open stream's key. */
const watchEveryMs = 1_000

function requireStreaming({ tier, features }: Caller) {
  if (features.streaming) return
  throw new ApiError('tier_restricted', lackOf(tier, ['streaming'], 'streaming'), {
    tier,
    required_tier: 'enterprise',
    ...(tier !== 'free' && { addon: 'streaming' }),
  })
}

interface OpenStream {
  caller: Caller
  scope: Scope
  key: string
  free: () => void
  readonly transport: Transport
  readonly lose: (loss: Loss) => void
}

export interface StreamRightsOptions {
  readonly accounts: Pick<Accounts, 'keyring'>
  readonly slots: StreamSlots
  readonly peers: Pick<Peers, 'onTooManyStreams'>
  readonly scopes: Scopes
  /** Epoch ms. */
  readonly clock: () => number
  readonly timers: Timers
  readonly budget: Pick<WorkBudget, 'admit'>
  /** Whether a new stream of a key at its limit ends the key's oldest stream. */
  readonly isDisplacing: boolean
}

export function createStreamRights(options: StreamRightsOptions): StreamRights {
  const { accounts, slots, peers, scopes, clock, timers, budget, isDisplacing } = options
  const streams = new Set<OpenStream>()

  function take(caller: Caller): () => void {
    requireStreaming(caller)
    budget.admit(caller)
    const { keyId, maxStreams } = caller
    const free = slots.take(keyId, maxStreams)
    if (free) return free
    const oldest = [...streams].find((stream) => stream.caller.keyId === keyId)
    if (isDisplacing && oldest) {
      oldest.lose('displaced')
      const freed = slots.take(keyId, maxStreams)
      if (freed) return freed
    }
    throw new ApiError(
      'too_many_streams',
      `The key has its maximum of ${maxStreams} streams open; close one.`,
      { max_streams: maxStreams, ...retryAfter(slotRetrySeconds) },
    )
  }

  function watch(stream: OpenStream) {
    const { lose, caller: before } = stream
    let caller: Caller
    try {
      caller = accounts.keyring.authenticate(stream.key, clock())
      if (caller === before && scopes.of(caller) === stream.scope) return
      requireStreaming(caller)
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'service_unavailable') lose(error)
      return
    }
    stream.caller = caller
    if (slots.active(caller.keyId) > caller.maxStreams) {
      lose(new ApiError('too_many_streams', `The key may have ${caller.maxStreams} streams now.`))
    } else if (isOther(before, caller) || scopes.of(caller) !== stream.scope) lose('rights_changed')
  }

  // Several processes may open a key's last streams at the same time. The newest at this process end.
  peers.onTooManyStreams((keyId, kept) => {
    const open = [...streams].filter(({ caller }) => caller.keyId === keyId)
    for (const { caller, lose } of open.slice(kept)) {
      lose(
        new ApiError(
          'too_many_streams',
          `The key’s ${caller.maxStreams} streams are open at other processes; close one.`,
        ),
      )
    }
  })

  let timer = timers.later(watchEveryMs, watchAll)

  function watchAll() {
    timer = timers.later(watchEveryMs, watchAll)
    watchNow()
  }

  function watchNow() {
    for (const stream of streams) watch(stream)
  }

  return {
    require: requireStreaming,
    active: slots.activeAnywhere,
    openCount(transport) {
      let count = 0
      for (const stream of streams) if (stream.transport === transport) count++
      return count
    },
    admit(caller, key, transport, lose) {
      const scope = scopes.of(caller)
      const stream: OpenStream = { caller, scope, key, free: take(caller), transport, lose }
      streams.add(stream)
      return {
        get caller() {
          return stream.caller
        },
        exchange(next, value) {
          if (next.accountId !== stream.caller.accountId) {
            throw new ApiError('invalid_api_key', 'The key belongs to another account.')
          }
          if (next.keyId !== stream.caller.keyId) {
            const free = take(next)
            stream.free()
            stream.free = free
          } else requireStreaming(next)
          stream.caller = next
          stream.scope = scopes.of(next)
          stream.key = value
          return next
        },
        release() {
          streams.delete(stream)
          stream.free()
        },
      }
    },
    watch: watchNow,
    close: () => timers.cancel(timer),
  }
}

/** Returns the stream's code of an error. */
export const streamCodeOf = ({ code }: ApiError): StreamErrorCode =>
  code in streamErrorCodes ? (code as StreamErrorCode) : 'upstream_error'

/** Returns whether two callers of a key have different rights. */
export const isOther = (a: Caller, b: Caller) =>
  a.tier !== b.tier ||
  a.isOwner !== b.isOwner ||
  JSON.stringify(a.features) !== JSON.stringify(b.features)

const hourMs = 3_600_000

/** Returns the `trial` field of a stream; undefined if the account may stream without a trial. */
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
