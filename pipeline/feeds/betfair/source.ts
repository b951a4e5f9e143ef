/**
 * Betfair Exchange as a feed: one stream connection over TLS, one JSON object per line. It signs
 * in, subscribes, builds market books from messages (`book.ts`) and publishes the markets that
 * changed (`publisher.ts`).
 *
 * - A lost connection resumes from its tokens; if the server refuses them, it starts with an image.
 * - Silence longer than `idleMs` counts as a lost connection.
 * - The session is kept alive. If it is refused and we can sign in, a new one replaces it.
 */

import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { z } from 'zod'
import { awaitNamedFile } from '../../settings/named-file.ts'
import type { Feed } from '../feed.ts'
import { midBookOf, midSetting } from '../kit/exchange-mid.ts'
import { jsonIn } from '../kit/json-text.ts'
import {
  baseUrl,
  defineSource,
  type Ports,
  SettingsError,
  type SettingsOf,
  secret,
  whole,
} from '../kit/source.ts'
import {
  createStreamFeed,
  failureOfStream,
  StreamError,
  type StreamFeedOptions,
  type StreamSink,
} from '../kit/stream-feed.ts'
import { type ChangeMessage, changeMessageSchema, createBetfairBook } from './book.ts'
import { type CatalogueAccess, createCatalogue, createCatalogueLoader } from './catalogue.ts'
import { createPublisher } from './publisher.ts'
import { type ClientCertificate, createBetfairSession } from './session.ts'

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
  keepAliveMs: whole(60_000, 86_400_000).describe(
    'Milliseconds between two calls that keep the session. Default 600000.',
  ),
  baseUrl,
  host: z
    .string()
    .min(1)
    .meta({ format: 'hostname' })
    .optional()
    .describe('The host of the stream.'),
  port: whole(1, 65_535),
  heartbeatMs: whole(500, 5_000).describe('Default 5000.'),
  conflateMs: whole(0, 120_000).describe('The server joins changes within this time. Default 0.'),
  mid: midSetting('betfair'),
}

export const betfairExchange = defineSource({
  name: 'betfair-exchange',
  isOfficial: true,
  settings,
  measures: ({ mid }) => (mid ? [midBookOf('betfair')] : []),
  open: openBetfair,
})

type Settings = SettingsOf<typeof settings>

export interface BetfairConfig
  extends Pick<
      StreamFeedOptions,
      'backoffMs' | 'backoffMaxMs' | 'downAfterAttempts' | 'now' | 'random' | 'sleep' | 'onFailure'
    >,
    Pick<
      Settings,
      'marketFilter' | 'host' | 'port' | 'heartbeatMs' | 'conflateMs' | 'mid' | 'keepAliveMs'
    >,
    CatalogueAccess {
  /** Drops a refused token, if `session` can return another one; else absent. */
  readonly forgetSession?: () => void
  /** Called every `keepAliveMs` while the feed runs. */
  readonly keepAlive?: () => Promise<void>
  /** The silence that counts as a lost connection. Default two heartbeats and a second. */
  readonly idleMs?: number
  /** Default 30 s. */
  readonly refreshMs?: number
  /** The catalogue entries of markets; by default `listMarketCatalogue` over REST. */
  readonly loadCatalogue?: (ids: readonly string[], signal: AbortSignal) => Promise<unknown>
  /** For tests: the socket. */
  readonly connect?: () => Duplex
}

/** @throws SettingsError for incomplete access settings; `check` rejects with one for a certificate that cannot be read */
function openBetfair(options: Settings & Ports): Feed {
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
  const certificate =
    certFile !== undefined && keyFile !== undefined
      ? createCertificateReader(certFile, keyFile)
      : undefined
  const session = createBetfairSession({
    ...config,
    username,
    password,
    ...(certificate && { certificate }),
  })
  const feed = createBetfairFeed({
    ...config,
    session: session.token,
    forgetSession: session.forget,
    keepAlive: session.keepAlive,
  })
  return certificate ? { ...feed, check: async () => void (await certificate()) } : feed
}

/**
 * Reads a certificate only once, because its files may be pipes. After a failure it tries again.
 */
function createCertificateReader(certFile: string, keyFile: string) {
  let held: ClientCertificate | null = null
  return async (): Promise<ClientCertificate> => {
    held ??= { cert: await readPem(certFile), key: await readPem(keyFile) }
    return held
  }
}

async function readPem(path: string): Promise<string> {
  try {
    return await awaitNamedFile(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new SettingsError(`${path} cannot be read (${code ?? message})`)
  }
}

/** The longest line that can be a message of the protocol. */
const lineMaxLength = 16 * 1024 * 1024
const authenticationId = 1
/** The number of prices of each runner: the best may be offered for too little to count. */
const ladderLevels = 3
const subscriptionId = 2

export function createBetfairFeed(config: BetfairConfig): Feed {
  const {
    host = 'stream-api.betfair.com',
    port = 443,
    heartbeatMs = 5_000,
    idleMs = heartbeatMs * 2 + 1_000,
    conflateMs = 0,
    refreshMs = 30_000,
    mid = false,
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
    const publisher = createPublisher(sink, book, catalogue, refreshMs, mid)
    keepAlive(config, signal)

    const subscription = () => ({
      op: 'marketSubscription',
      id: subscriptionId,
      marketFilter: config.marketFilter,
      marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladderLevels },
      heartbeatMs,
      conflateMs,
      segmentationEnabled: true,
      ...book.resumeTokens(),
    })

    return async () => {
      const socket = connect()
      // The reading loop reports failures; later errors of a dropped socket are ignored.
      socket.on('error', () => {})
      failConnection = (error) => socket.destroy(error)
      const stop = () => socket.destroy()
      signal.addEventListener('abort', stop, { once: true })
      const write = (message: object) => socket.write(`${JSON.stringify(message)}\r\n`)
      try {
        for await (const line of readLines(socket, idleMs)) {
          const message = parseLine(line)
          if (message === null) {
            // A missed change makes the book wrong: only a new image corrects it.
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
              // The tokens are too old, or the subscription does not exist any more.
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
    const failed = failureOfStream(error)
    const { reason } = failed
    const isSessionRefused = refusedSessions.has(reason)
    if (isSessionRefused) config.forgetSession?.()
    const isForGood = refusals.has(reason) || (isSessionRefused && !config.forgetSession)
    const countedAs = `stream_${reason}`
    return { ...failed, reason: isForGood ? 'login_refused' : reason, countedAs }
  }

  return createStreamFeed({
    ...config,
    name: 'betfair-exchange',
    sportsbook: 'betfair',
    alsoGives: mid ? [midBookOf('betfair')] : [],
    open,
    failureOf,
  })
}

/** Codes of the stream for a session that has ended, or never existed. */
const refusedSessions: ReadonlySet<string> = new Set(['no_session', 'invalid_session_information'])
/** Codes that would be repeated with any session. */
const refusals: ReadonlySet<string> = new Set([
  'login_refused',
  'no_app_key',
  'invalid_app_key',
  'not_authorized',
  'subscription_limit_exceeded',
])

/** Keeps the session alive while the feed runs. A failure shows at the next connection. */
function keepAlive({ keepAlive, keepAliveMs = 10 * 60_000 }: BetfairConfig, signal: AbortSignal) {
  if (!keepAlive) return
  const timer = setInterval(() => keepAlive().catch(() => {}), keepAliveMs)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
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
  const value = jsonIn(line)
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
  // Runs only while we wait, because our own processing time is not the server's silence.
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
