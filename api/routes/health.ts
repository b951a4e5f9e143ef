/** GET /api/v1/health: whether the service can answer, and whether what it answers is fresh (interface 4.1). */

import { healthAnswer } from '../../schemas/http/health.ts'
import type { Boards } from '../boards.ts'
import { type ActionRoute, openAction } from './route.ts'

/** Prices older than this, with feeds running, mean that something upstream has stopped. */
const freshWithinMs = 5 * 60_000

export function createHealth(boards: Boards): ActionRoute {
  return openAction({
    method: 'get',
    path: '/api/v1/health',
    access: 'public',
    tag: 'health',
    summary: 'Whether the service can answer',
    description:
      'Three checks: `redis`, the name clients know, is the store the answers come from, here the board in memory; `data` is the age of the newest price; `schema` is whether the records on the log are of a schema we read. The status is that of the worst.',
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
        },
      },
    },
    errors: [],
    handle() {
      const now = boards.now()
      const checks = {
        redis: boards.isReady()
          ? { status: 'ok', latency_ms: 0 }
          : { status: 'degraded', message: 'The board is still being read from the log.' },
        data: dataCheck(boards, now),
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
        },
      }
    },
  })
}

function dataCheck({ live }: Boards, now: number) {
  if (live.rows.size === 0) {
    return { status: 'degraded', message: 'The board holds no prices yet.' }
  }
  const age = now - live.updatedAt
  return age > freshWithinMs
    ? { status: 'degraded', message: `The newest price is ${Math.round(age / 1_000)} s old.` }
    : { status: 'ok', message: 'Prices are fresh.' }
}
