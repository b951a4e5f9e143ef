/**
 * Two APIs on one log behind nginx, restarted in turn as a deploy does: no request fails, and clients of
 * streams come back to the other one and miss nothing.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openStreamClient, type StreamClient } from '../clients/open-stream-client.ts'
import { freePort, isInstalled, type RunningProxy, startProxy } from '../proxies/proxy.ts'
import { type Service, startService } from '../service.ts'
import '../kafka-setup.ts'

const kafka = inject('kafka')
const adminToken = 'admin-token-12345'
const ingestToken = 'ingest-token-12345'
const why =
  'reason' in kafka ? kafka.reason : isInstalled('nginx') ? null : 'nginx is not installed'

describe.skipIf(why !== null)(
  `a rolling restart${why === null ? '' : ` (skipped: ${why})`}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'overround-rolling-'))
    const agent = new Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: 8 })
    let ports: number[]
    let apis: Service[]
    let pipeline: Service
    let proxy: RunningProxy

    beforeAll(async () => {
      // The client's fetch and socket meet a certificate of the test's own.
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      ports = [await freePort(), await freePort()]
      pipeline = await startService({
        env: { ...settings('pipeline'), OVERROUND_ROLE: 'pipeline' },
        early: true,
      })
      apis = await Promise.all(ports.map(startApi))
      proxy = await startProxy('nginx', ...ports)
    }, 120_000)
    afterAll(async () => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      agent.destroy()
      await proxy?.close()
      await Promise.all([pipeline, ...(apis ?? [])].map((one) => one?.kill()))
      rmSync(directory, { recursive: true, force: true })
    })

    const settings = (name: string): Record<string, string> => ({
      ...('brokers' in kafka && {
        OVERROUND_KAFKA_BROKERS: kafka.brokers.join(','),
        OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
      }),
      OVERROUND_KAFKA_TOPIC_PREFIX: `rolling-${process.pid}.`,
      OVERROUND_KAFKA_PARTITIONS: '2',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_DATA_DIR: join(directory, name),
    })

    const startApi = (port: number) =>
      startService({
        env: {
          ...settings(String(port)),
          OVERROUND_ROLE: 'api',
          OVERROUND_PORT: String(port),
          OVERROUND_ADMIN_TOKEN: adminToken,
          OVERROUND_INGEST_TOKEN: ingestToken,
        },
      })

    interface Asked {
      readonly method?: string
      readonly headers: Record<string, string>
      readonly body?: string
    }

    /** @returns the status, or what went wrong with the connection; and the body */
    const ask = (path: string, { method = 'GET', headers, body }: Asked) =>
      new Promise<{ status: number | string; text: string }>((resolve) => {
        const failed = (error: Error) => resolve({ status: error.message, text: '' })
        const asked = request(`${proxy.origin}${path}`, { method, headers, agent }, (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (piece) => {
            text += piece
          })
          answer
            .on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
            .on('error', failed)
        })
        asked.on('error', failed).end(body)
      })

    it('fails no request and loses no update', async () => {
      const json = { 'content-type': 'application/json' }
      const { status, text } = await ask('/api/v1/admin/accounts', {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${adminToken}` },
        body: JSON.stringify({ name: 'Roller', tier: 'enterprise' }),
      })
      expect([status, text]).toEqual([201, expect.any(String)])
      const { key } = JSON.parse(text).data

      const open = (transport: 'sse' | 'websocket') =>
        openStreamClient({
          base: `${proxy.origin}/api/v1`,
          key,
          transport,
          channels: ['odds'],
          heartbeatSeconds: 1,
        })
      const clients = [open('sse'), open('websocket'), open('sse')]
      const proven = (client: StreamClient) => {
        const before = client.counts.proofs
        return expect.poll(() => client.counts.proofs).toBeGreaterThan(before + 1)
      }
      await Promise.all(clients.map(proven))

      const answers = new Map<string, number>()
      let isOver = false
      async function keepAsking(path: string, asked: Asked) {
        while (!isOver) {
          const { status } = await ask(path, asked)
          const kind = `${asked.method ?? 'GET'} ${status}`
          answers.set(kind, (answers.get(kind) ?? 0) + 1)
          await delay(5)
        }
      }
      const read = { headers: { 'X-API-Key': key as string } }
      const said = { type: 'book_status', sportsbook: 'pinnacle', status: 'up' }
      const push = {
        method: 'POST',
        headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
        body: `${JSON.stringify({ ...said, observed_at: new Date().toISOString() })}\n`,
      }
      const asking = Promise.all([
        keepAsking('/api/v1/odds?limit=5', read),
        keepAsking('/api/v1/odds/best?limit=5', read),
        keepAsking('/api/v1/ingest', push),
      ])
      try {
        for (const [i, port] of ports.entries()) {
          expect(await apis[i]!.stop()).toBe(0)
          apis[i] = await startApi(port)
          await expect
            .poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status)
            .toBe(200)
          await Promise.all(clients.map(proven))
        }
      } finally {
        isOver = true
        await asking
      }
      expect([...answers.keys()].sort()).toEqual(['GET 200', 'POST 202'])
      for (const client of clients) {
        const { counts } = client
        expect(counts.connections).toBeGreaterThan(1)
        expect(counts).toMatchObject({
          resyncs: 0,
          mismatches: 0,
          gaps: 0,
          strays: 0,
          malformed: 0,
        })
        client.close()
      }
      console.log(
        Object.fromEntries(answers),
        clients.map(({ counts }) => counts.connections),
      )
    }, 240_000)
  },
)
