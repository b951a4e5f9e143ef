/** A session of `GET /stream`: checks the request, sends `connected`, subscribes (interface 6, supplement 2). */

import { invariant } from '../../../pipeline/invariant.ts'
import type { Query } from '../../../schemas/http/query.ts'
import {
  defaultSseChannel,
  type SseChannel,
  sseChannelNames,
  type WebsocketChannel,
  websocketChannels,
} from '../../../schemas/stream/channels.ts'
import type { sseQuery } from '../../../schemas/stream/parameters.ts'
import type { Accounts } from '../../access/accounts.ts'
import type { Caller } from '../../access/keys.ts'
import type { RequestScopes, Scope } from '../../access/scope.ts'
import type { WorkBudget } from '../../access/work-budget.ts'
import { visibleEvent } from '../../answer/events.ts'
import { withLinkState } from '../../ask/link-state.ts'
import { ApiError, invalid } from '../../errors.ts'
import { channelNamed } from '../channels/all-channels.ts'
import { filtersOf } from '../channels/filters.ts'
import {
  allowedChannels,
  channelsRefused,
  lackOfChannels,
  streamQueryOf,
} from '../channels/stream-query.ts'
import type { ClientOptions, Connection, Start } from '../delivery/channel.ts'
import { fromSnapshot } from '../delivery/client.ts'
import type { ClientHandle, Fanout } from '../fanout/fanout.ts'
import { sseFraming, unnamedSseFraming } from '../framing/sse-framing.ts'
import type { PositionTokens } from '../timeline/positions.ts'
import type { EarlyCheck } from './early-check.ts'
import type { HeldStreams } from './held-streams.ts'
import { type StreamRights, sayLoss, streamCodeOf, trialOf } from './rights.ts'

export interface SseParts {
  readonly fanout: Fanout
  readonly rights: StreamRights
  readonly accounts: Pick<Accounts, 'find'>
  readonly scopes: RequestScopes
  readonly held: HeldStreams
  readonly canCheck: EarlyCheck
  readonly clock: () => number
  readonly tokens: PositionTokens
  /** The log's epoch. Clients can resume only from its positions. */
  readonly epoch: string
  readonly budget: Pick<WorkBudget, 'admit' | 'run'>
}

type SseParameters = Query<typeof sseQuery>

export interface SseRequest {
  /**
   * Counts one request of the key's minute, unless `isCounted` is false, and a refused key.
   * @throws ApiError for a refused key, rate_limited
   */
  readonly admit: (isCounted: boolean) => Caller
  /** The API key. */
  readonly key: string
  /** Reads the parameters. @throws ApiError validation_error */
  readonly query: () => SseParameters
  /** Set by the path instead of `channel` and `event`. */
  readonly path: { readonly channel?: SseChannel; readonly event?: string }
  readonly lastEventId: string
}

/** For the socket, once the response has begun. */
export type Started = Pick<ClientHandle, 'drained'>

export interface SseSession {
  /** The response has begun; the stream is sent to this connection. */
  start(connection: Connection): Started
  /** The connection is gone. */
  end(): void
}

/** @throws ApiError if the request is invalid, or the caller may not stream it */
export function openSse(parts: SseParts, request: SseRequest): SseSession {
  return parts.held.isReady() ? beginSse(parts, request) : holdSse(parts, request)
}

/** @throws ApiError if the request will be refused whatever is loaded later */
function holdSse(parts: SseParts, request: SseRequest): SseSession {
  // A stream that is not held counts no request.
  parts.held.requireRoom()
  const caller = parts.canCheck(request.key) ? admitted(parts, request, true) : undefined
  const { query, isUnnamed } = parts.budget.run(caller, () => readEarly(parts, request, caller))
  let connection: Connection | null = null
  let session: SseSession | null = null
  let started: Started | null = null
  let isStopped = false

  function begin() {
    if (!connection) return
    try {
      session = beginSse(parts, request, caller === undefined)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The client reconnects and then gets the error's status.
      openClient(parts, connection, isUnnamed, query).fail(streamCodeOf(error), error.message, 4001)
      return
    }
    started = session.start(connection)
  }

  function stop() {
    isStopped = true
    connection?.close(1001, 'service_stopping')
  }

  const leave = parts.held.hold({ begin, stop, signal: () => connection?.hold() })
  return {
    start(opened) {
      connection = opened
      connection.hold()
      if (isStopped) stop()
      return { drained: () => started?.drained() }
    },
    end() {
      leave()
      session?.end()
    },
  }
}

/**
 * Reads what can be judged without the board.
 * @param caller undefined while the key is unknown
 * @throws ApiError validation_error, tier_restricted
 */
function readEarly({ tokens }: SseParts, request: SseRequest, caller: Caller | undefined) {
  const query = request.query()
  const { channel, isUnnamed } = channelOf(query, request.path.channel)
  startOf(query.resume_from, tokens)
  if (caller) channelsOf(channel, allowedChannels(caller.features), caller, query)
  return { query, isUnnamed }
}

function openClient(
  { fanout }: SseParts,
  connection: Connection,
  isUnnamed: boolean,
  { proof = false, heartbeat_seconds, state }: SseParameters,
): ClientHandle {
  const options: ClientOptions = {
    proof,
    heartbeatMs: 1_000 * heartbeat_seconds,
    state,
    heartbeat: timeAlone,
  }
  return fanout.open(connection, isUnnamed ? unnamedSseFraming : sseFraming, options)
}

