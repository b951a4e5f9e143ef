import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createQueryReader } from '../../schemas/http/query.ts'
import { sseQueryAt } from '../../schemas/stream/parameters.ts'
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
  it('frames, also those without effect', async () => {
    const client = await opened('channels=odds')
    const before = client.frames.length
    by.workTime.msALook = 2_000
    for (let i = 0; i < 8; i++) client.say({ type: 'filter', filters: { markets: [`zq${i}`] } })
    expect(client.of('error', before).at(-1)).toMatchObject({ code: 'work_limited' })
    client.say({ type: 'ping' })
    expect(client.of('pong', before)).toHaveLength(1)
    expect(client.state.closed).toBeNull()
  })

  it('frames before it is subscribed, and the stream ends without credit', () => {
    const client = by.open('')
    by.workTime.msALook = 2_000
    for (let i = 0; i < 8; i++) client.say({ type: 'filter', filters: { misspelt: i } })
    client.say({ type: 'subscribe' })
    expect(client.of('error').at(-1)).toMatchObject({ code: 'work_limited' })
    expect(client.state.closed).toBe(1013)
  })

  it('long frames before they are decoded', async () => {
    const client = await opened('channels=odds')
    spendAll()
    client.session.receive('['.repeat(10_000))
    expect(client.of('error')).toMatchObject([{ code: 'work_limited' }])
    const keyless = by.open('', 'sharp', '')
    keyless.session.receive('['.repeat(10_000))
    expect(keyless.of('error')).toMatchObject([{ code: 'not_authenticated' }])
  })

  it('SSE streams that are refused', () => {
    by.workTime.msALook = 2_000
    const query = createQueryReader(sseQueryAt('/api/v1/stream/odds'), [])('market=zq')
    if (!query.ok) throw new Error('the query is read')
    const open = () =>
      by.streams.sse({
        admit: () => by.callerOf('sharp'),
        ...{ key: 'sharp', query: () => query.query, path: { channel: 'odds' }, lastEventId: '' },
      })
    expect(open).toThrow('Unknown market')
    by.workTime.msALook = 20_000
    expect(open).toThrow('Unknown market')
    by.workTime.msALook = 0
    expect(open).toThrow('processing time')
  })

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
