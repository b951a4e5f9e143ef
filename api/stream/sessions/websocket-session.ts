/**
 * A session of a WebSocket (supplement 1): waits for a key, then for a query, then is subscribed, until it ends.
 * This file owns the states; `websocket-address.ts`, `websocket-wanted.ts` and `frame-rate.ts` read the requests.
 */

import { streamErrorCodes } from '../../../schemas/stream/channels.ts'
import {
  type ClientFrame,
  type DecodedFrame,
  decodeClientFrame,
  unreadable,
} from '../../../schemas/stream/client-frames.ts'
import type { Accounts } from '../../access/accounts.ts'
import type { Caller, Keyring } from '../../access/keys.ts'
import { type RequestScopes, viewOf } from '../../access/scope.ts'
import { familyFeatures, tierRights } from '../../access/tiers.ts'
import type { WorkBudget } from '../../access/work-budget.ts'
import { ApiError } from '../../errors.ts'
import {
  filtersOf,
  type StreamFilters,
  subscribedFilters,
  withFilters,
} from '../channels/filters.ts'
import type { ClientOptions, Connection, Start, StreamQuery } from '../delivery/channel.ts'
import { fromSnapshot } from '../delivery/client.ts'
import type { ClientHandle, Fanout } from '../fanout/fanout.ts'
import { websocketFraming } from '../framing/websocket-framing.ts'
import type { PositionTokens } from '../timeline/positions.ts'
import type { Timers } from '../timeline/timers.ts'
import type { EarlyCheck } from './early-check.ts'
import { countFrame, createFrameRate, framesPerSecond } from './frame-rate.ts'
import type { HeldStreams } from './held-streams.ts'
import { noSuchFilters } from './near-filters.ts'
import { createPastViews } from './past-views.ts'
import {
  isOther,
  type Loss,
  type StreamRight,
  type StreamRights,
  sayLoss,
  streamCodeOf,
  trialOf,
} from './rights.ts'
import { readAddress } from './websocket-address.ts'
import {
  type Admit,
  type Connected,
  ended,
  type Keyless,
  type Session,
  type Subscribed,
} from './websocket-state.ts'
import {
  clearedBy,
  lackOfAll,
  namedChannels,
  nothingUnclear,
  permitted,
  type Report,
  resolveQuery,
  type Wanted,
} from './websocket-wanted.ts'

export interface WebsocketParts {
  readonly fanout: Fanout
  readonly rights: StreamRights
  readonly accounts: Pick<Accounts, 'find'> & { readonly keyring: Keyring }
  readonly scopes: RequestScopes
  /** Epoch ms. */
  readonly clock: () => number
  readonly held: HeldStreams
  readonly canCheck: EarlyCheck
  readonly timers: Timers
  readonly epoch: string
  readonly tokens: PositionTokens
  readonly budget: Pick<WorkBudget, 'admit' | 'isSpent' | 'now' | 'charge'>
}

export interface WebsocketSession {
  /** A frame of the client; null for a binary one. */
  receive(text: string | null): void
  drained(): void
  /** The socket is closed. */
  end(): void
}

export interface Websockets {
  /**
   * @param key the API key of the upgrade request; empty for none
   * @param raw the query string of its address
   */
  open(admit: Admit, connection: Connection, key: string, raw: string): WebsocketSession
}

/** Longest time of a connection without a key. */
const authTimeoutMs = 10_000
/** Time to wait for a first `subscribe` if the address has no query. */
const firstSubscribeMs = 250

/** Most frames stored for a held connection. */
const mostHeldFrames = 8
/** Longest frame that is decoded without credit. Every `ping` and every token is shorter. */
const longestFree = 4_096

type QueryFrame = Extract<ClientFrame, { type: 'subscribe' | 'filter' }>

const everything: Wanted = { channels: null, filters: {}, unclear: nothingUnclear }

