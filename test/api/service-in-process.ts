/** The API and the board processor in this process, over a log in a temporary directory. */

import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccounts } from '../../api/access/accounts.ts'
import { createCursors } from '../../api/ask/cursor.ts'
import { createBoards } from '../../api/boards.ts'
import { createRoutes } from '../../api/routes/all-routes.ts'
import { openServer } from '../../api/server/server.ts'
import { createStreams, type StreamsOptions } from '../../api/stream/streams.ts'
import { createSink } from '../../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded.ts'
import { createLogger } from '../../pipeline/logger.ts'
import { board } from '../../pipeline/processors/board.ts'
import { withDerived } from '../../pipeline/processors/derived.ts'
import { opportunities } from '../../pipeline/processors/opportunities/opportunities.ts'
import { sharpChain } from '../../pipeline/rules/sharp-books.ts'
import { run } from '../../pipeline/run.ts'

export const ingestToken = 'a token of some length'.replaceAll(' ', '-')

export const keys = {
  free: 'sk_test_sandbox_free',
  pro: 'sk_test_sandbox_pro',
  sharp: 'sk_test_sandbox_sharp',
} as const

/** What a client gets, parsed. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

export type InProcess = Awaited<ReturnType<typeof startInProcess>>

export const adminToken = 'an admin token of some length'.replaceAll(' ', '-')

export interface InProcessOptions {
  /** Null closes ingest and admin. */
  readonly token?: string | null
  readonly sandbox?: boolean
  /** How long a body may take. */
  readonly bodyTimeoutMs?: number
  readonly streams?: Pick<StreamsOptions, 'authTimeoutMs' | 'stallMs' | 'isDisplacing'>
}

export async function startInProcess(options: InProcessOptions = {}) {
  const { token = ingestToken, sandbox = true, bodyTimeoutMs } = options
  const path = await mkdtemp(join(tmpdir(), 'overround-api-'))
  const log = await openEmbeddedLog({ path })
  const stop = new AbortController()
  let now = Date.parse('2026-11-20T12:00:00.000Z')
  const clock = () => now
  const boards = createBoards(log, clock)
  const accounts = openAccounts(log, { sandbox, clock })
  const following = Promise.all([boards.follow(stop.signal), accounts.follow(stop.signal)])
  const running = run(withDerived(board, opportunities(sharpChain('pinnacle'))), log, {
    signal: stop.signal,
  })
  await Promise.all([boards.ready, accounts.ready])
  const chain = sharpChain('pinnacle')
  const logger = createLogger({ logLevel: 'silent' }, 'test')
  const streams = createStreams({
    boards,
    log,
    accounts,
    chain,
    clock,
    logger,
    ...options.streams,
  })
  const routes = createRoutes({
    boards,
    accounts,
    sink: createSink(log, clock),
    cursors: createCursors('a secret'),
    clock,
    chain,
    streams,
    linkHosts: ['links.example'],
  })
  const server = await openServer({
    host: '127.0.0.1',
    port: 0,
    logger,
    streams,
    boards,
    keyring: accounts.keyring,
    usage: accounts.usage,
    tokens: { admin: token === null ? null : adminToken, ingest: token },
    clock,
    routes,
    ...(bodyTimeoutMs !== undefined && { bodyTimeoutMs }),
  })
  const address = `http://127.0.0.1:${server.port}`
  const base = `${address}/api/v1`

  async function request(path: string, init: RequestInit = {}): Promise<Reply> {
    // A connection kept from before may be one that the server has just closed for being idle.
    const headers = new Headers(init.headers)
    headers.set('Connection', 'close')
    const url = path.startsWith('/api') ? address + path : base + path
    const response = await fetch(url, { ...init, headers })
    const text = await response.text()
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      body = undefined
    }
    return { status: response.status, headers: response.headers, text, body }
  }

  return {
    boards,
    accounts,
    routes,
    streams,
    log,
    base,
    port: server.port,
    clock,
    request,
    advance(ms: number) {
      now += ms
    },
    get: (path: string, tier: keyof typeof keys = 'sharp') =>
      request(path, { headers: { 'X-API-Key': keys[tier] } }),
    ingest: (
      body: string | Uint8Array<ArrayBuffer> | object[],
      headers: Record<string, string> = {},
    ) =>
      request('/ingest', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, ...headers },
        body: Array.isArray(body) ? body.map((record) => JSON.stringify(record)).join('\n') : body,
      }),
    /** Everything a socket gets for these bytes, until it closes or `until` is content. */
    raw: (bytes: string | Buffer, until: (text: string) => boolean = () => false) =>
      exchange(server.port, bytes, until),
    /** Resolves when everything ingested so far is on the live board. */
    async settled() {
      for (;;) {
        const lag = await log.lag(board.inputs, board.name)
        const marked = boards.live.position?.offsets
        let end = true
        for (const topic of board.tables.slice(0, 3)) {
          let count = 0
          for await (const records of log.replay([topic], {
            partitions: [0],
            signal: stop.signal,
          })) {
            count = records.at(-1)!.offset + 1
          }
          if (count > (marked?.[topic.name]?.[0] ?? 0)) end = false
        }
        if (lag === 0 && end) return
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async close() {
      server.close()
      stop.abort()
      await Promise.all([following, running])
      await accounts.close()
      await log.close()
      await rm(path, { recursive: true })
    },
  }
}

export interface Exchanged {
  readonly text: string
  /** The other side closed the connection. */
  readonly closed: boolean
}

function exchange(
  port: number,
  bytes: string | Buffer,
  until: (text: string) => boolean,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    const end = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, closed })
    }
    const timer = setTimeout(() => end(false), 30_000)
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (until(text)) end(false)
    })
    socket.on('error', () => end(true))
    socket.on('close', () => end(true))
  })
}

export interface Quote {
  readonly sportsbook: string
  readonly home?: string
  readonly away?: string
  readonly league?: string
  readonly sport?: string
  readonly startsAt?: string
  readonly isLive?: boolean
  readonly observedAt?: number
  readonly prices?: readonly [home: number, away: number]
  readonly externalId?: string | null
  readonly markets?: readonly object[]
  readonly mode?: 'snapshot' | 'delta'
}

/** One odds record as it is pushed. @param now what `observed_at` is, unless the quote says */
export function oddsRecord(now: number, quote: Quote) {
  const [home, away] = quote.prices ?? [1.91, 2.02]
  return {
    type: 'odds',
    sportsbook: quote.sportsbook,
    mode: quote.mode ?? 'snapshot',
    observed_at: new Date(quote.observedAt ?? now).toISOString(),
    event: {
      ...(quote.externalId !== undefined && { external_id: quote.externalId }),
      sport: quote.sport ?? 'basketball',
      league: quote.league ?? 'NBA',
      home_team: quote.home ?? 'New York Knicks',
      away_team: quote.away ?? 'Brooklyn Nets',
      start_time: quote.startsAt ?? '2026-11-21T00:30:00Z',
      is_live: quote.isLive ?? false,
    },
    markets: quote.markets ?? [
      {
        market_type: 'moneyline',
        selections: [
          { selection_type: 'home', odds_decimal: home },
          { selection_type: 'away', odds_decimal: away },
        ],
      },
    ],
  }
}
