/**
 * The client of the streams. After a lost connection it resumes from its last position; after a fault of the rows or
 * a missing message it starts again.
 */

import { isPassing } from '../errors.ts'
import { frameNames, ownParameters, type StreamFilters } from '../generated/stream-filters.ts'
import { queryTexts } from '../query-texts.ts'
import { call } from './callbacks.ts'
import {
  type Connection,
  connect,
  type Ended,
  type Message,
  type Network,
  probe,
  type Transport,
  tooManyStreams,
} from './connection.ts'
import {
  type Channel,
  createHeldRows,
  type Family,
  families,
  type GameState,
  type HeldTables,
  type RowCounts,
  type RowsBody,
  tableOf,
} from './held-rows.ts'
import type { OddsItem } from './odds-book.ts'

export type { Ended, Message, Transport } from './connection.ts'
export type { OddsItem } from './odds-book.ts'

export interface StreamOptions {
  readonly transport: Transport
  readonly channels: readonly Channel[]
  readonly filters?: StreamFilters
  /** The position of an earlier client with the same channels and filters, and its rows at that position. */
  readonly resumeFrom?: { readonly position: string; readonly odds: Iterable<OddsItem> }
  /** Seconds between heartbeats, 1 to 30; default 10, as in the Python client. */
  readonly heartbeatSeconds?: number
  /** The wait before the first reconnection (ms), then doubled up to 16 s; default: the service's, or 1,000. */
  readonly reconnectMs?: number
  /** Silence after which a connection counts as lost (ms); default: twice the heartbeat plus 10 s, at most 60,000. */
  readonly silenceMs?: number
  /**
   * Called with every message after it has been applied. What this or `onFailure` throws becomes an uncaught error; the
   * stream goes on.
   */
  readonly onMessage?: (message: Message) => void
  /** Called once, when the stream gives up because no retry would help. */
  readonly onFailure?: (why: Ended) => void
}

export interface StreamClientOptions extends StreamOptions {
  /** Base address of the service, such as `http://127.0.0.1:3000/api/v1`. */
  readonly base: string
  readonly key: string
  readonly network: Network
}

/** Counts of events. Faults of the service come last. */
export interface StreamCounts extends RowCounts {
  /** Connections opened. */
  connections: number
  /** Connections that resumed from a position. */
  resumed: number
  /** Connections in which the service demanded a new start. */
  resyncs: number
  messages: number
  /** Checks of rows that matched. */
  proofs: number
  /** Messages named `error`. */
  errors: number
  /** Connections in which a message was missing. */
  gaps: number
  /** Messages that could not be read. */
  malformed: number
  /** Opportunities detected twice, or expired without having been detected. */
  repeats: number
  /** Checks of rows that did not match. */
  mismatches: number
}

export interface StreamClient {
  /** Rows by id. Their `last_seen_at` and `timestamp` are those of the last change. */
  readonly odds: ReadonlyMap<string, OddsItem>
  /** Opportunities by family and id, as detected. */
  readonly opportunities: Readonly<Record<Family, ReadonlyMap<string, object>>>
  /** Games in play of the channel `gamestate`, by event id. */
  readonly games: ReadonlyMap<string, GameState>
  /** The rows of each channel that sends a table, by key; `tables.gamestate` is `games`. */
  readonly tables: HeldTables
  /** The current transport. A WebSocket replaces event streams that a proxy holds back. */
  transport(): Transport
  readonly counts: Readonly<StreamCounts>
  /** The position from which it would resume; null to start with a snapshot. */
  position(): string | null
  /** The last fault, or why the last connection ended, as text for a person; null without one. */
  lastFault(): string | null
  /** Whether the rows are whole and up to date; false after a break, and while a snapshot replaces them. */
  isReady(): boolean
  /** Whether `pause` makes the current connection wait. */
  canPause(): boolean
  /** Why it gave up; null while it runs. */
  failure(): Ended | null
  /**
   * Replaces the channels and filters; only for a WebSocket. If the service refuses them once the stream is ready, the
   * former ones stay, and `onMessage` gets the `error`.
   * @throws TypeError for an empty list or text among the filters, or a parameter that the client sets
   * @throws Error over Server-Sent Events
   */
  subscribe(channels: readonly Channel[], filters: StreamFilters): void
  /**
   * Stops reading until `resume`. A WebSocket that cannot wait, such as the platform's, is closed instead once its
   * snapshot is complete; `resume` opens the next, which continues from `position` or begins with a snapshot.
   */
  pause(): void
  resume(): void
  /** Drops the connection, like a network failure. */
  drop(): void
  /** Closes the stream for good. */
  close(): void
}

