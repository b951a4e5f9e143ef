import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FeedRecord } from '../../../schemas/feed-record.ts'
import { knicks, moneyline, packers, parsed, push } from '../hand-made-market.ts'
import { oddsRecord } from '../service-in-process.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'

let service: SimulatedService
let key: string
beforeAll(async () => {
  service = await startSimulated(null)
  key = await service.key('sharp')
})
afterAll(() => service.close())

const alertsPath = '/account/alerts'

/** Returns the titles told so far, sorted, because all of them are of one moment. */
async function told(): Promise<string[]> {
  const { body } = await service.get(`${alertsPath}/deliveries`, key)
  return body.data.map(({ title }: { title: string }) => title).sort()
}

/** Makes the sportsbook one for owners alone and gives its prices, all in one round of the log. */
function sayOwners(sportsbook: string) {
  const now = service.clock()
  const status: FeedRecord = {
    ...{ type: 'book_status', sportsbook, observedAt: now },
    ...{ status: 'up', audience: 'owner' },
  }
  const prices = oddsRecord(now, { ...knicks, sportsbook, markets: [moneyline(3.4, 1.35)] })
  service.say([status, ...parsed(now, [prices])])
}

it('tells no price of a sportsbook that is for owners alone since the same round', async () => {
  // The process knows the sportsbooks before, and has compiled the rules for them.
  push(service, knicks, { draftkings: [moneyline(1.5, 2.6)], fanduel: [moneyline(1.5, 2.6)] })
  const created = await service.post(alertsPath, key, {
    type: 'price',
    name: 'Long shots',
    filters: { market: 'moneyline', min_odds: 200 },
    target: { type: 'browser' },
  })
  expect([created.status, created.text]).toEqual([201, expect.stringContaining('alert_')])
  push(service, knicks, { draftkings: [moneyline(3.1, 1.4)] })
  await expect.poll(told).toEqual(['New York Knicks at +210: Brooklyn Nets @ New York Knicks'])

  sayOwners('fanduel')
  sayOwners('caesars')
  push(service, packers, { draftkings: [moneyline(3.2, 1.4)] })
  await expect.poll(async () => (await told()).length).toBeGreaterThan(1)
  expect(await told()).toEqual([
    'Green Bay Packers at +220: Chicago Bears @ Green Bay Packers',
    'New York Knicks at +210: Brooklyn Nets @ New York Knicks',
  ])
})
