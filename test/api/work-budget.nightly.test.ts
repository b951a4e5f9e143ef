import { describe, expect, it } from 'vitest'
import { tierRights } from '../../api/access/tiers.ts'
import { createWorkBudget, uncountedMs } from '../../api/access/work-budget.ts'
import { ApiError } from '../../api/errors.ts'
import { keys, oddsRecord, startInProcess } from './service-in-process.ts'

const pro = { accountId: 'a', tier: 'pro', requestsPerMinute: 300 } as const

function stepped() {
  let now = 0
  const budget = createWorkBudget(() => now)
  const pass = (ms: number) => {
    now += ms
  }
  return {
    budget,
    pass,
    work: (caller: Parameters<typeof budget.admit>[0], ms: number) =>
      budget.run(caller, () => pass(ms)),
    refusal(caller: Parameters<typeof budget.admit>[0]): ApiError | null {
      try {
        budget.admit(caller)
        return null
      } catch (error) {
        if (error instanceof ApiError) return error
        throw error
      }
    },
  }
}

describe('the time budget of requests', () => {
  it('is, over an hour of steady requests, the tier’s budget and one burst', () => {
    const { work, refusal, pass } = stepped()
    let worked = 0
    const hourMs = 3_600_000
    for (let spent = 0; spent < hourMs; ) {
      const ms = refusal(pro) ? 0 : 25
      if (ms > 0) work(pro, ms)
      else pass(10)
      worked += ms
      spent += ms || 10
    }
    const perHour = 60 * tierRights.pro.workMsPerMinute
    expect(worked).toBeGreaterThan(perHour)
    expect(worked).toBeLessThan(perHour + 1.1 * tierRights.pro.workMsPerMinute)
  })

  it('refuses requests with the time to wait, and is granted again after that', () => {
    const { work, refusal, pass } = stepped()
    work(pro, 10_000)
    const error = refusal(pro)!
    expect([error.code, error.status]).toEqual(['work_limited', 429])
    const seconds = error.details.retry_after as number
    expect(seconds).toBe(Math.ceil((10_000 - 6_000) / 100))
    pass(1_000 * (seconds - 1))
    expect(refusal(pro)).not.toBeNull()
    pass(1_001)
    expect(refusal(pro)).toBeNull()
  })

  it('keeps a debt, however long it takes to pay', () => {
    const { work, refusal, pass } = stepped()
    const minutes = 5
    work(pro, (minutes + 1) * tierRights.pro.workMsPerMinute)
    pass(60_000 * (minutes - 1))
    // Work of another account lets idle accounts be forgotten.
    work({ ...pro, accountId: 'b' }, uncountedMs)
    expect(refusal(pro)).not.toBeNull()
    pass(61_000)
    expect(refusal(pro)).toBeNull()
  })

  it('lets work that has begun go on until the account has overdrawn five times its credit', () => {
    const { budget, work, pass } = stepped()
    const goOn = () => budget.goOn(pro)
    expect(goOn).not.toThrow()
    work(pro, 6 * tierRights.pro.workMsPerMinute - 1)
    expect(goOn).not.toThrow()
    work(pro, 2 * uncountedMs)
    expect(goOn).toThrow(expect.objectContaining({ code: 'work_limited' }))
    pass(100)
    expect(goOn).not.toThrow()
  })

  it('is of the account, whatever its keys, and of no other', () => {
    const { work, refusal } = stepped()
    work(pro, 10_000)
    expect(refusal({ ...pro })).not.toBeNull()
    expect(refusal({ ...pro, accountId: 'b' })).toBeNull()
  })

  it('is not charged for short pieces', () => {
    const { work, refusal } = stepped()
    for (let i = 0; i < 100_000; i++) work(pro, uncountedMs / 2)
    expect(refusal(pro)).toBeNull()
  })

  it('grows with the account’s requests', () => {
    const { work, refusal } = stepped()
    const more = { ...pro, accountId: 'c', requestsPerMinute: 3_000 }
    work(more, 20_000)
    expect(refusal(more)).toBeNull()
  })

  it('is charged for bets that are looked up', async () => {
    let now = 0
    const service = await startInProcess({ workTimer: () => (now += 1_000) })
    try {
      const bet = {
        ...{ placed_at: '2025-03-07T12:00:00Z', home_team: 'Knicks', away_team: 'Nets' },
        ...{ start_time: '2025-03-08', market: 'moneyline', selection: 'home' },
        ...{ odds_decimal: 2, stake: 1, sportsbook: 'draftkings' },
      }
      const post = async (body: object) => {
        const headers = { 'X-API-Key': keys.sharp, 'Content-Type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await service.request('/account/bets', init)).status
      }
      // A minute has ten seconds of work: one goes to the request, the others to its work after an `await`.
      const statuses = [
        await post({ ...bet, league: 'nba' }),
        await post({ ...bet, league: 'nba' }),
      ]
      statuses.push(await post({ ...bet, league: 'nba' }))
      expect(statuses).toEqual([200, 200, 429])
    } finally {
      await service.close()
    }
  })

  it('is charged for reading bets of which none is kept', async () => {
    // Each charged piece of work reads the clock twice, and a few lines are one piece.
    let now = 0
    const service = await startInProcess({ workTimer: () => ++now })
    try {
      const refused = { placed_at: '2025-03-07T12:00:00Z', odds_decimal: 0.5, stake: 1 }
      const charged = async (count: number) => {
        const before = now
        const headers = { 'X-API-Key': keys.sharp, 'Content-Type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(Array(count).fill(refused)) }
        const { body } = await service.request('/account/bets', init)
        expect([body.data.accepted, body.data.rejected_count]).toEqual([0, count])
        return now - before
      }
      await charged(1)
      const ofOne = await charged(1)
      expect(await charged(5_000)).toBeGreaterThan(ofOne)
    } finally {
      await service.close()
    }
  })

  it('ends a request that overdraws far more than a minute has, and stores nothing of it', async () => {
    let now = 0
    let perReading = 0
    const service = await startInProcess({ workTimer: () => (now += perReading) })
    try {
      const bet = {
        ...{ placed_at: '2025-03-07T12:00:00Z', home_team: 'Knicks', away_team: 'Nets' },
        ...{ start_time: '2025-03-08', market: 'moneyline', selection: 'home', league: 'nba' },
        ...{ odds_decimal: 2, stake: 1, sportsbook: 'draftkings' },
      }
      const post = (count: number) =>
        service.request('/account/bets', {
          method: 'POST',
          headers: { 'X-API-Key': keys.sharp, 'Content-Type': 'application/json' },
          body: JSON.stringify(Array(count).fill(bet)),
        })
      const stored = async () => (await service.get('/account/bets', 'sharp')).body.pagination.total
      perReading = 30_000
      const { status, headers, body } = await post(5_000)
      expect([status, body.code]).toEqual([429, 'work_limited'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(300)
      perReading = 0
      now += 600_000
      expect(await stored()).toBe(0)
      expect((await post(5_000)).body.data.accepted).toBe(5_000)
      expect(await stored()).toBe(5_000)
    } finally {
      await service.close()
    }
  })

  it('ends with 429 over HTTP, for that account only', async () => {
    // Each reading of the clock adds a second, so every request costs one.
    let now = 0
    const service = await startInProcess({ workTimer: () => (now += 1_000) })
    try {
      await service.ingest([oddsRecord(service.clock(), { sportsbook: 'draftkings' })])
      await service.settled()
      const statuses: number[] = []
      for (let i = 0; i < 12; i++) {
        const { status } = await service.get(`/odds?limit=${i + 1}`, 'pro')
        statuses.push(status)
      }
      expect(statuses[0]).toBe(200)
      const refused = statuses.indexOf(429)
      expect(refused).toBeGreaterThan(0)
      const refusal = await service.get('/odds', 'pro')
      expect([refusal.status, refusal.body.code]).toEqual([429, 'work_limited'])
      expect((await service.get('/odds', 'sharp')).status).toBe(200)
    } finally {
      await service.close()
    }
  })
})
