/**
 * GET /api/v1/health: whether the service can answer requests, and whether its data is fresh
 * (interface 4.1). /livez and /readyz report the former to process managers and load balancers.
 */

import type { z } from 'zod'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import type { Log } from '../../pipeline/log/log.ts'
import { clockCheck } from '../../pipeline/process/clock-check.ts'
import { type CheckedLog, weakLogCheck } from '../../pipeline/process/log-check.ts'
import { schemaCheck } from '../../pipeline/process/schema-check.ts'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { healthAnswer, livenessAnswer, readinessAnswer } from '../../schemas/http/health.ts'
import { requiredTier } from '../../schemas/reference/tier-books.ts'
import { isServing, type SourceRow, type SourceState } from '../../schemas/source.ts'
import type { Boards } from '../boards.ts'
import type { Lags, Silence } from '../metrics/lags.ts'
import type { Readiness } from '../readiness.ts'
import { type ActionRoute, openAction } from '../route.ts'
import { exampleInstant } from './account.ts'

/** Time an archive has to respond after a start or restart. */
const archiveStartMs = 60_000
/** Greatest delay of an archive that keeps pace. */
const archivePaceMs = 5 * 60_000

const prefix = '/api/v1'
const shared = { method: 'get', access: 'public', tag: 'health', query: {}, errors: [] } as const

export interface HealthParts {
  readonly boards: Boards
  readonly readiness: Pick<Readiness, 'state'>
  /** The clock of sources, also while a recording is replayed. */
  readonly clock: () => number
  /** How far the system's clock is ahead of this one (ms). */
  readonly clockAheadMs: () => number
  readonly log: CheckedLog & Pick<Log, 'clockDifferenceMs' | 'isFull' | 'outage' | 'undecodable'>
  readonly lags: Lags
  /** Null without an archive. */
  readonly archiveHealth: () => ArchiveHealth | null
}

/** Creates each route below the prefix and at the root, where such checks are expected. */
export function createHealthRoutes(parts: HealthParts): readonly ActionRoute[] {
  const routes = [createHealth(parts), live, createReady(parts)]
  const atRoot = routes.map((route) => ({
    ...route,
    path: route.path.slice(prefix.length),
    isHidden: true,
  }))
  return [...routes, ...atRoot]
}

const live = openAction({
  ...shared,
  path: `${prefix}/livez`,
  summary: 'Whether the process responds',
  answer: { description: 'It does.', schema: livenessAnswer },
  handle: () => ({ body: { status: 'ok' } }),
})

const examplePartChecks = {
  storage: { status: 'ok' },
  log: { status: 'ok' },
  pipelines: { status: 'ok' },
  clock: { status: 'ok' },
  archive: { status: 'ok', message: 'The archive answers, 212 records behind.' },
} as const

const createReady = (parts: HealthParts) =>
  openAction({
    ...shared,
    path: `${prefix}/readyz`,
    summary: 'Whether requests can be answered',
    description:
      'For load balancers: send requests if this is a 200. `storage` is degraded while the disk is full: writes are refused and prices stand still. `log`: brokers or schema registry do not respond, writes are refused, or an open transaction holds up a partition; reads and streams continue with the last prices. `pipelines`: for ten seconds no pipeline has processed some or all partitions, so that prices stand still, or the log has not reported their progress. `clock`: it was set, or differs from the brokers’. `archive`, if there is one: its engine is absent, has not responded for a minute, or is five minutes behind.',
    answer: {
      description: 'They can.',
      schema: readinessAnswer,
      example: { status: 'ready', checks: examplePartChecks },
    },
    otherAnswer: {
      status: 503,
      description: 'The service waits for the log, is loading the board, or is about to stop.',
      schema: readinessAnswer,
      example: { status: 'starting', reason: unready.starting, checks: examplePartChecks },
    },
    handle() {
      const { state } = parts.readiness
      const checks = partChecksNow(parts)
      if (state === 'ready') return { body: { status: state, checks } }
      return { status: 503, body: { status: state, reason: unready[state], checks } }
    },
  })

