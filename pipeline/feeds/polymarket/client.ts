/**
 * Polymarket as a feed, which needs no key: the games of Gamma, read from time to time, and one
 * connection to the `market` channel, which sends the book of each token and then its changes.
 *
 * - A game is published whole, when its books have come or have had time to.
 * - Silence longer than `idleMs` is a lost connection: our PING is answered.
 * - A frame that cannot be read falsifies the books, so a new connection starts with new ones.
 * - Markets nobody touches send nothing, so all games are said again every `repeatMs`.
 * - While Gamma fails, the games that are known go on.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { isServing } from '../../../schemas/source.ts'
import type { Feed, FeedSink, Skip } from '../feed.ts'
import { createHttpSource, FetchError, type HttpSourceOptions } from '../http-source.ts'
import { createLastSeen } from '../polling-feed.ts'
import { nextHealth, type Outcome, startingHealth } from '../source-health.ts'
import { createBooks } from './books.ts'
import {
  type PolymarketGame,
  type PolymarketLeague,
  parseAsks,
  parseGames,
  parseSports,
} from './parse.ts'

export interface PolymarketSettings {
  /** Gamma. Default `https://gamma-api.polymarket.com`. */
  readonly baseUrl?: string
  /** Default `wss://ws-subscriptions-clob.polymarket.com`. */
  readonly streamUrl?: string
  readonly leagues: readonly PolymarketLeague[]
  /** How often Gamma is read. Default 60 s. */
  readonly refreshMs?: number
  /** How often all games are said again. Default 15 s. */
  readonly repeatMs?: number
  /** Default 10 s, as they ask. */
  readonly pingMs?: number
  /** Default two pings and five seconds. */
  readonly idleMs?: number
  /** How long a game waits for books that do not come. Default 3 s. */
  readonly settleMs?: number
  /** Reconnects wait a random share of what `source-health.ts` says, up to `backoffMaxMs`. Default 500 ms, 30 s. */
  readonly backoffMs?: number
  readonly backoffMaxMs?: number
  /** Failed connections in a row before the exchange counts as down. Default 3. */
  readonly downAfterAttempts?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (target: string, error: unknown) => void
}

/** The stream ended or sent what it should not. */
class StreamError extends Error {
  override readonly name = 'StreamError'
  readonly reason: string

  constructor(reason: string, detail: string) {
    super(`${reason}: ${detail}`)
    this.reason = reason
  }
}

/** What the sink threw, told apart from what the exchange did. */
class SinkError extends Error {}

const eventsPerPage = 100
/** A league has fewer; pages that never end are none. */
const mostPages = 50
const tokensPerMessage = 500

