/** An API and a pipeline with their broker and registry absent, killed or paused: none ends, reads go on. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findFreePort } from '../../infra/kafka-local/jvm.ts'
import { startLocalKafka } from '../../infra/kafka-local/kafka-local.ts'
import { type LiveSource, openLiveSource } from '../live-source.ts'
import { type Service, startService } from '../service.ts'
import '../kafka-setup.ts'

const kafka = inject('kafka')
/** Whether this test started the broker. It cannot kill brokers that are configured or in containers. */
const isOurs = !('reason' in kafka) && process.env.OVERROUND_KAFKA_BROKERS === undefined
const adminToken = 'admin-token-12345'
const ingestToken = 'ingest-token-12345'
const asOperator = { authorization: `Bearer ${adminToken}` }
/** Longer than a client retries by itself (ms); by hand, 60 s were outlasted too. */
const outageMs = 12_000
/** Longer than a transaction is retried (ms). */
const longOutageMs = 20_000
/** Longest time to respond to a write while the log is away (ms). */
const refusedWithinMs = 2_000

describe.skipIf(!isOurs)('while the log is away', () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-outage-'))
  let cluster: Awaited<ReturnType<typeof startLocalKafka>>
  let source: LiveSource
  let env: Record<string, string> = {}
  let api: Service
  let pipeline: Service
  let origin = ''
  let key = ''
  let counted = 0

  beforeAll(async () => {
    cluster = await startLocalKafka({ dataDir: directory })
    await breakAll()
    source = await openLiveSource(directory)
    env = {
      OVERROUND_KAFKA_BROKERS: cluster.brokers,
      OVERROUND_SCHEMA_REGISTRY_URL: cluster.registryUrl,
      OVERROUND_KAFKA_PARTITIONS: '2',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_LOG_LEVEL: 'info',
    }
    origin = `http://127.0.0.1:${await findFreePort()}`
    api = await startService({ env: apiEnv(), early: true })
    pipeline = await startService({
      env: {
        ...env,
        OVERROUND_ROLE: 'pipeline',
        OVERROUND_HEALTH_PORT: '0',
        OVERROUND_FEEDS: `simulator,${source.name}`,
        OVERROUND_FEEDS_FILE: source.file,
      },
      early: true,
    })
    for (const one of [api, pipeline]) {
      void one.ended.then((code) => {
        if (!isStopping) ends.push(`ended with ${code}:\n${one.output().slice(-5_000)}`)
      })
    }
  })
  afterAll(async () => {
    isStopping = true
    await Promise.all([api?.kill(), pipeline?.kill()])
    await cluster?.stop()
    await source?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const apiEnv = () => ({
    ...env,
    OVERROUND_ROLE: 'api',
    OVERROUND_PORT: new URL(origin).port,
    OVERROUND_ADMIN_TOKEN: adminToken,
    OVERROUND_INGEST_TOKEN: ingestToken,
  })

  const breakAll = () => Promise.all([...cluster.nodes, cluster.registry].map((one) => one.kill()))
  const mendAll = () => Promise.all([...cluster.nodes, cluster.registry].map((one) => one.start()))

  async function ask(path: string, init: RequestInit = {}) {
    const since = performance.now()
    const response = await fetch(`${origin}${path}`, init)
    const text = await response.text()
    const body = text.startsWith('{') ? JSON.parse(text) : text
    return {
      status: response.status,
      headers: response.headers,
      body,
      ms: performance.now() - since,
    }
  }

  /** Sends a request that counts as usage. */
  async function read(path = '/api/v1/odds?limit=5') {
    const answer = await ask(path, { headers: { 'X-API-Key': key } })
    counted++
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer
  }

  const asAdmin = (body: object) =>
    ask('/api/v1/admin/accounts', {
      method: 'POST',
      headers: { ...asOperator, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  const ingest = () =>
    ask('/api/v1/ingest', {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify({ type: 'book_status', sportsbook: 'pinnacle', observed_at: new Date().toISOString(), status: 'up' })}\n`,
    })

  let isStopping = false
  /** The output of processes that have ended. */
  const ends: string[] = []
  const expectAlive = () => expect(ends).toEqual([])

  /** Reads for some ms, with writes that are refused. */
  async function readThrough(ms: number) {
    const until = performance.now() + ms
    const refused: number[] = []
    let reads = 0
    while (performance.now() < until) {
      for (let i = 0; i < 5; i++) {
        await read()
        reads++
        await delay(50)
      }
      for (const answer of await Promise.all([ingest(), asAdmin({ name: 'Late', tier: 'pro' })])) {
        expect(answer.status, JSON.stringify(answer.body)).toBe(503)
        expect(answer.body.error.code).toBe('service_unavailable')
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        refused.push(answer.ms)
      }
    }
    expectAlive()
    expect(reads).toBeGreaterThan(10)
    console.log(`${reads} reads, writes refused within ${Math.max(...refused).toFixed(0)} ms`)
    expect(Math.max(...refused)).toBeLessThan(refusedWithinMs)
  }

  /** Waits until prices change, writes are accepted, and the source is polled and its row written again. */
  async function recovered() {
    const since = performance.now()
    const mendedAt = Date.now()
    const asked = source.calls()
    await expect.poll(async () => (await ingest()).status).toBe(202)
    const taken = performance.now() - since
    const newest = async () => (await ask('/readyz')).body
    await expect.poll(async () => (await newest()).checks.log.status).toBe('ok')
    const newestPrice = async () => {
      const { body } = await read('/api/v1/odds?limit=50&sort=-last_seen_at')
      return Math.max(
        ...body.data.map((row: { last_seen_at: string }) => Date.parse(row.last_seen_at)),
      )
    }
    const before = await newestPrice()
    await expect.poll(newestPrice).toBeGreaterThan(before)
    await expect.poll(() => source.calls()).toBeGreaterThan(asked + 1)
    const row = async () => (await ask('/api/v1/sources', { headers: asOperator })).body.data[0]
    await expect.poll(async () => Date.parse((await row())?.updated_at)).toBeGreaterThan(mendedAt)
    await expect.poll(async () => (await row()).state).toBe('up')
    console.log(
      `writes after ${taken.toFixed(0)} ms, prices after ${(performance.now() - since).toFixed(0)} ms`,
    )
  }

  it('a start waits, and logs the reason', async () => {
    await expect.poll(() => ask('/livez').catch(() => null)).not.toBeNull()
    const ready = await ask('/readyz')
    expect([ready.status, ready.body.status]).toEqual([503, 'starting'])
    expect(ready.body.reason).toMatch(/Kafka|registry|schema/i)
    const health = await ask('/health')
    expect([health.status, health.body.status]).toEqual([503, 'down'])
    expect((await ask('/livez')).status).toBe(200)
    const refused = await ask('/api/v1/odds')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expectAlive()
    await mendAll()
    await expect.poll(async () => (await ask('/readyz').catch(() => null))?.status).toBe(200)
    await expect.poll(async () => (await asAdmin({ name: 'Reader', tier: 'pro' })).status).toBe(201)
    const { body } = await asAdmin({ name: 'Counted', tier: 'enterprise' })
    key = body.data.key
    await expect.poll(async () => (await read()).body.data.length).toBeGreaterThan(0)
    await recovered()
  })

  it('a killed broker and registry are outlasted', async () => {
    await breakAll()
    await readThrough(longOutageMs)
    const { status, body } = await ask('/health')
    expect([status, body.status]).toEqual([200, 'degraded'])
    expect((await ask('/readyz')).body.checks.log.status).toBe('degraded')
    await mendAll()
    await recovered()
  })

  it('a hanging broker is outlasted', async () => {
    for (const node of cluster.nodes) node.pause()
    await readThrough(outageMs)
    for (const node of cluster.nodes) node.resume()
    await recovered()
  })

  it('all usage is in the log, once', async () => {
    // A graceful stop writes the counted usage, and the next start reads it.
    isStopping = true
    expect(await api.stop()).toBe(0)
    api = await startService({ env: apiEnv() })
    const { body } = await read('/api/v1/account/usage')
    expect(body.data.requests.today).toBe(counted)
  })
})