const longestReconnectMs = 16_000
/** Connections without data, although the service responds, after which the stream gives up. */
const mostHeldBack = 2
/** Two silences that differ by less than this were ended by the same timeout. */
const sameSilenceMs = 500
/** HTTP statuses of errors by which a stream is refused: over a WebSocket it stays open, and less comes or nothing. */
const refusals: Readonly<Record<string, number>> = {
  validation_error: 400,
  missing_channels: 400,
  invalid_filter: 400,
  tier_restricted: 403,
}
/** Those of which the service leaves out what it names, and sends the rest. */
const leftOut: readonly string[] = ['invalid_filter', 'tier_restricted']
/** Errors of a frame that has no effect. */
const withoutEffect: readonly string[] = [
  'validation_error',
  'missing_channels',
  'too_many_book_sets',
  'invalid_message',
  'work_limited',
  'rate_limited',
]
/** Returns whether a retry would not help, by HTTP status or WebSocket close code. */
const isFinal = ({ status }: Ended) =>
  status === 1000 ||
  (status >= 4000 && status < 4100) ||
  (status >= 300 && status < 1000 && !isPassing({ status }))

export function openStreamClient(options: StreamClientOptions): StreamClient {
  const { base, key, network, onMessage, onFailure } = options
  let { transport, heartbeatSeconds = 10 } = options
  const silenceMs = options.silenceMs ?? Math.min(60_000, 2_000 * heartbeatSeconds + 10_000)
  const counts: StreamCounts = {
    connections: 0,
    resumed: 0,
    resyncs: 0,
    messages: 0,
    updates: 0,
    removals: 0,
    detected: 0,
    expired: 0,
    proofs: 0,
    errors: 0,
    gaps: 0,
    malformed: 0,
    strays: 0,
    repeats: 0,
    mismatches: 0,
  }
  const takes = (channel: Channel) => confirmed.channels.includes(channel)
  const held = createHeldRows({
    counts,
    odds: options.resumeFrom?.odds ?? [],
    takes,
    onRepeat(fault) {
      counts.repeats++
      lastFault = fault
    },
  })
  let { channels, filters = {} } = options
  /** The subscription in force at the service. */
  let confirmed: Subscription = { channels, filters }
  let connection: Connection | undefined
  let position: string | null = options.resumeFrom?.position ?? null
  let isReady = false
  /** Whether this connection has had a whole snapshot. From then on, a subscription that is refused has no effect. */
  let hasSnapshot = false
  /** Whether any has. */
  let hasBegun = false
  let failure: Ended | null = null
  let lastFault: string | null = null
  /** The last message of this connection, if it is an error; else empty. */
  let told = ''
  let isClosed = false
  let isPaused = false
  /** Whether no connection is open until `resume`. */
  let isLetGo = false
  /** Number of the connection's last message. */
  let last = 0
  /**
   * Whether a process at which the stream has resumed may still lack changes that the client has.
   * Then its first proof may differ, and the next one decides.
   */
  let mayBeBehind = false
  /** Subscriptions that the service has not confirmed, in order. */
  let pending: Subscription[] = []
  let attempts = 0
  /** The requested transport, or the one that has proved to work instead. */
  let chosen = transport
  /** Consecutive connections without data although the service responded. */
  let heldBack = 0
  let heardAt = 0
  /** Silence before the last connection ended (ms). */
  let lastSilenceMs: number | undefined
  let reconnectMs = options.reconnectMs ?? 1_000
  /** The wait that a stopping service has requested (ms). */
  let returnMs: number | null = null
  let reconnecting: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  // ---- connections

  function open() {
    counts.connections++
    last = 0
    told = ''
    pending = []
    confirmed = { channels, filters }
    isReady = hasSnapshot = false
    const opened = connect(transport, base, key, parameters(), network, {
      message(message) {
        if (connection !== opened) return
        hear()
        take(message)
      },
      malformed(text) {
        if (connection !== opened) return
        counts.malformed++
        heal(`malformed: ${text.slice(0, 2_000)}`)
      },
      retry(ms) {
        reconnectMs = options.reconnectMs ?? ms
      },
      heard() {
        if (connection !== opened) return
        hear()
        // Before its first message, these are the comments of a service that starts.
        if (last === 0) heldBack = 0
      },
      ended(why) {
        if (connection === opened) void lose(why)
      },
    })
    connection = opened
    if (isPaused) opened.pause()
    hear()
  }

  function parameters(): URLSearchParams {
    const texts = filterTexts(filters)
    const names = channels.join()
    if (transport === 'websocket') texts.set('channels', names)
    else if (channels.every((channel) => channel in held.opportunities)) {
      texts.set('channel', 'opportunities')
      texts.set('kinds', names)
    } else if (channels.length === 1) texts.set('channel', names)
    else {
      texts.set('channel', 'all')
      // With prices and every family it is the whole stream of a tier, however much that has.
      const whole: readonly Channel[] = ['odds', ...families]
      if (!whole.every(takes)) texts.set('only', names)
    }
    texts.set('proof', 'true')
    texts.set('heartbeat_seconds', String(heartbeatSeconds))
    if (position !== null) texts.set('resume_from', position)
    return texts
  }

  /** Restarts the timeout after which a silent connection counts as lost. */
  function hear() {
    clearTimeout(silence)
    heardAt = performance.now()
    if (!isPaused) silence = setTimeout(beSilent, silenceMs)
  }

  /** Ends the connection from this side. */
  function cut() {
    const before = connection
    connection = undefined
    isReady = false
    clearTimeout(silence)
    before?.drop()
  }

  /** Handles an end that is not ours. */
  async function lose(why: Ended) {
    cut()
    // The other transport does not work either.
    if (transport !== chosen && last === 0) return hold(`; a WebSocket is no way: ${why.message}`)
    lastFault = told || why.message
    hearOften()
    if (transport === 'websocket' && last === 0 && why.status === 0) {
      // A WebSocket does not tell that its address is redirected.
      const refusal = await probe(base, network)
      if (isClosed || connection) return
      if (refusal?.code === 'redirected') {
        lastFault = refusal.message
        return fail(refusal)
      }
    }
    // After a break, the service may still count the connection that was lost.
    const isOwn = hasBegun && why.status === tooManyStreams
    if (isFinal(why) && !isOwn) return fail(why)
    reconnect(Math.max(pauseMs(), why.retryAfterMs ?? 0))
  }

  function fail(why: Ended) {
    failure = why
    call(onFailure, why)
  }

  /**
   * Requests more frequent heartbeats if two connections end after the same silence, because a proxy then ends them.
   */
  function hearOften() {
    const silentMs = performance.now() - heardAt
    const beforeMs = lastSilenceMs
    lastSilenceMs = silentMs
    const seconds = Math.max(1, Math.floor(silentMs / 2_000))
    if (beforeMs === undefined || last === 0 || Math.abs(silentMs - beforeMs) > sameSilenceMs)
      return
    if (silentMs < 1_000 || seconds >= heartbeatSeconds) return
    heartbeatSeconds = seconds
    lastFault = `connections are cut after ${(silentMs / 1_000).toFixed(1)} s of silence, as by the read timeout of a proxy: heartbeats every ${seconds} s from now on`
  }

  /** Handles a silence that is longer than the service's longest. */
  async function beSilent() {
    cut()
    const refusal = await probe(base, network)
    if (isClosed || connection) return
    if (!refusal) return hold('')
    lastFault = `nothing came for ${silenceMs / 1_000} s, and nothing answers: ${refusal.message}`
    reconnect(pauseMs())
  }

  /** Handles a stream that something between client and service holds back. */
  function hold(more: string) {
    heldBack++
    const message = `the service answers, but nothing came over ${chosen} for ${silenceMs / 1_000} s: something on the way holds the stream back until it ends. A proxy must pass it on as it comes (nginx: proxy_buffering off; gzip off)${more}`
    lastFault = message
    const hasWayAround = chosen === 'sse' && network.hasSockets !== false
    if (heldBack > mostHeldBack || (heldBack === mostHeldBack && !hasWayAround)) {
      return fail({ status: 0, code: 'held_back', message, retryAfterMs: null })
    }
    if (!hasWayAround) return reconnect(pauseMs())
    transport = transport === 'sse' ? 'websocket' : 'sse'
    reconnect(0)
  }

  /** Returns the wait, which doubles with each failed attempt. */
  function pauseMs(): number {
    // Spreads reconnections of clients that lost their connections together.
    const spread = 1 + 0.25 * Math.random()
    const firstMs = returnMs ?? reconnectMs
    returnMs = null
    return Math.min(firstMs * 2 ** attempts++, longestReconnectMs) * spread
  }

  function reconnect(afterMs: number) {
    clearTimeout(reconnecting)
    reconnecting = setTimeout(open, afterMs)
  }

  /**
   * Closes a connection that cannot pause, because its messages would wait without bound. Without its whole snapshot
   * the next one would begin like this one.
   */
  function letGo() {
    if (!isPaused || !isReady || !connection || connection.canPause) return
    lastFault =
      'messages come faster than they are taken, and the WebSocket cannot wait: closed until they are taken'
    isLetGo = true
    cut()
  }

  /** Drops all rows and starts again, because they cannot be trusted. */
  function heal(fault: string) {
    lastFault = fault
    forget()
    cut()
    if (isClosed) return
    // At once the first time, then with waits, so as not to flood a faulty service.
    reconnect(attempts === 0 ? 0 : pauseMs())
    attempts = Math.max(attempts, 1)
  }

  function forget() {
    held.forget()
    position = null
    isReady = false
  }

  // ---- messages

  function take(message: Message) {
    const { name, number, body } = message
    counts.messages++
    if (number !== last + 1) {
      counts.gaps++
      heal(`${name} has the number ${number} after ${last}`)
      return
    }
    last = number
    const before = connection
    apply(name, body as Body)
    // The whole stream of a tier has tables that were not asked for.
    const table = tableOf(name)
    const isAsked = table === undefined || takes(table)
    if (connection === before && isAsked) call(onMessage, message)
    letGo()
  }

  function apply(name: string, body: Body) {
    told = ''
    switch (name) {
      case 'connected':
        mayBeBehind = body.resumed === true
        if (mayBeBehind) counts.resumed++
        else forget()
        return
      case 'resync':
        counts.resyncs++
        forget()
        return
      case 'subscribed': {
        const answered = pending.shift()
        if (!answered) return
        confirmed = answered
        const filters = { ...answered.filters, ...filtersIn(body) }
        held.narrow(new Set(body.channels ?? answered.channels), filters)
        return
      }
      case 'snapshot:complete':
        held.complete(body.resumed === false)
        isReady = hasSnapshot = hasBegun = true
        if (verify(body)) attempts = 0
        return
      case 'heartbeat':
        heldBack = 0
        chosen = transport
        verify(body)
        return
      case 'error':
        counts.errors++
        lastFault = told = JSON.stringify(body)
        returnMs = body.retry_ms ?? null
        judge(body)
        return
      default: {
        if (name.endsWith('snapshot')) isReady = false
        const fault = held.apply(name, body)
        if (fault) heal(fault)
      }
    }
  }

  /** Handles an error after which the connection stays open, or should not be followed by another. */
  function judge({ code = '', message = '' }: Body) {
    // An error before `connected` ends the connection, whose end has the status. What a later `subscribe` has named may
    // be left out again after a break.
    const isKnown = hasSnapshot || last === 1 || (hasBegun && leftOut.includes(code))
    const refused = isKnown ? undefined : refusals[code]
    const status = code === 'displaced' ? 4001 : refused
    if (status !== undefined) {
      cut()
      fail({ status, code, message, retryAfterMs: null })
    } else if (withoutEffect.includes(code) && pending.shift() && pending.length === 0) {
      ;({ channels, filters } = confirmed)
    }
  }

  /** Compares the rows with the service's count and checksum. @returns false when they differ */
  function verify({ rows, checksum, position: reached }: Body): boolean {
    if (rows === undefined || checksum === undefined) return true
    const difference = held.difference(rows, checksum)
    if (difference && mayBeBehind) {
      mayBeBehind = false
      return true
    }
    mayBeBehind = false
    if (difference) {
      counts.mismatches++
      heal(`${difference} at ${reached}`)
      return false
    }
    counts.proofs++
    // Until a subscription is confirmed, positions belong to the previous filters.
    if (pending.length === 0) position = reached ?? null
    return true
  }

  function drop() {
    if (!connection) return
    cut()
    reconnect(pauseMs())
  }

  open()

  return {
    odds: held.odds,
    opportunities: held.opportunities,
    games: held.tables.gamestate,
    tables: held.tables,
    counts,
    transport: () => transport,
    position: () => position,
    lastFault: () => lastFault,
    isReady: () => isReady,
    canPause: () => connection?.canPause ?? true,
    failure: () => failure,
    subscribe(toChannels, toFilters) {
      filterTexts(toFilters)
      if (transport === 'sse') throw new Error('Server-Sent Events go one way')
      channels = toChannels
      filters = toFilters
      // The old position does not fit the new filters.
      position = null
      if (!hasSnapshot) return drop()
      pending.push({ channels, filters })
      connection?.send?.({ type: 'subscribe', channels, filters: frameFilters(filters) })
    },
    pause() {
      isPaused = true
      clearTimeout(silence)
      connection?.pause()
      letGo()
    },
    resume() {
      isPaused = false
      if (isLetGo) reconnect(pauseMs())
      isLetGo = false
      connection?.resume()
      if (connection) hear()
    },
    drop,
    close() {
      isClosed = true
      isLetGo = false
      clearTimeout(reconnecting)
      cut()
    },
  }
}

