/** All routes, in the order of the documentation. */

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import type { CountingSink } from '../../pipeline/feeds/sink.ts'
import type { Log } from '../../pipeline/log/log.ts'
import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import type { LogLevel } from '../../schemas/log-level.ts'
import type { Accounts } from '../access/accounts.ts'
import type { AliasDesk } from '../access/aliases.ts'
import type { Profiles } from '../access/profiles.ts'
import type { AlertBook } from '../alerts/alert-book.ts'
import type { MessageParts } from '../alerts/alert-messages.ts'
import type { AllowedTargets } from '../alerts/targets.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import type { Cursors } from '../ask/cursor.ts'
import type { BetLedger } from '../bets/bet-ledger.ts'
import type { Boards } from '../boards.ts'
import type { Lags } from '../metrics/lags.ts'
import { createPastBoards } from '../past-boards.ts'
import type { Readiness } from '../readiness.ts'
import type { Route } from '../route.ts'
import type { Streams } from '../stream/streams.ts'
import { createAccountRoutes } from './account.ts'
import { createAdminRoutes } from './admin.ts'
import { createAlertRoutes } from './alerts.ts'
import { createAliasRoutes } from './aliases.ts'
import { getAsyncApi } from './asyncapi.ts'
import { createBatchRoute } from './batch.ts'
import { createBestRoute } from './best.ts'
import { createBetRoutes } from './bets.ts'
import { createClosingRoute } from './closing.ts'
import { createComparisonRoute } from './comparison.ts'
import { createDeepLinkRoute } from './deeplink.ts'
import { createDeepLinksRoutes } from './deeplinks.ts'
import { createDeltaRoute } from './delta.ts'
import { listEventMarkets } from './event-markets.ts'
import { listEventOdds } from './event-odds.ts'
import { createEventRoute, createEventsRoute } from './events.ts'
import { createExplainRoute } from './explain.ts'
import { createFutureRoutes } from './futures.ts'
import { createGameStateRoutes } from './game-states.ts'
import { createHealthRoutes, type HealthParts } from './health.ts'
import { createHistoricalRoutes } from './historical.ts'
import { createHistoryRoutes } from './history.ts'
import { createIngest } from './ingest.ts'
import { getLeague, listLeagues } from './leagues.ts'
import { createLogLevelRoutes } from './log-level.ts'
import { listMarkets } from './markets.ts'
import { createMcpRoutes } from './mcp.ts'
import { createMetricsRoute } from './metrics.ts'
import { createOddsRoute } from './odds.ts'
import { createOpenApiRoute } from './openapi.ts'
import { createOpportunityRoutes } from './opportunities.ts'
import { createLivesRoute } from './opportunity-lives.ts'
import { ofThePastToo } from './past.ts'
import { createProfileRoutes } from './profile.ts'
import { createRecordRoutes } from './record.ts'
import { removedPaths } from './removed.ts'
import { createSourcesRoutes } from './sources.ts'
import { createSplitsRoutes } from './splits.ts'
import { getSport, listSports } from './sports.ts'
import { getSportsbook, listSportsbooks } from './sportsbooks.ts'
import { createStatusRoutes, type StatusParts } from './status.ts'
import { listTeams } from './teams.ts'
import { createToolRoutes } from './tools.ts'

