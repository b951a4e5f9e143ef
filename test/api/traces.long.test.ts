/** A push followed by its id through the text log of a service in one process. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStreamClient, type StreamClient } from '../clients/open-stream-client.ts'
import { type Service, startService } from '../service.ts'
import { adminToken, ingestToken, keys } from './service-in-process.ts'
import { expectWholeLife, linesOf, pushTraced } from './traced-push.ts'

let folder: string
let service: Service
let client: StreamClient
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overround-traces-'))
  service = await startService({
    env: {
      OVERROUND_DATA_DIR: folder,
      OVERROUND_ADMIN_TOKEN: adminToken,
      OVERROUND_INGEST_TOKEN: ingestToken,
      OVERROUND_LOG_LEVEL: 'debug',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_FEEDS: 'none',
      OVERROUND_SANDBOX: 'true',
    },
  })
  client = openStreamClient({
    base: service.address,
    key: keys.sharp,
    transport: 'sse',
    channels: ['odds'],
    heartbeatSeconds: 30,
  })
})
afterAll(async () => {
  client?.close()
  await service.kill()
  await rm(folder, { recursive: true })
})

it('is logged from the push to the streams, by traceparent', async () => {
  await expect.poll(() => client.counts.messages).toBeGreaterThan(0)
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  await pushTraced(service, { traceparent: `00-${trace}-00f067aa0ba902b7-01` })
  await expectWholeLife(trace, [service])
})

it('is not logged at info, nor without an id', async () => {
  const setLevel = (level: string) =>
    fetch(`${service.address}/admin/log-level`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${adminToken}` },
      body: JSON.stringify({ level }),
    })
  await setLevel('info')
  await pushTraced(service, { 'X-Request-Id': 'quiet-1' })
  await setLevel('debug')
  // Later steps of the first push may be logged, because the level has changed by then.
  const pushesTold = () =>
    linesOf('"msg":"push ', [service]).filter(({ trace }) => trace !== 'quiet-1').length
  const before = pushesTold()
  await pushTraced(service, {})
  await pushTraced(service, { 'X-Request-Id': 'feed-7/42' })
  await expect.poll(() => linesOf('feed-7/42', [service]).length).toBe(6)
  expect(pushesTold()).toBe(before + 6)
  expect(linesOf('quiet-1', [service]).map(({ msg }) => msg)).not.toContain('push read')
})