/** @throws ApiError for a refused key, or one that may not stream; rate_limited, work_limited */
function admitted({ rights, budget }: SseParts, request: SseRequest, isCounted: boolean): Caller {
  const caller = request.admit(isCounted)
  rights.require(caller)
  budget.admit(caller)
  return caller
}

/** @throws ApiError if the request is invalid, or the caller may not stream it */
function beginSse(parts: SseParts, request: SseRequest, isCounted = true): SseSession {
  const caller = admitted(parts, request, isCounted)
  return parts.budget.run(caller, () => admittedSse(parts, request, caller))
}

/** @throws ApiError if the caller may not stream it */
function admittedSse(parts: SseParts, request: SseRequest, caller: Caller): SseSession {
  const { rights, accounts, scopes, clock } = parts
  const { key, path, lastEventId } = request
  const query = request.query()
  const scope = scopes.among(scopes.of(caller), query.books, caller)
  const { channel, isUnnamed } = channelOf(query, path.channel)
  const channels = channelsOf(channel, allowedChannels(caller.features), caller, query)
  const denied = query.only?.filter((name) => !channels.includes(name)) ?? []
  const start = startOf(query.resume_from, parts.tokens)
  const event = path.event === undefined ? query.event : [eventOf(path.event, scope, start)]
  const streamQuery = streamQueryOf(scope, channels, filtersOf({ ...query, event }))
  const echo = streamQuery.echo()
  const trial = trialOf(accounts, caller, clock())
  const connected = {
    stream_id: `stream_${clock()}`,
    channel,
    filters: Object.fromEntries(echoed.map((name) => [name, echo[name] ?? null])),
    reconnected: lastEventId !== '' || query.last_event_id !== undefined,
    ...(start.from === 'position' && { resumed: start.position.epoch === parts.epoch }),
    ...(trial && { trial }),
  }
  // There are many streams, so data needed only for the start is freed.
  let beginning: ((connection: Connection) => ClientHandle) | null = (connection) => {
    const ofCaller = withLinkState(query, scopes.profileOf(caller.accountId).state)
    const opened = openClient(parts, connection, isUnnamed, ofCaller)
    opened.greet(connected)
    if (denied.length > 0) {
      const message = lackOfChannels(denied, caller.tier)
      opened.send('error', { code: 'tier_restricted', message })
    }
    opened.subscribe(streamQuery, start, right.caller)
    return opened
  }
  let client: ClientHandle | undefined
  // Last, so that a refused request takes no slot.
  const right = rights.admit(caller, key, 'sse', (loss) => {
    if (!client) return
    if (loss instanceof ApiError) client.fail(streamCodeOf(loss), loss.message, 4001)
    else sayLoss(client, loss)
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

/** Filters that `connected` shows; null means all. */
const echoed = ['sportsbook', 'sport', 'league', 'event', 'market']

const timeAlone = (timestamp: string) => ({ timestamp })

function startOf(token: string | undefined, tokens: PositionTokens): Start {
  if (token === undefined) return fromSnapshot
  return { from: 'position', position: tokens.require(token) }
}

/**
 * Checks the event, because a stream of an unknown one would stay silent.
 * @returns its id
 * @throws ApiError not_found; validation_error for a short id of a client that resumes, because it may have meant
 *   another game
 */
function eventOf(id: string, scope: Scope, start: Start): string {
  const event = visibleEvent(scope, id)
  if (start.from === 'position' && event.id !== id) {
    throw new ApiError('validation_error', `resume_from needs the whole event id, ${event.id}.`)
  }
  return event.id
}

/** @throws ApiError validation_error for unknown names */
function channelOf(
  { channel: named, type, only }: Query<typeof sseQuery>,
  ofPath: SseChannel | undefined,
): { channel: SseChannel; isUnnamed: boolean } {
  if (ofPath !== undefined) return { channel: ofPath, isUnnamed: false }
  if (!named) {
    const channel = only ? 'all' : (type ?? defaultSseChannel)
    return { channel, isUnnamed: type !== undefined }
  }
  const known = sseChannelNames.filter((name) =>
    named.some((value) => value.toLowerCase() === name),
  )
  const [first] = known
  if (first === undefined) {
    throw invalid(['channel'], `channel must be one of ${sseChannelNames.join(', ')}.`)
  }
  return { channel: known.length > 1 || only ? 'all' : first, isUnnamed: false }
}

/**
 * @param query `only` names the channels; without it `channel` does
 * @returns those of them that the account has
 * @throws ApiError tier_restricted if it has none, or nothing of the query's `kinds`
 */
function channelsOf(
  channel: SseChannel,
  allowed: readonly WebsocketChannel[],
  { tier }: Caller,
  { kinds, only }: SseParameters,
): readonly WebsocketChannel[] {
  if (kinds && !kinds.some((kind) => allowed.includes(kind))) {
    throw channelsRefused(kinds, tier)
  }
  if (channel === 'all' && !only) return allowed
  const names: readonly string[] = only ?? channelNamed(channel).names
  const wanted = allowed.filter((name) => names.includes(name))
  if (wanted.length > 0) return wanted
  const missing = websocketChannels.filter((name) => names.includes(name))
  throw channelsRefused(missing, tier)
}