export interface RouteParts {
  readonly boards: Boards
  readonly readiness: Readiness
  readonly status: Omit<StatusParts, keyof HealthParts>
  readonly accounts: Accounts
  readonly archive: ArchiveAccess
  /** Null without an archive. */
  readonly archiveHealth: () => ArchiveHealth | null
  readonly lags: Lags
  /** How far the system's clock is ahead of the service's (ms). */
  readonly clockAheadMs: () => number
  readonly registry: Registry
  /** Returns the Prometheus metrics of a pipeline in a thread of this process. */
  readonly pipelineMetrics: () => Promise<string>
  readonly bets: BetLedger
  readonly alerts: AlertBook
  /** Parts that all messages of alerts need. */
  readonly messages: MessageParts
  readonly alertTargets: AllowedTargets
  readonly sendsMail: boolean
  readonly profiles: Profiles
  readonly log: Pick<Log, 'append'> & HealthParts['log']
  readonly aliases: AliasDesk
  readonly sink: CountingSink
  /** Whether prices are real: neither simulated nor recorded. */
  readonly isLive: () => boolean
  readonly cursors: Cursors
  readonly clock: () => number
  /** The chain of each game. */
  readonly chain: Chains
  readonly streams: Pick<Streams, 'active' | 'positions'>
  /** Hosts that deep links may fall back to, besides those of sportsbooks. */
  readonly linkHosts: readonly string[]
  /** Whether routes of the access `public-list` are available without a key. */
  readonly publicLists: boolean
  /** Whether bare ids lead to sportsbooks without a key. */
  readonly publicRedirects: boolean
  /** Whether the record is available without a key. */
  readonly publicRecord: boolean
  readonly logger: Logger
  /** Log level of the settings. */
  readonly logLevel: LogLevel
}

export function createRoutes(parts: RouteParts): readonly Route[] {
  const { boards, archive, archiveHealth, aliases, cursors, clock, chain, streams } = parts
  const { now } = boards
  const past = ofThePastToo(
    createPastBoards(
      archive,
      clock,
      boards.links,
      () => boards.sources.ownersOnly,
      chain,
      boards.live.references,
    ),
    now,
  )
  const declared: readonly Route[] = [
    ...createHealthRoutes(parts),
    listSports,
    getSport,
    listLeagues,
    getLeague,
    listSportsbooks,
    getSportsbook,
    listMarkets,
    listTeams,
    past(createOddsRoute(cursors)),
    createDeltaRoute({ clock, positions: streams.positions, advance: boards.advance }),
    past(createBestRoute(now)),
    past(createComparisonRoute(now)),
    createClosingRoute(boards.closes),
    createBatchRoute(),
    createEventsRoute(cursors, now),
    createEventRoute(now),
    listEventOdds,
    listEventMarkets,
    ...createGameStateRoutes(now),
    ...createHistoryRoutes(archive, archiveHealth, now),
    ...createOpportunityRoutes({ clock: now, chain }),
    createLivesRoute(archive, archiveHealth, now),
    createExplainRoute({ clock: now, chain }),
    ...createFutureRoutes(now),
    ...createHistoricalRoutes({ archive, archiveHealth, clock: now, chain }),
    ...createRecordRoutes(parts),
    ...createSplitsRoutes(archive, now),
    createDeepLinkRoute(boards, aliases, parts),
    ...createDeepLinksRoutes(now, boards.links),
    ...createAccountRoutes({ accounts: parts.accounts, clock, openStreams: streams.active }),
    ...createProfileRoutes(parts.profiles),
    ...createBetRoutes({
      bets: parts.bets,
      aliases,
      archive,
      archiveHealth,
      closes: boards.closes,
      gameResults: boards.gameResults,
      chain,
      now,
    }),
    ...createAlertRoutes(parts),
    ...createToolRoutes(now),
    createMetricsRoute(parts.registry, parts.pipelineMetrics),
    ...createAdminRoutes(parts),
    ...createLogLevelRoutes(parts.logger, parts.logLevel, clock),
    ...createAliasRoutes(aliases, clock),
    ...createSourcesRoutes(parts),
    ...createStatusRoutes({ ...parts, ...parts.status }),
    createIngest({
      sink: parts.sink,
      clock: now,
      logger: parts.logger,
      isSimulated: () => parts.messages.isSimulated() === true,
    }),
    getAsyncApi,
    ...removedPaths,
  ]
  const routes = parts.publicLists ? declared : declared.map(withKeyOnly)
  const all = [...routes, ...createMcpRoutes(routes)]
  return [...all, createOpenApiRoute(all)]
}

/** Returns the route for holders of a key alone, if it was a public list. */
const withKeyOnly = (route: Route): Route =>
  route.kind === 'read' && route.access === 'public-list' ? { ...route, access: 'key' } : route
