/**
 * Polymarket as a feed, which needs no key: the games of Gamma, read from time to time, and one connection to the
 * `market` channel, which sends the book of each token and then its changes.
 *
 * Gamma is read in the background: no price waits for it, and its games are kept after a connection
 * ends.
 *
 * - A game is published as a whole, when its books have come or have had time to come.
 * - Silence longer than `idleMs` counts as a lost connection, because our PING gets a reply.
 * - A server that sends no more changes may still answer PING, for hours. So a connection without
 *   changes of books for `quietMs`, or older than `renewMs`, is replaced by one with new books. If
 *   only some books stand still, their prices are repeated for up to `renewMs`.
 * - An unreadable frame makes the books wrong, so a new connection starts with new books. Until the
 *   book of a token comes there, its ask stands with the time of its game's last publication
 *   (`stated.ts`).
 * - Markets without activity send no messages, so all games are published again every `repeatMs`.
 * - While Gamma fails, the known games continue, even on a new connection.
 * - A new game only waits for its own books; other games continue, even one with a new market.
 * - The number of frames that wait for the log is limited: above that, a new connection starts with
 *   new books.
 */

import { WebSocket } from 'ws'
import { z } from 'zod'
import type { FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { pushAll } from '../../memory/push-all.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import type { Skip } from '../feed.ts'
import { createAsk, readByPosition } from '../kit/ask.ts'
import { createHttpSource, FetchError } from '../kit/http-source.ts'
import { createLastSeen } from '../kit/polling-feed.ts'
import { baseUrl, defineSource, type Ports, type SettingsOf, whole } from '../kit/source.ts'
import {
  createStreamFeed,
  failureOfStream,
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
import { createStated } from './stated.ts'

const codes = Object.keys(polymarketLeagues) as [PolymarketLeague, ...PolymarketLeague[]]

const settings = {
  baseUrl,
  streamUrl: z.url().optional().describe('The address of the stream instead of the source’s own.'),
  leagues: z.array(z.enum(codes)).min(1),
  refreshMs: whole(5_000, 86_400_000).describe(
    'Milliseconds between two readings of the list of games. Default 60000.',
  ),
  repeatMs: whole(1_000, 86_400_000).describe(
    'Milliseconds between two publications of all games. Default 15000.',
  ),
}

/** For tests. */
interface Pace extends Pick<StreamFeedOptions, 'backoffMs' | 'backoffMaxMs' | 'downAfterAttempts'> {
  /** Default 10 s, as their documentation requires. */
  readonly pingMs?: number
  /** Default two pings and five seconds. */
  readonly idleMs?: number
  /** The silence of the books after which a new connection begins. Default that of prices in play. */
  readonly quietMs?: number
  /** The age at which a new connection begins. Default that of pregame prices. */
  readonly renewMs?: number
  /** How long a game waits for books that do not come. Default 3 s. */
  readonly booksWaitMs?: number
  /** How many characters of frames may wait. Default 64 Mi. */
  readonly bufferMax?: number
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
    quietMs = usableMs(true),
    renewMs = usableMs(false),
    booksWaitMs = 3_000,
    bufferMax = 64 * 1024 * 1024,
    http,
    onFailure,
  } = options
  const now = http?.now ?? Date.now

  function open(sink: StreamSink, signal: AbortSignal) {
    const source = createHttpSource(http)
    const { ask } = createAsk((url, request) => source.getJson(url, signal, request))
    const lastSeen = createLastSeen()
    const stated = createStated()

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
        pushAll(games, parsed.games)
        pushAll(skipped, parsed.skipped)
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
      const at = now()
      const records: FeedRecord[] = []
      for (const [observedAt, known] of stated.take(games, books, at)) {
        const parsed = parseAsks(known, { observedAt, askOf: stated.askOf })
        pushAll(records, parsed.records)
        sink.skipped(parsed.skipped)
      }
      if (isAll) {
        stated.keep(games)
        pushAll(records, lastSeen.replace('all', records as OddsRecord[], at))
      }
      if (records.length > 0) await sink.publish(records)
    }

    const list = createGameList(readGames, refreshMs, (error) => {
      if (signal.aborted) return
      onFailure?.('games', error)
      sink.skipped([{ reason: failureOfStream(error).countedAs, detail: error.message }])
    })

    async function listen() {
      let games = await list.first()
      const books = createBooks()
      /** When each token was subscribed to. */
      const subscribed = new Map<string, number>()
      const channel = openChannel(`${streamUrl}/ws/market`, { pingMs, idleMs, bufferMax, signal })
      list.follow(channel.wake)
      const subscribe = () => {
        const wanted = new Set(games.flatMap(tokensOf))
        const fresh = [...wanted].filter((token) => !subscribed.has(token))
        const gone = [...subscribed.keys()].filter((token) => !wanted.has(token))
        for (let from = 0; from < fresh.length; from += tokensPerMessage) {
          const assets_ids = fresh.slice(from, from + tokensPerMessage)
          const isFirst = subscribed.size === 0
          channel.send({ assets_ids, ...(isFirst ? { type: 'market' } : more) })
          for (const token of assets_ids) subscribed.set(token, performance.now())
        }
        if (gone.length > 0) channel.send({ assets_ids: gone, operation: 'unsubscribe' })
        for (const token of gone) {
          subscribed.delete(token)
          books.forget(token)
        }
      }
      const hasCome = (game: PolymarketGame) => tokensOf(game).every(books.has)
      const hasWaited = (token: string) =>
        performance.now() - (subscribed.get(token) ?? 0) >= booksWaitMs
      /**
       * Games that this connection has published. New markets of such a game follow when their
       * books come.
       */
      let published = new Set<string | null>()
      // Before the first book has come, a game without books is not known to have no prices.
      const isReady = (game: PolymarketGame) =>
        published.has(game.event.externalId) ||
        hasCome(game) ||
        (books.hasAny() && tokensOf(game).every((token) => books.has(token) || hasWaited(token)))
      try {
        await channel.opened()
        subscribe()
        const openedAt = performance.now()
        let heardAt = openedAt
        let publishedAt = openedAt
        let isAllDue = true
        for (;;) {
          const waitMs = isAllDue ? booksWaitMs : Math.min(refreshMs, repeatMs)
          await channel.arrived(Math.min(waitMs, quietMs))
          const changed = new Set<string>()
          for (const text of channel.take()) {
            const tokens = books.take(text)
            if (tokens === null) throw new StreamError('malformed', text.slice(0, 80))
            for (const token of tokens) changed.add(token)
          }
          // Other messages, such as trades, do not tell that books are sent.
          if (subscribed.size === 0 || changed.size > 0) {
            heardAt = performance.now()
            await sink.heard(now())
          }
          const isQuiet = performance.now() - heardAt >= quietMs
          if (isQuiet && books.hasAny()) return
          if (isQuiet) throw new StreamError('no_books', `none for ${quietMs} ms`)
          list.refresh()
          const current = list.current()
          if (current !== games) {
            games = current
            subscribe()
            isAllDue = true
          }
          isAllDue ||= performance.now() - publishedAt >= repeatMs
          if (isAllDue && games.every(isReady)) {
            isAllDue = false
            publishedAt = performance.now()
            published = new Set(games.map(({ event }) => event.externalId))
            await publish(games, books, true)
          } else if (changed.size > 0) {
            const isTouched = (game: PolymarketGame) =>
              tokensOf(game).some((token) => changed.has(token))
            const touched = games.filter((game) => isTouched(game) && isReady(game))
            for (const { event } of touched) published.add(event.externalId)
            await publish(touched, books, false)
          }
          if (books.hasAny() && performance.now() - openedAt >= renewMs) return
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
    failureOf: failureOfStream,
    now,
    sleep: http?.sleep,
    onFailure: (error) => onFailure?.('stream', error),
  })
}

const tokensOf = ({ contracts }: PolymarketGame) =>
  contracts.flatMap(({ externalIds }) => externalIds)

const more = { operation: 'subscribe' }

/**
 * The games, as they were last read.
 * @param failed called with the reason why they could not be read again
 */
function createGameList(
  read: () => Promise<readonly PolymarketGame[]>,
  refreshMs: number,
  failed: (error: FetchError) => void,
) {
  let games: readonly PolymarketGame[] = []
  let readAt: number | null = null
  let isReading = false
  let fault: unknown = null
  let wake = () => {}

  async function readAnew() {
    isReading = true
    readAt = performance.now()
    try {
      games = await read()
    } catch (error) {
      if (error instanceof FetchError) failed(error)
      else fault = error
    } finally {
      isReading = false
      wake()
    }
  }

  return {
    /** Returns the known games, or waits for the first reading. @throws FetchError */
    async first() {
      if (readAt === null) {
        games = await read()
        readAt = performance.now()
      }
      return games
    },
    /** Begins a reading, if one is due. */
    refresh() {
      if (!isReading && performance.now() - (readAt ?? 0) >= refreshMs) void readAnew()
    },
    /** @throws the error of a background reading, if it is no failure of the source */
    current() {
      if (fault !== null) throw fault
      return games
    },
    /** @param next called at the end of each reading */
    follow(next: () => void) {
      wake = next
    },
  }
}

/** Opens a connection; `take` returns all frames that have come since the last call. */
function openChannel(
  url: string,
  {
    pingMs,
    idleMs,
    bufferMax,
    signal,
  }: { pingMs: number; idleMs: number; bufferMax: number; signal: AbortSignal },
) {
  const socket = new WebSocket(url, {
    handshakeTimeout: idleMs,
    maxPayload: 16 * 1024 * 1024,
    followRedirects: false,
  })
  let frames: string[] = []
  let buffered = 0
  let failure: unknown = null
  let isOpen = false
  let isWoken = false
  let wake = () => {}
  const fail = (error: unknown) => {
    failure ??= error
    // Frees the frames: they will not be read, and the caller may take long.
    frames = []
    socket.terminate()
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
    if (failure !== null) return
    listenOn()
    const text = data.toString()
    if (text === 'PONG') return wake()
    frames.push(text)
    buffered += text.length
    if (buffered > bufferMax) fail(new StreamError('overrun', `${buffered} characters wait`))
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
    /** @throws the reason why the connection did not open; `idleMs` limits the handshake */
    async opened() {
      while (!isOpen && failure === null) await woken(idleMs)
      if (failure !== null) throw failure
    },
    send: (message: object) => socket.send(JSON.stringify(message)),
    /**
     * Waits for a frame, `wake` or the end of `waitMs`. @throws the reason why the connection ended
     */
    async arrived(waitMs: number) {
      if (frames.length === 0 && failure === null && !isWoken) await woken(waitMs)
      isWoken = false
      if (failure !== null) throw failure
    },
    /** Returns the frames since the last call. @throws the reason why the connection ended */
    take(): readonly string[] {
      if (failure !== null) throw failure
      const taken = frames
      frames = []
      buffered = 0
      return taken
    },
    /** Ends the current wait, or the next one. */
    wake() {
      isWoken = true
      wake()
    },
    close() {
      signal.removeEventListener('abort', stop)
      clearTimeout(idle)
      clearInterval(pinging)
      socket.terminate()
    },
  }
}
