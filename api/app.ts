/**
 * Assembles the API over a log: boards, accounts, streams, routes and the listener. The process, the tests and the
 * benchmarks all open it here and pass the parts they replace.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { ArchiveHealth } from '../pipeline/archive/archive-watch.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import type { Log } from '../pipeline/log/log.ts'
import { chainsOf } from '../pipeline/rules/odds/chains.ts'
import type { Config } from '../pipeline/settings/config.ts'
import { createPriceOriginView } from '../pipeline/views/price-origin-view.ts'
import type { PriceOrigin } from '../schemas/deployment.ts'
import { type Accounts, openAccounts } from './access/accounts.ts'
import { openAliases } from './access/aliases.ts'
import type { Keyring } from './access/keys.ts'
import { openProfiles } from './access/profiles.ts'
import { createWorkBudget } from './access/work-budget.ts'
import { openAlerts } from './alerts/alert-book.ts'
import type { MessageParts } from './alerts/alert-messages.ts'
import { createAlertMetrics } from './alerts/alert-metrics.ts'
import { runAlerts } from './alerts/run-alerts.ts'
import { createTargets } from './alerts/targets.ts'
import { createSignedLinks } from './answer/signed-links.ts'
import { type ArchiveAccess, createArchiveAccess } from './archive-access.ts'
import { createCursors } from './ask/cursor.ts'
import { openBets } from './bets/bet-ledger.ts'
import { type Boards, createBoards } from './boards.ts'
import { createFollower } from './follower.ts'
import { addApiMetrics } from './metrics/api-metrics.ts'
import { createLags } from './metrics/lags.ts'
import { createLatencyView } from './metrics/latency-view.ts'
import { createRecentDelays } from './metrics/recent-delays.ts'
import { createStreamMetrics } from './metrics/stream-metrics.ts'
import { createReadiness } from './readiness.ts'
import type { Route } from './route.ts'
import { createRoutes } from './routes/all-routes.ts'
import type { StatusPage } from './routes/status.ts'
import { createConnectionCap } from './server/connection-cap.ts'
import { chooseListener } from './server/listeners/choose-listener.ts'
import { openServer, type Server, type ServerOptions } from './server/server.ts'
import { createTraffic } from './server/traffic.ts'
import { createStreams, type Streams, type StreamsOptions } from './stream/streams.ts'
import { createPositionTokens } from './stream/timeline/positions.ts'
import { createPushTraces } from './traces.ts'
import type { StaticFile } from './web/static-file.ts'

export interface AppOptions {
  readonly log: Log
  readonly logger: Logger
  readonly settings: Pick<
    Config,
    | 'host'
    | 'port'
    | 'drainMs'
    | 'corsOrigins'
    | 'trustedProxies'
    | 'connectionsPerAddress'
    | 'listener'
    | 'sharpBook'
    | 'consensus'
    | 'anchors'
    | 'references'
    | 'fees'
    | 'bookSets'
    | 'linkHosts'
    | 'publicLists'
    | 'publicRedirects'
    | 'publicRecord'
    | 'alertTargets'
    | 'mail'
    | 'publicUrl'
    | 'feeds'
    | 'sandbox'
    | 'sandboxHosts'
    | 'sandboxBehindProxies'
    | 'streamDisplacement'
    | 'compression'
    | 'adminToken'
    | 'ingestToken'
    | 'kafka'
    | 'logLevel'
    | 'role'
  >
  /** Epoch ms; default: the system's clock. */
  readonly clock?: () => number
  /** How far the system's clock is ahead of `clock` (ms); default 0. */
  readonly clockAheadMs?: () => number
  /** Default: boards over the log. */
  readonly boards?: Boards
  /** The log of accounts, aliases and bets; default: `log`. */
  readonly accountsLog?: Log
  /** Wraps the keyring of the accounts; default: unchanged. */
  readonly keyring?: (own: Keyring) => Keyring
  /** Default: none. The caller closes it. */
  readonly archive?: ArchiveAccess
  /** Default: none. */
  readonly archiveHealth?: () => ArchiveHealth | null
  /** The files of the pages; default: none. */
  readonly pages?: readonly StaticFile[]
  readonly statusPage?: StatusPage | null
  /** Origin of the log's prices; default: null, unknown. With the role `api`, that of the start: then the log tells it. */
  readonly prices?: PriceOrigin | null
  readonly streams?: Partial<StreamsOptions>
  /** Default: an empty board is served at once. See `createReadiness`. */
  readonly firstPricesMs?: number
  readonly server?: Pick<ServerOptions, 'bodyBytes' | 'bodyTimeoutMs' | 'unsentBytes'>
  /** Measures the time of requests (monotonic ms). */
  readonly workTimer?: () => number
  /** Clock of lags and of the pipelines' silence (monotonic ms); default: the system's. */
  readonly monotonic?: () => number
  /** Pauses between attempts to send an alert (ms); default: a second, then longer ones. */
  readonly alertPausesMs?: readonly number[]
  /** The registry of `/metrics`; default: a new one. */
  readonly registry?: Registry
  /** Metrics of a pipeline in a thread of this process; default: none. */
  readonly pipelineMetrics?: () => Promise<string>
}

