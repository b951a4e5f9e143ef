/**
 * Two APIs on one log behind nginx, or behind Caddy by `OVERROUND_TEST_PROXY=caddy`, restarted in turn as a
 * deploy does: no request fails, and stream clients reconnect to the other one and miss nothing.
 * `OVERROUND_TEST_ROLLING=20,16,500` makes it 20 restarts, 16 readers and 500 streams.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openStreamClient, type StreamClient } from '../clients/open-stream-client.ts'
import {
  freePort,
  isInstalled,
  proxyNames,
  type RunningProxy,
  startProxy,
} from '../proxies/proxy.ts'
import { type Service, startService } from '../service.ts'
import '../kafka-setup.ts'

const [restarts, readers, streams] = (process.env.OVERROUND_TEST_ROLLING ?? '2,3,20')
  .split(',')
  .map(Number) as [number, number, number]
/** Number of readers that also write. */
const writers = Math.ceil(readers / 4)
/** Streams of one account; its tier may have 50. */
const streamsPerAccount = 40
/** Stays within an account's requests, even when limits are shared. */
const askEveryMs = 50

const proxyName = proxyNames.find((name) => name === process.env.OVERROUND_TEST_PROXY) ?? 'nginx'
const kafka = inject('kafka')
const adminToken = 'admin-token-12345'
const ingestToken = 'ingest-token-12345'
const why =
  'reason' in kafka ? kafka.reason : isInstalled(proxyName) ? null : `${proxyName} is not installed`

