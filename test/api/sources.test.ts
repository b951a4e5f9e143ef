/** The effects of a failing source on lists, health, sportsbooks and streams. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Append } from '../../pipeline/log/log.ts'
import type { SourceRow } from '../../schemas/source.ts'
import { topics } from '../../schemas/topics.ts'
import { adminToken, type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { sourceRow } from './source-row.ts'
import { openEvents, openFrames } from './stream-reader.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await service.ingest([oddsRecord(service.clock(), { sportsbook: 'fanduel' })])
  await service.settled()
})
afterAll(() => service.close())

const write = (more: Partial<SourceRow>) => {
  const value = sourceRow({ updatedAt: service.clock(), ...more })
  const row = { topic: topics.sources, partitionKey: 0, key: value.source, value }
  return service.log.append([row as Append])
}
const sources = async () => {
  const headers = { Authorization: `Bearer ${adminToken}` }
  return (await service.request('/sources', { headers })).body.data
}
const health = async () => (await service.request('/health')).body
const ofFanduel = async () => (await service.get('/sportsbooks/fanduel')).body.data

describe('a source', () => {
  it('is shown to the operator, with advice, and to nobody without the token', async () => {
    await write({ state: 'needs_key', reason: 'http_401' })
    await expect.poll(sources).toMatchObject([
      {
        id: 'the-odds-api',
        state: 'needs_key',
        reason: 'http_401',
        advice: expect.stringContaining('OVERROUND_FEEDS_FILE'),
        unmatched: 1,
        skipped: { unmapped_market: 1, no_price: 2 },
        credits_left: 480,
      },
    ])
    expect((await service.get('/sources')).status).toBe(401)
    expect(await health()).toMatchObject({
      status: 'degraded',
      checks: { data: { message: 'Live sources do not answer.' } },
      sources: { needs_key: 1 },
    })
    // A source of hidden sportsbooks is not shown to callers without a key.
    for (const hidden of [{ sportsbooks: ['pinnacle'] }, { audience: 'owner' }] as const) {
      await write({ state: 'needs_key', reason: 'http_401', ...hidden })
      await expect.poll(health).toMatchObject({ status: 'degraded', sources: {} })
      expect((await health()).sources).toEqual({})
    }
    await write({ state: 'up', reason: null })
    await expect.poll(health).toMatchObject({ status: 'ok', sources: { up: 1 } })
  })

  it('whose process is silent is down, and forgotten after a while', async () => {
    await write({ state: 'up', updatedAt: service.clock() - 31_000 })
    await expect.poll(sources).toMatchObject([{ state: 'down', reason: 'not_running' }])
    await write({ state: 'up', updatedAt: service.clock() - 601_000 })
    await expect.poll(sources).toEqual([])
    await expect.poll(async () => (await health()).sources).toBeUndefined()
  })
})

describe('a sportsbook whose sources are down', () => {
  it('is limited, its prices are inactive, and both end with the outage', async () => {
    const say = (status: 'up' | 'down', ms: number) => {
      const observed_at = new Date(service.clock() + ms).toISOString()
      return service.ingest([{ type: 'book_status', sportsbook: 'fanduel', observed_at, status }])
    }
    const activity = async () =>
      (await service.get('/odds?sportsbook=fanduel')).body.data.map(
        ({ is_active }: { is_active: boolean }) => is_active,
      )
    expect(await activity()).toEqual([true, true])
    await say('down', 1)
    await expect.poll(activity).toEqual([false, false])
    await expect
      .poll(async () => {
        service.advance(1_000)
        return ofFanduel()
      })
      .toMatchObject({ active: false, status: 'limited', source_status: 'down' })
    await say('up', 2)
    await expect.poll(activity).toEqual([true, true])
    await expect
      .poll(ofFanduel)
      .toMatchObject({ active: true, status: 'active', source_status: 'up' })
  })
})

describe('a stream', () => {
  it('is sent another state of a source, by SSE and by WebSocket, and only of what it sees', async () => {
    const keyOf = async (isOwner: boolean) => {
      const of = { name: 'x', tier: 'enterprise', addOns: [], expiresAt: null, isOwner } as const
      return { 'X-API-Key': (await service.accounts.create(of)).value }
    }
    const events = await openEvents(`${service.base}/stream/odds`, await keyOf(false))
    const owners = await openEvents(`${service.base}/stream/odds`, await keyOf(true))
    const frames = await openFrames(`${service.base}/ws?channels=odds`, {
      headers: await keyOf(false),
    })
    await Promise.all([events, owners, frames].map((stream) => stream.next('snapshot:complete')))
    await write({ source: 'mine', state: 'down', audience: 'owner', sportsbooks: ['fanduel'] })
    await write({ state: 'down', since: service.clock() })
    const told = {
      source: 'the-odds-api',
      state: 'down',
      since: new Date(service.clock()).toISOString(),
      sportsbooks: ['draftkings', 'fanduel'],
    }
    expect((await events.next('source:status')).body).toEqual(told)
    expect(await frames.next('source:status')).toMatchObject({ type: 'source:status', ...told })
    expect((await owners.next('source:status')).body).toMatchObject({ source: 'mine' })
    for (const stream of [events, owners, frames]) stream.close()
  })
})
