/** Alerts leave out the leagues that the profile hides, as the pages do, unless the rule names what it is about. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { knicks, moneyline, packers, push } from '../hand-made-market.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let service: SimulatedService
let receiver: Receiver
let key: string
beforeAll(async () => {
  service = await startSimulated(null)
  receiver = await openReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
beforeEach(async () => {
  key = await service.key('sharp')
  offer(1.9)
})

/** @param price of both home teams at DraftKings, at fair odds of 2 */
function offer(price: number) {
  for (const game of [knicks, packers]) {
    push(service, game, { pinnacle: [moneyline(1.91, 1.91)], draftkings: [moneyline(price, 1.75)] })
  }
  service.step(1_000)
}

async function hide(leagues: readonly string[]) {
  const json = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ hidden_leagues: leagues })
  const { status, text } = await service.request('PATCH', '/account/profile', key, json, body)
  expect([status, text]).toEqual([200, text])
}

/** Makes an alert. @returns a function that returns the leagues of its messages so far */
async function alertOn(rule: object): Promise<() => readonly string[]> {
  const path = `/${Math.random()}`
  const { status, text } = await service.post('/account/alerts', key, {
    ...{ name: 'Home teams', target: { type: 'webhook', url: receiver.url + path } },
    ...rule,
  })
  expect([status, text]).toEqual([201, text])
  return () => receiver.at(path).map(({ body }) => body.data.event.league)
}

const price = { type: 'price', filters: { market: 'moneyline', min_odds: 105 } }

it.each([
  ['+EV', { kind: 'ev', filters: { min_ev: 2 } }],
  ['a price', price],
])('of %s, until they are shown again', async (_, rule) => {
  await hide(['nba'])
  const told = await alertOn(rule)
  offer(2.1)
  await expect.poll(told).toEqual(['nfl'])
  await hide([])
  offer(2.12)
  await expect.poll(told).toContain('nba')
})

it.each([
  ['league', { league: 'nba' }],
  ['team', { team: 'Knicks' }],
])('but not of a rule that names a %s', async (_, named) => {
  await hide(['nba'])
  const told = await alertOn({ ...price, filters: { ...price.filters, ...named } })
  offer(2.1)
  await expect.poll(told).toEqual(['nba'])
})
