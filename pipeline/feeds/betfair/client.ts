/**
 * Betfair Exchange as a feed: one stream connection, JSON objects a line over TLS. It signs in,
 * subscribes, folds what comes into market books and publishes the markets that changed.
 *
 * - A lost connection resumes from its tokens; when the server refuses them it starts with an image.
 * - Silence longer than `idleMs` is a lost connection.
 * - A market nobody touches sends nothing, so all events are said again every `refreshMs`.
 * - The session is kept alive, and a refused one is given up for a new one where we can sign in.
 * - While the stream says that it lags, its books are kept but not published: nobody can have these
 *   prices, so they age out, until all events are said again when it has caught up.
 */

import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { EventStatus, FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { isServing } from '../../../schemas/source.ts'
import type { Feed, FeedSink } from '../feed.ts'
import { createLastSeen } from '../polling-feed.ts'
import { nextHealth, type Outcome, startingHealth } from '../source-health.ts'
import { type ChangeMessage, changeMessageSchema, createBetfairBook } from './book.ts'
import {
  type MarketNames,
  parseCatalogue,
  parseMarkets,
  parseStatus,
  unnamedMarkets,
} from './parse.ts'
import { BetfairLoginError } from './session.ts'

export interface BetfairConfig {
  readonly appKey: string
  /** Asked for at every connection: session tokens run out. */
  readonly session: () => Promise<string>
  /** The token was refused, and `session` can give another; absent where it cannot. */
  readonly forgetSession?: () => void
  /** Called every `keepAliveMs` while the feed runs. */
  readonly keepAlive?: () => Promise<void>
  /** Default 10 minutes. */
  readonly keepAliveMs?: number
  /** Betfair's market filter, for example `{ eventTypeIds: ['1'], marketTypeCodes: ['MATCH_ODDS'] }`. */
  readonly marketFilter: Readonly<Record<string, unknown>>
  /** Of the stream. Default `stream-api.betfair.com`, 443. */
  readonly host?: string
  readonly port?: number
  /** Of the catalogue. Default `https://api.betfair.com`. */
  readonly baseUrl?: string
  /** 500 to 5000, as the server allows. Default 5000. */
  readonly heartbeatMs?: number
  /** Silence that counts as a lost connection. Default two heartbeats and a second. */
  readonly idleMs?: number
  /** The server rolls changes within this time into one. Default 0: none. */
  readonly conflateMs?: number
  /** Default 30 s. */
  readonly refreshMs?: number
  /** Reconnects wait a random share of `min(backoffMaxMs, backoffMs * 2^n)`. Default 500 ms, 30 s. */
  readonly backoffMs?: number
  readonly backoffMaxMs?: number
  /** Failed connections in a row before the exchange counts as down. Default 3. */
  readonly downAfterAttempts?: number
  /** The catalogue entries of markets; by default `listMarketCatalogue` over REST. */
  readonly loadCatalogue?: (ids: readonly string[], signal: AbortSignal) => Promise<unknown>
  /** For tests: the socket, the clock, chance. */
  readonly connect?: () => Duplex
  readonly now?: () => number
  readonly random?: () => number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onFailure?: (error: unknown) => void
}

/** The stream ended or refused us; `code` is the server's own where it gave one. */
export class BetfairStreamError extends Error {
  override readonly name = 'BetfairStreamError'
  readonly code: string

  constructor(code: string, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.code = code
  }
}

/** A line longer than this is not a message of the protocol. */
const lineMaxLength = 16 * 1024 * 1024
const authenticationId = 1
const subscriptionId = 2

export function createBetfairFeed(config: BetfairConfig): Feed {
  const {
    host = 'stream-api.betfair.com',
    port = 443,
    heartbeatMs = 5_000,
    idleMs = heartbeatMs * 2 + 1_000,
    conflateMs = 0,
    refreshMs = 30_000,
    backoffMs = 500,
    backoffMaxMs = 30_000,
    downAfterAttempts = 3,
    now = Date.now,
    random = Math.random,
    sleep = (ms, signal) => delay(ms, undefined, { signal }),
  } = config
  const connect = config.connect ?? (() => connectTls({ host, port, servername: host }))
  const loadCatalogue = config.loadCatalogue ?? createCatalogueLoader(config)

  return {
    name: 'betfair-exchange',
    async run(sink, signal) {
      const book = createBetfairBook()
      const publisher = createPublisher(sink, book, loadCatalogue, refreshMs, now)
      let said: 'up' | 'down' | 'unknown' = 'unknown'
      let health = startingHealth(now())
      const policy = { downAfter: downAfterAttempts, retryMs: backoffMs }

      async function say(status: 'up' | 'down', observedAt: number) {
        if (said === status) return
        said = status
        const record = { type: 'book_status', sportsbook: 'betfair', observedAt } as const
        await publishTo(sink, [{ ...record, status }])
      }

      async function hear(outcome: Outcome, observedAt: number) {
        health = nextHealth(health, outcome, now(), policy)
        sink.report?.(health, null, null)
        await say(isServing(health.state) ? 'up' : 'down', observedAt)
      }

      async function listen() {
        const socket = connect()
        // The reading loop reports what goes wrong; later errors of a dropped socket are nobody's.
        socket.on('error', () => {})
        const stop = () => socket.destroy()
        signal.addEventListener('abort', stop, { once: true })
        const write = (message: object) => socket.write(`${JSON.stringify(message)}\r\n`)
        try {
          for await (const line of readLines(socket, idleMs)) {
            const message = parseLine(line)
            if (message === null) {
              // One change that is not folded falsifies the book: only an image mends it.
              book.forgetTokens()
              throw new BetfairStreamError('MALFORMED', line.slice(0, 80))
            }
            if (message.op === 'connection') {
              const { appKey } = config
              const session = await config.session()
              write({ op: 'authentication', id: authenticationId, appKey, session })
            } else if (message.op === 'status') {
              if (message.statusCode !== 'SUCCESS') {
                const code = message.errorCode ?? 'UNKNOWN'
                // The tokens are too old, or of a subscription that is no more.
                if (code === 'INVALID_CLOCK') book.forgetTokens()
                throw new BetfairStreamError(code, message.errorMessage ?? '')
              }
              if (message.id === authenticationId) write(subscription())
            } else {
              if (health.state !== 'up') await hear({ kind: 'answered', nextAt: null }, message.pt)
              else await say('up', message.pt)
              await publisher.take(message, signal)
            }
          }
        } finally {
          signal.removeEventListener('abort', stop)
          socket.destroy()
        }
        throw new BetfairStreamError('CLOSED', 'the server ended the connection')
      }

      function subscription() {
        return {
          op: 'marketSubscription',
          id: subscriptionId,
          marketFilter: config.marketFilter,
          marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladderLevels: 1 },
          heartbeatMs,
          conflateMs,
          segmentationEnabled: true,
          ...book.resumeTokens(),
        }
      }

      async function fail(error: unknown) {
        config.onFailure?.(error)
        const reason = reasonOf(error)
        const detail = error instanceof Error ? error.message : String(error)
        sink.skipped('betfair', [{ reason: `stream_${reason}`, detail }])
        const notBefore = error instanceof BetfairLoginError ? error.notBefore : null
        const isSessionRefused = refusedSessions.has(reason)
        if (isSessionRefused) config.forgetSession?.()
        const isForGood = refusals.has(reason) || (isSessionRefused && !config.forgetSession)
        const failed = { kind: 'failed', notBefore } as const
        health = nextHealth(
          health,
          { ...failed, reason: isForGood ? 'login_refused' : reason },
          now(),
          policy,
        )
        sink.report?.(health, null, null)
        // The first failures of a stream say nothing: it may be back in a moment.
        if (!isServing(health.state)) await say('down', now())
      }

      const stopKeeping = keepAlive(config, signal)
      try {
        while (!signal.aborted) {
          try {
            await listen()
          } catch (error) {
            if (signal.aborted) return
            if (error instanceof SinkError) throw error.cause
            await fail(error).catch(({ cause }: SinkError) => {
              throw cause
            })
          }
          const askedMs = Math.max(0, (health.nextTryAt ?? 0) - now())
          const isPassing = health.reason !== 'login_refused' && health.reason !== 'http_429'
          const waitMs = isPassing ? random() * Math.min(backoffMaxMs, askedMs) : askedMs
          await sleep(waitMs, signal).catch(() => {})
        }
      } finally {
        stopKeeping()
      }
    },
  }
}

