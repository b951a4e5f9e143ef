/** Prometheus metrics of an API: boards, streams, archive, sources. Read when scraped. */

import type { Registry } from 'prom-client'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import type { Log } from '../../pipeline/log/log.ts'
import {
  addDeletedUnread,
  addLogReads,
  addRead,
  addReadEach,
  addUndecodable,
  type ReadLog,
} from '../../pipeline/metrics/registry.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { opportunityKinds } from '../../schemas/opportunity.ts'
import { isServing, sourceStates } from '../../schemas/source.ts'
import type { Boards } from '../boards.ts'
import type { Readiness } from '../readiness.ts'
import { type Transport, transports } from '../stream/framing/framing.ts'
import type { Lags } from './lags.ts'

export interface ApiMetricsParts {
  readonly boards: Boards
  readonly readiness: Pick<Readiness, 'isReady'>
  readonly log: ReadLog & Pick<Log, 'deletedUnread' | 'undecodable'>
  readonly lags: Pick<Lags, 'api' | 'silence'>
  readonly archiveHealth: () => ArchiveHealth | null
  /** Number of open streams. */
  readonly openStreams: (transport: Transport) => number
  /** Epoch ms. */
  readonly clock: () => number
  readonly clockAheadMs: () => number
}

export function addApiMetrics(registry: Registry, parts: ApiMetricsParts) {
  const { boards, readiness, log, lags, archiveHealth, openStreams, clock, clockAheadMs } = parts
  const beganAt = boards.now()
  const kinds = { live: boards.live, delayed: boards.delayed }
  addLogReads(registry, () => log)
  addUndecodable(registry, 'api', () => log)
  addDeletedUnread(registry, 'api', () => log)
  const reads = [
    ['ready', '1 while requests are answered.', () => (readiness.isReady() ? 1 : 0)],
    [
      'board_newest_price_age_seconds',
      'Age of the newest price on the live board; without any, of this process.',
      () => (boards.now() - (boards.live.updatedAt || beganAt)) / 1e3,
    ],
    [
      'opportunities_unknown',
      'Opportunities left out because this version does not know their kind.',
      () => boards.opportunities.unknownCount,
    ],
    [
      'clock_ahead_seconds',
      'How far the clock of the system is ahead of that of the service.',
      () => clockAheadMs() / 1e3,
    ],
    [
      'archive_up',
      '1 while the archive responds; NaN without one.',
      () => ofArchive(({ state }) => (state === 'answering' ? 1 : 0)),
    ],
    [
      'archive_behind_records',
      'Records of the log that are not in the archive yet.',
      () => ofArchive(({ behindRecords }) => behindRecords ?? Number.NaN),
    ],
    [
      'archive_behind_seconds',
      'How long the oldest record that is not in the archive yet has waited; 0 when none waits.',
      () => ofArchive(({ behindMs }) => (behindMs === null ? Number.NaN : behindMs / 1e3)),
    ],
  ] as const
  for (const [name, help, read] of reads)
    addRead(registry, { name: `overround_${name}`, help, read })

  function ofArchive(figure: (health: ArchiveHealth) => number): number {
    const health = archiveHealth()
    return health ? figure(health) : Number.NaN
  }

  addReadEach(registry, {
    name: 'overround_api_lag_records',
    help: 'Records of tables that the log has and the boards of this process have not, by partition.',
    label: 'partition',
    read: () => (lags.api.last() ?? []).map((lag, partition) => [String(partition), lag] as const),
  })
  addReadEach(registry, {
    name: 'overround_partition_silence_seconds',
    help: 'Time since a pipeline last committed anything of the partition; a running one commits every second.',
    label: 'partition',
    // A recording that has ended commits nothing more.
    read: () =>
      ((!boards.isRecorded && lags.silence.last()?.byPartition) || []).map(
        (ms, partition) => [String(partition), ms / 1e3] as const,
      ),
  })
  addReadEach(registry, {
    name: 'overround_streams',
    help: 'Streams that are open, by transport.',
    label: 'transport',
    read: () => transports.map((transport) => [transport, openStreams(transport)] as const),
  })
  addReadEach(registry, {
    name: 'overround_league_newest_change_age_seconds',
    help: 'Time without a new, changed or removed price of the league on the live board.',
    label: 'league',
    read: () => leagueAges(boards.live, clock()),
  })
  addReadEach(registry, {
    name: 'overround_league_live_events',
    help: 'Events of the league that are live on the live board.',
    label: 'league',
    read: () => liveEvents(boards.live),
  })
  addReadEach(registry, {
    name: 'overround_board_rows',
    help: 'Prices on the boards.',
    label: 'board',
    read: () => Object.entries(kinds).map(([board, { rows }]) => [board, rows.size] as const),
  })
  addReadEach(registry, {
    name: 'overround_board_events',
    help: 'Events with prices on the boards.',
    label: 'board',
    read: () =>
      Object.entries(kinds).map(
        ([board, view]) => [board, view.events(eventListKey.all).length] as const,
      ),
  })
  addReadEach(registry, {
    name: 'overround_opportunities',
    help: 'Present opportunities, by kind.',
    label: 'kind',
    read: () =>
      opportunityKinds.map((kind) => [kind, boards.opportunities.all(kind).length] as const),
  })
  addReadEach(registry, {
    name: 'overround_sources',
    help: 'Sources, by state.',
    label: 'state',
    read() {
      const rows = boards.sources.list(clock())
      return sourceStates.map(
        (state) => [state, rows.filter((row) => row.state === state).length] as const,
      )
    },
  })
  addReadEach(registry, {
    name: 'overround_source_up',
    help: '1 while the source serves, also in part (degraded); absent while it is paused.',
    label: 'source',
    read: () =>
      boards.sources
        .list(clock())
        .filter(({ state }) => state !== 'paused')
        .map(({ source, state }) => [source, isServing(state) ? 1 : 0] as const),
  })
  addReadEach(registry, {
    name: 'overround_source_credits_left',
    help: 'Credits that a metered source says are left.',
    label: 'source',
    read: () =>
      boards.sources
        .list(clock())
        .flatMap(({ source, creditsLeft }) =>
          creditsLeft === null ? [] : [[source, creditsLeft] as const],
        ),
  })
  addReadEach(registry, {
    name: 'overround_sportsbook_down',
    help: '1 for each sportsbook none of whose sources serves.',
    label: 'sportsbook',
    read: () => [...boards.sources.down].map((sportsbook) => [sportsbook, 1] as const),
  })
}

/** Further leagues are left out, so that names from feeds cannot make a scrape grow without bound. */
const mostLeagues = 500

/** @param now epoch ms @returns seconds by league */
function leagueAges(board: BoardView, now: number): Map<string, number> {
  const newest = new Map<string, number>()
  for (const { pricedAt, row } of board.events(eventListKey.all)) {
    const known = newest.get(row.league)
    if (known === undefined ? newest.size < mostLeagues : pricedAt > known) {
      newest.set(row.league, pricedAt)
    }
  }
  // Stamps are in µs, and may run slightly ahead of the clock within a batch.
  return new Map([...newest].map(([league, at]) => [league, Math.max(0, now - at / 1e3) / 1e3]))
}

function liveEvents(board: BoardView): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { row } of board.events(eventListKey.all)) {
    const known = counts.get(row.league)
    if (known === undefined && counts.size >= mostLeagues) continue
    counts.set(row.league, (known ?? 0) + (row.isLive ? 1 : 0))
  }
  return counts
}
