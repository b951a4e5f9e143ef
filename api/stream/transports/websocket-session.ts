/** One WebSocket: its key, its frames, what it asks for (supplement 1). */

import { distance } from 'fastest-levenshtein'
import { invariant } from '../../../pipeline/invariant.ts'
import { createQueryReader, type Query } from '../../../schemas/http/query.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import {
  type StreamErrorCode,
  streamErrorCodes,
  type WebsocketChannel,
  websocketChannels,
} from '../../../schemas/stream/channels.ts'
import {
  type ClientFrame,
  type DecodedFrame,
  decodeClientFrame,
  type Filters,
  filterSpellings,
} from '../../../schemas/stream/frames.ts'
import { defaultMinEv, websocketQuery } from '../../../schemas/stream/parameters.ts'
import type { Accounts } from '../../access/accounts.ts'
import type { Caller, Keyring } from '../../access/keys.ts'
import { type Scope, seesSportsbook } from '../../access/scope.ts'
import { given } from '../../ask/odds-filter.ts'
import { isField, knownFields } from '../../ask/odds-shape.ts'
import { ApiError } from '../../errors.ts'
import { defaultMinProfit } from '../../opportunities/beside.ts'
import type { Client, Fanout } from '../fanout.ts'
import type { Connection, Start } from '../member.ts'
import { parsePosition } from '../positions.ts'
import { isOther, type StreamRight, type StreamRights, trialOf } from '../rights.ts'
import {
  allowedChannels,
  isAllowed,
  type StreamFilters,
  type Subscription,
  subscriptionOf,
} from '../subscription.ts'
import { websocketFraming } from './websocket-framing.ts'

export interface WebsocketParts {
  readonly fanout: Fanout
  readonly rights: StreamRights
  readonly accounts: Pick<Accounts, 'find'> & { readonly keyring: Keyring }
  readonly scopes: Readonly<Record<string, Scope>>
  readonly clock: () => number
  readonly epoch: string
  /** How long a connection may be without a key. */
  readonly authTimeoutMs?: number | undefined
  /** Whether the board is whole. */
  isReady(): boolean
}

/** Takes one request of the key's minute and counts it. @throws ApiError rate_limited */
export type Admit = (key: string) => Caller

export interface WebsocketSession {
  /** A frame of the client; null for a binary one. */
  receive(text: string | null): void
  drained(): void
  /** The socket is closed. */
  end(): void
}