interface Subscription {
  readonly channels: readonly Channel[]
  readonly filters: StreamFilters
}

/** @throws TypeError for an empty list or text, and for a parameter that the client sets */
function filterTexts(filters: StreamFilters): URLSearchParams {
  const texts = queryTexts(filters)
  const own = ownParameters.find((name) => texts.has(name))
  if (own) throw new TypeError(`${own} is no filter; the client sets it`)
  return texts
}

// ---- bodies of messages

/** The fields of messages that the client reads. */
interface Body extends RowsBody {
  readonly resumed?: boolean
  readonly channels?: readonly string[] | null
  readonly rows?: number
  readonly checksum?: string
  readonly position?: string
  readonly retry_ms?: number
  readonly code?: string
  readonly message?: string
}

/**
 * Returns the filters by ids that a message names: they are the service's ids, whatever spellings were sent. An empty
 * list, where none that was sent is known, is left out: those that were sent allow nothing.
 */
function filtersIn(body: object): StreamFilters {
  const stated = body as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(frameNames).flatMap(([name, inFrame]) => {
      const ids = stated[inFrame]
      return Array.isArray(ids) && ids.length > 0 ? [[name, ids]] : []
    }),
  )
}

/** Sends null for filters that are not set, which clears them. */
function frameFilters(filters: StreamFilters) {
  const names = Object.entries(frameNames) as [keyof StreamFilters, string][]
  return Object.fromEntries(names.map(([name, inFrame]) => [inFrame, filters[name] ?? null]))
}
