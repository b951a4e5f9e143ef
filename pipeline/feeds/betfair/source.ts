/**
 * Betfair Exchange as a feed: one stream connection, JSON objects a line over TLS. It signs in, subscribes, folds
 * messages into market books and publishes the markets that changed.
 *
 * - A lost connection resumes from its tokens; when the server refuses them it starts with an image.
 * - Silence longer than `idleMs` is a lost connection.
 * - A market without activity sends nothing, so all events are published again every `refreshMs`.
 * - The session is kept alive, and a refused one is replaced by a new one where we can sign in.
 * - Names of markets are loaded in the background. A market without one waits; the others do not. Those that have
 *   none yet are asked for again with each refresh.
 * - While the stream reports that it lags, its books are kept but not published: these prices can no longer be bet
 *   on, so they age out, until all events are published again when it has caught up.
 */

import { readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { z } from 'zod'
import type { EventStatus, FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import type { Feed } from '../feed.ts'
import { createLastSeen } from '../kit/polling-feed.ts'
import {
  baseUrl,
  defineSource,
  type Ports,
  SettingsError,
  type SettingsOf,
  secret,
} from '../kit/source.ts'
import {
  createStreamFeed,
  StreamError,
  type StreamFeedOptions,
  type StreamSink,
} from '../kit/stream-feed.ts'
import {
  type ChangeMessage,
  changeMessageSchema,
  createBetfairBook,
  type MarketBook,
} from './book.ts'
import {
  type MarketNames,
  parseCatalogue,
  parseMarkets,
  parseStatus,
  unnamedMarkets,
} from './parse.ts'
import { BetfairLoginError, createBetfairSession } from './session.ts'

export interface BetfairConfig
  extends Pick<
    StreamFeedOptions,
    'backoffMs' | 'backoffMaxMs' | 'downAfterAttempts' | 'now' | 'random' | 'sleep' | 'onFailure'
  > {
  readonly appKey: string
  /** Called at every connection, because session tokens expire. */
  readonly session: () => Promise<string>
  /** Drops a refused token where `session` can return another; absent where it cannot. */
  readonly forgetSession?: () => void
  /** Called every `keepAliveMs` while the feed runs. */
  readonly keepAlive?: () => Promise<void>
  /** Default 10 minutes. */
  readonly keepAliveMs?: number
  /** Betfair's market filter, for example `{ eventTypeIds: ['1'], marketTypeCodes: ['MATCH_ODDS'] }`. */
  readonly marketFilter: Readonly<Record<string, unknown>>
  /** The host of the stream. Default `stream-api.betfair.com`, 443. */
  readonly host?: string
  readonly port?: number
  /** The address of the catalogue. Default `https://api.betfair.com`. */
  readonly baseUrl?: string
  /** 500 to 5000, as the server allows. Default 5000. */
  readonly heartbeatMs?: number
  /** The silence that counts as a lost connection. Default two heartbeats and a second. */
  readonly idleMs?: number
  /** The server rolls changes within this time into one. Default 0: none. */
  readonly conflateMs?: number
  /** Default 30 s. */
  readonly refreshMs?: number
  /** The catalogue entries of markets; by default `listMarketCatalogue` over REST. */
  readonly loadCatalogue?: (ids: readonly string[], signal: AbortSignal) => Promise<unknown>
  /** For tests: the socket. */
  readonly connect?: () => Duplex
}

const settings = {
  appKey: secret.describe('The application key.'),
  marketFilter: z
    .record(z.string(), z.unknown())
    .describe(
      'Betfair’s market filter: `{"eventTypeIds": ["1"], "marketTypeCodes": ["MATCH_ODDS"]}`.',
    ),
  sessionToken: secret.optional().describe('A session token, instead of user name and password.'),
  username: z.string().min(1).optional(),
  password: secret.optional(),
  certFile: z.string().min(1).optional().describe('The file of the client certificate.'),
  keyFile: z.string().min(1).optional().describe('The file of its key.'),
  loginUrl: z.url().optional(),
  certificateLoginUrl: z.url().optional(),
  keepAliveMs: z
    .number()
    .int()
    .min(60_000)
    .optional()
    .describe('Milliseconds between two calls that keep the session. Default 600000.'),
  baseUrl,
  host: z
    .string()
    .min(1)
    .meta({ format: 'hostname' })
    .optional()
    .describe('The host of the stream.'),
  port: z.number().int().min(1).max(65_535).optional(),
  heartbeatMs: z.number().int().min(500).max(5_000).optional().describe('Default 5000.'),
  conflateMs: z
    .number()
    .int()
    .min(0)
    .max(120_000)
    .optional()
    .describe('The server joins changes within this time. Default 0.'),
}

export const betfairExchange = defineSource({
  name: 'betfair-exchange',
  isOfficial: true,
  settings,
  open: openBetfair,
})

/** @throws SettingsError for incomplete access settings, or a certificate that cannot be read */
function openBetfair(options: SettingsOf<typeof settings> & Ports): Feed {
  const { sessionToken, username, password, certFile, keyFile, http, onFailure, ...own } = options
  const config = {
    ...own,
    onFailure: (error: unknown) => onFailure?.('stream', error),
    ...(http?.now && { now: http.now }),
  }
  if (sessionToken !== undefined) {
    return createBetfairFeed({ ...config, session: async () => sessionToken })
  }
  if (username === undefined || password === undefined) {
    throw new SettingsError('username: is needed with password, or a sessionToken')
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new SettingsError('certFile: is needed with keyFile')
  }
  const session = createBetfairSession({
    ...config,
    username,
    password,
    ...(certFile !== undefined &&
      keyFile !== undefined && {
        certificate: { cert: readPem(certFile), key: readPem(keyFile) },
      }),
  })
  return createBetfairFeed({
    ...config,
    session: session.token,
    forgetSession: session.forget,
    keepAlive: session.keepAlive,
    keepAliveMs: session.keepAliveMs,
  })
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError(`${path} cannot be read (${code})`)
  }
}

/** The longest line that can be a message of the protocol. */
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
    now = Date.now,
  } = config
  const connect = config.connect ?? (() => connectTls({ host, port, servername: host }))
  const loadCatalogue = config.loadCatalogue ?? createCatalogueLoader(config)

  function open(sink: StreamSink, signal: AbortSignal) {
    const book = createBetfairBook()
    let failConnection = (_error: Error) => {}
    const catalogue = createCatalogue({
      load: (ids) => loadCatalogue(ids, signal),
      signal,
      refreshMs,
      now,
      skipped: sink.skipped,
      answered: (ids) => publisher.named(ids).catch((error: Error) => failConnection(error)),
    })
    const publisher = createPublisher(sink, book, catalogue, refreshMs)
    keepAlive(config, signal)

    const subscription = () => ({
      op: 'marketSubscription',
      id: subscriptionId,
      marketFilter: config.marketFilter,
      marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladderLevels: 1 },
      heartbeatMs,
      conflateMs,
      segmentationEnabled: true,
      ...book.resumeTokens(),
    })

    return async () => {
      const socket = connect()
      // The reading loop reports failures; later errors of a dropped socket concern nobody.
      socket.on('error', () => {})
      failConnection = (error) => socket.destroy(error)
      const stop = () => socket.destroy()
      signal.addEventListener('abort', stop, { once: true })
      const write = (message: object) => socket.write(`${JSON.stringify(message)}\r\n`)
      try {
        for await (const line of readLines(socket, idleMs)) {
          const message = parseLine(line)
          if (message === null) {
            // One change that is not folded falsifies the book: only a new image corrects it.
            book.forgetTokens()
            throw new StreamError('malformed', line.slice(0, 80))
          }
          if (message.op === 'connection') {
            const { appKey } = config
            const session = await config.session()
            write({ op: 'authentication', id: authenticationId, appKey, session })
          } else if (message.op === 'status') {
            if (message.statusCode !== 'SUCCESS') {
              const code = message.errorCode ?? 'UNKNOWN'
              // The tokens are too old, or of a subscription that no longer exists.
              if (code === 'INVALID_CLOCK') book.forgetTokens()
              throw new StreamError(code.toLowerCase(), message.errorMessage ?? '')
            }
            if (message.id === authenticationId) write(subscription())
          } else {
            await sink.heard(message.pt)
            await publisher.take(message)
          }
        }
      } finally {
        publisher.pause()
        signal.removeEventListener('abort', stop)
        socket.destroy()
      }
      throw new StreamError('closed', 'the server ended the connection')
    }
  }

  function failureOf(error: unknown) {
    const reason = reasonOf(error)
    const notBefore = error instanceof BetfairLoginError ? error.notBefore : null
    const isSessionRefused = refusedSessions.has(reason)
    if (isSessionRefused) config.forgetSession?.()
    const isForGood = refusals.has(reason) || (isSessionRefused && !config.forgetSession)
    const countedAs = `stream_${reason}`
    return {
      kind: 'failed' as const,
      reason: isForGood ? 'login_refused' : reason,
      notBefore,
      countedAs,
    }
  }

  return createStreamFeed({
    ...config,
    name: 'betfair-exchange',
    sportsbook: 'betfair',
    open,
    failureOf,
  })
}

