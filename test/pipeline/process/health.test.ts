import { beforeEach, describe, expect, it } from 'vitest'
import type { LogOutage, Missed, StuckPartition, TopicFault } from '../../../pipeline/log/log.ts'
import {
  createPipelineHealth,
  healthRoutes,
  type PipelineHealth,
} from '../../../pipeline/process/health.ts'

let now: number
let aheadMs: number
let health: PipelineHealth
beforeEach(() => {
  now = 1_000
  aheadMs = 0
  health = createPipelineHealth({ monotonic: () => now, clockAheadMs: () => aheadMs })
})

const isFull = () => false
const outage = () => null
const stuck = (): readonly StuckPartition[] => []
const topicFaults = (): readonly TopicFault[] => []
const registryOutage = (): LogOutage | null => null
const undecodable = (): Missed => ({ counts: new Map(), last: null })
const refusedWrites = (): LogOutage | null => null
const clockDifferenceMs = (): number | null => null
const log = {
  ...{ isFull, outage, stuck, topicFaults, registryOutage, undecodable },
  ...{ refusedWrites, clockDifferenceMs },
}

function start() {
  health.opened(log)
  health.started()
  health.ticked()
}

async function ask(path: string) {
  const route = healthRoutes(health, () => Date.UTC(2026, 10, 20)).find((one) => one.path === path)!
  const { status, body } = await route.answer()
  return { status, body: JSON.parse(body) }
}

describe('a pipeline that starts', () => {
  it('is alive, is not ready, and reports what it waits for', async () => {
    health.waitsFor('Kafka at broker:9092 does not answer.')
    now += 12_000
    expect((await ask('/livez')).status).toBe(200)
    const reason = 'The start has waited for 12 s: Kafka at broker:9092 does not answer.'
    expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'starting', reason } })
    const { status, body } = await ask('/health')
    expect([status, body.status]).toEqual([503, 'down'])
    expect(body.checks.log.message).toBe(reason)
  })

  it('is ready when its log takes records, and again when its tables are restored', async () => {
    start()
    expect((await ask('/api/v1/readyz')).status).toBe(200)
    const [first, second] = [{ partition: 1 }, { partition: 0 }]
    health.assigned(first)
    health.assigned(second)
    expect((await ask('/readyz')).status).toBe(503)
    expect((await ask('/health')).body.checks.tables.status).toBe('down')
    health.restored({ assigned: second, rows: 5, durationMs: 3 })
    expect(health.state).toBe('starting')
    health.restored({ assigned: first, rows: 7, durationMs: 3 })
    expect((await ask('/readyz')).status).toBe(200)
    expect((await ask('/health')).body).toEqual({
      status: 'ok',
      version: 'v1',
      role: 'pipeline',
      timestamp: '2026-11-20T00:00:00.000Z',
      checks: {
        log: { status: 'ok' },
        tables: { status: 'ok', message: '12 rows restored, of the partitions 0, 1.' },
        schema: { status: 'ok' },
        storage: { status: 'ok' },
        clock: { status: 'ok' },
      },
    })
  })
})