export interface Websockets {
  /**
   * @param key what the upgrade presents; empty for nothing
   * @param raw the query of its address
   */
  open(admit: Admit, connection: Connection, key: string, raw: string): WebsocketSession
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

/** What is kept of a connection: they are many and quiet, so that functions are not among it. */
interface Session {
  readonly client: Client
  readonly admit: Admit
  /** What its address asks for; null once that has been begun. */
  address: Address | null
  right: StreamRight | null
  asked: Asked
  subscription: Subscription | null
  isBegun: boolean
  isEnded: boolean
  firstStart: Start
  /** The second it sent a frame in last, how many in that, and how often in a row too many. */
  second: number
  frames: number
  excesses: number
  isOver: boolean
  timer: NodeJS.Timeout | undefined
  /** What is wrong with the address, until `connected` has been told: that is the first frame. */
  early: { readonly code: StreamErrorCode; readonly message: string }[] | null
}

const readAddress = createQueryReader(websocketQuery, ['api_key'])

export function createWebsockets(parts: WebsocketParts): Websockets {
  const { fanout, rights, accounts, scopes, clock, authTimeoutMs = defaultAuthTimeoutMs } = parts

  function error({ client, early }: Session, code: StreamErrorCode, message: string) {
    if (early) early.push({ code, message })
    else client.tell('error', { code, message })
  }

  function refuse(session: Session, reason: unknown) {
    if (!(reason instanceof ApiError)) throw reason
    const code =
      reason.code in streamErrorCodes ? (reason.code as StreamErrorCode) : 'upstream_error'
    const close = streamErrorCodes[code].closesWith ?? (code === 'rate_limited' ? 1013 : 4001)
    session.client.fail(code, reason.message, close)
    end(session)
  }

  function end(session: Session) {
    const { right, timer, client } = session
    session.isEnded = true
    clearTimeout(timer)
    right?.release()
    session.right = null
    client.gone()
  }

  // ---- the key

  function authenticate(session: Session, value: string) {
    const { client, admit } = session
    let right: StreamRight
    try {
      right = rights.admit(admit(value), value, {
        lost: (reason) => refuse(session, reason),
        changed: () => {
          client.fail('rights_changed', 'The rights of the key have changed.', 1001)
          end(session)
        },
        displaced: () => {
          client.close(4001, 'displaced')
          end(session)
        },
      })
    } catch (reason) {
      return refuse(session, reason)
    }
    session.right = right
    clearTimeout(session.timer)
    start(session, right.caller)
  }

  function start(session: Session, caller: Caller) {
    const { client, address } = session
    invariant(address, 'a connection begins once')
    session.address = null
    const { query, problems } = address
    const scope = scopes[caller.tier]!
    const { ev, arbitrage, middles, low_hold } = caller.features
    const faults: Session['early'] = []
    session.early = faults
    const channels = channelsOf(session, query.channels, caller)
    session.asked = { channels, filters: filtersOf(query) }
    if (!session.right) return
    const first = startOf(session, address)
    session.firstStart = first
    const trial = trialOf(accounts, caller, clock())
    client.tell('connected', {
      message: 'Stream ready',
      stream_id: `ws_${clock().toString(36)}_${(++opened).toString(36)}`,
      tier: caller.tier,
      features: { ev, arbitrage, middles, low_hold },
      channels,
      global_seq: fanout.globalSeq,
      books: { max: scope.sportsbooks?.length ?? -1, allowed: scope.sportsbooks ?? null },
      ...(first.from === 'position' && { resumed: first.position.epoch === parts.epoch }),
      ...(trial && { trial }),
    })
    session.early = null
    for (const { code, message } of faults) error(session, code, message)
    for (const [name, problem] of Object.entries(problems)) {
      error(session, 'validation_error', `${name} ${problem}.`)
    }
    const asksNothing = channels === null && Object.keys(session.asked.filters).length === 0
    // A client that subscribes at once is not to be given everything first.
    if (asksNothing) session.timer = setTimeout(subscribe, firstSubscribeMs, session)
    else subscribe(session)
  }

  function startOf(session: Session, { query, problems }: Address): Start {
    if (query.resume_from !== undefined) {
      const position = parsePosition(query.resume_from)
      if (position) return { from: 'position', position }
      error(session, 'validation_error', 'resume_from is no position a stream has given.')
      return { from: 'snapshot' }
    }
    const { from_seq } = query
    // A number that cannot be read does not stand for now.
    if (!query.resume || 'from_seq' in problems) return { from: 'snapshot' }
    return from_seq === undefined ? { from: 'now' } : { from: 'sequence', globalSeq: from_seq }
  }

  /** The channels an address or a frame names, without those the account may not have. */
  function channelsOf(
    session: Session,
    names: readonly string[] | undefined,
    caller: Caller,
  ): readonly WebsocketChannel[] | null {
    if (!names) return null
    const lower = names.map((name) => name.toLowerCase())
    const known = websocketChannels.filter((channel) => lower.includes(channel))
    if (known.length === 0) {
      error(session, 'missing_channels', `Channels are ${websocketChannels.join(', ')}.`)
      return null
    }
    return mayHave(session, known, caller)
  }

  function mayHave(
    session: Session,
    channels: readonly WebsocketChannel[],
    { tier, features }: Caller,
  ) {
    const allowed = channels.filter((channel) => isAllowed(channel, features))
    const denied = channels.filter((channel) => !allowed.includes(channel))
    const message = `The ${tier} tier does not have ${denied.join(', ')}.`
    if (allowed.length === 0) refuse(session, new ApiError('tier_restricted', message))
    else if (denied.length > 0) error(session, 'tier_restricted', message)
    return allowed
  }

  // ---- what is asked for

  function subscribe(session: Session) {
    const { right, client } = session
    clearTimeout(session.timer)
    session.timer = undefined
    if (!right || session.isEnded) return
    const subscription = subscribed(session, right.caller)
    session.subscription = subscription
    tellSubscribed(session, subscription)
    client.subscribe(subscription, session.isBegun ? { from: 'snapshot' } : session.firstStart)
    session.isBegun = true
  }

  /** Values that are not known are told, and left out. */
  function subscribed(session: Session, caller: Caller): Subscription {
    const { asked } = session
    const scope = scopes[caller.tier]!
    const channels = asked.channels ?? allowedChannels(caller.features)
    let filters = withKnownFields(session, withinScope(session, asked.filters, scope))
    for (;;) {
      try {
        const made = subscriptionOf(scope, channels, filters)
        session.asked = { ...asked, filters }
        return made
      } catch (reason) {
        if (!(reason instanceof ApiError) || reason.code !== 'invalid_filter') throw reason
        error(session, 'invalid_filter', reason.message)
        filters = withoutUnknown(filters, reason)
      }
    }
  }

  function withinScope(session: Session, filters: StreamFilters, scope: Scope): StreamFilters {
    const outside = filters.sportsbook?.filter((name) => {
      const known = findSportsbook(name)
      return known && !seesSportsbook(scope, known.id)
    })
    if (!outside || outside.length === 0) return filters
    const message = `The ${scope.tier} tier does not include ${outside.join(', ')}.`
    error(session, 'tier_restricted', message)
    return {
      ...filters,
      sportsbook: filters.sportsbook?.filter((name) => !outside.includes(name)),
    }
  }

  function withKnownFields(session: Session, filters: StreamFilters): StreamFilters {
    const strangers = filters.fields?.filter((name) => !isField(name))
    if (!strangers || strangers.length === 0) return filters
    error(session, 'validation_error', `fields names ${shownNames(strangers)}; ${knownFields}`)
    const { fields, ...others } = filters
    const left = fields?.filter(isField) ?? []
    return left.length > 0 ? { ...others, fields: left } : others
  }

  function tellSubscribed({ client, asked }: Session, { echo }: Subscription) {
    const { sport = null, sportsbook = null, league = null, market = null, event = null } = echo()
    const { min_ev = defaultMinEv, min_profit = defaultMinProfit } = asked.filters
    const { min_odds, max_odds, add_sportsbook, live, team, date, q } = asked.filters
    const { is_main_line, fields } = asked.filters
    client.tell('subscribed', {
      channels: asked.channels,
      sports: sport,
      sportsbooks: sportsbook,
      leagues: league,
      markets: market,
      eventIds: event,
      min_ev,
      min_profit,
      ...given({ min_odds, max_odds, add_sportsbooks: add_sportsbook, live, teams: team }),
      ...given({ date, q, is_main_line, fields }),
    })
  }

  function resubscribe(
    session: Session,
    frame: Extract<ClientFrame, { type: 'subscribe' | 'filter' }>,
  ) {
    const { right, asked: askedBefore, subscription: before } = session
    if (!right) return
    const channels =
      frame.type === 'subscribe' && frame.channels
        ? mayHave(session, frame.channels, right.caller)
        : askedBefore.channels
    if (session.isEnded) return
    session.asked = { channels, filters: withFilters(askedBefore.filters, frame.filters) }
    // Nothing has been sent yet, or not all of it: what comes now is what was asked for last.
    if (!session.isBegun || !before) return subscribe(session)
    const next = subscribed(session, right.caller)
    if (!isShrunk(before, next, askedBefore, session.asked)) return subscribe(session)
    if (!session.client.narrow(next)) return subscribe(session)
    session.subscription = next
    tellSubscribed(session, next)
  }

  // ---- frames

  function receive(session: Session, text: string | null) {
    if (session.isEnded || isTooOften(session)) return
    const { client, right } = session
    const decoded = text === null ? binary : decodeClientFrame(text)
    if (!decoded.ok) {
      const { code, message, unknown } = decoded
      // Whoever misspelt a filter does not want everything instead.
      if (unknown && right && !session.isBegun) clearTimeout(session.timer)
      return error(session, code, unknown ? `${noSuchFilters(unknown)}; ${message}` : message)
    }
    const { frame } = decoded
    if (frame.type === 'ping') return client.tell('pong', {})
    if (!right) {
      if (frame.type === 'auth') return authenticate(session, frame.token)
      return error(session, 'not_authenticated', 'Send auth with a token first.')
    }
    if (frame.type === 'auth') {
      const message = 'The connection has its key; refresh_token changes it.'
      return error(session, 'already_authenticated', message)
    }
    if (frame.type === 'refresh_token') return refresh(session, right, frame.token)
    if (frame.type === 'subscribe' || frame.type === 'filter') resubscribe(session, frame)
  }

  function refresh(session: Session, held: StreamRight, token: string) {
    const before = held.caller
    let caller: Caller
    try {
      caller = held.exchange(token)
    } catch (reason) {
      return refuse(session, reason)
    }
    const { asked, subscription } = session
    if (asked.channels) {
      session.asked = { ...asked, channels: mayHave(session, asked.channels, caller) }
    }
    if (session.isEnded) return
    if (isOther(before, caller) || !subscription) return subscribe(session)
    tellSubscribed(session, subscription)
  }

  function isTooOften(session: Session): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (session.second !== second) {
      if (!session.isOver) session.excesses = 0
      session.second = second
      session.frames = 0
      session.isOver = false
    }
    if (++session.frames <= framesPerSecond) return false
    session.isOver = true
    const message = `At most ${framesPerSecond} frames a second.`
    if (++session.excesses < mostExcesses) error(session, 'rate_limited', message)
    else {
      session.client.fail('rate_limited', message, 1008)
      end(session)
    }
    return true
  }