export interface App {
  readonly boards: Boards
  readonly accounts: Accounts
  readonly streams: Streams
  readonly routes: readonly Route[]
  /** Resolves when boards, accounts, aliases and bets have read the log as it was at the start. */
  readonly ready: Promise<void>
  /** Runs until `close`. Rejects if the log fails. */
  readonly following: Promise<unknown>
  /** Listens on the configured address. @returns the port @throws StartError if it cannot */
  listen(): Promise<number>
  /**
   * Reports not ready, serves for another `drainMs` so that load balancers notice, then closes. Resolves when open
   * requests have their responses and nothing follows the log.
   */
  close(): Promise<void>
}

const lagPollMs = 1_000

const addressOf = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

export function openApp(options: AppOptions): App {
  const { log, logger, settings, clock = Date.now } = options
  const { sandbox, adminToken, ingestToken, linkHosts } = settings
  const { publicLists, publicRedirects, publicRecord } = settings
  const { secret } = log
  const links = createSignedLinks(secret)
  const registry = options.registry ?? new Registry()
  const delays = { bookToBoard: createRecentDelays(), boardToWire: createRecentDelays() }
  const traces = createPushTraces(logger)
  const chain = chainsOf(settings)
  const boards =
    options.boards ??
    createBoards(
      log,
      clock,
      settings.fees,
      links,
      {
        before: createLatencyView(registry, delays.bookToBoard, clock),
        behind: traces.view,
      },
      { chain, references: settings.references, mostSets: settings.bookSets },
    )
  const accountsLog = options.accountsLog ?? log
  const isShared = settings.kafka !== null
  const own = openAccounts(accountsLog, { sandbox, clock, isShared })
  const accounts = { ...own, keyring: options.keyring?.(own.keyring) ?? own.keyring }
  const aliases = openAliases(accountsLog, clock)
  const bets = openBets(accountsLog, clock)
  const profiles = openProfiles(accountsLog, clock)
  // The ledgers have a follower of their own, so that writes do not wait behind prices.
  const alerts = openAlerts(accountsLog, clock)
  const prices = createPriceOriginView(options.prices ?? null)
  const ledgers = createFollower(
    accountsLog,
    [
      ...[...accounts.views, aliases.view, bets.view, profiles.view, ...alerts.views],
      // A pipeline in this process has the origin of these settings.
      ...(settings.role === 'api' ? [prices] : []),
    ],
    clock,
  )
  const archive = options.archive ?? createArchiveAccess(null)
  const readiness = createReadiness({
    boards,
    read: Promise.all([boards.ready, ledgers.ready, accounts.ready]),
    firstPricesMs: options.firstPricesMs,
  })
  const budget = createWorkBudget(options.workTimer ?? (() => performance.now()))
  const streams = createStreams({
    boards,
    readiness,
    log,
    accounts,
    profileOf: profiles.of,
    chain,
    tokens: createPositionTokens(secret),
    budget,
    clock,
    logger,
    isDisplacing: settings.streamDisplacement,
    watcher: {
      ...createStreamMetrics(registry, delays.boardToWire, boards.live, clock),
      ticked: traces.delivered,
    },
    ...options.streams,
  })
  const archiveHealth = options.archiveHealth ?? (() => null)
  const clockAheadMs = options.clockAheadMs ?? (() => 0)
  const { openCount: openStreams } = streams
  const lags = createLags(log, boards, options.monotonic ?? (() => performance.now()))
  const lagPolling = setInterval(lags.poll, lagPollMs).unref()
  addApiMetrics(registry, {
    ...{ boards, readiness, log, lags, archiveHealth, openStreams, clock, clockAheadMs },
  })
  const messages: MessageParts = {
    publicUrl: () => settings.publicUrl ?? addressOf(settings.host, server?.port ?? settings.port),
    isSimulated: () => (prices.origin === null ? null : prices.origin === 'simulated'),
    profileOf: profiles.of,
    clock,
  }
  const targets = createTargets(settings.alertTargets, settings.mail)
  const routes = createRoutes({
    registry,
    alerts,
    messages,
    alertTargets: settings.alertTargets,
    sendsMail: settings.mail !== null,
    pipelineMetrics: options.pipelineMetrics ?? (async () => ''),
    boards,
    readiness,
    status: {
      role: settings.role,
      delays,
      openStreams,
      isOpen: sandbox,
      page: options.statusPage ?? null,
    },
    accounts,
    archive,
    archiveHealth,
    lags,
    clockAheadMs,
    bets,
    profiles,
    log,
    aliases,
    sink: createSink(log, clock),
    isLive: () => prices.origin === null || prices.origin === 'live',
    cursors: createCursors(secret),
    clock,
    chain,
    streams,
    linkHosts,
    publicLists,
    publicRedirects,
    publicRecord,
    logger,
    logLevel: settings.logLevel,
  })
  const stop = new AbortController()
  const following = Promise.all([
    boards.follow(stop.signal),
    ledgers.follow(stop.signal),
    accounts.run(stop.signal),
    runAlerts(
      {
        ...messages,
        ...{ log: accountsLog, logger, boards, accounts, readiness, book: alerts, targets, chain },
        watcher: createAlertMetrics(registry, alerts),
        ...(options.alertPausesMs && { pausesMs: options.alertPausesMs }),
      },
      stop.signal,
    ),
  ])
  let server: Server | undefined
  let closing: Promise<void> | undefined

  async function closeAll() {
    clearInterval(lagPolling)
    readiness.stop()
    accounts.peers.retire()
    if (server) {
      server.retire()
      await delay(settings.drainMs)
      await server.close()
    }
    // Without a server the streams still tick.
    else streams.close()
    stop.abort()
    await Promise.allSettled([following])
    await accounts.close()
    await targets.close()
  }

  return {
    boards,
    accounts,
    streams,
    routes,
    ready: readiness.whenReady(),
    following,
    async listen() {
      const listener = await chooseListener(settings.listener)
      const traffic = createTraffic(registry)
      server = await openServer({
        host: settings.host,
        port: settings.port,
        corsOrigins: settings.corsOrigins,
        trustedProxies: settings.trustedProxies,
        isSandboxHereOnly: sandbox && !settings.sandboxBehindProxies,
        hosts: sandbox ? [settings.host, ...settings.sandboxHosts] : null,
        routes,
        ...(options.pages && { pages: options.pages }),
        isSimulated: () => prices.origin === 'simulated',
        boards,
        readiness,
        keyring: accounts.keyring,
        usage: accounts.usage,
        sharing: accounts.peers.sharing,
        streams,
        budget,
        tokens: { admin: adminToken, ingest: ingestToken },
        clock,
        logger,
        openListener: listener.open,
        connectionCap: createConnectionCap({
          onRefused: traffic.connectionRefused,
          most: settings.connectionsPerAddress,
          trustedProxies: settings.trustedProxies,
          timer: () => performance.now(),
          logger,
        }),
        isCompressing: settings.compression,
        traffic,
        ...options.server,
      })
      const { name, server: software, lacks, better } = listener
      logger.info({ listener: name, software, lacks, ...(better && { better }) }, 'listening')
      return server.port
    },
    // Close once: the native listener cannot be closed twice.
    close: () => (closing ??= closeAll()),
  }
}
