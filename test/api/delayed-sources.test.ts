/** The free tier learns a minute late that the sources of a sportsbook are down, as its board does. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { tierBooks } from '../../schemas/reference/tier-books.ts'
import { knicks, moneyline, push, pushStatus } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const [book] = tierBooks.free!
const delayMs = 60_000

let service: SimulatedService
let paid: string
let free: string
beforeEach(async () => {
  service = await startSimulated(null)
  paid = await service.key('enterprise')
  free = await service.key('free')
  push(service, knicks, { [book!]: [moneyline(1.9, 1.9)] })
  pushStatus(service, book!, 'up')
  service.step(2 * delayMs)
})
afterEach(() => service.close())

/** Returns what the list and the sportsbook itself say, which must be the same. */
async function said(key: string) {
  const { body } = await service.get('/sportsbooks', key)
  const one = (await service.get(`/sportsbooks/${book}`, key)).body.data
  const listed = body.data.find(({ id }: { id: string }) => id === book)
  const of = (item: typeof one) => [item.status, item.active, item.source_status, item.source_since]
  expect(of(one)).toEqual(of(listed))
  return of(one)
}

it('with a key or without one', async () => {
  const before = await said(free)
  expect(before.slice(0, 3)).toEqual(['active', true, 'up'])
  service.step(1_000)
  pushStatus(service, book!, 'down')
  // Outages count once they have lasted a while.
  for (let s = 0; (await said(paid))[2] === 'up'; s++) {
    expect(s).toBeLessThan(300)
    service.step(1_000)
  }
  const down = await said(paid)
  expect(down.slice(0, 3)).toEqual(['limited', false, 'down'])
  service.wait(delayMs - 1)
  for (const key of [free, '']) expect(await said(key)).toEqual(before)
  service.wait(1)
  for (const key of [free, '']) expect(await said(key)).toEqual(down)
})