describe.skipIf(why !== null)(
  `a rolling restart${why === null ? '' : ` (skipped: ${why})`}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'overround-rolling-'))
    const agent = new Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: readers + 1 })
    let ports: number[]
    let apis: Service[]
    let pipeline: Service
    let proxy: RunningProxy

    beforeAll(async () => {
      // The client's fetch and socket meet the test's own certificate.
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
      ports = [await freePort(), await freePort()]
      pipeline = await startService({
        env: { ...settings('pipeline'), OVERROUND_ROLE: 'pipeline' },
        early: true,
      })
      apis = await Promise.all(ports.map(startApi))
      proxy = await startProxy(proxyName, ...ports)
    })
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

    /** @returns the status, or the connection's error, and the body */
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

    /** Creates an account, again where a slow log has not confirmed it: nothing restarts yet. */
    const createAccount = async (): Promise<string> => {
      const { status, text } = await ask('/api/v1/admin/accounts', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
        body: JSON.stringify({ name: 'Roller', tier: 'enterprise' }),
      })
      if (status === 503) return createAccount()
      expect([status, text]).toEqual([201, expect.any(String)])
      return JSON.parse(text).data.key
    }

    it('fails no request and loses no update', async () => {
      const keys: string[] = []
      for (let i = 0; i <= streams / streamsPerAccount; i++) keys.push(await createAccount())
      const open = (transport: 'sse' | 'websocket') =>
        openStreamClient({
          base: `${proxy.origin}/api/v1`,
          key: keys[0]!,
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
      const listeners = Array.from({ length: streams - clients.length }, (_, i) =>
        openListener(
          `${proxy.origin}/api/v1/stream/odds?sportsbook=pinnacle&market=moneyline`,
          keys[1 + Math.floor(i / streamsPerAccount)] ?? keys[0]!,
        ),
      )
      const allListen = () =>
        expect
          .poll(() => listeners.filter(({ counts }) => counts.isOpen).length)
          .toBe(listeners.length)
      await allListen()

      const answers = new Map<string, number>()
      let isOver = false
      async function keepAsking(path: string, asked: Asked) {
        while (!isOver) {
          const { status } = await ask(path, asked)
          const kind = `${asked.method ?? 'GET'} ${status}`
          answers.set(kind, (answers.get(kind) ?? 0) + 1)
          await delay(askEveryMs)
        }
      }
      const said = { type: 'book_status', sportsbook: 'pinnacle', status: 'up' }
      const push = {
        method: 'POST',
        headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
        body: `${JSON.stringify({ ...said, observed_at: new Date().toISOString() })}\n`,
      }
      const paths = ['/api/v1/odds?limit=5', '/api/v1/odds/best?limit=5']
      const asking = Promise.all([
        ...Array.from({ length: writers }, () => keepAsking('/api/v1/ingest', push)),
        ...Array.from({ length: readers - writers }, (_, i) =>
          keepAsking(paths[i % 2]!, { headers: { 'X-API-Key': keys[i % keys.length]! } }),
        ),
      ])
      try {
        for (let i = 0; i < restarts; i++) {
          const which = i % 2
          expect(await apis[which]!.stop()).toBe(0)
          apis[which] = await startApi(ports[which]!)
          await expect
            .poll(async () => (await fetch(`http://127.0.0.1:${ports[which]}/readyz`)).status)
            .toBe(200)
          await Promise.all(clients.map(proven))
          await allListen()
        }
      } finally {
        isOver = true
        await asking
        for (const client of [...clients, ...listeners]) client.close()
      }
      const listened = listeners.map(({ counts }) => counts)
      const total = (name: 'connections' | 'updates') =>
        listened.reduce((sum, counts) => sum + counts[name], 0)
      console.log({
        answers: Object.fromEntries(answers),
        streams,
        restarts,
        connections:
          total('connections') + clients.reduce((n, { counts }) => n + counts.connections, 0),
        updates: total('updates'),
        faults: listened.flatMap(({ faults }) => faults).slice(0, 10),
        said: proxy
          .output()
          .split('\n')
          .filter((line) => line.includes('POST') && !line.includes('Connection refused'))
          .slice(0, 10),
      })
      expect([...answers.keys()].sort()).toEqual(['GET 200', 'POST 202'])
      expect(listened.flatMap(({ faults }) => faults)).toEqual([])
      expect(total('updates')).toBeGreaterThan(0)
      for (const { counts } of clients) {
        expect(counts.connections).toBeGreaterThan(1)
        expect(counts).toMatchObject({
          resyncs: 0,
          mismatches: 0,
          gaps: 0,
          strays: 0,
          malformed: 0,
        })
      }
    })

    interface Listener {
      readonly counts: {
        isOpen: boolean
        connections: number
        updates: number
        /** Statuses other than 200, and connections that were reset or ended unlike a stream. */
        readonly faults: string[]
      }
      close(): void
    }

    /** Reads a stream as an EventSource does: reconnects after each end, at its last id, after the given pause. */
    function openListener(url: string, key: string): Listener {
      const counts = { isOpen: false, connections: 0, updates: 0, faults: [] as string[] }
      const closed = new AbortController()
      const { signal } = closed
      let lastEventId = ''
      let retryMs = 1_000
      const own = new Agent({ rejectUnauthorized: false })

      function read(line: string) {
        if (line.startsWith('id:')) lastEventId = line.slice(3).trim()
        else if (line.startsWith('retry:')) retryMs = Number(line.slice(6))
        else if (line.startsWith('event:')) {
          counts.updates++
          counts.isOpen = true
        }
      }

      const connect = () =>
        new Promise<void>((resolve) => {
          const failed = (error: Error) => {
            if (!signal.aborted) counts.faults.push(error.message)
            resolve()
          }
          const headers = {
            'X-API-Key': key,
            ...(lastEventId !== '' && { 'Last-Event-ID': lastEventId }),
          }
          request(url, { headers, agent: own, signal }, (answer) => {
            if (answer.statusCode !== 200) counts.faults.push(`status ${answer.statusCode}`)
            let rest = ''
            answer.setEncoding('utf8').on('data', (piece: string) => {
              const lines = (rest + piece).split('\n')
              rest = lines.pop()!
              for (const line of lines) read(line)
            })
            answer.on('end', resolve).on('error', failed)
          })
            .on('error', failed)
            .end()
        })

      async function listen() {
        while (!signal.aborted) {
          counts.connections++
          await connect()
          counts.isOpen = false
          await delay(retryMs, undefined, { signal }).catch(() => {})
        }
        own.destroy()
      }
      listen()
      return { counts, close: () => closed.abort() }
    }
  },
)