export function createWebsockets(parts: WebsocketParts): Websockets {
  const { fanout, rights, accounts, scopes, held, clock, timers, budget } = parts
  const pastViews = createPastViews(timers.now)
  let openedCount = 0

  const reportTo =
    ({ client }: Session): Report =>
    (code, message) =>
      client.send('error', { code, message })

  // ---- the end

  function end(session: Session) {
    const { state, client } = session
    session.state = ended
    if ('timer' in state) timers.cancel(state.timer)
    if ('right' in state) state.right.release()
    if (state.kind === 'held') state.leave()
    session.leaveView?.(fanout.globalSeq)
    session.leaveView = null
    client.gone()
  }

  /** @throws any other error */
  function refuse(session: Session, reason: unknown) {
    if (!(reason instanceof ApiError)) throw reason
    const code = streamCodeOf(reason)
    // Clients never reconnect after 4001 and 4003. Only errors that have such a code in the table
    // close with it.
    session.client.fail(code, reason.message, streamErrorCodes[code].closesWith ?? 1013)
    end(session)
  }

  function lose(session: Session, loss: Loss) {
    if (loss instanceof ApiError) return refuse(session, loss)
    sayLoss(session.client, loss)
    end(session)
  }

  /**
   * Runs an action; an ApiError ends the client. The account pays for the time, however short, because frames do not
   * count as requests.
   */
  function attempt(session: Session, act: () => void, since = budget.now()) {
    try {
      act()
    } catch (reason) {
      refuse(session, reason)
    } finally {
      if (session.payer) budget.charge(session.payer, since)
    }
  }

  /**
   * Returns whether the account has credit for a frame. A stream that has not begun ends: without
   * credit no stream is opened.
   * @throws ApiError work_limited
   */
  function canPay(session: Session, { kind, right }: Connected | Subscribed): boolean {
    if (kind === 'connected') budget.admit(right.caller)
    if (!budget.isSpent(right.caller)) return true
    const message = 'The processing time is used up; try again in some seconds.'
    reportTo(session)('work_limited', message)
    return false
  }

  // ---- the key

  /** @throws ApiError for a key that may not stream */
  function present(session: Session, keyless: Keyless, value: string) {
    if (!held.isReady()) return hold(session, keyless, value)
    authenticate(session, keyless, value)
  }

  /** @throws ApiError for a key that will be refused whatever is loaded later; service_unavailable */
  function hold(session: Session, keyless: Keyless, value: string) {
    // A stream that is not held counts no request.
    held.requireRoom()
    const isAdmitted = parts.canCheck(value)
    if (isAdmitted) rights.require(session.admit(value))
    timers.cancel(keyless.timer)
    const frames: ClientFrame[] = []
    const leave = held.hold({
      begin: () =>
        attempt(session, () => {
          authenticate(session, keyless, value, !isAdmitted)
          for (const frame of frames) take(session, frame)
        }),
      // Browsers do not show the listener's pings to a client.
      signal: () => session.client.send('heartbeat', {}),
      stop() {
        session.client.fail('service_stopping', 'The service is stopping; reconnect.', 1001)
        end(session)
      },
    })
    if (session.state !== ended) session.state = { kind: 'held', frames, leave }
  }

  /** @throws ApiError for a key that may not stream */
  function authenticate(session: Session, keyless: Keyless, value: string, isCounted = true) {
    const { address, options, timer } = keyless
    const caller = session.admit(value, isCounted)
    const right = rights.admit(caller, value, 'websocket', (loss) => lose(session, loss))
    session.payer = right.caller
    options.state ??= scopes.profileOf(right.caller.accountId).state ?? undefined
    timers.cancel(timer)
    const { query, problems, start, hasFaultyFilter } = address
    const { globalSeq } = fanout
    const state: Connected = { kind: 'connected', right, start, globalSeq, timer: undefined }
    session.state = state
    // `connected` must be the first frame: problems of the address are reported after it.
    const faults: Parameters<Report>[] = []
    const named = namedChannels(query.channels, right.caller, (...fault) => faults.push(fault))
    const channels = named?.length === 0 ? null : named
    session.wanted = {
      channels,
      filters: filtersOf(query),
      unclear: [
        ...session.wanted.unclear,
        ...(named?.length === 0 ? (['channels'] as const) : []),
        ...(hasFaultyFilter ? (['filters'] as const) : []),
      ],
    }
    sendConnected(session.client, right.caller, named, state)
    const report = reportTo(session)
    for (const fault of faults) report(...fault)
    for (const [name, problem] of problems) {
      report('validation_error', `${name} ${problem}.`)
    }
    const { unclear } = session.wanted
    if (unclear.includes('channels') || unclear.includes('filters')) return
    const namesNothing = channels === null && Object.keys(session.wanted.filters).length === 0
    if (!namesNothing) {
      const query = resolveOrReport(session, right)
      session.wanted = query
        ? { ...session.wanted, unclear: nothingUnclear }
        : { ...session.wanted, filters: amongAll(session), unclear: ['filters'] }
      if (query) begin(session, state, query)
    } else if (unclear.length === 0 && session.state === state) {
      // Waits for a `subscribe` instead of sending everything first.
      const subscribe = () => attempt(session, () => begin(session, state))
      state.timer = timers.later(firstSubscribeMs, subscribe)
    }
  }

  function sendConnected(
    client: ClientHandle,
    caller: Caller,
    channels: Wanted['channels'],
    { start, globalSeq }: Connected,
  ) {
    const { sportsbooks } = tierRights[caller.tier]
    const trial = trialOf(accounts, caller, clock())
    client.greet({
      message: 'Stream ready',
      stream_id: `ws_${clock().toString(36)}_${(++openedCount).toString(36)}`,
      tier: caller.tier,
      features: familyFeatures(caller.features),
      channels,
      global_seq: globalSeq,
      books: { max: sportsbooks?.size ?? -1, allowed: sportsbooks && [...sportsbooks] },
      ...(start.from === 'position' && { resumed: start.position.epoch === parts.epoch }),
      ...(trial && { trial }),
    })
  }

  function refresh(session: Session, state: Connected | Subscribed, token: string) {
    const { right } = state
    const before = right.caller
    const caller = right.exchange(session.admit(token, false), token)
    const { channels } = session.wanted
    if (channels) {
      const permittedNow = permitted(channels, caller, reportTo(session))
      session.wanted = { ...session.wanted, channels: permittedNow }
    }
    if (isWaiting(session)) return
    const query = resolveOrReport(session, right)
    // The sportsbooks that the account sees may have changed too, which shows in the scope only.
    const isSubscribedInScope = state.kind === 'subscribed' && state.query.scope === query?.scope
    if (isSubscribedInScope && !isOther(before, caller)) return sendSubscribed(session, state.query)
    // The account may have lost the rights that its query needs. Then no sportsbook is left, and
    // nothing is sent.
    if (!query) session.wanted = { ...session.wanted, filters: amongNone(session) }
    begin(session, state, query ?? resolve(session, right))
  }

  // ---- queries

  /**
   * Returns the current query. Unknown channels and values are reported and left out.
   * @throws ApiError as `resolveQuery`
   */
  function resolve(session: Session, { caller }: StreamRight): StreamQuery {
    const taken = resolveQuery(session.wanted, caller, scopes, reportTo(session))
    session.wanted = taken.wanted
    return taken.query
  }

  /**
   * Returns the current query; null for one that is refused, which is reported.
   * @param hasFormer whether the stream goes on with a former query
   * @throws ApiError without a former query, unless a filter is invalid
   */
  function resolveOrReport(
    session: Session,
    right: StreamRight,
    hasFormer = false,
  ): StreamQuery | null {
    try {
      return resolve(session, right)
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason
      if (!hasFormer && reason.code !== 'validation_error') throw reason
      reportTo(session)(streamCodeOf(reason), reason.message)
      return null
    }
  }

  const amongAll = ({ wanted }: Session): StreamFilters => ({ ...wanted.filters, books: undefined })
  const amongNone = ({ wanted }: Session): StreamFilters => ({ ...wanted.filters, books: [] })

  function begin(
    session: Session,
    state: Connected | Subscribed,
    query = resolve(session, state.right),
  ) {
    if (session.state !== state) return
    const { right } = state
    if (state.kind === 'connected') timers.cancel(state.timer)
    session.state = { kind: 'subscribed', right, query }
    sendSubscribed(session, query)
    const start = startOf(session, state, query)
    session.client.subscribe(query, start, right.caller)
  }

  /**
   * Returns where a query starts: as the address states, unless the account had another view then.
   */
  function startOf(session: Session, state: Connected | Subscribed, { scope }: StreamQuery): Start {
    const { accountId } = state.right.caller
    const view = viewOf(scope)
    const start = state.kind === 'connected' ? state.start : fromSnapshot
    const { globalSeq } = state.kind === 'connected' ? state : fanout
    const resumedAt = start.from === 'sequence' ? start.globalSeq : globalSeq
    const isKnown = start.from !== 'sequence' || pastViews.had(accountId, view, resumedAt)
    const leaveFormer = session.leaveView
    // Replayed frames keep the numbers that they had.
    const since = isKnown ? Math.min(resumedAt, globalSeq) : globalSeq
    session.leaveView = pastViews.begin(accountId, view, since)
    leaveFormer?.(globalSeq)
    return isKnown ? start : fromSnapshot
  }

  function applyQuery(session: Session, state: Connected | Subscribed, frame: QueryFrame) {
    const { wanted: before, client } = session
    const { right } = state
    const report = reportTo(session)
    const named = frame.type === 'subscribe' ? frame.channels : undefined
    const lack = named && state.kind === 'subscribed' && lackOfAll(named, right.caller)
    if (lack) {
      report('tier_restricted', lack)
      return report('missing_channels', 'No channel is left: the frame has no effect.')
    }
    const channels = named ? permitted(named, right.caller, report) : before.channels
    const unclear = clearedBy(before.unclear, {
      hasChannels: named !== undefined,
      hasFilters: Object.keys(frame.filters).length > 0,
    })
    const filters = withFilters(before.filters, frame.filters)
    session.wanted = { channels, filters, unclear }
    if (isWaiting(session)) return
    const next = resolveOrReport(session, right, state.kind === 'subscribed')
    if (!next) {
      session.wanted = before
      awaitFrame(session)
      return
    }
    if (state.kind === 'connected' || !client.change(next)) return begin(session, state, next)
    session.state = { kind: 'subscribed', right, query: next }
    sendSubscribed(session, next)
  }

  /**
   * Notes that a query of the client had no effect. The client wanted something specific, so it is
   * not subscribed to everything until it sends another query.
   * @returns whether no data is sent until then
   */
  function awaitFrame(session: Session): boolean {
    const { state, wanted } = session
    if (state.kind === 'subscribed') return false
    if (state.kind === 'connected') timers.cancel(state.timer)
    if (!wanted.unclear.includes('frame')) {
      session.wanted = { ...wanted, unclear: [...wanted.unclear, 'frame'] }
    }
    return true
  }

  /** Returns whether the client must correct its query before anything is sent, and reports the faults. */
  function isWaiting(session: Session): boolean {
    const { unclear } = session.wanted
    if (unclear.length === 0) return false
    const report = reportTo(session)
    if (unclear.includes('channels')) {
      report('missing_channels', 'The address names no channel: send subscribe with channels.')
    }
    if (unclear.includes('filters')) {
      report('validation_error', 'The address has an invalid filter: send the filters in a frame.')
    }
    if (unclear.includes('frame')) report('invalid_message', 'No valid frame yet: send subscribe.')
    return true
  }

  function sendSubscribed({ client, wanted }: Session, { echo }: StreamQuery) {
    client.send('subscribed', {
      channels: wanted.channels,
      ...subscribedFilters(wanted.filters, echo()),
    })
  }

  // ---- frames

  function receive(session: Session, text: string | null) {
    const { state } = session
    if (state.kind === 'ended' || !isInTime(session)) return
    const report = reportTo(session)
    if (text !== null && text.length > longestFree) {
      if (state.kind === 'keyless') return report('not_authenticated', needsAuth)
      if ('right' in state && !canPay(session, state)) return
    }
    const decoded = text === null ? binary : decodeClientFrame(text)
    if (!decoded.ok) return refuseFrame(session, decoded)
    take(session, decoded.frame)
  }

  function refuseFrame(session: Session, refused: Extract<DecodedFrame, { ok: false }>) {
    const { code, message, unknown, type, isQuery } = refused
    const report = reportTo(session)
    if (session.state.kind === 'keyless') {
      const isBeforeAuth = type !== null && type !== 'auth'
      return isBeforeAuth ? report('not_authenticated', needsAuth) : report(code, message)
    }
    const said = unknown ? `${noSuchFilters(unknown)}; ${message}` : message
    report(code, isQuery && awaitFrame(session) ? `${said} ${needsQuery}` : said)
  }

  function take(session: Session, frame: ClientFrame) {
    const { client, state } = session
    const report = reportTo(session)
    if (state.kind === 'ended') return
    if (frame.type === 'ping') return client.send('pong', {})
    if (state.kind === 'keyless') {
      if (frame.type === 'auth') return present(session, state, frame.token)
      return report('not_authenticated', needsAuth)
    }
    if (frame.type === 'auth') {
      return report('already_authenticated', 'Send refresh_token to change the key.')
    }
    if (state.kind === 'held') {
      if (state.frames.length < mostHeldFrames) state.frames.push(frame)
      else report('rate_limited', 'The board is still loading: wait for connected.')
    } else if (!canPay(session, state)) return
    else if (frame.type === 'refresh_token') refresh(session, state, frame.token)
    else applyQuery(session, state, frame)
  }

  function isInTime(session: Session): boolean {
    session.rate ??= createFrameRate()
    const counted = countFrame(session.rate, timers.now())
    if (counted === 'taken') return true
    const message = `Too many frames: send at most ${framesPerSecond} a second.`
    if (counted === 'refused') reportTo(session)('rate_limited', message)
    else {
      session.client.fail('rate_limited', message, 1008)
      end(session)
    }
    return false
  }

  return {
    open(admit, connection, key, raw) {
      const since = budget.now()
      const address = readAddress(raw, parts.tokens)
      const { proof = false, heartbeat_seconds, state } = address.query
      const options: ClientOptions = {
        proof,
        heartbeatMs: 1_000 * heartbeat_seconds,
        state,
        heartbeat: noFields,
      }
      const client = fanout.open(connection, websocketFraming, options)
      const keyless: Keyless = { kind: 'keyless', address, options, timer: undefined }
      const session: Session = {
        ...{ admit, client, state: keyless, wanted: everything },
        ...{ rate: null, payer: null, leaveView: null },
      }
      if (key !== '') attempt(session, () => present(session, keyless, key), since)
      else {
        const message = `No auth came within ${authTimeoutMs / 1_000} s: send it as the first frame.`
        const giveUp = () => refuse(session, new ApiError('missing_api_key', message))
        keyless.timer = timers.later(authTimeoutMs, giveUp)
      }
      return {
        receive: (text) => attempt(session, () => receive(session, text)),
        drained: client.drained,
        end: () => end(session),
      }
    },
  }
}

const noFields = () => ({})

const needsAuth = 'Not authenticated: send auth with a token first.'

const needsQuery = 'No data is sent before a valid subscribe.'

const binary = unreadable('A binary frame: send frames as JSON text.')
