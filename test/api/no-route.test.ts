import { expect, it } from 'vitest'
import type { ApiError } from '../../api/errors.ts'
import type { Route } from '../../api/route.ts'
import { createCorsPolicy } from '../../api/server/cors.ts'
import type { Request, Response } from '../../api/server/listener.ts'
import { createNoRoute } from '../../api/server/no-route.ts'

const routes = Array.from({ length: 100 }, (_, i) => ({
  method: 'get',
  path: `/api/v1/things${i}/:id`,
  access: 'key',
})) as unknown as readonly Route[]

it('takes no longer for an unknown path if the path is long', () => {
  const statuses = new Set<number | undefined>()
  const { otherwise } = createNoRoute(routes, {
    cors: createCorsPolicy('*'),
    failure: (error) => ({ status: (error as ApiError).status }),
    files: [],
    recognise: () => {},
    send: (_, { status }) => void statuses.add(status),
  })
  const ask = (path: string) =>
    otherwise(
      {} as Response,
      { getUrl: () => path, getMethod: () => 'get', getHeader: () => '' } as unknown as Request,
    )
  /** Returns the shortest time of many, so that other work on the machine does not count. */
  function quickest(path: string): number {
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < 200; i++) {
      const from = performance.now()
      ask(path)
      least = Math.min(least, performance.now() - from)
    }
    return least
  }
  const short = quickest('/api/v1/things')
  expect(quickest(`/api/v1/things1/${'a/'.repeat(4_000)}`)).toBeLessThan(short * 20)
  ask('/api/v1/things1/a')
  expect([...statuses]).toEqual([404, 405])
})
