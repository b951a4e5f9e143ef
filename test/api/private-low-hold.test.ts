/** Low holds of the others, on a line that a sportsbook which only the owner may see offers too. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { knicks, moneyline, parsed, push } from './hand-made-market.ts'
import { oddsRecord } from './service-in-process.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

let service: SimulatedService
beforeAll(async () => {
  service = await startSimulated(null)
})
afterAll(() => service.close())

it('are the same with its prices as without', async () => {
  const key = await service.key('pro')
  const found = async (query = '') => {
    const { body } = await service.get(`/opportunities/low_hold?league=nba${query}`, key)
    return body.data.map(({ side1, side2, all_books }: Record<string, { books?: string[] }>) => [
      side1!.books,
      side2!.books,
      all_books,
    ])
  }
  const books = ['draftkings', 'fanduel']
  // Two sportsbooks that differ so much are no proof against either; a third would be against the first.
  push(service, knicks, {
    draftkings: [moneyline(2.2, 1.7)],
    fanduel: [moneyline(1.75, 2.05)],
  })
  const alone = await found()
  expect(alone).toEqual([[['draftkings'], ['fanduel'], books]])
  const now = service.clock()
  service.say([
    {
      ...{ type: 'book_status', sportsbook: 'house_model', observedAt: now },
      ...{ status: 'up', audience: 'owner' },
    },
    ...parsed(now, [
      oddsRecord(now, { ...knicks, sportsbook: 'house_model', markets: [moneyline(1.75, 2.05)] }),
    ]),
  ])
  expect(await found()).toEqual(alone)
  expect(await found('&sportsbook=draftkings')).toEqual(alone)
})
