import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStreamClient } from '../clients/open-stream-client.ts'
import { gameTotal } from './game-total.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'
import { eventually } from './stream-reader.ts'

describe('low holds of one sportsbook', () => {
  let service: InProcess
  beforeAll(async () => {
    service = await startInProcess()
  })
  afterAll(() => service.close())

  const total = (sportsbook: string, over: number, under: number) =>
    gameTotal(sportsbook, over, under, 210.5, new Date(service.clock()).toISOString())

  it('come and go with a price that ties with a leg, as the list has them', async () => {
    const say = async (...prices: ReturnType<typeof total>[]) => {
      service.advance(1_000)
      await service.ingest(prices)
      await service.settled()
    }
    await say(
      total('pinnacle', 1.9, 1.9),
      total('draftkings', 1.98, 1.85),
      total('fanduel', 1.85, 1.98),
      total('betmgm', 1.9, 1.9),
    )
    const account = { name: 'ties', tier: 'enterprise', addOns: [], expiresAt: null } as const
    const { value: key } = await service.accounts.create(account)
    const client = openStreamClient({
      base: service.base,
      key,
      transport: 'sse',
      channels: ['low_hold'],
      filters: { sportsbook: ['pinnacle'] },
    })
    try {
      await eventually('the stream is ready', () => client.isReady())
      const listed = async () =>
        (await service.get('/opportunities/low_hold?sportsbook=pinnacle')).body.data.length
      const shown = () => client.opportunities.low_hold.size
      expect([await listed(), shown()]).toEqual([0, 0])
      await say(total('pinnacle', 1.98, 1.85))
      expect(await listed()).toBe(1)
      await eventually('it is detected', () => shown() === 1)
      await say(total('pinnacle', 1.8, 1.85))
      expect(await listed()).toBe(0)
      await eventually('it has expired', () => shown() === 0)
    } finally {
      client.close()
    }
  })
})
