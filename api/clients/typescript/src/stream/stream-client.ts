/**
 * A client of the streams, over Server-Sent Events or a WebSocket, that keeps what its filter shows
 * and can prove it.
 *
 * It asks for `proof`: at the end of a snapshot and with heartbeats the service says how many rows
 * the client should hold and their checksum. It counts the messages of a connection, of which none
 * may be missing. After a loss it connects again and resumes from the last position it was told;
 * when its rows differ from what the service says, or a message was missing, it throws all of it
 * away and begins anew. What happened is counted.
 */

import { isPassing } from '../errors.ts'
import { frameNames, type StreamFilters } from '../generated/stream-filters.ts'
import {
  answers,
  type Connection,
  connect,
  type Ended,
  type Message,
  type Network,
  type Transport,
} from './connection.ts'
import { createOddsBook, type OddsItem, type SentRow } from './odds-book.ts'

export type { Ended, Message, Transport } from './connection.ts'
export type { OddsItem } from './odds-book.ts'

/** Families of opportunities, with what the names of their events begin with. */
export const eventPrefixes = {
  ev: 'ev',
  arbitrage: 'arb',
  middles: 'middles',
  low_hold: 'low_hold',
} as const
export type Family = keyof typeof eventPrefixes
export const families = Object.keys(eventPrefixes) as readonly Family[]
export type Channel = 'odds' | 'gamestate' | Family

/** A game in play as it was last told; of its sport there may be more than is named here. */
export interface GameState {
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly home_team: string
  readonly away_team: string
  readonly home_score: number
  readonly away_score: number
  readonly is_live: boolean
  readonly primary_book: string
  readonly book_count: number
  readonly game_period?: string
  readonly game_clock?: string
  readonly possession?: 'home' | 'away'
  /** The score is old. */
  readonly stale?: boolean
  /** All scores of the sport are. */
  readonly aggregator_stale?: boolean
  readonly [member: string]: unknown
}

export interface StreamOptions {
  readonly transport: Transport
  readonly channels: readonly Channel[]
  readonly filters?: StreamFilters
  /** Where a client of the same channels and filters was, and the rows it held there. */
  readonly resumeFrom?: { readonly position: string; readonly odds: Iterable<OddsItem> }
  /** How often the service proves what the client holds, 1 to 30; default 30. */
  readonly heartbeatSeconds?: number
  /**
   * The pause before the first reconnection, then doubled up to 16 s (ms); default what the service
   * asks for, or 1,000.
   */
  readonly reconnectMs?: number
  /**
   * A connection that is silent for so long counts as lost (ms); default twice the heartbeat and 10 s, at most
   * 60,000.
   */
  readonly silenceMs?: number
  /** Sees every message once it has been applied. */
  readonly onMessage?: (message: Message) => void
  /** Told once, when it gives up: no other try would be answered otherwise. */
  readonly onFailure?: (why: Ended) => void
}

export interface StreamClientOptions extends StreamOptions {
  /** Of the service, such as `http://127.0.0.1:3000/api/v1`. */
  readonly base: string
  readonly key: string
  readonly network: Network
}

/** What happened so far; what should never happen comes last. */
export interface StreamCounts {
  /** Connections that were begun. */
  connections: number
  /** Connections that went on from a position. */
  resumed: number
  /** Connections that were told to begin anew. */
  resyncs: number
  messages: number
  /** Rows merged, snapshots aside. */
  updates: number
  removals: number
  detected: number
  expired: number
  /** Proofs that were right. */
  proofs: number
  /** Messages named `error`. */
  errors: number
  /** Messages missing in a connection. */
  gaps: number
  /** Messages that could not be read. */
  malformed: number
  /** Parts of rows that were never sent whole. */
  strays: number
  /** Opportunities that were detected while there, or expired while not. */
  repeats: number
  /** Proofs that were wrong. */
  mismatches: number
}

export interface StreamClient {
  /** By id. */
  readonly odds: ReadonlyMap<string, OddsItem>
  /** By id, as they were when they came. */
  readonly opportunities: Readonly<Record<Family, ReadonlyMap<string, object>>>
  /** Games in play of the channel `gamestate`, by event id. */
  readonly games: ReadonlyMap<string, GameState>
  /** What is used now: a WebSocket in place of events that are held back on their way. */
  transport(): Transport
  readonly counts: Readonly<StreamCounts>
  /** Where it would resume from; null for the beginning. */
  position(): string | null
  /** What last happened that never should, or why a connection was given up, for a person; null when nothing did. */
  lastFault(): string | null
  /** Whether the snapshot of the current connection is complete. */
  isReady(): boolean
  /** Why it gave up; null while it has not. */
  failure(): Ended | null
  /** Asks a WebSocket for other channels or filters, in place of those before. */
  subscribe(channels: readonly Channel[], filters: StreamFilters): void
  /** Reads nothing until `resume`, so that the service has to hold back. */
  pause(): void
  resume(): void
  /** Loses the connection, as a network would. */
  drop(): void
  /** Ends it for good. */
  close(): void
}