function createHealth(parts: HealthParts): ActionRoute {
  return openAction({
    ...shared,
    path: `${prefix}/health`,
    summary: 'Whether the service can respond',
    description:
      'Three checks. `redis`: the board in memory (there is no Redis; clients know the check by this name). `data`: the age of the newest price, and whether live sources respond; degraded above one minute, when no price in play is usable, and down above five, when none is. `schema`: degraded for ten minutes after a record that could not be decoded was left out, so that a row may be missing or out of date. All other checks are in `/readyz`, and in `/status` with reasons. The status is that of the worst check. It is `down`, a 503, before the board is loaded, while no price is usable, and when the service is about to stop. `sources` counts only those whose sportsbooks every tier sees.',
    answer: {
      description: 'ok, or degraded: responses may be old or incomplete.',
      schema: healthAnswer,
      example: {
        status: 'ok',
        version: 'v1',
        timestamp: '2026-11-20T12:00:00.123Z',
        checks: {
          redis: { status: 'ok', message: storeMessage },
          data: { status: 'ok', message: 'Prices are fresh.' },
          schema: { status: 'ok', latency_ms: 0 },
        },
        archive: {
          state: 'answering',
          since: '2026-11-20T11:00:02.418Z',
          reason: null,
          records_behind: 212,
          seconds_behind: 1.2,
        },
        sources: { up: 2 },
      },
    },
    otherAnswer: {
      status: 503,
      description: 'down: no request can be answered now.',
      schema: healthAnswer,
      example: startingHealth(exampleInstant),
    },
    handle() {
      const body = publicHealth(parts)
      return { status: body.status === 'down' ? 503 : 200, body }
    },
  })
}

type Check = z.output<typeof healthAnswer>['checks']['redis']

/** Returns the public `/health`, without counts and reasons that not everybody may see. */
function publicHealth(parts: HealthParts): z.output<typeof healthAnswer> {
  const { boards, clock, archiveHealth } = parts
  const { status, checks } = healthNow(parts, true)
  const { redis, data, schema } = checks
  const kept = archiveHealth()
  const sources = boards.sources.list(clock())
  return {
    status,
    version: 'v1',
    timestamp: new Date(boards.now()).toISOString(),
    checks: { redis, data, schema },
    ...(kept && { archive: archiveJson(kept) }),
    ...(sources.length > 0 && { sources: countStates(sources.filter(isOfAll)) }),
  }
}

/** Returns whether the lowest tier sees the source's data. A source without data reveals nothing. */
const isOfAll = ({ audience, sportsbooks }: SourceRow) =>
  audience === 'all' &&
  (sportsbooks.length === 0 || sportsbooks.some((sportsbook) => requiredTier(sportsbook) === null))

/**
 * Returns the state of the service: all checks.
 * @param isForAll leaves out reasons meant for the operator
 */
export function healthNow(parts: HealthParts, isForAll: boolean) {
  const { boards, readiness, clock, archiveHealth, log } = parts
  const now = boards.now()
  const kept = archiveHealth()
  const { state } = readiness
  const states = boards.sources.list(clock()).map(({ state }) => state)
  const checks = {
    redis:
      state === 'ready'
        ? ({ status: 'ok', message: storeMessage } as const)
        : ({ status: 'down', message: unready[state] } as const),
    data:
      state === 'starting'
        ? ({ status: 'down', message: 'The board is not served yet.' } as const)
        : dataCheck(boards, states, now),
    schema: schemaState(log),
    ...partChecksNow(parts),
    ...(kept && !isForAll && { archive: archiveCheck(kept, clock(), kept.reason) }),
  }
  const isDegraded = Object.values(checks).some(({ status }) => status !== 'ok')
  // A board on which no price counts is useless: the pipeline or all its sources are down.
  const isDown = state !== 'ready' || checks.data.status === 'down'
  const status = isDown ? ('down' as const) : isDegraded ? ('degraded' as const) : ('ok' as const)
  return { status, checks }
}

/** Returns the checks of the parts behind the board, as everybody may see them. */
function partChecksNow(parts: HealthParts) {
  const { boards, clock, clockAheadMs, archiveHealth, lags, log } = parts
  const kept = archiveHealth()
  const pipelines = pipelinesCheck(
    lags.silence.last(),
    boards.isRecorded ? { waiting: lags.pipelines.last() } : null,
  )
  return {
    storage: storageCheck(log.isFull()),
    log: logCheck(log),
    ...(pipelines && { pipelines }),
    clock: clockCheck(clockAheadMs(), log),
    ...(kept && { archive: archiveCheck(kept, clock(), publicReason(kept)) }),
  }
}

/** The store of responses. Clients know it as `redis`. */
const storeMessage = 'The board in memory answers; there is no Redis.'

function schemaState(log: HealthParts['log']): Check {
  const check = schemaCheck(log.undecodable())
  return check.status === 'ok' ? { status: 'ok', latency_ms: 0 } : check
}

/** Why requests cannot be answered. */
const unready = {
  starting: 'The board is still being read, or has yet to get its first prices.',
  stopping: 'The service is about to stop.',
} as const

const silentSources = 'Live sources do not answer.'

