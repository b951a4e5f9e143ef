/** One WebSocket: its key, its frames, what it asks for (supplement 1). */

import { distance } from 'fastest-levenshtein'
import { createQueryReader, type Query } from '../../schemas/http/query.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import {
  type StreamErrorCode,
  streamErrorCodes,
  type WebsocketChannel,
  websocketChannels,
} from '../../schemas/stream/channels.ts'
import {
  type ClientFrame,
  type DecodedFrame,
  decodeClientFrame,
  type Filters,
  filterSpellings,
} from '../../schemas/stream/frames.ts'
import { defaultMinEv, websocketQuery } from '../../schemas/stream/parameters.ts'
import type { Accounts } from '../access/accounts.ts'
import type { Caller, Keyring } from '../access/keys.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { ApiError } from '../errors.ts'
import { defaultMinProfit } from '../opportunities/beside.ts'
import type { Client, Fanout } from './fanout.ts'
import type { Connection, Start } from './member.ts'
import { parsePosition } from './positions.ts'
import { isOther, type StreamRight, type StreamRights, trialOf } from './rights.ts'
import {
  allowedChannels,
  isAllowed,
  type StreamFilters,
  type Subscription,
  subscriptionOf,
} from './subscription.ts'
import { websocketFraming } from './websocket-framing.ts'

export interface WebsocketParts {
  readonly fanout: Fanout
  readonly rights: StreamRights
  readonly accounts: Pick<Accounts, 'find'> & { readonly keyring: Keyring }
  readonly scopes: Readonly<Record<string, Scope>>
  readonly clock: () => number
  readonly epoch: string
  /** How long a connection may be without a key. */
  readonly authTimeoutMs?: number
  /** Whether the board is whole. */
  isReady(): boolean
  /** Takes one request of the key's minute and counts it. @throws ApiError rate_limited */
  admit(key: string): Caller
}

export interface WebsocketSession {
  /** A frame of the client; null for a binary one. */
  receive(text: string | null): void
  drained(): void
  /** The socket is closed. */
  end(): void
}

const defaultAuthTimeoutMs = 10_000
/** A first `subscribe` is waited for so long, where the address asks for nothing. */
const firstSubscribeMs = 250
/** Frames of a client in a second, and how often in a row it may send more. */
const framesPerSecond = 20
const mostExcesses = 5

/** What is asked for now; a member absent stands for all. */
interface Asked {
  /** As named; null for all the account may have. */
  readonly channels: readonly WebsocketChannel[] | null
  readonly filters: StreamFilters
}

const readAddress = createQueryReader(websocketQuery, ['api_key'])

/**
 * @param key what the upgrade presents; empty for nothing
 * @param raw the query of its address
 */
