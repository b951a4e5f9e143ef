import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStreamsByHand } from './streams-without-sockets.ts'

const knicks = 'nba_bulls_knicks_2027-01-14_b3'

let by: ReturnType<typeof createStreamsByHand>
beforeEach(() => {
  by = createStreamsByHand()
  by.event(knicks)
  by.odds(knicks, { sportsbook: 'draftkings', price: 1.9 }, { sportsbook: 'fanduel', price: 2.1 })
})
afterEach(() => by.close())

const spendAll = () => by.budget.charge(by.callerOf('sharp'), by.workTime.ms - 600_000)

async function opened(query: string) {
  const client = by.open(query, 'sharp')
  await by.until('the snapshot', () => client.of('snapshot:complete').length > 0)
  return client
}

describe('an account without credit', () => {
  it('keeps its stream and is told so when it requests something else', async () => {
    const client = await opened('channels=odds')
    spendAll()
    const before = client.frames.length
    client.say({ type: 'filter', filters: { min_odds: 100 } })
    expect(client.of('error', before)).toMatchObject([{ code: 'work_limited' }])
    expect(client.of('subscribed', before)).toEqual([])
    by.advance(10)
    by.odds(knicks, { sportsbook: 'draftkings', price: 1.8 })
    await by.until('the change', () => client.of('odds:update', before).length > 0)
    expect([...client.prices(before).values()]).toEqual([1.8])
  })

  it('resumes once it has some', async () => {
    const client = await opened('channels=odds')
    spendAll()
    by.workTime.ms += 60 * 60_000
    const before = client.frames.length
    client.say({ type: 'filter', filters: { min_odds: 100 } })
    expect(client.of('error', before)).toEqual([])
    expect(client.of('subscribed', before)).toHaveLength(1)
  })

  it('opens no stream', () => {
    spendAll()
    const client = by.open('channels=odds', 'sharp')
    expect(client.of('error')).toMatchObject([{ code: 'work_limited' }])
    expect(client.state.closed).toBe(1013)
  })

  it('has heartbeats without proof', async () => {
    const client = await opened('channels=odds&proof=true&heartbeat_seconds=1')
    const beats = () => client.of('heartbeat')
    await by.until('a proof', () => beats().length > 0)
    expect(beats().at(-1)).toMatchObject({ rows: 2, checksum: expect.any(String) })
    spendAll()
    const count = beats().length
    await by.until('another heartbeat', () => beats().length > count)
    expect(beats().at(-1)).not.toHaveProperty('checksum')
  })
})

describe('an account spends its credit on', () => {
  it.each([
    ['what its clients begin with', 'channels=odds'],
    ['opportunities that they begin with', 'channels=arbitrage'],
  ])('%s', async (_, query) => {
    by.workTime.msALook = 20_000
    expect(by.budget.isSpent(by.callerOf('sharp'))).toBe(false)
    const client = by.open(query, 'sharp')
    await by.until('the snapshot', () => client.of('snapshot:complete').length > 0)
    expect(by.budget.isSpent(by.callerOf('sharp'))).toBe(true)
  })

  it('no later change', async () => {
    await opened('channels=odds')
    await by.pass(500)
    by.workTime.msALook = 20_000
    for (let i = 0; i < 5; i++) {
      by.advance(10)
      by.odds(knicks, { sportsbook: 'draftkings', price: 1.7 + i / 10 })
      await by.pass(30)
    }
    expect(by.budget.isSpent(by.callerOf('sharp'))).toBe(false)
  })
})