  return {
    open(admit, connection, key, raw) {
      const address = readLenient(raw)
      const { query } = address
      const client = fanout.open(connection, websocketFraming, {
        proof: query.proof ?? false,
        heartbeatMs: 1_000 * query.heartbeat_seconds,
        state: query.state,
        isByBook: true,
        heartbeat: noMembers,
      })
      const session: Session = {
        client,
        admit,
        address,
        right: null,
        asked: { channels: null, filters: {} },
        subscription: null,
        isBegun: false,
        isEnded: false,
        firstStart: { from: 'snapshot' },
        second: 0,
        frames: 0,
        excesses: 0,
        isOver: false,
        timer: undefined,
        early: null,
      }
      if (!parts.isReady()) {
        client.fail('upstream_error', 'The board is still being read; try again.', 1013)
        end(session)
      } else if (key === '') {
        const late = new ApiError('missing_api_key', 'No auth came in time.')
        session.timer = setTimeout(() => refuse(session, late), authTimeoutMs)
      } else authenticate(session, key)
      return {
        receive: (text) => receive(session, text),
        drained: client.drained,
        end: () => end(session),
      }
    },
  }
}

const noMembers = () => ({})

let opened = 0

const binary: DecodedFrame = {
  ok: false,
  code: 'invalid_message',
  message: 'Frames are JSON text.',
}

