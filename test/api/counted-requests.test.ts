/** Which requests `overround_http_requests_total` counts: each that was answered, once. */

import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { adminToken, type InProcess, keys, startInProcess } from './service-in-process.ts'
import { openEvents } from './stream-reader.ts'

let service: InProcess
let exports = 0
beforeAll(async () => {
  service = await startInProcess({
    archive: createArchiveAccess({
      query: async () => [],
      async export() {
        exports++
        return Readable.from([Buffer.from('a,b\r\n')])
      },
      close: async () => {},
    }),
  })
})
afterAll(() => service.close())

/** Returns how many requests were answered with 200, but for those of this function. */
let scrapes = 0
async function answered(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${service.port}/metrics`, {
    headers: { Authorization: `Bearer ${adminToken}` },
  })
  const text = await response.text()
  const [, count] = /^overround_http_requests_total\{status="200"\} (\d+)$/m.exec(text) ?? []
  return Number(count ?? 0) - scrapes++
}

const path = '/historical/changes?from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z&format=csv'

it.each([
  ['GET', 'a,b\r\n', 1],
  ['HEAD', '', 0],
])('a %s of a file of the archive is counted once', async (method, body, asked) => {
  const before = await answered()
  exports = 0
  const headers = { 'X-API-Key': keys.sharp }
  const reply = await service.request(path, { method, headers })
  expect([reply.status, reply.text]).toEqual([200, body])
  expect(reply.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  expect(reply.headers.get('Content-Disposition')).toContain('.csv"')
  expect(exports).toBe(asked)
  expect(await answered()).toBe(before + 1)
})

it('a stream by SSE is counted when it opens, and no more when it ends', async () => {
  const before = await answered()
  const events = await openEvents(`${service.base}/stream?channel=odds`, {
    'X-API-Key': keys.sharp,
  })
  await expect.poll(answered).toBe(before + 1)
  await events.close()
  expect(await answered()).toBe(before + 1)
})