export function dataCheck(
  {
    live,
  }: {
    readonly live: Pick<Boards['live'], 'updatedAt'> & { readonly rows: { readonly size: number } }
  },
  states: readonly SourceState[],
  now: number,
): Check {
  if (live.rows.size === 0) {
    return { status: 'degraded', message: 'The board holds no prices yet.' }
  }
  const isFailing = states.some((state) => !isServing(state) && state !== 'paused')
  const age = now - live.updatedAt
  if (age <= usableMs(true)) {
    return isFailing
      ? { status: 'degraded', message: silentSources }
      : { status: 'ok', message: 'Prices are fresh.' }
  }
  const why = isFailing ? ` ${silentSources}` : ''
  const message = `The newest price is ${Math.round(age / 1_000)} s old`
  if (age <= usableMs(false)) {
    const unusable = `${message}: no price of a live game counts any more.${why}`
    return { status: 'degraded', message: unusable }
  }
  return { status: 'down', message: `${message}: none counts any more.${why}` }
}

const storageCheck = (isFull: boolean): Check =>
  isFull
    ? {
        status: 'degraded',
        message: 'The disk is full: writes are refused, and prices stand still.',
      }
    : { status: 'ok' }

function logCheck(log: CheckedLog & Pick<Log, 'outage'>): Check {
  const out = log.outage()
  if (!out) return weakLogCheck(log)
  const { forMs, reason } = out
  const message = `The log has not answered for ${Math.round(forMs / 1_000)} s: prices stand still, and writes are refused (${reason}).`
  return { status: 'degraded', message }
}

/** A dead pipeline loses its partitions within six seconds by default, and another takes them over. */
const silentAfterMs = 10_000

/**
 * @param silence null while unknown
 * @param recording null without one. An ended recording has no more ticks, so silence is a fault
 *   only while records of feeds wait. `waiting` is by partition, and null while unknown
 * @returns null while unknown
 */
export function pipelinesCheck(
  silence: Silence | null,
  recording: { readonly waiting: readonly number[] | null } | null,
): Check | null {
  if (!silence) return null
  const { byPartition, answerAgeMs } = silence
  if (answerAgeMs >= silentAfterMs) {
    const message = `The log has not said for ${Math.round(answerAgeMs / 1e3)} s what pipelines have decided.`
    return { status: 'degraded', message }
  }
  const stopped = [...byPartition.keys()].filter(
    (partition) => byPartition[partition]! >= silentAfterMs,
  )
  if (stopped.length > 0 && recording && !recording.waiting) return null
  const silent = recording
    ? stopped.filter((partition) => (recording.waiting?.[partition] ?? 0) > 0)
    : stopped
  if (silent.length === 0) return { status: 'ok' }
  const seconds = Math.round(Math.min(...silent.map((partition) => byPartition[partition]!)) / 1e3)
  const where = silent.length < byPartition.length ? ` of partition ${silent.join(', ')}` : ''
  const message = `No pipeline has decided anything${where} for ${seconds} s.`
  return { status: 'degraded', message }
}

/** Returns the health of a service that waits for its log and has no data yet. */
export const startingHealth = (now: number) => ({
  status: 'down',
  version: 'v1',
  timestamp: new Date(now).toISOString(),
  checks: {
    redis: { status: 'down', message: unready.starting },
    data: { status: 'down', message: 'The board is not served yet.' },
    schema: { status: 'ok', latency_ms: 0 },
  },
})

export const startingReadiness = (reason: string) => ({
  status: 'starting',
  reason,
  checks: {
    storage: { status: 'ok' },
    log: { status: 'down', message: reason },
    clock: { status: 'ok' },
  },
})

/** @param reason of the failure, as far as the reader may know it */
function archiveCheck(
  { state, since, behindRecords, behindMs }: ArchiveHealth,
  now: number,
  reason: string | null,
): Check {
  const why = reason === null ? '' : `: ${reason}`
  if (state === 'absent') {
    const message = `The embedded ClickHouse is absent${why}. Install chdb, set OVERROUND_CLICKHOUSE_URL, or OVERROUND_ARCHIVE=off.`
    return { status: 'degraded', message }
  }
  if (state !== 'answering') {
    const seconds = Math.round((now - since) / 1_000)
    const message = `The archive has not answered for ${seconds} s${why}`
    return { status: now - since > archiveStartMs ? 'degraded' : 'ok', message }
  }
  if (behindMs !== null && behindMs > archivePaceMs) {
    const message = `The archive is ${Math.round(behindMs / 1_000)} s behind.`
    return { status: 'degraded', message }
  }
  const behind = behindRecords === null ? '' : `, ${behindRecords} records behind`
  return { status: 'ok', message: `The archive answers${behind}.` }
}

/** An engine's error names tables and statements, so only its absence is public. */
const publicReason = ({ state, reason }: ArchiveHealth) => (state === 'absent' ? reason : null)

function archiveJson(health: ArchiveHealth) {
  const { state, since, behindRecords, behindMs } = health
  return {
    state,
    since: new Date(since).toISOString(),
    reason: publicReason(health),
    records_behind: behindRecords,
    seconds_behind: behindMs === null ? null : behindMs / 1_000,
  }
}

function countStates(sources: readonly SourceRow[]) {
  const counts: Partial<Record<SourceState, number>> = {}
  for (const { state } of sources) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