describe('a pipeline that runs', () => {
  beforeEach(start)

  it('restores a partition that goes and comes back before work on it has ended', async () => {
    const [former, present] = [{ partition: 3 }, { partition: 3 }]
    health.assigned(former)
    health.assigned(present)
    health.restored({ assigned: former, rows: 9, durationMs: 3 })
    expect((await ask('/readyz')).status).toBe(503)
    health.released(former)
    expect((await ask('/readyz')).status).toBe(503)
    health.restored({ assigned: present, rows: 9, durationMs: 3 })
    expect((await ask('/readyz')).status).toBe(200)
    const { tables } = (await ask('/health')).body.checks
    expect(tables.message).toBe('9 rows restored, of the partitions 3.')
  })

  it('is well without ticks while another pipeline sends the time', async () => {
    health.clockReleased()
    now += 60_000
    expect((await ask('/health')).status).toBe(200)
  })

  it('is down while work on the log fails, and recovers', async () => {
    health.clockReleased()
    health.logAway('join group: no broker answers')
    const reason = 'join group: no broker answers'
    const { status, body } = await ask('/health')
    expect([status, body.checks.log.message]).toEqual([503, reason])
    expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'waiting', reason } })
    expect((await ask('/livez')).status).toBe(200)
    now += 30_000
    expect((await ask('/health')).status).toBe(200)
    expect((await ask('/readyz')).status).toBe(200)
  })

  it('is down while the log takes no tick', async () => {
    now += 5_000
    expect((await ask('/health')).status).toBe(200)
    now += 1_000
    const { status, body } = await ask('/health')
    expect([status, body.status, body.checks.log.status]).toEqual([503, 'down', 'down'])
    expect((await ask('/livez')).status).toBe(200)
    const reason = 'The log has taken nothing for 6 s; incoming records wait.'
    expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'waiting', reason } })
    health.ticked()
    expect((await ask('/health')).body.status).toBe('ok')
    expect((await ask('/readyz')).status).toBe(200)
  })

  it('waits for brokers that do not respond, and then restores its partitions', async () => {
    const assigned = { partition: 0 }
    const reason = 'read feed.odds: no answer'
    health.assigned(assigned)
    health.opened({ ...log, outage: () => ({ forMs: 2_000, reason }) })
    expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'waiting', reason } })
    health.opened(log)
    expect((await ask('/readyz')).body).toMatchObject({ status: 'starting' })
    health.restored({ assigned, rows: 1, durationMs: 3 })
    expect((await ask('/readyz')).status).toBe(200)
  })

  it('is degraded, and ready, while the restore of a partition waits for a transaction that does not end', async () => {
    const [held, other] = [{ partition: 3 }, { partition: 1 }]
    health.assigned(held)
    health.assigned(other)
    health.restored({ assigned: other, rows: 1, durationMs: 3 })
    expect((await ask('/readyz')).body).toMatchObject({ status: 'starting' })
    const stuck = [
      { topic: 'odds', partition: 3, forMs: 61_000 },
      { topic: 'odds', partition: 2, forMs: 75_400 },
    ]
    health.opened({ ...log, stuck: () => stuck })
    const { status, body } = await ask('/health')
    expect([status, body.status, body.checks.log]).toEqual([
      200,
      'degraded',
      {
        status: 'degraded',
        message:
          'A transaction has held up partition 2, 3 for 75 s: prices there stand still, and the text log has the command that ends it.',
      },
    ])
    expect((await ask('/readyz')).status).toBe(200)
  })

  it('is degraded, and ready, while a topic is not as it was', async () => {
    const fault = { topic: 'p.accounts', setting: 'cleanup.policy', why: 'rows are deleted' }
    health.opened({ ...log, topicFaults: () => [fault] })
    const { status, body } = await ask('/health')
    expect([status, body.status, body.checks.log.message]).toEqual([
      ...[200, 'degraded'],
      'The topic p.accounts was deleted or changed (cleanup.policy): rows are deleted.',
    ])
    expect((await ask('/readyz')).status).toBe(200)
  })

  it('is degraded, and ready, while the schema registry does not respond', async () => {
    health.opened({ ...log, registryOutage: () => ({ forMs: 40_000, reason: 'ECONNREFUSED' }) })
    const { status, body } = await ask('/health')
    expect([status, body.status]).toEqual([200, 'degraded'])
    expect(body.checks.log.message).toMatch(
      /^The schema registry has not answered for 40 s \(ECONNREFUSED\): prices move, /,
    )
    expect((await ask('/readyz')).status).toBe(200)
  })

  it('is degraded while the disk is full or the clock was set', async () => {
    health.opened({ ...log, isFull: () => true })
    expect((await ask('/health')).body).toMatchObject({
      status: 'degraded',
      checks: { storage: { status: 'degraded' } },
    })
    health.opened(log)
    aheadMs = -7_200_000
    expect((await ask('/health')).body).toMatchObject({
      status: 'degraded',
      checks: { clock: { status: 'degraded' } },
    })
  })

  it.each([
    [100_000, '100 s ahead of'],
    [-7_200_000, '7200 s behind'],
  ])(
    'is degraded, and ready, while its clock is %i ms from that of the brokers',
    async (difference, apart) => {
      health.opened({ ...log, clockDifferenceMs: () => difference })
      expect((await ask('/health')).body).toMatchObject({
        status: 'degraded',
        checks: {
          clock: {
            status: 'degraded',
            message: `The service's clock is ${apart} that of the brokers: set the clock of its machine, by NTP for example, then restart it.`,
          },
        },
      })
      expect((await ask('/readyz')).status).toBe(200)
      health.opened({ ...log, clockDifferenceMs: () => 4_999 })
      expect((await ask('/health')).body.status).toBe('ok')
    },
  )

  it('is degraded, and ready, while the log refuses a write', async () => {
    const reason = 'append to bets: User:odds lacks the right Write on the topic bets'
    health.opened({ ...log, refusedWrites: () => ({ forMs: 40_000, reason }) })
    expect((await ask('/health')).body.checks.log).toEqual({
      status: 'degraded',
      message: `The log has refused writes for 40 s (${reason}).`,
    })
    expect((await ask('/readyz')).status).toBe(200)
  })

  it('is degraded for ten minutes after it left out undecodable records', async () => {
    let agoMs = 600_000
    const counts = new Map([
      ['odds', 2],
      ['feed.odds', 1],
    ])
    health.opened({ ...log, undecodable: () => ({ counts, last: { topic: 'odds', agoMs } }) })
    const { status, body } = await ask('/health')
    expect([status, body.status, body.checks.schema.status]).toEqual([200, 'degraded', 'degraded'])
    expect(body.checks.schema.message).toMatch(/, 3 since the start, the last on odds 600 s ago; /)
    expect((await ask('/readyz')).status).toBe(200)
    agoMs++
    expect((await ask('/health')).body.status).toBe('ok')
  })

  it('is not ready once it is about to stop', async () => {
    health.stop()
    expect(await ask('/readyz')).toEqual({
      status: 503,
      body: { status: 'stopping', reason: 'The pipeline is about to stop.' },
    })
    expect((await ask('/health')).status).toBe(503)
  })
})
