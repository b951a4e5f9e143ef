/** What the streams of a tier are told of opportunities as they come and go. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createScopes } from '../../api/access/scope.ts'
import { createOpportunityFeed } from '../../api/stream/channels/opportunities/opportunity-news.ts'
import { fillOpportunities } from './filled-board.ts'
import { moneyline, total } from './hand-made-market.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
})
afterAll(() => service.close())

it('those that ended while somebody new was shown what there is are told as gone to the others', async () => {
  await fillOpportunities(service)
  const { boards, clock } = service
  const scope = createScopes(boards).of({ tier: 'enterprise', isOwner: false })
  const feed = createOpportunityFeed(scope)
  const entries = scope.opportunities.all('arbitrage')
  expect(entries.length).toBeGreaterThan(0)
  const known = feed.tick([], clock()).changed.arbitrage
  expect(known).toEqual(entries)
  // They stand no more when the newcomer is shown them, and their rows go before the next tick.
  service.advance(6 * 60_000)
  feed.meet(entries, clock(), true)
  await service.ingest(
    ['draftkings', 'fanduel'].map((sportsbook) =>
      oddsRecord(clock(), {
        sportsbook,
        markets: [moneyline(1.9, 1.9), total(226.5, 1.9, 1.9)],
        home: 'Denver Nuggets',
        away: 'Utah Jazz',
        startsAt: '2026-11-21T01:30:00Z',
      }),
    ),
  )
  await service.settled()
  expect(scope.opportunities.all('arbitrage')).toEqual([])
  const { gone } = feed.tick([], clock())
  expect([...gone]).toEqual(expect.arrayContaining(known.map(({ row }) => row.id)))
})
