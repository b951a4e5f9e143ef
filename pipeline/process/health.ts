/**
 * The health of a pipeline: why its start waits, whether the log takes its records, and whether the tables of its
 * partitions are restored. Events come in as calls, and time by the clock that is passed in.
 */

import type { Log } from '../log/log.ts'
import type { PipelineWatcher } from '../run/pipeline-watcher.ts'
import type { Assigned } from '../run/run.ts'
import { clockCheck } from './clock-check.ts'
import { json, type PortRoute } from './health-port.ts'
import { type CheckedLog, weakLogCheck } from './log-check.ts'
import { schemaCheck } from './schema-check.ts'

type WatchedLog = CheckedLog & Pick<Log, 'clockDifferenceMs' | 'isFull' | 'outage' | 'undecodable'>

export interface PipelineHealth extends Omit<PipelineWatcher, 'committed' | 'strangerCame'> {
  readonly state: PipelineState
  /** Why it is not ready; null while it is. */
  readonly reason: string | null
  /** Notes that the log has been opened. */
  opened(log: WatchedLog): void
  /** Notes that the start waits, for this reason (a sentence). */
  waitsFor(reason: string): void
  /** Notes that the process is about to stop. */
  stop(): void
  report(): HealthReport
}

/** `starting`: also while the tables of an assigned partition are restored; `waiting`: the log accepts nothing. */
export type PipelineState = 'starting' | 'waiting' | 'ready' | 'stopping'

type Status = 'ok' | 'degraded' | 'down'

interface Check {
  readonly status: Status
  readonly message?: string
}

export interface HealthReport {
  readonly status: Status
  readonly checks: Readonly<Record<'log' | 'tables' | 'schema' | 'storage' | 'clock', Check>>
}

export interface PipelineHealthOptions {
  /** Monotonic ms. */
  readonly monotonic: () => number
  /** Returns how far the system's clock is ahead of the service's (ms). */
  readonly clockAheadMs: () => number
}

/** Ticks are written every second: without one for this long, the log accepts nothing. */
const tickWithinMs = 5_000
/** The time within which work that an outage ended is tried again. */
const awayForMs = 30_000

export function createPipelineHealth(options: PipelineHealthOptions): PipelineHealth {
  const { monotonic, clockAheadMs } = options
  const beganAt = monotonic()
  let log: WatchedLog | null = null
  let waitReason: string | null = null
  let isStarted = false
  let isStopping = false
  let isTicking = false
  let tickedAt = 0
  let away: { readonly reason: string; readonly at: number } | null = null
  /** The rows restored of each current assignment; null while they are being restored. */
  const rowsOf = new Map<Assigned, number | null>()

  const seconds = (since: number) => Math.round((monotonic() - since) / 1_000)

  const awayReason = () => (away && monotonic() - away.at < awayForMs ? away.reason : null)
  /**
   * Returns whether tables are being restored. A stuck partition does not count: its restore might
   * never end, and the other partitions go on meanwhile.
   */
  function isRestoring() {
    const stuck = new Set(log?.stuck().map(({ partition }) => partition))
    return [...rowsOf].some(([{ partition }, rows]) => rows === null && !stuck.has(partition))
  }

  function stateNow(): PipelineState {
    if (isStopping) return 'stopping'
    if (!isStarted) return 'starting'
    if (logCheck().status === 'down') return 'waiting'
    return isRestoring() ? 'starting' : 'ready'
  }

  function logCheck(): Check {
    if (!isStarted) {
      const why = waitReason === null ? '' : `: ${waitReason}`
      return { status: 'down', message: `The start has waited for ${seconds(beganAt)} s${why}` }
    }
    const reason = log?.outage()?.reason ?? awayReason()
    if (reason !== null) return { status: 'down', message: reason }
    if (!isTicking || monotonic() - tickedAt <= tickWithinMs)
      return log ? weakLogCheck(log) : { status: 'ok' }
    const message = `The log has taken nothing for ${seconds(tickedAt)} s; incoming records wait.`
    return { status: 'down', message }
  }

  function tablesCheck(): Check {
    if (isRestoring()) return { status: 'down', message: 'The tables are being restored.' }
    if (rowsOf.size === 0) return { status: 'ok', message: 'No partition is assigned to it.' }
    const rows = [...rowsOf.values()].reduce<number>((sum, of) => sum + (of ?? 0), 0)
    const partitions = [...rowsOf.keys()].map(({ partition }) => partition).sort((a, b) => a - b)
    const message = `${rows} rows restored, of the partitions ${partitions.join(', ')}.`
    return { status: 'ok', message }
  }

  function storageCheck(): Check {
    if (!log?.isFull()) return { status: 'ok' }
    return { status: 'degraded', message: 'The disk is full: incoming records wait.' }
  }

  return {
    get state() {
      return stateNow()
    },
    get reason() {
      const state = stateNow()
      if (state === 'ready') return null
      if (state === 'stopping') return 'The pipeline is about to stop.'
      const check = isStarted && state === 'starting' ? tablesCheck() : logCheck()
      return check.message ?? null
    },
    opened(opening) {
      log = opening
      waitReason = null
    },
    waitsFor(reason) {
      waitReason = reason
    },
    started() {
      isStarted = true
    },
    ticked() {
      isTicking = true
      tickedAt = monotonic()
      away = null
    },
    logAway(reason) {
      away = { reason, at: monotonic() }
    },
    clockReleased() {
      isTicking = false
    },
    assigned(assigned) {
      rowsOf.set(assigned, null)
    },
    restored({ assigned, rows }) {
      rowsOf.set(assigned, rows)
      away = null
    },
    released(assigned) {
      rowsOf.delete(assigned)
    },
    stop() {
      isStopping = true
    },
    report() {
      const checks = {
        log: logCheck(),
        tables: tablesCheck(),
        schema: log ? schemaCheck(log.undecodable()) : ({ status: 'ok' } as const),
        storage: storageCheck(),
        clock: clockCheck(clockAheadMs(), log),
      }
      const statuses = Object.values(checks).map(({ status }) => status)
      const isDown = isStopping || statuses.includes('down')
      return { status: isDown ? 'down' : worst(statuses), checks }
    },
  }
}

const worst = (statuses: readonly Status[]): Status =>
  statuses.find((status) => status !== 'ok') ?? 'ok'

/** Returns /livez, /readyz and /health, each at the root and below the prefix of the API. */
export function healthRoutes(health: PipelineHealth, clock: () => number): readonly PortRoute[] {
  const routes: readonly PortRoute[] = [
    { path: '/livez', answer: () => json(200, { status: 'ok' }) },
    {
      path: '/readyz',
      answer() {
        const { state, reason } = health
        if (state === 'ready') return json(200, { status: state })
        return json(503, { status: state, reason })
      },
    },
    {
      path: '/health',
      answer() {
        const { status, checks } = health.report()
        const timestamp = new Date(clock()).toISOString()
        const body = { status, version: 'v1', role: 'pipeline', timestamp, checks }
        return json(status === 'down' ? 503 : 200, body)
      },
    },
  ]
  return routes.flatMap((route) => [route, { ...route, path: `/api/v1${route.path}` }])
}