const longestReconnectMs = 16_000
/** Connections that bring nothing, though the service answers, before a stream gives up. */
const mostHeldBack = 2
/** Silences that differ by no more were ended by the same clock. */
const sameSilenceMs = 500
/** What no other attempt would mend: an HTTP status, or the code that a WebSocket was closed with. */
const isFinal = ({ status }: Ended) =>
  status === 1000 ||
  (status >= 4000 && status < 4100) ||
  (status >= 400 && status < 1000 && !isPassing({ status }))

export function openStreamClient(options: StreamClientOptions): StreamClient {
  const { base, key, network, onMessage, onFailure } = options
  let { transport, heartbeatSeconds = 30 } = options
  const silenceMs = options.silenceMs ?? Math.min(60_000, 2_000 * heartbeatSeconds + 10_000)
  const book = createOddsBook()
  const opportunities = Object.fromEntries(
    families.map((family) => [family, new Map<string, object>()]),
  ) as Record<Family, Map<string, object>>
  const games = new Map<string, GameState>()
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
  let { channels, filters = {} } = options
  let connection: Connection | undefined
  let position: string | null = options.resumeFrom?.position ?? null
  let isReady = false
  let failure: Ended | null = null
  let lastFault: string | null = null
  let isClosed = false
  let isPaused = false
  /** Number of the last message of the connection. */
  let last = 0
  /** Subscriptions sent and not yet answered, in order. */
  let pending: { readonly channels: readonly Channel[]; readonly filters: StreamFilters }[] = []
  /** The next row of a snapshot is the first of a new one. */
  let isRestarted = false
  let attempts = 0
  /** The transport that was asked for, or has proved to be the way around what holds that one back. */
  let chosen = transport
  /** Connections in a row that brought nothing, though the service answered. */
  let heldBack = 0
  let heardAt = 0
  /** How long nothing had come when the last connection ended (ms). */
  let lastSilenceMs: number | undefined
  let reconnectMs = options.reconnectMs ?? 1_000
  /** What a service that stops has asked this client to wait. */
  let returnMs: number | null = null
  let reconnecting: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  // ---- connections

  function open() {
    counts.connections++
    last = 0
    pending = []
    isReady = false
    isRestarted = false
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
      ended(why) {
        if (connection === opened) lose(why)
      },
    })
    connection = opened
    if (isPaused) opened.pause()
    hear()
  }

  function parameters(): URLSearchParams {
    const texts = new URLSearchParams()
    for (const [name, value] of Object.entries(filters)) {
      if (value !== undefined && String(value) !== '') texts.set(name, String(value))
    }
    if (transport === 'sse') {
      texts.set('channel', sseChannel(channels))
      const kinds = channels.filter((channel) => families.some((family) => family === channel))
      if (kinds.length > 0 && kinds.length < families.length) texts.set('kinds', kinds.join())
    } else texts.set('channels', channels.join())
    texts.set('proof', 'true')
    texts.set('heartbeat_seconds', String(heartbeatSeconds))
    if (position !== null) texts.set('resume_from', position)
    return texts
  }

  /** Something was heard: the time until the connection counts as lost begins anew. */
  function hear() {
    clearTimeout(silence)
    heardAt = performance.now()
    if (!isPaused) silence = setTimeout(beSilent, silenceMs)
  }

  function lose(why: Ended) {
    connection = undefined
    isReady = false
    clearTimeout(silence)
    if (isClosed) return
    // It was a way around what holds streams back, and is none.
    if (transport !== chosen && last === 0) return hold(`; a WebSocket is no way: ${why.message}`)
    if (isFinal(why)) return fail(why)
    hearOften()
    reconnect(Math.max(pauseMs(), why.retryAfterMs ?? 0))
  }

  function fail(why: Ended) {
    failure = why
    onFailure?.(why)
  }

  /** Two connections that end after the same silence are cut by something that wants to hear more often. */
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

  /** Nothing has come for longer than the service ever says nothing. */
  async function beSilent() {
    const before = connection
    connection = undefined
    isReady = false
    before?.drop()
    const isThere = await answers(base, network)
    if (isClosed || connection) return
    if (isThere) return hold('')
    lastFault = `nothing came for ${silenceMs / 1_000} s, and nothing answers`
    reconnect(pauseMs())
  }

  /** Something on the way does not pass a stream on as it comes. */
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

  /** Longer with each attempt that came to nothing. */
  function pauseMs(): number {
    // Clients that were lost together do not come back together.
    const spread = 1 + 0.25 * Math.random()
    const firstMs = returnMs ?? reconnectMs
    returnMs = null
    return Math.min(firstMs * 2 ** attempts++, longestReconnectMs) * spread
  }

  function reconnect(afterMs: number) {
    clearTimeout(reconnecting)
    reconnecting = setTimeout(open, afterMs)
  }

  /** What is held cannot be trusted: begins anew. */
  function heal(fault: string) {
    lastFault = fault
    forget()
    const before = connection
    connection = undefined
    before?.drop()
    // Nothing is open that could be silent.
    clearTimeout(silence)
    if (isClosed) return
    // At once the first time; a service that is never right is not to be flooded.
    reconnect(attempts === 0 ? 0 : pauseMs())
    attempts = Math.max(attempts, 1)
  }

  function forget() {
    book.clear()
    for (const family of families) opportunities[family].clear()
    games.clear()
    position = null
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
    if (connection === before) onMessage?.(message)
  }

  function apply(name: string, body: Body) {
    const [prefix = '', happened] = name.split(':')
    const family = familyOf[prefix]
    if (family && happened === 'detected') return detect(family, body as unknown as readonly Item[])
    if (family && happened === 'expired') return expire(family, body.expired ?? [])
    switch (name) {
      case 'connected':
        if (body.resumed === true) counts.resumed++
        else forget()
        return
      case 'resync':
        counts.resyncs++
        forget()
        return
      case 'subscribed':
        subscribed(body)
        return
      case 'snapshot':
        takeSnapshot(body)
        return
      case 'snapshot:complete':
        isReady = true
        if (verify(body)) attempts = 0
        return
      case 'heartbeat':
        heldBack = 0
        chosen = transport
        verify(body)
        return
      case 'odds:update':
        merge(rowsOf(body))
        counts.updates += rowsOf(body).length
        return
      case 'gamestate:snapshot':
        // Of a snapshot in parts, the first takes the place of what was there.
        if ((body.offset ?? 0) === 0) games.clear()
        takeGames(body)
        return
      case 'gamestate:update':
        takeGames(body)
        return
      case 'gamestate:removed':
        for (const id of body.ids ?? []) games.delete(id)
        return
      case 'odds:removed':
        for (const id of body.ids ?? []) book.remove(id)
        counts.removals += body.ids?.length ?? 0
        return
      case 'error':
        counts.errors++
        lastFault = JSON.stringify(body)
        returnMs = body.retry_ms ?? null
    }
  }

  function takeGames({ events }: Body) {
    if (!channels.includes('gamestate')) return
    for (const game of events ?? []) games.set(game.event_id, game)
  }

  function merge(rows: readonly SentRow[]) {
    for (const row of rows) {
      if (book.merge(row)) continue
      counts.strays++
      heal(`part of a row that is not held: ${JSON.stringify(row)}`)
      return
    }
  }

  function takeSnapshot(body: Body) {
    for (const family of families) {
      const items = channels.includes(family) ? body[family] : undefined
      if (!items) continue
      // Of a snapshot in parts, the first takes the place of what was there.
      if ((body.chunk ?? 1) === 1 && (body.offset ?? 0) === 0) opportunities[family].clear()
      for (const item of items) opportunities[family].set(item.id, item)
    }
    const rows = rowsOf(body)
    if (rows.length === 0) return
    if (isRestarted) book.clear()
    isRestarted = false
    merge(rows)
  }

  function detect(family: Family, items: readonly Item[]) {
    // Events of several channels come with all families.
    if (!channels.includes(family)) return
    for (const item of items) {
      if (opportunities[family].has(item.id)) repeated(`${family} ${item.id} detected again`)
      opportunities[family].set(item.id, item)
    }
    counts.detected += items.length
  }

  function expire(family: Family, ids: readonly string[]) {
    if (!channels.includes(family)) return
    for (const id of ids) {
      if (!opportunities[family].delete(id)) repeated(`${family} ${id} expired while not there`)
    }
    counts.expired += ids.length
  }

  function repeated(fault: string) {
    counts.repeats++
    lastFault = fault
  }

  /** Holds what the service says of the book against the book. @returns false where they differ */
  function verify({ rows, checksum, position: reached }: Body): boolean {
    if (rows === undefined || checksum === undefined) return true
    if (rows !== book.rows.size || checksum !== book.checksum()) {
      counts.mismatches++
      const held = `${book.rows.size} rows with ${book.checksum()}`
      heal(`${held} instead of ${rows} with ${checksum} at ${reached}`)
      return false
    }
    counts.proofs++
    // Before the answer to a subscription, a position is one of the filters before.
    if (pending.length === 0) position = reached ?? null
    return true
  }

  /** What the filters no longer allow is not spoken of again, and so is taken out here. */
  function subscribed(body: Body) {
    const answered = pending.shift()
    if (!answered) return
    isRestarted = true
    const inForce = new Set<string>(body.channels ?? answered.channels)
    for (const family of families) if (!inForce.has(family)) opportunities[family].clear()
    if (!inForce.has('gamestate')) games.clear()
    book.prune((row) => inForce.has('odds') && isAllowed(row, answered.filters))
  }

  for (const row of options.resumeFrom?.odds ?? []) book.merge(row)
  open()

  return {
    odds: book.rows,
    opportunities,
    games,
    counts,
    transport: () => transport,
    position: () => position,
    lastFault: () => lastFault,
    isReady: () => isReady,
    failure: () => failure,
    subscribe(toChannels, toFilters) {
      channels = toChannels
      filters = toFilters
      // Where others of its rows stand is not known until the service says so.
      position = null
      if (!isReady) return connection?.drop()
      pending.push({ channels, filters })
      connection?.send({ type: 'subscribe', channels, filters: frameFilters(filters) })
    },
    pause() {
      isPaused = true
      clearTimeout(silence)
      connection?.pause()
    },
    resume() {
      isPaused = false
      connection?.resume()
      if (connection) hear()
    },
    drop: () => connection?.drop(),
    close() {
      isClosed = true
      clearTimeout(reconnecting)
      clearTimeout(silence)
      connection?.drop()
    },
  }
}

