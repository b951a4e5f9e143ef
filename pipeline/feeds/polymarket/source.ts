/**
 * Polymarket as a feed, which needs no key: the games of Gamma, read from time to time, and one connection to the
 * `market` channel, which sends the book of each token and then its changes.
 *
 * - A game is published whole, when its books have come or have had time to.
 * - Silence longer than `idleMs` is a lost connection, because our PING gets a reply.
 * - A frame that cannot be read falsifies the books, so a new connection starts with new ones.
 * - Markets without activity send nothing, so all games are published again every `repeatMs`.
 * - While Gamma fails, the known games continue.
 */

import { WebSocket } from 'ws'
import { z } from 'zod'
import type { FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import type { Skip } from '../feed.ts'
import { createAsk, readByPosition } from '../kit/ask.ts'
import { createHttpSource, FetchError } from '../kit/http-source.ts'
import { createLastSeen } from '../kit/polling-feed.ts'
import { baseUrl, defineSource, type Ports, type SettingsOf } from '../kit/source.ts'
import {
  createStreamFeed,
  StreamError,
  type StreamFeedOptions,
  type StreamSink,
} from '../kit/stream-feed.ts'
import { createBooks } from './books.ts'
import {
  type PolymarketGame,
  type PolymarketLeague,
  parseAsks,
  parseGames,
  polymarketLeagues,
  seriesAnswer,
} from './parse.ts'

const codes = Object.keys(polymarketLeagues) as [PolymarketLeague, ...PolymarketLeague[]]

const settings = {
  baseUrl,
  streamUrl: z.url().optional().describe('The address of the stream instead of the source’s own.'),
  leagues: z.array(z.enum(codes)).min(1),
  refreshMs: z
    .number()
    .int()
    .min(5_000)
    .optional()
    .describe('Milliseconds between two readings of the list of games. Default 60000.'),
  repeatMs: z
    .number()
    .int()
    .min(1_000)
    .optional()
    .describe('Milliseconds between two publications of all games. Default 15000.'),
}

/** For tests. */
interface Pace extends Pick<StreamFeedOptions, 'backoffMs' | 'backoffMaxMs' | 'downAfterAttempts'> {
  /** Default 10 s, as their documentation requires. */
  readonly pingMs?: number
  /** Default two pings and five seconds. */
  readonly idleMs?: number
  /** How long a game waits for books that do not come. Default 3 s. */
  readonly booksWaitMs?: number
}

export const polymarket = defineSource({
  name: 'polymarket',
  isOfficial: true,
  settings,
  open: createPolymarketFeed,
})

const eventsPerPage = 100
const tokensPerMessage = 500

export function createPolymarketFeed(options: SettingsOf<typeof settings> & Ports & Pace) {
  const {
    baseUrl = 'https://gamma-api.polymarket.com',
    streamUrl = 'wss://ws-subscriptions-clob.polymarket.com',
    leagues,
    refreshMs = 60_000,
    repeatMs = 15_000,
    pingMs = 10_000,
    idleMs = pingMs * 2 + 5_000,
    booksWaitMs = 3_000,
    http,
    onFailure,
  } = options
  const now = http?.now ?? Date.now

  function open(sink: StreamSink, signal: AbortSignal) {
    const source = createHttpSource(http)
    const { ask } = createAsk((url, request) => source.getJson(url, signal, request))
    const lastSeen = createLastSeen()

    async function readGames(): Promise<readonly PolymarketGame[]> {
      const listed = await ask(`${baseUrl}/sports`, seriesAnswer)
      const games: PolymarketGame[] = []
      const skipped: Skip[] = []
      for (const league of leagues) {
        const id = listed.findLast(({ sport }) => sport === league)?.series
        if (id === undefined) {
          skipped.push({ reason: 'unknown_league', detail: league })
          continue
        }
        const parsed = parseGames(await readEvents(id), league)
        games.push(...parsed.games)
        skipped.push(...parsed.skipped)
      }
      sink.skipped(skipped)
      return games
    }

    const readEvents = (series_id: string) =>
      readByPosition(`events of ${series_id}`, eventsPerPage, async (offset: number) => {
        const page = { limit: String(eventsPerPage), offset: String(offset) }
        const query = new URLSearchParams({ series_id, active: 'true', closed: 'false', ...page })
        return { items: await ask(`${baseUrl}/events?${query}`, z.array(z.unknown())) }
      })

    async function publish(
      games: readonly PolymarketGame[],
      books: ReturnType<typeof createBooks>,
      isAll: boolean,
    ) {
      const observedAt = now()
      const { records, skipped } = parseAsks(games, { observedAt, askOf: books.bestAsk })
      const out: FeedRecord[] = [...records]
      if (isAll) out.push(...lastSeen.replace('all', records as OddsRecord[], observedAt))
      sink.skipped(skipped)
      if (out.length > 0) await sink.publish(out)
    }

    async function listen(): Promise<never> {
      let games = await readGames()
      let readAt = performance.now()
      let subscribedAt = readAt
      let publishedAt = readAt
      const books = createBooks()
      const subscribed = new Set<string>()
      const channel = openChannel(`${streamUrl}/ws/market`, { pingMs, idleMs, signal })
      const subscribe = () => {
        const wanted = new Set(games.flatMap(tokensOf))
        const fresh = [...wanted].filter((token) => !subscribed.has(token))
        const gone = [...subscribed].filter((token) => !wanted.has(token))
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
      const hasWaited = () => performance.now() - subscribedAt >= booksWaitMs
      try {
        await channel.opened()
        subscribe()
        let changed = new Set<string>()
        let isAllDue = true
        for (;;) {
          for (const text of await channel.next(
            isAllDue ? booksWaitMs : Math.min(refreshMs, repeatMs),
          )) {
            await sink.heard(now())
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
              onFailure?.('games', error)
              sink.skipped([{ reason: failureOf(error).countedAs, detail: error.message }])
            }
          }
          isAllDue ||= performance.now() - publishedAt >= repeatMs
          const hasCome = games.every((game) => tokensOf(game).every(books.has))
          // Before any book has come, no game is known to be without prices.
          if (isAllDue && (hasCome || (hasWaited() && books.hasAny()))) {
            isAllDue = false
            publishedAt = performance.now()
            changed = new Set()
            await publish(games, books, true)
          } else if (!isAllDue && changed.size > 0) {
            const touched = games.filter((game) =>
              tokensOf(game).some((token) => changed.has(token)),
            )
            changed = new Set()
            await publish(touched, books, false)
          }
        }
      } finally {
        channel.close()
      }
    }

    return listen
  }

  return createStreamFeed({
    ...options,
    name: 'polymarket',
    sportsbook: 'polymarket',
    open,
    failureOf,
    now,
    sleep: http?.sleep,
    onFailure: (error) => onFailure?.('stream', error),
  })
}

const tokensOf = ({ contracts }: PolymarketGame) =>
  contracts.flatMap(({ externalIds }) => externalIds)

const more = { operation: 'subscribe' }

function failureOf(error: unknown) {
  const isFetch = error instanceof FetchError
  const reason = isFetch || error instanceof StreamError ? error.reason : 'network'
  const countedAs = `${isFetch ? 'fetch' : 'stream'}_${reason}`
  const notBefore = isFetch ? error.notBefore : null
  return { kind: 'failed' as const, reason, notBefore, countedAs }
}

/** Opens a connection whose frames are taken together, as many as have come since the last time. */
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
    /** @throws the reason why the connection did not open; `idleMs` is the limit of the handshake */
    async opened() {
      while (!isOpen && failure === null) await woken(idleMs)
      if (failure !== null) throw failure
    },
    send: (message: object) => socket.send(JSON.stringify(message)),
    /** Returns the frames since the last call, or none after a time. @throws the end of the connection */
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
