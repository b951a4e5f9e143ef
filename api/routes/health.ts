/** GET /api/v1/health: whether the service can answer, and whether what it answers is fresh (interface 4.1). */

import { healthAnswer } from '../../schemas/http/health.ts'
import { isServing, type SourceState } from '../../schemas/source.ts'
import type { Boards } from '../boards.ts'
import { type ActionRoute, openAction } from './route.ts'

/** Prices older than this, with feeds running, mean that something upstream has stopped. */
const freshWithinMs = 5 * 60_000

/** @param clock by which sources run, also while a recording is replayed */
export function createHealth(boards: Boards, clock: () => number): ActionRoute {
  return openAction({
    method: 'get',
    path: '/api/v1/health',
    access: 'public',
    tag: 'health',
    summary: 'Whether the service can answer',
    description:
      'Three checks: `redis`, the name clients know, is the store the answers come from, here the board in memory; `data` is the age of the newest price, and whether the live sources answer; `schema` is whether the records on the log are of a schema we read. The status is that of the worst.',
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
          },
          sources: { up: 2 },
        },
      },
    },
    errors: [],
    handle() {
      const now = boards.now()
      const states = boards.sources.list(clock()).map(({ state }) => state)
      const checks = {
        redis: boards.isReady()
          ? { status: 'ok', latency_ms: 0 }
          : { status: 'degraded', message: 'The board is still being read from the log.' },
        data: dataCheck(boards, states, now),
        // A record of an unknown schema ends the process before it can be served.
        schema: { status: 'ok', latency_ms: 0 },
      }
      const isDegraded = Object.values(checks).some(({ status }) => status !== 'ok')
      return {
        body: {
          status: isDegraded ? 'degraded' : 'ok',
          version: 'v1',
          timestamp: new Date(now).toISOString(),
          checks,
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

function countStates(states: readonly SourceState[]) {
  const counts: Partial<Record<SourceState, number>> = {}
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
