/** The API and the board processor in this process, over a log in a temporary directory. */

import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { type AppOptions, openApp } from '../../api/app.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import { chainsOf } from '../../pipeline/rules/odds/chains.ts'
import type { Fees } from '../../pipeline/rules/odds/fees.ts'
import { run } from '../../pipeline/run/run.ts'
import { anchors as anchorsDecoder } from '../../pipeline/settings/anchors.ts'
import { readConfig } from '../../pipeline/settings/config.ts'
import type { PriceOrigin } from '../../schemas/deployment.ts'
import { patienceMs } from '../patience.ts'

export const ingestToken = 'a token of some length'.replaceAll(' ', '-')

export const keys = {
  free: 'sk_test_sandbox_free',
  pro: 'sk_test_sandbox_pro',
  sharp: 'sk_test_sandbox_sharp',
} as const

/** A response, parsed. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

export type InProcess = Awaited<ReturnType<typeof startInProcess>>

export const adminToken = 'an admin token of some length'.replaceAll(' ', '-')

export interface InProcessOptions
  extends Pick<
    AppOptions,
    | 'streams'
    | 'server'
    | 'archive'
    | 'archiveHealth'
    | 'pages'
    | 'statusPage'
    | 'workTimer'
    | 'monotonic'
    | 'alertPausesMs'
  > {
  /** The logger; by default silent. */
  readonly logger?: AppOptions['logger']
  /** First time of the clock (epoch ms). */
  readonly startAt?: number
  /** The token; null closes ingest and admin. */
  readonly token?: string | null
  readonly sandbox?: boolean
  readonly sandboxHosts?: readonly string[]
  /** By default `*`. */
  readonly corsOrigins?: '*' | readonly string[]
  readonly publicLists?: boolean
  readonly publicRedirects?: boolean
  readonly publicRecord?: boolean
  /** The sharp book; by default that of the settings. */
  readonly sharpBook?: string
  readonly references?: ReadonlySet<string>
  readonly consensus?: boolean
  /** The fees that opportunities count; by default none. */
  readonly fees?: Fees
  /** As in OVERROUND_ANCHORS; by default none. */
  readonly anchors?: string
  /** The origin of the log's prices; by default unknown. */
  readonly prices?: PriceOrigin
  /** By default that of the settings, standalone. */
  readonly role?: AppOptions['settings']['role']
  /** Allowed targets; by default any, because receivers are on this machine. */
  readonly alertTargets?: 'public' | 'any'
  /** The mail server; by default alerts send no mail. */
  readonly mail?: { readonly url: string; readonly from: string }
  /** By default true, because tests are their own proxies. */
  readonly sandboxBehindProxies?: boolean
}

/** Settings of a service under test: a free port, and the allowed hosts of deep links. */
export const testSettings = {
  ...readConfig({
    OVERROUND_PORT: '0',
    OVERROUND_LINK_HOSTS: 'links.example',
    OVERROUND_CONSENSUS: 'off',
    OVERROUND_LISTENER: process.env.OVERROUND_TEST_LISTENER,
  }),
  logLevel: 'silent',
} as const

export async function startInProcess(options: InProcessOptions = {}) {
  const { token = ingestToken, sandbox = true, sandboxHosts = [] } = options
  const { sandboxBehindProxies = true, publicRedirects = true, alertTargets = 'any' } = options
  const { publicLists = true, publicRecord = false, mail = null } = options
  const { corsOrigins = '*' } = options
  const { sharpBook, references, consensus, fees, role } = { ...testSettings, ...options }
  const anchors = anchorsDecoder.parse(options.anchors ?? '')
  const path = await mkdtemp(join(tmpdir(), 'overround-api-'))
  const log = await openEmbeddedLog({ path })
  const stop = new AbortController()
  let now = options.startAt ?? Date.parse('2026-11-20T12:00:00.000Z')
  const clock = () => now
  const tokens = { adminToken: token === null ? null : adminToken, ingestToken: token }
  const app = openApp({
    log,
    clock,
    logger: options.logger ?? createLogger(testSettings, 'test'),
    settings: {
      ...testSettings,
      ...tokens,
      sandbox,
      sandboxHosts,
      corsOrigins,
      sandboxBehindProxies,
      publicLists,
      publicRedirects,
      publicRecord,
      alertTargets,
      mail,
      sharpBook,
      references,
      consensus,
      anchors,
      fees,
      role,
    },
    ...(options.streams && { streams: options.streams }),
    // The work budget must not depend on the speed of the machine.
    workTimer: options.workTimer ?? (() => 0),
    // Nor must the health of pipelines, which do not tick here: time stands still unless the test moves it.
    monotonic: options.monotonic ?? (() => 0),
    ...(options.alertPausesMs && { alertPausesMs: options.alertPausesMs }),
    ...(options.server && { server: options.server }),
    ...(options.prices && { prices: options.prices }),
    ...(options.archive && { archive: options.archive }),
    ...(options.archiveHealth && { archiveHealth: options.archiveHealth }),
    ...(options.pages && { pages: options.pages }),
    ...(options.statusPage && { statusPage: options.statusPage }),
  })
  const { boards, accounts, routes, streams } = app
  const chain = chainsOf({ sharpBook, consensus, anchors })
  const processor = serviceProcessor(chain, { references, fees })
  const running = run(processor, log, { signal: stop.signal })
  await app.ready
  const port = await app.listen()
  const address = `http://127.0.0.1:${port}`
  const base = `${address}/api/v1`

  async function request(path: string, init: RequestInit = {}): Promise<Reply> {
    // A kept connection may be one that the server has just closed for being idle. A `Connection: close` header
    // would not do, because fetch then loses the end of a large body.
    const connection = new Agent()
    const url = path.startsWith('/api') ? address + path : base + path
    // Node and the package declare the same class with different types.
    const options: object = { ...init, dispatcher: connection }
    const response = await fetch(url, options)
    const text = await response.text()
    await connection.close()
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
    port,
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
    /** Returns all text received for these bytes, until the socket closes or `until` holds. */
    raw: (bytes: string | Buffer, until: (text: string) => boolean = () => false) =>
      exchange(port, bytes, until),
    /** Resolves when everything ingested so far is on the live board. */
    async settled() {
      for (;;) {
        const lag = await log.lag(processor.inputs, processor.name)
        const { position } = boards.live
        const behind = position ? await log.behind(position) : [1]
        if (lag === 0 && behind.every((count) => count === 0)) return
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async close() {
      await app.close()
      stop.abort()
      await running
      await log.close()
      await rm(path, { recursive: true })
    },
  }
}

export interface Exchanged {
  readonly text: string
  /** Whether the other side closed the connection. */
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
    const timer = setTimeout(() => end(false), patienceMs)
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

/** Returns one odds record as pushed. @param now `observed_at`, unless the quote has its own */
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