/** Codes of the stream by which a session has ended, or never was. */
const refusedSessions: ReadonlySet<string> = new Set(['no_session', 'invalid_session_information'])
/** Codes that will be answered the same again, whatever the session. */
const refusals: ReadonlySet<string> = new Set([
  'login_refused',
  'no_app_key',
  'invalid_app_key',
  'not_authorized',
  'subscription_limit_exceeded',
])

function reasonOf(error: unknown): string {
  if (error instanceof BetfairLoginError) return error.reason
  return error instanceof BetfairStreamError ? error.code.toLowerCase() : 'network'
}

/** Keeps the session alive until the result is called. A failure shows at the next connection. */
function keepAlive({ keepAlive, keepAliveMs = 10 * 60_000 }: BetfairConfig, signal: AbortSignal) {
  const keep = () => {
    if (!signal.aborted) keepAlive?.().catch(() => {})
  }
  const timer = setInterval(keep, keepAliveMs)
  return () => clearInterval(timer)
}

/** What the sink threw, told apart from what the exchange did. */
class SinkError extends Error {}

async function publishTo(sink: FeedSink, records: readonly FeedRecord[]) {
  await sink.publish(records).catch((cause: unknown) => {
    throw new SinkError('publish', { cause })
  })
}

/** Folds messages and puts what they change, and from time to time everything, into the sink. */
function createPublisher(
  sink: FeedSink,
  book: ReturnType<typeof createBetfairBook>,
  loadCatalogue: (ids: readonly string[], signal: AbortSignal) => Promise<unknown>,
  refreshMs: number,
  now: () => number,
) {
  const names = new Map<string, MarketNames>()
  const askedAt = new Map<string, number>()
  const statuses = new Map<string, EventStatus>()
  const lastSeen = createLastSeen()
  let refreshedAt = 0
  let isRefreshDue = false
  let isLagging = false

  async function learnNames(message: ChangeMessage, signal: AbortSignal) {
    const ids = unnamedMarkets(message, book.markets(), names).filter(
      (id) => now() - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= refreshMs,
    )
    for (let start = 0; start < ids.length; start += 100) {
      const batch = ids.slice(start, start + 100)
      for (const id of batch) askedAt.set(id, now())
      try {
        const parsed = parseCatalogue(await loadCatalogue(batch, signal))
        for (const entry of parsed.names) names.set(entry.marketId, entry)
        if (parsed.skipped.length > 0) sink.skipped('betfair', parsed.skipped)
      } catch (error) {
        signal.throwIfAborted()
        // Prices of markets without names wait; the stream does not.
        const detail = error instanceof Error ? error.message : String(error)
        sink.skipped('betfair', [{ reason: 'fetch_catalogue', detail }])
      }
    }
  }

  /** Game states that are news. */
  function turned(ids: Iterable<string>, observedAt: number): FeedRecord[] {
    const records: FeedRecord[] = []
    for (const id of ids) {
      const market = book.markets().get(id)
      const record = market ? parseStatus(market, names.get(id), { observedAt }) : null
      if (!record || statuses.get(id) === record.status) continue
      statuses.set(id, record.status)
      records.push(record)
    }
    return records
  }

  return {
    async take(message: ChangeMessage, signal: AbortSignal) {
      const { changed, isImage } = book.apply(message)
      await learnNames(message, signal)
      const observedAt = message.pt
      const isWhole = !message.segmentType || message.segmentType === 'SEG_END'
      const wasLagging = isLagging
      isLagging = message.status != null
      if (isLagging && !wasLagging) {
        const detail = `status ${message.status} at ${message.pt}`
        sink.skipped('betfair', [{ reason: 'stream_lagging', detail }])
      }
      // What the silence has left out is said with all the rest.
      isRefreshDue ||= isImage || isLagging
      // In the middle of an image, the events in it are still incomplete.
      if (!isWhole || isLagging) return
      const isRefresh = isRefreshDue || observedAt - refreshedAt >= refreshMs
      const all = [...book.markets().values()]
      const markets = isRefresh ? all : all.filter(({ id }) => changed.includes(id))
      const mode: OddsRecord['mode'] = isRefresh ? 'snapshot' : 'delta'
      const { records, skipped } = parseMarkets(markets, names, { mode, observedAt })
      const out = [...turned(isRefresh ? book.markets().keys() : changed, observedAt), ...records]
      if (isRefresh) {
        isRefreshDue = false
        refreshedAt = observedAt
        const odds = records.filter((record) => record.type === 'odds')
        out.push(...lastSeen.replace('all', odds, observedAt))
      }
      if (skipped.length > 0) sink.skipped('betfair', skipped)
      if (out.length > 0) await publishTo(sink, out)
      forgetClosed(isRefresh ? all.map(({ id }) => id) : changed)
    },
  }

  function forgetClosed(ids: readonly string[]) {
    const closed = ids.filter((id) => book.markets().get(id)?.definition?.status === 'CLOSED')
    book.forget(closed)
    for (const id of closed) {
      names.delete(id)
      askedAt.delete(id)
      statuses.delete(id)
    }
  }
}

