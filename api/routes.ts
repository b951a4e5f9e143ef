/** Every route, in the order they are documented. */

import type { FeedSink } from '../pipeline/feeds/feed.ts'
import type { Accounts } from './access/accounts.ts'
import type { Boards } from './boards.ts'
import type { Cursors } from './cursor.ts'
import type { Route } from './route.ts'
import { createAccountRoutes } from './routes/account.ts'
import { createAdminRoutes } from './routes/admin.ts'
import { getAsyncApi } from './routes/asyncapi.ts'
import { createBatchRoute } from './routes/batch.ts'
import { createBestRoute } from './routes/best.ts'
import { compareOdds } from './routes/comparison.ts'
import { createDeepLinkRoute } from './routes/deeplink.ts'
import { createDeepLinksRoutes } from './routes/deeplinks.ts'
import { createDeltaRoute } from './routes/delta.ts'
import { listEventMarkets } from './routes/event-markets.ts'
import { listEventOdds } from './routes/event-odds.ts'
import { getEvent, listEvents } from './routes/events.ts'
import { createExplainRoute } from './routes/explain.ts'
import { createHealth } from './routes/health.ts'
import { createIngest } from './routes/ingest.ts'
import { getLeague, listLeagues } from './routes/leagues.ts'
import { listMarkets } from './routes/markets.ts'
import { createMcpRoutes } from './routes/mcp.ts'
import { createOddsRoute } from './routes/odds.ts'
import { createOpenApiRoute } from './routes/openapi.ts'
import { createOpportunityRoutes } from './routes/opportunities.ts'
import { removedPaths } from './routes/removed.ts'
import { getSport, listSports } from './routes/sports.ts'
import { getSportsbook, listSportsbooks } from './routes/sportsbooks.ts'
import { listTeams } from './routes/teams.ts'
import type { Streams } from './stream/streams.ts'

export interface RouteParts {
  readonly boards: Boards
  readonly accounts: Accounts
  readonly sink: FeedSink
  readonly cursors: Cursors
  readonly clock: () => number
  /** Sharp books, that which +EV is measured against first in front. */
  readonly chain: readonly string[]
  readonly streams: Pick<Streams, 'active' | 'positions'>
  /** Hosts that deep links may fall back to, beside those of sportsbooks. */
  readonly linkHosts: readonly string[]
}

export function createRoutes({
  boards,
  accounts,
  sink,
  cursors,
  clock,
  chain,
  streams,
  linkHosts,
}: RouteParts): readonly Route[] {
  const routes = [
    createHealth(boards, clock),
    listSports,
    getSport,
    listLeagues,
    getLeague,
    listSportsbooks,
    getSportsbook,
    listMarkets,
    listTeams,
    createOddsRoute(cursors),
    createDeltaRoute({ clock, positions: streams.positions }),
    createBestRoute(clock),
    compareOdds,
    createBatchRoute(),
    listEvents,
    getEvent,
    listEventOdds,
    listEventMarkets,
    ...createOpportunityRoutes({ clock, chain }),
    createExplainRoute(clock),
    createDeepLinkRoute(boards, linkHosts, clock),
    ...createDeepLinksRoutes(clock),
    ...createAccountRoutes({ accounts, clock, openStreams: streams.active }),
    ...createAdminRoutes({ accounts, clock }),
    createIngest(sink, clock),
    getAsyncApi,
    ...removedPaths,
  ]
  const all = [...routes, ...createMcpRoutes(routes)]
  return [...all, createOpenApiRoute(all)]
}