/** Codes of the stream for a session that has ended, or never existed. */
const refusedSessions: ReadonlySet<string> = new Set(['no_session', 'invalid_session_information'])
/** Codes that will come again, whatever the session. */
const refusals: ReadonlySet<string> = new Set([
  'login_refused',
  'no_app_key',
  'invalid_app_key',
  'not_authorized',
  'subscription_limit_exceeded',
])

function reasonOf(error: unknown): string {
  if (error instanceof BetfairLoginError) return error.reason
  return error instanceof StreamError ? error.reason : 'network'
}

/** Keeps the session alive while the feed runs. A failure shows at the next connection. */
function keepAlive({ keepAlive, keepAliveMs = 10 * 60_000 }: BetfairConfig, signal: AbortSignal) {
  if (!keepAlive) return
  const timer = setInterval(() => keepAlive().catch(() => {}), keepAliveMs)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

const marketsPerCall = 100

type Catalogue = ReturnType<typeof createCatalogue>

/** The names of markets, loaded in the background, some at a time. */
function createCatalogue(options: {
  readonly load: (ids: readonly string[]) => Promise<unknown>
  readonly signal: AbortSignal
  readonly refreshMs: number
  readonly now: () => number
  readonly skipped: StreamSink['skipped']
  /** Is told of markets that were asked for, whether they have names now or not. */
  readonly answered: (ids: readonly string[]) => Promise<void>
}) {
  const { load, signal, refreshMs, now, skipped, answered } = options
  const names = new Map<string, MarketNames>()
  const askedAt = new Map<string, number>()
  /** Markets without an answer yet, and those of them that no call has named yet. */
  const awaited = new Set<string>()
  const queue = new Set<string>()
  let isLoading = false

  async function loadSome(ids: readonly string[]) {
    try {
      const parsed = parseCatalogue(await load(ids))
      // A market that has closed meanwhile needs no name.
      for (const entry of parsed.names)
        if (awaited.has(entry.marketId)) names.set(entry.marketId, entry)
      skipped(parsed.skipped)
    } catch (error) {
      if (signal.aborted) return
      const detail = error instanceof Error ? error.message : String(error)
      skipped([{ reason: 'fetch_catalogue', detail }])
    }
    for (const id of ids) awaited.delete(id)
    await answered(ids)
  }

  async function loadQueue() {
    isLoading = true
    while (queue.size > 0 && !signal.aborted) {
      const ids = [...queue].slice(0, marketsPerCall)
      for (const id of ids) queue.delete(id)
      await loadSome(ids)
    }
    isLoading = false
  }

  return {
    names: names as ReadonlyMap<string, MarketNames>,
    isAwaited: (id: string) => awaited.has(id),
    /** Asks for names, unless an answer has just come without them. @param isAgain asks in any case */
    ask(ids: readonly string[], isAgain: boolean) {
      for (const id of ids) {
        const isDue = isAgain || now() - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= refreshMs
        if (!isDue || awaited.has(id)) continue
        askedAt.set(id, now())
        awaited.add(id)
        queue.add(id)
      }
      if (!isLoading) void loadQueue()
    },
    forget(ids: readonly string[]) {
      for (const id of ids) {
        names.delete(id)
        askedAt.delete(id)
        awaited.delete(id)
        queue.delete(id)
      }
    },
  }
}

/** Folds messages and publishes the changes, and from time to time everything. */
function createPublisher(
  sink: StreamSink,
  book: ReturnType<typeof createBetfairBook>,
  catalogue: Catalogue,
  refreshMs: number,
) {
  const { names } = catalogue
  const statuses = new Map<string, EventStatus>()
  const lastSeen = createLastSeen()
  /** Markets whose names were answered, and which have not been published since. */
  const answered = new Set<string>()
  let refreshedAt = 0
  let takenAt = 0
  let isRefreshDue = false
  let isLagging = false
  /** Whether the book is as the exchange has it: connected, up to date, and no image half read. */
  let isCurrent = false
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a step when those before it have ended: publications keep the order of what they say. */
  function inTurn(step: () => Promise<void>): Promise<void> {
    const done = last.then(step)
    last = done.catch(() => {})
    return done
  }

  /** Returns the game states that have changed. */
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

  /** Returns the records of markets. Those whose names are on their way are left for their answer. */
  function recordsOf(
    markets: readonly MarketBook[],
    mode: OddsRecord['mode'],
    observedAt: number,
  ): { readonly odds: OddsRecord[]; readonly out: FeedRecord[] } {
    const answeredOnes = markets.filter(({ id }) => !catalogue.isAwaited(id))
    const { records, skipped } = parseMarkets(answeredOnes, names, { mode, observedAt })
    sink.skipped(skipped)
    const states = turned(
      markets.map(({ id }) => id),
      observedAt,
    )
    return {
      odds: records.filter((record) => record.type === 'odds'),
      out: [...states, ...records],
    }
  }

  function askForNames(changed: readonly string[], isRefresh: boolean) {
    const ids = isRefresh ? book.markets().keys() : changed
    catalogue.ask(unnamedMarkets(ids, book.markets(), names), isRefresh)
  }

  async function fold(message: ChangeMessage) {
    const { changed, isImage } = book.apply(message)
    const observedAt = message.pt
    const isWhole = !message.segmentType || message.segmentType === 'SEG_END'
    const wasLagging = isLagging
    isLagging = message.status != null
    if (isLagging && !wasLagging) {
      const detail = `status ${message.status} at ${message.pt}`
      sink.skipped([{ reason: 'stream_lagging', detail }])
    }
    // Changes that were not published during the lag are published with all the rest.
    isRefreshDue ||= isImage || isLagging
    // In the middle of an image, the events in it are still incomplete.
    isCurrent = isWhole && !isLagging
    const isRefresh = isCurrent && (isRefreshDue || observedAt - refreshedAt >= refreshMs)
    askForNames(changed, isRefresh)
    if (!isCurrent) return
    takenAt = observedAt
    const all = [...book.markets().values()]
    const markets = isRefresh ? all : all.filter(({ id }) => changed.includes(id))
    const { odds, out } = recordsOf(markets, isRefresh ? 'snapshot' : 'delta', observedAt)
    if (isRefresh) {
      isRefreshDue = false
      refreshedAt = observedAt
      answered.clear()
      out.push(...lastSeen.replace('all', odds, observedAt))
    }
    if (out.length > 0) await sink.publish(out)
    await publishAnswered()
    forgetClosed(isRefresh ? all.map(({ id }) => id) : changed)
  }

  /** Publishes the events of markets whose names were answered, whole, as of the last message. */
  async function publishAnswered() {
    if (!isCurrent || answered.size === 0) return
    const eventOf = (id: string) => book.markets().get(id)?.definition?.eventId
    const events = new Set([...answered].map(eventOf))
    answered.clear()
    const markets = [...book.markets().values()].filter(
      ({ definition }) => definition && events.has(definition.eventId),
    )
    const { odds, out } = recordsOf(markets, 'snapshot', takenAt)
    lastSeen.add('all', odds)
    if (out.length > 0) await sink.publish(out)
  }

  function forgetClosed(ids: readonly string[]) {
    const closed = ids.filter((id) => book.markets().get(id)?.definition?.status === 'CLOSED')
    book.forget(closed)
    catalogue.forget(closed)
    for (const id of closed) {
      statuses.delete(id)
      answered.delete(id)
    }
  }

  return {
    take: (message: ChangeMessage) => inTurn(() => fold(message)),
    named(ids: readonly string[]) {
      for (const id of ids) answered.add(id)
      return inTurn(publishAnswered)
    },
    /** Publishes nothing more until the next message: the connection has ended. */
    pause() {
      isCurrent = false
    },
  }
}

interface StatusMessage {
  readonly op: 'status'
  readonly id?: number
  readonly statusCode?: string
  readonly errorCode?: string
  readonly errorMessage?: string
}

/** Returns a message of the protocol, or null for a line that is none. */
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

/** Yields the lines of a socket. @throws StreamError after `idleMs` without any */
async function* readLines(socket: Duplex, idleMs: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  const lose = () => socket.destroy(new StreamError('idle', `nothing for ${idleMs} ms`))
  // Armed only while we wait: our own processing time is not their silence.
  let timer = setTimeout(lose, idleMs)
  try {
    for await (const chunk of socket) {
      clearTimeout(timer)
      rest += decoder.decode(chunk as Uint8Array, { stream: true })
      if (rest.length > lineMaxLength) {
        throw new StreamError('line_too_long', `${rest.length} characters`)
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

/** Loads `listMarketCatalogue` over REST, with the names of each market: event, competition, runners. */
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
      // The session is only for this host.
      redirect: 'manual',
    })
    if (!response.ok) {
      // An unread body holds its connection.
      await response.body?.cancel()
      throw new StreamError('catalogue', `http ${response.status}`)
    }
    return response.json()
  }
}
