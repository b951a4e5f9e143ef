/** Messages of steam with very many moves. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { knicks, moneyline, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let service: SimulatedService
let receiver: Receiver
beforeAll(async () => {
  service = await startSimulated(null)
  receiver = await openReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

it('list the newest hundred, and say when the first began', async () => {
  const key = await service.key('sharp')
  const sidesAt = (step: number) => {
    const price = 10 * 0.99 ** step
    return [moneyline(price, price / (price - 1) - 0.05)]
  }
  push(service, knicks, { draftkings: sidesAt(0), fanduel: sidesAt(0) })
  service.step(1_000)
  const filters = { min_books: 2, min_move: 0.05, seconds: 3_600, direction: 'shortened' }
  const rule = { name: 'Steam', type: 'move', filters }
  const target = { type: 'webhook', url: `${receiver.url}/steam` }
  const { status, text } = await service.post('/account/alerts', key, { ...rule, target })
  expect([status, text]).toEqual([201, text])
  const began = new Date(service.clock()).toISOString()
  for (let step = 1; step <= 130; step++) {
    push(service, knicks, { draftkings: sidesAt(step) })
    service.step(1_000)
  }
  push(service, knicks, { fanduel: sidesAt(130) })
  await expect.poll(() => receiver.at('/steam').length).toBe(1)
  const { data } = JSON.parse(receiver.at('/steam')[0]!.text)
  expect(data.moves).toHaveLength(100)
  expect(data.moves.at(-1).sportsbook).toBe('fanduel')
  expect(data.began_at).toBe(began)
  expect(data.title).toContain('2 sportsbooks')
})
