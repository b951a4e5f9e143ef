/** A board whose pipeline is away: expired prices are not withdrawn, so the API marks them itself. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { healthAnswer } from '../../schemas/http/health.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { type Events, openEvents } from './stream-reader.ts'

const second = 1_000
const minute = 60 * second

let service: InProcess
let events: Events
beforeAll(async () => {
  service = await startInProcess()
  await say()
  const headers = { 'X-API-Key': 'sk_test_sandbox_sharp' }
  events = await openEvents(`${service.base}/stream/all?min_profit=0.1`, headers)
  await events.next('snapshot:complete')
})
afterAll(async () => {
  events.close()
  await service.close()
})

/** Ingests two prices that make an arbitrage. There are no ticks, because no pipeline runs here. */
async function say() {
  const now = service.clock()
  await service.ingest([
    oddsRecord(now, { sportsbook: 'fanduel', prices: [2.06, 1.86] }),
    oddsRecord(now, { sportsbook: 'draftkings', prices: [1.9, 2.03] }),
  ])
  await service.settled()
}

const health = async () => {
  const { status, body } = await service.request('/health')
  return [status, body.status, healthAnswer.parse(body).checks.data.status]
}
const activity = async () =>
  (await service.get('/odds')).body.data.map((row: { is_active: boolean }) => row.is_active)
const arbitrages = async () =>
  (await service.get('/opportunities/arbitrage?min_profit=0.1')).body.data.length

describe('a board without its pipeline', () => {
  it('is fresh at first', async () => {
    expect([await activity(), await arbitrages()]).toEqual([[true, true, true, true], 1])
    expect(await health()).toEqual([200, 'ok', 'ok'])
  })

  it('reports within a minute that its prices are not of live games any more', async () => {
    service.advance(61 * second)
    expect(await health()).toEqual([200, 'degraded', 'degraded'])
    expect(await arbitrages()).toBe(1)
  })

  it('has no opportunities of expired prices, and is down', async () => {
    service.advance(4 * minute)
    expect(await arbitrages()).toBe(0)
    expect((await events.next('arb:expired')).event).toBe('arb:expired')
    expect(await health()).toEqual([503, 'down', 'down'])
    expect(await activity()).toEqual([true, true, true, true])
  })

  it('shows prices as inactive that the pipeline would have withdrawn, in streams too', async () => {
    service.advance(10 * minute)
    // For some seconds the API leaves the decision to the pipeline.
    await expect.poll(activity).toEqual([true, true, true, true])
    service.advance(16 * second)
    await expect.poll(activity).toEqual([false, false, false, false])
    const told = await events.next('odds:update')
    expect(JSON.stringify(told)).toContain('"is_active":false')
  })

  it('recovers when the sportsbooks are seen again', async () => {
    await say()
    await expect.poll(activity).toEqual([true, true, true, true])
    expect(await arbitrages()).toBe(1)
    expect(await health()).toEqual([200, 'ok', 'ok'])
  })
})