export function createPolymarketFeed(settings: PolymarketSettings): Feed {
  const {
    baseUrl = 'https://gamma-api.polymarket.com',
    streamUrl = 'wss://ws-subscriptions-clob.polymarket.com',
    leagues,
    refreshMs = 60_000,
    repeatMs = 15_000,
    pingMs = 10_000,
    idleMs = pingMs * 2 + 5_000,
    settleMs = 3_000,
    backoffMs = 500,
    backoffMaxMs = 30_000,
    downAfterAttempts = 3,
  } = settings
  const now = settings.http?.now ?? Date.now
  const sleep =
    settings.http?.sleep ??
    ((ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }) as Promise<void>)

  return {
    name: 'polymarket',
    async run(sink, signal) {
      const http = createHttpSource(settings.http)
      const lastSeen = createLastSeen()
      let status: 'up' | 'down' | 'unknown' = 'unknown'
      let health = startingHealth(now())
      const policy = { downAfter: downAfterAttempts, retryMs: backoffMs }

      async function say(next: 'up' | 'down') {
        if (status === next) return
        status = next
        const record = { type: 'book_status', sportsbook: 'polymarket' } as const
        await publishTo(sink, [{ ...record, observedAt: now(), status: next }])
      }

      async function hear(outcome: Outcome) {
        health = nextHealth(health, outcome, now(), policy)
        sink.report?.(health, null, null)
        // The first failures of a stream say nothing: it may be back in a moment.
        if (health.state === 'up') await say('up')
        else if (!isServing(health.state)) await say('down')
      }

      async function readGames(): Promise<readonly PolymarketGame[]> {
        const series = parseSports((await http.getJson(`${baseUrl}/sports`, signal)).body)
        if (!series) throw new FetchError('malformed', 'sports')
        const games: PolymarketGame[] = []
        const skipped: Skip[] = []
        for (const league of leagues) {
          const id = series.get(league)
          if (id === undefined) {
            skipped.push({ reason: 'unknown_league', detail: league })
            continue
          }
          const parsed = parseGames(await readEvents(id), league)
          games.push(...parsed.games)
          skipped.push(...parsed.skipped)
        }
        if (skipped.length > 0) sink.skipped('polymarket', skipped)
        return games
      }

      async function readEvents(series: string) {
        const events: unknown[] = []
        for (let page = 0; page < mostPages; page++) {
          const query = new URLSearchParams({
            series_id: series,
            active: 'true',
            closed: 'false',
            limit: String(eventsPerPage),
            offset: String(page * eventsPerPage),
          })
          const { body } = await http.getJson(`${baseUrl}/events?${query}`, signal)
          if (!Array.isArray(body)) throw new FetchError('malformed', `events of ${series}`)
          events.push(...body)
          if (body.length < eventsPerPage) return events
        }
        throw new FetchError('malformed', `events of ${series}: more than ${mostPages} pages`)
      }

      async function publish(
        games: readonly PolymarketGame[],
        books: ReturnType<typeof createBooks>,
        isAll: boolean,
      ) {
        const observedAt = now()
        const { records, skipped } = parseAsks(games, { observedAt, askOf: books.bestAsk })
        const out: FeedRecord[] = [...records]
        if (isAll) out.push(...lastSeen.replace('all', records as OddsRecord[], observedAt))
        if (skipped.length > 0) sink.skipped('polymarket', skipped)
        if (out.length > 0) await publishTo(sink, out)
      }

      async function listen() {
        let games = await readGames()
        let readAt = performance.now()
        let subscribedAt = readAt
        let saidAt = readAt
        const books = createBooks()
        const subscribed = new Set<string>()
        const channel = openChannel(`${streamUrl}/ws/market`, { pingMs, idleMs, signal })
        const subscribe = () => {
          const asked = new Set(games.flatMap(({ tokens }) => tokens.map(({ token }) => token)))
          const fresh = [...asked].filter((token) => !subscribed.has(token))
          const gone = [...subscribed].filter((token) => !asked.has(token))
          for (let from = 0; from < fresh.length; from += tokensPerMessage) {
            const assets_ids = fresh.slice(from, from + tokensPerMessage)
            const isFirst = subscribed.size === 0
            channel.send({ assets_ids, ...(isFirst ? { type: 'market' } : more) })
            for (const token of assets_ids) subscribed.add(token)
          }
          if (fresh.length > 0) subscribedAt = performance.now()
          if (gone.length > 0) channel.send({ assets_ids: gone, operation: 'unsubscribe' })
          for (const token of gone) {
            subscribed.delete(token)
            books.forget(token)
          }
        }
        const isSettled = () => performance.now() - subscribedAt >= settleMs
        try {
          await channel.opened()
          subscribe()
          let changed = new Set<string>()
          let isAllDue = true
          for (;;) {
            for (const text of await channel.next(
              isAllDue ? settleMs : Math.min(refreshMs, repeatMs),
            )) {
              if (health.state !== 'up') await hear({ kind: 'answered', nextAt: null })
              if (text === 'PONG') continue
              const tokens = books.take(text)
              if (tokens === null) throw new StreamError('malformed', text.slice(0, 80))
              for (const token of tokens) changed.add(token)
            }
            if (performance.now() - readAt >= refreshMs) {
              readAt = performance.now()
              try {
                games = await readGames()
                subscribe()
                isAllDue = true
              } catch (error) {
                if (!(error instanceof FetchError)) throw error
                settings.onFailure?.('games', error)
                sink.skipped('polymarket', [{ reason: reasonOf(error), detail: error.message }])
              }
            }
            isAllDue ||= performance.now() - saidAt >= repeatMs
            const hasCome = games.every(({ tokens }) =>
              tokens.every(({ token }) => books.has(token)),
            )
            // Before any book has come, no game is known to be without prices.
            if (isAllDue && (hasCome || (isSettled() && books.hasAny()))) {
              isAllDue = false
              saidAt = performance.now()
              changed = new Set()
              await publish(games, books, true)
            } else if (!isAllDue && changed.size > 0) {
              const touched = games.filter(({ tokens }) =>
                tokens.some(({ token }) => changed.has(token)),
              )
              changed = new Set()
              await publish(touched, books, false)
            }
          }
        } finally {
          channel.close()
        }
      }

      while (!signal.aborted) {
        try {
          await listen()
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof SinkError) throw error.cause
          settings.onFailure?.('stream', error)
          sink.skipped('polymarket', [{ reason: reasonOf(error), detail: String(error) }])
          await hear(failureOf(error)).catch(({ cause }: SinkError) => {
            throw cause
          })
        }
        const askedMs = Math.max(0, (health.nextTryAt ?? 0) - now())
        // Where it names no instant itself, many that lost it at once do not come back at once.
        const waitMs =
          health.reason === 'http_429' || health.state === 'needs_key'
            ? askedMs
            : Math.random() * Math.min(backoffMaxMs, askedMs)
        await sleep(waitMs, signal).catch(() => {})
      }
    },
  }
}

