/**
 * `/api/v1/status`: the state of the responding process, and `/status`, the same as a page for people. Needs the
 * admin token, because it names every sportsbook and source. Public while the sandbox is on.
 */

import type { z } from 'zod'
import { processName } from '../../pipeline/process/process-name.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { sourceItem } from '../../schemas/http/sources.ts'
import { statusAnswer } from '../../schemas/http/status.ts'
import type { DeepReadonly } from '../answer/items.ts'
import { instant, objectBody } from '../answer/json.ts'
import type { Lags, Silence } from '../metrics/lags.ts'
import type { DelayQuantiles, RecentDelays } from '../metrics/recent-delays.ts'
import { openAction, type Route } from '../route.ts'
import { type Transport, transports } from '../stream/framing/framing.ts'
import { ownVersion } from '../version.ts'
import { exampleInstant } from './account.ts'
import { type HealthParts, healthNow } from './health.ts'
import { sourceJson } from './sources.ts'

export type Status = DeepReadonly<z.output<typeof statusAnswer>['data']>

export interface StatusParts extends HealthParts {
  readonly role: Status['role']
  readonly delays: Readonly<Record<'bookToBoard' | 'boardToWire', RecentDelays>>
  /** Number of open streams. */
  readonly openStreams: (transport: Transport) => number
  /** Whether everybody may see it. */
  readonly isOpen: boolean
  /** Renders the page; null if pages are not served. */
  readonly page: StatusPage | null
}

export interface StatusPage {
  readonly headers: Readonly<Record<string, string>>
  write(status: Status, at: number): string
}

/** Limit for one address while it is public. A page that refreshes itself uses a fifth of it. */
const openPerMinute = 60

export function createStatusRoutes(parts: StatusParts): Route[] {
  const { isOpen, page, clock } = parts
  const access = isOpen
    ? ({
        access: 'public',
        isOfSandbox: true,
        perMinute: openPerMinute,
        errors: ['rate_limited', 'unauthorized'],
      } as const)
    : ({ access: 'admin', errors: [] } as const)
  const shared = { ...access, method: 'get', tag: 'Admin', query: {} } as const
  const asJson = openAction({
    ...shared,
    path: '/api/v1/status',
    summary: 'State of the process that responds.',
    description:
      'Delays of the last minute by sportsbook, lag of this process and of the pipelines by partition, streams, sources, and faults as in `/health`. Needs the admin token, except in the sandbox. `/status` at the root is the same as a page.',
    answer: {
      description: 'The current state.',
      schema: statusAnswer,
      example: objectBody(example, exampleInstant),
    },
    handle: async () => ({ body: objectBody(await statusNow(parts), clock()) }),
  })
  if (!page) return [asJson]
  const asPage = openAction({
    ...shared,
    path: '/status',
    isHidden: true,
    isPage: true,
    summary: 'The same, as a page.',
    answer: { description: 'The page.', mediaType: 'text/html', example: '<!doctype html>' },
    handle: async () => ({
      body: page.write(await statusNow(parts), clock()),
      headers: page.headers,
    }),
  })
  return [asJson, asPage]
}

async function statusNow(parts: StatusParts): Promise<Status> {
  const { boards, role, clock, openStreams, isOpen } = parts
  const figures = await askLog(parts.lags)
  const { live } = boards
  const { status, checks } = healthNow(parts, isOpen)
  const uptimeMs = performance.now()
  return {
    health: { status, checks },
    process: processName,
    role,
    version: ownVersion,
    started_at: new Date(clock() - uptimeMs).toISOString(),
    uptime_seconds: Math.round(uptimeMs / 1e3),
    board: {
      prices: live.rows.size,
      events: live.events(eventListKey.all).length,
      newest_price_at: instant(live.updatedAt),
    },
    sportsbooks: sportsbooksNow(parts),
    partitions: partitionsJson(figures),
    streams: Object.fromEntries(
      transports.map((transport) => [transport, openStreams(transport)]),
    ) as Status['streams'],
    sources: boards.sources.list(clock()).map((row) => sourceJson(row, undefined)),
  }
}

function sportsbooksNow({ delays, clock }: StatusParts): Status['sportsbooks'] {
  const toBoard = delays.bookToBoard.quantiles(clock())
  const toWire = delays.boardToWire.quantiles(clock())
  return [...new Set([...toBoard.keys(), ...toWire.keys()])].sort().map((sportsbook) => ({
    sportsbook,
    book_to_board: delaysJson(toBoard.get(sportsbook)),
    board_to_wire: delaysJson(toWire.get(sportsbook)),
  }))
}

function delaysJson(delays: DelayQuantiles | undefined) {
  if (!delays) return null
  const [p50_ms, p95_ms, p99_ms] = [delays.p50, delays.p95, delays.p99].map((ms) =>
    Number(ms.toPrecision(2)),
  )
  return { count: delays.count, p50_ms: p50_ms!, p95_ms: p95_ms!, p99_ms: p99_ms! }
}

/** Figures read from the log, by partition; null if it does not respond in time. */
interface LogFigures {
  readonly pipelines: readonly number[] | null
  readonly api: readonly number[] | null
  readonly silence: Silence | null
}

async function askLog(lags: Lags): Promise<LogFigures> {
  const [pipelines, api, silence] = await Promise.all([
    lags.pipelines.now(),
    lags.api.now(),
    lags.silence.now(),
  ])
  return { pipelines, api, silence }
}

const partitionsJson = ({ pipelines, api, silence }: LogFigures): Status['partitions'] =>
  Array.from((pipelines ?? api ?? silence?.byPartition ?? []).keys(), (partition) => {
    const silentMs = silence?.byPartition[partition]
    return {
      partition,
      pipeline_lag_records: pipelines?.[partition] ?? null,
      api_lag_records: api?.[partition] ?? null,
      pipeline_silent_seconds: silentMs === undefined ? null : Math.round(silentMs / 1e3),
    }
  })

const example: Status = {
  health: {
    status: 'ok',
    checks: {
      redis: { status: 'ok', latency_ms: 0 },
      data: { status: 'ok', message: 'Prices are fresh.' },
      schema: { status: 'ok', latency_ms: 0 },
      storage: { status: 'ok' },
      log: { status: 'ok' },
      clock: { status: 'ok' },
    },
  },
  process: 'odds-1 4711',
  role: 'api',
  version: '1.0.0',
  started_at: '2026-11-20T11:00:00.000Z',
  uptime_seconds: 3_600,
  board: { prices: 82_113, events: 1_204, newest_price_at: '2026-11-20T12:00:00.123Z' },
  sportsbooks: [
    {
      sportsbook: 'pinnacle',
      book_to_board: { count: 4_120, p50_ms: 8.1, p95_ms: 21, p99_ms: 44 },
      board_to_wire: { count: 3_904, p50_ms: 4.6, p95_ms: 11, p99_ms: 19 },
    },
  ],
  partitions: [
    { partition: 0, pipeline_lag_records: 12, api_lag_records: 0, pipeline_silent_seconds: 0 },
  ],
  streams: { sse: 210, websocket: 34 },
  sources: [exampleOf(sourceItem)],
}
