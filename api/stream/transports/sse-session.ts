/** `GET /stream`: what is refused before it begins, and what it begins with (interface 6, supplement 2). */

import { invariant } from '../../../pipeline/invariant.ts'
import type { Query } from '../../../schemas/http/query.ts'
import {
  type SseChannel,
  sseChannelNames,
  type WebsocketChannel,
} from '../../../schemas/stream/channels.ts'
import type { sseQuery } from '../../../schemas/stream/parameters.ts'
import type { Accounts } from '../../access/accounts.ts'
import type { Caller } from '../../access/keys.ts'
import type { Scope } from '../../access/scope.ts'
import { visibleEvent } from '../../answer/events.ts'
import { ApiError } from '../../errors.ts'
import type { ClientOptions, Connection, Start } from '../channel.ts'
import { channelNamed } from '../channels/all-channels.ts'
import type { Client, Fanout } from '../fanout.ts'
import { filtersOf } from '../filters.ts'
import { fromSnapshot } from '../member.ts'
import type { PositionTokens } from '../positions.ts'
import { type StreamRights, trialOf } from '../rights.ts'
import { allowedChannels, subscriptionOf } from '../subscription.ts'
import { sseFraming, unnamedSseFraming } from './sse.ts'

export interface SseParts {
  readonly fanout: Fanout
  readonly rights: StreamRights
  readonly accounts: Pick<Accounts, 'find'>
  readonly clock: () => number
  readonly tokens: PositionTokens
  /** The epoch of the log whose positions can be resumed from. */
  readonly epoch: string
}

export interface SseRequest {
  readonly caller: Caller
  /** The value of the key. */
  readonly key: string
  readonly scope: Scope
  readonly query: Query<typeof sseQuery>
  /** What the path says instead of `channel` and `event`. */
  readonly path: { readonly channel?: SseChannel; readonly event?: string }
  readonly lastEventId: string
}

export interface SseSession {
  /** The answer has begun: everything else is sent to it. */
  start(connection: Connection): Client
  /** The connection is gone. */
  end(): void
}

/** @throws ApiError for what is not to be streamed to this caller */
export function openSse(parts: SseParts, request: SseRequest): SseSession {
  const { fanout, rights, accounts, clock, tokens } = parts
  const { caller, key, scope, query, path, lastEventId } = request
  rights.require(caller)
  const { channel, isUnnamed } = channelOf(query, path.channel)
  const channels = channelsOf(channel, allowedChannels(caller.features), caller)
  const start = startOf(query.resume_from, tokens)
  const event = path.event === undefined ? query.event : [eventOf(path.event, scope, start)]
  const subscription = subscriptionOf(scope, channels, filtersOf({ ...query, event }))
  const echo = subscription.echo()
  const trial = trialOf(accounts, caller, clock())
  const connected = {
    stream_id: `stream_${clock()}`,
    channel,
    filters: Object.fromEntries(echoed.map((name) => [name, echo[name] ?? null])),
    reconnected: lastEventId !== '' || query.last_event_id !== undefined,
    ...(start.from === 'position' && { resumed: start.position.epoch === parts.epoch }),
    ...(trial && { trial }),
  }
  const options: ClientOptions = {
    proof: query.proof ?? false,
    heartbeatMs: 1_000 * query.heartbeat_seconds,
    state: query.state,
    heartbeat: timeAlone,
  }
  // Streams are many and quiet: what only the beginning needs is not kept for their whole life.
  let beginning: ((connection: Connection) => Client) | null = (connection) => {
    const opened = fanout.open(connection, isUnnamed ? unnamedSseFraming : sseFraming, options)
    opened.tell('connected', connected)
    opened.subscribe(subscription, start)
    return opened
  }
  let client: Client | undefined
  // Comes last, so that a refused request takes no slot.
  const right = rights.admit(caller, key, (loss) => {
    if (loss === 'displaced') client?.close(4001, 'displaced')
    else if (loss !== 'rights_changed') client?.fail(codeOf(loss), loss.message, 4001)
    // The client comes back by itself, and is then given what it may see.
    else client?.fail('rights_changed', 'The rights of the key have changed.', 1001)
  })
  return {
    start(connection) {
      invariant(beginning, 'a stream begins once')
      client = beginning(connection)
      beginning = null
      return client
    },
    end() {
      right.release()
      client?.gone()
    },
  }
}

/** Filters that `connected` says, with null for all. */
const echoed = ['sportsbook', 'sport', 'league', 'event', 'market']

const timeAlone = (timestamp: string) => ({ timestamp })

/** The code of an `error` event; each reason for which a key can lose its right is such a code. */
const codeOf = ({ code }: ApiError) => code as Parameters<Client['fail']>[0]

function startOf(token: string | undefined, tokens: PositionTokens): Start {
  if (token === undefined) return fromSnapshot
  return { from: 'position', position: tokens.require(token) }
}

/**
 * A stream of an event that does not exist would stay silent for ever.
 * @returns its id
 * @throws ApiError not_found; validation_error for what is no whole id where a client goes on: it may
 *   have meant another game before
 */
function eventOf(id: string, scope: Scope, start: Start): string {
  const event = visibleEvent(scope, id)
  if (start.from === 'position' && event.id !== id) {
    throw new ApiError('validation_error', `resume_from goes with the whole id, ${event.id}.`)
  }
  return event.id
}

/** @throws ApiError validation_error for names that are no channels */
function channelOf(
  { channel: named, type }: Query<typeof sseQuery>,
  ofPath: SseChannel | undefined,
): { channel: SseChannel; isUnnamed: boolean } {
  if (ofPath !== undefined) return { channel: ofPath, isUnnamed: false }
  if (!named) return { channel: type ?? 'opportunities', isUnnamed: type !== undefined }
  const known = sseChannelNames.filter((name) =>
    named.some((value) => value.toLowerCase() === name),
  )
  const [first] = known
  if (first === undefined) {
    throw new ApiError('validation_error', `channel is one of ${sseChannelNames.join(', ')}.`, {
      parameters: ['channel'],
    })
  }
  return { channel: known.length > 1 ? 'all' : first, isUnnamed: false }
}

/** @throws ApiError tier_restricted where nothing of the channel is the account's */
function channelsOf(
  channel: SseChannel,
  allowed: readonly WebsocketChannel[],
  { tier }: Caller,
): readonly WebsocketChannel[] {
  if (channel === 'all') return allowed
  const { names, addOn } = channelNamed(channel)
  const wanted = allowed.filter((name) => names.includes(name))
  if (wanted.length > 0) return wanted
  throw new ApiError('tier_restricted', `This account may not use the channel ${channel}.`, {
    tier,
    ...(addOn !== undefined && { addon: addOn }),
  })
}
