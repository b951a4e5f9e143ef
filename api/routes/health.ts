/** GET /api/v1/health: whether the service can answer, and whether what it answers is fresh (interface 4.1). */

import type { PublicRoute } from '../route.ts'

/** Prices older than this, with feeds running, mean that something upstream has stopped. */
const freshWithinMs = 5 * 60_000

export const health: PublicRoute = {
  method: 'get',
  path: '/api/v1/health',
  access: 'public',
  handle({ services }) {
    const { boards, clock } = services
    const now = clock()
    const age = now - boards.live.updatedAt
    const store = boards.isReady()
      ? { status: 'ok', latency_ms: 0 }
      : { status: 'degraded', message: 'The board is still being read from the log.' }
    const data =
      boards.live.rows.size === 0
        ? { status: 'degraded', message: 'The board holds no prices yet.' }
        : age > freshWithinMs
          ? {
              status: 'degraded',
              message: `The newest price is ${Math.round(age / 1_000)} s old.`,
            }
          : { status: 'ok', message: 'Prices are fresh.' }
    const checks = { redis: store, data, schema: { status: 'ok', latency_ms: 0 } }
    const degraded = Object.values(checks).some(({ status }) => status !== 'ok')
    return {
      body: {
        status: degraded ? 'degraded' : 'ok',
        version: 'v1',
        timestamp: new Date(now).toISOString(),
        checks,
      },
    }
  },
}