export function openWebsocket(
  parts: WebsocketParts,
  connection: Connection,
  key: string,
  raw: string,
): WebsocketSession {
  const { fanout, rights, accounts, scopes, clock } = parts
  const { query, problems } = readLenient(raw)
  const client: Client = fanout.open(connection, websocketFraming, {
    proof: query.proof ?? false,
    heartbeatMs: 1_000 * query.heartbeat_seconds,
    state: query.state,
    isByBook: true,
    heartbeat: () => ({}),
  })
  let right: StreamRight | null = null
  let asked: Asked = { channels: null, filters: {} }
  let subscription: Subscription | null = null
  let isBegun = false
  let isEnded = false
  let firstStart: Start = { from: 'snapshot' }
  const window = { second: 0, frames: 0, excesses: 0, isOver: false }
  let timer: NodeJS.Timeout | undefined

  /** What is wrong with the address, until `connected` has been told: that is the first frame. */
  let early: { readonly code: StreamErrorCode; readonly message: string }[] | null = null

  function error(code: StreamErrorCode, message: string) {
    if (early) early.push({ code, message })
    else client.tell('error', { code, message })
  }

  function refuse(reason: unknown) {
    if (!(reason instanceof ApiError)) throw reason
    const code =
      reason.code in streamErrorCodes ? (reason.code as StreamErrorCode) : 'upstream_error'
    const close = streamErrorCodes[code].closesWith ?? (code === 'rate_limited' ? 1013 : 4001)
    client.fail(code, reason.message, close)
    end()
  }

  // ---- the key

  function authenticate(value: string) {
    try {
      const caller = parts.admit(value)
      right = rights.admit(caller, value, {
        lost: refuse,
        changed: () => {
          client.fail('rights_changed', 'The rights of the key have changed.', 1001)
          end()
        },
        displaced: () => {
          client.close(4001, 'displaced')
          end()
        },
      })
    } catch (reason) {
      return refuse(reason)
    }
    clearTimeout(timer)
    start(right)
  }

  function start({ caller }: StreamRight) {
    const scope = scopes[caller.tier]!
    const { ev, arbitrage, middles, low_hold } = caller.features
    const faults: typeof early = []
    early = faults
    asked = { channels: channelsOf(query.channels, caller), filters: filtersOf(query) }
    if (!right) return
    firstStart = startOf()
    const trial = trialOf(accounts, caller, clock())
    client.tell('connected', {
      message: 'Stream ready',
      stream_id: `ws_${clock().toString(36)}_${(++opened).toString(36)}`,
      tier: caller.tier,
      features: { ev, arbitrage, middles, low_hold },
      channels: asked.channels,
      global_seq: fanout.globalSeq,
      books: { max: scope.sportsbooks?.length ?? -1, allowed: scope.sportsbooks ?? null },
      ...(firstStart.from === 'position' && {
        resumed: firstStart.position.epoch === parts.epoch,
      }),
      ...(trial && { trial }),
    })
    early = null
    for (const { code, message } of faults) error(code, message)
    for (const [name, problem] of Object.entries(problems)) {
      error('validation_error', `${name} ${problem}.`)
    }
    const asksNothing = asked.channels === null && Object.keys(asked.filters).length === 0
    // A client that subscribes at once is not to be given everything first.
    if (asksNothing) timer = setTimeout(subscribe, firstSubscribeMs)
    else subscribe()
  }

  function startOf(): Start {
    if (query.resume_from !== undefined) {
      const position = parsePosition(query.resume_from)
      if (position) return { from: 'position', position }
      error('validation_error', 'resume_from is no position a stream has given.')
      return { from: 'snapshot' }
    }
    const { from_seq } = query
    // A number that cannot be read does not stand for now.
    if (!query.resume || 'from_seq' in problems) return { from: 'snapshot' }
    return from_seq === undefined ? { from: 'now' } : { from: 'sequence', globalSeq: from_seq }
  }

  /** The channels an address or a frame names, without those the account may not have. */
  function channelsOf(
    names: readonly string[] | undefined,
    caller: Caller,
  ): readonly WebsocketChannel[] | null {
    if (!names) return null
    const lower = names.map((name) => name.toLowerCase())
    const known = websocketChannels.filter((channel) => lower.includes(channel))
    if (known.length === 0) {
      error('missing_channels', `Channels are ${websocketChannels.join(', ')}.`)
      return null
    }
    return mayHave(known, caller)
  }

  function mayHave(channels: readonly WebsocketChannel[], { tier, features }: Caller) {
    const allowed = channels.filter((channel) => isAllowed(channel, features))
    const denied = channels.filter((channel) => !allowed.includes(channel))
    const message = `The ${tier} tier does not have ${denied.join(', ')}.`
    if (allowed.length === 0) refuse(new ApiError('tier_restricted', message))
    else if (denied.length > 0) error('tier_restricted', message)
    return allowed
  }

  // ---- what is asked for

  function subscribe() {
    clearTimeout(timer)
    timer = undefined
    if (!right || isEnded) return
    const { caller } = right
    subscription = subscribed(caller)
    tellSubscribed(subscription)
    client.subscribe(subscription, isBegun ? { from: 'snapshot' } : firstStart)
    isBegun = true
  }

  /** Values that are not known are told, and left out. */
  function subscribed(caller: Caller): Subscription {
    const scope = scopes[caller.tier]!
    const channels = asked.channels ?? allowedChannels(caller.features)
    let filters = withinScope(asked.filters, scope)
    for (;;) {
      try {
        const made = subscriptionOf(scope, channels, filters)
        asked = { ...asked, filters }
        return made
      } catch (reason) {
        if (!(reason instanceof ApiError) || reason.code !== 'invalid_filter') throw reason
        error('invalid_filter', reason.message)
        filters = withoutUnknown(filters, reason)
      }
    }
  }

  function withinScope(filters: StreamFilters, scope: Scope): StreamFilters {
    const outside = filters.sportsbook?.filter((name) => {
      const known = findSportsbook(name)
      return known && !seesSportsbook(scope, known.id)
    })
    if (!outside || outside.length === 0) return filters
    error('tier_restricted', `The ${scope.tier} tier does not include ${outside.join(', ')}.`)
    return {
      ...filters,
      sportsbook: filters.sportsbook?.filter((name) => !outside.includes(name)),
    }
  }

  function tellSubscribed({ echo }: Subscription) {
    const { sport = null, sportsbook = null, league = null, market = null, event = null } = echo()
    const { min_ev = defaultMinEv, min_profit = defaultMinProfit } = asked.filters
    const { min_odds, max_odds } = asked.filters
    client.tell('subscribed', {
      channels: asked.channels,
      sports: sport,
      sportsbooks: sportsbook,
      leagues: league,
      markets: market,
      eventIds: event,
      min_ev,
      min_profit,
      ...(min_odds !== undefined && { min_odds }),
      ...(max_odds !== undefined && { max_odds }),
    })
  }

  function resubscribe(frame: Extract<ClientFrame, { type: 'subscribe' | 'filter' }>) {
    if (!right) return
    const before = { asked, subscription }
    const channels =
      frame.type === 'subscribe' && frame.channels
        ? mayHave(frame.channels, right.caller)
        : asked.channels
    if (!right) return
    asked = { channels, filters: withFilters(asked.filters, frame.filters) }
    // Nothing has been sent yet, or not all of it: what comes now is what was asked for last.
    if (!isBegun || !before.subscription) return subscribe()
    const next = subscribed(right.caller)
    if (!isShrunk(before.subscription, next, before.asked, asked)) return subscribe()
    if (!client.narrow(next)) return subscribe()
    subscription = next
    tellSubscribed(next)
  }

  // ---- frames

  function receive(text: string | null) {
    if (isEnded || isTooOften()) return
    const decoded = text === null ? binary : decodeClientFrame(text)
    if (!decoded.ok) {
      const { code, message, unknown } = decoded
      // Whoever misspelt a filter does not want everything instead.
      if (unknown && right && !isBegun) clearTimeout(timer)
      return error(code, unknown ? `${noSuchFilters(unknown)}; ${message}` : message)
    }
    const { frame } = decoded
    if (frame.type === 'ping') return client.tell('pong', {})
    if (!right) {
      if (frame.type === 'auth') return authenticate(frame.token)
      return error('not_authenticated', 'Send auth with a token first.')
    }
    if (frame.type === 'auth') {
      return error('already_authenticated', 'The connection has its key; refresh_token changes it.')
    }
    if (frame.type === 'refresh_token') return refresh(right, frame.token)
    if (frame.type === 'subscribe' || frame.type === 'filter') resubscribe(frame)
  }

  function refresh(held: StreamRight, token: string) {
    const before = held.caller
    let caller: Caller
    try {
      caller = held.exchange(token)
    } catch (reason) {
      return refuse(reason)
    }
    if (asked.channels) asked = { ...asked, channels: mayHave(asked.channels, caller) }
    if (isEnded) return
    if (isOther(before, caller) || !subscription) return subscribe()
    tellSubscribed(subscription)
  }

  function isTooOften(): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (window.second !== second) {
      if (!window.isOver) window.excesses = 0
      window.second = second
      window.frames = 0
      window.isOver = false
    }
    if (++window.frames <= framesPerSecond) return false
    window.isOver = true
    if (++window.excesses < mostExcesses) {
      error('rate_limited', `At most ${framesPerSecond} frames a second.`)
    } else {
      client.fail('rate_limited', `At most ${framesPerSecond} frames a second.`, 1008)
      end()
    }
    return true
  }

  function end() {
    isEnded = true
    clearTimeout(timer)
    right?.release()
    right = null
    client.gone()
  }

  if (!parts.isReady()) {
    client.fail('upstream_error', 'The board is still being read; try again.', 1013)
    end()
  } else if (key === '') {
    timer = setTimeout(
      () => refuse(new ApiError('missing_api_key', 'No auth came in time.')),
      parts.authTimeoutMs ?? defaultAuthTimeoutMs,
    )
  } else authenticate(key)

  return { receive, drained: client.drained, end }
}

