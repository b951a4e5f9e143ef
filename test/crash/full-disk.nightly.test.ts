/**
 * The real service on a disk that fills up and is freed: reads work throughout, writes are refused
 * by name, everything resumes by itself, and every acknowledged record is in the log.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { topics } from '../../schemas/topics.ts'
import { type Service, startService } from '../service.ts'
import { fillDisk, mountSmallDisk } from '../small-disk.ts'

const ingestToken = 'ingest-token-1234'
const adminToken = 'admin-token-12345'

let directory: string
let disk: string
let ballast: string
let unmount: (() => void) | undefined
let service: Service | undefined

beforeEach((context) => {
  directory = mkdtempSync(join(tmpdir(), 'overround-full-'))
  disk = join(directory, 'disk')
  ballast = join(disk, 'ballast')
  unmount = mountSmallDisk(disk, 128)
  if (!unmount) context.skip('a disk cannot be mounted here')
})
afterEach(async () => {
  await service?.kill()
  service = undefined
  unmount?.()
  rmSync(directory, { recursive: true, force: true })
})

const start = async () => {
  service = await startService({
    env: {
      OVERROUND_DATA_DIR: join(disk, 'data'),
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_FEEDS: 'simulator',
      OVERROUND_INGEST_TOKEN: ingestToken,
      OVERROUND_ADMIN_TOKEN: adminToken,
    },
  })
  return service
}

const key = { 'X-API-Key': 'sk_test_sandbox_sharp' }
const ask = async (service: Service, path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${service.address}${path}`, { headers: key, ...init })
  const body = (await answer.json()) as Record<string, never>
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body }
}

/** Pushes a sportsbook that only this push names, so that the log shows whether it was taken. */
const push = (service: Service, sportsbook: string) =>
  ask(service, '/ingest', {
    method: 'POST',
    headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({
      type: 'book_status',
      sportsbook,
      observed_at: new Date().toISOString(),
      status: 'up',
    }),
  })

const createAccount = (service: Service, name: string) =>
  ask(service, '/admin/accounts', {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, tier: 'pro' }),
  })

const placeBet = (service: Service) =>
  ask(service, '/account/bets', {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify([
      {
        placed_at: '2025-03-07T12:00:00Z',
        league: 'NBA',
        home_team: 'NY Knicks',
        away_team: 'Brooklyn',
        start_time: '2025-03-08T00:30:00Z',
        market: 'moneyline',
        selection: 'home',
        odds_decimal: 1.95,
        stake: 10,
        sportsbook: 'DraftKings',
      },
    ]),
  })

const readsAnswer = async (service: Service) => {
  const { status, body } = await ask(service, '/odds?limit=5')
  expect(status).toBe(200)
  expect((body as { data?: unknown[] }).data).toHaveLength(5)
}

async function healthOf(service: Service) {
  const [health, readiness] = await Promise.all(
    ['/health', '/readyz'].map((path) => ask(service, path)),
  )
  const { status } = health!.body as unknown as { status: string }
  const { checks } = readiness!.body as unknown as {
    checks: Record<string, { status: string; message?: string }>
  }
  return { status, checks }
}

const refusal = { status: 503, retryAfter: '10', body: { code: 'storage_full' } }

it('serves readers on a full disk, refuses writes, and recovers with everything it acknowledged', async () => {
  const acknowledged: string[] = []
  const refused: string[] = []
  let count = 0
  /** Pushes once and records the result. */
  const pushNext = async (service: Service) => {
    const sportsbook = `pushed${count++}`
    const { status } = await push(service, sportsbook)
    if (status === 202) acknowledged.push(sportsbook)
    else refused.push(sportsbook)
    return status
  }
  let running = await start()
  for (let i = 0; i < 20; i++) expect(await pushNext(running)).toBe(202)

  fillDisk(ballast)
  // The current write may still find free pages to reuse.
  await expect.poll(() => pushNext(running)).toBe(503)
  expect(await push(running, 'late')).toMatchObject(refusal)
  expect(await createAccount(running, 'late')).toMatchObject(refusal)
  expect(await placeBet(running)).toMatchObject(refusal)
  await readsAnswer(running)
  expect(await healthOf(running)).toMatchObject({
    status: 'degraded',
    checks: { storage: { status: 'degraded', message: expect.stringMatching(/disk .* full/) } },
  })

  rmSync(ballast)
  await expect.poll(() => pushNext(running)).toBe(202)
  expect(await healthOf(running)).toMatchObject({ checks: { storage: { status: 'ok' } } })
  const prices = await pricesOf(running)
  // The pipeline also resumes: prices move again.
  await expect.poll(() => pricesOf(running)).not.toEqual(prices)

  // It starts on a full disk to serve reads, and stops on one.
  expect(await running.stop()).toBe(0)
  fillDisk(ballast)
  running = await start()
  await readsAnswer(running)
  expect(await push(running, 'late')).toMatchObject(refusal)
  expect(await running.stop()).toBe(0)
  running = await start()
  rmSync(ballast)
  await expect.poll(() => pushNext(running)).toBe(202)
  await running.kill()

  const stored = await storedSportsbooks()
  expect(acknowledged.filter((sportsbook) => !stored.has(sportsbook))).toEqual([])
  expect(refused.filter((sportsbook) => stored.has(sportsbook))).toEqual([])
  expect(stored.has('late')).toBe(false)
})

const pricesOf = async (service: Service) =>
  (await ask(service, '/odds?limit=200&fields=id,odds_decimal')).body.data

async function storedSportsbooks(): Promise<Set<string>> {
  const log = await openEmbeddedLog({ path: join(disk, 'data', 'log') })
  const stored = new Set<string>()
  try {
    const { signal } = new AbortController()
    const tables = [topics.sportsbookStatus]
    for await (const records of log.replay(tables, { partitions: [0], signal })) {
      for (const record of records) stored.add(record.key)
    }
    // Records that were taken but not yet processed.
    for await (const { batches } of log.join([topics.feedOdds], { group: 'ledger', signal })) {
      let left = await log.lag([topics.feedOdds], 'ledger')
      for await (const { records } of batches) {
        for (const { key } of records) stored.add(key)
        left -= records.length
        if (left <= 0) break
      }
      break
    }
  } finally {
    await log.close()
  }
  return stored
}

it('reports that a disk is too full to start on', async () => {
  fillDisk(ballast)
  await expect(start()).rejects.toThrow(
    /overround cannot start: The log in \S+ \(OVERROUND_DATA_DIR\) cannot be opened: .*(no space|full)/i,
  )
})
