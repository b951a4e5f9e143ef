/** GET /api/v1/health: whether the service can answer, and whether what it answers is fresh (interface 4.1). */

import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import type { Log } from '../../pipeline/log/log.ts'
import { healthAnswer } from '../../schemas/http/health.ts'
import { isServing, type SourceState } from '../../schemas/source.ts'
import type { Boards } from '../boards.ts'
import { type ActionRoute, openAction } from './route.ts'

/** Prices older than this, with feeds running, mean that something upstream has stopped. */
const freshWithinMs = 5 * 60_000

/** An archive that starts, or is started again, has so long until it has to answer. */
const archiveStartMs = 60_000
/** Further behind the log, the archive does not keep pace. */
const archivePaceMs = 5 * 60_000

/** What the system's clock may be off while a time server corrects it. */
const clockOffMs = 5_000

export interface HealthOptions {
  readonly boards: Boards
  /** By which sources run, also while a recording is replayed. */
  readonly clock: () => number
  /** How far the system's clock is ahead of that one (ms). */
  readonly clockAheadMs: () => number
  /** Null where there is none. */
  readonly archive: () => ArchiveHealth | null
  readonly log: Pick<Log, 'isFull'>
}

export function createHealth(options: HealthOptions): ActionRoute {
  const { boards, clock, clockAheadMs, archive, log } = options
  return openAction({
    method: 'get',
    path: '/api/v1/health',
    access: 'public',
    tag: 'health',
    summary: 'Whether the service can answer',
    description:
      'The checks: `redis`, the name clients know, is the store the answers come from, here the board in memory; `data` is the age of the newest price, and whether the live sources answer; `schema` is whether the records on the log are of a schema we read; `storage` is degraded while the disk is full, writes are refused and prices stand still; `clock` is degraded while the clock of the system is not that of the service, which never jumps; `archive`, where there is one, is degraded while its engine is absent, when it has not answered for a minute, and when it is five minutes behind. The status is that of the worst.',
    query: {},
    answers: {
      200: {
        description: 'ok, or degraded: answers may be old or few.',
        schema: healthAnswer,
        example: {
          status: 'ok',
          version: 'v1',
          timestamp: '2026-11-20T12:00:00.123Z',
          checks: {
            redis: { status: 'ok', latency_ms: 0 },
            data: { status: 'ok', message: 'Prices are fresh.' },
            schema: { status: 'ok', latency_ms: 0 },
            storage: { status: 'ok' },
            clock: { status: 'ok' },
            archive: { status: 'ok', message: 'The archive answers, 212 records behind.' },
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
    },
    errors: [],
    handle() {
      const now = boards.now()
      const kept = archive()
      const states = boards.sources.list(clock()).map(({ state }) => state)
      const checks = {
        redis: boards.isReady()
          ? { status: 'ok', latency_ms: 0 }
          : { status: 'degraded', message: 'The board is still being read from the log.' },
        data: dataCheck(boards, states, now),
        // A record of an unknown schema ends the process before it can be served.
        schema: { status: 'ok', latency_ms: 0 },
        storage: storageCheck(log.isFull()),
        clock: clockCheck(clockAheadMs()),
        ...(kept && { archive: archiveCheck(kept, clock()) }),
      }
      const isDegraded = Object.values(checks).some(({ status }) => status !== 'ok')
      return {
        body: {
          status: isDegraded ? 'degraded' : 'ok',
          version: 'v1',
          timestamp: new Date(now).toISOString(),
          checks,
          ...(kept && { archive: archiveJson(kept) }),
          ...(states.length > 0 && { sources: countStates(states) }),
        },
      }
    },
  })
}

function dataCheck({ live }: Boards, states: readonly SourceState[], now: number) {
  if (live.rows.size === 0) {
    return { status: 'degraded', message: 'The board holds no prices yet.' }
  }
  const failing = states.filter((state) => !isServing(state) && state !== 'paused').length
  if (failing > 0) {
    const message = `${failing} of ${states.length} live sources do not answer.`
    return { status: 'degraded', message }
  }
  const age = now - live.updatedAt
  return age > freshWithinMs
    ? { status: 'degraded', message: `The newest price is ${Math.round(age / 1_000)} s old.` }
    : { status: 'ok', message: 'Prices are fresh.' }
}

const storageCheck = (isFull: boolean) =>
  isFull
    ? {
        status: 'degraded',
        message: 'The disk is full: writes are refused, and prices stand still.',
      }
    : { status: 'ok' }

function clockCheck(aheadMs: number) {
  if (Math.abs(aheadMs) < clockOffMs) return { status: 'ok' }
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  const message = `The system's clock was set: it is ${seconds} s ${side} the service's, which goes towards it by a tenth of the time that passes.`
  return { status: 'degraded', message }
}

function archiveCheck(
  { state, since, reason, behindRecords, behindMs }: ArchiveHealth,
  now: number,
) {
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
  return { status: 'ok', message: `The archive answers, ${behindRecords ?? 0} records behind.` }
}

const archiveJson = ({ state, since, reason, behindRecords, behindMs }: ArchiveHealth) => ({
  state,
  since: new Date(since).toISOString(),
  reason,
  records_behind: behindRecords,
  seconds_behind: behindMs === null ? null : behindMs / 1_000,
})

function countStates(states: readonly SourceState[]) {
  const counts: Partial<Record<SourceState, number>> = {}
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