type AddressQuery = Query<typeof websocketQuery>

interface Address {
  readonly query: AddressQuery
  readonly problems: Readonly<Record<string, string>>
}

/** The address without what is malformed or not known in it, and what is wrong with that. */
function readLenient(raw: string): Address {
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

/** Names shown of those that there are not, and characters of each. */
const mostShown = 5
const longestShown = 60

/** Which members of `filters` are none, with the filters they may stand for. */
function noSuchFilters(unknown: readonly string[]): string {
  const hint = (name: string) => {
    const near = nearestFilter(name)
    return near === undefined ? '' : ` (did you mean ${near}?)`
  }
  return `There is no filter ${shownNames(unknown, hint)}`
}

/** The first few of many names, none of them long. */
function shownNames(names: readonly string[], hint: (name: string) => string = () => ''): string {
  const shown = names.slice(0, mostShown).map((name) => {
    const short = name.length > longestShown ? `${name.slice(0, longestShown)}…` : name
    return `${short}${hint(name)}`
  })
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The filter one slip of the finger away, whatever the case and the marks between words. */
function nearestFilter(name: string): string | undefined {
  if (name.length > longestShown) return undefined
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const letters = bare(name)
  for (const [spelling, meant] of filterSpellings) {
    // Of a letter or two, everything short is a slip away.
    if (spelling.length > 2 && distance(letters, bare(spelling)) <= 1) return meant
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
  const { sport, league, sportsbook, add_sportsbook, market, event, live, team, date, q } = query
  const { min_odds, max_odds, is_main_line, fields, min_ev, min_profit } = query
  const ofRows = { sport, league, sportsbook, add_sportsbook, market, event, live, team, date, q }
  return given({ ...ofRows, min_odds, max_odds, is_main_line, fields, min_ev, min_profit })
}

/** What a frame gives goes in place of what was there; null is all. */
function withFilters(before: StreamFilters, sent: Filters): StreamFilters {
  const { sports, leagues, sportsbooks, add_sportsbooks, markets, eventIds, teams, ...others } =
    sent
  const named = {
    sport: sports,
    league: leagues,
    sportsbook: sportsbooks,
    add_sportsbook: add_sportsbooks,
    market: markets,
    event: eventIds,
    team: teams,
    ...others,
  }
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(named)) {
    if (value === null) delete merged[name]
    else if (value !== undefined) merged[name] = value
  }
  return merged
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

/** Filters that may not change while a client goes on with what it has. */
const asSentFilters = [
  'add_sportsbook',
  'live',
  'team',
  'date',
  'q',
  'is_main_line',
  'fields',
] as const satisfies readonly (keyof StreamFilters)[]

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
    // What else is asked of rows a client cannot tell by itself.
    asSentFilters.every((name) => String(wide[name]) === String(narrow[name])) &&
    (narrow.is_main_line === undefined || String(wide.sportsbook) === String(narrow.sportsbook)) &&
    (wide.min_odds ?? Number.NEGATIVE_INFINITY) <= (narrow.min_odds ?? Number.NEGATIVE_INFINITY) &&
    (wide.max_odds ?? Number.POSITIVE_INFINITY) >= (narrow.max_odds ?? Number.POSITIVE_INFINITY)
  )
}
