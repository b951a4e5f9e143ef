/** A push followed by its id through the text logs of an API and a pipeline on Kafka. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { openStreamClient } from '../clients/open-stream-client.ts'
import { startService } from '../service.ts'
import { adminToken, ingestToken, keys } from './service-in-process.ts'
import { expectWholeLife, pushTraced } from './traced-push.ts'
import '../kafka-setup.ts'

const kafka = inject('kafka')
const why = 'reason' in kafka ? ` (skipped: ${kafka.reason})` : ''
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

test.skipIf('reason' in kafka)(
  `an id is told by each process that a push comes through${why}`,
  async () => {
    if ('reason' in kafka) return
    const directory = mkdtempSync(join(tmpdir(), 'overround-traces-'))
    closing.push(() => rmSync(directory, { recursive: true }))
    const env = {
      OVERROUND_LOG_LEVEL: 'debug',
      OVERROUND_FEEDS: 'none',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_SANDBOX: 'true',
      OVERROUND_ADMIN_TOKEN: adminToken,
      OVERROUND_INGEST_TOKEN: ingestToken,
      OVERROUND_KAFKA_BROKERS: kafka.brokers.join(','),
      OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
      OVERROUND_KAFKA_TOPIC_PREFIX: `traces-${randomUUID().slice(0, 8)}.`,
      OVERROUND_KAFKA_PARTITIONS: '2',
    }
    const start = async (role: string, early: boolean) => {
      const own = { OVERROUND_ROLE: role, OVERROUND_DATA_DIR: join(directory, role) }
      const service = await startService({ env: { ...env, ...own }, early })
      closing.push(() => service.kill())
      return service
    }
    const pipeline = await start('pipeline', true)
    const api = await start('api', false)
    const client = openStreamClient({
      base: api.address,
      key: keys.sharp,
      transport: 'websocket',
      channels: ['odds'],
      heartbeatSeconds: 30,
    })
    closing.push(() => client.close())
    await expect.poll(() => client.counts.messages).toBeGreaterThan(0)
    await pushTraced(api, { 'X-Request-Id': 'feed-7/42' })
    // The tick before may have sent its changes, because another topic's partition may be read sooner.
    await expectWholeLife('feed-7/42', [api, pipeline], 0)
  },
)
