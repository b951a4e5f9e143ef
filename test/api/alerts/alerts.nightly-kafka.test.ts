/** With two API processes on one broker, one decides and sends the alerts. The other takes over when it is killed. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Service, startService } from '../../service.ts'
import { moneyline } from '../hand-made-market.ts'
import { oddsRecord } from '../service-in-process.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import '../../kafka-setup.ts'

const kafka = inject('kafka')
const adminToken = 'admin-token-12345'
const ingestToken = 'ingest-token-12345'
const key = 'sk_test_sandbox_sharp'

describe.skipIf('reason' in kafka)(
  `alerts of two APIs${'reason' in kafka ? ` (skipped: ${kafka.reason})` : ''}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'overround-alerts-kafka-'))
    const settings = (name: string): Record<string, string> => ({
      ...('brokers' in kafka && {
        OVERROUND_KAFKA_BROKERS: kafka.brokers.join(','),
        OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
      }),
      OVERROUND_KAFKA_TOPIC_PREFIX: `alerts-${process.pid}.`,
      OVERROUND_KAFKA_PARTITIONS: '2',
      OVERROUND_FEEDS: 'none',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_DATA_DIR: join(directory, name),
    })
    let receiver: Receiver
    let pipeline: Service
    let apis: Service[]

    const startApi = (name: string) =>
      startService({
        env: {
          ...settings(name),
          OVERROUND_ROLE: 'api',
          OVERROUND_ADMIN_TOKEN: adminToken,
          OVERROUND_INGEST_TOKEN: ingestToken,
          OVERROUND_ALERT_TARGETS: 'any',
        },
      })

    beforeAll(async () => {
      receiver = await openReceiver()
      pipeline = await startService({
        env: { ...settings('pipeline'), OVERROUND_ROLE: 'pipeline' },
        early: true,
      })
      apis = await Promise.all([startApi('a'), startApi('b')])
    })
    afterAll(async () => {
      await Promise.all([pipeline, ...(apis ?? [])].map((one) => one?.kill()))
      await receiver?.close()
      rmSync(directory, { recursive: true, force: true })
    })

    async function holds(api: Service): Promise<boolean> {
      const scraped = await fetch(new URL('/metrics', api.address), {
        headers: { Authorization: `Bearer ${adminToken}` },
      })
      return /^overround_alerts_held 1$/m.test(await scraped.text())
    }

    /** Waits until exactly one API holds the alerts, and returns it. */
    async function holder(): Promise<Service> {
      let holding: Service[] = []
      await expect
        .poll(async () => {
          const answers = await Promise.all(apis.map(holds))
          holding = apis.filter((_, i) => answers[i])
          return holding.length
        })
        .toBe(1)
      return holding[0]!
    }

    /** Sends a request until it gets the status, because a log just opened may fail the first writes. */
    async function ask(path: string, init: RequestInit, status: number): Promise<Response> {
      let answer!: Response
      await expect
        .poll(async () => {
          answer = await fetch(`${apis[0]!.address}${path}`, init)
          return answer.status
        })
        .toBe(status)
      return answer
    }

    const push = (home: string, away: string) =>
      ask(
        '/ingest',
        {
          method: 'POST',
          headers: { Authorization: `Bearer ${ingestToken}` },
          body: (
            [
              ['draftkings', moneyline(2.1, 1.7)],
              ['fanduel', moneyline(1.8, 2.05)],
            ] as const
          )
            .map(([sportsbook, market]) => {
              const startsAt = '2030-11-21T00:30:00Z'
              const about = { sportsbook, home, away, startsAt, markets: [market] }
              return JSON.stringify(oddsRecord(Date.now(), about))
            })
            .join('\n'),
        },
        202,
      )

    it('send each message once, also those due when their holder was killed', async () => {
      const body = {
        name: 'every arbitrage',
        kind: 'arbitrage',
        once_per: 'opportunity',
        target: { type: 'webhook', url: `${receiver.url}/odds` },
      }
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      await ask('/account/alerts', init, 201)
      const first = await holder()
      await push('New York Knicks', 'Brooklyn Nets')
      await expect.poll(() => receiver.received.length).toBe(1)

      await first.kill()
      apis = apis.filter((api) => api !== first)
      await push('Boston Celtics', 'Miami Heat')
      await holder()
      const names = () => new Set(receiver.received.map(({ body }) => body.data.event.name))
      await expect.poll(() => names().size).toBe(2)
      await push('Chicago Bulls', 'Utah Jazz')
      await expect.poll(() => names().size).toBe(3)
      expect(new Set(receiver.ids('/odds')).size).toBe(3)
      // A message delivered shortly before the kill may be sent twice, because its row is written after it.
      console.log(`${receiver.received.length} requests of 3 messages`)
    })
  },
)
