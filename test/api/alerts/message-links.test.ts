/** Links of messages to the pages: what is told is what opens. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { opportunityOf } from '../../../api/web/client/data/asked-opportunity.ts'
import { readListQuery } from '../../../api/web/client/data/list-query.ts'
import { readOpportunity } from '../../../api/web/client/data/opportunity.ts'
import type { MessageOf } from '../../../schemas/http/alerts.ts'
import { knicks, moneyline, points, push, spread, teamTotal } from '../hand-made-market.ts'
import { shownAt } from '../shown-page.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let service: SimulatedService
let receiver: Receiver
let key: string
beforeAll(async () => {
  service = await startSimulated(null)
  receiver = await openReceiver()
  key = await service.key('sharp')
  push(service, knicks, { pinnacle: [moneyline(1.91, 1.91)], draftkings: prices(1.9) })
  service.step(1_000)
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

/** @param price of the sides that alerts of this file wait for */
const prices = (price: number) => [
  moneyline(2.1, 1.75),
  spread(-3, 1.9, 1.9),
  spread(-5.5, 1.7, price),
  teamTotal('away', 101.5, price, 1.7),
  points('Jalen Brunson', 27.5, 1.9, 1.9),
  points('Jalen Brunson', 31.5, price, 1.7),
]

/** Makes an alert. @returns a function that waits for its first message */
async function alertOn(rule: object): Promise<() => Promise<MessageOf<'alert.price'>['data']>> {
  const path = `/${Math.random()}`
  const target = { type: 'webhook', url: receiver.url + path }
  const { status, text } = await service.post('/account/alerts', key, {
    ...{ name: 'Knicks', target },
    ...rule,
  })
  expect([status, text]).toEqual([201, text])
  return async () => {
    await expect.poll(() => receiver.at(path).length).toBe(1)
    return JSON.parse(receiver.at(path)[0]!.text).data
  }
}

it('open the question and line of the price that is told', async () => {
  const price = { type: 'price' }
  const drop = { type: 'move' }
  const told = await Promise.all([
    alertOn({ ...price, filters: { market: 'point_spread', min_line: 5, min_odds: 105 } }),
    alertOn({ ...price, filters: { market: 'team_total', min_odds: 105 } }),
    alertOn({ ...price, filters: { market: 'player_points', min_odds: 105 } }),
    alertOn({ ...drop, filters: { market: 'point_spread', min_books: 0, min_drop: 5 } }),
  ])
  push(service, knicks, { draftkings: prices(2.2) })
  const pages = await Promise.all(told.slice(0, 3).map(async (one) => (await one()).links.page))
  push(service, knicks, { draftkings: prices(1.8) })
  pages.push((await told[3]!()).links.page)
  push(service, knicks, { draftkings: prices(2.2) })
  expect(await Promise.all(pages.map((page) => shownAt(service, key, page)))).toEqual([
    { market: 'point_spread', prices: [2.2, 1.7] },
    { market: 'team_total', prices: [2.2, 1.7] },
    { market: 'player_points', prices: [2.2, 1.7] },
    { market: 'point_spread', prices: [2.2, 1.7] },
  ])
})

it('open the list of an opportunity with its explanation, for a person', async () => {
  const filters = { league: 'nba', min_ev: 1, books: 'draftkings,fanduel' }
  const told = await alertOn({ kind: 'ev', filters })
  const { pathname, searchParams } = new URL((await told()).links.page)
  expect(pathname).toBe('/opportunities')
  expect(readListQuery(searchParams)).toMatchObject({
    ...{ kind: 'ev', league: 'nba', filters: 'min_ev=1' },
  })
  const books = searchParams.get('books')
  const id = searchParams.get('why')!
  const { body } = await service.get(`/opportunities/${id}/explain?books=${books}`, key)
  const listed = await service.get(`/opportunities/ev?min_ev=1&books=${books}`, key)
  const { fair, priceAgeMs, ...item } = readOpportunity('ev', listed.body.data[0])
  const { worth, legs, warnings, ...others } = item
  expect(opportunityOf(id, body.data)).toMatchObject({
    ...others,
    worth: expect.closeTo(worth, 2),
    legs: legs.map((leg) => ({ ...leg, stake: null })),
  })
})

it('lead from the list of alerts to the current matches of each', async () => {
  const { body } = await service.get('/account/alerts', key)
  const [price, , , , ev] = body.data
  expect(price).toMatchObject({ list: '/api/v1/odds/best?market=point_spread&min_odds=105' })
  expect(ev.page).toBe('/opportunities?kind=ev&league=nba&min_ev=1&books=draftkings,fanduel')
})