// ---- what messages say

interface Item {
  readonly id: string
}

/** The members of messages that the client reads. */
interface Body extends Partial<Record<Family, readonly Item[]>> {
  readonly resumed?: boolean
  readonly odds?: readonly SentRow[]
  readonly expired?: readonly string[]
  readonly events?: readonly GameState[]
  readonly ids?: readonly string[]
  readonly chunk?: number
  readonly offset?: number
  readonly channels?: readonly string[] | null
  readonly rows?: number
  readonly checksum?: string
  readonly position?: string
  readonly retry_ms?: number
}

const familyOf: Readonly<Record<string, Family>> = Object.fromEntries(
  families.map((family) => [eventPrefixes[family], family]),
)

const rowsOf = ({ odds }: Body) => odds ?? []

function sseChannel(channels: readonly Channel[]): string {
  const [only] = channels
  if (channels.length === 1 && (only === 'odds' || only === 'gamestate')) return only
  return channels.includes('odds') || channels.includes('gamestate') ? 'all' : 'opportunities'
}

/** Members that are not given are cleared. */
function frameFilters(filters: StreamFilters) {
  const names = Object.entries(frameNames) as [keyof StreamFilters, string][]
  return Object.fromEntries(names.map(([name, inFrame]) => [inFrame, filters[name] ?? null]))
}

/** Whether filters of plain ids and bounds allow a row; all else is the service's to know. */
function isAllowed(row: OddsItem, filters: StreamFilters): boolean {
  const { sport, league, sportsbook = [], add_sportsbook = [], market, event, live } = filters
  const { min_odds = Number.NEGATIVE_INFINITY, max_odds = Number.POSITIVE_INFINITY } = filters
  const allows = (named: readonly string[] | undefined, value: string) =>
    !named || named.length === 0 || named.includes(value)
  return (
    allows(sport, row.sport) &&
    allows(league, row.league) &&
    allows(sportsbook.length > 0 ? [...sportsbook, ...add_sportsbook] : [], row.sportsbook) &&
    allows(market, row.market_type) &&
    allows(event, row.event_id) &&
    (live === undefined || row.is_live === live) &&
    row.odds_american >= min_odds &&
    row.odds_american <= max_odds
  )
}