let opened = 0

const binary: DecodedFrame = {
  ok: false,
  code: 'invalid_message',
  message: 'Frames are JSON text.',
}

type AddressQuery = Query<typeof websocketQuery>

/** The address without what is malformed or not known in it, and what is wrong with that. */
function readLenient(raw: string): {
  query: AddressQuery
  problems: Readonly<Record<string, string>>
} {
  const read = readAddress(raw)
  if (read.ok) return { query: read.query, problems: {} }
  const params = new URLSearchParams(raw)
  const problems: Record<string, string> = { ...read.problems }
  for (const name of read.unknown) {
    params.delete(name)
    problems[name.slice(0, 60)] = 'is no parameter'
  }
  for (const name of Object.keys(read.problems)) {
    for (const spelling of spellingsOf(name)) params.delete(spelling)
  }
  const again = readAddress(params.toString())
  if (!again.ok) throw new Error('an address without its faults is read')
  return { query: again.query, problems }
}

/** Names shown of filters that there are not, and characters of each. */
const mostShown = 5
const longestShown = 60

/** Which members of `filters` are none, with the filters they may stand for. */
function noSuchFilters(unknown: readonly string[]): string {
  const shown = unknown.slice(0, mostShown).map((name) => {
    const near = nearestFilter(name)
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`
    return `${name.length > longestShown ? `${name.slice(0, longestShown)}…` : name}${hint}`
  })
  const more = unknown.length - shown.length
  return `There is no filter ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The filter one slip of the finger away, whatever the case and the marks between words. */
function nearestFilter(name: string): string | undefined {
  if (name.length > longestShown) return undefined
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const letters = bare(name)
  for (const [spelling, meant] of filterSpellings) {
    if (distance(letters, bare(spelling)) <= 1) return meant
  }
  return undefined
}

const spellingsOf = (name: string) => [
  name,
  ...((
    websocketQuery as Readonly<
      Record<string, { meta(): { 'x-aliases'?: readonly string[] } | undefined }>
    >
  )[name]?.meta()?.['x-aliases'] ?? []),
]

function filtersOf(query: AddressQuery): StreamFilters {
  const { sport, league, sportsbook, market, event, min_ev, min_profit, min_odds, max_odds } = query
  return present({
    sport,
    league,
    sportsbook,
    market,
    event,
    min_ev,
    min_profit,
    min_odds,
    max_odds,
  })
}

/** What a frame gives goes in place of what was there; null is all. */
function withFilters(before: StreamFilters, given: Filters): StreamFilters {
  const { sports, leagues, sportsbooks, markets, eventIds, ...bounds } = given
  const named = {
    sport: sports,
    league: leagues,
    sportsbook: sportsbooks,
    market: markets,
    event: eventIds,
    ...bounds,
  }
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(named)) {
    if (value === null) delete merged[name]
    else if (value !== undefined) merged[name] = value
  }
  return merged
}

/** Members that are undefined left out. */
function present(filters: StreamFilters): StreamFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

/** A filter all of whose values are not known names nothing. */
function withoutUnknown(filters: StreamFilters, { details }: ApiError): StreamFilters {
  const { fields } = details.details as { fields: Readonly<Record<string, readonly string[]>> }
  const left: Record<string, unknown> = { ...filters }
  for (const [name, unknown] of Object.entries(fields)) {
    const values = left[name]
    if (Array.isArray(values)) left[name] = values.filter((value) => !unknown.includes(value))
  }
  return left
}

/** Whether all that is asked for now was asked for before, and opportunities are the same. */
function isShrunk(
  before: Subscription,
  now: Subscription,
  { filters: wide }: Asked,
  { filters: narrow }: Asked,
): boolean {
  if (!before.odds || !now.odds) return false
  if (now.opportunities && before.opportunities?.key !== now.opportunities.key) return false
  if (now.hasGameState && !before.hasGameState) return false
  const isPart = (all: readonly string[] | undefined, part: readonly string[] | undefined) =>
    all === undefined || (part?.every((value) => all.includes(value)) ?? false)
  return (
    isPart(wide.sport, narrow.sport) &&
    isPart(wide.league, narrow.league) &&
    isPart(wide.sportsbook, narrow.sportsbook) &&
    isPart(wide.market, narrow.market) &&
    isPart(wide.event, narrow.event) &&
    (wide.min_odds ?? Number.NEGATIVE_INFINITY) <= (narrow.min_odds ?? Number.NEGATIVE_INFINITY) &&
    (wide.max_odds ?? Number.POSITIVE_INFINITY) >= (narrow.max_odds ?? Number.POSITIVE_INFINITY)
  )
}