const more = { operation: 'subscribe' }

function failureOf(error: unknown): Outcome {
  if (error instanceof FetchError) {
    return { kind: 'failed', reason: error.reason, notBefore: error.notBefore }
  }
  const reason = error instanceof StreamError ? error.reason : 'network'
  return { kind: 'failed', reason, notBefore: null }
}

function reasonOf(error: unknown): string {
  if (error instanceof FetchError) return `fetch_${error.reason}`
  return error instanceof StreamError ? `stream_${error.reason}` : 'stream_network'
}

async function publishTo(sink: FeedSink, records: readonly FeedRecord[]) {
  await sink.publish(records).catch((cause: unknown) => {
    throw new SinkError('publish', { cause })
  })
}

/** A connection whose frames are taken together, as many as have come since the last time. */
function openChannel(
  url: string,
  { pingMs, idleMs, signal }: { pingMs: number; idleMs: number; signal: AbortSignal },
) {
  const socket = new WebSocket(url, {
    handshakeTimeout: idleMs,
    maxPayload: 16 * 1024 * 1024,
    followRedirects: false,
  })
  let frames: string[] = []
  let failure: unknown = null
  let isOpen = false
  let wake = () => {}
  const fail = (error: unknown) => {
    failure ??= error
    wake()
  }
  let idle = setTimeout(() => {}, 0)
  const listenOn = () => {
    clearTimeout(idle)
    idle = setTimeout(() => fail(new StreamError('idle', `nothing for ${idleMs} ms`)), idleMs)
  }
  const stop = () => fail(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  socket.on('open', () => {
    listenOn()
    isOpen = true
    wake()
  })
  socket.on('message', (data) => {
    listenOn()
    frames.push(data.toString())
    wake()
  })
  socket.on('close', (code) => fail(new StreamError('closed', `code ${code}`)))
  socket.on('error', fail)
  const pinging = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send('PING')
  }, pingMs)
  const woken = (waitMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return {
    /** @throws what kept the connection from opening; `idleMs` is the limit of the handshake */
    async opened() {
      while (!isOpen && failure === null) await woken(idleMs)
      if (failure !== null) throw failure
    },
    send: (message: object) => socket.send(JSON.stringify(message)),
    /** What has come, or nothing after a time. @throws what ended the connection */
    async next(waitMs: number): Promise<readonly string[]> {
      if (frames.length === 0 && failure === null) await woken(waitMs)
      if (failure !== null) throw failure
      const taken = frames
      frames = []
      return taken
    },
    close() {
      signal.removeEventListener('abort', stop)
      clearTimeout(idle)
      clearInterval(pinging)
      socket.terminate()
    },
  }
}