interface StatusMessage {
  readonly op: 'status'
  readonly id?: number
  readonly statusCode?: string
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** A message of the protocol, or null for a line that is none. */
function parseLine(line: string): ChangeMessage | StatusMessage | { op: 'connection' } | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  const { op } = (value ?? {}) as { op?: unknown }
  if (op === 'connection') return { op }
  if (op === 'status') return value as StatusMessage
  const change = changeMessageSchema.safeParse(value)
  return change.success ? change.data : null
}

/** Lines of a socket. @throws BetfairStreamError after `idleMs` without any */
async function* readLines(socket: Duplex, idleMs: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  const lose = () => socket.destroy(new BetfairStreamError('IDLE', `nothing for ${idleMs} ms`))
  // Armed only while we wait: time that we spend ourselves is no silence of theirs.
  let timer = setTimeout(lose, idleMs)
  try {
    for await (const chunk of socket) {
      clearTimeout(timer)
      rest += decoder.decode(chunk as Uint8Array, { stream: true })
      if (rest.length > lineMaxLength) {
        throw new BetfairStreamError('LINE_TOO_LONG', `${rest.length} characters`)
      }
      const lines = rest.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield line
      timer = setTimeout(lose, idleMs)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** `listMarketCatalogue` over REST, with what names a market: event, competition, runners. */
function createCatalogueLoader(config: BetfairConfig) {
  const { appKey, session, baseUrl = 'https://api.betfair.com' } = config
  const url = `${baseUrl}/exchange/betting/rest/v1.0/listMarketCatalogue/`
  return async (ids: readonly string[], signal: AbortSignal): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-application': appKey,
        'x-authentication': await session(),
      },
      body: JSON.stringify({
        filter: { marketIds: ids },
        marketProjection: ['EVENT', 'COMPETITION', 'RUNNER_DESCRIPTION'],
        maxResults: ids.length,
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      // The session belongs to this host alone.
      redirect: 'manual',
    })
    if (!response.ok) {
      // A body that nobody reads holds its connection.
      await response.body?.cancel()
      throw new BetfairStreamError('CATALOGUE', `http ${response.status}`)
    }
    return response.json()
  }
}
